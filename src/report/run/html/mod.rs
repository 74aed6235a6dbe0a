//! Conformance runs as one page that needs no other files and no network: the targets, why cases
//! could not be judged, failures, one line for every other case, and the cited sections of the
//! specification.

mod cases;
mod sources;
mod style;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Cause, Run};
use crate::text::escaped;
use cases::{CaseGroup, rows};
use sources::Sources;
use style::{SCRIPT, STYLE};

/// What the page is called.
const TITLE: &str = "fragshark conform";

/// The page of one run, or of several with the same cases side by side.
pub fn page(runs: &[Run]) -> String {
    let rows = rows(runs);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (TITLE) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (TITLE) }
                (head(runs))
                (filter())
                main {
                    (causes(runs))
                    @for group in CaseGroup::ALL {
                        (cases::section(runs, group, &rows))
                    }
                    (Sources::of(runs).section())
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// A table with a column per run and a row per known fact.
fn head(runs: &[Run]) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in runs.iter().flat_map(|run| run.head.rows()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let value = |run: &Run, name: &str| {
        let row = run.head.rows().into_iter().find(|(known, _)| *known == name);
        row.map(|(_, value)| shown(value)).unwrap_or_default()
    };
    html! {
        table.head {
            @for name in names {
                tr { th { (shown(name)) } @for run in runs { td { (value(run, name)) } } }
            }
            tr { th { "result" } @for run in runs { td.sum { (run.summary().line()) } } }
            @if runs.iter().any(|run| !run.notes.is_empty()) {
                tr {
                    th { "notes" }
                    @for run in runs {
                        td { @for note in &run.notes { p { (shown(note)) } } }
                    }
                }
            }
        }
    }
}

/// The filter of cases: CSS hides the others. Only the text search needs the script.
fn filter() -> Markup {
    html! {
        fieldset.filter {
            legend { "show" }
            label { input type="radio" name="show" id="show-all" checked; " all" }
            @for group in CaseGroup::ALL {
                label { input type="radio" name="show" id={ "show-" (group.word()) }; " " (group.word()) }
            }
            label.find hidden { "containing " input type="search" id="find"; }
        }
    }
}

/// The unmet preconditions of every run.
fn causes(runs: &[Run]) -> Markup {
    if runs.iter().all(|run| run.causes.is_empty()) {
        return html! {};
    }
    html! {
        section.causes {
            h2 { "Why cases could not be judged" }
            @for run in runs {
                @for cause in &run.causes { (one_cause(cause, (runs.len() > 1).then_some(run))) }
            }
        }
    }
}

fn one_cause(cause: &Cause, of: Option<&Run>) -> Markup {
    html! {
        article.cause {
            p.text {
                @if let Some(run) = of { (shown(&run.head.target)) ": " }
                (shown(&cause.line()))
            }
            @if !cause.dump.is_empty() { pre { (lines(&cause.dump)) } }
            details {
                summary { (shown(&cause.id)) ": the cases" }
                ul { @for id in &cause.cases { li { (shown(id)) } } }
            }
        }
    }
}

/// Text from the network with control characters escaped; maud escapes markup.
fn shown(text: &str) -> String {
    escaped(text).into_owned()
}

/// The same of several lines.
fn lines(text: &str) -> String {
    super::escaped_lines(text)
}
