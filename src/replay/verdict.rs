//! What is reported of a replay: a line for each kind of message and for each difference, and how
//! it went.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::SocketAddr;

use super::account::Account;
use super::compare::{Comparison, Key};
use super::partner::Making;
use super::plan::Plan;
use super::run::Outcome;
use crate::report::{Case, Report, Verdict};

/// Something that whoever replays should know: a name, and what there is to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What stands behind `replay/`.
    pub name: &'static str,
    pub text: String,
    /// Whether something went wrong.
    pub is_bad: bool,
}

/// Everything that is reported.
pub struct Sheet<'a> {
    pub comparison: &'a Comparison,
    pub outcome: &'a Outcome,
    pub told: Vec<Told>,
}

impl<'a> Sheet<'a> {
    /// What is reported of a run, and what `told` adds.
    pub fn new(
        account: &Account,
        plan: &Plan,
        outcome: &'a Outcome,
        comparison: &'a Comparison,
        mut told: Vec<Told>,
    ) -> Self {
        told.extend(plan.told(account));
        told.extend(outcome.told());
        if comparison.left_out > 0 {
            let text = format!("{} differences more found no room", comparison.left_out);
            told.push(Told { name: "room", text, is_bad: true });
        }
        Self { comparison, outcome, told }
    }

    /// Writes that nothing could be judged, and why: nobody was there to answer.
    pub fn write_unanswered<W: Write>(&self, report: &mut Report<W>, why: &str) -> io::Result<()> {
        let kinds = self.comparison.kinds.keys();
        let kinds = kinds.map(|(protocol, id)| format!("{protocol}/{id}"));
        for id in ["replay/target".to_owned()].into_iter().chain(kinds) {
            report.write(&Case {
                id: &id,
                title: "",
                citation: "",
                verdict: Verdict::Blocked,
                expected: false,
                text: why,
                messages: &[],
            })?;
        }
        Ok(())
    }

    /// Writes it. Whether all is as it should be.
    pub fn write<W: Write>(&self, report: &mut Report<W>) -> io::Result<bool> {
        for ((protocol, id), kinds) in &self.comparison.kinds {
            let differs = kinds.sent - kinds.same;
            let expected = differs - kinds.unexpected;
            let parts = [
                (kinds.same, "answered as recorded"),
                (expected, "with differences that were expected"),
                (kinds.unexpected, "with others"),
            ];
            let parts = parts.iter().filter(|(count, _)| *count > 0);
            let parts: Vec<_> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            let s = if kinds.sent == 1 { "" } else { "s" };
            report.write(&Case {
                id: &format!("{protocol}/{id}"),
                title: &format!("sent {} time{s}", kinds.sent),
                citation: "",
                verdict: if kinds.unexpected > 0 { Verdict::Fail } else { Verdict::Pass },
                expected: false,
                text: &parts.join(", "),
                messages: &[],
            })?;
        }
        for (Key { path, expected }, difference) in &self.comparison.differences {
            let often = match difference.count {
                1 => String::new(),
                count => format!("{count} times, first: "),
            };
            let citation = difference.entry.map(|entry| entry.spec.citation());
            report.write(&Case {
                id: path,
                title: expected.as_deref().unwrap_or("not expected"),
                citation: citation.as_deref().filter(|_| expected.is_none()).unwrap_or_default(),
                verdict: if expected.is_some() { Verdict::Info } else { Verdict::Fail },
                expected: false,
                text: &format!("{often}{}", difference.text),
                messages: &difference.frames,
            })?;
        }
        for told in &self.told {
            report.write(&Case {
                id: &format!("replay/{}", told.name),
                title: "",
                citation: "",
                verdict: if told.is_bad { Verdict::Fail } else { Verdict::Info },
                expected: false,
                text: &told.text,
                messages: &[],
            })?;
        }
        report.write(&self.outcome.pacing)?;
        Ok(!self.comparison.is_wanting() && !self.told.iter().any(|told| told.is_bad))
    }
}

impl Plan {
    /// What of a recording is not played, or otherwise than it was.
    pub fn told(&self, account: &Account) -> Vec<Told> {
        let mut all = Vec::new();
        let mut tell = |name, text: String| all.push(Told { name, text, is_bad: false });
        for ((transport, to), count) in &self.skipped.nowhere {
            tell("nowhere", format!("{count} to {transport} {to}: the target has nothing there"));
        }
        for (count, name, what) in [
            (account.of_masters, "masters", "of one master to another"),
            (account.cut, "cut", "of which the capture has only a part"),
            (account.left_out, "room", "for which there was no room"),
        ] {
            if count > 0 {
                let s = if count == 1 { "" } else { "s" };
                tell(name, format!("{count} message{s} {what} not played"));
            }
        }
        if self.silences.shortened > 0 {
            let s = if self.silences.shortened == 1 { "" } else { "s" };
            let by = self.silences.by as f64 / 1e9;
            let count = self.silences.shortened;
            tell("silences", format!("{count} silence{s} shortened, by {by:.1} s in all"));
        }
        for warning in &account.warnings {
            tell("capture", warning.clone());
        }
        all
    }
}

impl Outcome {
    /// What went otherwise than it should.
    fn told(&self) -> Vec<Told> {
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
            all.push(Told { name: "answers", text, is_bad: false });
        }
        let why = |error: &Option<io::Error>| {
            error.as_ref().map(|error| format!(": {error}")).unwrap_or_default()
        };
        let mut tell = |count: u64, name, text: String, is_bad| {
            if count > 0 {
                all.push(Told { name, text: format!("{count} {text}"), is_bad });
            }
        };
        tell(self.refused, "refused", "messages met nobody who listens".to_owned(), true);
        let unsent = format!("messages could not be sent{}", why(&self.failed));
        tell(self.unsent, "unsent", unsent, true);
        let broken = format!("connections broke off{}", why(&self.broke));
        tell(self.broken, "connections", broken, true);
        let left_out = "messages were not kept, and not compared".to_owned();
        tell(self.left_out, "room", left_out, false);
        all
    }
}
