//! Doom 3's master (documents 001, section 9, and 002).

mod get_servers;
mod players;
mod preconditions;
mod register;
mod robust;
mod roles;
mod servers;
mod traits;

use crate::conform::{CsvTable, Implementation, Profile, Requirement, Sentinel, TestSuite};
use crate::families::doom3::messages;
use crate::protocols::doom3::DOOM3;

/// The service that lists servers.
const LISTS: &str = DOOM3.id;
/// A protocol that no server has.
const UNUSED_PROTOCOL: u32 = 0x0001_0001;

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));

/// The Doom 3 family.
pub static SUITE: TestSuite = TestSuite {
    cases: &[get_servers::CASES, players::CASES, servers::CASES, register::CASES, robust::CASES],
    profiles: &[Profile {
        name: DOOM3.id,
        title: "id Software's master of Doom 3",
        assumes: "",
        cases: &["doom3/*"],
        except: &[],
    }],
    requirements: &REQUIREMENTS,
    answers: &preconditions::ANSWERS,
    sentinels: &[Sentinel {
        service: LISTS,
        request: |_| messages::get_servers(UNUSED_PROTOCOL, "", 0),
        from_server: false,
    }],
    listed_for: "server-timeout",
    shutdowns: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: &IMPLEMENTATIONS,
};
