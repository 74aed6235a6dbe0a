//! One direction of a TCP connection: what has been handed on, and what waits for bytes in front.
//!
//! Sequence numbers wrap around. All arithmetic is on the distance from the next byte wanted, as a
//! signed number: before it lies what is old, behind it what waits.

use std::collections::VecDeque;

use super::Segment;
use super::streams::{Ending, What};

/// A segment farther than this from where the stream stands is of another connection: no window is
/// so wide.
const FAR: i64 = 1 << 26;

/// One direction.
#[derive(Default)]
pub(super) struct Half {
    /// The number of the first byte, and of the next one wanted; nothing until one is known.
    edge: Option<Edge>,
    /// Bytes behind the next one wanted, in order, without overlaps.
    waiting: VecDeque<Chunk>,
    /// What `waiting` weighs, in bytes.
    cost: usize,
    /// The number behind the last byte, once the sender has said so.
    fin: Option<u32>,
    /// How far the receiver has acknowledged, and had so before the segment at hand.
    acknowledged: Option<u32>,
    over: bool,
}

#[derive(Clone, Copy)]
struct Edge {
    first: u32,
    next: u32,
}

struct Chunk {
    at: u32,
    bytes: Vec<u8>,
    disputed: bool,
}

/// What a half has to say.
#[derive(Clone, Copy)]
pub(super) enum Piece<'a> {
    Told(What<'a>),
    /// So many bytes came again.
    Repeated(u32),
    /// Bytes that wait were claimed otherwise.
    Disputed,
}

impl Half {
    pub fn cost(&self) -> usize {
        self.cost
    }

    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Whether a segment opens, or belongs to, a later connection. What breaks one off may bear any
    /// number.
    pub fn is_another(&self, segment: &Segment<'_>) -> bool {
        let Some(edge) = self.edge else { return false };
        if segment.flags.syn {
            return segment.sequence.wrapping_add(1) != edge.first;
        }
        !segment.flags.rst && distance(edge.next, segment.sequence).abs() > FAR
    }

    /// Takes what the sender of this direction sent.
    pub fn take(&mut self, segment: &Segment<'_>, out: &mut impl FnMut(Piece<'_>)) {
        let at = segment.sequence.wrapping_add(u32::from(segment.flags.syn));
        if self.edge.is_none() && (segment.flags.syn || !segment.payload.is_empty()) {
            self.edge = Some(Edge { first: at, next: at });
        }
        if self.over || self.edge.is_none() {
            return;
        }
        self.add(at, segment.payload, out);
        if segment.flags.fin {
            let length = segment.payload.len() as u32;
            let end = at.wrapping_add(length).wrapping_add(segment.missing);
            self.fin.get_or_insert(end);
        }
        // What was acknowledged by now will not be sent again, and it was not in this segment.
        if let Some(acknowledged) = self.acknowledged {
            self.skip(acknowledged, out);
        }
        self.close_if_done(out);
    }

    /// Takes what the other side says it has. A capture may have got the acknowledgment before the
    /// bytes, so gaps are only given up with the next segment; at the end there is none.
    pub fn acknowledged(&mut self, number: u32, out: &mut impl FnMut(Piece<'_>)) {
        if self.over {
            return;
        }
        let edge = self.edge.get_or_insert(Edge { first: number, next: number });
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

    /// Gives up the first bytes that are missing.
    pub fn give_up_first(&mut self, out: &mut impl FnMut(Piece<'_>)) {
        if let Some(at) = self.waiting.front().map(|chunk| chunk.at) {
            self.lose_until(at, out);
            self.drain(out);
        }
    }

    /// Nothing more will come: what waits is told, and why it is over.
    pub fn end(&mut self, how: Ending, out: &mut impl FnMut(Piece<'_>)) {
        if self.over {
            return;
        }
        while !self.waiting.is_empty() {
            self.give_up_first(out);
        }
        if let Some(fin) = self.fin {
            self.lose_until(fin, out);
        }
        self.over = true;
        if self.edge.is_some() {
            out(Piece::Told(What::End(how)));
        }
    }

    /// Hands on bytes that are next, and keeps those that are not.
    fn add(&mut self, at: u32, payload: &[u8], out: &mut impl FnMut(Piece<'_>)) {
        let Some(edge) = &mut self.edge else { return };
        let ahead = distance(edge.next, at);
        let old = usize::try_from(-ahead).unwrap_or_default().min(payload.len());
        if old > 0 {
            out(Piece::Repeated(old as u32));
        }
        let fresh = payload.get(old..).unwrap_or_default();
        if fresh.is_empty() {
            return;
        }
        if ahead <= 0 && self.waiting.is_empty() {
            edge.next = edge.next.wrapping_add(fresh.len() as u32);
            return out(Piece::Told(What::Bytes { bytes: fresh, disputed: false }));
        }
        self.keep(at.wrapping_add(old as u32), fresh, out);
        self.drain(out);
    }

    /// Keeps the bytes that no chunk has; where one has them, it came first.
    fn keep(&mut self, mut at: u32, mut bytes: &[u8], out: &mut impl FnMut(Piece<'_>)) {
        let Some(edge) = self.edge else { return };
        let mut index = 0;
        let mut disputed = false;
        while !bytes.is_empty() {
            let Some(chunk) = self.waiting.get_mut(index) else {
                self.insert(index, at, bytes);
                break;
            };
            let to_chunk = distance(edge.next, chunk.at) - distance(edge.next, at);
            let free = usize::try_from(to_chunk).unwrap_or_default().min(bytes.len());
            if free > 0 {
                let (before, rest) = bytes.split_at(free);
                self.insert(index, at, before);
                (at, bytes) = (at.wrapping_add(free as u32), rest);
            } else {
                let into = usize::try_from(-to_chunk).unwrap_or_default();
                let has = chunk.bytes.get(into..).unwrap_or_default();
                let (same, rest) = bytes.split_at(has.len().min(bytes.len()));
                if !has.starts_with(same) {
                    (chunk.disputed, disputed) = (true, true);
                }
                if !same.is_empty() {
                    out(Piece::Repeated(same.len() as u32));
                }
                (at, bytes) = (at.wrapping_add(same.len() as u32), rest);
            }
            index += 1;
        }
        if disputed {
            out(Piece::Disputed);
        }
    }

    fn insert(&mut self, index: usize, at: u32, bytes: &[u8]) {
        let chunk = Chunk { at, bytes: bytes.to_vec(), disputed: false };
        self.cost += chunk.cost();
        self.waiting.insert(index, chunk);
    }

    /// Hands on what waits and is next.
    fn drain(&mut self, out: &mut impl FnMut(Piece<'_>)) {
        let Some(edge) = &mut self.edge else { return };
        while let Some(chunk) = self.waiting.pop_front_if(|chunk| chunk.at == edge.next) {
            self.cost -= chunk.cost();
            edge.next = edge.next.wrapping_add(chunk.bytes.len() as u32);
            out(Piece::Told(What::Bytes { bytes: &chunk.bytes, disputed: chunk.disputed }));
        }
    }

    /// Gives up everything missing that lies before `number`: whole holes, and where nothing waits
    /// behind it, what is acknowledged of the last.
    fn skip(&mut self, number: u32, out: &mut impl FnMut(Piece<'_>)) {
        let Some(next) = self.edge.map(|edge| edge.next) else { return };
        let number = match self.fin {
            Some(fin) if distance(fin, number) > 0 => fin,
            _ => number,
        };
        if distance(next, number) <= 0 {
            return;
        }
        while let Some(at) = self.waiting.front().map(|chunk| chunk.at) {
            if distance(at, number) < 0 {
                return;
            }
            self.lose_until(at, out);
            self.drain(out);
        }
        self.lose_until(number, out);
    }

    /// What lies between here and `number` is lost.
    fn lose_until(&mut self, number: u32, out: &mut impl FnMut(Piece<'_>)) {
        let Some(edge) = &mut self.edge else { return };
        let lost = u32::try_from(distance(edge.next, number)).unwrap_or_default();
        if lost > 0 {
            edge.next = number;
            out(Piece::Told(What::Gap(lost)));
        }
    }

    fn close_if_done(&mut self, out: &mut impl FnMut(Piece<'_>)) {
        let next = self.edge.map(|edge| edge.next);
        if next.is_some() && self.fin == next {
            self.waiting.clear();
            self.cost = 0;
            self.over = true;
            out(Piece::Told(What::End(Ending::Finished)));
        }
    }
}

impl Chunk {
    fn cost(&self) -> usize {
        size_of::<Self>() + self.bytes.len()
    }
}

/// How far `to` lies behind `from`; negative where it lies before.
fn distance(from: u32, to: u32) -> i64 {
    i64::from(to.wrapping_sub(from).cast_signed())
}
