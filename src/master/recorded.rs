//! What a running master may answer with in place of its services: a recording.

use std::net::{IpAddr, SocketAddr};

/// The answers of a recording. It has no sockets and no clock: the master passes each datagram with
/// its time, and sends what is due.
pub trait RecordedAnswers: Send {
    /// The ports to listen on at a local address.
    fn ports(&self, local: IpAddr) -> Vec<RecordedPort>;

    /// Takes a datagram; what answers it becomes due, now or later. Returns the size of that.
    fn take(&mut self, incoming: &IncomingDatagram<'_>) -> AnswerSize;

    /// When the next datagram is due, in nanoseconds of the clock of [`IncomingDatagram::now`].
    fn next_due(&self) -> Option<i64>;

    /// Removes the next datagram, if it is due.
    fn pop_due(&mut self, now: i64) -> Option<DueReply>;
}

/// A port of a recorded master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedPort {
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
    pub from: SocketAddr,
    pub payload: &'a [u8],
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
    pub to: SocketAddr,
    pub bytes: Vec<u8>,
}
