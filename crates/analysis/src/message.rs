//! One message as it is passed to every view.

use std::net::SocketAddr;

use super::frame_ref::FrameRef;
use super::payload::{FrameHeaders, PipelineStep};
use capture::ByteRange;
use flow::{FlowId, Flows, Transport, Verdict, VerdictCache};
use protocol::{Direction, Entry, ExchangeKind, Part, Role, Validation};
use protocols::unknown;

/// All data of a recognised message but its payload.
#[derive(Debug, Clone, Copy)]
pub struct MessageHeader {
    /// The frame's number in the capture, from 1: that of the last fragment or segment, where
    /// there were several.
    pub number: u64,
    /// Nanoseconds since the Unix epoch, UTC.
    pub time: i64,
    /// The index of the input of that frame.
    pub input: u16,
    /// The sender.
    pub source: SocketAddr,
    /// The receiver.
    pub destination: SocketAddr,
    /// UDP or TCP.
    pub transport: Transport,
    /// Its flow; 0 where the table of flows was full.
    pub flow: FlowId,
    /// The number of its connection in this reading: one flow may have several, one after the
    /// other. `None` for a datagram.
    pub connection: Option<u64>,
    /// Whether it goes in the direction of its flow's first packet.
    pub forward: bool,
    /// The game, and the confidence.
    pub verdict: Verdict,
    /// Its declaration.
    pub entry: &'static Entry,
    /// The documents' name for it, which may depend on its content.
    pub name: &'static str,
    /// The roles of sender and receiver, as far as known.
    pub direction: Direction,
    /// Where its payload can be read again, if it can.
    pub byte_range: Option<ByteRange>,
    /// The headers in front of it there; `None` if it was reassembled, or is not read again from its
    /// frame.
    pub headers: Option<FrameHeaders>,
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
    /// What is known of it.
    pub header: MessageHeader,
    /// Its bytes, as far as they were captured.
    pub payload: &'a [u8],
}

impl MessageHeader {
    /// Whether no protocol reads it: it belongs to no exchange.
    pub fn is_unknown(&self) -> bool {
        self.entry == unknown::DATAGRAM
    }

    /// Its frame.
    pub(super) fn frame(&self) -> FrameRef {
        FrameRef { number: self.number, flow: self.flow, input: self.input }
    }

    /// The kind of exchange that it opens. What is sent to register, and the answer to it, is a query
    /// where no master is known to take part: Quake 2's `ping` and `ack`.
    pub(super) fn exchange_kind(&self) -> ExchangeKind {
        let Direction { from, to } = self.direction;
        let master = if self.entry.spec.answers.is_empty() { to } else { from };
        match self.entry.exchange() {
            ExchangeKind::Registration
                if master != Some(Role::Master) && !self.entry.spec.one_way =>
            {
                ExchangeKind::Query
            }
            kind => kind,
        }
    }

    /// The message in a payload; `None` if there is none.
    pub(super) fn from_step(
        flows: &Flows,
        cache: Option<&mut VerdictCache>,
        step: &PipelineStep<'_>,
    ) -> Option<Self> {
        let recognised = step.classified.message?;
        let (verdict, direction) = match cache {
            Some(cache) => flows.resolve_cached(cache, step.classified, recognised.entry),
            None => flows.resolve(step.classified, recognised.entry),
        }?;
        Some(Self {
            number: step.payload.meta.number,
            time: step.payload.meta.time,
            input: step.payload.meta.input,
            source: step.payload.meta.source,
            destination: step.payload.meta.destination,
            transport: step.payload.meta.transport,
            flow: step.classified.flow,
            connection: step.payload.connection,
            forward: step.classified.forward,
            byte_range: step.payload.byte_range,
            headers: step.payload.headers,
            verdict,
            entry: recognised.entry,
            name: recognised.name,
            direction,
            length: step.payload.bytes.len() as u32,
            missing: step.payload.missing,
            fragments: step.payload.fragments,
            overlap: step.payload.overlap,
            answers: recognised.answers,
            part: recognised.part,
            validation: recognised.validation,
        })
    }
}
