//! Conformance runs as one page that needs no other files and no network: the targets, why cases
//! could not be judged, failures, one line for every other case, and the cited sections of the
//! specification.

mod cases;
mod sources;

use maud::{Markup, html};

use super::{Cause, Run};
use crate::html::{FilterBox, HtmlPage, facts, lines, shown};
use cases::{CaseGroup, rows};
use sources::Sources;

/// What the page is called.
const TITLE: &str = "fragshark conform";
/// The style beyond that of all pages.
const STYLE: &str = include_str!("run.css");

/// The page of one run, or of several with the same cases side by side.
pub fn page(runs: &[Run]) -> String {
    let rows = rows(runs);
    let body = html! {
        (head(runs))
        (filter())
        main {
            (causes(runs))
            @for group in CaseGroup::ALL {
                (cases::section(runs, group, &rows))
            }
            (Sources::from_runs(runs).section())
        }
    };
    HtmlPage { title: TITLE, under: html! {}, style: STYLE, body }.into_string()
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
        row.map(|(_, value)| html! { (shown(value)) }).unwrap_or_default()
    };
    let mut all: Vec<(&str, Vec<Markup>)> = Vec::new();
    for name in names {
        all.push((name, runs.iter().map(|run| value(run, name)).collect()));
    }
    let sums = runs.iter().map(|run| html! { strong { (run.summary().line()) } });
    all.push(("result", sums.collect()));
    if runs.iter().any(|run| !run.notes.is_empty()) {
        let notes = |run: &Run| html! { @for note in &run.notes { p { (shown(note)) } } };
        all.push(("notes", runs.iter().map(notes).collect()));
    }
    facts(all)
}

/// The filter of cases: CSS hides the others. Only the text search needs the script.
fn filter() -> Markup {
    let find = FilterBox { of: ".case", text: "", item: "case", choices: &[], marks: &[] };
    html! {
        fieldset.filter {
            legend { "show" }
            label { input type="radio" name="show" id="show-all" checked; " all" }
            @for group in CaseGroup::ALL {
                label { input type="radio" name="show" id={ "show-" (group.word()) }; " " (group.word()) }
            }
            (find.controls())
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
