//! What a run does before and after its cases: it checks preconditions, and takes its servers off
//! the list.

use std::collections::BTreeSet;

use super::context::TestContext;
use super::env::TargetEnv;
use super::failure::FailureKind;
use super::precondition::{Precondition, UnmetPrecondition};
use super::suite::{SuiteCase, TestSuite};
use text::duration_of;

/// Checks a precondition, twice before it counts as unmet.
pub(super) fn check(
    precondition: &Precondition,
    suite: &'static TestSuite,
    env: &TargetEnv,
) -> Option<UnmetPrecondition> {
    check_in(precondition, || TestContext::new(env, suite.sentinels, false))
}

/// The same with servers that no case has used. It is unmet only if servers of a protocol number
/// that no other case has do not meet it either: of the usual number there are so many that a target
/// may leave some out for another reason than a full list.
pub(super) fn check_with_new(
    precondition: &Precondition,
    suite: &'static TestSuite,
    env: &TargetEnv,
) -> Option<UnmetPrecondition> {
    let context = || TestContext::new(env, suite.sentinels, false).with_new_servers();
    let cause = check_in(precondition, context)?;
    check_in(precondition, || context().with_own_protocol()).map(|_| cause)
}

fn check_in<'v>(
    precondition: &Precondition,
    context: impl Fn() -> TestContext<'v>,
) -> Option<UnmetPrecondition> {
    let mut last = None;
    for _ in 0..2 {
        let ctx = context();
        let done = (precondition.check)(&ctx);
        let (log, _) = ctx.close();
        let (failure, says) = (done.err()?, precondition.otherwise.to_owned());
        if failure.kind == FailureKind::Skipped {
            // The cases themselves report that they cannot run here.
            return None;
        }
        last = Some(UnmetPrecondition { id: precondition.id, says, failure, log, failed: None });
    }
    last
}

/// Checks these cases' preconditions: the unmet ones with evidence, and the ids of the met ones.
pub(super) fn judge_preconditions(
    cases: &[SuiteCase],
    env: &TargetEnv,
) -> (Vec<UnmetPrecondition>, BTreeSet<&'static str>) {
    let mut judged = JudgedPreconditions::default();
    for case in cases {
        case.preconditions().iter().for_each(|goal| judged.judge_with_needs(goal, case.suite, env));
    }
    (judged.causes, judged.held)
}

/// The preconditions that are judged so far.
#[derive(Default)]
struct JudgedPreconditions {
    causes: Vec<UnmetPrecondition>,
    held: BTreeSet<&'static str>,
}

impl JudgedPreconditions {
    /// Checks those that need no other, then the precondition itself. A target that meets it meets
    /// what it needs too; of one that does not, what it needs is checked, to name the first cause.
    fn judge_with_needs(
        &mut self,
        goal: &'static Precondition,
        suite: &'static TestSuite,
        env: &TargetEnv,
    ) {
        let all = Precondition::all_of(&[goal]);
        for one in all.iter().filter(|one| one.needs.is_empty()) {
            self.judge(one, suite, env);
        }
        if self.is_judged(goal) {
            return;
        }
        let Some(cause) = check(goal, suite, env) else {
            return self.held.extend(all.iter().map(|one| one.id));
        };
        for one in all.iter().filter(|one| one.id != goal.id) {
            self.judge(one, suite, env);
        }
        if !self.is_judged(goal) {
            self.causes.push(cause);
        }
    }

    /// Checks one alone, if it is not judged yet.
    fn judge(&mut self, one: &'static Precondition, suite: &'static TestSuite, env: &TargetEnv) {
        if self.is_judged(one) {
            return;
        }
        match check(one, suite, env) {
            Some(cause) => self.causes.push(cause),
            None => _ = self.held.insert(one.id),
        }
    }

    fn is_judged(&self, one: &Precondition) -> bool {
        self.held.contains(one.id) || one.cause(&self.causes).is_some()
    }
}

/// Shuts down the servers of a run if the protocol has a message for it; returns how many the
/// target may still hold, and for how long.
pub(super) fn shut_down_servers(suite: &TestSuite, env: &TargetEnv) -> Vec<String> {
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
