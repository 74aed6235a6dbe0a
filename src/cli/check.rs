//! `fragshark check`: what the documents demand and a capture does not keep to.

use clap::{Args, ValueEnum};

use super::captures::Captures;
use super::destination::Destination;
use super::judged;
use crate::dump::Colour;
use crate::filter::Marked;
use crate::report::{self, Form, Report};
use crate::session::{Finding, RULES, Severity};

/// tell what does not keep to the documents; the status is 1 where something was found
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark check capture.pcapng\n  \
    fragshark check --severity note *.pcap\n  \
    fragshark check --format junit -o findings.xml capture.pcapng\n\n\
    docs/findings.md has every rule")]
pub(super) struct Check {
    #[command(flatten)]
    captures: Captures,
    /// what is told, and makes the status 1, and all that is worse: note, warning (the default),
    /// error
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    severity: Least,
    /// text (the default), json, ndjson, junit
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    format: As,
    #[command(flatten)]
    destination: Destination,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Least {
    Note,
    Warning,
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Text,
    Json,
    Ndjson,
    Junit,
}

impl Check {
    /// The status: 1 where something was found.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let out = self.destination.open(&self.captures.files)?;
        let (mut pipeline, mut sieve) = self.captures.open(&self.destination.needs(&out))?;
        // What is asked for shall be judged in the light of all else.
        let mut meant = Marked::default();
        let is_open = sieve.is_open();
        let ledger = pipeline.ledger_of(
            |message| {
                if !is_open && sieve.takes(message) {
                    meant.add(message.header.number);
                }
                true
            },
            |_| {},
        )?;
        let form = match self.format {
            As::Text => self.text(colour),
            As::Json => Form::Json,
            As::Ndjson => Form::Ndjson,
            As::Junit => Form::Junit("fragshark check"),
        };
        let least = self.severity.severity();
        let mut report = Report::new(out, form);
        for rule in RULES.iter().filter(|rule| rule.severity >= least) {
            report.looked_at(rule.id, &rule.citation());
        }
        let mut is_clean = true;
        let found = ledger.findings();
        let meant = |f: &&&Finding| is_open || f.messages.iter().any(|number| meant.has(*number));
        let bad = |f: &&&Finding| f.rule.severity >= least;
        for finding in found.iter().filter(bad).filter(meant) {
            is_clean = false;
            report.write(&report::Finding {
                id: finding.rule.id,
                severity: severity(finding.rule.severity),
                citation: &finding.rule.citation(),
                messages: &finding.messages,
                text: &format!("{}: {finding}", finding.subject),
            })?;
        }
        report.finish()?.finish()?;
        Ok(self.captures.conclude(&pipeline, judged(is_clean)))
    }

    fn text(&self, colour: Colour) -> Form {
        let Self { destination, .. } = self;
        Form::Text { colour: destination.colour(colour), columns: destination.columns() }
    }
}

impl Least {
    fn severity(self) -> Severity {
        match self {
            Self::Note => Severity::Note,
            Self::Warning => Severity::Warning,
            Self::Error => Severity::Error,
        }
    }
}

/// A finding's severity as reports have it.
fn severity(of: Severity) -> report::Severity {
    match of {
        Severity::Note => report::Severity::Note,
        Severity::Warning => report::Severity::Warning,
        Severity::Error => report::Severity::Error,
    }
}
