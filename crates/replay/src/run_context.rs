//! What a comparison knows of a recording and its run.

use std::collections::BTreeSet;
use std::net::IpAddr;

use super::restarts::Restarts;
use super::run::ReplayOutcome;
use super::sockets::ReplaySockets;
use super::transcript::Transcript;
use text::Secrets;

/// A recording, its run, and what decides what may differ.
pub(super) struct RunContext<'a> {
    pub transcript: &'a Transcript,
    pub outcome: &'a ReplayOutcome,
    pub sockets: &'a ReplaySockets,
    pub restarts: Restarts<'a>,
    /// The simulated hosts, by their recorded addresses.
    pub hosts: BTreeSet<IpAddr>,
    pub secrets: Secrets,
}
