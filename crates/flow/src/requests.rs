//! Pending requests: a handful per flow, the oldest dropped first.

use smallvec::SmallVec;

use protocol::{MessageId, Part};

/// Maximum number of pending requests per flow.
const OPEN: usize = 12;
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
    open: SmallVec<[PendingRequest; 2]>,
    /// Limits the number to what fits without an allocation.
    pub tight: bool,
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
    fn is_answered(&self, answers: &[MessageId], time: i64, forward: bool) -> bool {
        self.forward != forward
            && self.possible.matching(answers).is_some()
            && time.saturating_sub(self.time) <= TIMEOUT
    }
}

impl Requests {
    /// The request that a message answers; `kind` is its type, `answers` are the messages that it
    /// may answer. An answered request is kept until its slot is needed: a list
    /// comes in several datagrams.
    ///
    /// `name` gives the message's name by its content: of several requests, one whose replies have
    /// that name is preferred.
    pub fn answered_by(
        &mut self,
        (kind, answers): (MessageId, &[MessageId]),
        name: impl FnOnce() -> &'static str,
        time: i64,
        forward: bool,
    ) -> Option<AnsweredRequest> {
        if answers.is_empty() {
            return None;
        }
        let mut waiting =
            (0..).zip(&self.open).filter(|(_, o)| o.is_answered(answers, time, forward));
        let (first, _) = waiting.next()?;
        let at = if waiting.next().is_none() {
            first
        } else {
            // The one with that name; else the oldest without an answer that is due, because replies
            // come in the order of their requests; else the newest, which most likely has more parts,
            // or was refused although nothing had to come back.
            let name = name();
            let all = || {
                let all = (0..).zip(&self.open);
                all.filter(|(_, open)| open.is_answered(answers, time, forward))
            };
            let unanswered = || all().filter(|(_, open)| open.replies == 0);
            let of_name = unanswered().find(|(_, open)| open.name == name);
            let due = || unanswered().find(|(_, open)| open.is_due);
            of_name.or_else(due).or_else(|| unanswered().last()).or_else(|| all().last())?.0
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
    pub fn add_request(
        &mut self,
        (possible, is_due): (PossibleRequests, bool),
        name: &'static str,
        number: u64,
        time: i64,
        forward: bool,
    ) {
        let late = |open: &&PendingRequest| time.saturating_sub(open.time) > TIMEOUT;
        match self.open.iter().take_while(late).count() {
            0 => {}
            late => _ = self.open.drain(..late),
        }
        let most = if self.tight { self.open.inline_size() } else { OPEN };
        if self.open.len() >= most {
            let done = self.open.iter().position(|o| o.replies > 0);
            self.open.remove(done.unwrap_or(0));
        }
        self.open.push(PendingRequest {
            possible,
            name,
            number,
            time,
            forward,
            replies: 0,
            is_due,
            kind: None,
        });
    }

    /// Reads its memory for prefetching, as [`FlowState::touch`](super::flow_state::FlowState::touch).
    pub fn touch(&self) -> u64 {
        self.open.iter().fold(0, |sum, open| sum ^ open.number)
    }

    /// Its heap size, in bytes.
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
    use protocols::registry;

    fn id(id: &str) -> MessageId {
        let entry = registry().entries().iter().find(|e| e.spec.id == id).unwrap();
        registry().id_of(entry).unwrap()
    }

    #[test]
    fn replies_find_their_requests() {
        let [info, status] = ["getinfo", "getstatus"].map(id);
        let mut requests = Requests::default();
        requests.add_request(
            (PossibleRequests::from_messages([info]), true),
            "getinfo",
            1,
            0,
            true,
        );
        requests.add_request(
            (PossibleRequests::from_messages([info]), true),
            "getinfo",
            2,
            1,
            true,
        );
        requests.add_request(
            (PossibleRequests::from_messages([status]), true),
            "getstatus",
            3,
            2,
            true,
        );
        let mut answered = |to, time, forward| {
            requests.answered_by((to, &[to]), || "", time, forward).map(|a| a.number)
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
                requests.add_request(
                    (PossibleRequests::from_messages([info]), true),
                    "getinfo",
                    number,
                    0,
                    true,
                );
            }
            let answered = requests.answered_by((info, &[info]), || "", 1, false);
            assert_eq!(answered.map(|a| a.number), Some(100 - most as u64));
            assert_eq!((requests.open.len(), requests.weigh() == 0), (most, tight));
        }
    }
}
