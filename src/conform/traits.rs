//! The traits in which implementations differ, and their values.

use super::context::TestContext;
use super::failure::Failure;

/// A trait that distinguishes implementations.
pub struct Trait {
    /// `end mark of lists`.
    pub name: &'static str,
    /// Observes it; returns the value in words, always the same for one implementation.
    pub observe: fn(&TestContext) -> Result<String, Failure>,
}

/// A released master, with the measured values of its traits.
pub struct Implementation {
    /// With its version: `dpmaster 2.2`.
    pub name: &'static str,
    /// The source of the values: `measured`, or what they were read from.
    pub source: &'static str,
    /// Names of traits and their values.
    pub values: &'static [(&'static str, &'static str)],
}
