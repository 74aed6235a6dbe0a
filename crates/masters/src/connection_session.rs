//! What answers on a TCP connection: a service, or a recording.

use std::net::SocketAddr;

use super::recorded::{ClientAction, StreamProgress};
use super::{Master, Service, ServiceConnection};

/// What answers the clients of a listening socket.
#[derive(Debug, Clone, Copy)]
pub(super) enum ConnectionSource {
    Service(&'static Service),
    /// The master at this endpoint of the recording.
    Recorded(SocketAddr),
}

/// What answers on one connection.
pub(super) enum ConnectionSession {
    Service(ServiceConnection),
    /// The recording, which knows the connection by a number.
    Recorded {
        connection: u64,
        progress: StreamProgress,
    },
}

impl ConnectionSession {
    /// Starts one; what the master sends first is appended to `out`. `None` if nothing answers.
    pub fn open(
        source: ConnectionSource,
        connection: u64,
        master: &mut Master,
        now: i64,
        from: SocketAddr,
        out: &mut Vec<u8>,
    ) -> Option<Self> {
        match source {
            ConnectionSource::Service(service) => {
                ServiceConnection::open(service, master, out).map(Self::Service)
            }
            ConnectionSource::Recorded(recorded) => {
                let mut session = Self::Recorded { connection, progress: StreamProgress::Waits };
                session.act(master, now, ClientAction::Connected { recorded, from });
                session.collect(master, now, out);
                Some(session)
            }
        }
    }

    /// Takes received bytes, however they are split, and appends what is sent now to `out`.
    pub fn handle_bytes(
        &mut self,
        master: &mut Master,
        now: i64,
        from: SocketAddr,
        bytes: &[u8],
        out: &mut Vec<u8>,
    ) {
        if let Self::Service(session) = self {
            return session.handle_bytes(master, from, bytes, out);
        }
        self.act(master, now, ClientAction::Sent(bytes));
        self.collect(master, now, out);
    }

    /// The client sends nothing more.
    pub fn finish(&mut self, master: &mut Master, now: i64, out: &mut Vec<u8>) {
        self.act(master, now, ClientAction::Finished);
        self.collect(master, now, out);
    }

    /// Appends what has become due to `out`.
    pub fn collect(&mut self, master: &mut Master, now: i64, out: &mut Vec<u8>) {
        if let (Self::Recorded { connection, progress }, Some(recorded)) =
            (self, &mut master.recorded)
        {
            *progress = recorded.send_due(*connection, now, out);
        }
    }

    /// Whether something is sent later without a request.
    pub fn has_more(&self) -> bool {
        matches!(self, Self::Recorded { progress: StreamProgress::Later, .. })
    }

    /// Nothing more will be sent.
    pub fn is_over(&self) -> bool {
        match self {
            Self::Service(session) => session.is_over(),
            Self::Recorded { progress, .. } => *progress == StreamProgress::Closes,
        }
    }

    /// How long it may be silent, if it has no fixed end.
    pub fn silence(&self, master: &Master) -> Option<i64> {
        match self {
            Self::Service(session) => session.silence(),
            Self::Recorded { .. } => Some(master.settings().connection_timeout),
        }
    }

    /// Ends it.
    pub fn close(mut self, master: &mut Master, now: i64, from: SocketAddr) {
        self.act(master, now, ClientAction::Left);
        if let Self::Service(session) = self {
            session.close(master, from);
        }
    }

    fn act(&mut self, master: &mut Master, now: i64, action: ClientAction<'_>) {
        if let (Self::Recorded { connection, .. }, Some(recorded)) = (self, &mut master.recorded) {
            recorded.take_action(*connection, now, action);
        }
    }
}
