//! A ladder as a Mermaid sequence diagram, which web pages render from text.

use std::fmt::Write as _;

use super::{Arrow, ArrowMark, Lifelines, Rows};
use crate::protocol::Role;
use crate::text::{duration, escaped, fit};

/// How much of a message's text stands on its arrow, in columns.
const TEXT: usize = 60;

/// The diagram of all arrows; it ends in a newline.
pub fn mermaid(rungs: &[Arrow<'_>]) -> String {
    let ends = Lifelines::of(rungs.iter().copied());
    let mut out = String::from("sequenceDiagram\n");
    for (party, head) in ends.lanes() {
        let head = head.map(|end| format!("<br/>{}", quoted(&end.to_string())));
        _ = writeln!(
            out,
            "    participant {} as {party}{}",
            letter(party),
            head.unwrap_or_default()
        );
    }
    let mut rows = Rows::default();
    for rung in rungs {
        if let Some(nanos) = rows.push(rung.time) {
            _ = writeln!(out, "    Note over S,C: {}", duration(nanos));
        }
        let (from, to) = rung.lanes();
        let arrow = if rung.mark.is_some_and(ArrowMark::is_lost) { "--x" } else { "->>" };
        _ = write!(out, "    {}{arrow}{}: {}", letter(from), letter(to), quoted(rung.name));
        let mark = rung.mark.map(ArrowMark::words).unwrap_or_default();
        let others = ends.others(rung);
        for text in [others.as_str(), mark, &fit(&escaped(rung.text), TEXT)] {
            if !text.is_empty() {
                _ = write!(out, ", {}", quoted(text));
            }
        }
        out.push('\n');
    }
    out
}

fn letter(party: Role) -> char {
    match party {
        Role::Server => 'S',
        Role::Master => 'M',
        Role::Client => 'C',
    }
}

/// Escapes text for Mermaid: everything that may be syntax, HTML or a formula is written as its
/// character number, and so is the first letter of the word that ends a block.
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
