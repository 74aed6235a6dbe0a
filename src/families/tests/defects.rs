//! Each defect changes what its description says, and nothing else.

use std::fmt::Write as _;

use super::probes::{all, outcome};
use crate::master::{DEFECTS, Defect};
use Defect::*;

/// The probes that distinguish a master with a defect from a correct one.
static CAUGHT: &[(Defect, &[&str])] = &[
    (
        NoEndMark,
        &[
            "a list",
            "an empty list",
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "both families in Daemon's form",
            "an old list",
            "a list of Elite Force",
            "statuses of Elite Force",
            "a request with a line feed",
            "both families",
            "every list twice",
        ],
    ),
    (EndMarkEverywhere, &["a long list", "a long list in Raven's form"]),
    (WrongPacketCount, &["both families in Daemon's form"]),
    (NewEndMark, &["an old list"]),
    (
        EmptyLastPacket,
        &[
            "a list",
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "both families in Daemon's form",
            "an old list",
            "a list of Elite Force",
            "statuses of Elite Force",
            "both families",
            "every list twice",
        ],
    ),
    (LongPackets, &["a long list", "a long list in Daemon's form"]),
    (
        OnePacket,
        &[
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "a list of Elite Force",
        ],
    ),
    (
        ListsUnverified,
        &[
            "an unanswered challenge",
            "a wrong challenge",
            "another's challenge",
            "two heartbeats at the end",
            "no places",
            "missing keys",
            "names of games",
            "GameSpy's proofs",
            "a challenge in another case",
            "late answers of listed servers",
        ],
    ),
    (AnyChallenge, &["a wrong challenge", "GameSpy's proofs", "a challenge in another case"]),
    (
        StaleChallenge,
        &["a late answer", "two heartbeats at the end", "late answers of listed servers"],
    ),
    (ReplayedChallenge, &["an answer twice", "an address with many servers"]),
    (ForeignChallenge, &["another's challenge"]),
    (
        PredictableChallenge,
        &["challenges", "challenges of every family", "a challenge in another case"],
    ),
    (
        ConstantChallenge,
        &["challenges", "challenges of every family", "a challenge in another case"],
    ),
    (ShortChallenge, &["challenges"]),
    (ForbiddenCharacters, &["challenges"]),
    (LeaksEmpty, &["statuses of Elite Force", "empty and full", "Doom 3's filter"]),
    (LeaksFull, &["statuses of Elite Force", "empty and full", "Doom 3's filter"]),
    (HidesEmpty, &["statuses of Elite Force", "empty and full", "Doom 3's filter"]),
    (HidesFull, &["statuses of Elite Force", "empty and full", "Doom 3's filter"]),
    (IgnoresProtocol, &["protocols", "an answer twice", "Doom 3's filter"]),
    (IgnoresGame, &["games", "GameSpy's list", "Doom 3's filter"]),
    (IgnoresGametype, &["rules", "Doom 3's filter"]),
    (IgnoresPassword, &["Doom 3's filter"]),
    (
        SwappedPort,
        &[
            "a list",
            "both families in Daemon's form",
            "an old list",
            "statuses of Elite Force",
            "both families",
            "HexenWorld",
            "a list of Half-Life in pieces",
            "GameSpy's list",
            "GameSpy's compressed list",
        ],
    ),
    (
        DoubledEntries,
        &[
            "a list",
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "both families in Daemon's form",
            "an old list",
            "a list of Elite Force",
            "statuses of Elite Force",
            "empty and full",
            "protocols",
            "games",
            "rules",
            "both families",
            "an answer twice",
            "silence",
            "two heartbeats at the end",
            "a new state",
            "HexenWorld",
            "a list of Half-Life in pieces",
            "GameSpy's list",
            "GameSpy's compressed list",
            "Doom 3's filter",
            "every list twice",
        ],
    ),
    (OtherPort, &["from where answers come"]),
    (NeverForgets, &["silence", "two heartbeats at the end", "late answers of listed servers"]),
    (ForgetsEarly, &["silence", "late answers of listed servers"]),
    (IgnoresShutdown, &["words of parting"]),
    (KeepsOldState, &["a new state"]),
    (AcceptsNoPlaces, &["no places"]),
    (AcceptsMissingKeys, &["missing keys"]),
    (AcceptsBadNames, &["names of games"]),
    (AcceptsAnyTag, &["statuses of Elite Force", "an unknown tag"]),
    (AcceptsLoopback, &["loopback"]),
    (AcceptsRegister, &["register"]),
    (NoLimitAnAddress, &["an address with many servers"]),
    (NoFloodProtection, &["a flood"]),
    (CrashesOnLongKey, &["a long key"]),
    (SilentOnLineFeed, &["a request with a line feed"]),
    (NoIpv6, &["both families"]),
    (WrongMotdChallenge, &["the message of the day"]),
    (AcceptsAnyKey, &["keys of players"]),
    (NeverAcknowledges, &["is the master there"]),
    (FourBytesMark, &["HexenWorld", "every list twice"]),
    (NoCursor, &["a list of Half-Life in pieces"]),
    (AnyValidation, &["GameSpy's proofs", "a challenge in another case"]),
    (NoFinal, &["GameSpy's list", "GameSpy's compressed list", "every list twice"]),
    (PlainForCompressed, &["GameSpy's compressed list", "every list twice"]),
    (OldVersionsAreNew, &["an old version of Doom 3"]),
    (CountingChallenge, &["challenges", "challenges of every family"]),
    (TimeChallenge, &["challenges", "challenges of every family", "a challenge in another case"]),
    (FewChallenges, &["challenges", "challenges of every family", "a challenge in another case"]),
    (ChallengeAnyCase, &["a challenge in another case"]),
    (ForgetsAfter5s, &["silence", "six seconds later", "late answers of listed servers"]),
    (
        WideRecords,
        &[
            "a list",
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "both families in Daemon's form",
            "an old list",
            "a list of Elite Force",
            "statuses of Elite Force",
            "empty and full",
            "protocols",
            "games",
            "rules",
            "both families",
            "an answer twice",
            "silence",
            "two heartbeats at the end",
            "a new state",
            "HexenWorld",
            "a list of Half-Life in pieces",
            "GameSpy's compressed list",
            "Doom 3's filter",
            "every list twice",
        ],
    ),
    (LateRenewal, &["late answers of listed servers"]),
    (
        ListVaries,
        &[
            "statuses of Elite Force",
            "empty and full",
            "protocols",
            "games",
            "rules",
            "both families",
            "silence",
            "two heartbeats at the end",
            "Doom 3's filter",
            "every list twice",
        ],
    ),
    (
        ListsNobody,
        &[
            "a list",
            "a long list",
            "a long list in id's form",
            "a long list in Raven's form",
            "a long list in Daemon's form",
            "both families in Daemon's form",
            "an old list",
            "a list of Elite Force",
            "statuses of Elite Force",
            "empty and full",
            "protocols",
            "games",
            "rules",
            "both families",
            "an answer twice",
            "silence",
            "two heartbeats at the end",
            "a new state",
            "HexenWorld",
            "a list of Half-Life in pieces",
            "GameSpy's list",
            "GameSpy's compressed list",
            "Doom 3's filter",
            "every list twice",
        ],
    ),
];

#[test]
fn every_defect_is_caught_by_what_it_breaks_and_by_nothing_else() {
    let correct: Vec<_> = all().map(|probe| outcome(probe, None)).collect();
    let mut wrong = String::new();
    for (defect, ..) in DEFECTS {
        let broken = all().zip(&correct);
        let caught: Vec<_> = broken
            .filter(|(probe, correct)| outcome(probe, Some(*defect)) != **correct)
            .map(|((name, ..), _)| *name)
            .collect();
        let tables = [CAUGHT, super::qr2_probes::CAUGHT];
        let of_defect = tables.map(|table| table.iter().find(|(of, _)| of == defect));
        let expected =
            of_defect.into_iter().flatten().flat_map(|(_, probes)| probes.iter().copied());
        if !expected.eq(caught.iter().copied()) || caught.is_empty() {
            _ = writeln!(wrong, "    ({defect:?}, &{caught:?}),");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
