//! Findings: violations of the documents in the capture.
//!
//! A [`Rule`] is data; `docs/reference/findings.md` is generated from [`RULES`]. Findings are kept by rule
//! and by the endpoint at fault, so that a master with a fault in every packet gives one finding
//! with a count. What widely deployed programs do without harm is a note, and healthy traffic gives
//! no finding.

mod doubles;
mod faults;
mod forbidden;
mod frames;
mod key;
mod lists;
mod losses;
mod messages;
mod registering;
mod rules;
mod silence;
mod watch;

use std::collections::HashMap;
use std::fmt;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use frames::FaultyFrames;
use key::{About, FindingKey};
pub use rules::RULES;
use silence::Receivers;
pub use watch::FindingOccurrence;
use watch::FindingWatch;
pub(super) use watch::OccurrenceKey;

use super::finding::{Finding, Rule};
use super::focus::Focus;
use super::frame_ref::{FrameOrigin, FrameRef};
use super::hosts::Hosts;
use super::registrations::Registration;
use flow::Flows;
use text::Secrets;

/// How many findings are kept, and how many of one rule: many senders with the same fault must not
/// displace other findings.
const KEPT: usize = 4_096;
const OF_ONE_RULE: u32 = 1_024;
/// How many messages one finding names.
const NAMED: usize = 16;

/// All findings.
#[derive(Default)]
pub(super) struct Findings {
    /// By the rule, the endpoint at fault, and the detail.
    by_key: HashMap<(&'static str, SocketAddr, About), Finding, RandomState>,
    /// Number of findings of each rule.
    of_rules: HashMap<&'static str, u32, RandomState>,
    /// Servers with a higher limit than others.
    pub(super) focus: Focus,
    left_out: u64,
    /// Whether texts quote secrets.
    pub(super) secrets: Secrets,
    /// All messages with findings, if requested.
    frames: Option<FaultyFrames>,
    history: messages::MessageHistory,
    answers: forbidden::Answers,
    doubles: doubles::SeenEndpoints,
    heartbeats: registering::HeartbeatHistory,
    silence: silence::Silence,
    /// Occurrences as they come, if requested.
    watch: Option<FindingWatch>,
}

impl Findings {
    /// The same, but all messages with findings are kept too.
    pub fn with_frames() -> Self {
        Self { frames: Some(FaultyFrames::default()), ..Self::default() }
    }

    /// The same, but occurrences of these rules are kept until they are taken.
    pub fn watching(rules: Vec<&'static Rule>) -> Self {
        Self { watch: Some(FindingWatch::new(rules)), ..Self::default() }
    }

    /// The occurrences of watched rules since the last call, in their order.
    pub fn take_occurrences(&mut self) -> Vec<FindingOccurrence> {
        self.watch.as_mut().map(FindingWatch::take_occurrences).unwrap_or_default()
    }

    /// The frames of all messages with findings, in order, and the index of the finding in
    /// [`Findings::all`].
    pub fn faults(&self) -> Vec<(u32, u32)> {
        let Some(frames) = &self.frames else {
            return Vec::new();
        };
        let mut indices = vec![None; self.by_key.len()];
        for (at, finding) in (0..).zip(self.all()) {
            if let Some(index) = indices.get_mut(finding.serial as usize) {
                *index = Some(at);
            }
        }
        frames.sorted(|serial| indices.get(serial as usize).copied().flatten())
    }

    /// Number of messages with findings that were not kept.
    pub fn frames_left_out(&self) -> u64 {
        self.frames.as_ref().map_or(0, FaultyFrames::left_out)
    }

    /// In the order of the first messages at fault.
    pub fn all(&self) -> Vec<&Finding> {
        let mut all: Vec<_> = self.by_key.values().collect();
        all.sort_by_key(|f| (f.messages.first().copied(), f.rule.id, f.subject, f.serial));
        all
    }

    /// Number of findings that were not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// After the end of the capture: checks these registrations, and all pairs of hosts for silence.
    pub fn conclude(&mut self, registrations: &[Registration], hosts: &Hosts, flows: &Flows) {
        let receivers = Receivers::new(flows);
        self.conclude_registrations(registrations, &receivers);
        self.conclude_silence(hosts, &receivers);
        self.conclude_losses(flows);
    }

    /// What the end of the capture would conclude, if it came now: the occurrences of watched
    /// rules. Nothing of it is added to the findings.
    pub fn conclude_so_far(
        &mut self,
        registrations: &[Registration],
        hosts: &Hosts,
        flows: &Flows,
    ) -> Vec<FindingOccurrence> {
        let mut ahead = Self {
            focus: self.focus.clone(),
            secrets: self.secrets,
            watch: self.watch.as_ref().map(FindingWatch::afresh),
            heartbeats: std::mem::take(&mut self.heartbeats),
            silence: std::mem::take(&mut self.silence),
            ..Self::default()
        };
        ahead.conclude(registrations, hosts, flows);
        let occurrences = ahead.take_occurrences();
        (self.heartbeats, self.silence) = (ahead.heartbeats, ahead.silence);
        occurrences
    }

    /// Adds a violation of a rule; the text is only built for the first one.
    fn add_finding(
        &mut self,
        rule: &'static Rule,
        subject: SocketAddr,
        messages: &[FrameRef],
        text: impl FnOnce() -> String,
    ) {
        self.add_keyed(FindingKey::new(rule, subject), messages, text);
    }

    /// The same with everything that distinguishes the finding.
    fn add_keyed(&mut self, key: FindingKey, messages: &[FrameRef], text: impl FnOnce() -> String) {
        if let Some(watch) = self.watch.as_mut().filter(|watch| watch.wants(key.rule)) {
            let text = text();
            watch.add_occurrence(&key, messages, text.clone());
            self.add_counted(key, messages, || text);
        } else {
            self.add_counted(key, messages, text);
        }
    }

    /// Adds an occurrence to the finding with this key, or begins that finding.
    fn add_counted(
        &mut self,
        key: FindingKey,
        messages: &[FrameRef],
        text: impl FnOnce() -> String,
    ) {
        let FindingKey { rule, subject, about, section, explains, place } = key;
        let key = (rule.id, subject, about);
        if let Some(known) = self.by_key.get_mut(&key) {
            known.occurrences += 1;
            known.origin = known.origin.and(messages);
            let earlier = messages.first().zip(known.messages.first());
            if let Some((first, _)) = earlier.filter(|(first, known)| first.number < **known) {
                known.origin.input = first.input;
                known.messages.insert(0, first.number);
                known.messages.truncate(NAMED);
                known.text = text();
                known.place = place;
            }
            for FrameRef { number, .. } in messages {
                if let Some(frames) = &mut self.frames {
                    frames.add_frame(*number, known.serial);
                }
                if known.messages.len() < NAMED && !known.messages.contains(number) {
                    known.messages.push(*number);
                }
            }
            return;
        }
        let of_rule = self.of_rules.entry(rule.id).or_insert(0);
        let has_room = |count, most| self.focus.has_room(subject, count, most);
        if !has_room(self.by_key.len(), KEPT) || !has_room(*of_rule as usize, OF_ONE_RULE as usize)
        {
            self.left_out += 1;
            return;
        }
        *of_rule += 1;
        let serial = self.by_key.len() as u32;
        if let Some(frames) = &mut self.frames {
            for FrameRef { number, .. } in messages {
                frames.add_frame(*number, serial);
            }
        }
        let origin = FrameOrigin::from_frames(messages);
        let messages = messages.iter().take(NAMED).map(|frame| frame.number).collect();
        let (text, occurrences) = (text(), 1);
        let finding = Finding {
            rule,
            subject,
            messages,
            origin,
            occurrences,
            about: about.to_string(),
            text,
            place,
            section,
            explains,
            serial,
        };
        self.by_key.insert(key, finding);
    }
}

impl Rule {
    /// `document 001, section 1.1.2`.
    pub fn citation(&self) -> String {
        citation(self.section)
    }
}

impl Finding {
    /// `document 001, section 1.1.2`.
    pub fn citation(&self) -> String {
        citation(self.section)
    }
}

fn citation(section: &str) -> String {
    match section.split_once(' ') {
        Some((document, section)) if document.bytes().all(|b| b.is_ascii_digit()) => {
            format!("document {document}, section {section}")
        }
        Some(_) => section.to_owned(),
        None => "the section that describes the message".to_owned(),
    }
}

impl fmt::Display for Finding {
    /// The text and the count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if self.occurrences > 1 { write!(f, " ({} times)", self.occurrences) } else { Ok(()) }
    }
}
