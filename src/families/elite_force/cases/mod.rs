//! Raven Software's master of Elite Force (document 001, section 4): like Quake III's, with other
//! messages between servers and master, and a list in hex digits.

mod challenge;
mod getservers;
mod heartbeat;
mod motd;
mod preconditions;
mod robust;
mod roles;
mod traits;

use crate::conform::{
    CsvTable, Implementation, Profile, Requirement, Sentinel, ShutdownMessage, TestSuite,
};
use crate::families::elite_force::messages;
use crate::families::quake3::messages::{Quake3ListRequest, getmotd};
use crate::protocols::quake3::ELITE_FORCE;

/// The service that lists servers, and the other one.
const LISTS: &str = ELITE_FORCE.id;
const MOTD: &str = "motd";

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));

/// The Elite Force family.
pub static SUITE: TestSuite = TestSuite {
    cases: &[getservers::CASES, heartbeat::CASES, challenge::CASES, motd::CASES, robust::CASES],
    profiles: &[Profile {
        name: ELITE_FORCE.id,
        title: "Raven Software's master of Elite Force",
        assumes: "",
        cases: &["elite-force/*"],
        except: &[],
    }],
    requirements: &REQUIREMENTS,
    answers: &preconditions::ANSWERS,
    sentinels: &[
        Sentinel {
            service: LISTS,
            request: |_| {
                Quake3ListRequest {
                    protocol: 1,
                    words: "empty full",
                    ..Quake3ListRequest::default()
                }
                .plain()
            },
            from_server: false,
        },
        Sentinel { service: MOTD, request: |_| getmotd("1", "none"), from_server: false },
    ],
    listed_for: "server-timeout",
    shutdowns: &[ShutdownMessage {
        service: LISTS,
        message: |from| messages::heartstop(from.port()),
    }],
    // Not whether it is listed: the list may be truncated though the target has room.
    control: Some(&preconditions::CHALLENGED),
    traits: traits::TRAITS,
    implementations: &IMPLEMENTATIONS,
};
