//! A run: first preconditions, then the cases in parallel if every endpoint has its own address,
//! then failed ones again alone, and at the end those that must run alone.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::attempt::Attempt;
use super::checks::{check, check_with_new, judge_preconditions, shut_down_servers};
use super::env::TargetEnv;
use super::failure::FailureKind;
use super::judged::Judged;
use super::outcome::RunOutcome;
use super::plan::RunPlan;
use super::precondition::UnmetPrecondition;
use super::suite::{SuiteCase, TestSuite};
use report::CaseVerdict;
use simulate::raise_fd_limit;

/// The maximum open sockets of cases, several of which have hundreds of servers.
const SOCKETS: usize = 4096;
/// How long failed cases are repeated one by one; after that, several in parallel.
const ALONE: Duration = Duration::from_secs(20);
/// How many in parallel then.
const AT_ONCE: usize = 8;
/// How often a case is run alone that failed beside others and passed alone.
const MORE_TRIES: usize = 6;

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
    let (early, others): (Vec<_>, Vec<_>) =
        run.unblocked(cases).into_iter().partition(|(_, case)| case.early);
    let (alone, mut together): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(_, case)| case.exclusive);
    run.one_by_one(&early);
    let waits = |case: &SuiteCase| {
        let setting = case.slow.and_then(|setting| env.assumed.time(setting));
        setting.unwrap_or_default().max(Duration::from_secs(case.waits.into()))
    };
    together.sort_by_key(|(_, case)| std::cmp::Reverse(waits(case)));
    run.side_by_side(&together);
    run.one_by_one(&alone);
    run.finish()
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
        if self.dead.is_some() {
            return self.one_by_one(cases);
        }
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
                self.blame_last();
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
            if is_bad && self.is_dead(*case) {
                self.blame_last();
            }
        }
    }

    /// Runs a case again, alone, that did not pass. One that passes then is run several times more:
    /// it is unstable where it fails once more, or where no loss of ours explains the first failure.
    fn again(&self, first: Judged) -> Judged {
        let tries = Attempt::new(self.plan, self.env);
        let (case, explained) = (first.case, self.env.explains_failures());
        let mut last = first.clone();
        for _ in 0..self.plan.retries {
            if !last.deserves_another_try() {
                break;
            }
            let why = last.text.clone();
            last = Judged { first_try: Some(why), ..tries.alone(case) };
        }
        let has_failed = matches!(first.verdict, CaseVerdict::Fail | CaseVerdict::Warn);
        if last.deserves_another_try() || !has_failed {
            return last;
        }
        let more = if case.waits == 0 { MORE_TRIES } else { 1 };
        let again: Vec<_> = (0..more).map(|_| tries.alone(case)).collect();
        let fails =
            |judged: &&Judged| matches!(judged.verdict, CaseVerdict::Fail | CaseVerdict::Warn);
        let failed = again.iter().filter(fails).count();
        if failed == 0 && explained {
            return last;
        }
        let shown = again.into_iter().find(|judged| fails(&judged)).unwrap_or(first);
        let text =
            format!("unstable: it failed {} of {} times: {}", failed + 1, more + 2, shown.text);
        Judged { verdict: CaseVerdict::Warn, text, first_try: None, unstable: true, ..shown }
    }

    /// The target has stopped answering while the last case ran alone: that case fails, also where it
    /// could not be judged because of it.
    fn blame_last(&mut self) {
        let Some((_, judged)) = self.judged.last_mut() else { return };
        if judged.verdict == CaseVerdict::Blocked {
            let came = std::mem::take(&mut judged.text);
            judged.text = format!("expected a target that goes on answering; came {came}");
            judged.verdict = CaseVerdict::Fail;
        }
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
        self.weigh_causes();
        let notes = self
            .suites()
            .into_iter()
            .flat_map(|suite| shut_down_servers(suite, self.env))
            .collect();
        let judged = self.judged.into_iter().map(|(_, judged)| judged).collect();
        RunOutcome { judged, causes: self.causes, cut_short, notes }
    }

    /// Names the failed case of each cause. Where the case that judges the same has passed, the
    /// target does now and then what was asked for: the case is unstable.
    fn weigh_causes(&mut self) {
        for cause in &mut self.causes {
            let mut deciding = self.judged.iter_mut().map(|(_, judged)| judged);
            let Some(judged) = deciding.find(|j| j.case.decides.contains(&cause.id)) else {
                continue;
            };
            if judged.verdict == CaseVerdict::Pass && cause.failure.kind == FailureKind::Failed {
                let came = cause.failure.text();
                judged.text = format!("unstable: it failed 2 of 3 times: {came}");
                (judged.verdict, judged.unstable) = (CaseVerdict::Warn, true);
            }
            if judged.verdict == CaseVerdict::Fail || judged.unstable {
                cause.failed = Some(judged.case.id);
            }
        }
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
        let Some(cause) = held.then(|| check_with_new(control, suite, self.env)).flatten() else {
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
