//! Findings: what the documents demand and the capture does not keep to.
//!
//! A [`Rule`] is data; `docs/findings.md` is made from [`RULES`]. What is found is kept by rule and
//! by who is at fault, so that a master that errs in every packet is one finding with a count.
//! What widely deployed programs do without harm is a note, and nothing here is said of healthy
//! traffic.

mod hearing;
mod lists;
mod marks;
mod rules;

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;

use marks::Marks;
pub use rules::RULES;

/// How many findings are kept.
const KEPT: usize = 4_096;
/// How many messages at fault one finding names.
const NAMED: usize = 16;

/// What a document demands.
#[derive(Debug)]
pub struct Rule {
    /// Its own name: `list.end-missing`.
    pub id: &'static str,
    pub severity: Severity,
    /// What is demanded, in one sentence.
    pub demand: &'static str,
    /// What comes of it where that is not kept.
    pub harm: &'static str,
    /// Document and section: `001 1.1.2`.
    pub section: &'static str,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Odd, or against a document, but widely done without harm.
    Note,
    /// Some programs will not get along with it.
    Warning,
    /// Nobody can make use of it.
    Error,
}

/// A rule that was broken, by one party.
#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    /// Who is at fault.
    pub subject: SocketAddr,
    /// The frames at fault, the first 16.
    pub messages: Vec<u64>,
    /// How often it was found.
    pub count: u64,
    /// What was found first, in words; bytes from the net are escaped.
    pub text: String,
    /// How many findings were made before.
    serial: u32,
}

/// All findings.
#[derive(Default)]
pub(super) struct Findings {
    /// By the rule's place in `RULES` and by who is at fault.
    kept: BTreeMap<(&'static str, SocketAddr), Finding>,
    left_out: u64,
    /// All messages at fault, where somebody asks for them.
    marks: Option<Marks>,
    hearing: hearing::Hearing,
}

impl Findings {
    /// The same, but all messages at fault are kept too.
    pub fn marking() -> Self {
        Self { marks: Some(Marks::default()), ..Self::default() }
    }

    /// The frames of all messages at fault, in order, and the place in [`Findings::all`] of what was
    /// found.
    pub fn faults(&self) -> Vec<(u64, u32)> {
        let Some(marks) = &self.marks else {
            return Vec::new();
        };
        let mut places = vec![None; self.kept.len()];
        for (at, finding) in (0..).zip(self.all()) {
            if let Some(place) = places.get_mut(finding.serial as usize) {
                *place = Some(at);
            }
        }
        marks.sorted(|serial| places.get(serial as usize).copied().flatten())
    }

    /// How many messages at fault were not kept.
    pub fn unmarked(&self) -> u64 {
        self.marks.as_ref().map_or(0, Marks::left_out)
    }

    /// In the order of the first messages at fault.
    pub fn all(&self) -> Vec<&Finding> {
        let mut all: Vec<_> = self.kept.values().collect();
        all.sort_by_key(|f| (f.messages.first().copied(), f.rule.id, f.subject));
        all
    }

    /// How many were not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// A rule was broken; what it says is only asked for once.
    fn found(
        &mut self,
        rule: &'static Rule,
        subject: SocketAddr,
        messages: &[u64],
        text: impl FnOnce() -> String,
    ) {
        if let Some(known) = self.kept.get_mut(&(rule.id, subject)) {
            known.count += 1;
            for number in messages {
                if let Some(marks) = &mut self.marks {
                    marks.add(*number, known.serial);
                }
                if known.messages.len() < NAMED && !known.messages.contains(number) {
                    known.messages.push(*number);
                }
            }
            return;
        }
        if self.kept.len() >= KEPT {
            self.left_out += 1;
            return;
        }
        let serial = self.kept.len() as u32;
        if let Some(marks) = &mut self.marks {
            for number in messages {
                marks.add(*number, serial);
            }
        }
        let messages = messages.iter().take(NAMED).copied().collect();
        let finding = Finding { rule, subject, messages, count: 1, text: text(), serial };
        self.kept.insert((rule.id, subject), finding);
    }
}

impl Rule {
    /// `document 001, section 1.1.2`.
    pub fn citation(&self) -> String {
        let (document, section) = self.section.split_once(' ').unwrap_or((self.section, ""));
        format!("document {document}, section {section}")
    }
}

impl Severity {
    /// Every severity, the least first.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Error];

    /// Its name in tables and filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Finding {
    /// What was found, and how often.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.count > 1 { write!(f, " ({} times)", self.count) } else { Ok(()) }
    }
}
