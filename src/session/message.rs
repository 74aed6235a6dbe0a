//! One message as every view is given it.

use std::net::SocketAddr;

use crate::capture::Place;
use crate::flow::{FlowId, Transport, Verdict};
use crate::proto::{Entry, Part, Validation, Way};

/// All that is known of a recognised message but its payload.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// The frame's number in the capture, from 1: that of the last fragment or segment, where
    /// there were several.
    pub number: u64,
    /// Nanoseconds since the Unix epoch, UTC.
    pub time: i64,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub transport: Transport,
    pub flow: FlowId,
    /// The number of its connection in this reading: one flow may have several, one after the other.
    /// `None` of a datagram.
    pub connection: Option<u64>,
    /// Whether it goes the way of its flow's first packet.
    pub forward: bool,
    /// Which game, and how sure that is.
    pub verdict: Verdict,
    pub entry: &'static Entry,
    /// The documents' name for it, which may hang on its content.
    pub name: &'static str,
    /// Who sent it to whom, as far as is known.
    pub way: Way,
    /// Where its payload can be read again, if it can.
    pub place: Option<Place>,
    /// Bytes of payload at hand.
    pub length: u32,
    /// Bytes of payload that the snap length, or a header that lies, left out.
    pub missing: u32,
    /// How many fragments it came in; 0 where it came whole.
    pub fragments: u16,
    /// Whether two of its fragments claimed the same bytes; those that came first were kept.
    pub overlap: bool,
    /// The number of the request that it answers, where that was seen.
    pub answers: Option<u64>,
    /// Which part of its answer it is, where that takes several datagrams.
    pub part: Option<Part>,
    /// Whether its answer to a challenge that was seen is right.
    pub validation: Option<Validation>,
}

/// A recognised message; the payload is lent.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    pub header: Header,
    pub payload: &'a [u8],
}
