//! Changes for people: the heads, then the cases by what changed, the worst first.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::{Changes, Lone, VerdictChange};
use crate::RunHead;
use render::Colour;
use text::{counted, escaped};

/// The maximum number of cases of one run alone that are named; JSON has all.
const NAMED: usize = 20;

pub(super) fn text_of(changes: &Changes, colour: Colour) -> String {
    let mut text = String::new();
    _ = writeln!(text, "before: {}", head(&changes.before));
    _ = writeln!(text, "after:  {}", head(&changes.after));
    for row in &changes.head {
        let (name, before, after) = (escaped(&row.name), value(&row.before), value(&row.after));
        _ = writeln!(text, "  {name}: {before} -> {after}");
    }
    for (heading, style, group) in [
        ("newly failing", AnsiColor::Red.on_default().bold(), &changes.newly_failing),
        ("newly blocked", AnsiColor::Yellow.on_default().bold(), &changes.newly_blocked),
        ("fixed", AnsiColor::Green.on_default().bold(), &changes.fixed),
        ("changed otherwise", Style::new().bold(), &changes.other),
    ] {
        changed(&mut text, colour.style(style), heading, group);
    }
    let bold = colour.style(Style::new().bold());
    lone(&mut text, bold, "only before", &changes.only_before);
    lone(&mut text, bold, "only after", &changes.only_after);
    _ = writeln!(text, "\n{bold}{}{bold:#}", sum(changes));
    text
}

/// `127.0.0.1:27950, dpmaster, fragshark 0.1.0, 2026-11-22T08:25:04Z`.
fn head(head: &RunHead) -> String {
    let version = format!("fragshark {}", head.version);
    let parts = [&head.target].into_iter().chain(&head.also).chain(&head.profile);
    let parts: Vec<_> = parts.chain([&version, &head.started]).map(|part| escaped(part)).collect();
    parts.join(", ")
}

fn value(text: &str) -> String {
    if text.is_empty() { "(none)".to_owned() } else { escaped(text).into_owned() }
}

fn changed(text: &mut String, style: Style, heading: &str, group: &[VerdictChange]) {
    if group.is_empty() {
        return;
    }
    _ = writeln!(text, "\n{style}{heading}{style:#}");
    for VerdictChange { id, before, after, text: why } in group {
        _ = writeln!(text, "  {}  {before} -> {after}", escaped(id));
        if !why.is_empty() {
            _ = writeln!(text, "      {}", escaped(why));
        }
    }
}

fn lone(text: &mut String, style: Style, heading: &str, cases: &[Lone]) {
    if cases.is_empty() {
        return;
    }
    _ = writeln!(text, "\n{style}{heading}{style:#}");
    for Lone { id, verdict } in cases.iter().take(NAMED) {
        _ = writeln!(text, "  {}  {verdict}", escaped(id));
    }
    if let more @ 1.. = cases.len().saturating_sub(NAMED) {
        _ = writeln!(text, "  and {more} more");
    }
}

/// `81 cases in both: 77 as before, 1 newly failing, 2 fixed; 3 only before`.
fn sum(changes: &Changes) -> String {
    let counts = [
        (changes.newly_failing.len(), "newly failing"),
        (changes.newly_blocked.len(), "newly blocked"),
        (changes.fixed.len(), "fixed"),
        (changes.other.len(), "changed otherwise"),
    ];
    let both = changes.same + counts.iter().map(|(count, _)| *count as u64).sum::<u64>();
    let mut sum = format!("{} in both: {} as before", counted(both, "case"), changes.same);
    for (count, what) in counts.into_iter().filter(|(count, _)| *count > 0) {
        _ = write!(sum, ", {count} {what}");
    }
    for (cases, what) in [(&changes.only_before, "before"), (&changes.only_after, "after")] {
        if !cases.is_empty() {
            _ = write!(sum, "; {} only {what}", cases.len());
        }
    }
    sum
}
