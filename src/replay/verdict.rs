//! The report of a replay: a line for each kind of message and for each difference, and the result.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::SocketAddr;

use super::account::Transcript;
use super::compare::{Comparison, DifferenceKey};
use super::partner::Making;
use super::plan::Plan;
use super::ruling::Ruling;
use super::run::ReplayOutcome;
use crate::report::{CaseEntry, CaseVerdict, Report};
use crate::text::duration;

/// A note for the user: a name and a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayNote {
    /// The id after `replay/`.
    pub name: &'static str,
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

/// The whole report.
pub struct ReplayReport<'a> {
    pub comparison: &'a Comparison,
    pub outcome: &'a ReplayOutcome,
    pub told: Vec<ReplayNote>,
    /// Selected messages of which the recording has only a part.
    cut: u64,
}

impl<'a> ReplayReport<'a> {
    /// The report of a run, with the notes of `told`.
    pub fn new(
        account: &Transcript,
        plan: &Plan,
        outcome: &'a ReplayOutcome,
        comparison: &'a Comparison,
        mut told: Vec<ReplayNote>,
    ) -> Self {
        told.extend(plan.notes(account));
        told.extend(outcome.own_notes());
        let restarts = comparison.restarts.iter().cloned();
        told.extend(restarts.map(|text| ReplayNote::info("restart", text)));
        if comparison.left_out > 0 {
            let text = format!("{} differences more found no room", comparison.left_out);
            told.push(ReplayNote { name: "room", text, verdict: CaseVerdict::Fail });
        }
        Self { comparison, outcome, told, cut: account.cut }
    }

    /// The overall result. A message that the recording has only a part of counts as not compared.
    pub fn overall(&self) -> Overall {
        let is_bad = |told: &ReplayNote| matches!(told.verdict, CaseVerdict::Fail);
        if self.comparison.is_wanting() || self.told.iter().any(is_bad) {
            return Overall::Differs;
        }
        let (sent, not_compared) = self.comparison.counts();
        let (all, not_compared) = (sent + self.cut, not_compared + self.cut);
        let is_unheard = self.outcome.is_silent() && not_compared > 0;
        if self.outcome.is_down() || is_unheard || not_compared > all / 2 {
            return Overall::Incomplete;
        }
        Overall::Same
    }

    /// Writes the report.
    pub fn write<W: Write>(&self, report: &mut Report<W>) -> io::Result<()> {
        for ((protocol, id), kinds) in &self.comparison.kinds {
            let differs = kinds.sent - kinds.same;
            let expected = differs - kinds.unexpected - kinds.not_compared;
            let parts = [
                (kinds.same, "answered as recorded"),
                (expected, "with differences that were expected"),
                (kinds.not_compared, "not all compared"),
                (kinds.unexpected, "with others"),
            ];
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<_> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            let s = if kinds.sent == 1 { "" } else { "s" };
            report.write(&CaseEntry {
                id: &format!("{protocol}/{id}"),
                title: &format!("sent {} time{s}", kinds.sent),
                citation: "",
                verdict: match kinds {
                    kinds if kinds.unexpected > 0 => CaseVerdict::Fail,
                    kinds if kinds.sent == kinds.not_compared => CaseVerdict::Skipped,
                    _ => CaseVerdict::Pass,
                },
                expected: false,
                text: &parts.join(", "),
                messages: &[],
            })?;
        }
        for (DifferenceKey { path, ruling }, difference) in &self.comparison.differences {
            let often = match difference.count {
                1 => String::new(),
                count => format!("{count} times, first: "),
            };
            let citation = difference.entry.map(|entry| entry.spec.citation());
            let (verdict, title) = match ruling {
                Ruling::Unexpected => (CaseVerdict::Fail, "not expected".to_owned()),
                Ruling::Allowed(reason) => (CaseVerdict::Info, reason.clone()),
                Ruling::NotCompared(reason) => {
                    (CaseVerdict::Skipped, format!("not compared: {reason}"))
                }
            };
            report.write(&CaseEntry {
                id: path,
                title: &title,
                citation: citation
                    .as_deref()
                    .filter(|_| ruling.is_unexpected())
                    .unwrap_or_default(),
                verdict,
                expected: false,
                text: &format!("{often}{}", difference.text),
                messages: &difference.frames,
            })?;
        }
        for told in &self.told {
            report.write(&CaseEntry {
                id: &format!("replay/{}", told.name),
                title: "",
                citation: "",
                verdict: told.verdict,
                expected: false,
                text: &told.text,
                messages: &[],
            })?;
        }
        report.write(&self.outcome.pacing)
    }
}

impl Plan {
    /// Notes on messages that are not replayed, or in another way.
    pub fn notes(&self, account: &Transcript) -> Vec<ReplayNote> {
        let mut all = Vec::new();
        let mut tell = |name, text: String| all.push(ReplayNote::info(name, text));
        for ((transport, to), count) in &self.skipped.nowhere {
            tell("nowhere", format!("{count} to {transport} {to}: the target has nothing there"));
        }
        for (count, name, what) in [
            (account.of_masters, "masters", "of one master to another"),
            (account.cut, "cut", "of which the capture has only a part"),
            (account.left_out, "room", "for which there was no room"),
        ] {
            if count > 0 {
                let (s, is) = if count == 1 { ("", "is") } else { ("s", "are") };
                tell(name, format!("{count} message{s} {what} {is} not played"));
            }
        }
        if self.silences.shortened > 0 {
            let s = if self.silences.shortened == 1 { "" } else { "s" };
            let by = duration(self.silences.by.cast_signed());
            let count = self.silences.shortened;
            tell("silences", format!("{count} silence{s} shortened, by {by} in all"));
        }
        for warning in &account.warnings {
            tell("capture", warning.clone());
        }
        all
    }
}

impl ReplayOutcome {
    /// Notes on problems.
    fn own_notes(&self) -> Vec<ReplayNote> {
        let mut all = Vec::new();
        let mut made: BTreeMap<(&str, Making), (SocketAddr, u64, u64)> = BTreeMap::new();
        for ((end, name, making), count) in &self.made_up {
            let (_, ends, times) = made.entry((*name, *making)).or_insert((*end, 0, 0));
            (*ends, *times) = (*ends + 1, *times + count);
        }
        for ((name, making), (first, ends, times)) in made {
            let what = match making {
                Making::Completed => "its recorded one with the challenge put in",
                Making::Composed => "made up, for none was recorded",
                Making::Silent => "none: what was asked cannot be answered",
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
        let mut tell = |count: u64, name, text: String, verdict| {
            if count > 0 {
                all.push(ReplayNote { name, text: format!("{count} {text}"), verdict });
            }
        };
        tell(self.refused, "refused", "messages met nobody who listens".to_owned(), bad);
        let unsent = format!("messages could not be sent{}", why(&self.failed));
        tell(self.unsent, "unsent", unsent, bad);
        let broken = format!("connections broke off{}", why(&self.broke));
        tell(self.broken, "connections", broken, bad);
        let left_out = "messages were not kept, and not compared".to_owned();
        tell(self.left_out, "room", left_out, CaseVerdict::Info);
        all
    }
}
