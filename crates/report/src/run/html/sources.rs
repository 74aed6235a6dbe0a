//! The sections of the specification that cases cite, at the end of the page, and links to them.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::html::{lines, shown};
use crate::{CitedSection, Run, Tried};

/// Every section that is cited, once.
pub(super) struct Sources<'a> {
    /// Each section's place, and the first of the citations that lead to it.
    sections: Vec<(String, &'a CitedSection)>,
    /// The documents' titles that they belong to.
    documents: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Sources<'a> {
    pub fn from_runs(runs: &'a [Run]) -> Self {
        let all = || runs.iter().flat_map(|run| &run.cases).flat_map(|case| &case.sources);
        let mut sections: Vec<(String, &CitedSection)> =
            all().map(|source| (source.place(), source)).collect();
        sections.sort_by(|a, b| a.0.cmp(&b.0));
        sections.dedup_by(|a, b| a.0 == b.0);
        let title = |source: &'a CitedSection| {
            let number = source.cited.split(' ').next().unwrap_or_default();
            (number, source.document)
        };
        let documents = all().map(title).filter(|(_, title)| !title.is_empty()).collect();
        Self { sections, documents }
    }

    /// The section of the page that citations link to.
    pub fn section(&self) -> Markup {
        if self.sections.is_empty() {
            return html! {};
        }
        html! {
            section.sources {
                h2 { "What the specification says" }
                ul {
                    @for (number, title) in &self.documents {
                        li { "document " (shown(number)) ": " (shown(title)) }
                    }
                }
                @for (place, source) in &self.sections {
                    article id=(anchor(place)) {
                        h3 { (shown(place)) }
                        pre { (lines(source.text)) }
                    }
                }
            }
        }
    }
}

/// A case's citation, each part of it a link where the specification has it.
pub(super) fn links(case: &Tried) -> Markup {
    let parts = case.citation.split(", ").enumerate();
    html! {
        cite {
            @for (n, part) in parts {
                @if n > 0 { ", " }
                @match case.sources.iter().find(|source| source.cited == part) {
                    Some(source) => {
                        a href={ "#" (anchor(&source.place())) } title=(shown(source.document)) {
                            (shown(part))
                        }
                    }
                    None => { (shown(part)) }
                }
            }
        }
    }
}

/// A place in the specification as an anchor of this page.
fn anchor(place: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
    format!("source-{}", place.chars().map(kept).collect::<String>())
}
