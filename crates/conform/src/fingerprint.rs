//! Identifies a target: observes the traits in which implementations differ, and finds the
//! implementation that matches best.

use std::time::Duration;

use serde::Serialize;

use super::context::TestContext;
use super::env::TargetEnv;
use super::suite::TestSuite;
use super::traits::Implementation;

/// An observed trait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ObservedTrait {
    /// The kind of master with this trait: its first profile's name.
    pub kind: &'static str,
    /// Its name.
    #[serde(rename = "trait")]
    pub name: &'static str,
    /// The value in words; `None` if it could not be observed.
    pub value: Option<String>,
    /// Why it could not be observed; empty if it was.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// An implementation that matches the observed traits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The kind of master whose traits they are.
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The matching share, in whole percent.
    pub confidence: usize,
    /// How many of its traits match, of how many that were observed.
    pub fits: usize,
    /// How many traits are known of it.
    pub of: usize,
    /// The source of its values.
    pub source: &'static str,
}

/// How long to wait for a response that may not come.
const PATIENCE: Duration = Duration::from_millis(500);
/// The minimum of observed traits before an implementation is named.
const ENOUGH: usize = 4;
/// The minimum percentage that must match.
const SHARE: usize = 60;

/// Observes every trait of a kind of master; of every kind if none is given.
pub fn fingerprint(
    suites: &'static [&'static TestSuite],
    env: &mut TargetEnv,
    profile: Option<&str>,
) -> Vec<ObservedTrait> {
    env.timeout = env.timeout.min(PATIENCE);
    let mut all = Vec::new();
    for suite in of_profile(suites, profile) {
        let kind = kind(suite);
        // If no request is answered, no trait needs to be observed.
        let silence = {
            let ctx = TestContext::new(env, suite.sentinels, false);
            (suite.answers.check)(&ctx).err()
        };
        for one in suite.traits {
            if let Some(failure) = &silence {
                all.push(ObservedTrait { kind, name: one.name, value: None, why: failure.text() });
                continue;
            }
            let ctx = TestContext::new(env, suite.sentinels, false);
            let (value, why) = match (one.observe)(&ctx) {
                Ok(value) => (Some(value), String::new()),
                Err(failure) => (None, failure.text()),
            };
            all.push(ObservedTrait { kind, name: one.name, value, why });
        }
    }
    all
}

/// The implementations that match what was observed, the best first.
pub fn identify(suites: &'static [&'static TestSuite], seen: &[ObservedTrait]) -> Vec<Match> {
    let mut all = Vec::new();
    for suite in suites {
        let kind = kind(suite);
        for Implementation { name, source, values } in suite.implementations.rows() {
            let value = |of: &str| {
                let of_kind = seen.iter().find(|seen| seen.kind == kind && seen.name == of);
                of_kind.and_then(|seen| seen.value.as_deref())
            };
            let known: Vec<_> =
                values.iter().filter_map(|(of, is)| value(of).map(|seen| seen == *is)).collect();
            let (of, fits) = (known.len(), known.iter().filter(|fits| **fits).count());
            if of >= ENOUGH && fits * 100 >= of * SHARE {
                all.push(Match { kind, name, confidence: fits * 100 / of, fits, of, source });
            }
        }
    }
    // The larger share first, and of equal ones that of more traits.
    all.sort_by(|a, b| (b.fits * a.of, b.of).cmp(&(a.fits * b.of, a.of)));
    all
}

/// The suites of a profile; all without one.
fn of_profile(
    suites: &'static [&'static TestSuite],
    profile: Option<&str>,
) -> impl Iterator<Item = &'static TestSuite> {
    let has = move |suite: &&&TestSuite| {
        profile.is_none_or(|name| suite.profiles.iter().any(|profile| profile.name == name))
    };
    suites.iter().filter(has).copied()
}

fn kind(suite: &TestSuite) -> &'static str {
    suite.profiles.first().map_or("", |profile| profile.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::suites;

    /// The observations of an implementation.
    fn seen(kind: &'static str, of: &'static Implementation) -> Vec<ObservedTrait> {
        let one = |(name, value): &'static (String, String)| ObservedTrait {
            kind,
            name,
            value: Some(value.clone()),
            why: String::new(),
        };
        of.values.iter().map(one).collect()
    }

    #[test]
    fn every_implementation_is_identified_by_its_own_values() {
        for suite in suites() {
            for one in suite.implementations.rows() {
                let names = |name: &str| suite.traits.iter().any(|known| known.name == name);
                assert!(one.values.iter().all(|(name, _)| names(name)), "{}", one.name);
                let found = identify(suites(), &seen(kind(suite), one));
                let best = found.first().unwrap_or_else(|| panic!("{} is not found", one.name));
                assert_eq!((best.name, best.confidence), (one.name.as_str(), 100));
                assert!(found.iter().skip(1).all(|other| other.confidence < 100), "{found:?}");
            }
        }
    }

    #[test]
    fn unobserved_traits_identify_nothing() {
        let none =
            ObservedTrait { kind: "quake3", name: "challenge", value: None, why: "x".to_owned() };
        assert_eq!(identify(suites(), &[none]), []);
    }
}
