//! Each defect changes what it names, and nothing that has nothing to do with it.

use std::fmt::Write as _;

use super::probes::{PROBES, told};
use crate::master::{DEFECTS, Defect};
use Defect::*;

/// The probes that tell a master with a defect from a sound one.
static CAUGHT: &[(Defect, &[&str])] = &[
    (
        NoEndMark,
        &[
            "a list",
            "an empty list",
            "a long list",
            "a long list in id's form",
            "an old list",
            "a list of Elite Force",
            "statuses of Elite Force",
            "a request with a line feed",
            "both families",
        ],
    ),
    (EndMarkEverywhere, &["a long list"]),
    (NewEndMark, &["an old list"]),
    (
        EmptyLastPacket,
        &[
            "a list",
            "a long list",
            "a long list in id's form",
            "an old list",
            "a list of Elite Force",
            "statuses of Elite Force",
            "both families",
        ],
    ),
    (LongPackets, &["a long list"]),
    (OnePacket, &["a long list", "a long list in id's form", "a list of Elite Force"]),
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
        ],
    ),
    (AnyChallenge, &["a wrong challenge", "GameSpy's proofs"]),
    (StaleChallenge, &["a late answer", "two heartbeats at the end"]),
    (ReplayedChallenge, &["an answer twice", "an address with many servers"]),
    (ForeignChallenge, &["another's challenge"]),
    (PredictableChallenge, &["challenges"]),
    (ConstantChallenge, &["challenges"]),
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
        ],
    ),
    (OtherPort, &["from where answers come"]),
    (NeverForgets, &["silence", "two heartbeats at the end"]),
    (ForgetsEarly, &["silence"]),
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
    (FourBytesMark, &["HexenWorld"]),
    (NoCursor, &["a list of Half-Life in pieces"]),
    (AnyValidation, &["GameSpy's proofs"]),
    (NoFinal, &["GameSpy's list", "GameSpy's compressed list"]),
    (PlainForCompressed, &["GameSpy's compressed list"]),
    (OldVersionsAreNew, &["an old version of Doom 3"]),
];

#[test]
fn every_defect_is_caught_by_what_it_breaks_and_by_nothing_else() {
    let sound: Vec<_> = PROBES.iter().map(|probe| told(probe, None)).collect();
    let mut wrong = String::new();
    for (defect, ..) in DEFECTS {
        let broken = PROBES.iter().zip(&sound);
        let caught: Vec<_> = broken
            .filter(|(probe, sound)| told(probe, Some(*defect)) != **sound)
            .map(|((name, ..), _)| *name)
            .collect();
        let expected = CAUGHT.iter().find(|(of, _)| of == defect).map(|(_, probes)| *probes);
        if expected != Some(&caught) {
            _ = writeln!(wrong, "    ({defect:?}, &{caught:?}),");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
