//! The cases against scripted masters: a missing feature fails once, and the cases that depend on
//! it are blocked by one cause.

mod scripted;

use simulate::Network;
use std::collections::BTreeSet;
use std::time::Duration;

use super::{SERVERS, SUITE};
use crate::families::suites;
use crate::{Assumed, CaseSelection, RunOutcome, RunPlan, TargetEnv, run};
use report::CaseVerdict;
use scripted::{Behaviour, CORRECT, Scripted};

/// Judges a scripted master by a profile; the case that waits for seconds is left out.
fn judge(behaviour: Behaviour, profile: &str) -> (RunOutcome, usize) {
    let master = Scripted::start(behaviour);
    let profile = SUITE.profiles.iter().find(|known| known.name == profile).unwrap();
    let assumed = Assumed::parse("challenge-timeout=9s").unwrap();
    let mut env = TargetEnv::on_network(Network::System, &master.addresses(), assumed).unwrap();
    env.timeout = Duration::from_secs(1);
    let mut cases = CaseSelection::new(suites(), Some(profile), &[]).unwrap().cases;
    cases.retain(|case| case.waits == 0);
    let outcome = run(&RunPlan { cases, jobs: 4, ..RunPlan::default() }, &env, &|_| {});
    let servers = env.count_servers(SERVERS);
    (outcome, servers)
}

fn ids(outcome: &RunOutcome, verdict: CaseVerdict) -> BTreeSet<&'static str> {
    let of = outcome.judged.iter().filter(|judged| judged.verdict == verdict);
    of.map(|judged| judged.case.id).collect()
}

/// A master, its profile, the cases that fail, and the causes why others are blocked.
struct Row {
    name: &'static str,
    behaviour: Behaviour,
    profile: &'static str,
    fails: &'static [&'static str],
    causes: &'static [&'static str],
    /// A case that passes nevertheless.
    passes: &'static [&'static str],
}

/// Like 333networks' master, except that it lists only servers that proved themselves.
const LIKE_333: Behaviour = Behaviour {
    query: Some(r"\secure\"),
    to_source: true,
    once: true,
    knows_all: false,
    answers_queries: true,
    ..CORRECT
};

#[test]
fn what_is_missing_fails_once_and_blocks_what_rests_on_it() {
    let rows = [
        Row {
            name: "nothing is answered",
            behaviour: Behaviour { query: None, connects: false, ..CORRECT },
            profile: "gamespy",
            fails: &[],
            causes: &["gamespy/answers"],
            passes: &[],
        },
        Row {
            name: "no TCP port",
            behaviour: Behaviour { connects: false, ..CORRECT },
            profile: "gamespy",
            fails: &[],
            causes: &["gamespy/connected"],
            passes: &["gamespy/heartbeat/asked", "gamespy/secure/form"],
        },
        Row {
            name: "no challenge for clients",
            behaviour: Behaviour { greets: false, ..CORRECT },
            profile: "gamespy",
            fails: &["gamespy/validate/master-speaks-first"],
            causes: &["gamespy/greeted"],
            passes: &["gamespy/secure/challenge-differs"],
        },
        Row {
            name: "no query for servers",
            behaviour: Behaviour { query: None, ..CORRECT },
            profile: "gamespy",
            fails: &["gamespy/heartbeat/asked"],
            causes: &["gamespy/asked"],
            passes: &["gamespy/validate/right-proof", "gamespy/list/empty"],
        },
        Row {
            name: "no challenge for servers",
            behaviour: Behaviour { query: Some(r"\basic\"), ..CORRECT },
            profile: "unreal-tournament",
            fails: &["gamespy/secure/form"],
            causes: &["gamespy/challenged"],
            passes: &["gamespy/heartbeat/asked-again"],
        },
        Row {
            name: "nobody is listed",
            behaviour: Behaviour { lists: false, ..CORRECT },
            profile: "gamespy",
            fails: &["gamespy/secure/right-proof"],
            causes: &["gamespy/listed"],
            passes: &["gamespy/validate/right-proof", "gamespy/list/empty"],
        },
        Row {
            name: "like 333networks, by its own profile",
            behaviour: LIKE_333,
            profile: "gamespy-333",
            fails: &[],
            causes: &[],
            passes: &["gamespy/secure/wrong-proof", "unreal-tournament/heartbeat/epic"],
        },
        Row {
            name: "like 333networks, by GameSpy's",
            behaviour: LIKE_333,
            profile: "gamespy",
            fails: &[
                "gamespy/heartbeat/asked",
                "gamespy/heartbeat/asked-again",
                "gamespy/heartbeat/query-port",
            ],
            causes: &["gamespy/asked-again", "gamespy/unknown-game-asked"],
            passes: &["gamespy/secure/wrong-proof", "unreal-tournament/heartbeat/epic"],
        },
        Row {
            name: "servers need no proof",
            behaviour: Behaviour { proves: false, ..CORRECT },
            profile: "unreal-tournament",
            fails: &["gamespy/secure/none"],
            causes: &["gamespy/proof-wanted"],
            passes: &["gamespy/validate/wrong-proof", "gamespy/list/no-doubles"],
        },
    ];
    let wrong: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = rows.iter().map(|row| scope.spawn(|| wrong(row))).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The difference from what a row expects.
fn wrong(row: &Row) -> Option<String> {
    let (outcome, servers) = judge(row.behaviour, row.profile);
    let set = |ids: &[&'static str]| ids.iter().copied().collect::<BTreeSet<_>>();
    let [fails, passed, blocked, warned] =
        [CaseVerdict::Fail, CaseVerdict::Pass, CaseVerdict::Blocked, CaseVerdict::Warn]
            .map(|verdict| ids(&outcome, verdict));
    let causes: BTreeSet<_> = outcome.causes.iter().map(|cause| cause.id).collect();
    let is_right = fails == set(row.fails)
        && causes == set(row.causes)
        && row.passes.iter().all(|id| passed.contains(id))
        && row.causes.is_empty() == blocked.is_empty()
        && warned.is_empty()
        && servers <= 200;
    let bad = outcome.judged.iter().filter(|j| j.verdict == CaseVerdict::Fail);
    let why: Vec<_> = bad.map(|judged| (judged.case.id, &judged.text)).collect();
    (!is_right).then(|| {
        format!(
            "{}: {why:#?}, causes {causes:?}, {} passed, warned {warned:?}, blocked {blocked:?}, \
             {servers} servers",
            row.name,
            passed.len()
        )
    })
}

#[test]
fn implementations_have_values_of_traits() {
    for implementation in SUITE.implementations.rows() {
        for (name, value) in &implementation.values {
            let known = SUITE.traits.iter().any(|one| one.name == name);
            assert!(known && !value.is_empty(), "{}: {name}", implementation.name);
        }
    }
}

#[test]
fn challenges_are_read_in_every_form() {
    for (greeting, expected) in [
        (&br"\basic\\secure\wookie"[..], Some("wookie")),
        (br"\secure\ABCDEFG", Some("ABCDEFG")),
        (br"\basic\\secure\abc\final\", Some("abc")),
        (br"\basic\\secure\wook", None),
        (br"\basic\\secure\", None),
        (br"\basic\", None),
    ] {
        let read = simulate::families::gamespy::messages::secure_challenge(greeting);
        let read = read.as_deref().map(String::from_utf8_lossy);
        assert_eq!(read.as_deref(), expected, "{}", greeting.escape_ascii());
    }
    assert_eq!(crate::shared::challenge_quality::swapped_case(b"aZ3/+"), b"Az3/+");
}
