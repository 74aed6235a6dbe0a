//! Requests that wait for their replies: a handful a flow, the oldest forgotten first.

use crate::proto::{Entry, Part};

/// How many requests of one flow may wait at once.
const OPEN: usize = 16;
/// How long a reply may take, in nanoseconds; what comes later answers nothing.
const PATIENCE: i64 = 30_000_000_000;

/// The requests of one flow that wait, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Requests {
    open: Vec<Open>,
}

/// A request that got an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Answered {
    pub entry: &'static Entry,
    /// What the request was called.
    pub name: &'static str,
    pub number: u64,
    /// How many datagrams have answered it, this one with them.
    replies: u16,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    entry: &'static Entry,
    name: &'static str,
    number: u64,
    time: i64,
    forward: bool,
    replies: u16,
}

impl Answered {
    /// Which part of the answer its datagram is, by its place; the only one is no part.
    pub fn part(&self) -> Option<Part> {
        (self.replies > 1).then_some(Part { reply: 0, index: self.replies, last: false })
    }
}

impl Open {
    fn is_answered(&self, entry: &Entry, time: i64, forward: bool) -> bool {
        self.forward != forward
            && self.entry.protocol == entry.protocol
            && entry.spec.answers.contains(&self.entry.spec.id)
            && time.saturating_sub(self.time) <= PATIENCE
    }
}

impl Requests {
    /// The request that a message of `entry` answers. A request that has its
    /// answer is kept until others need its place: a list comes in several datagrams.
    ///
    /// `name` is what the message is called by its content: where a reply is named as its request
    /// is, that one comes first.
    pub fn answered_by(
        &mut self,
        entry: &Entry,
        name: &str,
        time: i64,
        forward: bool,
    ) -> Option<Answered> {
        let waits = |open: &Open| open.is_answered(entry, time, forward);
        let new = |open: &Open| waits(open) && open.replies == 0;
        let named = self.open.iter().position(|o| new(o) && o.name == name);
        // The oldest that has no answer yet, for replies come in the order of their requests.
        let first = named.or_else(|| self.open.iter().position(new));
        let at = first.or_else(|| self.open.iter().rposition(waits))?;
        let open = self.open.get_mut(at)?;
        open.replies = open.replies.saturating_add(1);
        let Open { entry, name, number, replies, .. } = *open;
        Some(Answered { entry, name, number, replies })
    }

    /// Whether a request waits that a message of `entry` would answer.
    pub fn wait_for(&self, entry: &Entry, time: i64, forward: bool) -> bool {
        self.open.iter().any(|open| open.is_answered(entry, time, forward))
    }

    /// A message that others answer begins to wait.
    pub fn wait(
        &mut self,
        entry: &'static Entry,
        name: &'static str,
        number: u64,
        time: i64,
        forward: bool,
    ) {
        if self.open.len() == OPEN {
            let done = self.open.iter().position(|o| o.replies > 0);
            self.open.remove(done.unwrap_or(0));
        }
        self.open.push(Open { entry, name, number, time, forward, replies: 0 });
    }

    pub fn clear(&mut self) {
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::PROTOCOLS;

    fn entry(id: &str) -> &'static Entry {
        let mut all = PROTOCOLS.iter().flat_map(|p| p.messages);
        all.find(|e| e.spec.id == id).unwrap()
    }

    #[test]
    fn replies_find_their_requests() {
        let [info, status] = ["getinfo", "getstatus"].map(entry);
        let [info_reply, status_reply] = ["info-response", "status-response"].map(entry);
        let mut requests = Requests::default();
        let number = |answered: Option<Answered>| answered.map(|a| a.number);
        requests.wait(info, "getinfo", 1, 0, true);
        requests.wait(info, "getinfo", 2, 1, true);
        requests.wait(status, "getstatus", 3, 2, true);
        assert_eq!(number(requests.answered_by(status_reply, "", 3, false)), Some(3));
        assert_eq!(number(requests.answered_by(info_reply, "", 3, true)), None, "the wrong way");
        assert_eq!(number(requests.answered_by(info_reply, "", 4, false)), Some(1));
        assert_eq!(number(requests.answered_by(info_reply, "", 5, false)), Some(2));
        assert_eq!(
            number(requests.answered_by(info_reply, "", 6, false)),
            Some(2),
            "a second datagram"
        );
        assert_eq!(
            number(requests.answered_by(info_reply, "", PATIENCE + 2, false)),
            None,
            "too late"
        );
    }

    #[test]
    fn few_requests_wait_at_once() {
        let mut requests = Requests::default();
        for number in 0..100 {
            requests.wait(entry("getinfo"), "getinfo", number, 0, true);
        }
        let reply = entry("info-response");
        let answered = requests.answered_by(reply, "", 1, false);
        assert_eq!(answered.map(|a| a.number), Some(100 - OPEN as u64));
        assert_eq!(requests.open.len(), OPEN);
    }
}
