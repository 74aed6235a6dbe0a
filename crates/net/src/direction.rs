//! One direction of a TCP connection: how far it was passed on, and the segments that wait for
//! missing bytes before them.
//!
//! Sequence numbers wrap around; positions, counted from the first known byte, do not. A sequence
//! number becomes a position by its distance from the next expected byte, as a signed number: lower
//! ones are old, higher ones wait, in order of their position. So a segment finds its neighbours in
//! logarithmic time, however many wait.

use std::collections::BTreeMap;

use super::Segment;
use super::stream_event::{DirectionEvent, StreamEnd};

/// A segment farther than this from the current position belongs to another connection: no window
/// is so wide.
const FAR: i64 = 1 << 26;

/// Approximate overhead of an allocation, in bytes.
const ALLOCATION: usize = 16;

/// One direction.
#[derive(Default)]
pub(super) struct TcpDirection {
    /// The sequence numbers of the first byte and of the next expected one; nothing until one is
    /// known.
    edge: Option<Edge>,
    /// Bytes after the next expected one, by their positions, without overlaps.
    waiting: BTreeMap<i64, Vec<u8>>,
    /// The size of `waiting`, in bytes.
    cost: usize,
    /// The sequence number after the last byte, once a FIN was seen.
    fin: Option<u32>,
    /// The receiver's acknowledgment number, and the one before the current segment.
    acknowledged: Option<u32>,
    over: bool,
}

#[derive(Clone, Copy)]
struct Edge {
    first: u32,
    next: u32,
    /// The position of `next`, counted from `first`.
    position: i64,
}

impl TcpDirection {
    pub fn cost(&self) -> usize {
        self.cost
    }

    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Whether a segment opens, or belongs to, a later connection. A RST may have any sequence
    /// number.
    pub fn is_another(&self, segment: &Segment<'_>) -> bool {
        let Some(edge) = self.edge else { return false };
        if segment.flags.syn {
            return segment.sequence.wrapping_add(1) != edge.first;
        }
        !segment.flags.rst && distance(edge.next, segment.sequence).abs() > FAR
    }

    /// Processes a segment in this direction.
    pub fn add_segment(&mut self, segment: &Segment<'_>, out: &mut impl FnMut(DirectionEvent<'_>)) {
        let at = segment.sequence.wrapping_add(u32::from(segment.flags.syn));
        if self.edge.is_none() && (segment.flags.syn || !segment.payload.is_empty()) {
            self.edge = Some(Edge::new(at));
        }
        if self.over || self.edge.is_none() {
            return;
        }
        self.add_bytes(at, segment.payload, out);
        let cut = at.wrapping_add(segment.payload.len() as u32);
        self.lose_cut(cut, segment.missing, out);
        if segment.flags.fin {
            let end = cut.wrapping_add(segment.missing);
            self.fin.get_or_insert(end);
        }
        // What was acknowledged before will not be sent again, and it was not in this segment.
        if let Some(acknowledged) = self.acknowledged {
            self.skip(acknowledged, out);
        }
        self.close_if_done(out);
    }

    /// Processes an acknowledgment number from the other side. The acknowledgment may be captured
    /// before the bytes, so gaps are only given up with the next segment; at the end there is none.
    pub fn acknowledged(&mut self, number: u32, out: &mut impl FnMut(DirectionEvent<'_>)) {
        if self.over {
            return;
        }
        let edge = self.edge.get_or_insert(Edge::new(number));
        let ahead = distance(edge.next, number);
        if ahead > FAR {
            return;
        }
        if let Some(before) = self.acknowledged {
            self.skip(before, out);
        }
        if self.fin.is_some_and(|fin| distance(fin, number) > 0) {
            self.skip(number, out);
        }
        if self.acknowledged.is_none_or(|before| distance(before, number) > 0) {
            self.acknowledged = Some(number);
        }
        self.close_if_done(out);
    }

    /// Gives up the first gap.
    pub fn give_up_first(&mut self, out: &mut impl FnMut(DirectionEvent<'_>)) {
        if let Some(at) = self.first_waiting() {
            self.lose_until(at, out);
            self.drain(out);
        }
    }

    /// Ends the direction: passes on what waits, and the reason for the end.
    pub fn end(&mut self, how: StreamEnd, out: &mut impl FnMut(DirectionEvent<'_>)) {
        if self.over {
            return;
        }
        if how == StreamEnd::Evicted {
            self.waiting.clear();
        }
        while !self.waiting.is_empty() {
            self.give_up_first(out);
        }
        if let (Some(fin), Some(edge), true) = (self.fin, self.edge, how != StreamEnd::Evicted) {
            self.lose_until(edge.position_of(fin), out);
        }
        self.over = true;
        self.cost = 0;
        if self.edge.is_some() {
            out(DirectionEvent::End(how));
        }
    }

    /// Passes on bytes that are next, and keeps those that are not.
    fn add_bytes(&mut self, at: u32, payload: &[u8], out: &mut impl FnMut(DirectionEvent<'_>)) {
        let Some(edge) = &mut self.edge else { return };
        let ahead = distance(edge.next, at);
        let old = usize::try_from(-ahead).unwrap_or_default().min(payload.len());
        let fresh = payload.get(old..).unwrap_or_default();
        if fresh.is_empty() {
            return;
        }
        if ahead <= 0 && self.waiting.is_empty() {
            edge.advance(fresh.len());
            return out(DirectionEvent::Bytes(fresh));
        }
        let at = edge.position_of(at) + old.cast_signed() as i64;
        self.keep(at, fresh);
        self.drain(out);
    }

    /// Keeps the bytes that no chunk has; where chunks overlap, the first is kept.
    fn keep(&mut self, mut at: i64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let has = self.claims(at);
            if has > 0 {
                let same = has.min(bytes.len());
                (at, bytes) =
                    (at + same.cast_signed() as i64, bytes.get(same..).unwrap_or_default());
                continue;
            }
            let next = self.waiting.range(at..).next().map_or(i64::MAX, |(next, _)| *next);
            let free = usize::try_from(next - at).unwrap_or(usize::MAX).min(bytes.len());
            let (before, rest) = bytes.split_at(free);
            self.cost += cost(before);
            self.waiting.insert(at, before.to_vec());
            (at, bytes) = (at + free.cast_signed() as i64, rest);
        }
    }

    /// How many bytes wait from this position on, without a gap.
    fn claims(&self, at: i64) -> usize {
        let before = self.waiting.range(..=at).next_back();
        let behind = before.map(|(start, chunk)| start + chunk.len().cast_signed() as i64 - at);
        behind.map_or(0, |behind| usize::try_from(behind).unwrap_or_default())
    }

    /// The position of the first waiting byte.
    fn first_waiting(&self) -> Option<i64> {
        self.waiting.first_key_value().map(|(at, _)| *at)
    }

    /// Passes on waiting bytes that are next.
    fn drain(&mut self, out: &mut impl FnMut(DirectionEvent<'_>)) {
        let Some(edge) = &mut self.edge else { return };
        while let Some(first) = self.waiting.first_entry()
            && *first.key() == edge.position
        {
            let chunk = first.remove();
            self.cost -= cost(&chunk);
            edge.advance(chunk.len());
            out(DirectionEvent::Bytes(&chunk));
        }
    }

    /// Gives up everything missing before `number`: whole gaps, and if nothing waits after the last
    /// one, its acknowledged part.
    fn skip(&mut self, number: u32, out: &mut impl FnMut(DirectionEvent<'_>)) {
        let Some(edge) = self.edge else { return };
        let end = self.fin.map_or(i64::MAX, |fin| edge.position_of(fin));
        let number = edge.position_of(number).min(end);
        if number <= edge.position {
            return;
        }
        while let Some(at) = self.first_waiting() {
            if at > number {
                return;
            }
            self.lose_until(at, out);
            self.drain(out);
        }
        self.lose_until(number, out);
    }

    /// Gives up this many bytes from `number` on, which the snap length removed from a segment: it
    /// would remove them from a retransmission too. Not if earlier bytes are missing as well.
    fn lose_cut(&mut self, number: u32, missing: u32, out: &mut impl FnMut(DirectionEvent<'_>)) {
        let Some(edge) = self.edge.filter(|edge| edge.next == number && missing > 0) else {
            return;
        };
        let behind = edge.position + i64::from(missing);
        self.lose_until(self.first_waiting().map_or(behind, |at| at.min(behind)), out);
        self.drain(out);
    }

    /// Everything from here to a position is lost.
    fn lose_until(&mut self, position: i64, out: &mut impl FnMut(DirectionEvent<'_>)) {
        let Some(edge) = &mut self.edge else { return };
        let lost = u32::try_from(position - edge.position).unwrap_or_default();
        if lost > 0 {
            edge.advance(lost as usize);
            out(DirectionEvent::Gap(lost));
        }
    }

    fn close_if_done(&mut self, out: &mut impl FnMut(DirectionEvent<'_>)) {
        let next = self.edge.map(|edge| edge.next);
        if next.is_some() && self.fin == next {
            self.waiting.clear();
            self.cost = 0;
            self.over = true;
            out(DirectionEvent::End(StreamEnd::Finished));
        }
    }
}

impl Edge {
    fn new(number: u32) -> Self {
        Self { first: number, next: number, position: 0 }
    }

    /// The position of a sequence number.
    fn position_of(self, number: u32) -> i64 {
        self.position + distance(self.next, number)
    }

    fn advance(&mut self, bytes: usize) {
        self.next = self.next.wrapping_add(bytes as u32);
        self.position += bytes.cast_signed() as i64;
    }
}

/// The size of waiting bytes with their entry, in bytes.
fn cost(chunk: &[u8]) -> usize {
    size_of::<(i64, Vec<u8>)>() + ALLOCATION + chunk.len()
}

/// The distance from `from` to `to`; negative if `to` comes first.
fn distance(from: u32, to: u32) -> i64 {
    i64::from(to.wrapping_sub(from).cast_signed())
}
