//! The steps of a registration, with the evidence for each.

use std::net::SocketAddr;

use super::lists::SeenLists;
use super::record::{MessageTally, RegistrationRecord};
use super::same_port::SamePort;
use super::{FailureCause, StepName, StepReport, StepState};
use crate::exchange::{ChallengeProof, Misdirected};
use crate::finding::Finding;
use crate::frame_ref::{FrameOrigin, FrameRef};
use crate::host::ServerHost;
use crate::hosts::Hosts;
use text::digits::counted;
use text::duration;

/// The evidence of a registration.
pub(super) struct RegistrationEvidence<'a> {
    pub server: SocketAddr,
    pub master: SocketAddr,
    pub record: &'a RegistrationRecord,
    /// The server, and the server at its address with the bytes of the port swapped.
    pub host: Option<&'a ServerHost>,
    pub swapped: Option<&'a ServerHost>,
    /// The master's lists.
    pub lists: SeenLists<'a>,
    /// The servers in lists, by their port.
    pub same_port: &'a SamePort,
    pub hosts: &'a Hosts,
    /// Findings about the server's messages.
    pub findings: &'a [&'a Finding],
}

/// Why the content of an answer is unknown if messages were cut.
const CUT: &str = "the capture has only parts of the messages";
/// How many frames a step names.
pub(super) const NAMED: usize = 8;

impl RegistrationEvidence<'_> {
    /// Every step of the protocol, in order. Steps after a failed one are not reached, unless there
    /// is evidence for them.
    pub fn steps(&self) -> Vec<StepReport> {
        let steps = [
            self.heartbeat(),
            self.challenge(),
            self.answer(),
            self.proof(),
            self.contents(),
            self.listing(),
        ];
        let mut failed = false;
        let mut all = Vec::with_capacity(steps.len());
        for mut step in steps.into_iter().flatten() {
            if failed && step.state != StepState::Ok {
                step = unseen(step.name, "not reached");
            }
            failed |= step.state == StepState::Failed;
            all.push(step);
        }
        all
    }

    fn heartbeat(&self) -> Option<StepReport> {
        let RegistrationRecord { heartbeats, shutdowns, errors, .. } = self.record;
        let master = self.master;
        let name = StepName::Heartbeat;
        let error = self.record.error.as_deref();
        if let Some(error) = error.filter(|_| !self.is_reached()) {
            let of = counted(heartbeats.count + shutdowns.count, "heartbeat");
            let text = format!("{of} to {master}: {error} ({})", times(errors.count));
            return Some(failed(name, FailureCause::MasterUnreachable, text, &errors.frames));
        }
        let with =
            self.host.and_then(|host| host.registrations.iter().find(|with| with.master == master));
        if heartbeats.count == 0 && with.is_some_and(|with| with.heartbeats() > 0) {
            return Some(unseen(name, "not judged: there are more registrations than are kept"));
        }
        if heartbeats.count == 0 {
            let text = match shutdowns.count {
                0 => format!("no heartbeat to {master} was captured"),
                _ => format!("only that it shuts down was captured, to {master}"),
            };
            return Some(StepReport { frames: shutdowns.frames.clone(), ..unseen(name, text) });
        }
        let mut text = format!("{} to {master}", counted(heartbeats.count, "heartbeat"));
        let RegistrationRecord { accepted, challenges, .. } = self.record;
        if accepted.count > 0 && challenges.count == 0 {
            text = format!("{text}; the master answers with {}", accepted.name);
        }
        if let Some(error) = error {
            text = format!("{text}; {error} ({})", times(errors.count));
        }
        Some(ok(name, text, &heartbeats.frames))
    }

    /// Why a missing message proves nothing.
    fn unclear(&self) -> Option<String> {
        let bound = self.record.bound.map(|bound| format!("not judged: {bound}"));
        bound.or_else(|| self.record.cut.then(|| CUT.to_owned()))
    }

    /// Whether the master sent anything, or the server sent an answer to it.
    fn is_reached(&self) -> bool {
        let RegistrationRecord {
            challenges,
            answers,
            accepted,
            refusals,
            unrequested: unasked,
            ..
        } = self.record;
        let messages = [challenges, answers, accepted, refusals, unasked];
        messages.iter().any(|messages| messages.count > 0)
    }

    /// Masters of some protocols never send a challenge.
    fn challenge(&self) -> Option<StepReport> {
        let RegistrationRecord {
            challenges,
            refusals,
            answers,
            unrequested: unasked,
            heartbeats,
            ..
        } = self.record;
        let name = StepName::Challenge;
        let RegistrationRecord { changed, accepted, .. } = self.record;
        if let Some([sent, returned]) = self.record.changed_values
            && answers.count == 0
        {
            let text = format!(
                "the master brings back another challenge than the server sent: {returned}, not \
                 {sent}; the server ignores that"
            );
            return Some(failed(name, FailureCause::ValueChanged, text, &changed.frames));
        }
        if challenges.count > 0 {
            let text = match self.record.proof {
                ChallengeProof::NotSent => format!("the master asks back with {}", challenges.name),
                _ => format!("the master sends {} with a challenge", challenges.name),
            };
            return Some(ok(name, text, &challenges.frames));
        }
        if refusals.count > 0 {
            let text = format!("the master refuses it with {}", refusals.name);
            return Some(failed(name, FailureCause::Refused, text, &refusals.frames));
        }
        if self.record.one_way || answers.count > 0 || accepted.count > 0 {
            return None;
        }
        if unasked.count > 0 {
            let text = "the master's request was not captured, the server's answer was";
            return Some(StepReport { frames: unasked.frames.clone(), ..unseen(name, text) });
        }
        if heartbeats.count == 0 {
            return Some(unseen(name, "no request of the master was captured"));
        }
        if let Some(why) = self.unclear().filter(|_| self.record.unanswered == 0) {
            return Some(unseen(name, why));
        }
        if self.record.unanswered == 0 {
            return Some(unseen(name, "the capture ends before the master could ask back"));
        }
        let text = "the master did not ask back: it does not know the game, did not get the \
                    heartbeat, or its request did not get here";
        let cause = FailureCause::HeartbeatUnanswered;
        Some(failed(name, cause, text.to_owned(), &heartbeats.frames))
    }

    fn answer(&self) -> Option<StepReport> {
        let RegistrationRecord { challenges, answers, unrequested: unasked, return_errors, .. } =
            self.record;
        let name = StepName::Answer;
        if challenges.count == 0 && unasked.count > 0 {
            let text = format!("it answers with {}", unasked.name);
            return Some(ok(name, text, &unasked.frames));
        }
        if challenges.count == 0 {
            // An answer to the heartbeat itself shows that the master has got it.
            return self.challenge().map(|_| unseen(name, "no answer of the server was captured"));
        }
        if answers.count > 0 {
            let delay = duration(self.record.delay.unwrap_or_default());
            let text = format!("it answers with {} after {delay}", answers.name);
            return Some(ok(name, text, &answers.frames));
        }
        if let Some(Misdirected { frame, other }) = self.record.misdirected {
            let text = format!("the server sent its answer to another master, {other}");
            return Some(failed(name, FailureCause::Misdirected, text, &[frame]));
        }
        if let Some(error) = &self.record.return_error {
            let text = format!(
                "the master's request did not arrive: {error} ({})",
                times(return_errors.count)
            );
            return Some(failed(
                name,
                FailureCause::ServerUnreachable,
                text,
                &return_errors.frames,
            ));
        }
        if let Some(why) = self.unclear().filter(|_| self.record.ignored == 0) {
            return Some(unseen(name, why));
        }
        if self.record.ignored == 0 {
            return Some(unseen(name, "the capture ends before the server could answer"));
        }
        let to = self.record.challenged_at.unwrap_or(self.server);
        let asked = match challenges.count {
            1 => String::new(),
            count => format!(", {}", times(count)),
        };
        let mut text = format!("the server did not answer: it was asked on {to}{asked}");
        let RegistrationRecord { refusals, .. } = self.record;
        if refusals.count > 0 {
            text = format!("{text}; the master refuses it with {}", refusals.name);
        }
        let frames: Vec<_> = challenges.frames.iter().chain(&refusals.frames).copied().collect();
        Some(sorted(failed(name, FailureCause::ChallengeUnanswered, text, &frames)))
    }

    fn proof(&self) -> Option<StepReport> {
        let RegistrationRecord { challenges, answers, .. } = self.record;
        let name = StepName::Proof;
        let frames: Vec<_> = challenges.frames.iter().chain(&answers.frames).copied().collect();
        let misdirected = self.record.misdirected;
        let foreign = misdirected.map(|Misdirected { other, .. }| {
            format!("the answer brings back the challenge of another master, {other}")
        });
        let wrong = || "another challenge came back than was sent".to_owned();
        let report = match self.record.proof {
            ChallengeProof::Right => ok(name, "the challenge came back".to_owned(), &frames),
            ChallengeProof::Wrong => {
                failed(name, FailureCause::ChallengeWrong, foreign.unwrap_or_else(wrong), &frames)
            }
            ChallengeProof::Missing => {
                let text = "the answer has no challenge".to_owned();
                failed(name, FailureCause::ChallengeWrong, text, &frames)
            }
            ChallengeProof::Unknown => {
                let text = "no published key tells whether the proof is right";
                StepReport { frames, ..unseen(name, text) }
            }
            ChallengeProof::Awaited => unseen(name, "no answer was captured"),
            // A query without a challenge has nothing to return.
            ChallengeProof::NotSent if answers.count > 0 || self.record.accepted.count > 0 => {
                return None;
            }
            ChallengeProof::NotSent => {
                self.challenge()?;
                unseen(name, "no challenge was captured")
            }
        };
        Some(sorted(report))
    }

    /// The keys that masters require in the answer beside the challenge.
    fn contents(&self) -> Option<StepReport> {
        let RegistrationRecord { answers, unrequested: unasked, .. } = self.record;
        let name = StepName::Contents;
        let answers = if answers.count > 0 { answers } else { unasked };
        if answers.count == 0 {
            return self.challenge().map(|_| unseen(name, "no answer was captured"));
        }
        let is_ours = |finding: &&&Finding| {
            finding.rule.id.starts_with("info.") && shares(&finding.messages, answers)
        };
        let found: Vec<_> = self.findings.iter().filter(is_ours).collect();
        let Some(first) = found.first() else {
            let text = "the answer has what the documents require".to_owned();
            return Some(ok(name, text, &answers.frames));
        };
        let texts: Vec<_> = found.iter().map(|f| f.text.as_str()).collect();
        let FrameOrigin { input, flow } = first.origin;
        let frame = |number| FrameRef { number, flow: flow.unwrap_or_default(), input };
        let ours: Vec<_> = first.messages.iter().take(NAMED).copied().map(frame).collect();
        Some(failed(name, FailureCause::ContentsIncomplete, texts.join("; "), &ours))
    }
}

fn shares(numbers: &[u64], messages: &MessageTally) -> bool {
    messages.frames.iter().any(|frame| numbers.contains(&frame.number))
}

pub(super) fn sorted(mut report: StepReport) -> StepReport {
    report.frames.sort_unstable();
    report.frames.truncate(NAMED);
    report
}

pub(super) fn ok(name: StepName, text: String, frames: &[FrameRef]) -> StepReport {
    StepReport { name, state: StepState::Ok, cause: None, text, frames: frames.to_vec() }
}

pub(super) fn failed(
    name: StepName,
    cause: FailureCause,
    text: String,
    frames: &[FrameRef],
) -> StepReport {
    let (state, cause) = (StepState::Failed, Some(cause));
    StepReport { name, state, cause, text, frames: frames.to_vec() }
}

pub(super) fn unseen(name: StepName, text: impl Into<String>) -> StepReport {
    let (state, cause, frames) = (StepState::Unseen, None, Vec::new());
    StepReport { name, state, cause, text: text.into(), frames }
}

/// `once`, `4 times`.
fn times(n: u64) -> String {
    if n == 1 { "once".to_owned() } else { format!("{n} times") }
}
