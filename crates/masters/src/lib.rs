//! The engine of the reference master, a small, correct master for every game that the documents
//! describe.
//!
//! [`Master`] is the protocol state. It does no IO and has no clock: callers pass in what was
//! received, when and from whom, and get the replies, so that a test can be a table of messages.
//! `families` says what each family of games does ([`Service`]); `state` has what all share.
//! [`RunningMaster`] adds sockets, connections, a clock and a thread.
//!
//! Messages are decoded and encoded by the declarations of `protocol`, as everywhere. A server is
//! listed only after it has answered a challenge, if its protocol has one. Intentional faults
//! ([`Defect`]) test conformance cases.
//!
//! *Architecture invariant:* every table is limited by a setting or a constant, and what exceeds it
//! is counted. No number from the network sizes an allocation, nothing from the network is printed,
//! and no player's key is stored.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod challenge;
mod connection_session;
mod connections;
mod defect;
pub mod families;
mod flood;
mod list;
mod list_limit;
mod memory;
mod open_sockets;
mod page;
mod record;
mod recorded;
mod registry;
mod running;
mod service;
mod sockets;
mod state;
mod table;

use std::net::SocketAddr;

pub use defect::{DEFECTS, Defect, Defects};
pub use memory::MemoryMaster;
pub use page::tables;
pub use random::Random;
pub use record::MasterRecorder;
pub use recorded::{
    AnswerSize, ClientAction, DueReply, IncomingDatagram, RecordedAnswers, RecordedPort,
    StreamProgress,
};
pub use running::{Config, ExitReason, ListenAddress, RunningMaster, StartError, Stop};
pub use service::{Service, ServiceConnection};
pub use simulate::{Authorize, GamePolicy, ListForm, SETTINGS, Setting, Settings};

pub use challenge::ChallengeForm;
pub use list::{EOT, ListFilter, OLD_END, Split};
pub use registry::{ListBucket, ListKey, Load, ServerKey, ServerQuery};
pub use service::{Handler, Namespace, StreamSession};
pub use state::{ClaimedServer, IncomingRequest, MasterState, PendingChallenge, ReplySink};

use codec::Scratch;

/// A master, without sockets and without a clock.
pub struct Master {
    state: MasterState,
    scratch: Scratch,
    /// What answers in place of services.
    recorded: Option<Box<dyn RecordedAnswers>>,
}

/// A datagram that the master sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply<'a> {
    /// Where it is sent.
    pub to: SocketAddr,
    /// Whether it is sent from another port than the one that the request came to; only a defect
    /// does.
    pub elsewhere: bool,
    /// Its payload.
    pub bytes: &'a [u8],
}

/// An event for the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MasterEvent {
    /// The name of the service.
    pub service: &'static str,
    /// The address concerned.
    pub address: SocketAddr,
    /// What happened, in fixed words.
    pub what: &'static str,
}

/// Counters since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MasterCounts {
    /// Datagrams received.
    pub received: u64,
    /// Datagrams sent.
    pub sent: u64,
    /// Servers that were not listed, for any reason.
    pub refused: u64,
    /// Datagrams that were dropped by the rate limit per address.
    pub flooded: u64,
    /// Lists that were not sent, by the rate limit of all lists.
    pub lists_withheld: u64,
    /// Pending challenges that were dropped for later ones.
    pub forgotten_challenges: u64,
    /// Servers that did not fit into a list of one datagram, counted for each list.
    pub left_out: u64,
}

impl Master {
    /// A master without servers.
    pub fn new(settings: Settings, random: Random) -> Self {
        let (state, scratch) = (MasterState::new(settings, random), Scratch::default());
        Self { state, scratch, recorded: None }
    }

    /// Has these defects from now on.
    pub fn misbehave(&mut self, defects: Defects) {
        self.state.defects = defects;
    }

    /// Lists servers on loopback addresses from now on.
    pub fn allow_loopback(&mut self) {
        self.state.allow_loopback = true;
    }

    /// Collects events from now on; call [`Master::events`] often.
    pub fn keep_events(&mut self) {
        self.state.verbose = true;
    }

    /// Handles a datagram that came to a port of these `services`; those that cannot decode it do
    /// not reply. `now` is nanoseconds of a monotonic clock.
    pub fn handle_datagram(
        &mut self,
        now: i64,
        services: &[&'static Service],
        from: SocketAddr,
        payload: &[u8],
        out: &mut dyn FnMut(Reply<'_>),
    ) {
        if !self.admits(now, from) {
            return;
        }
        self.state.lists = false;
        self.state.client = from.ip();
        let (mut sent, mut bytes) = (0, 0);
        let mut counted = |reply: Reply<'_>| {
            sent += 1;
            bytes += reply.bytes.len();
            out(reply);
        };
        for service in services.iter().copied() {
            let incoming = IncomingRequest { now, service, from, payload };
            let Handler::Datagram(handle) = service.handler else { continue };
            handle(&mut self.state, &incoming, &mut self.scratch, &mut counted);
        }
        let lists = if self.state.lists { bytes } else { 0 };
        self.charge(now, from, sent, lists);
    }

    /// Passes a datagram to the recording, within the same limits; every answer counts as a list.
    fn take_recorded(&mut self, incoming: &IncomingDatagram<'_>) {
        let (now, from) = (incoming.now, incoming.from);
        if !self.admits(now, from) {
            return;
        }
        if self.limits_floods() && !self.state.list_limit.allows(now, from.ip()) {
            self.state.counts.lists_withheld += 1;
            return;
        }
        let answer = self.recorded.as_mut().map(|recorded| recorded.take_datagram(incoming));
        let AnswerSize { datagrams, bytes } = answer.unwrap_or_default();
        self.charge(now, from, datagrams, bytes);
    }

    /// Whether a datagram of this sender is heard.
    fn admits(&mut self, now: i64, from: SocketAddr) -> bool {
        self.tick(now);
        if self.limits_floods() && !self.state.flood.admits(now, from.ip()) {
            self.state.counts.flooded += 1;
            return false;
        }
        self.state.counts.received += 1;
        true
    }

    /// Counts what was sent to the sender of a datagram: datagrams, and bytes of lists.
    fn charge(&mut self, now: i64, from: SocketAddr, sent: usize, lists: usize) {
        self.state.counts.sent += sent as u64;
        if self.limits_floods() {
            self.state.flood.charge(now, from.ip(), sent.saturating_sub(1));
        }
        if lists > 0 {
            self.state.list_limit.charge(now, from.ip(), lists);
        }
    }

    fn limits_floods(&self) -> bool {
        !self.state.has(Defect::NoFloodProtection)
    }

    /// Removes what has expired at `now`. [`Master::handle_datagram`] does so too.
    pub fn tick(&mut self, now: i64) {
        self.state.tick(now);
    }

    /// The events since the last call, the earliest first.
    pub fn events(&mut self) -> impl Iterator<Item = MasterEvent> + '_ {
        self.state.events.drain(..)
    }

    /// The counters since the start.
    pub fn counts(&self) -> MasterCounts {
        self.state.counts
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// How many servers are listed.
    pub fn servers(&self) -> usize {
        self.state.registry.len()
    }

    /// Whether a defect has ended it.
    pub fn has_crashed(&self) -> bool {
        self.state.crashed
    }
}
