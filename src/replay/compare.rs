//! The comparison: what the live master said beside what the recorded one did, field by field.
//!
//! What a master chooses for itself may differ: challenges, its own texts. So may what hangs on
//! time and on servers that were not there to register. Where a finding says that the recording
//! itself is at fault, it is no measure. All else that differs is unexpected.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use super::account::{Account, Asked, Reply};
use super::fields::{Item, items};
use super::lists::{Differs, List, Pair};
use super::run::Outcome;
use crate::proto::{Affair, Entry, Reading};
use crate::session::Severity;
use crate::wire::{Kind, Role};

/// How many kinds of differences are told apart, and how many frames of each are named.
const KINDS: usize = 4096;
const NAMED: usize = 16;
/// How much of a value is told.
const SHOWN: usize = 60;

/// Everything that was compared.
#[derive(Debug, Default)]
pub struct Comparison {
    /// By protocol and message: how many were sent, and of how many nothing differed.
    pub kinds: BTreeMap<(&'static str, &'static str), Kinds>,
    pub differences: BTreeMap<Key, Difference>,
    /// Differences that found no room.
    pub left_out: u64,
    /// Of the fields that were to be left out, those that differed, by their places.
    spared: BTreeSet<usize>,
}

/// Messages of one kind.
#[derive(Debug, Default)]
pub struct Kinds {
    pub entry: Option<&'static Entry>,
    pub sent: u64,
    pub same: u64,
    pub unexpected: u64,
}

/// What differs: a path of protocol, message and field, and why that was to be expected.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub path: String,
    pub expected: Option<String>,
}

/// Something that differs, once or often.
#[derive(Debug, Default)]
pub struct Difference {
    pub entry: Option<&'static Entry>,
    pub count: u64,
    /// The frames of the recording that ask, the first of them.
    pub frames: Vec<u64>,
    /// What it was the first time.
    pub text: String,
}

/// Compares, with fields of these names left out.
pub struct Comparing<'a> {
    account: &'a Account,
    outcome: &'a Outcome,
    ignored: &'a [String],
    hosts: BTreeSet<IpAddr>,
    reading: Reading,
    /// When what is being compared was asked, in nanoseconds from the start of the run.
    at: u64,
    comparison: Comparison,
}

impl Comparison {
    /// Compares what came of a run with its recording.
    pub fn of(account: &Account, outcome: &Outcome, ignored: &[String]) -> Self {
        let hosts = account.asked.iter().map(|asked| asked.from.ip()).collect();
        let (reading, comparison) = (Reading::default(), Self::default());
        let at = 0;
        let mut comparing = Comparing { account, outcome, ignored, hosts, reading, at, comparison };
        for pairing in &outcome.pairs {
            if let Some(recorded) = account.asked.get(pairing.recorded) {
                let live = pairing.live.and_then(|live| outcome.run.asked.get(live));
                comparing.at = pairing.at;
                comparing.answers(recorded, live);
            }
        }
        comparing.findings();
        comparing.comparison
    }

    /// Of the names that were to be left out, those that nothing had that differs.
    pub fn idle<'a>(&self, ignored: &'a [String]) -> impl Iterator<Item = &'a String> {
        let idle = ignored.iter().enumerate().filter(|(at, _)| !self.spared.contains(at));
        idle.map(|(_, name)| name)
    }

    /// Whether something differs that was not expected.
    pub fn is_wanting(&self) -> bool {
        self.differences.keys().any(|key| key.expected.is_none())
    }
}

/// Something that is about to be told.
struct Told {
    field: String,
    expected: Option<String>,
    text: String,
}

impl Told {
    fn new(field: &str, expected: Option<&str>, text: String) -> Self {
        Self { field: field.to_owned(), expected: expected.map(str::to_owned), text }
    }
}

impl Comparing<'_> {
    /// Compares the answers to one message.
    fn answers(&mut self, recorded: &Asked, live: Option<&Asked>) {
        let mut told = Vec::new();
        match live {
            Some(live) => self.replies(recorded, live, &mut told),
            None => told.push(Told::new(
                "unread",
                Some("it could not be found again among what was said"),
                "what came back was not compared".to_owned(),
            )),
        }
        told.retain(|told| {
            let mut names = self.ignored.iter();
            let spared = names.position(|name| name.eq_ignore_ascii_case(&told.field));
            self.comparison.spared.extend(spared);
            spared.is_none()
        });
        let at_fault = |frame: u64| {
            frame == recorded.number || recorded.replies.iter().any(|r| r.number == frame)
        };
        // Findings may be many, and most messages differ in nothing.
        if told.iter().any(|told| told.expected.is_none())
            && let Some(fault) = self.account.faults(at_fault)
        {
            for told in told.iter_mut().filter(|told| told.expected.is_none()) {
                told.expected = Some(format!("the recording is at fault: {}", fault.rule.id));
            }
        }
        let spec = &recorded.entry.spec;
        let kinds = self.comparison.kinds.entry((recorded.entry.protocol, spec.id)).or_default();
        kinds.entry = Some(recorded.entry);
        kinds.sent += 1;
        kinds.same += u64::from(told.is_empty());
        kinds.unexpected += u64::from(told.iter().any(|told| told.expected.is_none()));
        let entry = recorded.entry;
        for Told { field, expected, text } in told {
            let path = format!("{}/{}/{field}", entry.protocol, spec.id);
            self.differs(Key { path, expected }, Some(entry), &[recorded.number], text);
        }
    }

    fn differs(&mut self, key: Key, entry: Option<&'static Entry>, frames: &[u64], text: String) {
        let all = &mut self.comparison.differences;
        if all.len() >= KINDS && !all.contains_key(&key) {
            self.comparison.left_out += 1;
            return;
        }
        let known = all.entry(key).or_default();
        known.count += 1;
        if known.count == 1 {
            (known.entry, known.text) = (entry, text);
        }
        for frame in frames {
            if known.frames.len() < NAMED && !known.frames.contains(frame) {
                known.frames.push(*frame);
            }
        }
    }

    fn replies(&mut self, recorded: &Asked, live: &Asked, told: &mut Vec<Told>) {
        let is_list =
            |reply: &&Reply| reply.entry.affair() == Affair::List && !reply.entry.is_asked();
        let (was, other_was): (Vec<_>, Vec<_>) = recorded.replies.iter().partition(is_list);
        let (is, other_is): (Vec<_>, Vec<_>) = live.replies.iter().partition(is_list);
        if let (Some(first), Some(now)) = (was.first(), is.first()) {
            self.lists(recorded, live, &was, &is, told);
            if first.entry == now.entry {
                self.fields(recorded, live, first, now, told);
            } else {
                let text = format!("recorded {}, now {}", first.entry.spec.id, now.entry.spec.id);
                told.push(Told::new("form", None, text));
            }
        } else {
            counted(recorded, &was, &is, told);
        }
        self.others(recorded, live, &other_was, &other_is, told);
    }

    fn lists(
        &mut self,
        recorded: &Asked,
        live: &Asked,
        was: &[&Reply],
        is: &[&Reply],
        told: &mut Vec<Told>,
    ) {
        let was = List::of(&mut self.reading, was.iter().copied());
        let is = List::of(&mut self.reading, is.iter().copied());
        let pair = Pair {
            recorded,
            live,
            was: &self.account.standings,
            is: &self.outcome.run.standings,
            hosts: &self.hosts,
            proved: &self.outcome.proved,
            at: self.at,
        };
        let mut differs = Vec::new();
        pair.compare(&was, &is, &mut differs);
        let sizes = format!(" (recorded {}, now {} servers)", was.len(), is.len());
        for Differs { field, expected, text } in differs {
            let sizes = if field == "end" { "" } else { &sizes };
            told.push(Told::new(field, expected, format!("{text}{sizes}")));
        }
    }

    /// Answers that are no lists, those of one message with each other.
    fn others(
        &mut self,
        recorded: &Asked,
        live: &Asked,
        was: &[&Reply],
        is: &[&Reply],
        told: &mut Vec<Told>,
    ) {
        let common = was.iter().any(|was| is.iter().any(|is| is.entry == was.entry));
        let asks = |replies: &[&Reply]| replies.iter().any(|reply| reply.asks);
        if !common && asks(was) && asks(is) {
            let names = |replies: &[&Reply]| {
                replies.iter().map(|r| r.entry.spec.name).collect::<Vec<_>>().join(", ")
            };
            let text = format!("recorded {}, now {}", names(was), names(is));
            told.push(Told::new("question", Some("the master asks back in other words"), text));
            return;
        }
        let mut entries: Vec<&'static Entry> = Vec::new();
        for reply in was.iter().chain(is) {
            if !entries.contains(&reply.entry) {
                entries.push(reply.entry);
            }
        }
        for entry in entries {
            let of = |replies: &[&'_ Reply]| -> Vec<usize> {
                let fits = |(_, reply): &(usize, &&Reply)| reply.entry == entry;
                replies.iter().enumerate().filter(fits).map(|(at, _)| at).collect()
            };
            let (at_was, at_is) = (of(was), of(is));
            for (one, other) in at_was.iter().zip(&at_is) {
                if let (Some(was), Some(is)) = (was.get(*one), is.get(*other)) {
                    self.fields(recorded, live, was, is, told);
                }
            }
            let left = |all: &[usize], other: &[usize], replies: &[&'_ Reply]| {
                all.iter().skip(other.len()).filter_map(|at| replies.get(*at)).count()
            };
            let (missing, extra) = (left(&at_was, &at_is, was), left(&at_is, &at_was, is));
            let repeated = missing > 0 && !at_is.is_empty();
            let name = entry.spec.name;
            if missing > 0 {
                let why = repeated.then_some("the recorded master said it more than once");
                told.push(Told::new("missing", why, format!("{name} did not come")));
            }
            if extra > 0 {
                told.push(Told::new("extra", unasked(recorded), format!("{name} came")));
            }
        }
    }

    /// Compares two messages of one kind, value by value; what lists hold is compared elsewhere.
    fn fields(
        &mut self,
        recorded: &Asked,
        live: &Asked,
        was: &Reply,
        is: &Reply,
        told: &mut Vec<Told>,
    ) {
        let said = |reading: &mut Reading, reply: &Reply| -> Vec<Item> {
            let all = items(reading, reply.entry, &reply.bytes).into_iter();
            let counts = |i: &Item| i.field.is_data() || i.field.kind == Kind::Mark;
            all.filter(|i| counts(i) && !i.listed && i.field.role != Role::End).collect()
        };
        let reading = &mut self.reading;
        let (was, mut is) = (said(reading, was), said(reading, is));
        let asked = items(reading, recorded.entry, &recorded.bytes);
        let asks = items(reading, live.entry, &live.bytes);
        for then in was {
            let name = then.name().into_owned();
            let Some(at) = is.iter().position(|now| now.name() == name) else {
                told.push(Told::new(&name, own(&then), format!("{name} is not there")));
                continue;
            };
            let now = is.remove(at);
            // What brings back a value of the request is that of the request that was sent.
            let echoes = |item: &&Item| {
                !then.text.is_empty()
                    && item.field.role == then.field.role
                    && item.text == then.text
            };
            let echoed =
                asked.iter().position(|item| echoes(&item) && item.field.role != Role::None);
            let wanted = echoed.and_then(|at| asks.get(at));
            if wanted.map_or(now.text == then.text, |wanted| wanted.text == now.text) {
                continue;
            }
            let expected = if wanted.is_some() { None } else { own(&then) };
            let text = format!("recorded {}, now {}", shown(&then), shown(&now));
            told.push(Told::new(&name, expected, text));
        }
        for now in is {
            let name = now.name().into_owned();
            told.push(Told::new(&name, own(&now), format!("{name} is new: {}", shown(&now))));
        }
    }

    /// What is wrong with what the live master says, where it was not wrong in the recording; and
    /// what is no message at all.
    fn findings(&mut self) {
        let run = &self.outcome.run;
        let is_new = |rule: &str| !self.account.findings.iter().any(|f| f.rule.id == rule);
        let bad: Vec<_> = run
            .findings
            .iter()
            .filter(|f| f.rule.severity >= Severity::Warning && is_new(f.rule.id))
            .filter(|f| f.messages.iter().any(|frame| run.of_target.contains(frame)))
            .map(|f| (f.rule.id, f.rule.demand, f.text.clone()))
            .collect();
        for (rule, demand, text) in bad {
            let key = Key { path: format!("findings/{rule}"), expected: None };
            self.differs(key, None, &[], format!("{text}; {demand}"));
        }
        let strange = self.outcome.strange.len();
        if strange > 0 {
            let key = Key { path: "replay/strange".to_owned(), expected: None };
            let s = if strange == 1 { "" } else { "s" };
            let text = format!("{strange} datagram{s} of the target no protocol knows");
            self.differs(key, None, &[], text);
        }
    }
}

/// Lists of which one side has none.
fn counted(recorded: &Asked, was: &[&Reply], is: &[&Reply], told: &mut Vec<Told>) {
    match (was.first(), is.first()) {
        (Some(was), None) => {
            let text = format!("{} did not come", was.entry.spec.name);
            told.push(Told::new("missing", None, text));
        }
        (None, Some(is)) => {
            let text = format!("{} came", is.entry.spec.name);
            told.push(Told::new("extra", unasked(recorded), text));
        }
        _ => {}
    }
}

/// Why something may come that was not recorded.
fn unasked(recorded: &Asked) -> Option<&'static str> {
    let told = recorded.entry.spec.dealing.told;
    (recorded.replies.is_empty() && !told).then_some("the recording has no answer to it")
}

/// Why a value may differ: it is the master's own to choose.
fn own(item: &Item) -> Option<&'static str> {
    match item.field.role {
        Role::Challenge => Some("a challenge of the master's own"),
        Role::Secret => Some("a secret of the master's own"),
        Role::Free | Role::Host | Role::Name | Role::Person | Role::Place => {
            Some("a text of whoever runs the master")
        }
        _ => None,
    }
}

/// A value as a report tells it.
fn shown(item: &Item) -> String {
    if item.field.role == Role::Secret {
        return crate::dump::MASK.to_owned();
    }
    let text = item.text.get(..SHOWN).unwrap_or(&item.text);
    let more = if item.text.len() > SHOWN { "…" } else { "" };
    format!("{}{more}", text.escape_ascii())
}
