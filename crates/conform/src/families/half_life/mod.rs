//! Half-Life's master before Steam (document 001, section 10). The cases of Steam's master and of
//! Xash3D's are in `source` and `xash3d`; what they have in common with these is here.

pub mod lists;
mod preconditions;
pub mod register;
pub mod robust;
pub mod roles;
mod traits;

use crate::{
    Implementation, Profile, Requirement, Sentinel, ShutdownMessage, TestSuite, csv_table,
};
use protocols::half_life::HALF_LIFE;
use simulate::families::half_life::messages;

/// The service that lists servers.
const LISTS: &str = HALF_LIFE.id;

/// The Half-Life family.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[
        register::SHARED,
        register::CASES,
        lists::SHARED,
        lists::BOUNDARIES,
        lists::CASES,
        robust::SHARED,
    ],
    profiles: &[Profile::new(HALF_LIFE.id, "a master of Half-Life before Steam", &["half-life/*"])],
    requirements: csv_table!(Requirement, "requirements.csv"),
    // A heartbeat would be answered too, but every challenged server takes up room.
    answers: &preconditions::ANSWERS,
    sentinels: &[Sentinel::new(LISTS, |_| {
        messages::get_region(
            simulate::families::half_life::messages::ZERO_ADDRESS,
            r"\gamedir\nobody",
        )
    })],
    listed_for: "server-timeout",
    shutdowns: &[ShutdownMessage { service: LISTS, message: |_| messages::log_off() }],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
