//! A run: first preconditions, then the cases in parallel if every endpoint has its own address,
//! then failed ones again alone, and at the end those that must run alone.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::attempt::Attempt;
use super::context::TestContext;
use super::env::TargetEnv;
use super::failure::FailureKind;
use super::judged::Judged;
use super::plan::RunPlan;
use super::precondition::{Precondition, UnmetPrecondition};
use super::suite::{SuiteCase, TestSuite};
use simulate::raise_fd_limit;
use text::duration_of;

/// The maximum open sockets of cases, several of which have hundreds of servers.
const SOCKETS: usize = 4096;
/// How long failed cases are repeated one by one; after that, several in parallel.
const ALONE: Duration = Duration::from_secs(20);
/// How many in parallel then.
const AT_ONCE: usize = 8;

/// The result of a run.
#[derive(Debug, Default)]
pub struct RunOutcome {
    /// Every case, in the order of the plan.
    pub judged: Vec<Judged>,
    /// The unmet preconditions.
    pub causes: Vec<UnmetPrecondition>,
    /// Whether the target stopped answering, or accepted no more servers, during the run.
    pub cut_short: bool,
    /// Notes for the target's operator: how many servers it may still hold.
    pub notes: Vec<String>,
}

/// A judged case, and its index in the plan.
type JudgedCase = (usize, Judged);
/// A case to run, and its index in the plan.
type Pending = (usize, SuiteCase);

/// Runs the plan's cases on a target. `report` is called for each case when it was run, from any
/// thread; failed ones may be run again later.
pub fn run(plan: &RunPlan, env: &TargetEnv, report: &(dyn Fn(&Judged) + Sync)) -> RunOutcome {
    raise_fd_limit(SOCKETS);
    let (causes, held) = judge_preconditions(&plan.cases, env);
    let mut run = CaseRunner { plan, env, report, causes, held, judged: Vec::new(), dead: None };
    let cases = plan.cases.iter().copied().enumerate().collect();
    let (alone, mut together): (Vec<_>, Vec<_>) =
        run.unblocked(cases).into_iter().partition(|(_, case)| case.exclusive);
    together.sort_by_key(|(_, case)| std::cmp::Reverse((case.slow.is_some(), case.waits)));
    run.side_by_side(&together);
    run.one_by_one(&alone);
    run.finish()
}

/// Checks these cases' preconditions in order: the unmet ones with evidence, and the met ones.
fn judge_preconditions(
    cases: &[SuiteCase],
    env: &TargetEnv,
) -> (Vec<UnmetPrecondition>, BTreeSet<&'static str>) {
    let (mut causes, mut known, mut held) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for case in cases {
        for precondition in Precondition::all_of(case.preconditions()) {
            if !known.insert(precondition.id) || precondition.cause(&causes).is_some() {
                continue;
            }
            match check(precondition, case.suite, env) {
                Some(cause) => causes.push(cause),
                None => _ = held.insert(precondition.id),
            }
        }
    }
    (causes, held)
}

/// The state of a run.
struct CaseRunner<'r> {
    plan: &'r RunPlan,
    env: &'r TargetEnv,
    report: &'r (dyn Fn(&Judged) + Sync),
    causes: Vec<UnmetPrecondition>,
    /// The preconditions that held at the beginning.
    held: BTreeSet<&'static str>,
    judged: Vec<JudgedCase>,
    /// Why no more cases are run: the target stopped answering.
    dead: Option<&'static str>,
}

impl CaseRunner<'_> {
    /// The cases that nothing blocks; the others get their verdicts.
    fn unblocked(&mut self, cases: Vec<Pending>) -> Vec<Pending> {
        let (causes, judged, report) = (&self.causes, &mut self.judged, self.report);
        let is_ready = |(index, case): &Pending| {
            let cause = case.preconditions().iter().find_map(|need| need.cause(causes));
            let Some(cause) = cause else { return true };
            let blocked = Judged::blocked(*case, cause);
            report(&blocked);
            judged.push((*index, blocked));
            false
        };
        cases.into_iter().filter(is_ready).collect()
    }

    /// Runs cases in parallel; those that do not pass are run again alone.
    fn side_by_side(&mut self, cases: &[Pending]) {
        let jobs = self.env.jobs(self.plan.jobs);
        let first =
            self.at_once(cases, jobs, |case| Attempt::new(self.plan, self.env).repeated(case));
        let (bad, good): (Vec<_>, Vec<_>) =
            first.into_iter().partition(|(_, judged)| judged.deserves_another_try());
        self.judged.extend(good);
        if bad.is_empty() {
            return;
        }
        let first_bad: Vec<_> = bad.iter().map(|(_, judged)| judged.case).collect();
        if let Some(&case) = first_bad.first()
            && let Some(cause) = self.death(case)
        {
            let ids: Vec<_> = first_bad.iter().map(|case| case.id).collect();
            let cause = UnmetPrecondition {
                says: format!(
                    "the target stopped answering while cases ran side by side; these did not pass \
                     before: {}; try them with --jobs 1",
                    ids.join(", ")
                ),
                ..cause
            };
            self.judged.extend(bad.into_iter().map(|(n, j)| (n, Judged::blocked(j.case, &cause))));
            self.dead = Some(cause.id);
            self.causes.push(cause);
            return;
        }
        self.confirm(bad);
    }

    /// Runs cases again, alone, that did not pass.
    fn confirm(&mut self, bad: Vec<JudgedCase>) {
        let begun = self.env.network.now();
        let mut bad = bad.into_iter();
        for (index, first) in bad.by_ref() {
            let judged = self.again(first);
            (self.report)(&judged);
            let case = judged.case;
            let is_bad = judged.deserves_another_try();
            self.judged.push((index, judged));
            if is_bad && self.is_dead(case) {
                break;
            }
            if self.env.network.now().duration_since(begun) > ALONE {
                break;
            }
        }
        let rest: Vec<_> = bad.collect();
        if let Some(cause) = self.dead.and_then(|id| self.causes.iter().find(|c| c.id == id)) {
            let blocked =
                rest.into_iter().map(|(n, judged)| (n, Judged::blocked(judged.case, cause)));
            self.judged.extend(blocked);
            return;
        }
        let firsts = Mutex::new(rest.iter().map(|(_, judged)| judged.clone()).collect::<Vec<_>>());
        let pending: Vec<_> = rest.iter().map(|(index, judged)| (*index, judged.case)).collect();
        let judged = self.at_once(&pending, self.env.jobs(AT_ONCE), |case| {
            let first = firsts
                .lock()
                .ok()
                .and_then(|all| all.iter().find(|first| first.case.id == case.id).cloned());
            first.map_or_else(
                || Attempt::new(self.plan, self.env).once(case),
                |first| self.again(first),
            )
        });
        self.judged.extend(judged);
    }

    /// Runs each alone, and again if it does not pass.
    fn one_by_one(&mut self, cases: &[Pending]) {
        for (index, case) in cases {
            if let Some(cause) = self.dead.and_then(|id| self.causes.iter().find(|c| c.id == id)) {
                self.judged.push((*index, Judged::blocked(*case, cause)));
                continue;
            }
            let mut judged = Attempt::new(self.plan, self.env).repeated(*case);
            if judged.deserves_another_try() {
                judged = self.again(judged);
            }
            (self.report)(&judged);
            let is_bad = judged.deserves_another_try();
            self.judged.push((*index, judged));
            if is_bad {
                _ = self.is_dead(*case);
            }
        }
    }

    /// Runs a case again, alone, that did not pass.
    fn again(&self, first: Judged) -> Judged {
        let tries = Attempt::new(self.plan, self.env);
        let mut last = first;
        for _ in 0..self.plan.retries {
            if !last.deserves_another_try() {
                break;
            }
            let why = last.text.clone();
            last = Judged { first_try: Some(why), ..tries.alone(last.case) };
        }
        last
    }

    /// Whether the target stopped answering after this case was run alone.
    fn is_dead(&mut self, case: SuiteCase) -> bool {
        let Some(cause) = self.death(case) else { return false };
        let says = format!("the target stopped answering when {} was tried", case.id);
        self.dead = Some(cause.id);
        self.causes.push(UnmetPrecondition { says, ..cause });
        true
    }

    /// The evidence that the target stopped answering, if it did.
    fn death(&self, case: SuiteCase) -> Option<UnmetPrecondition> {
        let cause = check(case.suite.answers, case.suite, self.env)?;
        Some(UnmetPrecondition { id: STOPPED, ..cause })
    }

    /// Runs cases on several threads; the last of them is this one.
    fn at_once(
        &self,
        cases: &[Pending],
        jobs: usize,
        judge: impl Fn(SuiteCase) -> Judged + Sync,
    ) -> Vec<JudgedCase> {
        let (next, judged) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(cases.len())));
        let work = || {
            while let Some((index, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                let done = judge(*case);
                (self.report)(&done);
                if let Ok(mut judged) = judged.lock() {
                    judged.push((*index, done));
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..jobs.min(cases.len()) {
                scope.spawn(work);
            }
            work();
        });
        judged.into_inner().unwrap_or_default()
    }

    /// Checks whether the target still accepts servers, shuts down those of the run, and reports
    /// how many it may still hold.
    fn finish(mut self) -> RunOutcome {
        self.judged.sort_by_key(|(index, _)| *index);
        let mut cut_short = self.dead.is_some();
        for suite in self.suites() {
            if !cut_short {
                cut_short |= self.is_full(suite);
            }
        }
        let notes = self
            .suites()
            .into_iter()
            .flat_map(|suite| shut_down_servers(suite, self.env))
            .collect();
        let judged = self.judged.into_iter().map(|(_, judged)| judged).collect();
        RunOutcome { judged, causes: self.causes, cut_short, notes }
    }

    /// The suites of the cases that were run.
    fn suites(&self) -> Vec<&'static TestSuite> {
        let mut suites: Vec<&'static TestSuite> = Vec::new();
        for (_, judged) in self.judged.iter().filter(|(_, judged)| !judged.log.entries.is_empty()) {
            if !suites.iter().any(|suite| suite.has(judged.case)) {
                suites.push(judged.case.suite);
            }
        }
        suites
    }

    /// Whether a new server is not listed any more where one was before. Then the failures of the
    /// suite's cases show the full list, and nothing else.
    fn is_full(&mut self, suite: &'static TestSuite) -> bool {
        let of_family = |judged: &Judged| suite.has(judged.case);
        let any_bad = self.judged.iter().any(|(_, j)| of_family(j) && j.deserves_another_try());
        let (Some(control), true) = (suite.control, any_bad) else { return false };
        let held = self.held.contains(control.id);
        let Some(cause) = held.then(|| check(control, suite, self.env)).flatten() else {
            return false;
        };
        let services = suite.services();
        let registered: usize = services.iter().map(|of| self.env.count_servers(of)).sum();
        let max = self.env.assumed.settings().max_servers;
        let says = format!(
            "the target lists no new server any more, after {registered} servers of this run: its \
             list is full (max-servers is assumed to be {max})"
        );
        let cause = UnmetPrecondition { id: FULL, says, ..cause };
        for (_, judged) in &mut self.judged {
            if of_family(judged) && judged.deserves_another_try() {
                *judged =
                    Judged { log: judged.log.clone(), ..Judged::blocked(judged.case, &cause) };
            }
        }
        self.causes.push(cause);
        true
    }
}

/// The cause for a target that stops answering during a run.
const STOPPED: &str = "target/answers";
/// The cause for a full list.
const FULL: &str = "target/space";

/// Checks a precondition, twice before it counts as unmet.
fn check(
    precondition: &Precondition,
    suite: &'static TestSuite,
    env: &TargetEnv,
) -> Option<UnmetPrecondition> {
    let mut last = None;
    for _ in 0..2 {
        let ctx = TestContext::new(env, suite.sentinels, false);
        let done = (precondition.check)(&ctx);
        let (log, _) = ctx.close();
        let (failure, says) = (done.err()?, precondition.otherwise.to_owned());
        if failure.kind == FailureKind::Skipped {
            // The cases themselves report that they cannot run here.
            return None;
        }
        last = Some(UnmetPrecondition { id: precondition.id, says, failure, log });
    }
    last
}

/// Shuts down the servers of a run if the protocol has a message for it; returns how many the
/// target may still hold, and for how long.
fn shut_down_servers(suite: &TestSuite, env: &TargetEnv) -> Vec<String> {
    let mut notes = Vec::new();
    for service in suite.services() {
        let count = env.count_servers(service);
        if count == 0 {
            continue;
        }
        let timeout = suite.listed_for;
        let time = duration_of(env.assumed.time(timeout).unwrap_or_default());
        if let Some(shutdown) = suite.shutdowns.iter().find(|shutdown| shutdown.service == service)
        {
            env.send_shutdowns(service, shutdown.message);
            notes.push(format!(
                "{service}: {count} servers were registered and have sent their shutdown; a target \
                 that ignores it may list them for {time} at most ({timeout})"
            ));
            continue;
        }
        notes.push(format!(
            "{service}: the target may still list {count} servers of this run, for {time} at most \
             ({timeout})"
        ));
    }
    notes
}
