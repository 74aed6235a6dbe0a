//! A ladder as a Mermaid sequence diagram, which web pages render from text.

use std::fmt::Write as _;

use super::arrow::Arrow;
use super::diagram::Diagram;
use super::rows::Rows;
use protocol::MessageOutcome;
use text::{duration, escaped, fit};

/// How much of a message's text stands on its arrow, in columns.
const TEXT: usize = 60;

/// The whole diagram, ending in a newline. Its participants are `P1`, `P2`, and so on.
pub(super) fn mermaid(diagram: &Diagram) -> String {
    let lifelines = diagram.lifelines();
    let mut out = String::from("sequenceDiagram\n");
    for (n, lifeline) in (0..lifelines.count()).filter_map(|at| Some((at + 1, lifelines.get(at)?)))
    {
        let (name, address) = (lifeline.name(), quoted(&lifeline.address()));
        _ = writeln!(out, "    participant P{n} as {name}<br/>{address}");
    }
    let everybody = match lifelines.count() {
        0 | 1 => "P1".to_owned(),
        n => format!("P1,P{n}"),
    };
    let mut rows = Rows::default();
    for arrow in diagram.arrows() {
        if let Some(nanos) = rows.pause(arrow.time) {
            _ = writeln!(out, "    Note over {everybody}: {}", duration(nanos));
        }
        if let [Some(from), Some(to)] = lifelines.ends(&arrow) {
            let line = if arrow.is_lost() { "--x" } else { "->>" };
            let text = text_of(&arrow, &diagram.others(&arrow));
            _ = writeln!(out, "    P{}{line}P{}: {text}", from + 1, to + 1);
        }
    }
    if let Some(note) = diagram.note() {
        _ = writeln!(out, "    Note over {everybody}: {}", quoted(&note));
    }
    out
}

/// The texts of an arrow, escaped.
fn text_of(arrow: &Arrow<'_>, others: &str) -> String {
    let outcome = arrow.outcome.as_ref().map(MessageOutcome::words).unwrap_or_default();
    let mut out = quoted(arrow.name);
    for text in [others, outcome, &fit(&escaped(arrow.text), TEXT)] {
        if !text.is_empty() {
            _ = write!(out, ", {}", quoted(text));
        }
    }
    out
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
