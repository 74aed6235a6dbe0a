//! Teeworlds' master (document 011): a server sends a heartbeat, the master checks from another port
//! whether it can be reached, and lists it. Released masters do what is due every five seconds, so
//! cases wait longer than for other masters.

mod lists;
mod preconditions;
mod register;
mod robust;
pub(super) mod roles;
mod traits;

use crate::{Implementation, Profile, Requirement, Sentinel, TestSuite, csv_table};
use protocols::teeworlds::TEEWORLDS;
use simulate::families::teeworlds::messages;

/// The service that lists servers.
const LISTS: &str = TEEWORLDS.id;

/// The Teeworlds family.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[register::CASES, lists::CASES, lists::BOUNDARIES, robust::SHARED],
    profiles: &[Profile {
        assumes: "server-timeout=90s",
        // As the released master does (011 mastersrv.cpp).
        demands: &[
            "teeworlds/fwresponse/kept",
            "teeworlds/fwresponse/told",
            "teeworlds/lis2/*",
            "teeworlds/req2/cut-short",
            "teeworlds/siz2/counts",
            "teeworlds/timeout/forgotten",
        ],
        ..Profile::new(TEEWORLDS.id, "a master of Teeworlds", &["teeworlds/*"])
    }],
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    // A list without servers is no datagram.
    sentinels: &[Sentinel::new(LISTS, |_| messages::count_request())],
    listed_for: "server-timeout",
    shutdowns: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
