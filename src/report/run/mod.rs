//! A run of conformance as one document: what was tried on which target, how each case went, and
//! why those that could not be judged could not.

mod diff;
mod html;
mod json;
mod junit;
mod summary;
mod tap;
mod text;
mod tried;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::render::Colour;
use crate::text::escaped;

pub use diff::{Changes, NotARun, Recorded};
pub use html::page;
pub use summary::Summary;
pub use tried::{CaseDatagram, CitedSection, Tried};

/// What was judged, by what, and when.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunHead {
    /// Of this program.
    pub version: String,
    /// The master, as it was asked for.
    pub target: String,
    /// The same master's address of the other family.
    pub also: Option<String>,
    /// What kind of master it was judged as.
    pub profile: Option<String>,
    /// What was assumed of it, and how the run was made, by the names of the options.
    pub settings: BTreeMap<String, String>,
    /// When the run began: `2026-11-22T08:25:04Z`.
    pub started: String,
}

/// Something that cases need and that does not hold: a precondition, judged once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// `quake3/listed`.
    pub id: String,
    /// `no Quake III server is listed`.
    pub says: String,
    /// What was expected and what came.
    pub text: String,
    /// The datagram that shows it, annotated, in lines; empty where there is none.
    pub dump: String,
    /// What is shown beneath in a text, in lines that are escaped already.
    #[serde(skip)]
    pub detail: String,
    /// The ids of the cases that could not be judged for it.
    pub cases: Vec<String>,
}

/// Something to say at the end: `the target may still hold 180 servers for up to 15 min`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Note(pub String);

/// All cases that were tried against one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    pub head: RunHead,
    pub causes: Vec<Cause>,
    pub cases: Vec<Tried>,
    pub notes: Vec<Note>,
}

/// In which form a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunForm {
    /// For people: cases under the sections that their ids name, what was wrong beneath them.
    Text { colour: Colour },
    /// One document.
    Json,
    /// An object a line, each with its `type`: `run`, `cause`, `case`, `note`, `summary`.
    Ndjson,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// The XML that build servers read.
    Junit,
    /// A page that needs nothing beside itself.
    Html,
}

impl Run {
    /// Writes the whole run.
    pub fn write(&self, out: &mut impl Write, form: RunForm) -> io::Result<()> {
        match form {
            RunForm::Text { colour } => text::write(self, out, colour),
            RunForm::Json => json::document(self, out),
            RunForm::Ndjson => json::lines(self, out),
            RunForm::Tap => tap::write(self, out),
            RunForm::Junit => junit::write(self, out),
            RunForm::Html => out.write_all(page(std::slice::from_ref(self)).as_bytes()),
        }
    }

    /// How many cases ended how.
    pub fn summary(&self) -> Summary {
        Summary::of(&self.cases)
    }

    /// Why a case could not be judged, where it is one of those.
    pub fn cause_of(&self, tried: &Tried) -> Option<&Cause> {
        let id = tried.blocked_by.as_ref()?;
        self.causes.iter().find(|cause| cause.id == *id)
    }

    /// Why a case did not pass, in one line: a blocked one says what is missing.
    fn why<'a>(&'a self, tried: &'a Tried) -> &'a str {
        match self.cause_of(tried) {
            Some(cause) if tried.text.is_empty() => &cause.says,
            _ => &tried.text,
        }
    }
}

impl Cause {
    /// `no server is listed: 13 cases could not be judged (expected …; came …)`.
    pub fn line(&self) -> String {
        let count = self.cases.len();
        let s = if count == 1 { "" } else { "s" };
        let text = if self.text.is_empty() { String::new() } else { format!(" ({})", self.text) };
        format!("{}: {count} case{s} could not be judged{text}", self.says)
    }
}

impl RunHead {
    /// Names and values, in the order in which they are shown; what is not known is left out.
    pub fn rows(&self) -> Vec<(&str, &str)> {
        let mut rows = vec![("target", self.target.as_str())];
        rows.extend(self.also.as_deref().map(|also| ("also", also)));
        rows.extend(self.profile.as_deref().map(|profile| ("profile", profile)));
        rows.extend([("version", self.version.as_str()), ("started", self.started.as_str())]);
        rows.extend(self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        rows
    }
}

/// Text of several lines, each without what a terminal would obey.
fn escaped_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escaped).collect();
    lines.join("\n")
}
