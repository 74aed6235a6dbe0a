//! GameSpy's master, and that of Unreal Tournament, which is one (documents 003, and 001, section
//! 5). Servers use UDP, clients get their lists over TCP.

mod ends;
mod heartbeat;
mod implementations;
mod lists;
mod preconditions;
mod profiles;
mod proof;
mod robust;
mod secure;
#[cfg(test)]
mod tests;
mod traits;
mod unreal;
mod validate;

use crate::conform::{Family, Goodbye, Proven, Sentence, Sentinel};
use crate::families::gamespy::messages as voice;
use crate::protocols::gamespy::GAMESPY;

/// The service for servers, and the one that lists them.
const SERVERS: &str = GAMESPY.id;
const LISTS: &str = "gamespy-list";

/// The GameSpy family.
pub(super) static FAMILY: Family = Family {
    cases: &[
        heartbeat::CASES,
        secure::CASES,
        proof::CASES,
        validate::CASES,
        lists::CASES,
        unreal::CASES,
        robust::CASES,
    ],
    profiles: profiles::PROFILES,
    sentences: &[
        heartbeat::SENTENCES,
        secure::SENTENCES,
        proof::SENTENCES,
        validate::SENTENCES,
        lists::SENTENCES,
        unreal::SENTENCES,
        robust::SENTENCES,
        OTHERS,
    ],
    answers: &preconditions::ANSWERS,
    sentinels: &[
        // Some masters answer queries themselves, from any sender, but only the first heartbeat of
        // a server: 333networks.
        Sentinel { service: SERVERS, request: |_| voice::query("basic"), from_server: false },
        // The others answer every heartbeat, at the port that it names, and nothing else.
        Sentinel {
            service: SERVERS,
            request: |from| voice::heartbeat(from.port(), voice::UNREAL, ""),
            from_server: true,
        },
    ],
    // A server need not wait for the query: one that does not answer it is removed (003 Heartbeat).
    listed_for: "gamespy-timeout",
    goodbyes: &[Goodbye {
        service: SERVERS,
        message: |from| voice::heartbeat(from.port(), voice::UNREAL, ends::LEAVING),
    }],
    control: Some(&preconditions::LISTED),
    traits: traits::TRAITS,
    implementations: implementations::IMPLEMENTATIONS,
};

static OTHERS: &[Sentence] = &[
    Sentence {
        game: &GAMESPY,
        citation: "003 Heartbeat",
        says: "servers send a heartbeat every five minutes, and when their game's mode changes",
        proven: Proven::Not("servers keep to it, no master can"),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 GameMaster Overview",
        says: "a network of masters shares what servers told one of them",
        proven: Proven::Not("how masters tell each other stands in no document"),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Queries",
        says: "servers answer basic, info, rules, players, status and echo",
        proven: Proven::Not("servers do; no master answers queries"),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Launching, 003 Installation Notification, 003 Appendix A",
        says: "clients are launched, notice what is installed, and know locations",
        proven: Proven::Not("no master has a part in it"),
    },
    Sentence {
        game: &GAMESPY,
        citation: "003 Appendix B",
        says: "a flood succeeds where its sender has more bandwidth than the master",
        proven: Proven::Not("it says that there is no defence"),
    },
];
