//! Two heartbeats close together, then silence: how a Quake III server signals that it shuts down
//! (document 001, section 1.2.9; document 000, *heartbeat*).
//!
//! A server sends heartbeats for other reasons too: a new map, a player who joins or leaves. So two
//! of them close together are a shutdown only if the server then sends nothing more while the
//! capture goes on.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use crate::message::MessageHeader;

/// Maximum distance of the second heartbeat, in nanoseconds. A server sends both at once; otherwise
/// it sends at most one heartbeat per game frame. The network adds some jitter.
pub const PAIR_INTERVAL: i64 = 250_000_000;
/// How long the server has to be silent, in nanoseconds. Masters send challenges at once, so a
/// running server would have answered by then.
pub const SILENCE: i64 = 5_000_000_000;
/// Heartbeats within this time belong together, in nanoseconds, while no challenge has come:
/// several things may change at once, and the answer to a challenge reports all of them.
pub(super) const TOGETHER: i64 = 5_000_000_000;

/// Servers that may be shutting down, and when they last sent something.
#[derive(Default)]
pub(super) struct SilenceWatch {
    servers: HashMap<SocketAddr, LastSeen, RandomState>,
}

/// When a server last sent something, in nanoseconds since the Unix epoch.
struct LastSeen {
    heartbeat: i64,
    other: i64,
    /// To how many masters it sent two heartbeats.
    masters: u32,
}

impl SilenceWatch {
    /// Watches a server whose second heartbeat came at `time`.
    pub fn begin(&mut self, server: SocketAddr, time: i64) {
        let seen = LastSeen { heartbeat: time, other: i64::MIN, masters: 0 };
        self.servers.entry(server).or_insert(seen).masters += 1;
    }

    /// Processes a message from any sender.
    pub fn observe(&mut self, header: &MessageHeader) {
        if self.servers.is_empty() {
            return;
        }
        let Some(seen) = self.servers.get_mut(&header.source) else {
            return;
        };
        if header.entry.spec.shutdown_if_repeated {
            seen.heartbeat = header.time;
        } else {
            seen.other = header.time;
        }
    }

    /// Whether the server was silent after its second heartbeat at `time`; stops watching it for
    /// this master. Its other masters get their heartbeats at the same time.
    pub fn end(&mut self, server: SocketAddr, time: i64) -> bool {
        let Some(seen) = self.servers.get_mut(&server) else {
            return false;
        };
        let silent = seen.other <= time && seen.heartbeat <= time.saturating_add(PAIR_INTERVAL);
        seen.masters = seen.masters.saturating_sub(1);
        if seen.masters == 0 {
            self.servers.remove(&server);
        }
        silent
    }
}
