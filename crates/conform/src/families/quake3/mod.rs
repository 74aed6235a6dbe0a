//! The Quake III family: id's masters, dpmaster, Q3Master, and those of Return to Castle
//! Wolfenstein and Enemy Territory (documents 000, 001 sections 1, 8 and 11, 004).

mod boundaries;
mod challenge;
mod dpmaster;
mod each_time;
mod extended;
mod forms;
mod getservers;
mod heartbeat;
mod info;
mod limits;
mod list;
mod other_services;
mod packets;
mod preconditions;
mod profiles;
mod robust;
pub(super) mod roles;
mod timeout;
mod traits;

use crate::{Implementation, Requirement, Sentinel, TestSuite, csv_table};
use protocols::quake3::QUAKE3;
use simulate::families::quake3::messages::{
    Quake3ListRequest, get_ip_authorize, get_update_info, getbots, getmotd,
};

/// The service that lists servers, and the other ones.
const LISTS: &str = QUAKE3.id;
const MOTD: &str = "motd";
const AUTHORIZE: &str = "authorize";
const UPDATE: &str = "update";

/// The Quake III family.
pub static SUITE: TestSuite = TestSuite {
    target: protocol::Role::Master,
    cases: &[
        getservers::CASES,
        boundaries::CASES,
        each_time::CASES,
        list::CASES,
        packets::CASES,
        forms::CASES,
        heartbeat::CASES,
        challenge::CASES,
        timeout::CASES,
        info::CASES,
        limits::CASES,
        dpmaster::CASES,
        extended::CASES,
        other_services::CASES,
        robust::CASES,
    ],
    profiles: profiles::PROFILES,
    requirements: csv_table!(Requirement, "requirements.csv"),
    answers: &preconditions::ANSWERS,
    sentinels: &[
        // AlterWare's master answers no request for a list that is empty.
        Sentinel::new(LISTS, |_| getbots()),
        Sentinel::new(LISTS, |_| {
            Quake3ListRequest { protocol: 1, words: "empty full", ..Quake3ListRequest::default() }
                .plain()
        }),
        Sentinel::new(MOTD, |_| getmotd("1", "none")),
        Sentinel::new(AUTHORIZE, |from| get_ip_authorize(1, from.ip(), "")),
        Sentinel::new(UPDATE, |_| get_update_info("none", "none")),
    ],
    // No message of the family means shutdown: unanswered heartbeats do.
    listed_for: "server-timeout",
    shutdowns: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: csv_table!(Implementation, "implementations.csv"),
};
