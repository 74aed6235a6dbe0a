//! What a running master may answer with in place of its services: a recording.

use std::net::{IpAddr, SocketAddr};

use protocol::Carrier;

/// The answers of a recording. It has no sockets and no clock: the master passes what it receives
/// with its time, and sends what is due. Times are nanoseconds of one monotonic clock.
pub trait RecordedAnswers: Send {
    /// The ports to listen on at a local address.
    fn ports(&self, local: IpAddr) -> Vec<RecordedPort>;

    /// Takes a datagram; what answers it becomes due, now or later. Returns the size of that.
    fn take_datagram(&mut self, incoming: &IncomingDatagram<'_>) -> AnswerSize;

    /// Takes what a client did on a TCP connection; what the master sends on it becomes due, now or
    /// later. `connection` is any number that no other open connection has.
    fn take_action(&mut self, connection: u64, now: i64, action: ClientAction<'_>);

    /// When anything is due next: a datagram, or something on a connection.
    fn next_due(&self) -> Option<i64>;

    /// Removes the next datagram, if it is due.
    fn pop_due(&mut self, now: i64) -> Option<DueReply>;

    /// Appends to `out` what is due on a connection; returns what comes behind it.
    fn send_due(&mut self, connection: u64, now: i64, out: &mut Vec<u8>) -> StreamProgress;
}

/// A port of a recorded master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedPort {
    /// Whether it takes datagrams or connections.
    pub carrier: Carrier,
    /// The master's endpoint in the recording.
    pub recorded: SocketAddr,
    /// The port to listen on; 0: any free one.
    pub port: u16,
    /// The id of its game.
    pub game: &'static str,
}

/// A datagram that came to a port of a recorded master.
#[derive(Debug, Clone, Copy)]
pub struct IncomingDatagram<'a> {
    /// Nanoseconds of a monotonic clock.
    pub now: i64,
    /// The master's endpoint in the recording.
    pub recorded: SocketAddr,
    /// The local address that it came to.
    pub local: IpAddr,
    /// The sender.
    pub from: SocketAddr,
    /// The payload.
    pub payload: &'a [u8],
}

/// What a client did on a TCP connection to a port of a recorded master.
#[derive(Debug, Clone, Copy)]
pub enum ClientAction<'a> {
    /// It connected from an address; `recorded` is the master's endpoint in the recording.
    Connected {
        /// The recorded address of the master.
        recorded: SocketAddr,
        /// The client.
        from: SocketAddr,
    },
    /// It sent bytes, however they are split.
    Sent(&'a [u8]),
    /// It sends nothing more (FIN).
    Finished,
    /// The connection is over.
    Left,
}

/// What comes on a connection behind what was due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamProgress {
    /// Nothing, until the client sends.
    Waits,
    /// More is due later.
    Later,
    /// Nothing: the master closes it.
    Closes,
}

/// How much answers a datagram.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AnswerSize {
    /// Its datagrams.
    pub datagrams: usize,
    /// The bytes of all their payloads.
    pub bytes: usize,
}

/// A datagram to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReply {
    /// The master's endpoint in the recording whose port sends it.
    pub recorded: SocketAddr,
    /// The local address that sends it.
    pub local: IpAddr,
    /// The receiver.
    pub to: SocketAddr,
    /// The bytes.
    pub bytes: Vec<u8>,
}
