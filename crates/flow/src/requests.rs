//! Pending requests: a handful per flow, the oldest dropped first.
//!
//! Which of them a message answers is decided by what it brings back of its request. Only where it
//! brings nothing back, or nothing that is known, the order decides.

use super::PacketMeta;
use super::room::{allocated, make_room};
use protocol::{Entry, Identifier, MessageId, Part};

/// Maximum number of pending requests per flow, and where the memory of all flows is used up.
const OPEN: usize = 64;
const TIGHT: usize = 2;
/// Timeout for a reply, in nanoseconds; later ones answer nothing.
const TIMEOUT: i64 = 30_000_000_000;

/// How many messages a request may be; no command is shared by more protocols.
const POSSIBLE: usize = 4;

/// The messages that a request may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PossibleRequests([Option<MessageId>; POSSIBLE]);

impl PossibleRequests {
    /// The first few of these.
    pub fn from_messages(messages: impl IntoIterator<Item = MessageId>) -> Self {
        let mut messages = messages.into_iter();
        Self(std::array::from_fn(|_| messages.next()))
    }

    /// The first that `answers` has.
    fn matching(self, answers: &[MessageId]) -> Option<MessageId> {
        self.0.into_iter().flatten().find(|id| answers.contains(id))
    }
}

/// The pending requests of one flow, the oldest first.
#[derive(Debug, Default, Clone)]
pub(super) struct Requests {
    /// Usually there is one.
    open: Vec<PendingRequest>,
    /// Limits the number further.
    pub tight: bool,
    /// One was dropped while an answer to it was due.
    pub has_forgotten: bool,
}

/// A request with an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AnsweredRequest {
    pub id: MessageId,
    /// The name of the request.
    pub name: &'static str,
    pub number: u64,
    /// Number of datagrams of this kind that answered it, including this one.
    replies: u16,
}

/// A request as it is added.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewRequest {
    pub possible: PossibleRequests,
    /// Whether an answer has to come.
    pub is_due: bool,
    /// What its answers bring back, if it has any.
    pub identifier: Option<Identifier>,
    pub name: &'static str,
    /// The number of its frame.
    pub number: u64,
}

impl NewRequest {
    /// A request that was just sent.
    pub fn new(
        possible: PossibleRequests,
        entry: &Entry,
        name: &'static str,
        sent: PacketMeta,
        payload: &[u8],
    ) -> Self {
        let identifier = entry.spec.sends.filter(|_| !sent.cut).and_then(|sends| sends(payload));
        Self { possible, is_due: !entry.spec.one_way, identifier, name, number: sent.number }
    }
}

/// A message that may be an answer.
pub(super) struct PossibleAnswer<'a, N, I> {
    /// Its type, and the messages that it may answer.
    pub kind: MessageId,
    pub answers: &'a [MessageId],
    /// Of those, the ones that have an answer of their own, which it may replace.
    pub replaces: &'a [MessageId],
    /// Its name by its content: of several requests, one whose replies have that name is preferred.
    pub name: N,
    /// What it brings back of its request, if anything.
    pub identifier: I,
}

#[derive(Debug, Clone, Copy)]
struct PendingRequest {
    possible: PossibleRequests,
    name: &'static str,
    number: u64,
    time: i64,
    forward: bool,
    replies: u16,
    /// Whether an answer has to come.
    is_due: bool,
    /// What its answers bring back, if it has any.
    identifier: Option<Identifier>,
    /// The message type of the latest answer.
    kind: Option<MessageId>,
}

impl AnsweredRequest {
    /// Which part of the answer its datagram is, by its position; a single one is no part.
    pub fn part(&self) -> Option<Part> {
        (self.replies > 1).then_some(Part { reply: 0, index: self.replies, last: false })
    }
}

impl PendingRequest {
    /// Whether no answer is awaited any more. Without a time it is still awaited.
    fn is_late(&self, time: i64) -> bool {
        text::since(self.time, time).is_some_and(|waited| waited > TIMEOUT)
    }

    fn is_answered(&self, answers: &[MessageId], time: i64, forward: bool) -> bool {
        self.forward != forward && self.possible.matching(answers).is_some() && !self.is_late(time)
    }
}

impl Requests {
    /// The request that a message answers. An answered request is kept until its slot is needed: a
    /// list comes in several datagrams.
    pub fn answered_by(
        &mut self,
        answer: PossibleAnswer<
            '_,
            impl FnOnce() -> &'static str,
            impl FnOnce() -> Option<Identifier>,
        >,
        time: i64,
        forward: bool,
    ) -> Option<AnsweredRequest> {
        let PossibleAnswer { kind, answers, replaces, name, identifier } = answer;
        if answers.is_empty() {
            return None;
        }
        let mut waiting =
            (0..).zip(&self.open).filter(|(_, o)| o.is_answered(answers, time, forward));
        let (first, only) = waiting.next()?;
        let at = if waiting.next().is_some() {
            let all = || {
                let all = (0..).zip(&self.open);
                all.filter(|(_, open)| open.is_answered(answers, time, forward))
            };
            match identifier() {
                Some(identifier) => named(all, identifier).or_else(|| {
                    // Another request is named, which was not captured. Where none of these was
                    // answered yet, their answerer may have changed the name.
                    let may_be = move |(_, open): &(usize, &PendingRequest)| {
                        open.identifier.is_none() || open.replies == 0
                    };
                    by_order(|| all().filter(may_be), name(), replaces)
                })?,
                None => by_order(all, name(), replaces)?,
            }
        } else if only.replies > 0
            && let Some(sent) = only.identifier
            && identifier().is_some_and(|returned| returned != sent)
        {
            return None;
        } else {
            first
        };
        let open = self.open.get_mut(at)?;
        // Parts of one answer are of one kind: a refusal after a challenge is no second part.
        open.replies = if open.kind == Some(kind) { open.replies.saturating_add(1) } else { 1 };
        open.kind = Some(kind);
        let PendingRequest { possible, name, number, replies, .. } = *open;
        let id = possible.matching(answers)?;
        Some(AnsweredRequest { id, name, number, replies })
    }

    /// Whether a message would answer a pending request.
    pub fn are_answered_by(&self, answers: &[MessageId], time: i64, forward: bool) -> bool {
        !answers.is_empty() && self.open.iter().any(|open| open.is_answered(answers, time, forward))
    }

    /// Adds a pending request.
    pub fn add_request(&mut self, request: NewRequest, time: i64, forward: bool) {
        let late = |open: &&PendingRequest| open.is_late(time);
        match self.open.iter().take_while(late).count() {
            0 => {}
            late => _ = self.open.drain(..late),
        }
        let most = if self.tight { TIGHT } else { OPEN };
        if self.open.len() >= most {
            let done = self.open.iter().position(|o| o.replies > 0);
            let dropped = self.open.remove(done.unwrap_or(0));
            self.has_forgotten |= dropped.replies == 0 && dropped.is_due;
        }
        let NewRequest { possible, is_due, identifier, name, number } = request;
        let (replies, kind) = (0, None);
        if self.tight {
            self.open.reserve_exact(1);
        } else {
            make_room(&mut self.open);
        }
        self.open.push(PendingRequest {
            possible,
            name,
            number,
            time,
            forward,
            replies,
            is_due,
            identifier,
            kind,
        });
    }

    /// Reads its memory for prefetching, as [`FlowState::touch`](super::flow_state::FlowState::touch).
    pub fn touch(&self) -> u64 {
        self.open.iter().fold(0, |sum, open| sum ^ open.number)
    }

    /// Its heap size, in bytes.
    pub fn weigh(&self) -> usize {
        allocated(size_of::<PendingRequest>() * self.open.capacity())
    }

    pub fn clear(&mut self) {
        self.open.clear();
    }

    /// Frees their memory, after the last message.
    pub fn release(&mut self) {
        self.open = Vec::new();
    }
}

/// The request that sent what an answer brings back: the oldest without an answer, else the newest.
fn named<'a, I: Iterator<Item = (usize, &'a PendingRequest)>>(
    all: impl Fn() -> I,
    identifier: Identifier,
) -> Option<usize> {
    let equal = || all().filter(|(_, open)| open.identifier == Some(identifier));
    let unanswered = equal().find(|(_, open)| open.replies == 0);
    unanswered.or_else(|| equal().last()).map(|(at, _)| at)
}

/// The request that an answer belongs to by its order: the one with its name; else the oldest
/// without an answer that is due, because replies come in the order of their requests, and first one
/// whose own answer it is; else the newest, which most likely has more parts, or was refused although
/// nothing had to come back.
fn by_order<'a, I: Iterator<Item = (usize, &'a PendingRequest)>>(
    all: impl Fn() -> I,
    name: &'static str,
    replaces: &[MessageId],
) -> Option<usize> {
    let unanswered = || all().filter(|(_, open)| open.replies == 0);
    let of_name = unanswered().find(|(_, open)| open.name == name);
    let due = || unanswered().filter(|(_, open)| open.is_due);
    let own = || due().find(|(_, open)| open.possible.matching(replaces).is_none());
    let found = of_name.or_else(own).or_else(|| due().next());
    let found = found.or_else(|| unanswered().last()).or_else(|| all().last());
    found.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::registry;

    fn id(id: &str) -> MessageId {
        let entry = registry().entries().iter().find(|e| e.spec.id == id).unwrap();
        registry().id_of(entry).unwrap()
    }

    fn new(id: MessageId, number: u64, identifier: Option<u32>) -> NewRequest {
        let possible = PossibleRequests::from_messages([id]);
        let identifier = identifier.map(Identifier::from_number);
        NewRequest { possible, is_due: true, identifier, name: "", number }
    }

    fn answer(
        id: MessageId,
        identifier: Option<u32>,
    ) -> PossibleAnswer<'static, impl FnOnce() -> &'static str, impl FnOnce() -> Option<Identifier>>
    {
        let answers = Box::leak(Box::new([id]));
        let identifier = move || identifier.map(Identifier::from_number);
        PossibleAnswer { kind: id, answers, replaces: &[], name: || "-", identifier }
    }

    #[test]
    fn what_comes_back_decides_then_the_order() {
        let [info, _] = ["getinfo", "getstatus"].map(id);
        let asked = [(1, Some(10)), (2, Some(20)), (3, None), (4, Some(40))];
        let answered = |returned: &[Option<u32>]| {
            let mut requests = Requests::default();
            for (number, identifier) in asked {
                requests.add_request(new(info, number, identifier), 0, true);
            }
            let answers = returned.iter().map(|identifier| {
                requests.answered_by(answer(info, *identifier), 1, false).map(|to| to.number)
            });
            answers.collect::<Vec<_>>()
        };
        assert_eq!(answered(&[Some(40), Some(20), Some(10)]), [Some(4), Some(2), Some(1)]);
        assert_eq!(answered(&[Some(20), Some(20)]), [Some(2), Some(2)], "it came twice");
        assert_eq!(answered(&[None, None, Some(40)]), [Some(1), Some(2), Some(4)], "by order");
        let changed = [Some(99), Some(98), Some(97), Some(96), Some(95)];
        let all = [Some(1), Some(2), Some(3), Some(4), Some(3)];
        assert_eq!(answered(&changed), all, "a changed one, while nothing is known better");
        let mut requests = Requests::default();
        requests.add_request(new(info, 1, Some(10)), 0, true);
        let mut number =
            |back| requests.answered_by(answer(info, back), 1, false).map(|to| to.number);
        assert_eq!(number(Some(10)), Some(1));
        assert_eq!(number(Some(11)), None, "of a request that was not captured");
        assert_eq!(number(None), Some(1));
    }

    #[test]
    fn replies_find_their_requests() {
        let [info, status] = ["getinfo", "getstatus"].map(id);
        let mut requests = Requests::default();
        for (time, number, id) in [(0, 1, info), (1, 2, info), (2, 3, status)] {
            requests.add_request(new(id, number, None), time, true);
        }
        let mut answered = |to, time, forward| {
            requests.answered_by(answer(to, None), time, forward).map(|a| a.number)
        };
        assert_eq!(answered(status, 3, false), Some(3));
        assert_eq!(answered(info, 3, true), None, "the wrong way");
        assert_eq!(answered(info, 4, false), Some(1));
        assert_eq!(answered(info, 5, false), Some(2));
        assert_eq!(answered(info, 6, false), Some(2), "a second datagram");
        assert_eq!(answered(info, TIMEOUT + 2, false), None, "too late");
    }

    #[test]
    fn few_requests_wait_at_once() {
        let info = id("getinfo");
        for (tight, most) in [(false, OPEN), (true, 2)] {
            let mut requests = Requests { tight, ..Requests::default() };
            for number in 0..100 {
                requests.add_request(new(info, number, None), 0, true);
            }
            let answered = requests.answered_by(answer(info, None), 1, false);
            assert_eq!(answered.map(|a| a.number), Some(100 - most as u64));
            assert_eq!((requests.open.len(), requests.open.capacity()), (most, most));
        }
    }
}
