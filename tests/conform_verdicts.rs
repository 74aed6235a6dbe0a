//! Verdicts that are right: what each defect makes fail is golden data, a target that answers
//! nothing fails nothing, and a busy machine changes no verdict.

mod bench;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::net::UdpSocket;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bench::{Bench, judge, profile, side_by_side};
use fragshark::conform::cases::profiles;
use fragshark::conform::{Assumed, Judged, TargetEnv};
use fragshark::master::{DEFECTS, Defect};
use fragshark::peer::{Consent, Target};
use fragshark::report::Verdict;

/// Runs at once: most of their time is waiting.
const AT_ONCE: usize = 12;
/// Golden data: a line `DEFECT / PROFILE / SETTINGS` for each run, and below it what is not as with
/// a sound master.
const GOLDEN: &str = "tests/data/defects.txt";

/// A run: the name of the defect, the profile, settings of master and judge beside its own.
type Broken = (String, String, String);

/// The runs of the golden data.
fn runs(golden: &str) -> Vec<Broken> {
    let heads = golden.lines().filter(|line| !line.starts_with(' '));
    let run = |line: &str| {
        let mut parts = line.split(" / ").map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        (next(), next(), next())
    };
    heads.map(run).collect()
}

/// What is not as with a sound master: the verdict and the case, in the order of the cases.
fn differs(judged: &[Judged], sound: &BTreeMap<&str, Verdict>) -> Vec<String> {
    let is_other = |judged: &&Judged| sound.get(judged.case.id) != Some(&judged.verdict);
    let mut lines = Vec::new();
    let mut blocked: BTreeMap<&str, usize> = BTreeMap::new();
    for judged in judged.iter().filter(is_other) {
        match judged.blocked_by {
            Some(cause) => *blocked.entry(cause).or_default() += 1,
            None => lines.push(format!("{:?} {}", judged.verdict, judged.case.id).to_lowercase()),
        }
    }
    let blocked = blocked.iter().map(|(cause, n)| format!("blocked by {cause}: {n}"));
    lines.extend(blocked);
    lines
}

/// `UPDATE=1` writes the file anew; the difference is to be read.
#[test]
fn what_every_defect_makes_fail_is_known() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    let golden = std::fs::read_to_string(&path).unwrap();
    let runs = runs(&golden);
    let kinds: BTreeSet<_> = runs.iter().map(|(_, name, settings)| (name, settings)).collect();
    let kinds: Vec<_> = kinds.into_iter().collect();
    let sound = Mutex::new(BTreeMap::new());
    side_by_side(&kinds, AT_ONCE, |(name, settings)| {
        let judged = judged(None, name, settings);
        let verdicts: BTreeMap<_, _> = judged.iter().map(|j| (j.case.id, j.verdict)).collect();
        sound.lock().unwrap().insert((*name, *settings), verdicts);
    });
    let sound = sound.into_inner().unwrap();
    let found = Mutex::new(BTreeMap::new());
    side_by_side(&runs, AT_ONCE, |run| {
        let (defect, name, settings) = run;
        let defect = Defect::named(defect).unwrap_or_else(|| panic!("{defect} is no defect"));
        let judged = judged(Some(defect), name, settings);
        found.lock().unwrap().insert(run.clone(), differs(&judged, &sound[&(name, settings)]));
    });
    let found = found.into_inner().unwrap();
    let (mut text, mut unseen) = (String::new(), Vec::new());
    for run @ (defect, name, settings) in &runs {
        let gap = if settings.is_empty() { "" } else { " / " };
        writeln!(text, "{defect} / {name}{gap}{settings}").unwrap();
        for line in &found[run] {
            writeln!(text, "  {line}").unwrap();
        }
        if !found[run].iter().any(|line| line.starts_with("fail ")) {
            unseen.push(format!("{defect} / {name}"));
        }
    }
    let is_run = |name: &str| runs.iter().any(|(defect, ..)| defect == name);
    let missing = DEFECTS.iter().map(|(_, name, _)| *name).filter(|name| !is_run(name));
    // It shows only with a target on no loopback address; tests/conform.rs has one.
    assert_eq!(missing.collect::<Vec<_>>(), ["accepts-loopback"], "without a run");
    assert!(unseen.is_empty(), "no case fails for {unseen:?}");
    let (known, found) = (blocks(&golden), blocks(&text));
    if std::env::var_os("UPDATE").is_some() {
        let merged = found.iter().map(|(run, lines)| merge(run, known.get(run), lines));
        std::fs::write(&path, merged.collect::<String>()).unwrap();
        return;
    }
    let mut wrong = Vec::new();
    for (run, lines) in &found {
        let known = known.get(run).cloned().unwrap_or_default();
        let is_known = |line: &String| known.contains(line) || known.contains(&sometimes(line));
        let new =
            lines.iter().filter(|line| !is_known(line)).map(|line| format!("{run}: new {line}"));
        let is_gone = |line: &&String| !line.starts_with(SOMETIMES) && !lines.contains(*line);
        let gone = known.iter().filter(is_gone).map(|line| format!("{run}: gone {line}"));
        wrong.extend(new.chain(gone));
    }
    assert!(wrong.is_empty(), "UPDATE=1 merges this into {GOLDEN}:\n{}", wrong.join("\n"));
}

/// Begins a line of what chance brings: a defect whose challenges are some of eight may give two
/// servers the same or not.
const SOMETIMES: &str = "sometimes ";

fn sometimes(line: &str) -> String {
    format!("{SOMETIMES}{line}")
}

/// What is known of a run, and what it gave now: what only one has comes sometimes.
fn merge(run: &str, known: Option<&BTreeSet<String>>, lines: &BTreeSet<String>) -> String {
    let known = known.filter(|known| !known.is_empty());
    let mut all = BTreeSet::new();
    for line in lines {
        let is_sure = known.is_none_or(|known| known.contains(line));
        all.insert(if is_sure { line.clone() } else { sometimes(line) });
    }
    for line in known.into_iter().flatten() {
        let plain = line.strip_prefix(SOMETIMES).unwrap_or(line);
        if line.starts_with(SOMETIMES) || !lines.contains(plain) {
            all.remove(plain);
            all.insert(sometimes(plain));
        }
    }
    let lines = all.iter().map(|line| format!("  {line}\n"));
    format!("{run}\n{}", lines.collect::<String>())
}

/// The runs of the file, and the lines of each.
fn blocks(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
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
    let mut bench = Bench::new(&["flood-loopback=on", profile.assumes, settings], defect);
    bench.env.timeout = Duration::from_secs(if defect.is_some() { 1 } else { 20 });
    bench.judge(Some(profile), &[])
}

/// A target by this address.
fn target(at: std::net::SocketAddr) -> TargetEnv {
    let target = Target::new("a master", at, Consent::default()).unwrap();
    let mut env = TargetEnv::new(target, Assumed::default()).unwrap();
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
                let is_untried = matches!(judged.verdict, Verdict::Blocked | Verdict::Skipped);
                assert!(is_untried, "{}: {:?}: {}", profile.name, judged.case, judged.text);
            }
            let blocked = outcome.judged.iter().filter(|j| j.verdict == Verdict::Blocked).count();
            assert!(blocked * 2 > outcome.judged.len(), "{}: {blocked}", profile.name);
            assert!(
                !outcome.causes.is_empty() && outcome.causes.len() <= 4,
                "{:?}",
                outcome.causes
            );
        }
    }
}

/// Both cores are busy with something else, and every verdict is the same.
#[test]
fn a_busy_machine_changes_no_verdict() {
    let kinds: Vec<_> = profiles().map(|profile| profile.name).collect();
    let verdicts = || {
        let all = Mutex::new(BTreeMap::new());
        side_by_side(&kinds, AT_ONCE, |name| {
            let judged = judged(None, name, "");
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
    let passed = quiet.values().filter(|(verdict, _)| *verdict == Verdict::Pass).count();
    assert!(passed * 10 > quiet.len() * 8, "{passed} of {} passed", quiet.len());
}
