//! The master of GameSpy's later games: query and reporting 2 over UDP, and lists over TCP (documents
//! 008 and 009).

mod filters;
mod lists;
mod preconditions;
mod register;
mod robust;
mod roles;
mod signs;
mod traits;

use crate::{
    Implementation, Profile, Requirement, Sentinel, ShutdownMessage, TestSuite, csv_table,
};
use protocols::qr2::QR2;
use simulate::ServerInfo;
use simulate::families::qr2::messages::{self, StateChange};

/// The service for servers, and the one that lists them.
const SERVERS: &str = QR2.id;
const LISTS: &str = "qr2-list";

/// The family of query and reporting 2.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[
        register::CASES,
        signs::CASES,
        lists::CASES,
        filters::CASES,
        lists::BOUNDARIES,
        robust::SHARED,
        robust::CASES,
    ],
    profiles: &[Profile {
        // OpenSpy's; it says no time for challenges.
        assumes: "server-timeout=10m",
        ..Profile::new(QR2.id, "the master of GameSpy's later games, as OpenSpy's", &["qr2/*"])
    }],
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    sentinels: &[
        Sentinel::new(SERVERS, |_| messages::available(messages::TEST)),
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
    implementations: csv_table!(Implementation, "implementations.csv"),
};
