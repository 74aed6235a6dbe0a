//! Half-Life's master before Steam (document 001, section 10).

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
use crate::protocols::half_life::HALF_LIFE;

/// The service that lists servers.
const LISTS: &str = HALF_LIFE.id;

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));

/// The Half-Life family.
pub static SUITE: TestSuite = TestSuite {
    cases: &[register::CASES, lists::CASES, robust::CASES],
    profiles: &[Profile {
        name: HALF_LIFE.id,
        title: "a master of Half-Life before Steam",
        assumes: "",
        cases: &["half-life/*"],
        except: &[],
    }],
    requirements: &REQUIREMENTS,
    // A heartbeat would be answered too, but every challenged server takes up room.
    answers: &preconditions::ANSWERS,
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
