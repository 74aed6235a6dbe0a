//! Doom 3's master (documents 001, section 9, and 002).

mod get_servers;
mod players;
mod preconditions;
mod register;
mod robust;
pub(super) mod roles;
mod servers;
mod traits;

use crate::{Implementation, Profile, Requirement, Sentinel, TestSuite, csv_table};
use protocols::doom3::DOOM3;
use simulate::families::doom3::messages;

/// The service that lists servers.
const LISTS: &str = DOOM3.id;
/// A protocol that no server has.
const UNUSED_PROTOCOL: u32 = 0x0001_0001;

/// The Doom 3 family.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[
        get_servers::CASES,
        players::CASES,
        servers::CASES,
        servers::BOUNDARIES,
        register::CASES,
        robust::SHARED,
        robust::CASES,
    ],
    profiles: &[Profile::new(DOOM3.id, "id Software's master of Doom 3", &["doom3/*"])],
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    sentinels: &[Sentinel::new(LISTS, |_| messages::get_servers(UNUSED_PROTOCOL, "", 0))],
    listed_for: "server-timeout",
    shutdowns: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
