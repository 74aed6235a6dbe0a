//! Messages over time, and the shares of games in messages, bytes, flows and servers.

use std::collections::HashSet;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::time_buckets::{Buckets, TimeBuckets};
use crate::endpoint_key::EndpointKey;
use crate::message::MessageHeader;
use protocol::{Game, Role};
use text::has_time;

/// How many buckets the time has at most.
const BUCKETS: i64 = 4_096;
/// How many servers are told apart; others are counted as left out.
const SERVERS: usize = 1 << 16;
/// How many flows are told apart.
const FLOWS: usize = 1 << 20;

/// The messages of each game.
#[derive(Debug, Clone)]
pub struct GameStatistics {
    buckets: TimeBuckets,
    /// In the order of their first messages; when finished, those with the most messages first.
    games: Vec<GameCounts>,
    /// What is known of each flow.
    flows: Vec<FlowCounted>,
    /// The servers.
    servers: HashSet<EndpointKey, RandomState>,
    left_out: u64,
}

/// The messages of a game.
#[derive(Debug, Clone)]
pub struct GameCounts {
    /// The game.
    pub game: &'static Game,
    /// Its messages.
    pub messages: u64,
    /// Bytes of payload.
    pub bytes: u64,
    /// Its flows.
    pub flows: u64,
    /// Servers that sent or received a message.
    pub servers: u64,
    /// The number of messages, by time.
    pub over_time: Buckets<u32>,
}

/// What has been counted of a flow.
#[derive(Debug, Clone, Copy, Default)]
struct FlowCounted {
    /// The index of its game, from 1.
    game: u16,
    /// Whether its server was counted.
    has_server: bool,
}

impl Default for GameStatistics {
    fn default() -> Self {
        Self {
            buckets: TimeBuckets::new(BUCKETS),
            games: Vec::new(),
            flows: Vec::new(),
            servers: HashSet::default(),
            left_out: 0,
        }
    }
}

impl GameStatistics {
    pub(super) fn add_message(&mut self, header: &MessageHeader) {
        let has_time = has_time(header.time);
        if has_time && let Some(joined) = self.buckets.include(header.time) {
            for game in &mut self.games {
                game.over_time.join(joined, |sum, count| *sum = sum.saturating_add(count));
            }
        }
        let bucket = self.buckets.at(header.time);
        let flow = header.flow.0 as usize;
        if flow >= self.flows.len() && flow < FLOWS {
            self.flows.resize(flow + 1, FlowCounted::default());
        }
        let counted = self.flows.get(flow).copied().unwrap_or_default();
        let at = self.find(header.verdict.game, counted);
        let Some(game) = self.games.get_mut(at) else { return };
        game.messages += 1;
        game.bytes += u64::from(header.length);
        if has_time && let Some(count) = game.over_time.at_mut(bucket) {
            *count = count.saturating_add(1);
        }
        // Flow 0 stands for those that were not told apart.
        let Some(flow) = self.flows.get_mut(flow).filter(|_| flow > 0) else {
            self.left_out += 1;
            return;
        };
        if flow.game == 0 {
            flow.game = at as u16 + 1;
            game.flows += 1;
        }
        if flow.has_server {
            return;
        }
        if let Some(server) = server_of(header) {
            flow.has_server = true;
            let key = EndpointKey::from(server);
            if self.servers.len() >= SERVERS && !self.servers.contains(&key) {
                self.left_out += 1;
            } else if self.servers.insert(key) {
                game.servers += 1;
            }
        }
    }

    /// The index of a game.
    fn find(&mut self, game: &'static Game, counted: FlowCounted) -> usize {
        let is_it = |counts: &GameCounts| counts.game == game;
        let known = usize::from(counted.game).checked_sub(1);
        let known = known.filter(|at| self.games.get(*at).is_some_and(is_it));
        known.or_else(|| self.games.iter().position(is_it)).unwrap_or_else(|| {
            self.games.push(GameCounts {
                game,
                messages: 0,
                bytes: 0,
                flows: 0,
                servers: 0,
                over_time: Buckets::default(),
            });
            self.games.len() - 1
        })
    }

    /// No more messages come: puts the games in order, those with the most messages first.
    pub(super) fn finish(&mut self) {
        (self.flows, self.servers) = (Vec::new(), HashSet::default());
        self.games.sort_by_key(|game| (u64::MAX - game.messages, game.game.id));
    }

    /// The games.
    pub fn games(&self) -> &[GameCounts] {
        &self.games
    }

    /// The times of the counts.
    pub fn buckets(&self) -> &TimeBuckets {
        &self.buckets
    }

    /// How many messages are of flows or servers that were not told apart, because there are too
    /// many.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// The server that sends or receives a message.
fn server_of(header: &MessageHeader) -> Option<SocketAddr> {
    let ends = [(header.direction.from, header.source), (header.direction.to, header.destination)];
    ends.into_iter().find(|(role, _)| *role == Some(Role::Server)).map(|(_, end)| end)
}
