//! What is watched, as the user has said it.

use thiserror::Error;

use super::awaited_master::MasterObstacle;
use super::history::WatchHistoryError;
use super::watched_master::RoundLimits;
use simulate::Target;
use simulate::families::{ListSelection, MasterMessages};

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

/// A master that the user named.
#[derive(Debug, Clone)]
pub struct PlannedMaster {
    /// As the user wrote it.
    pub name: String,
    /// Its address; `None` if its name was not found yet.
    pub target: Option<Target>,
    /// Its kind, if the user named it.
    pub kind: Option<&'static MasterMessages>,
}

/// What is watched, and how.
#[derive(Debug)]
pub struct WatchPlan {
    /// The masters.
    pub masters: Vec<PlannedMaster>,
    /// Whether each master has to be usable when watching begins; else one is enough.
    pub needs_all: bool,
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
    /// A target cannot be asked.
    #[error("{target} {why}")]
    Unusable {
        /// The target.
        target: String,
        /// Why not.
        why: MasterObstacle,
    },
    /// There is no master.
    #[error("no master is named")]
    NoMaster,
    /// The history cannot be used.
    #[error("the history cannot be used: {0}")]
    History(#[from] WatchHistoryError),
}
