//! The reference master: a small, correct master for every game that the documents describe.
//!
//! [`Master`] is the protocol state. It does no IO and has no clock: callers pass in what was
//! received, when and from whom, and get the replies, so that a test can be a table of messages.
//! One file per game family; `desk` has what all share. [`RunningMaster`] adds sockets,
//! connections, a clock and a thread.
//!
//! Messages are decoded and encoded by the declarations of `protocol`, as everywhere. A server is
//! listed only after it has answered a challenge, if its protocol has one. Intentional faults
//! ([`Defect`]) test conformance cases.
//!
//! *Architecture invariant:* every table is limited by a setting or a constant, and what exceeds it
//! is counted. No number from the network sizes an allocation, nothing from the network is printed,
//! and no player's key is stored.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod authorize;
mod challenge;
mod connections;
mod defect;
mod desk;
mod doom3;
mod doors;
mod elite_force;
mod flood;
mod game_policy;
mod gamespy;
mod gamespy_list;
mod half_life;
mod list;
mod list_limit;
mod motd;
mod page;
mod quake2;
mod quake3;
mod quake3_list;
mod quakeworld;
mod record;
mod registry;
mod running;
mod service;
mod setting;
mod table;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;

pub use crate::random::Random;
pub use defect::{DEFECTS, Defect, Defects};
pub use game_policy::GamePolicy;
pub use gamespy_list::ListSession;
pub use page::tables;
pub use record::MasterRecorder;
pub use running::{Config, ExitReason, ListenAddress, RunningMaster, StartError, Stop};
pub use service::{SERVICES, Service};
pub use setting::{Authorize, ListForm, SETTINGS, Setting, Settings};

use crate::codec::Scratch;
use desk::{IncomingRequest, MasterState};
use service::Speaks;

/// A master, without sockets and without a clock.
pub struct Master {
    desk: MasterState,
    scratch: Scratch,
}

/// A datagram that the master sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply<'a> {
    pub to: SocketAddr,
    /// Whether it is sent from another port than the one that the request came to; only a defect
    /// does.
    pub elsewhere: bool,
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
    pub heard: u64,
    /// Datagrams sent.
    pub said: u64,
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
        Self { desk: MasterState::new(settings, random), scratch: Scratch::default() }
    }

    /// Collects events from now on; call [`Master::events`] often.
    pub fn keep_events(&mut self) {
        self.desk.verbose = true;
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
        let floods = !self.desk.has(Defect::NoFloodProtection);
        if floods && !self.desk.flood.admits(now, from.ip()) {
            self.desk.counts.flooded += 1;
            return;
        }
        self.desk.counts.heard += 1;
        self.desk.lists = false;
        self.desk.asker = from.ip();
        let (mut said, mut bytes) = (0, 0);
        let mut counted = |reply: Reply<'_>| {
            said += 1;
            bytes += reply.bytes.len();
            out(reply);
        };
        for service in services.iter().copied() {
            let heard = IncomingRequest { now, service, from, payload };
            let hear = match service.speaks {
                Speaks::Quake3 => quake3::handle,
                Speaks::Motd | Speaks::Update => motd::handle,
                Speaks::Authorize => authorize::handle,
                Speaks::EliteForce => elite_force::handle,
                Speaks::Quake2 | Speaks::Heretic2 => quake2::handle,
                Speaks::QuakeWorld | Speaks::HexenWorld => quakeworld::handle,
                Speaks::Doom3 => doom3::handle,
                Speaks::HalfLife => half_life::handle,
                Speaks::GameSpy => gamespy::handle,
                Speaks::GameSpyList => continue,
            };
            hear(&mut self.desk, &heard, &mut self.scratch, &mut counted);
        }
        self.desk.counts.said += said;
        if floods {
            self.desk.flood.charge(now, from.ip(), (said as usize).saturating_sub(1));
        }
        if self.desk.lists {
            self.desk.list_limit.charge(now, from.ip(), bytes);
        }
    }

    /// Removes what has expired at `now`. [`Master::handle_datagram`] does so too.
    pub fn tick(&mut self, now: i64) {
        self.desk.tick(now);
    }

    /// The events since the last call, the earliest first.
    pub fn events(&mut self) -> impl Iterator<Item = MasterEvent> + '_ {
        self.desk.events.drain(..)
    }

    pub fn counts(&self) -> MasterCounts {
        self.desk.counts
    }

    pub fn settings(&self) -> &Settings {
        &self.desk.settings
    }

    /// How many servers are listed.
    pub fn servers(&self) -> usize {
        self.desk.registry.len()
    }

    /// Whether a defect has ended it.
    pub fn has_crashed(&self) -> bool {
        self.desk.crashed
    }

    fn has(&self, defect: Defect) -> bool {
        self.desk.has(defect)
    }

    /// Records an event of a client of the list over TCP.
    fn note_list(&mut self, from: SocketAddr, what: &'static str) {
        let mut services = SERVICES.iter();
        if let Some(service) = services.find(|s| s.speaks == Speaks::GameSpyList) {
            self.desk.note(service, from, what);
        }
    }
}
