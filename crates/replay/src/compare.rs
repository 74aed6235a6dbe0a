//! Compares the live master's responses with the recorded ones, field by field.
//!
//! Values that a master chooses may differ: challenges, its own texts. So may values that depend on
//! time and on servers that were not there to register. Where a finding says that the recording
//! itself is at fault, nothing is compared. All other differences are unexpected.

use std::collections::{BTreeMap, BTreeSet};

use super::list_answer::ListAnswer;
use super::lists::ListPair;
use super::recorded_messages::{RecordedReply, RecordedRequest};
use super::restarts::Restarts;
use super::ruling::{Difference, Ruling};
use super::run::ReplayOutcome;
use super::run_context::RunContext;
use super::sockets::ReplaySockets;
use super::transcript::Transcript;
use super::values;
use analysis::Severity;
use protocol::{Entry, Reading, Refusal};
use text::{Secrets, counted};

/// The maximum number of kinds of differences, and of frames named for each.
const KINDS: usize = 4096;
const NAMED: usize = 16;
/// The rule on addresses that a client cannot reach. A local target lists such addresses if other
/// hosts than the simulated ones have registered there.
const LOCAL: &str = "list.address-local";

/// The result of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// By protocol and message: how many were sent, and how many had no difference.
    pub(crate) kinds: BTreeMap<(&'static str, &'static str), Kinds>,
    /// The differences.
    pub(crate) differences: BTreeMap<DifferenceKey, Found>,
    /// Differences dropped by the limits.
    pub left_out: u64,
    /// Restarts of the recorded masters, a sentence each.
    pub restarts: Vec<String>,
    /// Ignored fields that differed, by index.
    ignored_at: BTreeSet<usize>,
}

/// Messages of one kind.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    pub entry: Option<&'static Entry>,
    pub sent: u64,
    pub same: u64,
    pub unexpected: u64,
    /// How many had no unexpected difference, but could not be compared completely.
    pub not_compared: u64,
}

/// A difference: a path of protocol, message and field, and its ruling.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DifferenceKey {
    pub path: String,
    pub ruling: Ruling,
}

/// The occurrences of one difference.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub entry: Option<&'static Entry>,
    pub count: u64,
    /// The frames of the requests in the recording, the first of them.
    pub frames: Vec<u64>,
    /// The text of the first occurrence.
    pub text: String,
}

/// Compares, ignoring fields of these names.
struct Comparer<'a> {
    cx: RunContext<'a>,
    ignored: &'a [String],
    reading: Reading,
    /// When the compared request was sent, in nanoseconds from the start of the run.
    at: u64,
    comparison: Comparison,
}

impl Comparison {
    /// Compares a run with its recording.
    pub fn new(
        transcript: &Transcript,
        outcome: &ReplayOutcome,
        sockets: &ReplaySockets,
        ignored: &[String],
        secrets: Secrets,
    ) -> Self {
        let hosts = transcript.requests.iter().map(|request| request.from.ip()).collect();
        let mut reading = Reading::default();
        let restarts = Restarts::from_transcript(transcript, &mut reading);
        let comparison = Self { restarts: restarts.sentences().collect(), ..Self::default() };
        let cx = RunContext { transcript, outcome, sockets, restarts, hosts, secrets };
        let mut comparing = Comparer { cx, ignored, reading, at: 0, comparison };
        for pairing in &outcome.pairs {
            if let Some(recorded) = transcript.requests.get(pairing.recorded) {
                let live = pairing.live.and_then(|live| outcome.run.requests.get(live));
                comparing.at = pairing.at;
                comparing.compare_answers(recorded, live);
            }
        }
        comparing.findings();
        comparing.comparison
    }

    /// The ignored names that no difference had.
    pub fn unused<'a>(&self, ignored: &'a [String]) -> impl Iterator<Item = &'a String> {
        let unused = ignored.iter().enumerate().filter(|(at, _)| !self.ignored_at.contains(at));
        unused.map(|(_, name)| name)
    }

    /// Whether there is an unexpected difference.
    pub fn has_unexpected(&self) -> bool {
        self.differences.keys().any(|key| key.ruling.is_unexpected())
    }

    /// How many messages were sent, and how many of them could not be compared.
    pub fn counts(&self) -> (u64, u64) {
        let all = self.kinds.values();
        all.fold((0, 0), |(sent, not), kinds| (sent + kinds.sent, not + kinds.not_compared))
    }
}

impl Comparer<'_> {
    /// Compares the responses to one message.
    fn compare_answers(&mut self, recorded: &RecordedRequest, live: Option<&RecordedRequest>) {
        let mut found = Vec::new();
        match live {
            Some(live) => self.replies(recorded, live, &mut found),
            None => found.push(Difference::new(
                "unread",
                Ruling::NotCompared("its copy in the run was not decoded".to_owned()),
                "the responses were not compared".to_owned(),
            )),
        }
        found.retain(|difference| {
            let mut names = self.ignored.iter();
            let ignored_at = names.position(|name| name.eq_ignore_ascii_case(&difference.field));
            self.comparison.ignored_at.extend(ignored_at);
            ignored_at.is_none()
        });
        // Findings may be many, and most messages have no difference.
        if found.iter().any(|difference| difference.ruling.is_unexpected()) {
            self.reclassify(recorded, &mut found);
        }
        let spec = &recorded.entry.spec;
        let kinds = self.comparison.kinds.entry((recorded.entry.protocol.id, spec.id)).or_default();
        let is_unexpected = found.iter().any(|difference| difference.ruling.is_unexpected());
        let not_compared = |d: &Difference| matches!(d.ruling, Ruling::NotCompared(_));
        kinds.entry = Some(recorded.entry);
        kinds.sent += 1;
        kinds.same += u64::from(found.is_empty());
        kinds.unexpected += u64::from(is_unexpected);
        kinds.not_compared += u64::from(!is_unexpected && found.iter().any(not_compared));
        let entry = recorded.entry;
        for Difference { field, ruling, text } in found {
            let path = format!("{}/{}/{field}", entry.protocol.id, spec.id);
            self.differs(DifferenceKey { path, ruling }, Some(entry), &[recorded.number], text);
        }
    }

    /// Rules differences out that do not count against the target: if it answered nothing at all, if
    /// the recorded master was restarted, or if the recording itself is at fault.
    fn reclassify(&self, recorded: &RecordedRequest, found: &mut [Difference]) {
        let at_fault = |frame: u64| {
            frame == recorded.number || recorded.replies.iter().any(|r| r.number == frame)
        };
        let silent = self.cx.outcome.is_silent().then_some("the target answered nothing");
        let not_compared = silent.or_else(|| self.cx.restarts.reason(recorded));
        let ruling = Ruling::not_compared(not_compared).or(|| {
            let fault = self.cx.transcript.faults(at_fault);
            let reason = fault.map(|f| format!("the recording is at fault: {}", f.rule.id));
            Ruling::allowed(reason.as_deref())
        });
        for difference in found.iter_mut().filter(|d| d.ruling.is_unexpected()) {
            difference.ruling = ruling.clone();
        }
    }

    fn differs(
        &mut self,
        key: DifferenceKey,
        entry: Option<&'static Entry>,
        frames: &[u64],
        text: String,
    ) {
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

    fn replies(
        &mut self,
        recorded: &RecordedRequest,
        live: &RecordedRequest,
        differences: &mut Vec<Difference>,
    ) {
        let (was_lists, was_others): (Vec<_>, Vec<_>) =
            recorded.replies.iter().partition(|reply| reply.is_list());
        let (is_lists, is_others): (Vec<_>, Vec<_>) =
            live.replies.iter().partition(|reply| reply.is_list());
        if let (Some(first), Some(now)) = (was_lists.first(), is_lists.first()) {
            self.lists(recorded, live, &was_lists, &is_lists, differences);
            if first.entry == now.entry {
                self.values((recorded, first), (live, now), differences);
            } else {
                let text = format!("recorded {}, now {}", first.entry.spec.id, now.entry.spec.id);
                differences.push(Difference::new("form", Ruling::Unexpected, text));
            }
        } else if let Some(list) = was_lists.first().or(is_lists.first()) {
            // Only one side has it.
            self.kind(list.entry, (recorded, &was_lists), (live, &is_lists), differences);
        }
        self.others((recorded, &was_others), (live, &is_others), differences);
    }

    fn lists(
        &mut self,
        recorded: &RecordedRequest,
        live: &RecordedRequest,
        was: &[&RecordedReply],
        is: &[&RecordedReply],
        differences: &mut Vec<Difference>,
    ) {
        let (reading, sockets) = (&mut self.reading, self.cx.sockets);
        let was =
            ListAnswer::from_packets(reading, recorded.entry, was.iter().copied(), |server| server);
        let name = |server| sockets.recorded(server);
        let is = ListAnswer::from_packets(reading, live.entry, is.iter().copied(), name);
        let pair = ListPair { cx: &self.cx, recorded, live, at: self.at };
        pair.compare(&was, &is, reading, differences);
    }

    fn values(
        &mut self,
        was: (&RecordedRequest, &RecordedReply),
        is: (&RecordedRequest, &RecordedReply),
        differences: &mut Vec<Difference>,
    ) {
        values::compare(&mut self.reading, was, is, self.cx.secrets, differences);
    }

    /// Compares the responses to one message that are no lists.
    fn others(
        &mut self,
        (recorded, was): (&RecordedRequest, &[&RecordedReply]),
        (live, is): (&RecordedRequest, &[&RecordedReply]),
        differences: &mut Vec<Difference>,
    ) {
        let common = was.iter().any(|was| is.iter().any(|is| is.entry == was.entry));
        let has_request = |replies: &[&RecordedReply]| replies.iter().any(|r| r.is_request);
        if !common && has_request(was) && has_request(is) {
            let names = |replies: &[&RecordedReply]| {
                replies.iter().map(|r| r.entry.spec.name).collect::<Vec<_>>().join(", ")
            };
            let text = format!("recorded {}, now {}", names(was), names(is));
            let ruling = Ruling::allowed(Some("the master sends another challenge message"));
            differences.push(Difference::new("challenge-message", ruling, text));
            return;
        }
        let mut entries: Vec<&'static Entry> = Vec::new();
        for reply in was.iter().chain(is) {
            if !entries.contains(&reply.entry) {
                entries.push(reply.entry);
                self.kind(reply.entry, (recorded, was), (live, is), differences);
            }
        }
    }

    /// Compares the responses of one kind, one by one; of those that only one side has, the first.
    fn kind(
        &mut self,
        entry: &'static Entry,
        (recorded, was): (&RecordedRequest, &[&RecordedReply]),
        (live, is): (&RecordedRequest, &[&RecordedReply]),
        differences: &mut Vec<Difference>,
    ) {
        let of_kind = |reply: &&&RecordedReply| reply.entry == entry;
        let was: Vec<_> = was.iter().filter(of_kind).collect();
        let is: Vec<_> = is.iter().filter(of_kind).collect();
        for (was, is) in was.iter().zip(&is) {
            self.values((recorded, was), (live, is), differences);
        }
        let name = entry.spec.name;
        if was.len() > is.len() {
            let is_due = !recorded.entry.spec.one_way || entry.spec.refusal != Refusal::Never;
            let why = match (is.is_empty(), !is_due) {
                (false, _) => Some("the recorded master sent it more than once"),
                (true, true) => Some("nothing has to come back to that message"),
                (true, false) => None,
            };
            let text = format!("{name} did not come");
            differences.push(Difference::new("missing", Ruling::allowed(why), text));
        } else if is.len() > was.len() {
            let has_no_answer = recorded.replies.is_empty() && !recorded.entry.spec.one_way;
            let why = has_no_answer.then_some("the recording has no answer to it");
            let text = format!("{name} came");
            differences.push(Difference::new("extra", Ruling::allowed(why), text));
        }
    }

    /// Faults of the live master's messages that the recorded ones did not have; and payloads that
    /// are no message.
    fn findings(&mut self) {
        let run = &self.cx.outcome.run;
        let is_new = |rule: &str| !self.cx.transcript.findings.iter().any(|f| f.rule.id == rule);
        let bad: Vec<_> = run
            .findings
            .iter()
            .filter(|f| f.rule.severity >= Severity::Warning && is_new(f.rule.id))
            .filter(|f| f.rule.id != LOCAL || !self.cx.sockets.target().is_local())
            .filter(|f| f.messages.iter().any(|frame| run.of_target.contains(frame)))
            .map(|f| (f.rule.id, f.rule.requirement, f.text.clone()))
            .collect();
        for (rule, requirement, text) in bad {
            let key =
                DifferenceKey { path: format!("findings/{rule}"), ruling: Ruling::Unexpected };
            self.differs(key, None, &[], format!("{text}; {requirement}"));
        }
        let unrecognised = self.cx.outcome.unrecognised.len();
        if unrecognised > 0 {
            let key = DifferenceKey {
                path: "replay/unrecognised".to_owned(),
                ruling: Ruling::Unexpected,
            };
            let datagrams = counted(unrecognised as u64, "datagram");
            let text = format!("{datagrams} of the target in no known protocol");
            self.differs(key, None, &[], text);
        }
    }
}
