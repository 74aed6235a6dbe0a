//! Completions of a word that is being typed.

use super::names::{self, Name, ValueType, names};
use super::parse::in_name;
use super::quote::quoted;
use super::tree::Op;

/// The completions at the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// Where the word begins that they would replace, in bytes; it ends at the cursor.
    pub from: usize,
    /// In the order of `docs/reference/filter-names.md`.
    pub all: Vec<Completion>,
}

/// One completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The whole word.
    pub text: String,
    /// The type: `number`.
    pub holds: String,
    /// What it means, in a line.
    pub means: String,
}

impl Completion {
    fn new(name: &Name, text: String) -> Self {
        Self { text, holds: name.holds.to_string(), means: name.meaning.to_string() }
    }
}

/// Completions for the word before `cursor`, a byte offset: names where a term begins, values where
/// a name with few values is compared.
pub fn complete(text: &str, cursor: usize) -> Completions {
    let before = text.get(..cursor).unwrap_or(text);
    let word_at = before.rfind(|c| !in_name(c)).map_or(0, |at| {
        at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    });
    let (mut from, mut word) = (word_at, before.get(word_at..).unwrap_or_default());
    let mut front = before.get(..word_at).unwrap_or_default();
    if let Some(without) = front.strip_suffix('"') {
        (from, front) = (word_at - 1, without);
        word = before.get(from..).unwrap_or_default();
    }
    let front = front.trim_end();
    if let Some(name) = compared(front) {
        let word = word.trim_start_matches('"');
        let choices = name.source.choices();
        let fitting = choices.iter().filter(|choice| begins(choice, word));
        let all = fitting.map(|choice| Completion::new(name, quoted(choice)));
        return Completions { from, all: all.collect() };
    }
    if !begins_a_term(front) || word.starts_with('"') {
        return Completions::default();
    }
    let all = names().filter(|name| begins(&name.name, word) || is_end(name, word));
    let all = all.map(|name| Completion::new(name, name.name.to_string()));
    Completions { from, all: all.collect() }
}

/// Whether a name begins with a word; quotes around a field's name are ignored.
fn begins(name: &str, word: &str) -> bool {
    let plain = name.replace('"', "");
    plain.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Whether a word is a prefix of a message's own name, without its protocol.
fn is_end(name: &Name, word: &str) -> bool {
    let own =
        name.name.split_once('.').filter(|_| name.kind == ValueType::Flag && !word.is_empty());
    own.is_some_and(|(_, own)| begins(own, word))
}

/// The name with few values that the text ends with a comparison of.
fn compared(front: &str) -> Option<&'static Name> {
    let (spelled, _) = Op::SPELLED.iter().find(|(spelled, _)| front.ends_with(spelled))?;
    let left = front.strip_suffix(spelled)?;
    let is_word = spelled.ends_with(in_name);
    if is_word && !left.ends_with(char::is_whitespace) {
        return None;
    }
    let left = left.trim_end();
    let name = left.rsplit(|c| !in_name(c)).next()?;
    names::find(name).filter(|name| matches!(name.kind, ValueType::Choice | ValueType::Rank))
}

/// Whether a term may begin after the text.
fn begins_a_term(front: &str) -> bool {
    let last = front.rsplit(|c: char| !in_name(c)).next().unwrap_or_default();
    front.is_empty()
        || front.ends_with(['(', '!', '&', '|'])
        || ["and", "or", "not"].contains(&last)
}
