//! One message as every view is given it.

use std::net::SocketAddr;

use super::step::PipelineStep;
use crate::capture::ByteRange;
use crate::flow::{FlowId, Flows, Settled, Transport, Verdict};
use crate::protocol::{Direction, Entry, Part, Validation};

/// All that is known of a recognised message but its payload.
#[derive(Debug, Clone, Copy)]
pub struct MessageHeader {
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
    pub way: Direction,
    /// Where its payload can be read again, if it can.
    pub place: Option<ByteRange>,
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
pub struct CapturedMessage<'a> {
    pub header: MessageHeader,
    pub payload: &'a [u8],
}

impl MessageHeader {
    /// What the flows know of the message in a payload; `None` where there is none.
    pub(super) fn of(
        flows: &Flows,
        settled: Option<&mut Settled>,
        got: &PipelineStep<'_>,
    ) -> Option<Self> {
        let named = got.heard.message?;
        let (verdict, way) = match settled {
            Some(settled) => flows.place_settled(settled, got.heard, named.entry),
            None => flows.place_message(got.heard, named.entry),
        }?;
        Some(Self {
            number: got.said.sent.number,
            time: got.said.sent.time,
            source: got.said.sent.source,
            destination: got.said.sent.destination,
            transport: got.said.sent.transport,
            flow: got.heard.flow,
            connection: got.said.connection,
            forward: got.heard.forward,
            place: got.said.place,
            verdict,
            entry: named.entry,
            name: named.name,
            way,
            length: got.said.bytes.len() as u32,
            missing: got.said.missing,
            fragments: got.said.fragments,
            overlap: got.said.overlap,
            answers: named.answers,
            part: named.part,
            validation: named.validation,
        })
    }
}
