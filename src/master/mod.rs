//! The reference master: a small, correct master for every game that the documents describe.
//!
//! [`Master`] is what a master knows and says. It does no IO and has no clock: what was heard, when
//! and from whom is told to it, and it gives its replies back, so that a test can be a table of
//! messages. A file a family of games tells what that family does; [`desk`] has what all do alike.
//! [`Running`] is the shell around it: sockets, connections, a clock, a thread.
//!
//! Everything is read and written by the declarations of `proto`, as by everybody else in the
//! house. A server counts only after it has answered a challenge, where its protocol has one.
//! Faults can be put in on purpose ([`Defect`]), for judges to find.
//!
//! *Architecture invariant:* every table is bounded by a setting or a constant, and what it had no
//! room for is counted. No number from the net sizes an allocation, nothing from the net is printed,
//! and no key that a player shows is kept.
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
mod random;
mod record;
mod registry;
mod running;
mod service;
mod setting;
mod table;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;

pub use defect::{DEFECTS, Defect, Defects};
pub use game_policy::GamePolicy;
pub use gamespy_list::ListSession;
pub use page::tables;
pub use random::Random;
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
    /// Whether it leaves from another port than the one where the question came; only a defect
    /// makes it so.
    pub elsewhere: bool,
    pub bytes: &'a [u8],
}

/// Something that an operator may want to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MasterEvent {
    /// The name of the service where it happened.
    pub service: &'static str,
    /// Whom it is about.
    pub address: SocketAddr,
    /// What happened, in words of our own.
    pub what: &'static str,
}

/// What a master did since it began.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MasterCounts {
    /// Datagrams heard.
    pub heard: u64,
    /// Datagrams sent.
    pub said: u64,
    /// Servers that were not listed, for whatever reason.
    pub refused: u64,
    /// Datagrams that were not heard, because their sender floods.
    pub flooded: u64,
    /// Lists that were not sent, because all lists together took too much.
    pub lists_withheld: u64,
    /// Challenges that had to make room for later ones.
    pub forgotten_challenges: u64,
    /// Servers that had no room in a list of one datagram, a time for each list.
    pub left_out: u64,
}

impl Master {
    /// One that knows nobody.
    pub fn new(settings: Settings, random: Random) -> Self {
        Self { desk: MasterState::new(settings, random), scratch: Scratch::default() }
    }

    /// Keeps events from now on; take them with [`Master::events`] before there are many.
    pub fn keep_events(&mut self) {
        self.desk.verbose = true;
    }

    /// Hears a datagram that came to a port where `services` listen; those that can make nothing of
    /// it stay silent. `now` is nanoseconds of a clock that does not go back.
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

    /// Lets go what is over at `now`. [`Master::hear`] does so too.
    pub fn tick(&mut self, now: i64) {
        self.desk.tick(now);
    }

    /// What happened since this was last asked, the earliest first.
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

    /// Notes something about a client of the list over TCP.
    fn note_list(&mut self, from: SocketAddr, what: &'static str) {
        let mut services = SERVICES.iter();
        if let Some(service) = services.find(|s| s.speaks == Speaks::GameSpyList) {
            self.desk.note(service, from, what);
        }
    }
}
