//! A run of conformance as one page that needs nothing beside itself: a matrix of cases and targets,
//! and for each case what it is, how it went, and what was said.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::tried::{Tried, Wire};
use super::{Entry as _, Mark, Verdict};
use crate::dump::escaped;

/// All cases that were tried against one target, in the same order for each.
#[derive(Debug, Clone)]
pub struct Column {
    /// The target, as it was asked for.
    pub target: String,
    pub tried: Vec<Tried>,
}

/// The page.
pub fn page(title: &str, columns: &[Column]) -> String {
    let cases = columns.first().map_or(&[][..], |column| &column.tried);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (shown(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (shown(title)) }
                (summary(columns))
                (matrix(columns, cases))
                @for (number, case) in cases.iter().enumerate() {
                    (one(columns, number, case))
                }
            }
        }
    };
    page.into_string()
}

/// How many of each verdict every target has.
fn summary(columns: &[Column]) -> Markup {
    html! {
        table.summary {
            @for column in columns {
                tr {
                    th { (shown(&column.target)) }
                    td { (counted(&column.tried)) }
                }
            }
        }
    }
}

fn counted(tried: &[Tried]) -> String {
    let mut counts: BTreeMap<Mark, u64> = BTreeMap::new();
    for one in tried {
        *counts.entry(one.line().mark).or_default() += 1;
    }
    let parts: Vec<_> = counts.iter().map(|(mark, n)| mark.counted(*n)).collect();
    let s = if tried.len() == 1 { "" } else { "s" };
    format!("{} case{s}: {}", tried.len(), parts.join(", "))
}

/// A row a case, a column a target.
fn matrix(columns: &[Column], cases: &[Tried]) -> Markup {
    html! {
        table.matrix {
            thead {
                tr {
                    th { "case" }
                    @for column in columns { th { (shown(&column.target)) } }
                }
            }
            tbody {
                @for (number, case) in cases.iter().enumerate() {
                    tr {
                        td { a href={ "#case-" (number) } { (shown(&case.id)) } }
                        @for column in columns {
                            @if let Some(tried) = column.tried.get(number) { (verdict(tried)) }
                        }
                    }
                }
            }
        }
    }
}

fn verdict(tried: &Tried) -> Markup {
    let word = tried.line().mark.word();
    html! { td class=(word) title=(shown(&tried.text)) { (word) } }
}

/// One case, with how it went at each target.
fn one(columns: &[Column], number: usize, case: &Tried) -> Markup {
    html! {
        section id={ "case-" (number) } {
            h2 { (shown(&case.id)) }
            p { (shown(&case.title)) }
            p.requires { (case.level) ": " (shown(&case.requires)) " " cite { (shown(&case.citation)) } }
            @for column in columns {
                @if let Some(tried) = column.tried.get(number) { (went(column, tried)) }
            }
        }
    }
}

fn went(column: &Column, tried: &Tried) -> Markup {
    let word = tried.line().mark.word();
    let bad = matches!(tried.verdict, Verdict::Fail | Verdict::Warn | Verdict::Error);
    html! {
        div.went {
            p {
                span.verdict.(word) { (word) } " "
                (shown(&column.target)) ", " (tried.milliseconds) " ms"
            }
            @if !tried.text.is_empty() { p.text { (shown(&tried.text)) } }
            @if !tried.dump.is_empty() { pre.fault { (lines(&tried.dump)) } }
            @if !tried.wire.is_empty() {
                details open[bad] {
                    summary { (said(tried)) }
                    @for wire in &tried.wire { (datagram(wire)) }
                }
            }
        }
    }
}

fn said(tried: &Tried) -> String {
    let shown = tried.wire.len();
    match tried.left_out {
        0 => format!("{shown} datagrams"),
        more => format!("{shown} datagrams, and {more} more that are not shown"),
    }
}

fn datagram(wire: &Wire) -> Markup {
    html! {
        details.wire.fault[wire.at_fault] open[wire.at_fault] {
            summary { span.time { (shown(&wire.time)) } " " (shown(&wire.ends)) ": " (shown(&wire.what)) }
            pre { (lines(&wire.dump)) }
        }
    }
}

/// Text from the net, with nothing in it that a browser would obey; maud escapes what is markup.
fn shown(text: &str) -> String {
    escaped(text).into_owned()
}

/// The same of several lines.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escaped).collect();
    lines.join("\n")
}

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .3rem; }
h2, .matrix a, pre { font-family: ui-monospace, monospace; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border: 1px solid #8886; padding: .15rem .6rem; text-align: left; }
pre { background: #8881; overflow-x: auto; padding: .5rem; font-size: 12px; line-height: 1.3; }
p { margin: .3rem 0; } .requires { opacity: .8; } .text { font-weight: 600; }
cite { font-style: normal; opacity: .7; } cite::before { content: '['; } cite::after { content: ']'; }
.went { border-left: 3px solid #8886; margin: .6rem 0; padding-left: .8rem; }
.wire { margin-left: 1rem; } .wire.fault > summary { color: #c22; font-weight: 600; }
summary { cursor: pointer; } .time { opacity: .6; font-family: ui-monospace, monospace; }
.pass { background: #2a23; } .fail, .error { background: #d224; font-weight: 600; }
.warn, .known { background: #da24; } .info { background: #28d3; } .skipped { background: #8882; }
.verdict { padding: .1rem .5rem; border-radius: .2rem; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_the_net_is_markup() {
        let evil = "<script>alert(1)</script>\u{1b}[31m\"'&\u{202e}";
        let wire = Wire {
            time: "+0.000 s".to_owned(),
            ends: evil.to_owned(),
            what: evil.to_owned(),
            dump: evil.to_owned(),
            at_fault: true,
        };
        let tried = Tried {
            id: "a/b/c".to_owned(),
            title: evil.to_owned(),
            requires: evil.to_owned(),
            citation: evil.to_owned(),
            level: "MUST",
            verdict: Verdict::Fail,
            expected: false,
            text: evil.to_owned(),
            dump: evil.to_owned(),
            milliseconds: 3,
            wire: vec![wire],
            left_out: 2,
            detail: String::new(),
        };
        let column = Column { target: evil.to_owned(), tried: vec![tried] };
        let page = page(evil, &[column]);
        assert!(
            !page.contains("<script") && !page.contains('\u{1b}') && !page.contains('\u{202e}')
        );
        assert!(page.contains("1 case: 1 failed") && page.contains("and 2 more"));
        assert!(!page.contains("http"), "the page needs nothing beside itself");
    }
}
