//! The report of a replay: a line for each kind of message and for each difference, and the result.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::SocketAddr;

use super::compare::{Comparison, DifferenceKey};
use super::plan::Plan;
use super::responder::AnswerSource;
use super::ruling::Ruling;
use super::run::ReplayOutcome;
use super::transcript::Transcript;
use report::{CaseEntry, CaseVerdict, Report};
use text::{counted, duration};

/// A note for the user: a name and a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayNote {
    /// The id after `replay/`.
    pub name: &'static str,
    /// What it says.
    pub text: String,
    /// [`CaseVerdict::Info`] if all is well.
    pub verdict: CaseVerdict,
}

/// The overall result of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overall {
    /// No differences but allowed ones.
    Same,
    /// There are unexpected differences.
    Differs,
    /// No difference in what was compared, but more than half could not be.
    Incomplete,
}

impl ReplayNote {
    /// A note without a judgement.
    pub fn info(name: &'static str, text: String) -> Self {
        Self { name, text, verdict: CaseVerdict::Info }
    }
}

/// The report.
pub struct ReplayReport<'a> {
    /// What was compared.
    pub comparison: &'a Comparison,
    /// What came back.
    pub outcome: &'a ReplayOutcome,
    /// What else is worth knowing.
    pub notes: Vec<ReplayNote>,
    /// Selected messages of which the recording has only a part.
    cut: u64,
}

impl<'a> ReplayReport<'a> {
    /// The report of a run, with the notes of `notes`.
    pub fn new(
        transcript: &Transcript,
        plan: &Plan,
        outcome: &'a ReplayOutcome,
        comparison: &'a Comparison,
        mut notes: Vec<ReplayNote>,
    ) -> Self {
        notes.extend(plan.notes(transcript));
        notes.extend(outcome.own_notes());
        let restarts = comparison.restarts.iter().cloned();
        notes.extend(restarts.map(|text| ReplayNote::info("restart", text)));
        if comparison.left_out > 0 {
            let text = format!("{} more differences were dropped", comparison.left_out);
            notes.push(ReplayNote { name: "limits", text, verdict: CaseVerdict::Fail });
        }
        Self { comparison, outcome, notes, cut: transcript.cut }
    }

    /// The overall result. A message that the recording has only a part of counts as not compared.
    pub fn overall(&self) -> Overall {
        let is_bad = |note: &ReplayNote| matches!(note.verdict, CaseVerdict::Fail);
        if self.comparison.has_unexpected() || self.notes.iter().any(is_bad) {
            return Overall::Differs;
        }
        let (sent, not_compared) = self.comparison.counts();
        let (all, not_compared) = (sent + self.cut, not_compared + self.cut);
        let is_unanswered = self.outcome.is_silent() && not_compared > 0;
        if self.outcome.is_down() || is_unanswered || not_compared > all / 2 {
            return Overall::Incomplete;
        }
        Overall::Same
    }

    /// Writes the report.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write<W: Write>(&self, report: &mut Report<W>) -> io::Result<()> {
        for ((protocol, id), kinds) in &self.comparison.kinds {
            let differs = kinds.sent - kinds.same;
            let expected = differs - kinds.unexpected - kinds.not_compared;
            let parts = [
                (kinds.same, "answered as recorded"),
                (expected, "with expected differences"),
                (kinds.not_compared, "not completely compared"),
                (kinds.unexpected, "with unexpected differences"),
            ];
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<_> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            let verdict = match kinds {
                kinds if kinds.unexpected > 0 => CaseVerdict::Fail,
                kinds if kinds.sent == kinds.not_compared => CaseVerdict::Skipped,
                _ => CaseVerdict::Pass,
            };
            let (id, text) = (format!("{protocol}/{id}"), parts.join(", "));
            let title = &format!("sent {}", counted(kinds.sent, "time"));
            report.write(&CaseEntry { title, ..CaseEntry::new(&id, verdict, &text) })?;
        }
        for (DifferenceKey { path, ruling }, difference) in &self.comparison.differences {
            let text = match difference.count {
                1 => difference.text.clone(),
                count => format!("{count} times, first: {}", difference.text),
            };
            let citation = difference.entry.filter(|_| ruling.is_unexpected());
            let citation = citation.map(|entry| entry.spec.citation()).unwrap_or_default();
            let (verdict, title) = match ruling {
                Ruling::Unexpected => (CaseVerdict::Fail, "not expected".to_owned()),
                Ruling::Allowed(reason) => (CaseVerdict::Info, reason.clone()),
                Ruling::NotCompared(reason) => {
                    (CaseVerdict::Skipped, format!("not compared: {reason}"))
                }
            };
            report.write(&CaseEntry {
                title: &title,
                citation: &citation,
                messages: &difference.frames,
                ..CaseEntry::new(path, verdict, &text)
            })?;
        }
        for note in &self.notes {
            let id = format!("replay/{}", note.name);
            report.write(&CaseEntry::new(&id, note.verdict, &note.text))?;
        }
        report.write(&self.outcome.pacing)
    }
}

impl Plan {
    /// Notes on messages that are not replayed, or in another way.
    fn notes(&self, transcript: &Transcript) -> Vec<ReplayNote> {
        let mut all = Vec::new();
        let mut add = |name, text: String| all.push(ReplayNote::info(name, text));
        for ((transport, to), count) in &self.skipped.without_port {
            let messages = counted(*count, "message");
            add("no-port", format!("{messages} to {transport} {to}: the target has no such port"));
        }
        for (count, name, what) in [
            (transcript.of_masters, "masters", "between masters"),
            (transcript.cut, "cut", "of which the capture has only a part"),
            (transcript.left_out, "limits", "beyond the limits"),
        ] {
            if count > 0 {
                let is = if count == 1 { "is" } else { "are" };
                add(name, format!("{} {what} {is} not replayed", counted(count, "message")));
            }
        }
        if self.pauses.shortened > 0 {
            let by = duration(self.pauses.by.cast_signed());
            let pauses = counted(self.pauses.shortened, "pause");
            add("pauses", format!("{pauses} shortened, by {by} in all"));
        }
        for warning in &transcript.warnings {
            add("capture", warning.clone());
        }
        all
    }
}

impl ReplayOutcome {
    /// Notes on problems.
    fn own_notes(&self) -> Vec<ReplayNote> {
        let mut all = Vec::new();
        let mut sources: BTreeMap<(&str, AnswerSource), (SocketAddr, u64, u64)> = BTreeMap::new();
        for ((end, name, source), count) in &self.composed_answers {
            let (_, ends, times) = sources.entry((*name, *source)).or_insert((*end, 0, 0));
            (*ends, *times) = (*ends + 1, *times + count);
        }
        for ((name, source), (first, ends, times)) in sources {
            let what = match source {
                AnswerSource::Completed => "the recorded answer with the new challenge",
                AnswerSource::Composed => "composed, because none was recorded",
                AnswerSource::Silent => "no answer: the request is unknown",
            };
            let more = if ends > 1 { format!(" and {} more", ends - 1) } else { String::new() };
            let times = if times > 1 { format!(", {times} times") } else { String::new() };
            let text = format!("{first}{more}, {name}: {what}{times}");
            all.push(ReplayNote::info("answers", text));
        }
        let why = |error: &Option<io::Error>| {
            error.as_ref().map(|error| format!(": {error}")).unwrap_or_default()
        };
        // A closed target port is reported once.
        let bad = if self.is_down() { CaseVerdict::Info } else { CaseVerdict::Fail };
        let mut add = |count: u64, noun, name, what: String, verdict| {
            if count > 0 {
                let text = format!("{} {what}", counted(count, noun));
                all.push(ReplayNote { name, text, verdict });
            }
        };
        let limits = "beyond the limits, not compared".to_owned();
        add(self.refused, "message", "refused", "refused: port unreachable".to_owned(), bad);
        add(self.unsent, "message", "unsent", format!("not sent{}", why(&self.failed)), bad);
        let broken = format!("failed{}", why(&self.connection_error));
        add(self.broken, "connection", "connections", broken, bad);
        add(self.left_out, "message", "limits", limits, CaseVerdict::Info);
        all
    }
}
