//! Datagrams that are due later, and a limit of lines.

use std::collections::BTreeMap;

use masters::DueReply;

/// The maximum number of datagrams that wait, and of their bytes.
const DATAGRAMS: usize = 1 << 16;
const BYTES: usize = 64 << 20;
/// The maximum number of lines in a second.
const LINES: u64 = 100;
const SECOND: i64 = 1_000_000_000;

/// Datagrams by the time at which they are due, those of one time in the order of their requests.
#[derive(Debug, Default)]
pub(super) struct PendingReplies {
    replies: BTreeMap<(i64, u64), DueReply>,
    next: u64,
    bytes: usize,
}

impl PendingReplies {
    /// Adds one; returns whether there was room for it.
    pub fn push(&mut self, due: i64, reply: DueReply) -> bool {
        let bytes = self.bytes + reply.bytes.len();
        if self.replies.len() >= DATAGRAMS || bytes > BYTES {
            return false;
        }
        self.bytes = bytes;
        self.replies.insert((due, self.next), reply);
        self.next += 1;
        true
    }

    /// When the next one is due.
    pub fn next_due(&self) -> Option<i64> {
        self.replies.keys().next().map(|(due, _)| *due)
    }

    /// Removes the next one if it is due.
    pub fn pop_due(&mut self, now: i64) -> Option<DueReply> {
        let first = self.replies.first_entry().filter(|first| first.key().0 <= now)?;
        let reply = first.remove();
        self.bytes -= reply.bytes.len();
        Some(reply)
    }
}

/// Limits lines for the operator: nobody can fill a terminal or a file with them.
#[derive(Debug, Default)]
pub(super) struct LineLimit {
    second: i64,
    lines: u64,
}

impl LineLimit {
    /// Whether one more line is written at `now`, and how many were left out in the second before.
    pub fn admits(&mut self, now: i64) -> (bool, u64) {
        let second = now / SECOND;
        let mut left_out = 0;
        if second != self.second {
            left_out = self.lines.saturating_sub(LINES);
            (self.second, self.lines) = (second, 0);
        }
        self.lines += 1;
        (self.lines <= LINES, left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(bytes: usize) -> DueReply {
        let recorded = "192.0.2.1:27950".parse().unwrap();
        let to = "127.0.0.1:4000".parse().unwrap();
        DueReply { recorded, local: [127, 0, 0, 1].into(), to, bytes: vec![0; bytes] }
    }

    #[test]
    fn replies_come_when_they_are_due_and_in_order() {
        let mut pending = PendingReplies::default();
        for (due, bytes) in [(20, 1), (10, 2), (10, 3), (30, 4)] {
            assert!(pending.push(due, reply(bytes)));
        }
        assert_eq!(pending.next_due(), Some(10));
        let due: Vec<_> = std::iter::from_fn(|| pending.pop_due(20)).collect();
        assert_eq!(due.iter().map(|reply| reply.bytes.len()).collect::<Vec<_>>(), [2, 3, 1]);
        assert_eq!((pending.next_due(), pending.bytes), (Some(30), 4));
    }

    #[test]
    fn no_more_waits_than_there_is_room_for() {
        let mut pending = PendingReplies::default();
        let admitted = (0..DATAGRAMS + 10).filter(|_| pending.push(0, reply(1))).count();
        assert_eq!(admitted, DATAGRAMS);
        let mut pending = PendingReplies::default();
        assert!(pending.push(0, reply(BYTES)) && !pending.push(0, reply(1)));
    }

    #[test]
    fn lines_are_limited_in_each_second() {
        let mut limit = LineLimit::default();
        let shown = (0..150).filter(|_| limit.admits(5).0).count();
        assert_eq!(shown, 100);
        assert_eq!(limit.admits(SECOND), (true, 50));
        assert_eq!(limit.admits(SECOND + 1), (true, 0));
    }
}
