//! Steam's master: servers register as with Half-Life's before Steam (document 001, section 10), and
//! clients ask for the servers of a region that match a filter (document 007).

mod filters;
mod lists;
mod preconditions;
mod register;
mod robust;
mod roles;
mod traits;

use crate::conform::{
    CsvTable, Implementation, Profile, Requirement, Sentinel, ShutdownMessage, TestSuite,
};
use crate::families::half_life::messages;
use crate::protocols::source::SOURCE;

/// The service that lists servers.
const LISTS: &str = SOURCE.id;

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));

/// The cases for Steam's master.
pub static SUITE: TestSuite = TestSuite {
    cases: &[register::CASES, filters::CASES, lists::CASES, robust::CASES],
    profiles: &[Profile {
        name: SOURCE.id,
        title: "a master of games on Steam, as Valve's was",
        assumes: "",
        cases: &["source/*"],
        except: &[],
    }],
    requirements: &REQUIREMENTS,
    answers: &preconditions::ANSWERS,
    // A heartbeat would be answered too, but every challenged server takes up room.
    sentinels: &[Sentinel {
        service: LISTS,
        request: |_| messages::get_region(roles::ZERO_ADDRESS, r"\gamedir\nobody"),
        from_server: false,
    }],
    listed_for: "server-timeout",
    shutdowns: &[ShutdownMessage { service: LISTS, message: |_| messages::log_off() }],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: &IMPLEMENTATIONS,
};
