//! Judging a master: the reference master passes what its games owe, whatever is run beside it,
//! and every defect of its is found by the case that is meant to find it.

mod needs;
mod netns;
mod process;

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fragshark::conform::cases::{FAMILIES, profiles};
use fragshark::conform::{
    Assumed, Chosen, Judged, Plan, Profile, TargetEnv, record, run, shown, tables,
};
use fragshark::dump::Colour;
use fragshark::master::{Config, DEFECTS, Defect, Running, SERVICES, Settings};
use fragshark::report::{Run, RunHead, Verdict, page};
use netns::Net;
use process::Process;

/// A master in this process, and what is known of it.
struct Bench {
    env: TargetEnv,
    _running: Running,
}

impl Bench {
    fn new(settings: &[&str], defect: Option<Defect>) -> Self {
        let (mut of, mut assumed) = (Settings::default(), Assumed::default());
        for settings in settings {
            of.set_all(settings).unwrap();
            assumed.add(settings).unwrap();
        }
        if let Some(defect) = defect {
            of.defects = of.defects.with(defect);
        }
        let mut config = Config { settings: of, ..Config::default().anywhere() };
        config.services = SERVICES.iter().map(|service| (service, 0)).collect();
        let running = Running::start(config).unwrap();
        let mut env = TargetEnv::of(running.addresses(), assumed).unwrap();
        // Whoever is sound answers, though a busy machine may be slow to let it.
        env.timeout = Duration::from_secs(20);
        Self { env, _running: running }
    }

    fn judge(&self, profile: Option<&Profile>, words: &[&str]) -> Vec<Judged> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let cases = Chosen::new(FAMILIES, profile, &words).unwrap().cases;
        let plan = Plan { cases, strict: true, ..Plan::default() };
        run(&plan, &self.env, &|_| {}).judged
    }
}

fn profile(name: &str) -> &'static Profile {
    profiles().find(|profile| profile.name == name).unwrap_or_else(|| panic!("{name}"))
}

fn is_good(judged: &Judged) -> bool {
    matches!(judged.verdict, Verdict::Pass | Verdict::Info | Verdict::Skipped)
}

/// What did not pass, and why.
fn bad(judged: &[Judged]) -> Vec<String> {
    let bad = judged.iter().filter(|case| !is_good(case));
    bad.map(|case| format!("{:?}: {}", case.case, case.text)).collect()
}

/// Does something for each of many, a few at a time.
fn side_by_side<T: Sync>(all: &[T], at_once: usize, done: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            done(one);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(work);
        }
    });
}

#[test]
fn the_reference_master_passes_what_it_owes() {
    let all: Vec<_> = profiles().collect();
    side_by_side(&all, 2, |profile| {
        let bench = Bench::new(&["flood-loopback=on", profile.assumes], None);
        let begun = Instant::now();
        let judged = bench.judge(Some(profile), &[]);
        let took = begun.elapsed();
        assert!(!judged.is_empty(), "{}", profile.name);
        assert_eq!(bad(&judged), [""; 0], "{}", profile.name);
        let passed = judged.iter().filter(|case| case.verdict == Verdict::Pass).count();
        eprintln!("{}: {passed} of {} passed in {took:?}", profile.name, judged.len());
        assert!(took < Duration::from_secs(10), "{}: {took:?}", profile.name);
    });
}

#[test]
fn time_outs_are_waited_for_where_they_are_short() {
    let bench = Bench::new(&["server-timeout=2s,gamespy-timeout=2s"], None);
    for case in bench.judge(None, &["*/timeout/*"]) {
        assert_eq!(case.verdict, Verdict::Pass, "{:?}: {}", case.case, case.text);
    }
}

/// Twenty runs of everything; several at once, so that they are in each other's way.
#[test]
fn no_case_is_flaky() {
    let rounds: Vec<_> = (0..20).collect();
    let first: Mutex<Option<Vec<(&str, Verdict)>>> = Mutex::new(None);
    side_by_side(&rounds, 4, |round| {
        let bench = Bench::new(&["flood-loopback=on"], None);
        let judged = bench.judge(None, &[]);
        assert_eq!(bad(&judged), [""; 0], "run {round}");
        let verdicts: Vec<_> = judged.iter().map(|case| (case.case.id, case.verdict)).collect();
        let mut first = first.lock().unwrap();
        let first = first.get_or_insert_with(|| verdicts.clone());
        assert_eq!(*first, verdicts, "run {round}");
    });
}

/// A defect, the profile that is judged by, settings beside, and the cases that have to fail.
type Caught = (Defect, &'static str, &'static str, &'static [&'static str]);

/// Which case finds which defect.
static CAUGHT: &[Caught] = &[
    (Defect::NoEndMark, "dpmaster", "", &["quake3/getserversResponse/end-mark"]),
    (Defect::EndMarkEverywhere, "dpmaster", "", &["dpmaster/getserversResponse/end-mark"]),
    (Defect::NewEndMark, "q3master", "", &["q3master/getserversResponse/old-end-mark"]),
    (Defect::EmptyLastPacket, "dpmaster", "", &["quake3/getserversResponse/no-empty-packet"]),
    (
        Defect::LongPackets,
        "dpmaster",
        "",
        &["quake3/getserversResponse/size", "dpmaster/getserversResponse/size"],
    ),
    (Defect::OnePacket, "dpmaster", "", &["quake3/getserversResponse/split"]),
    (Defect::ListsUnverified, "quake3", "", &["quake3/heartbeat/unanswered"]),
    (Defect::AnyChallenge, "dpmaster", "", &["dpmaster/infoResponse/wrong"]),
    (Defect::StaleChallenge, "dpmaster", "", &["dpmaster/infoResponse/late"]),
    (Defect::ReplayedChallenge, "dpmaster", "", &["dpmaster/infoResponse/replayed"]),
    (Defect::ForeignChallenge, "dpmaster", "", &["dpmaster/infoResponse/foreign"]),
    (Defect::PredictableChallenge, "dpmaster", "", &["dpmaster/getinfo/unpredictable"]),
    (Defect::ConstantChallenge, "dpmaster", "", &["dpmaster/getinfo/fresh"]),
    (Defect::ShortChallenge, "dpmaster", "", &["dpmaster/getinfo/length"]),
    (Defect::ForbiddenCharacters, "dpmaster", "", &["dpmaster/getinfo/characters"]),
    (Defect::LeaksEmpty, "quake3", "", &["quake3/getservers/neither", "quake3/getservers/full"]),
    (Defect::LeaksFull, "quake3", "", &["quake3/getservers/neither", "quake3/getservers/empty"]),
    (Defect::HidesEmpty, "quake3", "", &["quake3/getservers/empty"]),
    (Defect::HidesFull, "quake3", "", &["quake3/getservers/full"]),
    (Defect::IgnoresProtocol, "quake3", "", &["quake3/getservers/protocol"]),
    (Defect::IgnoresGame, "dpmaster", "", &["dpmaster/getservers/game"]),
    (Defect::IgnoresGametype, "quake3", "", &["quake3/getservers/ctf"]),
    (Defect::SwappedPort, "quake3", "", &["quake3/getserversResponse/records"]),
    (Defect::DoubledEntries, "quake3", "", &["quake3/getserversResponse/doubles"]),
    (Defect::OtherPort, "quake3", "", &["quake3/getserversResponse/source"]),
    (Defect::NeverForgets, "quake3", "", &["quake3/heartbeat/shutdown"]),
    (Defect::NeverForgets, "dpmaster", "server-timeout=2s", &["dpmaster/timeout/forgotten"]),
    (Defect::ForgetsEarly, "dpmaster", "server-timeout=2s", &["dpmaster/timeout/kept"]),
    (Defect::IgnoresShutdown, "rtcw", "", &["rtcw/heartbeat/flatline"]),
    (Defect::IgnoresShutdown, "enemy-territory", "", &["enemy-territory/heartbeat/flatline"]),
    (Defect::KeepsOldState, "quake3", "", &["quake3/heartbeat/full", "quake3/heartbeat/emptied"]),
    (Defect::AcceptsNoPlaces, "dpmaster", "", &["dpmaster/infoResponse/no-places"]),
    (
        Defect::AcceptsMissingKeys,
        "dpmaster",
        "",
        &["dpmaster/infoResponse/protocol-missing", "dpmaster/infoResponse/clients-missing"],
    ),
    (Defect::AcceptsBadNames, "dpmaster", "", &["dpmaster/infoResponse/gamename-too-long"]),
    (Defect::AcceptsAnyTag, "quake3", "", &["quake3/heartbeat/unknown-tag"]),
    (Defect::AcceptsRegister, "quake3", "", &["quake3/register/refused"]),
    (Defect::NoLimitAnAddress, "dpmaster", "", &["dpmaster/limits/servers-of-an-address"]),
    (Defect::NoFloodProtection, "dpmaster", "", &["quake3/robust/flood"]),
    (Defect::CrashesOnLongKey, "dpmaster", "", &["quake3/robust/long-key"]),
    (Defect::SilentOnLineFeed, "quake3", "", &["quake3/getservers/line-feed"]),
    (Defect::NoIpv6, "dpmaster", "", &["dpmaster/getserversExt/both-families"]),
    (Defect::WrongMotdChallenge, "quake3", "", &["quake3/getmotd/challenge"]),
    (Defect::AcceptsAnyKey, "quake3", "", &["quake3/getIpAuthorize/not-shown"]),
    (Defect::SwappedPort, "quake2", "", &["quake2/servers/byte-order"]),
    (Defect::DoubledEntries, "quake2", "", &["quake2/servers/once-each"]),
    (Defect::OtherPort, "quake2", "", &["quake2/query/answered", "quake2/ping/acknowledged"]),
    (Defect::NeverForgets, "quake2", "server-timeout=2s", &["quake2/timeout/forgotten"]),
    (
        Defect::ForgetsEarly,
        "quake2",
        "server-timeout=2s",
        &["quake2/timeout/kept", "quake2/timeout/renewed"],
    ),
    (Defect::IgnoresShutdown, "quake2", "", &["quake2/shutdown/gone"]),
    (Defect::NeverAcknowledges, "quake2", "", &["quake2/ping/acknowledged"]),
    (Defect::IgnoresShutdown, "heretic2", "", &["heretic2/shutdown/gone"]),
    (Defect::NeverAcknowledges, "heretic2", "", &["heretic2/ping/acknowledged"]),
    (Defect::SwappedPort, "quakeworld", "", &["quakeworld/d/byte-order"]),
    (Defect::DoubledEntries, "quakeworld", "", &["quakeworld/d/once-each"]),
    (Defect::IgnoresShutdown, "quakeworld", "", &["quakeworld/C/gone"]),
    (Defect::NeverAcknowledges, "quakeworld", "", &["quakeworld/k/acknowledged"]),
    (Defect::IgnoresShutdown, "hexenworld", "", &["hexenworld/C/gone"]),
    (Defect::FourBytesMark, "hexenworld", "", &["hexenworld/d/mark", "hexenworld/k/acknowledged"]),
    (Defect::NoEndMark, "elite-force", "", &["elite-force/getserversResponse/end-mark"]),
    (
        Defect::EmptyLastPacket,
        "elite-force",
        "",
        &["elite-force/getserversResponse/no-empty-packet"],
    ),
    (Defect::OnePacket, "elite-force", "", &["elite-force/getserversResponse/all"]),
    (Defect::ListsUnverified, "elite-force", "", &["elite-force/heartbeat/unanswered"]),
    (Defect::AnyChallenge, "elite-force", "", &["elite-force/challenge/wrong"]),
    (
        Defect::StaleChallenge,
        "elite-force",
        "challenge-timeout=2s",
        &["elite-force/challenge/stale"],
    ),
    (Defect::ForeignChallenge, "elite-force", "", &["elite-force/challenge/foreign"]),
    (Defect::ConstantChallenge, "elite-force", "", &["elite-force/challenge/changes"]),
    (Defect::LeaksEmpty, "elite-force", "", &["elite-force/getservers/neither"]),
    (Defect::LeaksFull, "elite-force", "", &["elite-force/getservers/neither"]),
    (Defect::HidesEmpty, "elite-force", "", &["elite-force/getservers/empty"]),
    (Defect::HidesFull, "elite-force", "", &["elite-force/getservers/full"]),
    (Defect::IgnoresProtocol, "elite-force", "", &["elite-force/getservers/protocol"]),
    (Defect::IgnoresGametype, "elite-force", "", &["elite-force/getservers/game-types"]),
    (Defect::SwappedPort, "elite-force", "", &["elite-force/getserversResponse/byte-order"]),
    (Defect::DoubledEntries, "elite-force", "", &["elite-force/getserversResponse/once-each"]),
    (Defect::OtherPort, "elite-force", "", &["elite-force/getservers/answered"]),
    (Defect::ForgetsEarly, "elite-force", "server-timeout=2s", &["elite-force/timeout/kept"]),
    (Defect::NeverForgets, "elite-force", "server-timeout=2s", &["elite-force/timeout/forgotten"]),
    (Defect::IgnoresShutdown, "elite-force", "", &["elite-force/heartstop/gone"]),
    (Defect::KeepsOldState, "elite-force", "", &["elite-force/heartbeat/new-state"]),
    (Defect::AcceptsNoPlaces, "elite-force", "", &["elite-force/statusResponse/no-places"]),
    (Defect::AcceptsMissingKeys, "elite-force", "", &["elite-force/statusResponse/places-missing"]),
    (Defect::AcceptsAnyTag, "elite-force", "", &["elite-force/heartbeat/other-game"]),
    (Defect::SilentOnLineFeed, "elite-force", "", &["elite-force/getservers/line-feed"]),
    (Defect::WrongMotdChallenge, "elite-force", "", &["elite-force/motd/challenge"]),
    (Defect::CountingChallenge, "elite-force", "", &["elite-force/challenge/changes"]),
    (Defect::TimeChallenge, "elite-force", "", &["elite-force/challenge/changes"]),
    (Defect::FewChallenges, "elite-force", "", &["elite-force/challenge/changes"]),
    (
        Defect::LateRenewal,
        "elite-force",
        "challenge-timeout=2s",
        &["elite-force/challenge/late-renewal"],
    ),
    (Defect::ForgetsAfter5s, "elite-force", "", &["elite-force/heartbeat/kept"]),
    (Defect::WideRecords, "elite-force", "", &["elite-force/getserversResponse/whole-records"]),
    (Defect::ListVaries, "elite-force", "", &["elite-force/getserversResponse/steady"]),
    (Defect::ListsNobody, "elite-force", "", &["elite-force/getserversResponse/hex"]),
    (Defect::ChallengeAnyCase, "elite-force", "", &["elite-force/challenge/any-case"]),
    (Defect::ListsUnverified, "doom3", "", &["doom3/infoResponse/none"]),
    (Defect::AnyChallenge, "doom3", "", &["doom3/infoResponse/wrong-challenge"]),
    (
        Defect::StaleChallenge,
        "doom3",
        "challenge-timeout=2s",
        &["doom3/infoResponse/stale-challenge"],
    ),
    (Defect::ForeignChallenge, "doom3", "", &["doom3/infoResponse/foreign-challenge"]),
    (Defect::PredictableChallenge, "doom3", "", &["doom3/getInfo/challenge-differs"]),
    (Defect::ConstantChallenge, "doom3", "", &["doom3/getInfo/challenge-differs"]),
    (Defect::LeaksEmpty, "doom3", "", &["doom3/getServers/neither-full-nor-empty"]),
    (Defect::LeaksFull, "doom3", "", &["doom3/getServers/not-full"]),
    (Defect::HidesEmpty, "doom3", "", &["doom3/getServers/no-filter"]),
    (Defect::HidesFull, "doom3", "", &["doom3/getServers/no-filter"]),
    (Defect::IgnoresProtocol, "doom3", "", &["doom3/getServers/protocol"]),
    (Defect::IgnoresGame, "doom3", "", &["doom3/getServers/fs-game"]),
    (Defect::IgnoresGametype, "doom3", "", &["doom3/getServers/game-types"]),
    (Defect::IgnoresPassword, "doom3", "", &["doom3/getServers/password"]),
    (Defect::SwappedPort, "doom3", "", &["doom3/servers/byte-order"]),
    (Defect::DoubledEntries, "doom3", "", &["doom3/servers/no-doubles"]),
    (Defect::OtherPort, "doom3", "", &["doom3/heartbeat/asked"]),
    (Defect::KeepsOldState, "doom3", "", &["doom3/infoResponse/new-state"]),
    (Defect::OldVersionsAreNew, "doom3", "", &["doom3/versionCheck/old-client"]),
    (Defect::CountingChallenge, "doom3", "", &["doom3/getInfo/challenge-differs"]),
    (Defect::TimeChallenge, "doom3", "", &["doom3/getInfo/challenge-differs"]),
    (Defect::FewChallenges, "doom3", "", &["doom3/getInfo/challenge-differs"]),
    (Defect::LateRenewal, "doom3", "challenge-timeout=2s", &["doom3/infoResponse/late-renewal"]),
    (Defect::ForgetsAfter5s, "doom3", "", &["doom3/infoResponse/kept"]),
    (Defect::WideRecords, "doom3", "", &["doom3/servers/form"]),
    (Defect::ListVaries, "doom3", "", &["doom3/servers/steady"]),
    (Defect::ListsNobody, "doom3", "", &["doom3/infoResponse/right-challenge"]),
    (Defect::ListsUnverified, "half-life", "", &["half-life/0/none"]),
    (Defect::AnyChallenge, "half-life", "", &["half-life/0/wrong-challenge"]),
    (Defect::StaleChallenge, "half-life", "challenge-timeout=2s", &["half-life/0/stale-challenge"]),
    (Defect::ForeignChallenge, "half-life", "", &["half-life/0/foreign-challenge"]),
    (Defect::PredictableChallenge, "half-life", "", &["half-life/s/challenge-differs"]),
    (Defect::ConstantChallenge, "half-life", "", &["half-life/s/challenge-differs"]),
    (Defect::IgnoresGame, "half-life", "", &["half-life/1/gamedir"]),
    (Defect::SwappedPort, "half-life", "", &["half-life/f/byte-order"]),
    (Defect::DoubledEntries, "half-life", "", &["half-life/f/no-doubles"]),
    (Defect::OtherPort, "half-life", "", &["half-life/q/asked"]),
    (Defect::IgnoresShutdown, "half-life", "", &["half-life/b/leaves"]),
    (Defect::KeepsOldState, "half-life", "", &["half-life/0/new-state"]),
    (Defect::NoCursor, "half-life", "packet-size=600", &["half-life/f/goes-on"]),
    (Defect::CountingChallenge, "half-life", "", &["half-life/s/challenge-differs"]),
    (Defect::TimeChallenge, "half-life", "", &["half-life/s/challenge-differs"]),
    (Defect::FewChallenges, "half-life", "", &["half-life/s/challenge-differs"]),
    (Defect::LateRenewal, "half-life", "challenge-timeout=2s", &["half-life/0/late-renewal"]),
    (Defect::ForgetsAfter5s, "half-life", "", &["half-life/0/kept"]),
    (Defect::WideRecords, "half-life", "", &["half-life/f/whole-records"]),
    (Defect::ListVaries, "half-life", "", &["half-life/f/steady"]),
    (Defect::ListsNobody, "half-life", "", &["half-life/0/right-challenge"]),
    (Defect::ListsUnverified, "xash3d", "", &["xash3d/0/none"]),
    (Defect::AnyChallenge, "xash3d", "", &["xash3d/0/wrong-challenge"]),
    (Defect::ForeignChallenge, "xash3d", "", &["xash3d/0/foreign-challenge"]),
    (Defect::StaleChallenge, "xash3d", "challenge-timeout=2s", &["xash3d/0/stale-challenge"]),
    (Defect::PredictableChallenge, "xash3d", "", &["xash3d/s/challenge-differs"]),
    (Defect::ConstantChallenge, "xash3d", "", &["xash3d/s/challenge-differs"]),
    (Defect::IgnoresGame, "xash3d", "", &["xash3d/1/gamedir"]),
    (Defect::SwappedPort, "xash3d", "", &["xash3d/f/byte-order"]),
    (Defect::DoubledEntries, "xash3d", "", &["xash3d/f/no-doubles"]),
    (Defect::OtherPort, "xash3d", "", &["xash3d/q/asked"]),
    (Defect::KeepsOldState, "xash3d", "", &["xash3d/0/new-state"]),
    (Defect::NeverForgets, "xash3d", "server-timeout=2s", &["xash3d/0/forgotten"]),
    (Defect::CountingChallenge, "xash3d", "", &["xash3d/s/challenge-differs"]),
    (Defect::TimeChallenge, "xash3d", "", &["xash3d/s/challenge-differs"]),
    (Defect::FewChallenges, "xash3d", "", &["xash3d/s/challenge-differs"]),
    (Defect::LateRenewal, "xash3d", "challenge-timeout=2s", &["xash3d/0/late-renewal"]),
    (Defect::ForgetsAfter5s, "xash3d", "", &["xash3d/0/kept"]),
    (Defect::WideRecords, "xash3d", "", &["xash3d/f/whole-records"]),
    (Defect::ListVaries, "xash3d", "", &["xash3d/f/steady"]),
    (Defect::ListsNobody, "xash3d", "", &["xash3d/0/right-challenge"]),
    (Defect::ListsUnverified, "gamespy", "", &["gamespy/secure/none"]),
    (Defect::StaleChallenge, "gamespy", "", &["gamespy/secure/stale-challenge"]),
    (Defect::ReplayedChallenge, "gamespy", "", &["gamespy/secure/asked-anew"]),
    (
        Defect::PredictableChallenge,
        "gamespy",
        "",
        &["gamespy/secure/challenge-differs", "gamespy/validate/challenge-differs"],
    ),
    (
        Defect::ConstantChallenge,
        "gamespy",
        "",
        &["gamespy/secure/challenge-differs", "gamespy/validate/challenge-differs"],
    ),
    (Defect::IgnoresGame, "gamespy", "", &["gamespy/list/other-game"]),
    (Defect::SwappedPort, "gamespy", "", &["gamespy/list/text", "gamespy/list/compressed"]),
    (Defect::DoubledEntries, "gamespy", "", &["gamespy/list/no-doubles"]),
    (Defect::OtherPort, "gamespy", "", &["gamespy/heartbeat/asked"]),
    (Defect::NeverForgets, "gamespy", "", &["gamespy/heartbeat/silent"]),
    (Defect::NeverForgets, "gamespy", "gamespy-timeout=2s", &["gamespy/timeout/forgotten"]),
    (Defect::ForgetsEarly, "gamespy", "gamespy-timeout=2s", &["gamespy/timeout/kept"]),
    (Defect::IgnoresShutdown, "gamespy", "", &["gamespy/heartbeat/exiting"]),
    (Defect::AcceptsBadNames, "gamespy", "", &["gamespy/heartbeat/blank-in-name"]),
    (
        Defect::AnyValidation,
        "gamespy",
        "",
        &["gamespy/secure/wrong-proof", "gamespy/validate/wrong-proof"],
    ),
    (Defect::NoFinal, "unreal-tournament", "", &["gamespy/list/text"]),
    (Defect::PlainForCompressed, "unreal-tournament", "", &["gamespy/list/compressed"]),
];

#[test]
fn every_defect_is_found_by_the_right_case() {
    let wrong = Mutex::new(Vec::new());
    side_by_side(CAUGHT, 4, |(defect, name, settings, expected)| {
        let profile = profile(name);
        let settings = ["flood-loopback=on", profile.assumes, settings];
        let mut bench = Bench::new(&settings, Some(*defect));
        bench.env.timeout = Duration::from_secs(1);
        let judged = bench.judge(Some(profile), &[]);
        let failed: Vec<_> = judged.iter().filter(|case| !is_good(case)).collect();
        for id in *expected {
            if !failed.iter().any(|case| case.case.id == *id) {
                let failed: Vec<_> = failed.iter().map(|case| case.case.id).collect();
                wrong
                    .lock()
                    .unwrap()
                    .push(format!("{defect:?}: {id} did not fail, but {failed:?}"));
            }
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Found by a test of its own: it needs a target that is on no loopback address.
const FOUND_ELSEWHERE: &[(Defect, &str, &str)] =
    &[(Defect::AcceptsLoopback, "dpmaster", "quake3/heartbeat/loopback")];

/// `UPDATE=1` writes the tables anew.
#[test]
fn the_page_has_every_case_sentence_and_defect() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/conformance.md");
    let is = std::fs::read_to_string(&path).unwrap();
    let mut should = is.clone();
    let parts = tables().into_iter().chain([("defects", defects())]);
    for (name, table) in parts {
        let begin = format!("<!-- {name} -->\n");
        let at = should.find(&begin).unwrap() + begin.len();
        let end = at + should[at..].find("<!-- end -->").unwrap();
        should.replace_range(at..end, &table);
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, should).unwrap();
        return;
    }
    assert!(is == should, "docs/conformance.md is stale: run with UPDATE=1");
}

#[test]
fn every_defect_has_a_case_that_finds_it() {
    let found = |of: &Defect| {
        let elsewhere = FOUND_ELSEWHERE.iter().any(|(defect, ..)| defect == of);
        elsewhere || CAUGHT.iter().any(|(defect, ..)| defect == of)
    };
    let missing = DEFECTS.iter().filter(|(defect, ..)| !found(defect));
    let missing: Vec<_> = missing.map(|(_, name, _)| *name).collect();
    assert!(missing.is_empty(), "no case finds {missing:?}");
}

/// What finds each defect, in the order of the defects.
fn defects() -> String {
    let mut table = "| defect | what it breaks | profile | cases that fail |\n".to_owned();
    table += "|---|---|---|---|\n";
    for (defect, name, breaks) in DEFECTS {
        let caught = CAUGHT.iter().filter(|(of, ..)| of == defect);
        let mut all: Vec<(&str, Vec<&str>)> =
            caught.map(|(_, profile, _, ids)| (*profile, ids.to_vec())).collect();
        let elsewhere = FOUND_ELSEWHERE.iter().filter(|(of, ..)| of == defect);
        all.extend(elsewhere.map(|(_, profile, id)| (*profile, vec![*id])));
        if all.is_empty() {
            writeln!(table, "| `{name}` | {breaks} | | none |").unwrap();
        }
        for (profile, ids) in all {
            let ids: Vec<_> = ids.iter().map(|id| format!("`{id}`")).collect();
            writeln!(table, "| `{name}` | {breaks} | `{profile}` | {} |", ids.join(", ")).unwrap();
        }
    }
    table
}

/// A master that listens on no loopback address, in a network of its own: every case shares one
/// address, and a server on a loopback address is one too many.
#[test]
fn a_target_beyond_loopback_is_judged_too() {
    let Some(net) = Net::new("conform beyond loopback") else { return };
    if !net.is_own() {
        return;
    }
    let add = ["addr", "add", "10.9.0.1/32", "dev", "lo"];
    assert!(net.command("ip").args(add).status().unwrap().success());
    for (defects, status) in [(&[][..], 0), (&["--defect", "accepts-loopback"], 1)] {
        let mut command = net.command(env!("CARGO_BIN_EXE_fragshark"));
        command.args(["master", "--listen", "10.9.0.1", "--only", "quake3", "--port", "quake3=0"]);
        command.args(["--set", "max-per-address=4096"]).args(defects);
        let mut master = Process::start(command.stdout(Stdio::piped()));
        let mut lines = BufReader::new(master.0.stdout.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let at = line.rsplit(' ').next().unwrap();
        let mut command = net.command(env!("CARGO_BIN_EXE_fragshark"));
        command.args(["conform", "--target", at, "--profile", "dpmaster"]);
        command.args(["--assume", "max-per-address=4096"]);
        let output = command.output().unwrap();
        let (told, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{told}{said}");
        let word = if status == 0 { "pass" } else { "fail" };
        let judged = told.lines().find(|line| line.contains(" loopback ")).unwrap_or_default();
        assert!(judged.trim_start().starts_with(word), "{told}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A master with a defect, and one without, side by side on a page, in a browser.
#[test]
fn the_page_is_seen_in_a_browser() {
    let words = ["quake3/getservers", "quake3/getserversResponse", "dpmaster/getinfo"];
    let broken = [Some(Defect::SwappedPort), None];
    let runs: Vec<Run> = broken
        .iter()
        .map(|defect| {
            let bench = Bench::new(&[], *defect);
            let judged = bench.judge(None, &words);
            let cases = judged.iter().map(|judged| shown(judged, false, Colour::Plain)).collect();
            let target = defect.map_or("sound", |_| "swapped").to_owned();
            Run { head: RunHead { target, ..RunHead::default() }, cases, ..Run::default() }
        })
        .collect();
    let html = page(&runs);
    let [swapped, sound] = &runs[..] else { unreachable!() };
    assert!(swapped.cases.iter().any(|tried| tried.verdict == Verdict::Fail));
    let Some([chromium]) = needs::programs("the page in a browser", ["chromium"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (folder.path().join("page.html"), folder.path().join("page.png"));
    std::fs::write(&file, &html).unwrap();
    let browse = |more: &[String]| {
        let mut command = Command::new(&chromium);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
        command.args(["--disable-background-networking", "--disable-component-update"]);
        command.args(["--disable-sync", "--window-size=1200,4000"]);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
        command.args(more).arg(format!("file://{}", file.display()));
        command.output().unwrap()
    };
    let seen = browse(&[format!("--screenshot={}", picture.display())]);
    let bytes = std::fs::read(&picture).unwrap_or_else(|_| panic!("{}", text(&seen.stderr)));
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 50_000, "{} bytes", bytes.len());
    // What the browser has made of it: every case is on the page, in full or as a line.
    let dom = text(&browse(&["--dump-dom".to_owned()]).stdout);
    for tried in &sound.cases {
        let full = dom.matches(&format!("<h3>{}</h3>", tried.id)).count();
        let line = dom.matches(&format!("<td class=\"id\">{}</td>", tried.id)).count();
        assert_eq!(full + line, 1, "{}", tried.id);
    }
    assert!(dom.contains("<pre class=\"fault\">"));
    if let Some(keep) = std::env::var_os("FRAGSHARK_PICTURE") {
        std::fs::copy(&picture, keep).unwrap();
    }
}

#[test]
fn a_run_is_kept_as_a_capture_whose_comments_name_the_cases() {
    let bench = Bench::new(&[], None);
    let judged = bench.judge(None, &["quake3/getservers"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.pcapng");
    record(std::fs::File::create(&path).unwrap(), &judged).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    for case in &judged {
        let comment = format!("{}: ", case.case.id);
        let found = bytes.windows(comment.len()).any(|part| part == comment.as_bytes());
        assert!(found, "{comment}");
    }
    let decoded = Command::new(env!("CARGO_BIN_EXE_fragshark")).arg("decode").arg(&path).output();
    let decoded = text(&decoded.unwrap().stdout);
    let said: usize = judged.iter().map(|case| case.log.said.len()).sum();
    assert_eq!(decoded.lines().count(), said, "{decoded}");
}

/// The command with these arguments: its status, and what it printed.
fn conform(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(arguments).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn the_command_judges_lists_and_tells() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (status, told, said) = conform(&["conform", "quake3/getservers", "--record", &file("a")]);
    assert_eq!((status, said.as_str()), (Some(0), ""), "{told}");
    assert!(told.starts_with("quake3\n  getservers\n    pass    line-feed  "), "{told}");
    let bytes = std::fs::read(file("a")).unwrap();
    assert!(bytes.windows(27).any(|part| part == b"quake3/getservers/line-feed"));

    let (status, told, _) = conform(&["conform", "--list", "--profile", "rtcw"]);
    assert_eq!(status, Some(0));
    assert!(told.lines().all(|line| line.starts_with("rtcw/")) && told.lines().count() > 5);

    for (form, begins) in [
        ("json", "{\n\"run\": {"),
        ("ndjson", "{\"type\":\"run\","),
        ("tap", "TAP version 14\n# target: the reference master\n"),
        ("junit", "<?xml"),
        ("html", "<!DOCTYPE html>"),
    ] {
        let path = file(form);
        let arguments = ["conform", "--profile", "rtcw", "--report", form, "-o", &path];
        let (status, told, said) = conform(&arguments);
        assert_eq!((status, told.as_str(), said.as_str()), (Some(0), "", ""), "{form}");
        let written = std::fs::read_to_string(path).unwrap();
        assert!(written.starts_with(begins), "{form}: {}", &written[..200]);
    }

    let (status, told, _) = conform(&["fingerprint"]);
    assert_eq!(status, Some(0));
    assert!(told.starts_with("quake3\n  question to servers"), "{told}");
    assert!(told.contains("  end mark of a short list     \\EOT\\0\\0\\0\n"), "{told}");
    assert!(told.contains("\ngamespy\n  "), "{told}");
}

#[test]
fn failures_make_the_status_unless_they_were_announced() {
    let mut settings = Settings::default();
    settings.defects = settings.defects.with(Defect::SilentOnLineFeed).with(Defect::ShortChallenge);
    let config = Config { settings, ..Config::default().anywhere() };
    let running = Running::start(config).unwrap();
    let at = running.addresses()[0].address.to_string();
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known");
    std::fs::write(&known, "# since ever\nquake3/*/line-feed  # silent\nquake3/getservers/ctf\n")
        .unwrap();
    let known = known.display().to_string();
    let base = ["conform", "--target", &at, "--timeout", "300ms", "quake3/getservers/line-feed"];
    let with = |more: &[&str]| conform(&[&base[..], more].concat());

    let (status, told, _) = with(&[]);
    assert_eq!(status, Some(1));
    assert!(told.contains("fail    line-feed") && told.contains("[001 1.1.1]"), "{told}");
    assert!(told.contains("expected a list of servers; came nothing in 300ms"), "{told}");
    let (status, told, said) = with(&["--expect-failures", &known, "quake3/getservers/ctf"]);
    assert_eq!(status, Some(0), "{told}");
    assert!(
        told.contains("known   line-feed") && told.ends_with("1 failed as expected\n"),
        "{told}"
    );
    assert_eq!(said, "fragshark: quake3/getservers/ctf was expected to fail, and passed\n");
    let (status, told, _) = with(&["--repeat", "2", "--retries", "1"]);
    assert!(status == Some(1) && told.contains("2 of 2 times: "), "{told}");

    // What should be is a warning, and a failure where it is strict; the bytes at fault are marked.
    let length = ["conform", "--target", &at, "dpmaster/getinfo/length"];
    let (status, told, _) = conform(&length);
    assert!(status == Some(0) && told.contains("> 000c  "), "{told}");
    assert_eq!(conform(&[&length[..], &["--strict"]].concat()).0, Some(1));
}

#[test]
fn what_cannot_be_tried_is_refused() {
    for (arguments, said) in [
        (&["conform", "none"][..], "no case fits none; --list tells all"),
        (&["conform", "--profile", "none"], "no such profile; there are quake3, dpmaster,"),
        (&["conform", "--assume", "none=1"], "no setting is called none; there are"),
        (&["conform", "--timeout", "soon"], "a time like 2s or 500ms is wanted"),
        (&["conform", "--target", "127.0.0.1:9"], "127.0.0.1:9 is one port; say what kind of"),
        (&["conform", "--target", "192.0.2.1", "rtcw"], "192.0.2.1 is neither on this machine"),
        (&["conform", "--expect-failures", "/nowhere/x"], "cannot read /nowhere/x"),
        (
            &["conform", "--target", "127.0.0.1", "--target", "127.0.0.2"],
            "several targets stand side by side only with --format html",
        ),
        (&["conform", "rtcw", "--profile", "dpmaster"], "no case is left to be tried"),
    ] {
        let (status, told, complaint) = conform(arguments);
        assert_eq!((status, told.as_str()), (Some(2), ""), "{arguments:?}: {complaint}");
        assert!(complaint.contains(said), "{arguments:?}: {complaint}");
    }
}
