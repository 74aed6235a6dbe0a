//! Correct verdicts: the failures for each defect are golden data, a target that does not respond
//! fails nothing, and a busy machine changes no verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::net::UdpSocket;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{bench, golden};
use bench::{Bench, bad, judge, profile, side_by_side};
use conform::families::{profiles, suites};
use conform::{Assumed, Judged, Level, TargetEnv, fits};
use masters::families::services;
use masters::{DEFECTS, Defect};
use report::CaseVerdict;
use simulate::{Consent, Target};

/// Runs at the same time, each on one thread.
const AT_ONCE: usize = 4;
/// Golden data: a line `DEFECT / PROFILE` or `DEFECT / PROFILE / SETTINGS` for each run, with the
/// settings of master and judge in addition to the profile's own, and below it the differences from
/// a correct master.
const GOLDEN: &str = "tests/data/defects.txt";

/// The lines of each run.
type Golden = BTreeMap<String, BTreeSet<String>>;

/// The defect, the profile and the settings of a run.
fn parts(run: &str) -> [&str; 3] {
    let mut parts = run.split(" / ");
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

/// The differences from a correct master: verdicts and cases, and how many each cause blocks.
fn differs(judged: &[Judged], sound: &BTreeMap<&str, CaseVerdict>) -> BTreeSet<String> {
    let is_other = |judged: &&Judged| sound.get(judged.case.id) != Some(&judged.verdict);
    let mut lines = BTreeSet::new();
    let mut blocked: BTreeMap<&str, usize> = BTreeMap::new();
    for judged in judged.iter().filter(is_other) {
        match judged.blocked_by {
            Some(cause) => *blocked.entry(cause).or_default() += 1,
            None => _ = lines.insert(format!("{:?} {}", judged.verdict, judged.case.id)),
        }
    }
    lines.extend(blocked.iter().map(|(cause, n)| format!("Blocked by {cause}: {n}")));
    lines
}

/// In memory, with virtual time: each run is the same every time. `UPDATE=1` writes the file.
#[test]
fn what_every_defect_makes_fail_is_known() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    let golden = blocks(&std::fs::read_to_string(&path).unwrap());
    let is_run = |name: &str| golden.keys().any(|run| parts(run)[0] == name);
    let missing = DEFECTS.iter().map(|(_, name, _)| *name).filter(|name| !is_run(name));
    // It shows only for a target on no loopback address; tests/conform.rs has one.
    assert_eq!(missing.collect::<Vec<_>>(), ["accepts-loopback"], "without a run");

    let kinds: BTreeSet<_> = golden.keys().map(|run| (parts(run)[1], parts(run)[2])).collect();
    let kinds: Vec<_> = kinds.into_iter().collect();
    let sound = Mutex::new(BTreeMap::new());
    side_by_side(&kinds, AT_ONCE, |(name, settings)| {
        let judged = judged(None, name, settings);
        assert_eq!(bad(&judged), [""; 0], "{name} {settings}");
        let second = judged.iter().find(|judged| judged.first_try.is_some());
        assert!(second.is_none(), "{name} {settings}: {second:?} passes at the second try");
        let verdicts: BTreeMap<_, _> = judged.iter().map(|j| (j.case.id, j.verdict)).collect();
        sound.lock().unwrap().insert((*name, *settings), verdicts);
    });
    let sound = sound.into_inner().unwrap();
    let lines = |run: &str| {
        let [defect, name, settings] = parts(run);
        let defect = Defect::named(defect).unwrap_or_else(|| panic!("{defect} is no defect"));
        differs(&judged(Some(defect), name, settings), &sound[&(name, settings)])
    };
    let runs: Vec<_> = golden.keys().collect();
    let found = Mutex::new(Golden::new());
    side_by_side(&runs, AT_ONCE, |run| {
        found.lock().unwrap().insert((*run).clone(), lines(run));
    });
    let found = found.into_inner().unwrap();
    if golden::is_updating() {
        std::fs::write(&path, text(&found)).unwrap();
        return;
    }
    let wrong: Vec<_> =
        golden.iter().flat_map(|(run, known)| departures(run, known, &found[run])).collect();
    assert!(wrong.is_empty(), "UPDATE=1 writes this to {GOLDEN}:\n{}", wrong.join("\n"));
    for (run, known) in &golden {
        let fails = known.iter().any(|line| line.starts_with("Fail "));
        assert!(fails, "no case fails for {run}");
    }
}

/// Cases that no defect makes fail, and why: those that report without a verdict need no reason. A
/// row is about the cases that fit its pattern.
const NO_DEFECT: &str = "tests/data/no_defect.csv";

#[test]
fn every_case_has_a_defect_or_a_reason() {
    let read = |name: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
    };
    let golden = blocks(&read(GOLDEN));
    let fail = |line: &String| line.strip_prefix("Fail ").map(str::to_owned);
    let fails: BTreeSet<String> = golden.values().flatten().filter_map(fail).collect();
    let cases = suites().iter().flat_map(|suite| suite.cases());
    let judged = cases.filter(|case| case.level != Level::Info);
    let without: Vec<_> = judged.map(|case| case.id).filter(|id| !fails.contains(*id)).collect();

    let csv = read(NO_DEFECT);
    let rows: Vec<(String, String)> =
        csv::Reader::from_reader(csv.as_bytes()).deserialize().map(Result::unwrap).collect();
    for id in &without {
        assert!(
            rows.iter().any(|(pattern, _)| fits(pattern, id)),
            "{id}: neither defect nor reason"
        );
    }
    for (pattern, why) in &rows {
        assert!(without.iter().any(|id| fits(pattern, id)), "{pattern}: no case without a defect");
        assert!(why.len() > 20, "{pattern}: {why}");
    }
}

/// The lines that are only in one of both.
fn departures(run: &str, known: &BTreeSet<String>, found: &BTreeSet<String>) -> Vec<String> {
    let new = found.difference(known).map(|line| format!("{run}: new: {line}"));
    new.chain(known.difference(found).map(|line| format!("{run}: gone: {line}"))).collect()
}

/// The file with these runs.
fn text(golden: &Golden) -> String {
    let mut text = String::new();
    for (run, lines) in golden {
        writeln!(text, "{run}").unwrap();
        for line in lines {
            writeln!(text, "  {line}").unwrap();
        }
    }
    text
}

/// The runs of the file, and the lines of each.
fn blocks(text: &str) -> Golden {
    let mut all = Golden::new();
    let mut run = "";
    for line in text.lines() {
        match line.strip_prefix("  ") {
            None => {
                run = line;
                all.entry(run.to_owned()).or_default();
            }
            Some(line) => _ = all.entry(run.to_owned()).or_default().insert(line.to_owned()),
        }
    }
    all
}

/// The cases of a profile, judged with a reference master that has this defect.
fn judged(defect: Option<Defect>, name: &str, settings: &str) -> Vec<Judged> {
    let profile = profile(name);
    let bench = Bench::in_memory(&["flood-loopback=on", profile.assumes, settings], defect);
    bench.judge(Some(profile), &[])
}

/// A target at this address.
fn target(at: std::net::SocketAddr) -> TargetEnv {
    let target = Target::new("a master", at, Consent::default()).unwrap();
    let mut env = TargetEnv::new(target, services(), Assumed::default()).unwrap();
    env.timeout = Duration::from_millis(200);
    env
}

#[test]
fn a_target_that_answers_nothing_is_blocked_and_fails_nothing() {
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for at in [silent.local_addr().unwrap(), closed] {
        for profile in profiles() {
            let outcome = judge(&target(at), Some(profile), &[]);
            for judged in &outcome.judged {
                let is_untried =
                    matches!(judged.verdict, CaseVerdict::Blocked | CaseVerdict::Skipped);
                assert!(is_untried, "{}: {:?}: {}", profile.name, judged.case, judged.text);
            }
            let blocked =
                outcome.judged.iter().filter(|j| j.verdict == CaseVerdict::Blocked).count();
            assert!(blocked * 2 > outcome.judged.len(), "{}: {blocked}", profile.name);
            assert!(
                !outcome.causes.is_empty() && outcome.causes.len() <= 4,
                "{:?}",
                outcome.causes
            );
        }
    }
}

/// A master that lists the servers of one game alone is judged for that, if the game is assumed.
#[test]
fn a_target_that_lists_one_game_is_judged_for_that() {
    let count = |judged: &[Judged], verdict| judged.iter().filter(|j| j.verdict == verdict).count();
    let policy = "game-policy=accept Xonotic";
    let unaware = judged(None, "dpmaster", policy);
    let blocked = count(&unaware, CaseVerdict::Blocked);
    assert!(blocked > 60 && count(&unaware, CaseVerdict::Fail) <= 5, "{:?}", bad(&unaware));
    for game in ["gamename=Xonotic", "gamename=Xonotic,protocol=3", "gamename=Xonotic,protocol=4"] {
        let settings = format!("{policy},{game}");
        let aware = judged(None, "dpmaster", &settings);
        assert!(bad(&aware).is_empty(), "{game}: {:#?}", bad(&aware));
        let passed = count(&aware, CaseVerdict::Pass);
        assert!(2 * passed > aware.len(), "{game}: {passed} of {}", aware.len());
        let broken = judged(Some(Defect::SwappedPort), "dpmaster", &settings);
        assert!(count(&broken, CaseVerdict::Fail) > 0, "{game}");
    }
}

/// All cores are busy with other work, and every verdict over real sockets is the same.
#[test]
fn a_busy_machine_changes_no_verdict() {
    let kinds = ["dpmaster", "quake2", "gamespy", "source", "teeworlds", "ut2004"];
    let verdicts = || {
        let all = Mutex::new(BTreeMap::new());
        side_by_side(&kinds, AT_ONCE, |name| {
            let profile = profile(name);
            let bench = Bench::new(&["flood-loopback=on", profile.assumes], None);
            let judged = bench.judge_quick(Some(profile));
            let verdict = |j: &Judged| ((*name, j.case.id), (j.verdict, j.text.clone()));
            all.lock().unwrap().extend(judged.iter().map(verdict));
        });
        all.into_inner().unwrap()
    };
    let quiet = verdicts();
    let busy = AtomicBool::new(true);
    let loaded = std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let loaded = verdicts();
        busy.store(false, Ordering::Relaxed);
        loaded
    });
    let changed: Vec<_> = quiet.iter().filter(|(id, (v, _))| loaded[*id].0 != *v).collect();
    assert!(changed.is_empty(), "{changed:#?}");
    let passed = quiet.values().filter(|(verdict, _)| *verdict == CaseVerdict::Pass).count();
    assert!(passed * 10 > quiet.len() * 8, "{passed} of {} passed", quiet.len());
}
