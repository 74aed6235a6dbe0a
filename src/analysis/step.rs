//! Takes one frame through net and flow, to the message of a datagram or those of a stream.

use std::collections::BTreeMap;

use super::company::PayloadBatch;
use super::log::PassLogReader;
use crate::capture::{ByteRange, Frame};
use crate::flow::{Classified, Flows, PacketMeta};
use crate::net::{
    ConnectionState, Datagram, DirectionEvent, Origin, Other, Packet, Stack, StreamEnd,
    StreamEvent, TcpReassembler, Transport, Wireless,
};
use crate::protocol::{FramedMessage, Framer, Side};
use crate::protocols::registry;

/// Counters of processed frames.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FrameCounts {
    pub packets: u64,
    pub datagrams: u64,
    pub segments: u64,
}

/// Whether a frame is classified for the first time, or again with all evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadPass {
    /// The result is needed at once (live capture).
    First,
    /// Payloads may be classified in batches.
    Ahead,
    Again,
}

/// A payload to be classified.
#[derive(Clone, Copy)]
pub(super) struct Payload<'a> {
    pub sent: PacketMeta,
    pub bytes: &'a [u8],
    /// The number of its TCP connection, if it comes from a stream; the flows have counted its
    /// segments.
    pub connection: Option<u64>,
    /// Bytes of the payload that were not captured.
    pub missing: u32,
    /// Number of fragments; 0 if it was not fragmented.
    pub fragments: u16,
    /// Whether two fragments overlap.
    pub overlap: bool,
    /// Where the payload can be read again.
    pub place: Option<ByteRange>,
}

/// A payload with its classification.
pub(super) struct PipelineStep<'a> {
    /// The frame that completed it, or showed it to be complete.
    pub frame: u64,
    pub said: Payload<'a>,
    pub heard: Classified,
}

impl Payload<'_> {
    /// Whether one frame has all of it.
    pub fn is_whole(&self) -> bool {
        self.connection.is_none() && self.fragments == 0
    }
}

/// From frames to messages: fragments and streams that are being reassembled.
pub(super) struct Reassembler {
    stack: Stack,
    streams: TcpReassembler<StreamState>,
    /// Messages that were incomplete when their connection was dropped.
    unfinished: u64,
    /// Number of gaps in streams whose messages are parsed.
    gaps: u64,
    /// The current frame.
    now: FrameTime,
    /// Payloads to be classified next, in the first pass.
    company: PayloadBatch,
    /// The results of the first pass, if they are still valid.
    memory: Option<PassLogReader>,
    /// Frames of link types that are not read, by LINKTYPE number.
    unread: BTreeMap<u16, u64>,
    /// 802.11 frames whose data is not read, by the reason.
    wireless: BTreeMap<Wireless, u64>,
}

/// The framing of a TCP connection's streams.
#[derive(Default)]
struct StreamState {
    /// Empty until a protocol recognises the beginning: most connections are of other protocols.
    cutter: Option<Box<Framer<FrameTime>>>,
}

impl ConnectionState for StreamState {
    fn weight(&self) -> usize {
        self.cutter.as_ref().map_or(0, |cutter| cutter.weight())
    }
}

/// A frame's number and time.
type FrameTime = (u64, i64);

impl Default for Reassembler {
    fn default() -> Self {
        Self {
            stack: Stack::without_copies(),
            streams: TcpReassembler::default(),
            unfinished: 0,
            gaps: 0,
            now: FrameTime::default(),
            company: PayloadBatch::default(),
            memory: None,
            unread: BTreeMap::new(),
            wireless: BTreeMap::new(),
        }
    }
}

impl Reassembler {
    /// A reassembler for the second pass, which takes the logged results instead of classifying
    /// again. Where the log skips frames, duplicates are not reported again: they brought no
    /// message.
    pub fn remembering(memory: Option<PassLogReader>) -> Self {
        let skips = memory.as_ref().is_some_and(PassLogReader::is_whole);
        let stack = if skips { Stack::new() } else { Stack::without_copies() };
        Self { stack, memory, ..Self::default() }
    }

    /// Number of gaps in TCP streams whose messages are parsed.
    pub fn gaps(&self) -> u64 {
        self.gaps
    }

    /// What was dropped or left out on the way, in words.
    pub fn complaints(&self) -> Vec<String> {
        let waiting = self.stack.waiting();
        let mut said = Vec::new();
        for (count, what) in [
            (waiting.crowded_out, "were dropped: too many waited for fragments"),
            (waiting.timed_out, "lack fragments that did not come within 30 seconds"),
            (waiting.open, "still lack fragments at the end"),
        ] {
            if count > 0 {
                said.push(format!("{count} fragmented packets {what}"));
            }
        }
        if self.stack.copies() > 0 {
            let count = self.stack.copies();
            said.push(format!("{count} packets were captured more than once: they count once"));
        }
        let counts = self.streams.counts();
        for (count, what) in [
            (counts.crowded_out, "TCP connections were forgotten: too many were open at once"),
            (self.unfinished, "messages in forgotten TCP connections were not whole yet"),
            (counts.unread, "TCP segments of forgotten connections were not read"),
            (counts.crowded, "gaps in TCP streams were given up: too much waited behind them"),
        ] {
            if count > 0 {
                said.push(format!("{count} {what}"));
            }
        }
        for (link, count) in &self.unread {
            said.push(format!("{count} frames are of link type {link}, which is not read"));
        }
        for (why, count) in &self.wireless {
            said.push(format!("{count} frames of 802.11 were skipped: {why}"));
        }
        said
    }

    /// Processes one frame: reassembles, classifies, and calls `each` with the results.
    pub fn step(
        &mut self,
        frame: &Frame<'_>,
        flows: &mut Flows,
        tally: &mut FrameCounts,
        round: ReadPass,
        mut each: impl FnMut(&Flows, &PipelineStep<'_>),
    ) {
        tally.packets += 1;
        let (number, time) = (frame.number, frame.time);
        self.now = (number, time);
        if self.memory.as_ref().is_some_and(|memory| memory.skips(number)) {
            return;
        }
        let Self { stack, streams, unfinished, now, unread, wireless, company, memory, gaps } =
            self;
        match stack.take(frame.link, frame.fcs, time, frame.bytes, frame.wire_length) {
            Packet::Datagram(datagram) => {
                tally.datagrams += 1;
                let Datagram { source, destination, payload, missing, origin } = datagram;
                let (transport, cut) = (Transport::Udp, missing > 0);
                let sent = PacketMeta { number, time, transport, source, destination, cut };
                let (place, fragments, overlap) = match origin {
                    Origin::InFrame { offset } => {
                        (frame.place.and_then(|p| p.part(offset, payload.len() as u32)), 0, false)
                    }
                    Origin::Joined { fragments, overlap } => (None, fragments, overlap),
                };
                let connection = None;
                let said = Payload {
                    sent,
                    bytes: payload,
                    connection,
                    missing,
                    fragments,
                    overlap,
                    place,
                };
                match round {
                    ReadPass::Again => reclassify(memory, flows, number, said, &mut each),
                    ReadPass::First | ReadPass::Ahead => company.add(number, &said),
                }
            }
            Packet::Segment(segment) => {
                tally.segments += 1;
                if round != ReadPass::Again {
                    let (source, destination) = (segment.source, segment.destination);
                    let transport = Transport::Tcp;
                    let sent =
                        PacketMeta { number, time, transport, source, destination, cut: false };
                    company.count(sent, segment.payload.len());
                }
                streams.take(time, &segment, &mut |talk, event| {
                    follow(talk, &event, *now, (unfinished, gaps), &mut |said| match round {
                        ReadPass::Again => reclassify(memory, flows, number, said, &mut each),
                        ReadPass::First | ReadPass::Ahead => company.add(number, &said),
                    });
                });
            }
            Packet::Error(error) => {
                if round != ReadPass::Again {
                    let (source, destination) = (error.source, error.destination);
                    let sent = PacketMeta {
                        number,
                        time,
                        transport: error.transport,
                        source,
                        destination,
                        cut: false,
                    };
                    company.observe_all(flows, &mut each);
                    flows.fail(sent, error.from, error.kind.to_string());
                }
            }
            Packet::Other(Other::UnknownLink(link)) => {
                *unread.entry(link).or_insert(0) += 1;
            }
            Packet::Other(Other::Wireless(why)) if why != Wireless::NoData => {
                *wireless.entry(why).or_insert(0) += 1;
            }
            Packet::Held | Packet::Copy | Packet::Other(_) => {}
        }
        if round == ReadPass::First || company.is_full() {
            company.observe_all(flows, each);
        }
    }

    /// At the end of the capture: the unfinished messages of streams are messages too.
    pub fn finish(
        &mut self,
        flows: &mut Flows,
        round: ReadPass,
        mut each: impl FnMut(&Flows, &PipelineStep<'_>),
    ) {
        let Self { streams, unfinished, now, company, memory, gaps, .. } = self;
        streams.finish(&mut |talk, event| {
            follow(talk, &event, *now, (unfinished, gaps), &mut |said| match round {
                ReadPass::Again => reclassify(memory, flows, now.0, said, &mut each),
                ReadPass::First | ReadPass::Ahead => company.add(now.0, &said),
            });
        });
        company.observe_all(flows, each);
    }
}

/// Calls `each` with a payload and its final classification: from the log, else from the flows.
fn reclassify(
    memory: &mut Option<PassLogReader>,
    flows: &mut Flows,
    frame: u64,
    said: Payload<'_>,
    each: &mut impl FnMut(&Flows, &PipelineStep<'_>),
) {
    let heard = match memory {
        // The flow of a payload that is no message is not needed.
        Some(memory) => memory.next_classified(frame, said.sent.number).unwrap_or_default(),
        None => flows.reclassify(said.sent, said.bytes),
    };
    each(flows, &PipelineStep { frame, said, heard });
}

/// Processes an event of a stream, up to the messages that it completes.
fn follow(
    talk: &mut StreamState,
    event: &StreamEvent<'_>,
    now: FrameTime,
    (unfinished, gaps): (&mut u64, &mut u64),
    say: &mut impl FnMut(Payload<'_>),
) {
    let (mut opener, mut called) = (event.source, event.destination);
    if !event.forward {
        std::mem::swap(&mut opener, &mut called);
    }
    let side = if event.forward { Side::Here } else { Side::There };
    let mut cut = |cutting: FramedMessage<'_, FrameTime>| {
        let (source, destination) = match cutting.side {
            Side::Here => (opener, called),
            Side::There => (called, opener),
        };
        let (number, time) = cutting.last;
        let (transport, cut) = (Transport::Tcp, cutting.missing > 0);
        let sent = PacketMeta { number, time, transport, source, destination, cut };
        let (payload, connection) = (cutting.bytes, Some(event.connection));
        let missing = u32::try_from(cutting.missing).unwrap_or(u32::MAX);
        let (fragments, overlap, place) = (0, false, None);
        say(Payload { sent, bytes: payload, connection, missing, fragments, overlap, place });
    };
    match event.what {
        DirectionEvent::Bytes { bytes, .. } => {
            if talk.cutter.is_none() && registry().frame(bytes).is_some() {
                talk.cutter = Some(Box::new(Framer::new(registry())));
            }
            if let Some(cutter) = &mut talk.cutter {
                cutter.push(side, bytes, now, &mut cut);
            }
        }
        DirectionEvent::Gap(lost) => {
            if let Some(cutter) = &mut talk.cutter {
                *gaps += 1;
                cutter.lose(side, u64::from(lost), now);
            }
        }
        // An incomplete message is dropped.
        DirectionEvent::End(StreamEnd::CrowdedOut) => {
            let cutter = talk.cutter.as_mut();
            *unfinished += u64::from(cutter.is_some_and(|cutter| cutter.forget(side)));
        }
        DirectionEvent::End(_) => {
            if let Some(cutter) = &mut talk.cutter {
                cutter.end(side, &mut cut);
            }
        }
    }
}
