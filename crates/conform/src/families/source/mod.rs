//! Steam's master: servers register as with Half-Life's before Steam (document 001, section 10), and
//! clients ask for the servers of a region that match a filter (document 007).

mod filters;
mod lists;
mod preconditions;
mod register;
mod robust;
pub(super) mod roles;
mod traits;

use crate::{
    Implementation, Profile, Requirement, Sentinel, ShutdownMessage, TestSuite, csv_table,
};
use protocols::source::SOURCE;
use simulate::families::half_life::messages::{self, ZERO_ADDRESS};

/// The service that lists servers.
const LISTS: &str = SOURCE.id;

/// The cases for Steam's master.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[
        register::SHARED,
        register::CASES,
        lists::SHARED,
        lists::BOUNDARIES,
        lists::CASES,
        filters::CASES,
        robust::SHARED,
        robust::CASES,
    ],
    profiles: &[Profile::new(
        SOURCE.id,
        "a master of games on Steam, as Valve's was",
        &["source/*"],
    )],
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    // A heartbeat would be answered too, but every challenged server takes up room.
    sentinels: &[Sentinel::new(LISTS, |_| messages::get_region(ZERO_ADDRESS, r"\gamedir\nobody"))],
    listed_for: "server-timeout",
    shutdowns: &[ShutdownMessage { service: LISTS, message: |_| messages::log_off() }],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
