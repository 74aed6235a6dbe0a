//! How often servers send heartbeats, as the documents have it.

use super::{Entry, Game};

/// How many percent more than the documented interval is not late yet: servers are busy.
pub const TOLERANCE: i64 = 10;

/// The documented time between two heartbeats of a server to a master. Where something changes, a
/// heartbeat may come earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeartbeatInterval {
    /// The time, in seconds.
    pub seconds: u16,
    /// Document and section that state it: `001 1.2.9`.
    pub section: &'static str,
    /// The game that it is for, by its id; without one, it is for all others.
    game: Option<&'static str>,
}

impl HeartbeatInterval {
    /// The interval of all games that send the message.
    pub const fn new(seconds: u16, section: &'static str) -> Self {
        Self { seconds, section, game: None }
    }

    /// The interval of one game, by its id.
    pub const fn of_game(game: &'static str, seconds: u16, section: &'static str) -> Self {
        Self { seconds, section, game: Some(game) }
    }

    /// The same in nanoseconds.
    pub fn nanos(self) -> i64 {
        i64::from(self.seconds) * 1_000_000_000
    }

    /// After a longer time a heartbeat is late, in nanoseconds.
    pub fn latest(self) -> i64 {
        self.nanos() * (100 + TOLERANCE) / 100
    }
}

impl Entry {
    /// The documented time from one of these messages of a game to the next.
    pub fn heartbeat_interval(&self, game: &Game) -> Option<HeartbeatInterval> {
        let all = self.spec.intervals;
        let own = all.iter().find(|interval| interval.game == Some(game.id));
        own.or_else(|| all.iter().find(|interval| interval.game.is_none())).copied()
    }
}
