//! The reference master, with a defect or without, as a target of conformance cases.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use conform::families::{profiles, suites};
use conform::{Assumed, CaseSelection, Judged, Profile, RunOutcome, RunPlan, TargetEnv, run};
use masters::families::services;
use masters::{Config, Defect, MemoryMaster, RunningMaster, Settings};
use report::CaseVerdict;
use simulate::{MemoryNetwork, Network};

/// A master in this process, and its environment.
pub struct Bench {
    pub env: TargetEnv,
    _running: Option<RunningMaster>,
}

impl Bench {
    pub fn new(settings: &[&str], defect: Option<Defect>) -> Self {
        let (of, assumed) = read(settings);
        let defects = defect.into_iter().collect();
        let mut config = Config { settings: of, defects, ..Config::new(services()).anywhere() };
        config.services = services().map(|service| (service, 0)).collect();
        let running = RunningMaster::start(config).unwrap();
        let mut env = TargetEnv::on_network(Network::System, running.addresses(), assumed).unwrap();
        // A correct master answers, though a busy machine may delay it.
        env.timeout = Duration::from_secs(20);
        Self { env, _running: Some(running) }
    }

    /// The same in memory, with virtual time: every run is the same, and waiting takes no time.
    pub fn in_memory(settings: &[&str], defect: Option<Defect>) -> Self {
        let (of, assumed) = read(settings);
        let master = MemoryMaster::new(services(), of, defect.into_iter().collect(), SEED);
        let addresses = master.addresses();
        let network = Network::Memory(MemoryNetwork::new(master));
        let mut env = TargetEnv::on_network(network, &addresses, assumed).unwrap();
        env.timeout = Duration::from_secs(1);
        Self { env, _running: None }
    }

    pub fn judge(&self, profile: Option<&Profile>, words: &[&str]) -> Vec<Judged> {
        self.run(profile, words).judged
    }

    /// Judges the cases that do not wait for seconds.
    pub fn judge_quick(&self, profile: Option<&Profile>) -> Vec<Judged> {
        let mut cases = CaseSelection::new(suites(), profile, &[]).unwrap().cases;
        cases.retain(|case| case.waits == 0 && case.slow.is_none());
        let plan = RunPlan { cases, strict: true, ..RunPlan::default() };
        run(&plan, &self.env, &|_| {}).judged
    }

    /// Judges these cases, SHOULD as MUST.
    pub fn run(&self, profile: Option<&Profile>, words: &[&str]) -> RunOutcome {
        judge(&self.env, profile, words)
    }
}

/// The seed of masters in memory.
const SEED: u64 = 38;

/// The same settings of a master, and as assumptions about it.
fn read(texts: &[&str]) -> (Settings, Assumed) {
    let mut assumed = Assumed::default();
    for text in texts {
        assumed.add_assignments(text).unwrap();
    }
    (assumed.settings().clone(), assumed)
}

/// Judges these cases of a profile with a target, SHOULD as MUST.
pub fn judge(env: &TargetEnv, profile: Option<&Profile>, words: &[&str]) -> RunOutcome {
    let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
    let cases = CaseSelection::new(suites(), profile, &words).unwrap().cases;
    let plan = RunPlan { cases, strict: true, ..RunPlan::default() };
    run(&plan, env, &|_| {})
}

pub fn profile(name: &str) -> &'static Profile {
    profiles().find(|profile| profile.name == name).unwrap_or_else(|| panic!("{name}"))
}

pub fn is_good(judged: &Judged) -> bool {
    matches!(judged.verdict, CaseVerdict::Pass | CaseVerdict::Info | CaseVerdict::Skipped)
}

/// Cases that need a target beyond loopback, or one with smaller packets than the reference master.
const NEED_OTHERS: [&str; 3] =
    ["quake3/heartbeat/loopback", "half-life/f/goes-on", "source/f/goes-on"];

/// Cases that were skipped, but for those that wait for a long timeout or need another target.
pub fn skipped(judged: &[Judged]) -> Vec<&'static str> {
    let skipped = judged.iter().filter(|case| case.verdict == CaseVerdict::Skipped);
    let skipped = skipped.filter(|judged| judged.case.slow.is_none());
    let ids = skipped.map(|judged| judged.case.id);
    // Addresses of other networks are in memory, and in a network namespace.
    let ids = ids.filter(|id| !id.ends_with("/high-addresses"));
    ids.filter(|id| !NEED_OTHERS.contains(id)).collect()
}

/// What did not pass, and why.
pub fn bad(judged: &[Judged]) -> Vec<String> {
    let bad = judged.iter().filter(|case| !is_good(case));
    bad.map(|case| format!("{:?}: {}", case.case, case.text)).collect()
}

/// Calls `done` for each item, a few in parallel.
pub fn side_by_side<T: Sync>(all: &[T], at_once: usize, done: impl Fn(&T) + Sync) {
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
