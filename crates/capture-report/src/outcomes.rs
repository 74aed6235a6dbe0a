//! The outcomes of messages, by frame: which messages the page has is known when all were read.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use protocol::MessageOutcome;

/// Of how many frames the outcomes are kept, two bits for each.
const FRAMES: u64 = 1 << 26;
/// How many lost messages are kept, as flows keep ICMP errors.
const LOST: usize = 1 << 16;
/// How many frames share a word.
const OF_WORD: u64 = 32;

/// The last outcome of each frame.
#[derive(Default)]
pub(super) struct Outcomes {
    marks: Vec<u64>,
    /// The index of the error about each lost message.
    lost: HashMap<u64, usize, RandomState>,
    /// Each error once.
    errors: Vec<Box<str>>,
    left_out: u64,
}

const REFUSED: u64 = 1;
const NO_ANSWER: u64 = 2;
const IS_LOST: u64 = 3;

impl Outcomes {
    /// Adds the outcome of the message in a frame.
    pub fn add_outcome(&mut self, frame: u64, outcome: MessageOutcome<&str>) {
        let mark = match outcome {
            MessageOutcome::Refused => REFUSED,
            MessageOutcome::NoAnswer => NO_ANSWER,
            MessageOutcome::Lost(error) => {
                if self.lost.len() >= LOST && !self.lost.contains_key(&frame) {
                    self.left_out += 1;
                    return;
                }
                let known = self.errors.iter().position(|known| **known == *error);
                let at = known.unwrap_or(self.errors.len());
                if known.is_none() {
                    self.errors.push(error.into());
                }
                self.lost.insert(frame, at);
                IS_LOST
            }
        };
        if frame >= FRAMES {
            self.left_out += 1;
            return;
        }
        let (at, shift) = place(frame);
        if at >= self.marks.len() {
            self.marks.resize(at + 1, 0);
        }
        if let Some(word) = self.marks.get_mut(at) {
            *word = *word & !(3 << shift) | mark << shift;
        }
    }

    /// The outcome of the message in a frame, if one is known.
    pub fn of_frame(&self, frame: u64) -> Option<MessageOutcome<&str>> {
        let (at, shift) = place(frame);
        match self.marks.get(at)? >> shift & 3 {
            REFUSED => Some(MessageOutcome::Refused),
            NO_ANSWER => Some(MessageOutcome::NoAnswer),
            IS_LOST => Some(MessageOutcome::Lost(self.errors.get(*self.lost.get(&frame)?)?)),
            _ => None,
        }
    }

    /// How many outcomes were not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// The word of a frame, and where in the word its mark is.
fn place(frame: u64) -> (usize, u64) {
    let at = usize::try_from(frame / OF_WORD).unwrap_or(usize::MAX);
    (at, 2 * (frame % OF_WORD))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_outcome_of_a_frame_counts() {
        let mut all = Outcomes::default();
        let added = [
            (1, MessageOutcome::Refused),
            (31, MessageOutcome::NoAnswer),
            (32, MessageOutcome::Lost("port unreachable")),
            (9_000, MessageOutcome::Lost("host unreachable")),
            (9_001, MessageOutcome::Lost("port unreachable")),
            (1, MessageOutcome::NoAnswer),
            (FRAMES, MessageOutcome::Refused),
        ];
        for (frame, outcome) in added {
            all.add_outcome(frame, outcome);
        }
        let found = (0..10_000).filter_map(|frame| Some((frame, all.of_frame(frame)?)));
        let expected = [
            (1, MessageOutcome::NoAnswer),
            (31, MessageOutcome::NoAnswer),
            (32, MessageOutcome::Lost("port unreachable")),
            (9_000, MessageOutcome::Lost("host unreachable")),
            (9_001, MessageOutcome::Lost("port unreachable")),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert_eq!((all.errors.len(), all.left_out()), (2, 1));
        assert_eq!(all.of_frame(FRAMES), None);
    }

    #[test]
    fn outcomes_take_two_bits_a_frame() {
        let mut all = Outcomes::default();
        for frame in 0..1_000_000 {
            all.add_outcome(frame, MessageOutcome::NoAnswer);
        }
        assert_eq!((all.marks.len(), all.lost.len(), all.left_out()), (31_250, 0, 0));
        for frame in 0..LOST as u64 + 5 {
            all.add_outcome(frame, MessageOutcome::Lost("port unreachable"));
        }
        assert_eq!((all.lost.len(), all.errors.len(), all.left_out()), (LOST, 1, 5));
    }
}
