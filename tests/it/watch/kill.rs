//! Two hours of a network of masters in compressed time, with a kill in the middle: the history is
//! whole, and memory does not grow.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::time::Duration;

use serde_json::Value;
use watch::{SampleSubject, Series, WatchHistory};

use super::{Registered, master, watch};
use crate::process::{Process, until};

/// The rounds of two hours, if there is one a minute.
const TWO_HOURS: usize = 120;
/// The rounds until the program is killed.
const HALF: usize = 60;
/// What caches may still take after the first rounds, in kB.
const MARGIN: u64 = 4096;

/// The resident memory of a process, in kB.
fn memory(process: &Process) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.0.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn two_hours_with_a_kill_are_whole_and_take_no_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    let masters = [(); 3].map(|()| master("", &[]));
    let targets: Vec<_> = masters.iter().map(|(_, at)| at.to_string()).collect();
    let mut servers: Vec<_> = masters.iter().map(|(_, at)| Registered::with(*at, 60)).collect();
    let file = folder.path().join("history.db");
    let (mut probes, mut peak) = (BTreeSet::new(), 0);
    for (part, rounds) in [("killed", HALF), ("whole", TWO_HOURS - HALF)] {
        let out = folder.path().join(part);
        let history = file.to_str().unwrap();
        let mut arguments = vec!["--profile", "quake3", "--every", "50ms", "--format", "ndjson"];
        arguments.extend(["--history", history]);
        for target in &targets {
            arguments.extend(["--target", target]);
        }
        let mut command = watch(folder.path(), &arguments);
        let log = folder.path().join("log");
        command.stdout(File::create(&out).unwrap()).stderr(File::create(&log).unwrap());
        let mut running = Process::start(&mut command);
        let lines = || fs::read_to_string(&out).unwrap().matches('\n').count();
        let wait_for = |count: usize, running: &mut Process| {
            until("the next rounds", || {
                let log = || fs::read_to_string(&log).unwrap();
                assert_eq!(running.ended(), None, "{}", log());
                (lines() >= count).then_some(())
            });
        };
        wait_for(20, &mut running);
        let begin = memory(&running);
        for done in (30..=rounds).step_by(10) {
            // Servers come while it runs.
            for ((_, at), servers) in masters.iter().zip(&mut servers) {
                servers.0.extend(Registered::with(*at, 5).0);
            }
            wait_for(done, &mut running);
        }
        peak = peak.max(memory(&running).saturating_sub(begin));
        // Not at a moment that the program chooses.
        running.end();
        for line in fs::read_to_string(&out).unwrap().split_inclusive('\n') {
            let Some(line) = line.strip_suffix('\n') else { continue };
            let document: Value = serde_json::from_str(line).unwrap();
            for master in document["masters"].as_array().unwrap() {
                probes.insert(master["probe"]["address"].as_str().unwrap().to_owned());
            }
        }
    }
    assert!(peak < MARGIN, "memory grew by {peak} kB");
    assert_eq!(probes.len(), masters.len(), "each probe keeps its address: {probes:?}");
    let history = WatchHistory::open(&file, Duration::from_hours(24)).unwrap();
    let rounds = history.rounds().unwrap();
    assert!(rounds >= TWO_HOURS as u64, "{rounds}");
    for target in &targets {
        for name in ["answered", "servers", "latency"] {
            let about = SampleSubject::of_target(target);
            let samples = history.samples(Series::named(name).unwrap(), &about).unwrap();
            assert_eq!(samples.len() as u64, rounds, "{name} of {target}: each round is whole");
            assert!(name != "answered" || samples.iter().all(|sample| sample.value > 0.5));
        }
        let listed = history.listed(target).unwrap().len();
        assert_eq!(listed, servers[0].0.len() + 1, "the servers and the probe");
    }
}
