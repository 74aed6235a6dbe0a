//! Raven Software's master of Elite Force (document 001, section 4): like Quake III's, with other
//! messages between servers and master, and a list in hex digits.

mod challenge;
mod getservers;
mod heartbeat;
mod motd;
mod preconditions;
mod robust;
pub(super) mod roles;
mod traits;

use crate::{
    Implementation, Profile, Requirement, Sentinel, ShutdownMessage, TestSuite, csv_table,
};
use protocols::quake3::ELITE_FORCE;
use simulate::families::elite_force::messages;
use simulate::families::quake3::messages::{Quake3ListRequest, getmotd};

/// The service that lists servers, and the other one.
const LISTS: &str = ELITE_FORCE.id;
const MOTD: &str = "motd";

/// The Elite Force family.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[
        getservers::CASES,
        getservers::BOUNDARIES,
        heartbeat::CASES,
        challenge::CASES,
        motd::CASES,
        robust::CASES,
    ],
    profiles: &[Profile::new(
        ELITE_FORCE.id,
        "Raven Software's master of Elite Force",
        &["elite-force/*"],
    )],
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    sentinels: &[
        Sentinel::new(LISTS, |_| {
            Quake3ListRequest { protocol: 1, words: "empty full", ..Quake3ListRequest::default() }
                .plain()
        }),
        Sentinel::new(MOTD, |_| getmotd("1", "none")),
    ],
    listed_for: "server-timeout",
    shutdowns: &[ShutdownMessage {
        service: LISTS,
        message: |from| messages::heartstop(from.port()),
    }],
    // Not whether it is listed: the list may be truncated though the target has room.
    control: Some(&preconditions::CHALLENGED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
