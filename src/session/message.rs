//! One message as every view is given it.

use std::net::SocketAddr;

use crate::flow::{FlowId, Transport, Verdict};
use crate::proto::{Entry, Way};

/// A recognised message with all that is known of it; the payload is lent.
#[derive(Debug, Clone, Copy)]
pub struct Message<'a> {
    /// The frame's number in the capture, from 1: that of the last fragment, where there were some.
    pub number: u64,
    /// Nanoseconds since the Unix epoch, UTC.
    pub time: i64,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub transport: Transport,
    pub flow: FlowId,
    /// Which game, and how sure that is.
    pub verdict: Verdict,
    pub entry: &'static Entry,
    /// Who sent it to whom, as far as is known.
    pub way: Way,
    pub payload: &'a [u8],
    /// How many bytes of the payload the snap length, or a damaged header, left out.
    pub missing: u32,
    /// The number of the request that it answers, where that was seen.
    pub answers: Option<u64>,
}
