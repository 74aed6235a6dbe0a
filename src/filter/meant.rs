//! What somebody meant who wrote something else.

use super::FIELD;
use super::fields;
use super::names::{ValueType, names};

/// Longer words are not looked up: nobody mistypes one so that we could tell.
const LONGEST: usize = 64;

/// The name that was meant: one that ends so, a field that is called so, or the nearest.
pub(super) fn name(wrote: &str) -> Option<String> {
    let is_end = |name: &str| {
        let rest = name.len().checked_sub(wrote.len()).and_then(|at| name.split_at_checked(at));
        rest.is_some_and(|(rest, end)| rest.ends_with('.') && end.eq_ignore_ascii_case(wrote))
    };
    let others = || names().filter(|name| name.kind != ValueType::Field).map(|name| &*name.name);
    if let Some(name) = others().find(|name| is_end(name)) {
        return Some(name.to_owned());
    }
    if fields::is_declared(wrote) {
        return Some(format!("{FIELD}{wrote}"));
    }
    nearest(wrote, others().chain(names().map(|name| &*name.name))).map(str::to_owned)
}

/// The field that was meant.
pub(super) fn field(wrote: &str) -> Option<String> {
    let fields = names().filter(|name| name.kind == ValueType::Field).map(|name| &*name.name);
    nearest(&format!("{FIELD}{wrote}"), fields).map(str::to_owned)
}

/// The word that takes the fewest changes, if they are few.
pub(super) fn nearest<'a>(wrote: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wrote.len() > LONGEST {
        return None;
    }
    let wrote = wrote.to_lowercase();
    let stem = wrote.strip_prefix(FIELD).unwrap_or(&wrote);
    let most = (stem.chars().count() / 3).max(1);
    let changes = |word: &str| strsim::osa_distance(&wrote, &word.to_lowercase());
    let near = among.map(|word| (changes(word), word)).filter(|(changes, _)| *changes <= most);
    near.min_by_key(|(changes, _)| *changes).map(|(_, word)| word)
}
