//! Finds the bytes of a message in the waiting frames.

use std::io::Write;
use std::net::SocketAddr;
use std::ops::Range;

use super::super::redact::address_of;
use super::{HeldFrame, Packets, Sum};
use analysis::CapturedMessage;
use net::{FragmentAt, PacketAt, Transport};

/// A part of a message within one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct MessagePart {
    /// The frame, by its index in the queue.
    pub held: usize,
    /// The offset of the part in the frame's payload.
    pub at: usize,
    /// Its offset in the message.
    from: usize,
    pub length: usize,
}

impl<W: Write> Packets<W> {
    /// The parts of a message in the waiting frames, all of them or none.
    pub(super) fn parts(&self, message: &CapturedMessage<'_>) -> Vec<MessagePart> {
        let CapturedMessage { header, payload } = message;
        if payload.is_empty() {
            return Vec::new();
        }
        match header.transport {
            Transport::Tcp => self.in_segments(message),
            Transport::Udp => {
                let Some(last) = self.held.iter().rposition(|h| h.number == header.number) else {
                    return Vec::new();
                };
                let whole = MessagePart { held: last, at: 0, from: 0, length: payload.len() };
                match self.held.get(last).and_then(HeldFrame::fragment) {
                    None if self.matches(whole, payload) => vec![whole],
                    None => Vec::new(),
                    Some(fragment) => self.in_fragments(last, fragment, payload),
                }
            }
        }
    }

    /// Whether the part of a message is found at this place.
    fn matches(&self, part: MessagePart, payload: &[u8]) -> bool {
        let MessagePart { held, at, from, length } = part;
        let carried = self.held.get(held).map(HeldFrame::carried).unwrap_or_default();
        let part = payload.get(from..from + length);
        part.is_some() && part == carried.get(at..at + length)
    }

    fn in_fragments(&self, last: usize, fragment: FragmentAt, payload: &[u8]) -> Vec<MessagePart> {
        // The length of the UDP header in the first fragment.
        const HEADER: usize = 8;
        let addresses = |held: &HeldFrame| {
            let packet = held.layout.carrier()?;
            let of = |range| held.bytes.get(range).map(<[u8]>::to_vec);
            Some((of(packet.source.clone())?, of(packet.destination.clone())?))
        };
        let ends = self.held.get(last).and_then(addresses);
        let mut found = Vec::new();
        let mut known = vec![false; payload.len()];
        for (at, held) in self.held.iter().enumerate().take(last + 1) {
            let Some(part) = held.fragment() else { continue };
            let same = (part.id, part.protocol) == (fragment.id, fragment.protocol);
            if !same || addresses(held) != ends {
                continue;
            }
            let from = (part.offset as usize).saturating_sub(HEADER);
            let length = held.payload_length().min(payload.len().saturating_sub(from));
            let part = MessagePart { held: at, at: 0, from, length };
            if self.matches(part, payload) {
                found.push(part);
                known.iter_mut().skip(from).take(length).for_each(|known| *known = true);
            }
        }
        if known.iter().all(|known| *known) { found } else { Vec::new() }
    }

    fn in_segments(&self, message: &CapturedMessage<'_>) -> Vec<MessagePart> {
        let ends = [message.header.source, message.header.destination];
        let mut segments: Vec<_> = self
            .held
            .iter()
            .enumerate()
            .filter(|(_, held)| held.waits && held.ends == Some(ends))
            .filter_map(|(at, held)| Some((at, held, held.layout.carrier()?.sequence?)))
            .collect();
        // Sequence numbers wrap around; those that wait are close to each other.
        let Some(first) = segments.first().map(|(_, _, sequence)| *sequence) else {
            return Vec::new();
        };
        segments.sort_by_key(|(_, _, sequence)| sequence.wrapping_sub(first).cast_signed());
        let mut run = SegmentRun::default();
        for (at, held, sequence) in segments {
            let behind = run.next.map_or(0, |next| next.wrapping_sub(sequence).cast_signed());
            if behind < 0 {
                let found = run.find(message.payload);
                if !found.is_empty() {
                    return found;
                }
                run = SegmentRun::default();
            }
            let repeated = usize::try_from(behind).unwrap_or(0);
            run.push(at, held, repeated, sequence);
        }
        run.find(message.payload)
    }

    /// Replaces the parts of a message in the frames that carry it.
    pub(super) fn replace(&mut self, parts: &[MessagePart], redacted: &[u8]) {
        for MessagePart { held, at, from, length } in parts {
            let target = self.held.get_mut(*held).map(|held| &mut held.redacted);
            let target = target.and_then(|redacted| redacted.get_mut(*at..at + length));
            if let (Some(target), Some(part)) = (target, redacted.get(*from..from + length)) {
                target.copy_from_slice(part);
            }
        }
        self.check_first_fragment(parts);
    }

    /// The checksum is in the first fragment, and covers the others.
    fn check_first_fragment(&mut self, parts: &[MessagePart]) {
        let mut beyond = Sum::default();
        let mut offsets = Vec::new();
        for held in parts.iter().filter_map(|part| self.held.get(part.held)) {
            let Some(fragment) = held.fragment() else { return };
            // A repeated fragment counts once.
            if fragment.offset > 0 && !offsets.contains(&fragment.offset) {
                offsets.push(fragment.offset);
                beyond = beyond.and(Sum::change(held.carried(), &held.redacted));
            }
        }
        for part in parts {
            let held = self.held.get_mut(part.held);
            if let Some(held) = held.filter(|h| h.fragment().is_some_and(|f| f.offset == 0)) {
                held.beyond = beyond;
            }
        }
    }
}

/// Segments that follow each other, and what they carry.
#[derive(Default)]
struct SegmentRun {
    bytes: Vec<u8>,
    /// The index in the queue, how many bytes were in other segments, how many were known before,
    /// and where the rest begins in `bytes`.
    segments: Vec<(usize, usize, usize, usize)>,
    next: Option<u32>,
}

impl SegmentRun {
    fn push(&mut self, at: usize, held: &HeldFrame, repeated: usize, sequence: u32) {
        let carried = held.carried();
        let Some(rest) = carried.get(repeated..).filter(|rest| !rest.is_empty()) else {
            return;
        };
        self.segments.push((at, repeated, held.decoded, self.bytes.len()));
        self.bytes.extend_from_slice(rest);
        self.next = Some(sequence.wrapping_add(carried.len() as u32));
    }

    /// The parts of a message in these segments that were not found before.
    fn find(&self, payload: &[u8]) -> Vec<MessagePart> {
        let mut found = memchr::memmem::find_iter(&self.bytes, payload);
        let parts = |begin: usize| {
            let end = begin + payload.len();
            let ends = self.segments.iter().skip(1).map(|(.., at)| *at).chain([self.bytes.len()]);
            let segments = self.segments.iter().zip(ends);
            let inside = segments.filter(move |((.., from), to)| *from < end && *to > begin);
            inside.map(move |((held, repeated, decoded, from), to)| {
                let (start, stop) = (begin.max(*from), end.min(to));
                let (at, length) = (start - from + repeated, stop - start);
                (MessagePart { held: *held, at, from: start - begin, length }, at >= *decoded)
            })
        };
        let begin = found.find(|begin| parts(*begin).all(|(_, is_new)| is_new));
        begin.map(|begin| parts(begin).map(|(part, _)| part).collect()).unwrap_or_default()
    }
}

impl HeldFrame {
    fn packet(&self) -> Option<&PacketAt> {
        self.layout.carrier()
    }

    pub(super) fn fragment(&self) -> Option<FragmentAt> {
        self.packet()?.fragment
    }

    /// The payload for the application.
    fn carried(&self) -> &[u8] {
        let range = self.packet().and_then(|packet| packet.transport_payload.clone());
        range.and_then(|range| self.bytes.get(range)).unwrap_or_default()
    }

    pub(super) fn payload_length(&self) -> usize {
        self.carried().len()
    }

    /// Source and destination of a segment.
    pub(super) fn segment_ends(&self) -> Option<[SocketAddr; 2]> {
        let packet = self.packet().filter(|packet| packet.sequence.is_some())?;
        let ip = |range: &Range<usize>| address_of(self.bytes.get(range.clone())?);
        let [a, b, c, d] = *self.bytes.get(packet.payload.clone())?.first_chunk()?;
        let source = SocketAddr::new(ip(&packet.source)?, u16::from_be_bytes([a, b]));
        let called = SocketAddr::new(ip(&packet.destination)?, u16::from_be_bytes([c, d]));
        Some([source, called])
    }
}
