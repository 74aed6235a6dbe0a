//! What a run does.

use super::suite::SuiteCase;

/// The options of a run.
#[derive(Debug, Clone)]
pub struct RunPlan {
    /// The cases, in the order in which they run.
    pub cases: Vec<SuiteCase>,
    /// The maximum number of parallel cases.
    pub jobs: usize,
    /// How often each is run; the worst result counts.
    pub repeat: u32,
    /// How often a case that failed in parallel is repeated alone; if it passes then, it passes.
    pub retries: u32,
    /// Whether SHOULD counts as MUST.
    pub strict: bool,
    /// Whether to wait for long timeouts.
    pub slow: bool,
    /// Whether to send floods and the like beyond loopback.
    pub harsh: bool,
}

impl Default for RunPlan {
    fn default() -> Self {
        Self {
            cases: Vec::new(),
            jobs: 16,
            repeat: 1,
            retries: 1,
            strict: false,
            slow: false,
            harsh: false,
        }
    }
}
