//! A server that registers with a challenge, and a client's list request, whatever their settings.

use std::net::SocketAddr;

use crate::ServerInfo;

/// What a server says to a master that challenges it. A value is what it has besides its settings: the
/// tag of its heartbeats, for example.
pub trait RegisteringServer {
    /// What a server has to return.
    type Challenge;

    /// The heartbeat of a server with these settings at this address.
    fn heartbeat(&self, info: &ServerInfo, address: SocketAddr) -> Vec<u8>;

    /// The challenge of the master's request; `None` for another message.
    fn challenge(request: &[u8]) -> Option<Self::Challenge>;

    /// The answer to another message, which the master sends before its request.
    fn answer_before(&self, _info: &ServerInfo, _message: &[u8]) -> Option<Vec<u8>> {
        None
    }

    /// The answer to a challenge.
    fn answer(&self, info: &ServerInfo, challenge: &Self::Challenge) -> Vec<u8>;

    /// The answer to the master's request; `None` if it is none.
    fn answer_request(&self, info: &ServerInfo, request: &[u8]) -> Option<Vec<u8>> {
        Self::challenge(request).map(|challenge| self.answer(info, &challenge))
    }
}

/// A client's request for a list, in datagrams or over TCP.
pub trait ClientListRequest: Copy {
    /// Its bytes, to a master at an address of this family.
    fn encode(self, over_ipv6: bool) -> Vec<u8>;
}

/// The server that a program registers to watch a master: what it says, with its settings.
pub(crate) struct Probe<S> {
    pub(crate) server: S,
    pub(crate) info: ServerInfo,
}

impl<S: RegisteringServer> Probe<S> {
    pub(crate) fn heartbeat(&self, address: SocketAddr) -> Vec<u8> {
        self.server.heartbeat(&self.info, address)
    }

    /// The answer to any message of the master that has one.
    pub(crate) fn answer(&self, message: &[u8]) -> Option<Vec<u8>> {
        let before = || self.server.answer_before(&self.info, message);
        self.server.answer_request(&self.info, message).or_else(before)
    }
}
