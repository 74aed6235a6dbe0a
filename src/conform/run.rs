//! Trying many cases: side by side where every end has an address of its own, those that must be
//! alone at the end.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::case::{Case, Family};
use super::cases::FAMILIES;
use super::failure::Kind;
use super::judged::{Judged, verdict_of};
use super::stand::Stand;
use super::venue::Venue;
use crate::peer::make_room;
use crate::report::Verdict;

/// A time-out of the target that is waited for without being asked to.
const SHORT: Duration = Duration::from_secs(3);

/// Sockets that cases may have open, several of them with hundreds of servers.
const SOCKETS: usize = 4096;

/// How cases are tried.
#[derive(Debug, Clone)]
pub struct Plan {
    pub cases: Vec<&'static Case>,
    /// How many at once, where they can be.
    pub jobs: usize,
    /// How often each; the worst counts.
    pub repeat: u32,
    /// How often one that failed is tried again before that counts.
    pub retries: u32,
    /// Whether what should be has to be.
    pub strict: bool,
    /// Whether long time-outs are waited for.
    pub slow: bool,
    /// Whether floods and the like are sent beyond loopback.
    pub harsh: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            cases: Vec::new(),
            jobs: 16,
            repeat: 1,
            retries: 0,
            strict: false,
            slow: false,
            harsh: false,
        }
    }
}

/// Tries the plan's cases on a target; tells each as soon as it is judged, from any thread, and
/// gives all in the plan's order.
pub fn run(plan: &Plan, venue: &Venue, tell: &(dyn Fn(&Judged) + Sync)) -> Vec<Judged> {
    let (alone, together): (Vec<_>, Vec<_>) =
        plan.cases.iter().enumerate().partition(|(_, case)| case.exclusive);
    let jobs = if venue.is_wide() { plan.jobs.max(1) } else { 1 };
    make_room(SOCKETS);
    let judged = Mutex::new(Vec::with_capacity(plan.cases.len()));
    for (cases, jobs) in [(together, jobs), (alone, 1)] {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some((place, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                let done = plan.judge(case, venue);
                tell(&done);
                if let Ok(mut judged) = judged.lock() {
                    judged.push((*place, done));
                }
            }
        };
        thread::scope(|scope| {
            // The last of them is this thread.
            for _ in 1..jobs.min(cases.len()) {
                scope.spawn(work);
            }
            work();
        });
    }
    let mut judged = judged.into_inner().unwrap_or_default();
    judged.sort_by_key(|(place, _)| *place);
    judged.into_iter().map(|(_, judged)| judged).collect()
}

/// Whether somebody listens where the first of these cases would be tried; else why not. A target
/// that only keeps silent may be there.
pub fn greet(cases: &[&'static Case], venue: &Venue) -> Result<(), String> {
    let family = cases.first().and_then(|case| family_of(case));
    let Some((family, (service, request))) = family.and_then(|f| Some((f, f.sentinels.first()?)))
    else {
        return Ok(());
    };
    let stand = Stand::new(venue, family, false);
    let greeted = stand.client(service).and_then(|client| {
        client.say(&request(client.address()))?;
        client.hear(venue.timeout)
    });
    greeted.map(drop).map_err(|failure| match failure.kind {
        Kind::Failed => failure.came,
        Kind::Skipped | Kind::Error => failure.expected,
    })
}

/// The family that a case belongs to.
fn family_of(case: &Case) -> Option<&'static Family> {
    let has = |family: &&&Family| family.cases.iter().any(|c| c.iter().any(|c| c.id == case.id));
    FAMILIES.iter().find(has).copied()
}

impl Plan {
    /// A case's worst end of all its repetitions.
    fn judge(&self, case: &'static Case, venue: &Venue) -> Judged {
        if let Some(why) = self.not_tried(case, venue) {
            return Judged::skipped(case, why);
        }
        let Some(family) = family_of(case) else {
            return Judged::skipped(case, "it belongs to no family".to_owned());
        };
        let mut worst: Option<Judged> = None;
        let mut failed = 0;
        for _ in 0..self.repeat.max(1) {
            let judged = self.tried(case, family, venue);
            failed += u32::from(is_bad(judged.verdict));
            let is_worse = worst.as_ref().is_none_or(|w| rank(judged.verdict) > rank(w.verdict));
            if is_worse {
                worst = Some(judged);
            }
        }
        let mut judged =
            worst.unwrap_or_else(|| Judged::skipped(case, "it was not tried".to_owned()));
        if failed > 0 && self.repeat > 1 {
            judged.text = format!("{failed} of {} times: {}", self.repeat, judged.text);
        }
        judged
    }

    /// Tries a case until it passes, or was tried often enough.
    fn tried(&self, case: &'static Case, family: &'static Family, venue: &Venue) -> Judged {
        let mut tries = 0;
        loop {
            let mut judged = self.once(case, family, venue);
            if is_bad(judged.verdict) && tries < self.retries {
                tries += 1;
                continue;
            }
            if tries > 0 && !is_bad(judged.verdict) {
                judged.text = format!("passed at try {}", tries + 1);
            }
            return judged;
        }
    }

    fn once(&self, case: &'static Case, family: &'static Family, venue: &Venue) -> Judged {
        let stand = Stand::new(venue, family, case.harsh);
        let begun = Instant::now();
        let done = (case.run)(&stand);
        let took = begun.elapsed();
        let (log, learnt) = stand.close();
        let verdict = verdict_of(case.level, &done, self.strict);
        let failure = done.err();
        let text = failure.as_ref().map_or(learnt, super::Failure::text);
        Judged { case, verdict, text, failure, log, took }
    }

    /// Why a case is not tried, where it is not.
    fn not_tried(&self, case: &Case, venue: &Venue) -> Option<String> {
        if case.harsh && !self.harsh && !venue.target().is_loopback() {
            return Some("it is harsh; --harsh sends such beyond loopback".to_owned());
        }
        let setting = case.slow?;
        let time = venue.assumed.time(setting)?;
        (time > SHORT && !self.slow).then(|| {
            format!("it takes {time:?}; --slow waits, --assume {setting}=2s says it is shorter")
        })
    }
}

/// Whether a verdict is none that one would keep.
fn is_bad(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Fail | Verdict::Warn | Verdict::Error)
}

/// The better one first.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass | Verdict::Info => 0,
        Verdict::Skipped => 1,
        Verdict::Blocked => 2,
        Verdict::Warn => 3,
        Verdict::Error => 4,
        Verdict::Fail => 5,
    }
}
