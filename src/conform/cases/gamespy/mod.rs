//! GameSpy's master, and that of Unreal Tournament, which is one (documents 003, and 001, section
//! 5). Servers speak with it over UDP, clients get their lists over TCP.

mod ends;
mod heartbeat;
mod lists;
mod proof;
mod robust;
mod secure;
mod traits;
mod unreal;
mod validate;

use crate::conform::{Family, Precondition, Profile, Proven, Sentence, Sentinel};
use crate::peer::voice::gamespy as voice;
use crate::proto::gamespy::{GAMESPY, UNREAL_TOURNAMENT};

/// The service that hears servers, and the one that lists them.
const SERVERS: &str = GAMESPY.id;
const LISTS: &str = "gamespy-list";

/// The target answers something.
static ANSWERS: Precondition = Precondition {
    id: "gamespy/answers",
    otherwise: "the target answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(SERVERS, &[voice::heartbeat(1, voice::UNREAL, "")]),
};

/// What they owe.
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
    profiles: &[
        Profile {
            name: GAMESPY.id,
            title: "GameSpy's master",
            assumes: "",
            owes: &["gamespy/*", "unreal-tournament/*"],
            but: &[],
        },
        Profile {
            name: UNREAL_TOURNAMENT.id,
            title: "a master of Unreal Tournament, which need not know other games",
            assumes: "",
            owes: &["gamespy/*", "unreal-tournament/*"],
            but: &[
                "gamespy/echo/*",
                "gamespy/heartbeat/heretic2",
                "gamespy/heartbeat/blank-in-name",
                "gamespy/list/other-game",
                "gamespy/list/case-of-game",
                "gamespy/list/empty",
            ],
        },
    ],
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
    // Nothing is answered but heartbeats, and those where they say.
    answers: &ANSWERS,
    sentinels: &[Sentinel {
        service: SERVERS,
        request: |from| voice::heartbeat(from.port(), voice::UNREAL, ""),
        from_server: true,
    }],
    goodbyes: &[],
    control: None,
    traits: traits::TRAITS,
    implementations: &[],
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
