//! Requests that wait for their replies: a handful a flow, the oldest forgotten first.

use smallvec::SmallVec;

use crate::protocol::Part;

/// How many requests of one flow may wait at once.
const OPEN: usize = 12;
/// How long a reply may take, in nanoseconds; what comes later answers nothing.
const PATIENCE: i64 = 30_000_000_000;

/// How many messages a request may be; no word has more owners.
const MEANT: usize = 4;

/// The places in `protocol::entries` of the messages that a request may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Places([u16; MEANT]);

impl Places {
    /// The first few of these.
    pub fn of(places: impl IntoIterator<Item = usize>) -> Self {
        let mut all = [u16::MAX; MEANT];
        for (slot, place) in all.iter_mut().zip(places) {
            *slot = place as u16;
        }
        Self(all)
    }

    /// The first that `answers` has.
    fn matching(self, answers: &[u16]) -> Option<u16> {
        self.0.into_iter().find(|place| answers.contains(place))
    }
}

/// The requests of one flow that wait, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// Most often there is one.
    open: SmallVec<[PendingRequest; 2]>,
    /// Only as many wait as need no room of their own.
    pub tight: bool,
}

/// A request that got an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AnsweredRequest {
    /// Its place in `protocol::entries`.
    pub place: u16,
    /// What the request was called.
    pub name: &'static str,
    pub number: u64,
    /// How many datagrams of its kind have answered it, this one with them.
    replies: u16,
}

#[derive(Debug, Clone, Copy)]
struct PendingRequest {
    places: Places,
    name: &'static str,
    number: u64,
    time: i64,
    forward: bool,
    replies: u16,
    /// What answered it last, by its place.
    kind: u16,
}

impl AnsweredRequest {
    /// Which part of the answer its datagram is, by its place; the only one is no part.
    pub fn part(&self) -> Option<Part> {
        (self.replies > 1).then_some(Part { reply: 0, index: self.replies, last: false })
    }
}

impl PendingRequest {
    fn is_answered(&self, answers: &[u16], time: i64, forward: bool) -> bool {
        self.forward != forward
            && self.places.matching(answers).is_some()
            && time.saturating_sub(self.time) <= PATIENCE
    }
}

impl Requests {
    /// The request that a message answers; `kind` is its place, `answers` are those that it may
    /// answer. A request that has its
    /// answer is kept until others need its place: a list comes in several datagrams.
    ///
    /// `name` is what the message is called by its content: where a reply is named as its request
    /// is, that one comes first.
    pub fn answered_by(
        &mut self,
        (kind, answers): (u16, &[u16]),
        name: &str,
        time: i64,
        forward: bool,
    ) -> Option<AnsweredRequest> {
        if answers.is_empty() {
            return None;
        }
        // The one of that name; else the oldest that has no answer yet, for replies come in the
        // order of their requests; else the newest, which has more to say.
        let (mut first, mut newest) = (None, None);
        for (at, open) in self.open.iter().enumerate() {
            if !open.is_answered(answers, time, forward) {
                continue;
            }
            newest = Some(at);
            if open.replies == 0 && open.name == name {
                first = newest;
                break;
            }
            if open.replies == 0 && first.is_none() {
                first = newest;
            }
        }
        let at = first.or(newest)?;
        let open = self.open.get_mut(at)?;
        // Parts of one answer are of one kind: a refusal behind a challenge is no second part.
        open.replies = if open.kind == kind { open.replies.saturating_add(1) } else { 1 };
        open.kind = kind;
        let PendingRequest { places, name, number, replies, .. } = *open;
        let place = places.matching(answers)?;
        Some(AnsweredRequest { place, name, number, replies })
    }

    /// Whether a request waits that a message would answer.
    pub fn wait_for(&self, answers: &[u16], time: i64, forward: bool) -> bool {
        !answers.is_empty() && self.open.iter().any(|open| open.is_answered(answers, time, forward))
    }

    /// A message that others answer begins to wait.
    pub fn wait(
        &mut self,
        places: Places,
        name: &'static str,
        number: u64,
        time: i64,
        forward: bool,
    ) {
        let late = |open: &&PendingRequest| time.saturating_sub(open.time) > PATIENCE;
        match self.open.iter().take_while(late).count() {
            0 => {}
            late => _ = self.open.drain(..late),
        }
        let most = if self.tight { self.open.inline_size() } else { OPEN };
        if self.open.len() >= most {
            let done = self.open.iter().position(|o| o.replies > 0);
            self.open.remove(done.unwrap_or(0));
        }
        self.open.push(PendingRequest { places, name, number, time, forward, replies: 0, kind: 0 });
    }

    /// Looks at its memory, as [`Talk::look`](super::talk::Talk::look).
    pub fn look(&self) -> u64 {
        self.open.iter().fold(0, |sum, open| sum ^ open.number)
    }

    /// How many bytes of memory it takes beside its own.
    pub fn weigh(&self) -> usize {
        if self.open.spilled() { size_of::<PendingRequest>() * self.open.capacity() } else { 0 }
    }

    pub fn clear(&mut self) {
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{PROTOCOLS, place_of};

    fn place(id: &str) -> u16 {
        let mut all = PROTOCOLS.iter().flat_map(|p| p.messages);
        place_of(all.find(|e| e.spec.id == id).unwrap()).unwrap().1 as u16
    }

    #[test]
    fn replies_find_their_requests() {
        let [info, status] = ["getinfo", "getstatus"].map(place);
        let mut requests = Requests::default();
        requests.wait(Places::of([info.into()]), "getinfo", 1, 0, true);
        requests.wait(Places::of([info.into()]), "getinfo", 2, 1, true);
        requests.wait(Places::of([status.into()]), "getstatus", 3, 2, true);
        let mut answered = |to: u16, time, forward| {
            requests.answered_by((1, &[to]), "", time, forward).map(|a| a.number)
        };
        assert_eq!(answered(status, 3, false), Some(3));
        assert_eq!(answered(info, 3, true), None, "the wrong way");
        assert_eq!(answered(info, 4, false), Some(1));
        assert_eq!(answered(info, 5, false), Some(2));
        assert_eq!(answered(info, 6, false), Some(2), "a second datagram");
        assert_eq!(answered(info, PATIENCE + 2, false), None, "too late");
    }

    #[test]
    fn few_requests_wait_at_once() {
        let info = place("getinfo");
        for (tight, most) in [(false, OPEN), (true, 2)] {
            let mut requests = Requests { tight, ..Requests::default() };
            for number in 0..100 {
                requests.wait(Places::of([info.into()]), "getinfo", number, 0, true);
            }
            let answered = requests.answered_by((1, &[info]), "", 1, false);
            assert_eq!(answered.map(|a| a.number), Some(100 - most as u64));
            assert_eq!((requests.open.len(), requests.weigh() == 0), (most, tight));
        }
    }
}
