//! The display filter for all screens, and the filter line.

use std::sync::Arc;

use tui_input::Input;

use super::action::Step;
use filter::{Completions, Filter, FilterError, MatchingRows, complete};

/// The messages that match a filter, among those tested so far, and the rows of tables that have
/// one of them.
pub struct ActiveFilter {
    pub filter: Filter,
    /// Their session indices; shared with work that reads them.
    found: Arc<Vec<u32>>,
    /// How many messages of the session have been tested.
    pub tested: usize,
    /// Rows of tables; nothing until all messages have been tested.
    pub rows: Option<Arc<MatchingRows>>,
    /// Whether messages are being tested.
    pub is_testing: bool,
}

/// A filter being typed.
#[derive(Debug, Clone, Default)]
pub struct FilterDraft {
    /// The error in it; `None` for an empty text.
    pub wrong: Option<FilterError>,
    /// The completions at the cursor.
    pub offered: Completions,
    /// The completion that Tab has inserted, and where it ends now.
    chosen: Option<(usize, usize)>,
}

impl ActiveFilter {
    /// No messages tested yet.
    pub fn new(filter: Filter) -> Self {
        Self { filter, found: Arc::default(), tested: 0, rows: None, is_testing: false }
    }

    /// How many messages match.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// How much of so many messages has been tested: `, 43% tested`; empty for all.
    pub fn progress(&self, messages: usize) -> String {
        let percent = (100 * self.tested).checked_div(messages).unwrap_or(100);
        if percent < 100 { format!(", {percent}% tested") } else { String::new() }
    }

    /// The session index of the message in a row.
    pub fn message_at(&self, row: usize) -> Option<usize> {
        self.found.get(row).map(|index| *index as usize)
    }

    /// The indices of matching messages, in order.
    pub fn messages(&self) -> &[u32] {
        &self.found
    }

    /// The same, for work in another thread.
    pub fn shared_messages(&self) -> Arc<Vec<u32>> {
        Arc::clone(&self.found)
    }

    /// The indices of matching messages after the first `gone`, in order.
    pub fn kept(&self, gone: usize) -> &[u32] {
        self.found.get(self.begin(gone)..).unwrap_or_default()
    }

    /// The row of the first matching message after the first `gone`.
    pub fn begin(&self, gone: usize) -> usize {
        self.found.partition_point(|found| (*found as usize) < gone)
    }

    /// The row of a message, or of the last match before it.
    pub fn row_at(&self, index: usize) -> usize {
        self.found.partition_point(|found| *found as usize <= index).saturating_sub(1)
    }

    /// The row of a message, if it matches.
    pub fn row_of(&self, index: usize) -> Option<usize> {
        self.found.binary_search(&u32::try_from(index).ok()?).ok()
    }

    /// Adds the matches among the messages up to `tested`.
    pub fn add_found(&mut self, found: Vec<u32>, tested: usize) {
        Arc::make_mut(&mut self.found).extend(found);
        self.tested = tested;
    }
}

impl FilterDraft {
    /// Errors and completions of a line at its cursor.
    pub fn new(input: &Input) -> Self {
        let text = input.value();
        let wrong = (!text.trim().is_empty()).then(|| Filter::parse(text).err()).flatten();
        let offered = complete(text, byte(text, input.cursor()));
        Self { wrong, offered, chosen: None }
    }

    /// Replaces the word at the cursor by the common prefix of the completions; if that adds
    /// nothing, by the next completion, or the previous one.
    pub fn complete(&mut self, input: &mut Input, step: Step) {
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
        let next = match (step, chosen) {
            (_, None) => 0,
            (Step::Forward, Some(now)) => (now + 1) % all.len().max(1),
            (Step::Back, Some(now)) => now.checked_sub(1).unwrap_or(all.len().saturating_sub(1)),
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
        *self = Self::new(input);
        if !adds {
            // Another Tab continues in the same list.
            self.offered = offered;
            self.chosen = Some((next, end));
        }
    }

    /// Which completion is inserted.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen.map(|(chosen, _)| chosen)
    }
}

/// The common prefix of all words, ignoring case; in the spelling of the first.
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

/// The byte offset of a character.
fn byte(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}
