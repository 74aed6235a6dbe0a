//! Which servers were registered with their master, and when: what a list may be expected to hold.

use std::collections::HashMap;
use std::net::SocketAddr;

use crate::proto::Affair;
use crate::session::{Exchange, State};

/// How many changes are kept.
const CHANGES: usize = 1 << 22;

/// What a server's registrations came to, over time.
#[derive(Debug, Default)]
pub struct Standings {
    of: HashMap<SocketAddr, Vec<(i64, Standing)>>,
    changes: usize,
}

/// How a server stands with its master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It was never heard of.
    Unknown,
    /// It has made itself known, and has not proved itself.
    Underway,
    /// It registered, at that time.
    Registered(i64),
    Gone,
}

impl Standings {
    /// An exchange is over.
    pub(super) fn settle(&mut self, exchange: &Exchange) {
        let Some(server) = exchange.server else {
            return;
        };
        match (exchange.affair, exchange.state) {
            (Affair::Registration, State::Answered) => {
                self.add(server, exchange.first, Standing::Underway);
                let proved = exchange.last_reply.unwrap_or(exchange.last);
                self.add(server, proved, Standing::Registered(proved));
            }
            (Affair::Registration, State::Told) => {
                self.add(server, exchange.first, Standing::Registered(exchange.first));
            }
            (Affair::Registration, State::Unanswered | State::Half | State::Refused) => {
                self.add(server, exchange.first, Standing::Underway);
            }
            (Affair::Shutdown, _) => self.add(server, exchange.first, Standing::Gone),
            _ => {}
        }
    }

    fn add(&mut self, server: SocketAddr, time: i64, standing: Standing) {
        if self.changes < CHANGES {
            self.changes += 1;
            self.of.entry(server).or_default().push((time, standing));
        }
    }

    /// All exchanges were settled, in whatever order they ended.
    pub(super) fn sort(&mut self) {
        self.of.values_mut().for_each(|changes| changes.sort_by_key(|(time, _)| *time));
    }

    /// How a server stood at a time. One that was registered stays so while it beats again.
    pub(super) fn at(&self, server: SocketAddr, time: i64) -> Standing {
        let changes = self.of.get(&server).map(Vec::as_slice).unwrap_or_default();
        let before =
            changes.iter().take_while(|(at, _)| *at <= time).map(|(_, standing)| *standing);
        before.fold(Standing::Unknown, |was, next| match (was, next) {
            (Standing::Registered(_), Standing::Underway) => was,
            _ => next,
        })
    }

    /// Every server that is registered at the end.
    pub fn registered(&self) -> impl Iterator<Item = SocketAddr> + '_ {
        let stays =
            |server: &SocketAddr| matches!(self.at(*server, i64::MAX), Standing::Registered(_));
        self.of.keys().copied().filter(stays)
    }
}
