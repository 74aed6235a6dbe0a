//! Half-Life's master before Steam (document 001, section 10).

mod ends;
mod lists;
mod preconditions;
mod register;
mod robust;
mod traits;

use crate::conform::{Family, Goodbye, Profile, Proven, Sentence, Sentinel};
use crate::families::half_life::messages as voice;
use crate::protocols::half_life::HALF_LIFE;

/// The service that lists servers.
const LISTS: &str = HALF_LIFE.id;

/// The Half-Life family.
pub(super) static FAMILY: Family = Family {
    cases: &[register::CASES, lists::CASES, robust::CASES],
    profiles: &[Profile {
        name: HALF_LIFE.id,
        title: "a master of Half-Life before Steam",
        assumes: "",
        owes: &["half-life/*"],
        but: &[],
    }],
    sentences: &[register::SENTENCES, lists::SENTENCES, robust::SENTENCES, OTHERS],
    // A heartbeat would be answered too, but every challenged server takes up room.
    answers: &preconditions::ANSWERS,
    sentinels: &[Sentinel {
        service: LISTS,
        request: |_| voice::get_region(ends::NOBODY, r"\gamedir\nobody"),
        from_server: false,
    }],
    listed_for: "server-timeout",
    goodbyes: &[Goodbye { service: LISTS, message: |_| voice::log_off() }],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: traits::IMPLEMENTATIONS,
};

static OTHERS: &[Sentence] = &[Sentence {
    game: &HALF_LIFE,
    citation: "001 10.1",
    says: "clients ask servers with s too",
    proven: Proven::Not("no master has a part in it"),
}];
