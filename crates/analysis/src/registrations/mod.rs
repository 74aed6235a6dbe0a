//! Registrations: the progress of a server from its heartbeat into the list of a master, step by
//! step, by server and master.
//!
//! Exchanges are collected as they end. The result of every registration is computed at the end,
//! when all lists are known: `explain` shows it, and findings are made from it.

mod list_request;
mod listing;
mod lists;
mod record;
mod same_port;
mod steps;
mod summary;
mod view;

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::exchange::{Exchange, ExchangeState};
use super::focus::Focus;
use super::frame_ref::FrameRef;
use super::registration_stats::ShutdownKind;
use lists::Lists;
use protocol::ExchangeKind;
use record::RegistrationRecord;
use text::{Secrets, named};

pub use summary::RegistrationSummary;
pub use view::RegistrationView;

/// How many registrations are kept.
const KEPT: usize = 1 << 14;

/// The data of all registrations, collected while exchanges end.
#[derive(Default)]
pub struct Registrations {
    records: HashMap<(SocketAddr, SocketAddr), Box<RegistrationRecord>, RandomState>,
    lists: Lists,
    pub(super) focus: Focus,
    left_out: u64,
}

/// A server's registration with one master, as far as captured. A server that was only listed has
/// one too.
#[derive(Debug, Clone)]
pub struct Registration {
    /// The server.
    pub server: SocketAddr,
    /// The master.
    pub master: SocketAddr,
    /// The steps of the protocol, in order. After a failed step, none was reached.
    pub steps: Vec<StepReport>,
    /// How many heartbeats the server sent to this master, and how many of them got no answer
    /// although the capture went on.
    pub heartbeats: u64,
    /// Heartbeats without an answer.
    pub unanswered: u64,
    /// Number of ICMP errors about heartbeats, and the text of the first: `port unreachable`.
    pub errors: u64,
    /// The ICMP error about its heartbeats.
    pub error: Option<String>,
    /// Number of challenges of the master, and of refusals.
    pub challenges: u64,
    /// Answers of the master that refuse the server.
    pub refusals: u64,
    /// Number of ICMP errors about challenges.
    pub return_errors: u64,
    /// When the first and the last heartbeat came, in nanoseconds since the Unix epoch.
    pub first: Option<i64>,
    /// When it was sent last, in nanoseconds since the Unix epoch.
    pub last: Option<i64>,
    /// How the server shut down, if it did.
    pub shutdown: Option<ShutdownKind>,
}

/// The result of one step.
#[derive(Debug, Clone)]
pub struct StepReport {
    /// The step.
    pub name: StepName,
    /// Its result.
    pub state: StepState,
    /// Why it failed, if it did.
    pub cause: Option<FailureCause>,
    /// What was seen, in words; bytes from the net are escaped.
    pub text: String,
    /// The frames to look at, the first few.
    pub frames: Vec<FrameRef>,
}

named! {
    /// The steps of a registration, in order.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum StepName {
        /// The server sends a heartbeat to the master.
        Heartbeat = "heartbeat",
        /// The master sends a challenge.
        Challenge = "challenge",
        /// The server answers.
        Answer = "answer",
        /// The answer returns the challenge.
        Proof = "proof",
        /// The answer has the keys that masters require.
        Contents = "contents",
        /// The master's lists contain the server.
        Listing = "listing",
    }
}

named! {
    /// The outcome of a step.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum StepState {
        Ok = "ok",
        Failed = "failed",
        /// Not visible in the capture, or not reached.
        Unseen = "unseen",
    }
}

named! {
    /// Why a step failed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum FailureCause {
        /// ICMP errors say that heartbeats do not reach the master.
        MasterUnreachable = "master-unreachable",
        /// The master did not ask back.
        HeartbeatUnanswered = "heartbeat-unanswered",
        /// The master refuses the server.
        Refused = "refused",
        /// The master brings back another value than the heartbeat had.
        ValueChanged = "value-changed",
        /// ICMP errors say that the master's question does not reach the server.
        ServerUnreachable = "server-unreachable",
        /// The server did not answer.
        ChallengeUnanswered = "challenge-unanswered",
        /// The server sent its answer to another master.
        Misdirected = "misdirected",
        /// The answer has another challenge, or none.
        ChallengeWrong = "challenge-wrong",
        /// The answer lacks what masters require.
        ContentsIncomplete = "contents-incomplete",
        /// Lists have the server with the bytes of its port swapped.
        PortSwapped = "port-swapped",
        /// Lists that should have the server do not.
        Unlisted = "unlisted",
    }
}

impl Registrations {
    /// Sets whether texts quote secrets.
    pub(super) fn show(&mut self, secrets: Secrets) {
        self.lists.secrets = secrets;
    }

    /// Processes an exchange that has ended.
    pub(super) fn observe(&mut self, exchange: &Exchange) {
        match exchange.kind {
            ExchangeKind::Registration | ExchangeKind::Shutdown
                if exchange.state != ExchangeState::Unsolicited =>
            {
                let server = exchange.server.unwrap_or(exchange.requester);
                if let Some(record) = self.record(server, exchange.responder) {
                    record.observe(exchange);
                }
            }
            ExchangeKind::List => self.lists.observe(exchange),
            // The answer to a master whose challenge was not captured.
            ExchangeKind::Query if exchange.state == ExchangeState::Unsolicited => {
                let server = exchange.server.unwrap_or(exchange.responder);
                if let Some(record) = self.records.get_mut(&(server, exchange.requester)) {
                    record.observe_unrequested(exchange);
                }
            }
            _ => {}
        }
    }

    /// Number of registrations and lists that were not kept.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out + self.lists.left_out()
    }

    fn record(
        &mut self,
        server: SocketAddr,
        master: SocketAddr,
    ) -> Option<&mut RegistrationRecord> {
        let key = (server, master);
        let has_room = self.focus.has_room(server, self.records.len(), KEPT);
        if !has_room && !self.records.contains_key(&key) {
            self.left_out += 1;
            return None;
        }
        Some(self.records.entry(key).or_default())
    }
}

impl Registration {
    /// What came of it, in one sentence.
    pub fn verdict(&self) -> String {
        match self.failed() {
            Some(failed) => format!("it failed at the {}", failed.name),
            None if self.is_listed() => "it is listed".to_owned(),
            None => "no step failed in the captured part".to_owned(),
        }
    }

    /// The steps without those after the failed one that were not captured.
    pub fn reached(&self) -> impl Iterator<Item = &StepReport> {
        let failed = self.failed().map(|step| step.name);
        let is_reached = move |step: &&StepReport| {
            step.state != StepState::Unseen || failed.is_none_or(|failed| step.name < failed)
        };
        self.steps.iter().filter(is_reached)
    }

    /// The step that failed, if one did.
    pub fn failed(&self) -> Option<&StepReport> {
        self.steps.iter().find(|step| step.state == StepState::Failed)
    }

    /// Whether the protocol's masters answer heartbeats with a challenge.
    pub fn answers_heartbeats(&self) -> bool {
        self.steps.iter().any(|step| step.name == StepName::Challenge)
    }

    /// Whether a list of the master contains the server.
    pub fn is_listed(&self) -> bool {
        let is_ok =
            |step: &StepReport| step.name == StepName::Listing && step.state == StepState::Ok;
        self.steps.iter().any(is_ok)
    }
}

/// The address with the two bytes of its port swapped.
fn swapped(server: SocketAddr) -> SocketAddr {
    SocketAddr::new(server.ip(), server.port().swap_bytes())
}
