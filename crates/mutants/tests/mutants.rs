//! Every case of conformance against every mutant of the reference masters.
//!
//! `cargo test -p fragshark-mutants` judges a sample and compares it with the recorded results,
//! `cargo test -p fragshark-mutants -- --ignored` all of them. `UPDATE=1` records them,
//! `MUTANTS=list.rs` judges only those of files whose paths contain that, and `LIST=1` prints their
//! results, and which cases do not pass without a fault.

#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic)]
#![allow(clippy::all, clippy::pedantic, clippy::restriction, reason = "most of it is generated")]

include!(concat!(env!("OUT_DIR"), "/masters.rs"));

/// Which mutant is tried, in each thread.
mod mutation {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeSet;

    /// Switches that one datagram may pass: a mutant that goes on for ever ends here.
    const MOST: u32 = 3_000_000;

    thread_local! {
        static TRIED: Cell<u32> = const { Cell::new(u32::MAX) };
        static INSIDE: Cell<bool> = const { Cell::new(false) };
        static PASSED: Cell<u32> = const { Cell::new(0) };
        static REACHED: RefCell<Option<BTreeSet<u32>>> = const { RefCell::new(None) };
    }

    /// Whether this mutant is tried.
    pub fn is_on(number: u32) -> bool {
        let passed = PASSED.get() + 1;
        PASSED.set(passed);
        if passed > MOST {
            panic!("it goes on for ever");
        }
        REACHED.with_borrow_mut(|reached| {
            if let Some(reached) = reached {
                reached.insert(number);
            }
        });
        TRIED.get() == number
    }

    /// The master begins with the next datagram, or has ended with it.
    pub fn begin(is_next: bool) {
        PASSED.set(0);
        INSIDE.set(is_next);
    }

    /// Whether the master is at work.
    pub fn is_inside() -> bool {
        INSIDE.get()
    }

    /// Tries a mutant while `done` runs.
    pub fn with<T>(number: u32, done: impl FnOnce() -> T) -> T {
        TRIED.set(number);
        let done = done();
        TRIED.set(u32::MAX);
        done
    }

    /// Runs `done` and returns the switches that were passed.
    pub fn reached(done: impl FnOnce()) -> BTreeSet<u32> {
        REACHED.set(Some(BTreeSet::new()));
        done();
        REACHED.take().unwrap_or_default()
    }
}

/// A master that ends where it panics, as a program does.
mod fragile {
    use std::net::SocketAddr;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    use simulate::{MemoryStream, MemoryTarget};

    pub struct Fragile<T> {
        pub target: T,
        pub has_ended: bool,
    }

    impl<T: MemoryTarget> Fragile<T> {
        fn guarded<R>(&mut self, ended: R, done: impl FnOnce(&mut T) -> R) -> R {
            if self.has_ended {
                return ended;
            }
            crate::mutation::begin(true);
            let done = catch_unwind(AssertUnwindSafe(|| done(&mut self.target)));
            crate::mutation::begin(false);
            match done {
                Ok(done) => done,
                Err(_) => {
                    self.has_ended = true;
                    ended
                }
            }
        }
    }

    impl<T: MemoryTarget> MemoryTarget for Fragile<T> {
        fn handle_datagram(
            &mut self,
            now: Duration,
            from: SocketAddr,
            to: SocketAddr,
            bytes: &[u8],
            reply: &mut dyn FnMut(SocketAddr, SocketAddr, &[u8]),
        ) -> bool {
            self.guarded(false, |target| target.handle_datagram(now, from, to, bytes, reply))
        }

        fn accept(
            &mut self,
            now: Duration,
            from: SocketAddr,
            to: SocketAddr,
            stream: MemoryStream,
        ) -> bool {
            self.guarded(false, |target| target.accept(now, from, to, stream))
        }

        fn serve(&mut self, now: Duration) {
            self.guarded((), |target| target.serve(now));
        }

        fn next_due(&self) -> Option<Duration> {
            if self.has_ended { None } else { self.target.next_due() }
        }
    }
}

mod judge {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Write as _;
    use std::path::{Path, PathBuf};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    use conform::families::{profiles, suites};
    use conform::{Assumed, CaseSelection, Judged, Profile, RunPlan, TargetEnv, run};
    use report::CaseVerdict;
    use simulate::{MemoryNetwork, Network};

    use crate::fragile::Fragile;
    use crate::{MUTANTS, MemoryMaster, Settings, mutation};

    /// The seed of masters, and of samples.
    const SEED: u64 = 38;
    /// Mutants of a sample.
    const SAMPLE: usize = 24;

    /// What became of a mutant.
    #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    pub struct Outcome {
        pub file: String,
        pub function: String,
        pub code: String,
        pub change: String,
        /// Which of several with the same code and change.
        pub nth: usize,
        /// `killed`: a case fails; `warned`; `blocked`; `reported`: a case that only reports says
        /// something else; `survives`; `not reached`.
        pub outcome: String,
        /// The case.
        pub by: String,
    }

    /// The settings of a kind of master, which is judged a second time with short times, and with
    /// what only other settings reach.
    fn kinds() -> Vec<(&'static Profile, String)> {
        let mut all = Vec::new();
        for profile in profiles() {
            let base = format!("flood-loopback=on,{}", profile.assumes);
            let other = "server-timeout=2s,gamespy-timeout=2s,authorize=nobody,update-files=a.pk3";
            all.push((profile, base.trim_end_matches(',').to_owned()));
            all.push((profile, format!("{},{other}", base.trim_end_matches(','))));
        }
        all
    }

    fn judged(profile: &Profile, settings: &str, retries: u32) -> Vec<Judged> {
        let assumed = Assumed::parse(settings).unwrap();
        let of = assumed.settings().clone();
        let services = crate::families::services();
        let master = MemoryMaster::new(services, of, Default::default(), SEED);
        let addresses = master.addresses();
        let network = MemoryNetwork::new(Fragile { target: master, has_ended: false });
        let env = TargetEnv::on_network(Network::Memory(network), &addresses, assumed);
        let mut env = env.unwrap_or_else(|why| panic!("{why}"));
        env.timeout = Duration::from_secs(1);
        let cases = CaseSelection::new(suites(), Some(profile), &[]).unwrap().cases;
        let plan = RunPlan { cases, retries, ..RunPlan::default() };
        run(&plan, &env, &|_| {}).judged
    }

    /// A kind of master, what its cases reach, and their verdicts without a fault.
    struct Reached {
        kind: usize,
        mutants: BTreeSet<u32>,
        sound: BTreeMap<&'static str, (CaseVerdict, String)>,
    }

    /// The verdict, and what a case that only reports says.
    fn verdict_and_report(judged: &Judged) -> (CaseVerdict, String) {
        let is_report = judged.verdict == CaseVerdict::Info;
        (judged.verdict, if is_report { judged.text.clone() } else { String::new() })
    }

    /// What a mutant does to the cases of the kinds that reach it.
    fn outcome(number: u32, reached: &[Reached]) -> (String, String) {
        let kinds = kinds();
        let of_kinds = reached.iter().filter(|of| of.mutants.contains(&number));
        let mut found = ("not reached".to_owned(), String::new());
        for Reached { kind, sound, .. } in of_kinds {
            let (profile, settings) = &kinds[*kind];
            let mut judged = mutation::with(number, || judged(profile, settings, 0));
            judged.retain(|judged| sound.get(judged.case.id) != Some(&verdict_and_report(judged)));
            let failed = judged.iter().find(|judged| judged.verdict == CaseVerdict::Fail);
            if let Some(judged) = failed {
                return ("killed".to_owned(), judged.case.id.to_owned());
            }
            let blocked = judged.iter().find(|judged| judged.verdict == CaseVerdict::Blocked);
            let warned = judged.iter().find(|judged| judged.verdict == CaseVerdict::Warn);
            let reported = judged.iter().find(|judged| judged.verdict == CaseVerdict::Info);
            let word = match (blocked, warned, reported) {
                (Some(judged), ..) => ("blocked", judged.case.id),
                (_, Some(judged), _) => ("warned", judged.case.id),
                (.., Some(judged)) => ("reported", judged.case.id),
                _ => ("survives", ""),
            };
            if rank(word.0) > rank(&found.0) {
                found = (word.0.to_owned(), word.1.to_owned());
            }
        }
        found
    }

    /// How well an outcome tells of a mutant.
    fn rank(outcome: &str) -> usize {
        let words = ["not reached", "survives", "reported", "warned", "blocked", "killed"];
        words.iter().position(|word| *word == outcome).unwrap()
    }

    /// The mutants that each kind's cases reach, the kind with the fewest cases first.
    fn reached() -> Vec<Reached> {
        let kinds = kinds();
        let found = Mutex::new(Vec::new());
        side_by_side(&(0..kinds.len()).collect::<Vec<_>>(), |kind| {
            let (profile, settings) = &kinds[*kind];
            let mut sound = BTreeMap::new();
            let mutants = mutation::reached(|| {
                let judged = judged(profile, settings, 0);
                sound.extend(
                    judged.iter().map(|judged| (judged.case.id, verdict_and_report(judged))),
                );
                if is_listing() {
                    let is_good = |v| matches!(v, CaseVerdict::Pass | CaseVerdict::Info);
                    for judged in judged.iter().filter(|judged| !is_good(judged.verdict)) {
                        let Judged { case, verdict, text, .. } = judged;
                        eprintln!("without a fault, {settings}: {case:?} {verdict:?} {text}");
                    }
                }
                let bad = judged.iter().find(|j| j.verdict == CaseVerdict::Fail);
                assert!(bad.is_none(), "{}: {bad:?} without a fault", profile.name);
            });
            let reached = Reached { kind: *kind, mutants, sound };
            found.lock().unwrap().push(reached);
        });
        let mut found = found.into_inner().unwrap();
        // Kinds with short times find few more: they come last.
        found.sort_by_key(|reached| (reached.kind % 2, reached.sound.len(), reached.kind));
        found
    }

    /// Whether results are printed.
    fn is_listing() -> bool {
        std::env::var_os("LIST").is_some()
    }

    fn side_by_side<T: Sync>(all: &[T], done: impl Fn(&T) + Sync) {
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        done(one);
                    }
                });
            }
        });
    }

    fn results(numbers: &[u32]) -> BTreeMap<u32, (String, String)> {
        std::panic::set_hook(Box::new(|info| {
            // A master that panics has ended, as many mutants do.
            if !mutation::is_inside() {
                eprintln!("{info}");
            }
        }));
        let reached = reached();
        let found = Mutex::new(BTreeMap::new());
        side_by_side(numbers, |number| {
            let outcome = outcome(*number, &reached);
            found.lock().unwrap().insert(*number, outcome);
        });
        drop(std::panic::take_hook());
        found.into_inner().unwrap()
    }

    fn path(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
    }

    /// The recorded results, by mutant.
    fn recorded() -> Vec<Outcome> {
        let mut reader = csv::Reader::from_path(path("mutants.csv")).unwrap();
        reader.deserialize().map(Result::unwrap).collect()
    }

    /// The rows of these results.
    fn rows(results: &BTreeMap<u32, (String, String)>) -> BTreeMap<u32, Outcome> {
        let mut seen: BTreeMap<_, usize> = BTreeMap::new();
        let mut rows = BTreeMap::new();
        for (number, row) in (0..).zip(MUTANTS) {
            let nth = seen.entry(row).or_default();
            *nth += 1;
            let Some((outcome, by)) = results.get(&number) else { continue };
            let (file, function, code, change) = *row;
            let text = str::to_owned;
            rows.insert(
                number,
                Outcome {
                    file: text(file),
                    function: text(function),
                    code: text(code),
                    change: text(change),
                    nth: *nth,
                    outcome: outcome.clone(),
                    by: by.clone(),
                },
            );
        }
        rows
    }

    /// Without the case, which may be another one after a change.
    fn key(row: &Outcome) -> (&str, &str, &str, &str, usize, &str) {
        (&row.file, &row.function, &row.code, &row.change, row.nth, &row.outcome)
    }

    #[test]
    fn a_sample_of_mutants_has_the_recorded_results() {
        let mut random = random::SeededRandom::new(SEED);
        let numbers: BTreeSet<u32> =
            (0..SAMPLE).map(|_| random.below(MUTANTS.len()) as u32).collect();
        let found = rows(&results(&numbers.into_iter().collect::<Vec<_>>()));
        let recorded = recorded();
        let known: BTreeSet<_> = recorded.iter().map(key).collect();
        let new: Vec<_> = found.values().filter(|row| !known.contains(&key(row))).collect();
        assert!(new.is_empty(), "other than recorded: {new:#?}");
    }

    #[test]
    #[ignore = "it takes minutes"]
    fn all_mutants_have_the_recorded_results() {
        let some = std::env::var("MUTANTS").ok();
        let fits = |row: &&(&str, &str, &str, &str)| {
            some.as_ref().is_none_or(|text| row.0.contains(text.as_str()))
        };
        let numbers: Vec<u32> =
            (0..).zip(MUTANTS).filter(|(_, row)| fits(row)).map(|(n, _)| n).collect();
        let begun = Instant::now();
        let found = rows(&results(&numbers));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        found.values().for_each(|row| *counts.entry(&row.outcome).or_default() += 1);
        eprintln!("{} mutants in {:?}: {counts:?}", found.len(), begun.elapsed());
        if is_listing() {
            found.values().for_each(|row| eprintln!("{row:?}"));
            return;
        }
        if std::env::var_os("UPDATE").is_some() {
            let mut out = csv::Writer::from_path(path("mutants.csv")).unwrap();
            found.values().for_each(|row| out.serialize(row).unwrap());
            out.flush().unwrap();
            return;
        }
        let recorded = recorded();
        let known: BTreeSet<_> = recorded.iter().map(key).collect();
        let new: Vec<_> = found.values().filter(|row| !known.contains(&key(row))).collect();
        assert!(new.is_empty(), "UPDATE=1 records them: {new:#?}");
    }
}
