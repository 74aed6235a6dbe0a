//! One message as it is passed to every view.

use std::net::SocketAddr;

use super::reassembler::PipelineStep;
use crate::capture::ByteRange;
use crate::flow::{FlowId, Flows, Settled, Transport, Verdict};
use crate::protocol::{Direction, Entry, Part, Validation};

/// All data of a recognised message but its payload.
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
    /// The number of its connection in this reading: one flow may have several, one after the
    /// other. `None` for a datagram.
    pub connection: Option<u64>,
    /// Whether it goes in the direction of its flow's first packet.
    pub forward: bool,
    /// The game, and the confidence.
    pub verdict: Verdict,
    pub entry: &'static Entry,
    /// The documents' name for it, which may depend on its content.
    pub name: &'static str,
    /// The roles of sender and receiver, as far as known.
    pub direction: Direction,
    /// Where its payload can be read again, if it can.
    pub place: Option<ByteRange>,
    /// Number of captured payload bytes.
    pub length: u32,
    /// Payload bytes that are missing because of the snap length or a wrong header.
    pub missing: u32,
    /// Number of fragments; 0 if it was not fragmented.
    pub fragments: u16,
    /// Whether two of its fragments overlap; the first bytes were kept.
    pub overlap: bool,
    /// The frame number of the request that it answers, if captured.
    pub answers: Option<u64>,
    /// Which part of its answer it is, if the answer takes several datagrams.
    pub part: Option<Part>,
    /// Whether it answers a captured challenge correctly.
    pub validation: Option<Validation>,
}

/// A recognised message; the payload is borrowed.
#[derive(Debug, Clone, Copy)]
pub struct CapturedMessage<'a> {
    pub header: MessageHeader,
    pub payload: &'a [u8],
}

impl MessageHeader {
    /// The message in a payload; `None` if there is none.
    pub(super) fn of(
        flows: &Flows,
        settled: Option<&mut Settled>,
        got: &PipelineStep<'_>,
    ) -> Option<Self> {
        let named = got.classified.message?;
        let (verdict, way) = match settled {
            Some(settled) => flows.place_settled(settled, got.classified, named.entry),
            None => flows.place_message(got.classified, named.entry),
        }?;
        Some(Self {
            number: got.payload.meta.number,
            time: got.payload.meta.time,
            source: got.payload.meta.source,
            destination: got.payload.meta.destination,
            transport: got.payload.meta.transport,
            flow: got.classified.flow,
            connection: got.payload.connection,
            forward: got.classified.forward,
            place: got.payload.place,
            verdict,
            entry: named.entry,
            name: named.name,
            direction: way,
            length: got.payload.bytes.len() as u32,
            missing: got.payload.missing,
            fragments: got.payload.fragments,
            overlap: got.payload.overlap,
            answers: named.answers,
            part: named.part,
            validation: named.validation,
        })
    }
}
