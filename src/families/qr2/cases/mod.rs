//! The master of GameSpy's later games: query and reporting 2 over UDP, and lists over TCP (documents
//! 008 and 009).

mod lists;
mod preconditions;
mod register;
mod robust;
mod roles;
mod signs;
mod traits;

use crate::conform::{
    CsvTable, Implementation, Profile, Requirement, Sentinel, ShutdownMessage, TestSuite,
};
use crate::families::qr2::messages::{self, StateChange};
use crate::protocols::qr2::QR2;
use crate::simulate::ServerInfo;

/// The service for servers, and the one that lists them.
const SERVERS: &str = QR2.id;
const LISTS: &str = "qr2-list";

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));

/// The family of query and reporting 2.
pub static SUITE: TestSuite = TestSuite {
    cases: &[register::CASES, signs::CASES, lists::CASES, robust::CASES],
    profiles: &[Profile {
        name: QR2.id,
        title: "the master of GameSpy's later games, as OpenSpy's",
        // OpenSpy's; it says no time for challenges.
        assumes: "server-timeout=10m",
        cases: &["qr2/*"],
        except: &[],
    }],
    requirements: &REQUIREMENTS,
    answers: &preconditions::ANSWERS,
    sentinels: &[
        Sentinel {
            service: SERVERS,
            request: |_| messages::available(messages::TEST),
            from_server: false,
        },
        // A server that begins is challenged each time.
        Sentinel {
            service: SERVERS,
            request: |from| {
                let (key, info) = (messages::instance_key(from), messages::server_info());
                messages::heartbeat(key, from, StateChange::Begins, messages::TEST, &info)
            },
            from_server: true,
        },
    ],
    listed_for: "server-timeout",
    shutdowns: &[ShutdownMessage {
        service: SERVERS,
        message: |from| {
            let (key, info) = (messages::instance_key(from), ServerInfo::default());
            messages::heartbeat(key, from, StateChange::Leaves, messages::TEST, &info)
        },
    }],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: &IMPLEMENTATIONS,
};
