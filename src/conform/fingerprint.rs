//! What a master's answers tell of its implementation, where the documents leave room or
//! implementations differ.

use std::time::Duration;

use super::case::Family;
use super::context::TestContext;
use super::env::TargetEnv;
use super::failure::{Failure, Kind};

/// Something that tells implementations apart.
pub struct Trait {
    /// `end mark of lists`.
    pub name: &'static str,
    /// Looks, and says what is seen.
    pub look: fn(&TestContext) -> Result<String, Failure>,
}

/// What was seen of a trait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// The kind of master that has it: its first profile's name.
    pub kind: &'static str,
    pub name: &'static str,
    /// In words; or why nothing was seen.
    pub what: String,
    /// Whether something was seen.
    pub is_seen: bool,
}

/// How long is listened where the target may not answer.
const PATIENCE: Duration = Duration::from_millis(500);

/// Looks at every trait of a kind of master; where none is told, at all.
pub fn fingerprint(
    families: &'static [&'static Family],
    env: &mut TargetEnv,
    profile: Option<&str>,
) -> Vec<Seen> {
    env.timeout = env.timeout.min(PATIENCE);
    let mut all = Vec::new();
    let owes = |family: &&&Family, name| family.profiles.iter().any(|p| p.name == name);
    let meant = families.iter().filter(|family| profile.is_none_or(|name| owes(family, name)));
    for family in meant {
        let kind = family.profiles.first().map_or("", |profile| profile.name);
        for one in family.traits {
            let ctx = TestContext::new(env, family, false);
            let (what, is_seen) = match (one.look)(&ctx) {
                Ok(what) => (what, true),
                Err(failure) if failure.kind == Kind::Failed => (failure.came, false),
                Err(failure) => (failure.expected, false),
            };
            all.push(Seen { kind, name: one.name, what, is_seen });
        }
    }
    all
}
