//! Teeworlds' master (document 011): a server sends a heartbeat, the master checks from another port
//! whether it can be reached, and lists it. Released masters do what is due every five seconds, so
//! cases wait longer than for other masters.

mod lists;
mod preconditions;
mod register;
mod robust;
mod roles;
mod traits;

use crate::conform::{CsvTable, Implementation, Profile, Requirement, Sentinel, TestSuite};
use crate::families::teeworlds::messages;
use crate::protocols::teeworlds::TEEWORLDS;

/// The service that lists servers.
const LISTS: &str = TEEWORLDS.id;

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));

/// The Teeworlds family.
pub static SUITE: TestSuite = TestSuite {
    cases: &[register::CASES, lists::CASES, robust::CASES],
    profiles: &[Profile {
        name: TEEWORLDS.id,
        title: "a master of Teeworlds",
        assumes: "server-timeout=90s",
        cases: &["teeworlds/*"],
        except: &[],
    }],
    requirements: &REQUIREMENTS,
    answers: &preconditions::ANSWERS,
    // A list without servers is no datagram.
    sentinels: &[Sentinel {
        service: LISTS,
        request: |_| messages::count_request(),
        from_server: false,
    }],
    listed_for: "server-timeout",
    shutdowns: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: &IMPLEMENTATIONS,
};
