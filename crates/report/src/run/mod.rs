//! A conformance run as one document: which cases ran against which target, each verdict, and why
//! some could not be judged.

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

use ::text::counted;
use render::Colour;

pub use diff::{Changes, Recorded};
pub use html::page;
pub use summary::Summary;
pub use tried::{CaseDatagram, CitedSection, Tried};

/// The head of a run: the target, the tool and the start time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunHead {
    /// The version of fragshark.
    pub version: String,
    /// The master's address, as the user gave it.
    pub target: String,
    /// The same master's address of the other IP family.
    pub also: Option<String>,
    /// The profile that it was judged by.
    pub profile: Option<String>,
    /// The assumptions and settings of the run, by option names.
    pub settings: BTreeMap<String, String>,
    /// When the run began: `2026-11-22T08:25:04Z`.
    pub started: String,
}

/// A precondition that does not hold and so blocks cases; judged once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// `quake3/listed`.
    pub id: String,
    /// `no Quake III server is listed`.
    pub says: String,
    /// What was expected and what came.
    pub text: String,
    /// The datagram that shows it, annotated, in lines; empty if there is none.
    pub dump: String,
    /// Additional lines for text output, already escaped.
    #[serde(skip)]
    pub detail: String,
    /// The ids of the cases that it blocks.
    pub cases: Vec<String>,
}

/// All cases that ran against one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// What was tested, and when.
    pub head: RunHead,
    /// The causes of several failures.
    pub causes: Vec<Cause>,
    /// Every case.
    pub cases: Vec<Tried>,
    /// Lines at the end: `the target may still hold 180 servers for up to 15m`.
    pub notes: Vec<String>,
}

/// The format of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum RunForm {
    /// For people: cases grouped by the sections in their ids, with failures below them.
    Text,
    /// One document.
    Json,
    /// One object per line, each with its `type`: `run`, `cause`, `case`, `note`, `summary`.
    Ndjson,
    /// The Test Anything Protocol, version 14.
    Tap,
    /// JUnit XML for build servers.
    Junit,
    /// A page that needs no other files.
    Html,
}

impl Run {
    /// Writes runs one after the other, or as one page of HTML; colour is for text only.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_all(
        runs: &[Self],
        out: &mut impl Write,
        form: RunForm,
        colour: Colour,
    ) -> io::Result<()> {
        if form == RunForm::Html {
            return out.write_all(page(runs).as_bytes());
        }
        runs.iter().try_for_each(|run| match form {
            RunForm::Text => text::write(run, out, colour),
            RunForm::Json => json::document(run, out),
            RunForm::Ndjson => json::lines(run, out),
            RunForm::Tap => tap::write(run, out),
            RunForm::Junit => junit::write(run, out),
            RunForm::Html => Ok(()),
        })
    }

    /// The number of cases per verdict.
    pub fn summary(&self) -> Summary {
        Summary::from_cases(&self.cases)
    }

    /// The unmet precondition that blocked a case, if it was blocked.
    pub fn cause_of(&self, tried: &Tried) -> Option<&Cause> {
        let id = tried.blocked_by.as_ref()?;
        self.causes.iter().find(|cause| cause.id == *id)
    }

    /// Why a case did not pass, in one line: for a blocked one, what is missing.
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
        let cases = counted(self.cases.len() as u64, "case");
        let text = if self.text.is_empty() { String::new() } else { format!(" ({})", self.text) };
        format!("{}: {cases} could not be judged{text}", self.says)
    }
}

impl RunHead {
    /// Names and values, in display order; unknown values are left out.
    pub fn rows(&self) -> Vec<(&str, &str)> {
        let mut rows = vec![("target", self.target.as_str())];
        rows.extend(self.also.as_deref().map(|also| ("also", also)));
        rows.extend(self.profile.as_deref().map(|profile| ("profile", profile)));
        rows.extend([("version", self.version.as_str()), ("started", self.started.as_str())]);
        rows.extend(self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        rows
    }
}
