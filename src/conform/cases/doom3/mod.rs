//! Doom 3's master (documents 001, section 9, and 002).

mod ends;
mod get_servers;
mod players;
mod preconditions;
mod register;
mod robust;
mod servers;
mod traits;

use crate::conform::{Family, Profile, Proven, Sentence, Sentinel};
use crate::families::doom3::messages as voice;
use crate::protocols::doom3::DOOM3;

/// The service that lists servers.
const LISTS: &str = DOOM3.id;
/// A protocol that no server has.
const NOBODYS: u32 = 0x0001_0001;

/// The Doom 3 family.
pub(super) static FAMILY: Family = Family {
    cases: &[get_servers::CASES, players::CASES, servers::CASES, register::CASES, robust::CASES],
    profiles: &[Profile {
        name: DOOM3.id,
        title: "id Software's master of Doom 3",
        assumes: "",
        owes: &["doom3/*"],
        but: &[],
    }],
    sentences: &[
        get_servers::SENTENCES,
        players::SENTENCES,
        servers::SENTENCES,
        register::SENTENCES,
        robust::SENTENCES,
        OTHERS,
    ],
    answers: &preconditions::ANSWERS,
    sentinels: &[Sentinel {
        service: LISTS,
        request: |_| voice::get_servers(NOBODYS, "", 0),
        from_server: false,
    }],
    listed_for: "server-timeout",
    goodbyes: &[],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: traits::IMPLEMENTATIONS,
};

static OTHERS: &[Sentence] = &[
    Sentence {
        game: &DOOM3,
        citation: "001 9.10, 001 9.11",
        says: "a client asks a server for a challenge, and the server answers",
        proven: Proven::Not("no master has a part in it"),
    },
    Sentence {
        game: &DOOM3,
        citation: "002 ET:QW version",
        says: "the masters of Enemy Territory: Quake Wars answer only players who have logged in",
        proven: Proven::Not("how one logs in stands in no document"),
    },
    Sentence {
        game: &DOOM3,
        citation: "002 Server Feed",
        says: "the servers of Enemy Territory: Quake Wars are lines of a page, an address and a \
               port each",
        proven: Proven::Not("the page is fetched over HTTP from hosts that are gone"),
    },
];
