//! GameSpy's master, and that of Unreal Tournament, which is one (documents 003, and 001, section
//! 5). Servers use UDP, clients get their lists over TCP.

mod heartbeat;
mod lists;
mod preconditions;
mod profiles;
mod proof;
mod robust;
pub(super) mod roles;
mod secure;
#[cfg(test)]
mod tests;
mod traits;
mod unreal;
mod validate;

use crate::{Implementation, Requirement, Sentinel, ShutdownMessage, TestSuite, csv_table};
use protocols::gamespy::GAMESPY;
use simulate::families::gamespy::messages;

/// The service for servers, and the one that lists them.
const SERVERS: &str = GAMESPY.id;
const LISTS: &str = "gamespy-list";

/// The GameSpy family.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[
        heartbeat::CASES,
        secure::CASES,
        proof::CASES,
        validate::CASES,
        lists::CASES,
        lists::BOUNDARIES,
        unreal::CASES,
        robust::CASES,
    ],
    profiles: profiles::PROFILES,
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    sentinels: &[
        // Some masters answer queries themselves, from any sender, but only the first heartbeat of
        // a server: 333networks.
        Sentinel::new(SERVERS, |_| messages::query("basic")),
        // The others answer every heartbeat, at the port that it names, and nothing else.
        Sentinel {
            service: SERVERS,
            request: |from| messages::heartbeat(from.port(), messages::UNREAL, ""),
            from_server: true,
        },
    ],
    // A server need not wait for the query: one that does not answer it is removed (003 Heartbeat).
    listed_for: "gamespy-timeout",
    shutdowns: &[ShutdownMessage {
        service: SERVERS,
        message: |from| messages::heartbeat(from.port(), messages::UNREAL, roles::LEAVING),
    }],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
