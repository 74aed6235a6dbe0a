//! What each message to a recorded master was answered with, in the addresses of now.

use std::net::SocketAddr;

use super::values::RequestValue;
use protocol::Entry;
use text::counted;

/// What is played of a recording.
#[derive(Debug, Default)]
pub(super) struct PlayedMessages {
    /// Messages in datagrams.
    pub datagrams: Vec<PlayedRequest>,
    /// Messages on TCP connections.
    pub streams: Vec<PlayedRequest>,
    pub connections: Vec<PlayedConnection>,
    pub left_out: UnplayedMessages,
}

/// A recorded message to a master.
#[derive(Debug)]
pub(super) struct PlayedRequest {
    /// The frame's number.
    pub number: u64,
    /// The master's endpoint.
    pub to: SocketAddr,
    pub entry: &'static Entry,
    pub bytes: Vec<u8>,
    pub values: Vec<RequestValue>,
    /// What the master sent next, in order.
    pub replies: Vec<PlayedReply>,
    /// Its TCP connection, by its index.
    pub connection: Option<usize>,
    /// Whether its sender went on: another message follows on the connection.
    pub is_followed: bool,
    /// If the master closed the connection next: nanoseconds after the request.
    pub close: Option<u64>,
}

impl PlayedRequest {
    /// Whether the recording has anything behind it.
    pub fn has_outcome(&self) -> bool {
        !self.replies.is_empty() || self.is_followed || self.close.is_some()
    }
}

/// A recorded TCP connection.
#[derive(Debug)]
pub(super) struct PlayedConnection {
    /// The frame of its first message.
    pub number: u64,
    /// The master's endpoint.
    pub to: SocketAddr,
    /// What the master sent before its client did.
    pub greeting: Vec<PlayedReply>,
}

/// A recorded message of a master.
#[derive(Debug)]
pub(super) struct PlayedReply {
    pub entry: &'static Entry,
    /// Its bytes, deciphered where the key is published.
    pub bytes: Vec<u8>,
    /// The endpoint that sent it.
    pub from: SocketAddr,
    pub port: ReplyPort,
    /// Nanoseconds after the request, or after the first message of a greeting.
    pub delay: u64,
}

impl PlayedReply {
    /// The bytes on the wire of its message, which has become `plain`, as the answer to a request.
    pub fn enciphered(&self, request: &[u8], plain: Vec<u8>) -> Vec<u8> {
        let encipher = self.entry.protocol.encipher;
        encipher.and_then(|encipher| encipher(request, &plain)).unwrap_or(plain)
    }

    /// Whether it is enciphered for the recorded request, by a key that is not published.
    pub fn is_unreadable(&self, request: &[u8]) -> bool {
        let encipher = self.entry.protocol.encipher;
        encipher.is_some_and(|encipher| encipher(request, &self.bytes).is_none())
    }
}

/// Where a reply goes: always to the address that the request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyPort {
    /// To the port of the request.
    Own,
    /// To the port that the request names.
    Named,
}

/// What of a recording is not played, or is of no use to a live client.
#[derive(Debug, Default)]
pub(super) struct UnplayedMessages {
    /// Lists that are enciphered for the recorded requests.
    pub unreadable: u64,
    /// Replies that went to others than the sender of the request.
    pub elsewhere: u64,
    /// Replies of which the capture has only a part.
    pub cut: u64,
    /// Requests with an answer beyond the limits.
    pub beyond: u64,
}

impl UnplayedMessages {
    /// One line for each kind.
    pub fn notes(&self) -> Vec<String> {
        let parts = [
            (
                self.unreadable,
                "recorded list",
                "sent as recorded: the key is not published, so clients with another challenge \
                 cannot decipher it",
            ),
            (self.elsewhere, "recorded reply", "not played: the request came from another address"),
            (self.cut, "recorded reply", "not played: the capture has only a part"),
            (self.beyond, "answered request", "not played: there are too many"),
        ];
        let parts = parts.iter().filter(|(count, ..)| *count > 0);
        parts.map(|(count, what, why)| format!("{} {why}", counted(*count, what))).collect()
    }
}
