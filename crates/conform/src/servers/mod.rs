//! The cases that test game servers: how they answer their clients and masters.
//!
//! A kind of server is a [`ServerKind`] and a [`TestSuite`], both made by one entry in `table`. What is
//! asked comes from `simulate`, whole answers from the conversations of `query`; what an answer is
//! and what it says, from the decoders.

mod challenge;
mod kind;
mod malformed;
mod proof;
mod repeated;
mod splits;
mod state;
mod suite;
mod table;

use crate::{Profile, TargetEnv, TestSuite};
pub use kind::ServerKind;
use simulate::{ServerDefects, SimulatedServer, TargetService};
pub use table::SERVERS;

/// A kind of server, and the cases that test it.
pub struct TestedServer {
    /// How it is asked.
    pub kind: &'static ServerKind,
    /// Its cases.
    pub suite: &'static TestSuite,
}

impl TestedServer {
    /// Its port.
    pub fn service(&self) -> TargetService {
        // A given port is that of the server.
        TargetService { name: self.kind.service, port: self.kind.port(), is_list: true }
    }

    /// The same in memory, at a port of its own.
    pub fn simulated(&self, port: u16, defects: ServerDefects) -> SimulatedServer {
        let ServerKind { questions, game, limits, .. } = *self.kind;
        SimulatedServer::new(questions, game, port, limits, defects)
    }
}

/// Lets cases ask each kind of server a little less than it answers: so silence is never a limit.
pub fn keep_within_limits(env: &mut TargetEnv) {
    for TestedServer { kind, .. } in SERVERS {
        env.keep_within(kind.service, kind.limits);
    }
}

/// The test suites of all kinds of servers.
pub fn server_suites() -> &'static [&'static TestSuite] {
    table::SUITES
}

/// Every kind of server that has cases.
pub fn server_profiles() -> impl Iterator<Item = &'static Profile> {
    server_suites().iter().flat_map(|suite| suite.profiles)
}

#[cfg(test)]
mod tests;
