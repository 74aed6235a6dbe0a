//! The filter that the list is shown through, and the line on which one is typed.

use tui_input::Input;

use super::action::Toggle;
use crate::filter::{Completions, Filter, FilterError, complete};

/// The messages that a filter means, as far as they have been looked at.
pub struct ActiveFilter {
    pub filter: Filter,
    /// Their places in the session.
    found: Vec<u32>,
    /// How many messages of the session have been looked at.
    pub looked_at: usize,
    /// The message that the cursor stands on, or stood on before, until its place is known.
    pub anchor: Option<usize>,
}

/// A filter that is being typed.
#[derive(Debug, Clone, Default)]
pub struct FilterDraft {
    /// What is wrong with it; nothing is wrong where nothing is written.
    pub wrong: Option<FilterError>,
    /// What the word at the cursor may become.
    pub offered: Completions,
    /// Which of them Tab has put there, and where they end now.
    chosen: Option<(usize, usize)>,
}

impl ActiveFilter {
    /// Nothing has been looked at yet; the cursor is to stay at message `anchor`.
    pub fn new(filter: Filter, anchor: Option<usize>) -> Self {
        Self { filter, found: Vec::new(), looked_at: 0, anchor }
    }

    /// How many messages are meant.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// The place in the session of the message in a row.
    pub fn place(&self, row: usize) -> Option<usize> {
        self.found.get(row).map(|place| *place as usize)
    }

    /// The places of the messages that are meant, in order.
    pub fn places(&self) -> &[u32] {
        &self.found
    }

    /// The row of the first message behind the first `gone`.
    pub fn begin(&self, gone: usize) -> usize {
        self.found.partition_point(|found| (*found as usize) < gone)
    }

    /// The row of a message, or of the last one before it.
    pub fn row_at(&self, place: usize) -> usize {
        self.found.partition_point(|found| *found as usize <= place).saturating_sub(1)
    }

    /// The row of a message, if it is meant.
    pub fn row_of(&self, place: usize) -> Option<usize> {
        self.found.binary_search(&u32::try_from(place).ok()?).ok()
    }

    /// Takes in which of the messages up to `looked_at` are meant.
    pub fn take(&mut self, found: Vec<u32>, looked_at: usize) {
        self.found.extend(found);
        self.looked_at = looked_at;
    }
}

impl FilterDraft {
    /// What is to be said of a line with its cursor where it is.
    pub fn of(input: &Input) -> Self {
        let text = input.value();
        let wrong = (!text.trim().is_empty()).then(|| Filter::parse(text).err()).flatten();
        let offered = complete(text, byte(text, input.cursor()));
        Self { wrong, offered, chosen: None }
    }

    /// Puts what the words on offer have in common in the place of the word at the cursor; where
    /// that adds nothing, the next of them, or the one before.
    pub fn complete(&mut self, input: &mut Input, turn: Toggle) {
        let (text, from) = (input.value().to_owned(), self.offered.from);
        let (to, chosen) = match self.chosen {
            Some((chosen, to)) => (to, Some(chosen)),
            None => (byte(&text, input.cursor()), None),
        };
        let (Some(front), Some(word), Some(behind)) =
            (text.get(..from), text.get(from..to), text.get(to..))
        else {
            return;
        };
        let all = &self.offered.all;
        let common = common(all.iter().map(|offered| offered.text.as_str()));
        let adds = chosen.is_none() && common.len() > word.len();
        let next = match (turn, chosen) {
            (_, None) => 0,
            (Toggle::Forward, Some(now)) => (now + 1) % all.len().max(1),
            (Toggle::Back, Some(now)) => now.checked_sub(1).unwrap_or(all.len().saturating_sub(1)),
        };
        let Some(put) = (if adds { Some(common) } else { all.get(next).map(|o| o.text.as_str()) })
        else {
            return;
        };
        let line = format!("{front}{put}{behind}");
        let cursor = front.chars().count() + put.chars().count();
        let end = from + put.len();
        *input = Input::new(line).with_cursor(cursor);
        let offered = self.offered.clone();
        *self = Self::of(input);
        if !adds {
            // Another Tab goes on in the same list.
            self.offered = offered;
            self.chosen = Some((next, end));
        }
    }

    /// Which of the words on offer stands in the line.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen.map(|(chosen, _)| chosen)
    }
}

/// What all words begin with, without case; as the first has it.
fn common<'a>(mut all: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = all.next() else {
        return "";
    };
    let shared = |word: &str| {
        let same = first.char_indices().zip(word.chars());
        let mut same = same.skip_while(|((_, a), b)| a.eq_ignore_ascii_case(b));
        same.next().map_or(first.len().min(word.len()), |((at, _), _)| at)
    };
    let len = all.map(shared).min().unwrap_or(first.len());
    first.get(..len).unwrap_or(first)
}

/// Where a character begins, in bytes.
fn byte(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}
