//! `fragshark check`: violations of the documents in a capture.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use clap::Args;

use super::captures::{Captures, FilteredInput};
use super::destination::{Destination, Printed};
use super::judged;
use analysis::{AnalysisNeeds, Analyzer, Finding, RULES, Severity};
use filter::FrameSet;
use render::Colour;
use report::{FindingEntry, ReportForm, ReportMark, ReportSeverity, Scope};
use text::counted;

/// report protocol violations
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark check capture.pcapng\n  \
    fragshark check --severity note *.pcap\n  \
    fragshark check --format junit -o findings.xml capture.pcapng\n\n\
    exit status: 0 no findings, 1 findings, 3 input incomplete (--keep-going) or damaged\n(--fail-on-damage)\n\n\
    all rules: docs/reference/findings.md")]
pub(super) struct CheckArgs {
    #[command(flatten)]
    captures: Captures,
    /// report findings of at least this severity: note, warning (the default), error
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    severity: ReportSeverity,
    /// output format: text, json, ndjson, junit; by default that of the ending of the -o file, else
    /// text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<ReportForm>,
    #[command(flatten)]
    destination: Destination,
}

impl CheckArgs {
    /// The status: 1 if there are findings.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let format = self.destination.format(self.format, &self.captures.files())?;
        let out = self.destination.open(&self.captures.files())?;
        let FilteredInput { mut pipeline, mut filter } =
            self.captures.open(&self.destination.needs(&out))?;
        let progress = self.destination.progress(pipeline.meter(), Printed::AtTheEnd);
        // Selected messages are judged with all others as context.
        let mut selected = FrameSet::default();
        let matches_all = filter.matches_all();
        let (mut messages, mut games) = (0, BTreeSet::new());
        let analyzer = pipeline.analyze_where(
            Analyzer::new(AnalysisNeeds::Findings),
            |message| {
                if matches_all || filter.matches(message) {
                    messages += 1;
                    games.insert(message.header.verdict.game.id);
                    if !matches_all {
                        selected.add_frame(message.header.number);
                    }
                }
                true
            },
            |_| {},
        )?;
        drop(progress);
        let mut report = self.destination.report(out, format, colour, "fragshark check");
        for rule in RULES.iter().filter(|rule| severity(rule.severity) >= self.severity) {
            report.checked(rule.id, &rule.citation());
        }
        let mut is_clean = true;
        let mut hidden = BTreeMap::new();
        let found = analyzer.findings();
        let selected =
            |f: &&&Finding| matches_all || f.messages.iter().any(|number| selected.has(*number));
        for finding in found.iter().filter(selected) {
            let severity = severity(finding.rule.severity);
            if severity < self.severity {
                *hidden.entry(ReportMark::Found(severity)).or_insert(0) += 1;
                continue;
            }
            is_clean = false;
            let see = finding.explains.map(|server| self.explain(server)).unwrap_or_default();
            report.write(&FindingEntry {
                id: finding.rule.id,
                severity,
                citation: &finding.citation(),
                messages: &finding.messages,
                text: &format!("{}: {finding}{see}", finding.subject),
            })?;
        }
        let [messages, games, packets] = [
            counted(messages, "message"),
            counted(games.len() as u64, "game"),
            counted(pipeline.frames_read(), "packet"),
        ];
        let of = format!("{messages} of {games}, {packets}");
        report.set_scope(Scope { of, hidden, hint: "--severity note shows them" });
        report.finish()?.finish()?;
        Ok(self.captures.conclude(&pipeline, judged(is_clean)))
    }

    /// The next command to run: it explains a server's registration.
    fn explain(&self, server: SocketAddr) -> String {
        let files = self.captures.files().into_iter().map(|file| quoted(&file.to_string_lossy()));
        let files: Vec<_> = files.collect();
        let server = quoted(&server.to_string());
        format!("; see: fragshark explain --server {server} {}", files.join(" "))
    }
}

/// A word quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:,+@%".contains(c);
    if word.chars().all(is_plain) && !word.is_empty() {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A finding's severity in reports.
fn severity(of: Severity) -> ReportSeverity {
    match of {
        Severity::Note => ReportSeverity::Note,
        Severity::Warning => ReportSeverity::Warning,
        Severity::Error => ReportSeverity::Error,
    }
}
