//! A master that cannot be asked yet: its name is not found, its kind is unknown, or no route leads to
//! it. Each round tries again.

use std::io;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::plan::{PlannedMaster, ProbeUse, WatchError};
use super::registered_probe::{RegisteredProbe, registration_target};
use super::watched_master::{MasterRound, RoundLimits, WatchedMaster};
use query::{KindSearch, KindSource};
use simulate::families::{ListSelection, MasterMessages};
use simulate::{Target, TargetError};

/// Why a master cannot be asked, as the rest of a sentence about it.
#[derive(Debug, Error)]
pub enum MasterObstacle {
    /// Its name leads to no address to which something may be sent.
    #[error("{0}")]
    Name(String),
    /// It answers no request of any kind.
    #[error("answers no request for a list, so its kind is unknown")]
    UnknownKind,
    /// The lists of its kind have no IPv6 addresses, and it has one.
    #[error("has an IPv6 address, and the lists of {kind} hold IPv4 addresses only")]
    Ipv4Only {
        /// The profile of the kind.
        kind: &'static str,
    },
    /// The system has no way to it.
    #[error("cannot be reached from here: {0}")]
    Unreachable(#[from] io::Error),
}

impl From<TargetError> for MasterObstacle {
    fn from(error: TargetError) -> Self {
        Self::Name(match error {
            TargetError::Unknown { why, .. } => format!("is not found: {why}"),
            TargetError::NoAddress { .. } => "has no address".to_owned(),
            other => format!("cannot be asked: {other}"),
        })
    }
}

/// What holds for the client and the probe of a master.
#[derive(Debug, Clone)]
pub struct MasterOptions {
    /// Which servers its lists have.
    pub selection: ListSelection,
    /// Whether a probe registers.
    pub probe: ProbeUse,
    /// Where it registers, if the user has said that.
    pub heartbeat_port: Option<u16>,
    /// The address of the probe in an earlier run.
    pub earlier_probe: Option<SocketAddr>,
    /// The kind of the master in an earlier run.
    pub earlier_kind: Option<&'static MasterMessages>,
    /// What a round may do.
    pub limits: RoundLimits,
}

/// A master that is not asked yet.
#[derive(Debug)]
pub struct AwaitedMaster {
    planned: PlannedMaster,
    options: MasterOptions,
    search: KindSearch,
    /// Why it could not be asked the last time.
    obstacle: Option<String>,
}

impl AwaitedMaster {
    /// A master for which nothing was tried yet.
    pub fn new(planned: PlannedMaster, options: MasterOptions) -> Self {
        Self { planned, options, search: KindSearch::default(), obstacle: None }
    }

    /// Looks for its address, its kind and a way to it. Requests for the lists of further kinds end
    /// after `budget`; the next call goes on with the other kinds.
    ///
    /// # Errors
    /// If it cannot be asked.
    pub fn open(&mut self, budget: Option<Duration>) -> Result<WatchedMaster, MasterObstacle> {
        let options = &self.options;
        let target = match &self.planned.target {
            Some(target) => target.clone(),
            None => Target::find(&self.planned.name, options.limits.consent)?,
        };
        self.planned.target = Some(target.clone());
        let selection = ListSelection { over_ipv6: target.is_ipv6(), ..options.selection.clone() };
        let by_port = || KindSearch::by_port(&target).map(|kind| (kind, KindSource::Port));
        let earlier = || options.earlier_kind.map(|kind| (kind, KindSource::History));
        let known = self.planned.kind.map(|kind| (kind, KindSource::Profile));
        let (kind, source) = if let Some(known) = known.or_else(by_port).or_else(earlier) {
            known
        } else {
            let timeout = options.limits.timeout;
            let kind = self.search.ask(&target, &selection, timeout, budget)?;
            (kind.ok_or(MasterObstacle::UnknownKind)?, KindSource::Asked)
        };
        if kind.ipv4_only.is_some() && target.is_ipv6() {
            return Err(MasterObstacle::Ipv4Only { kind: kind.profile });
        }
        let registers = options.probe.is_of(&target) && kind.can_register(&selection);
        let at = registration_target(&target, kind, options.heartbeat_port);
        let open = |at| RegisteredProbe::open(&at, kind, selection.clone(), options.earlier_probe);
        let probe = at.filter(|_| registers).map(open).transpose()?;
        Ok(WatchedMaster::open(target, (kind, source), selection, probe)?)
    }
}

/// The place of a master among all: watched, or awaited.
#[derive(Debug)]
pub enum MasterPlace {
    /// It is asked in each round.
    Watched(Box<WatchedMaster>),
    /// It cannot be asked yet.
    Awaited(Box<AwaitedMaster>),
}

impl MasterPlace {
    /// The target, as the user wrote it.
    pub fn name(&self) -> String {
        match self {
            Self::Watched(master) => master.target.to_string(),
            Self::Awaited(master) => master.planned.name.clone(),
        }
    }

    /// The master, if it can be asked.
    pub fn watched(&self) -> Option<&WatchedMaster> {
        match self {
            Self::Watched(master) => Some(master),
            Self::Awaited(_) => None,
        }
    }

    /// Tries to begin; why that is not possible, if it is not.
    pub fn open(&mut self, budget: Option<Duration>) -> Option<MasterObstacle> {
        let Self::Awaited(master) = self else { return None };
        match master.open(budget) {
            Ok(master) => {
                *self = Self::Watched(Box::new(master));
                None
            }
            Err(why) => {
                master.obstacle = Some(why.to_string());
                Some(why)
            }
        }
    }

    /// Why it could not be asked the last time.
    pub fn obstacle(&self) -> Option<&str> {
        match self {
            Self::Watched(_) => None,
            Self::Awaited(master) => master.obstacle.as_deref(),
        }
    }

    /// One round. A master that still cannot be asked is one that does not answer.
    ///
    /// # Errors
    /// If the system cannot send or receive.
    pub fn round(&mut self, limits: &RoundLimits) -> io::Result<MasterRound> {
        self.open(Some(limits.timeout));
        match self {
            Self::Watched(master) => master.round(limits),
            Self::Awaited(master) => {
                Ok(MasterRound { obstacle: master.obstacle.clone(), ..MasterRound::default() })
            }
        }
    }
}

/// Begins with all masters at once; the kind of the first one that can be used.
pub(super) fn open_all(
    masters: &mut [MasterPlace],
    needs_all: bool,
) -> Result<&'static MasterMessages, WatchError> {
    let obstacles: Vec<_> = thread::scope(|scope| {
        let opening = masters.iter_mut().map(|master| scope.spawn(|| master.open(None)));
        let opening: Vec<_> = opening.collect();
        opening.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    let first = masters.iter().find_map(|master| Some(master.watched()?.kind));
    let error = masters.iter().zip(obstacles).find_map(|(master, obstacle)| {
        let is_fatal = |why: &MasterObstacle| {
            needs_all || first.is_none() || matches!(why, MasterObstacle::Ipv4Only { .. })
        };
        let why = obstacle.filter(is_fatal)?;
        Some(WatchError::Unusable { target: master.name(), why })
    });
    match (error, first) {
        (None, Some(first)) => Ok(first),
        (Some(error), _) => Err(error),
        (None, None) => Err(WatchError::NoMaster),
    }
}
