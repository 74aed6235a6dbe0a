//! Suggestions for mistyped names.

use super::FIELD;
use super::fields;
use super::names::{ValueType, names};

/// The suggested name: one with this ending, a field of this name, or the nearest.
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

/// The suggested field.
pub(super) fn field(wrote: &str) -> Option<String> {
    let fields = names().filter(|name| name.kind == ValueType::Field).map(|name| &*name.name);
    nearest(&format!("{FIELD}{wrote}"), fields).map(str::to_owned)
}

/// The word with the fewest edits, if they are few.
pub(super) fn nearest<'a>(wrote: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wrote = wrote.to_lowercase();
    let stem = wrote.strip_prefix(FIELD).unwrap_or(&wrote);
    if stem.is_empty() {
        return None;
    }
    text::nearest(&wrote, among, (stem.chars().count() / 3).max(1))
}
