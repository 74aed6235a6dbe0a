//! What TCP reassembly passes on: bytes, gaps, and why a direction ends.

use std::net::SocketAddr;

/// An event of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamEvent<'a> {
    /// The number of the connection, from 1; two endpoints may have several after each other.
    pub connection: u64,
    /// Whether the direction is that of the side that opened the connection; if its opening was not
    /// captured, that of its first segment.
    pub forward: bool,
    /// Whether the opening of the connection was captured.
    pub is_opened: bool,
    /// Address and port of the side that sends in this direction.
    pub source: SocketAddr,
    /// Address and port of the other side.
    pub destination: SocketAddr,
    /// The event.
    pub what: DirectionEvent<'a>,
}

/// An event in one direction of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectionEvent<'a> {
    /// The next bytes, at least one.
    Bytes(&'a [u8]),
    /// This many bytes are lost; the next bytes come after them.
    Gap(u32),
    /// The end of the direction.
    End(StreamEnd),
}

/// Why a direction has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamEnd {
    /// The sender closed it, and all bytes were captured.
    Finished,
    /// One side reset the connection.
    Reset,
    /// The same endpoints opened another connection.
    Replaced,
    /// It was silent for ten minutes.
    Silent,
    /// A limit of connections or memory was reached. Waiting bytes are dropped.
    Evicted,
    /// The capture ends.
    Captured,
}

/// The two endpoints, the smaller address first.
pub(super) type EndpointPair = [SocketAddr; 2];
