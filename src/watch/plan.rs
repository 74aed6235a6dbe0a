//! What is watched, as the user has said it.

use std::io;

use thiserror::Error;

use super::history::WatchHistoryError;
use super::master_kind::KindSource;
use super::watched_master::RoundLimits;
use crate::families::{ListSelection, WatchMessages};
use crate::simulate::Target;

/// Whether a probe registers with the masters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProbeUse {
    /// With masters on this machine and in private networks.
    #[default]
    Auto,
    /// With every master.
    Always,
    /// With none.
    Never,
}

impl ProbeUse {
    /// Whether a probe registers with this target, if its kind lets it.
    pub fn is_of(self, target: &Target) -> bool {
        match self {
            Self::Auto => target.is_local(),
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// What is watched, and how.
#[derive(Debug)]
pub struct WatchPlan {
    /// The masters, with their kinds.
    pub masters: Vec<(Target, &'static WatchMessages, KindSource)>,
    /// The servers that the user named.
    pub servers: Vec<Target>,
    /// Which servers the lists have.
    pub selection: ListSelection,
    /// Whether a probe registers.
    pub probe: ProbeUse,
    /// Where it registers, with masters that have a port of its own for that; `None`: at the
    /// documented port, see [`registration_target`](super::registration_target).
    pub heartbeat_port: Option<u16>,
    /// What a round may do.
    pub limits: RoundLimits,
}

/// Why watching cannot begin or go on.
#[derive(Debug, Error)]
pub enum WatchError {
    /// A target cannot be reached from here.
    #[error("{target} cannot be reached from here: {why}")]
    Unreachable {
        /// The target.
        target: String,
        /// The system's reason.
        why: io::Error,
    },
    /// The history cannot be used.
    #[error("the history cannot be used: {0}")]
    History(#[from] WatchHistoryError),
}
