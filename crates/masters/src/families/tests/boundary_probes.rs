//! Probes of both sides of what separates servers in lists, and of answers that are missing now and
//! then.

use super::probes::{Probe, shapes};
use super::world::*;
use crate::Defect::{self, *};

const INFO: &str = r"\protocol\3\clients\1\sv_maxclients\8";

pub static PROBES: &[Probe] = &[
    ("similar names", "", |w| {
        let games = [(1, "Game"), (2, "Gamer"), (3, "game"), (4, "Gam")];
        for (n, game) in games {
            w.register(at(n), "DarkPlaces", &format!(r"{INFO}\gamename\{game}"));
        }
        format!("{:?}", games.map(|(_, game)| w.listed(&format!("getservers {game} 3"))))
    }),
    ("similar game types", "", |w| {
        for (n, gametype) in [(1, "tdm"), (2, "td"), (3, "tdmx"), (4, "TDM")] {
            w.register(at(n), "QuakeArena-1", &format!(r"{INFO}\gametype\{gametype}"));
        }
        format!("{:?}", w.listed("getservers 3 gametype=tdm"))
    }),
    ("neighbouring protocols", "", |w| {
        (1..4).for_each(|n| w.quake3(at(n), 60 + i64::from(n), 1, 8));
        format!("{:?}", w.listed("getservers 62"))
    }),
    ("the last place", "", |w| {
        for (n, players) in [(1, 0), (2, 1), (3, 7), (4, 8)] {
            w.quake3(at(n), 68, players, 8);
        }
        format!("{:?}", ["", " empty", " full"].map(|of| w.listed(&format!("getservers 68{of}"))))
    }),
    ("words like others", "", |w| {
        for (n, players) in [(1, 0), (2, 1), (3, 8)] {
            w.quake3(at(n), 68, players, 8);
        }
        format!("{:?}", w.listed("getservers 68 emptyx fullx"))
    }),
    ("a protocol with letters", "", |w| {
        w.register(at(1), "QuakeArena-1", r"\protocol\4x\clients\1\sv_maxclients\8");
        format!("{:?}", w.listed("getservers 4"))
    }),
    ("another protocol", "", |w| {
        for protocol in [67, 66] {
            w.quake3(at(1), protocol, 1, 8);
        }
        format!("{:?} {:?}", w.listed("getservers 67"), w.listed("getservers 66"))
    }),
    ("a heartbeat without an answer", "", |w| {
        w.quake3(at(1), 68, 1, 8);
        w.heartbeat(at(1), "QuakeArena-1");
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("an answer in time", "", |w| {
        let challenge = w.heartbeat(at(1), "QuakeArena-1").unwrap();
        w.wait(SECOND);
        w.info_response(at(1), &challenge, r"\protocol\68\clients\1\sv_maxclients\8");
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("a longer challenge", "", |w| {
        let challenge = w.heartbeat(at(1), "QuakeArena-1").unwrap();
        let info = r"\protocol\68\clients\1\sv_maxclients\8";
        w.info_response(at(1), &format!("{challenge}x"), info);
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("two servers of one address", "", |w| {
        for port in [27_960, 27_961] {
            w.quake3((at(1).ip(), port).into(), 68, 1, 8);
        }
        format!("{:?}", w.listed("getservers 68"))
    }),
    ("an address of backslashes", "", |w| {
        w.quake3(([92, 92, 92, 92], 23_644).into(), 68, 1, 8);
        w.ask(QUAKE3, &marked("getservers 68")).escape_ascii().to_string()
    }),
    ("a full packet", "list-form=id", |w| {
        (0..112).for_each(|n| w.quake3(at(n), 68, 1, 8));
        shapes(&w.packets(QUAKE3, "getservers 68"))
    }),
    ("a server beyond a packet", "list-form=id", |w| {
        (0..114).for_each(|n| w.quake3(at(n), 68, 1, 8));
        shapes(&w.packets(QUAKE3, "getservers 68"))
    }),
    ("many lists", "", |w| {
        w.quake3(at(1), 68, 1, 8);
        let answered = (0..40).filter(|_| !w.packets(QUAKE3, "getservers 68").is_empty());
        answered.count().to_string()
    }),
    ("many heartbeats", "", |w| {
        w.quake3(at(1), 68, 1, 8);
        let answered = (0..20).filter(|_| w.heartbeat(at(1), "QuakeArena-1").is_some());
        answered.count().to_string()
    }),
    ("a shutdown, and a list", "", |w| {
        w.receive(QUAKE3, at(1), &marked("heartbeat WolfFlatline-1\n"));
        format!("{} {:?}", w.master.has_crashed(), w.packets(QUAKE3, "getservers 68").len())
    }),
];

/// The probes that distinguish a master with one of these defects from a correct one.
pub static CAUGHT: &[(Defect, &[&str])] = &[
    (
        AnswersOnce,
        &[
            "two heartbeats at the end",
            "words of parting",
            "a new state",
            "another protocol",
            "many heartbeats",
        ],
    ),
    (GametypePrefix, &["similar game types"]),
    (GametypeAnyCase, &["similar game types"]),
    (GamePrefix, &["similar names"]),
    (GameAnyCase, &["games", "similar names"]),
    (NeighbourProtocol, &["protocols", "neighbouring protocols", "another protocol"]),
    (FullEarly, &["statuses of Elite Force", "a new state", "the last place"]),
    (
        EmptyLate,
        &[
            "a list",
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "both families in Daemon's form",
            "an old list",
            "empty and full",
            "protocols",
            "games",
            "rules",
            "both families",
            "an answer twice",
            "silence",
            "two heartbeats at the end",
            "Doom 3's filter",
            "similar names",
            "similar game types",
            "neighbouring protocols",
            "the last place",
            "words like others",
            "another protocol",
            "a heartbeat without an answer",
            "an answer in time",
            "two servers of one address",
            "an address of backslashes",
            "a full packet",
            "a server beyond a packet",
            "filters of Steam's lists",
            "every list twice",
        ],
    ),
    (KeepsOldLists, &["another protocol"]),
    (
        ChangesTooSoon,
        &[
            "two heartbeats at the end",
            "a heartbeat without an answer",
            "late answers of listed servers",
        ],
    ),
    (CrashesOnShutdown, &["a shutdown, and a list"]),
    (OneOfAnAddress, &["an address with many servers", "two servers of one address"]),
    (
        SignedOctets,
        &[
            "a list",
            "both families in Daemon's form",
            "an old list",
            "statuses of Elite Force",
            "both families",
            "HexenWorld",
            "a list of Half-Life in pieces",
            "GameSpy's compressed list",
            "a list of Steam in pieces",
            "lists of Teeworlds",
            "a list of Xash3D",
            "lists of query and reporting",
        ],
    ),
    (
        CutsAtMarks,
        &[
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "a list of Elite Force",
            "an address of backslashes",
            "a full packet",
            "a server beyond a packet",
        ],
    ),
    (LosesLists, &["many lists", "every list twice"]),
    (LosesChallenges, &["many heartbeats"]),
    (
        LosesAtPackets,
        &[
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "a list of Elite Force",
            "a server beyond a packet",
        ],
    ),
    (LosesWhenFull, &["a long list in id's form", "a full packet"]),
    (SwappedPortIpv6, &["both families", "lists of Teeworlds"]),
    (SimilarWords, &["words like others"]),
    (ChallengesExpireEarly, &["an answer in time"]),
    (NoDefaultGametype, &["rules"]),
    (LooseNumbers, &["protocols", "a protocol with letters"]),
    (ChallengePrefix, &["a longer challenge"]),
];
