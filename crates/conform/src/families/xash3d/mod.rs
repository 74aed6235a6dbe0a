//! Xash3D's master, FWGS/xash3d-master: Half-Life's protocol (document 001, section 10) with a
//! challenge of the server's own, and lists with the key of their request.
//!
//! What no document has follows its sources and those of the engine (FWGS/xash3d-master and
//! FWGS/xash3d-fwgs).

mod lists;
mod preconditions;
mod register;
mod robust;
pub(super) mod roles;
mod traits;

use crate::{Implementation, Profile, Requirement, Sentinel, TestSuite, csv_table};
use protocols::half_life::{HALF_LIFE, XASH3D};
use simulate::families::half_life::messages;

/// The service that lists servers.
const LISTS: &str = HALF_LIFE.id;

/// The Xash3D family.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[register::SHARED, register::CASES, lists::CASES, lists::BOUNDARIES, robust::SHARED],
    profiles: &[Profile {
        // Its defaults.
        assumes: "challenge-timeout=10s,server-timeout=300s,max-per-address=14",
        ..Profile::new(XASH3D.id, "the master of Xash3D, FWGS/xash3d-master", &["xash3d/*"])
    }],
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    // A client of version 0.1 gets a made-up server; an empty list may get no response.
    sentinels: &[Sentinel::new(LISTS, |_| {
        messages::get_xash_region(r"\clver\0.1\gamedir\nobody\key\0")
    })],
    // The master knows b and ignores it.
    listed_for: "server-timeout",
    shutdowns: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
