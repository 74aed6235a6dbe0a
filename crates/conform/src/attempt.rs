//! Runs one case: once, several times, or alone.

use std::time::Duration;

use super::context::TestContext;
use super::env::TargetEnv;
use super::failure::Failure;
use super::judged::{Judged, verdict_of};
use super::plan::RunPlan;
use super::suite::SuiteCase;
use report::CaseVerdict;
use text::duration_of;

/// The maximum timeout of the target that is waited for without a request by the user.
const SHORT: Duration = Duration::from_secs(3);
/// How often a case is run alone while the kernel drops datagrams to the target.
const UNDER_DROPS: u32 = 3;

/// How a case is run.
#[derive(Clone, Copy)]
pub(super) struct Attempt<'t> {
    plan: &'t RunPlan,
    env: &'t TargetEnv,
}

impl<'t> Attempt<'t> {
    pub fn new(plan: &'t RunPlan, env: &'t TargetEnv) -> Self {
        Self { plan, env }
    }

    /// A case's worst verdict of all its repetitions.
    pub fn repeated(self, case: SuiteCase) -> Judged {
        if let Some(why) = self.not_tried(case) {
            return Judged::skipped(case, why);
        }
        let mut worst = self.once(case);
        let mut failed = u32::from(worst.deserves_another_try());
        for _ in 1..self.plan.repeat {
            let judged = self.once(case);
            failed += u32::from(judged.deserves_another_try());
            if rank(judged.verdict) > rank(worst.verdict) {
                worst = judged;
            }
        }
        if failed > 0 && self.plan.repeat > 1 {
            worst.text = format!("{failed} of {} times: {}", self.plan.repeat, worst.text);
        }
        worst
    }

    /// Runs a case alone. If the kernel drops datagrams before the target reads them, it is run
    /// again, and at last blocked: the loss is not the target's fault.
    pub fn alone(self, case: SuiteCase) -> Judged {
        for _ in 0..UNDER_DROPS {
            self.wait_until_read(case);
            let targets = self.targets(case);
            let before = self.env.dropped(&targets);
            let judged = self.once(case);
            if !judged.deserves_another_try() || self.env.dropped(&targets) == before {
                return judged;
            }
        }
        let why = "the kernel dropped datagrams to the target, whose receive buffer was full";
        Judged { verdict: CaseVerdict::Blocked, ..Judged::skipped(case, why.to_owned()) }
    }

    /// Runs a case once.
    pub fn once(self, case: SuiteCase) -> Judged {
        let ctx = TestContext::new(self.env, case.suite.sentinels, case.harsh || case.early);
        let begun = self.env.network.now();
        let done = (case.run)(&ctx);
        let took = self.env.network.now().duration_since(begun);
        let (log, notes) = ctx.close();
        let verdict = verdict_of(case.level, &done, self.plan.strict);
        let failure = done.err();
        let text = failure.as_ref().map_or(notes, Failure::text);
        Judged { verdict, failure, log, took, ..Judged::skipped(case, text) }
    }

    /// Waits until the target has read all that was sent to it before.
    fn wait_until_read(self, case: SuiteCase) {
        let ctx = TestContext::new(self.env, case.suite.sentinels, false);
        // One that has answered no sentinel is not there, or nothing was sent to it.
        let services = case.suite.services().into_iter();
        for service in services.filter(|service| self.env.known_sentinel(service).is_some()) {
            _ = ctx.sync(service);
        }
    }

    /// The addresses of the services of a case's suite.
    fn targets(self, case: SuiteCase) -> Vec<std::net::SocketAddr> {
        case.suite.services().into_iter().filter_map(|service| self.env.at(service).ok()).collect()
    }

    /// Why a case is not run, if so.
    fn not_tried(self, case: SuiteCase) -> Option<String> {
        if case.harsh && !self.plan.harsh && !self.env.target().is_loopback() {
            return Some(
                "it sends a flood or malformed datagrams; --harsh sends them beyond \
                         loopback"
                    .to_owned(),
            );
        }
        let setting = case.slow?;
        let time = self.env.assumed.time(setting)?;
        (time > SHORT && !self.plan.slow).then(|| {
            let time = duration_of(time);
            format!("it takes {time}; --slow waits, --assume {setting}=2s says it is shorter")
        })
    }
}

/// The better one first.
fn rank(verdict: CaseVerdict) -> u8 {
    match verdict {
        CaseVerdict::Pass | CaseVerdict::Info => 0,
        CaseVerdict::Skipped => 1,
        CaseVerdict::Blocked => 2,
        CaseVerdict::Warn => 3,
        CaseVerdict::Error => 4,
        CaseVerdict::Fail => 5,
    }
}
