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
mod connections;
mod defect;
mod flood;
mod game_policy;
mod list;
mod list_limit;
mod page;
mod record;
mod registry;
mod running;
mod service;
mod setting;
mod sockets;
mod state;
mod table;

use std::net::SocketAddr;

pub use crate::random::Random;
pub use defect::{DEFECTS, Defect, Defects};
pub use game_policy::GamePolicy;
pub use page::tables;
pub use record::MasterRecorder;
pub use running::{Config, ExitReason, ListenAddress, RunningMaster, StartError, Stop};
pub use service::{Service, ServiceConnection};
pub use setting::{Authorize, ListForm, SETTINGS, Setting, Settings};

pub(crate) use challenge::ChallengeForm;
pub(crate) use list::{EOT, ListFilter, OLD_END, Split};
pub(crate) use registry::{ListBucket, ListKey, Load, ServerKey, ServerQuery};
pub(crate) use service::{Handler, Namespace, StreamSession};
pub(crate) use state::{ClaimedServer, IncomingRequest, MasterState, PendingChallenge, ReplySink};

use crate::codec::Scratch;

/// A master, without sockets and without a clock.
pub struct Master {
    state: MasterState,
    scratch: Scratch,
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
        Self { state: MasterState::new(settings, random), scratch: Scratch::default() }
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
        self.tick(now);
        let floods = !self.state.has(Defect::NoFloodProtection);
        if floods && !self.state.flood.admits(now, from.ip()) {
            self.state.counts.flooded += 1;
            return;
        }
        self.state.counts.received += 1;
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
        self.state.counts.sent += sent;
        if floods {
            self.state.flood.charge(now, from.ip(), (sent as usize).saturating_sub(1));
        }
        if self.state.lists {
            self.state.list_limit.charge(now, from.ip(), bytes);
        }
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
