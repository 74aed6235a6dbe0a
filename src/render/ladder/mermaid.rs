//! A ladder as a Mermaid sequence diagram, which web pages render from text.

use std::fmt::Write as _;

use super::arrow::Arrow;
use super::lifelines::Lifelines;
use super::rows::Rows;
use crate::protocol::{MessageOutcome, Role};
use crate::text::{duration, escaped, fit};

/// How much of a message's text stands on its arrow, in columns.
const TEXT: usize = 60;

/// The diagram of all arrows; it lifelines in a newline.
pub fn mermaid(arrows: &[Arrow<'_>]) -> String {
    let lifelines = Lifelines::of(arrows.iter().copied());
    let mut out = String::from("sequenceDiagram\n");
    for (role, head) in lifelines.lifelines() {
        let head = head.map(|end| format!("<br/>{}", quoted(&end.to_string())));
        _ = writeln!(out, "    participant {} as {role}{}", letter(role), head.unwrap_or_default());
    }
    let mut rows = Rows::default();
    for arrow in arrows {
        if let Some(nanos) = rows.push(arrow.time) {
            _ = writeln!(out, "    Note over S,C: {}", duration(nanos));
        }
        let (from, to) = arrow.lifelines();
        let line =
            if arrow.outcome.is_some_and(|outcome| outcome.is_lost()) { "--x" } else { "->>" };
        _ = write!(out, "    {}{line}{}: {}", letter(from), letter(to), quoted(arrow.name));
        let mark = arrow.outcome.as_ref().map(MessageOutcome::words).unwrap_or_default();
        let others = lifelines.others(arrow);
        for text in [others.as_str(), mark, &fit(&escaped(arrow.text), TEXT)] {
            if !text.is_empty() {
                _ = write!(out, ", {}", quoted(text));
            }
        }
        out.push('\n');
    }
    out
}

fn letter(role: Role) -> char {
    match role {
        Role::Server => 'S',
        Role::Master => 'M',
        Role::Client => 'C',
    }
}

/// Escapes text for Mermaid: everything that may be syntax, HTML or a formula is written as its
/// character number, and so is the first letter of the word that lifelines a block.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (n, word) in escaped(text).split(' ').enumerate() {
        if n > 0 {
            out.push(' ');
        }
        let is_keyword = word.eq_ignore_ascii_case("end");
        for (at, c) in word.chars().enumerate() {
            let is_plain =
                c.is_alphanumeric() || matches!(c, '.' | ',' | ':' | '/' | '-' | '_' | '…');
            if is_plain && !(is_keyword && at == 0) {
                out.push(c);
            } else {
                _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out
}
