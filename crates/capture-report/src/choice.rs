//! Which messages the page has, if there is no space for all: first those of findings, then those of
//! exchanges that failed, then the first ones.

use std::collections::HashMap;

use serde_json::Value;

use super::kept_rows::TableRow;
use super::tables::{ReportTables, has_failed};

/// Why a message is on the page; the most useful first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Usefulness {
    /// It belongs to a finding.
    Finding,
    /// It belongs to an exchange that failed.
    Failed,
    Other,
}

impl Usefulness {
    /// The most useful first.
    pub const ALL: [Self; 3] = [Self::Finding, Self::Failed, Self::Other];
}

/// Chooses messages as they come.
pub(super) struct MessageChoice {
    /// The frames that are wanted before others, at most as many as there is space for.
    wanted: HashMap<u64, Usefulness>,
    limit: usize,
    taken: usize,
    /// How many wanted frames are still to come.
    awaited: usize,
    last: Option<u64>,
}

impl MessageChoice {
    /// The choice of at most so many messages.
    pub fn from_tables(tables: &ReportTables, limit: usize) -> Self {
        let frames = |rows: Vec<&TableRow>| -> Vec<u64> {
            rows.iter()
                .flat_map(|row| row.list("frames").iter().filter_map(Value::as_u64))
                .collect()
        };
        let found = frames(tables.rows("findings").iter().collect());
        let failed = frames(tables.rows("sessions").iter().filter(|row| has_failed(row)).collect());
        Self::new([(found, Usefulness::Finding), (failed, Usefulness::Failed)], limit)
    }

    fn new(frames: [(Vec<u64>, Usefulness); 2], limit: usize) -> Self {
        let mut wanted = HashMap::new();
        for (mut frames, usefulness) in frames {
            frames.sort_unstable();
            for frame in frames {
                if wanted.len() < limit {
                    wanted.entry(frame).or_insert(usefulness);
                }
            }
        }
        let awaited = wanted.len();
        Self { wanted, limit, taken: 0, awaited, last: None }
    }

    /// Whether no later message can be on the page.
    pub fn is_complete(&self) -> bool {
        self.awaited == 0 && self.taken >= self.limit
    }

    /// Whether the next message, of this frame, is on the page, and why; one that is not selected
    /// never is.
    pub fn choose_message(&mut self, frame: u64, is_selected: bool) -> Option<Usefulness> {
        let wanted = self.wanted.get(&frame).copied();
        let is_first = self.last != Some(frame);
        self.last = Some(frame);
        if wanted.is_some() && is_first {
            self.awaited = self.awaited.saturating_sub(1);
        }
        // Frames that are still to come keep their places.
        if !is_selected || self.taken + self.awaited >= self.limit {
            return None;
        }
        self.taken += 1;
        Some(wanted.unwrap_or(Usefulness::Other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_come_first_then_failures_then_the_first_messages() {
        use Usefulness::{Failed, Finding, Other};
        let choose = |limit| {
            let frames = [(vec![8, 3], Finding), (vec![3, 6], Failed)];
            let mut choice = MessageChoice::new(frames, limit);
            let taken = |frame| {
                let is_complete = choice.is_complete();
                let chosen = choice.choose_message(frame, true);
                assert!(!is_complete || chosen.is_none());
                Some((frame, chosen?))
            };
            (1..=9).filter_map(taken).collect::<Vec<_>>()
        };
        assert_eq!(choose(1), [(3, Finding)]);
        assert_eq!(choose(3), [(3, Finding), (6, Failed), (8, Finding)]);
        assert_eq!(choose(4), [(1, Other), (3, Finding), (6, Failed), (8, Finding)]);
        assert_eq!(choose(20).len(), 9);
        assert_eq!(choose(0), []);
    }

    #[test]
    fn what_is_not_selected_takes_no_place() {
        let frames = [(vec![1, 2, 3], Usefulness::Finding), (vec![], Usefulness::Failed)];
        let mut choice = MessageChoice::new(frames, 3);
        let taken = (1..=9).filter(|frame| choice.choose_message(*frame, *frame > 4).is_some());
        assert_eq!(taken.collect::<Vec<_>>(), [5, 6, 7]);
    }

    #[test]
    fn no_more_messages_are_read_than_the_page_can_have() {
        let read = |frames: [Vec<u64>; 2], limit| {
            let [found, failed] = frames;
            let mut choice = MessageChoice::new(
                [(found, Usefulness::Finding), (failed, Usefulness::Failed)],
                limit,
            );
            let next = |frame: &u64| {
                let is_complete = choice.is_complete();
                choice.choose_message(*frame, true);
                !is_complete
            };
            (1..=100_u64).take_while(next).count()
        };
        assert_eq!(read([vec![], vec![]], 0), 0);
        assert_eq!(read([vec![], vec![]], 7), 7);
        assert_eq!(read([vec![40], vec![2, 20]], 7), 40);
        assert_eq!(read([vec![40], vec![]], 1), 40);
        assert_eq!(read([vec![], vec![]], 200), 100);
    }

    #[test]
    fn frames_with_several_messages_do_not_exceed_the_limit() {
        let mut choice =
            MessageChoice::new([(vec![2], Usefulness::Finding), (vec![], Usefulness::Failed)], 3);
        let taken = [1, 1, 1, 2, 2, 3].map(|frame| choice.choose_message(frame, true).is_some());
        assert_eq!(taken, [true, true, false, true, false, false]);
    }
}
