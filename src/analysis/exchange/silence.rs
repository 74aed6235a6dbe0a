//! Two heartbeats right behind one another, and silence: how a Quake III server says that it shuts
//! down (document 001, section 1.2.9; document 000, *heartbeat*).
//!
//! A server sends heartbeats for other reasons too: a new map, a player who comes or goes. So two of
//! them that are close are a shutdown only if the server is then heard no more, while the capture
//! goes on.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use crate::analysis::message::MessageHeader;

/// How close the second heartbeat follows, in nanoseconds. A server sends both in one go; otherwise
/// it sends one heartbeat a frame at most. The network adds some jitter.
pub(super) const RIGHT_BEHIND: i64 = 250_000_000;
/// How long the server has to be silent, in nanoseconds. Masters ask back at once, so a server that
/// is alive would have answered by then.
pub(super) const SILENCE: i64 = 5_000_000_000;
/// Heartbeats within this time belong together, in nanoseconds, while nobody has asked back: several
/// things may change at once, and a master's question answers all of them.
pub(super) const TOGETHER: i64 = 5_000_000_000;

/// Servers that may be shutting down, and when they were heard last.
#[derive(Default)]
pub(super) struct SilenceWatch {
    servers: HashMap<SocketAddr, LastSeen, RandomState>,
}

/// When a server was last heard, in nanoseconds since the Unix epoch.
struct LastSeen {
    heartbeat: i64,
    other: i64,
    /// How many masters have got two heartbeats of it.
    masters: u32,
}

impl SilenceWatch {
    /// Watches a server whose second heartbeat came at `time`.
    pub fn begin(&mut self, server: SocketAddr, time: i64) {
        let heard = LastSeen { heartbeat: time, other: i64::MIN, masters: 0 };
        self.servers.entry(server).or_insert(heard).masters += 1;
    }

    /// A message of whoever.
    pub fn observe(&mut self, header: &MessageHeader) {
        if self.servers.is_empty() {
            return;
        }
        let Some(heard) = self.servers.get_mut(&header.source) else {
            return;
        };
        if header.entry.spec.dealing.twice {
            heard.heartbeat = header.time;
        } else {
            heard.other = header.time;
        }
    }

    /// Whether the server was silent behind its second heartbeat at `time`; it is watched no longer
    /// for this master. Its other masters get their heartbeats at the same time.
    pub fn end(&mut self, server: SocketAddr, time: i64) -> bool {
        let Some(heard) = self.servers.get_mut(&server) else {
            return false;
        };
        let silent = heard.other <= time && heard.heartbeat <= time.saturating_add(RIGHT_BEHIND);
        heard.masters = heard.masters.saturating_sub(1);
        if heard.masters == 0 {
            self.servers.remove(&server);
        }
        silent
    }
}
