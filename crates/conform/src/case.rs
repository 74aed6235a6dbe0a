//! What a case is.

use super::context::TestContext;
use super::failure::Done;
use super::precondition::Precondition;

/// One test of a master.
pub struct Case {
    /// A path of words: `quake3/getserversResponse/end-mark`.
    pub id: &'static str,
    /// What is done, in one sentence without a final period.
    pub title: &'static str,
    /// The id of the requirement that it tests; empty if that is its own.
    pub requires: &'static str,
    /// Its preconditions; if one of them does not hold, it is blocked.
    pub needs: &'static [&'static Precondition],
    /// The ids of the preconditions that do not hold where this case fails: it judges what they ask
    /// for, and what they block is its consequence.
    pub decides: &'static [&'static str],
    /// Runs alone, after all others: it floods the master or may end it.
    pub exclusive: bool,
    /// Runs alone before all others: it sends what ends many servers, and might end the master.
    pub early: bool,
    /// Sends floods, over-long or random datagrams: outside of loopback only on request.
    pub harsh: bool,
    /// Takes as long as this setting; runs if that is short, or on request.
    pub slow: Option<&'static str>,
    /// Seconds that it waits, of a released target at least; the longest cases start first.
    pub waits: u32,
    /// The test.
    pub run: fn(&TestContext) -> Done,
}

/// What most cases have in common, for `..CASE`.
pub const CASE: Case = Case {
    id: "",
    title: "",
    requires: "",
    needs: &[],
    decides: &[],
    exclusive: false,
    early: false,
    harsh: false,
    slow: None,
    waits: 0,
    run: |_| Ok(()),
};

impl Case {
    /// The parts of its id before the last.
    pub fn section(&self) -> &'static str {
        self.id.rsplit_once('/').map_or("", |(section, _)| section)
    }
}
