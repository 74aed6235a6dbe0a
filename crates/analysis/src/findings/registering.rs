//! Failed registrations: one finding per server and master, at the step that failed.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::Findings;
use super::key::{About, FindingKey};
use super::rules::{
    CHALLENGE_UNANSWERED, HEARTBEAT_UNANSWERED, MASTER_UNREACHABLE, REFUSED, UNLISTED,
    VALUE_CHANGED,
};
use super::silence::{Receivers, error_count, span};
use crate::exchange::{Exchange, ExchangeState};
use crate::frame_ref::FrameRef;
use crate::registrations::{FailureCause, Registration, StepName, StepReport, StepState};
use protocol::ExchangeKind;
use text::digits::counted;

/// For how many pairs of server and master the heartbeats are watched.
const PAIRS: usize = 1 << 14;
/// How many unanswered heartbeats in a row prove that a master is gone that answered before: fewer
/// may be lost packets.
const IN_A_ROW: u64 = 3;

/// The last heartbeats of servers to masters, in their order.
#[derive(Default)]
pub(super) struct HeartbeatHistory {
    all: HashMap<(SocketAddr, SocketAddr), PairHistory, RandomState>,
}

/// The latest heartbeats of a server to a master, with the outcome.
#[derive(Default)]
struct PairHistory {
    /// The time of the last one that was answered, in nanoseconds since the Unix epoch.
    answered: Option<i64>,
    /// The unanswered ones after it.
    lost: Vec<UnansweredHeartbeats>,
    /// Of those, the ones with ICMP errors.
    errors: Vec<HeartbeatErrors>,
}

/// Heartbeats of one exchange.
struct UnansweredHeartbeats {
    frame: FrameRef,
    first: i64,
    last: i64,
    count: u64,
}

struct HeartbeatErrors {
    /// When the exchange began.
    first: i64,
    count: u64,
    error: String,
}

/// How many exchanges of a trail are kept.
const LOST: usize = 64;
/// For how many of them memory is taken at a time: there are thousands of trails.
const ROOM: usize = 4;

impl HeartbeatHistory {
    fn observe(&mut self, exchange: &Exchange) {
        let key = (exchange.server.unwrap_or(exchange.requester), exchange.responder);
        if self.all.len() >= PAIRS && !self.all.contains_key(&key) {
            return;
        }
        let trail = self.all.entry(key).or_default();
        let time = exchange.first;
        match exchange.state {
            ExchangeState::Unanswered => {
                let errors: Vec<_> =
                    exchange.errors.iter().filter(|e| e.is_unreachable()).collect();
                let is_new = trail.answered.is_none_or(|answered| time > answered);
                let is_lost = exchange.proves_silence() || !errors.is_empty();
                if is_new && is_lost && trail.lost.len() < LOST {
                    trail.add_lost(exchange);
                    trail.errors.extend(errors.first().map(|error| HeartbeatErrors {
                        first: time,
                        count: errors.len() as u64,
                        error: error.what.clone(),
                    }));
                }
            }
            ExchangeState::Answered | ExchangeState::Incomplete | ExchangeState::Refused => {
                if trail.answered.is_none_or(|answered| time > answered) {
                    trail.answered = Some(time);
                    trail.lost.retain(|lost| lost.first > time);
                    trail.errors.retain(|errors| errors.first > time);
                }
            }
            ExchangeState::Unsolicited | ExchangeState::OneWay => {}
        }
    }
}

impl PairHistory {
    fn add_lost(&mut self, exchange: &Exchange) {
        if self.lost.len() == self.lost.capacity() {
            self.lost.reserve_exact(ROOM);
        }
        self.lost.push(UnansweredHeartbeats {
            frame: exchange.begin,
            first: exchange.first,
            last: exchange.last,
            count: 1 + u64::from(exchange.retries),
        });
    }
}

impl Findings {
    /// Processes a registration that has ended.
    pub(super) fn observe_registration(&mut self, exchange: &Exchange) {
        if exchange.kind == ExchangeKind::Registration {
            self.heartbeats.observe(exchange);
        }
    }

    /// Whether there may be a finding about a registration: most have none.
    pub(crate) fn may_report(&self, of: &Registration) -> bool {
        let history = || self.heartbeats.all.get(&(of.server, of.master));
        of.failed().is_some() || history().is_some_and(|trail| !trail.lost.is_empty())
    }

    /// After the end of the capture: finds the registrations that failed.
    pub(super) fn conclude_registrations(
        &mut self,
        all: &[Registration],
        receivers: &Receivers<'_>,
    ) {
        for registration in all {
            match registration.failed() {
                Some(step) => self.failed(registration, step, receivers),
                None => self.stopped_answering(registration),
            }
        }
    }

    fn failed(&mut self, of: &Registration, step: &StepReport, receivers: &Receivers<'_>) {
        let Registration { server, master, errors, .. } = of;
        let error = of.error.as_deref();
        let key =
            |rule| FindingKey::new(rule, *server).about(About::With(*master)).explains(*server);
        let heartbeats = || {
            let span = of.first.zip(of.last).map(|(first, last)| span(last - first));
            counted(of.heartbeats, "heartbeat") + &span.unwrap_or_default()
        };
        let error_text = || error_count(error, *errors);
        let text = || format!("master {master}: {}", step.text);
        let Some(cause) = step.cause else { return };
        match cause {
            FailureCause::MasterUnreachable => {
                self.add_keyed(key(&MASTER_UNREACHABLE), &step.frames, || {
                    let (heartbeats, error_text) = (heartbeats(), error_text());
                    if of.answers_heartbeats() {
                        format!("master {master}: no answer to {heartbeats}{error_text}")
                    } else {
                        format!("master {master}: {heartbeats} sent{error_text}")
                    }
                });
            }
            FailureCause::Refused => {
                self.add_keyed(key(&REFUSED), &step.frames, || text() + &times(of.refusals));
            }
            FailureCause::ValueChanged => self.add_keyed(key(&VALUE_CHANGED), &step.frames, text),
            FailureCause::HeartbeatUnanswered if receivers.is_unclear(*master, *server) => {}
            FailureCause::HeartbeatUnanswered => {
                let rule = if *errors > 0 { &MASTER_UNREACHABLE } else { &HEARTBEAT_UNANSWERED };
                self.add_keyed(key(rule), &step.frames, || {
                    let doubt = receivers.doubt(*server);
                    format!("master {master}: no answer to {}{}{doubt}", heartbeats(), error_text())
                });
            }
            FailureCause::ServerUnreachable
            | FailureCause::ChallengeUnanswered
            | FailureCause::Misdirected
                if receivers.is_unclear(*server, *master) => {}
            FailureCause::ServerUnreachable
            | FailureCause::ChallengeUnanswered
            | FailureCause::Misdirected => {
                self.add_keyed(key(&CHALLENGE_UNANSWERED), &step.frames, text);
            }
            FailureCause::Unlisted if was_proven(of) => {
                self.add_keyed(key(&UNLISTED), &step.frames, text);
            }
            // A wrong answer is reported where the message is checked, and so is a list with the
            // bytes of the port swapped.
            FailureCause::ChallengeWrong
            | FailureCause::ContentsIncomplete
            | FailureCause::PortSwapped
            | FailureCause::Unlisted => {}
        }
    }

    /// A master that answered, and then stopped answering.
    fn stopped_answering(&mut self, of: &Registration) {
        let Registration { server, master, .. } = of;
        let Some(trail) = self.heartbeats.all.get(&(*server, *master)) else {
            return;
        };
        let count: u64 = trail.lost.iter().map(|lost| lost.count).sum();
        let errors: u64 = trail.errors.iter().map(|errors| errors.count).sum();
        let is_gone = trail.lost.len() as u64 >= IN_A_ROW || errors > 0;
        let (Some(first), Some(last)) = (trail.lost.first(), trail.lost.last()) else {
            return;
        };
        if !is_gone || trail.answered.is_none() {
            return;
        }
        let error = trail.errors.first().map(|errors| errors.error.as_str());
        let rule = if errors > 0 { &MASTER_UNREACHABLE } else { &HEARTBEAT_UNANSWERED };
        let sent = counted(count, "heartbeat");
        let (span, error_text) = (span(last.last - first.first), error_count(error, errors));
        let text = format!(
            "master {master}: no answer to the last {sent}{span}{error_text}; it answered before"
        );
        let frames: Vec<_> = trail.lost.iter().map(|lost| lost.frame).collect();
        let key = FindingKey::new(rule, *server).about(About::With(*master)).explains(*server);
        self.add_keyed(key, &frames, || text);
    }
}

/// `, 4 times`; nothing for one.
fn times(count: u64) -> String {
    if count > 1 { format!(", {count} times") } else { String::new() }
}

/// Whether the master must know the server: the server has answered, or, if the protocol has no
/// challenge, has sent a second heartbeat before a list was requested.
fn was_proven(of: &Registration) -> bool {
    let step = |name| of.steps.iter().find(|step| step.name == name);
    if of.answers_heartbeats() {
        return step(StepName::Answer).is_some_and(|step| step.state == StepState::Ok);
    }
    let second = step(StepName::Heartbeat).and_then(|step| step.frames.get(1));
    let lists = step(StepName::Listing).map(|step| step.frames.as_slice()).unwrap_or_default();
    second.is_some_and(|second| lists.iter().any(|list| list > second))
}
