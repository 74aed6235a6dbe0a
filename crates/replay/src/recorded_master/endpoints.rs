//! Which masters of a recording are played, and on which ports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use super::{PlayError, PlayOptions};
use crate::{RecordedRequest, Transcript};
use flow::Transport;
use masters::RecordedPort;
use protocol::Game;

/// The address of a master in a recording, with a port or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MasterAddress {
    ip: IpAddr,
    /// `None`: all its ports.
    port: Option<u16>,
}

/// The endpoints of the masters that are played, with their games.
#[derive(Debug)]
pub(super) struct PlayedEndpoints {
    games: BTreeMap<(Transport, SocketAddr), &'static Game>,
    /// Recorded ports, and those to listen on in place of them.
    ports: Vec<(u16, u16)>,
}

impl FromStr for MasterAddress {
    type Err = String;

    /// Parses `ADDRESS` or `ADDRESS:PORT`.
    fn from_str(text: &str) -> Result<Self, String> {
        let whole = text.parse::<SocketAddr>();
        let whole = whole.map(|end| Self { ip: end.ip(), port: Some(end.port()) });
        let address = whole.or_else(|_| text.parse().map(|ip| Self { ip, port: None }));
        address.map_err(|_| "expected ADDRESS or ADDRESS:PORT".to_owned())
    }
}

impl fmt::Display for MasterAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => SocketAddr::new(self.ip, port).fmt(f),
            None => self.ip.fmt(f),
        }
    }
}

impl MasterAddress {
    fn is(self, end: SocketAddr) -> bool {
        self.ip == end.ip() && self.port.is_none_or(|port| port == end.port())
    }
}

impl PlayedEndpoints {
    /// The endpoints of the chosen masters: those that answered something, and those from which
    /// they did.
    pub fn choose(transcript: &Transcript, options: &PlayOptions) -> Result<Self, PlayError> {
        let played = |request: &&RecordedRequest| request.selected && !request.replies.is_empty();
        let asked: BTreeSet<_> = transcript.requests.iter().filter(played).map(|r| r.to).collect();
        if asked.is_empty() {
            return Err(PlayError::NoMaster);
        }
        let is_chosen = |end: SocketAddr| options.master.is_none_or(|master| master.is(end));
        if let Some(wanted) = options.master.filter(|_| !asked.iter().any(|end| is_chosen(*end))) {
            return Err(PlayError::Unknown { wanted, known: list(&asked) });
        }
        let mut ends = BTreeSet::new();
        for request in transcript.requests.iter().filter(played).filter(|r| is_chosen(r.to)) {
            ends.insert((request.transport, request.to, request.to));
            let replies = request.replies.iter();
            ends.extend(replies.map(|reply| (request.transport, reply.from, request.to)));
        }
        let game = |transport: Transport, end: SocketAddr, of: SocketAddr| {
            let known = transcript.masters.get(&(transport, end));
            known.or_else(|| transcript.masters.get(&(transport, of))).copied()
        };
        let games = ends.iter().filter_map(|(transport, end, of)| {
            Some(((*transport, *end), game(*transport, *end, *of)?))
        });
        let games = games.collect();
        let endpoints = Self { games, ports: options.ports.clone() };
        endpoints.check()?;
        Ok(endpoints)
    }

    /// Of each family, one master may have a port of a transport; and ports that are changed are
    /// there.
    fn check(&self) -> Result<(), PlayError> {
        for (transport, end) in self.games.keys() {
            let same = |(over, other): &(Transport, SocketAddr)| {
                let is_same = over == transport && other.port() == end.port();
                (is_same && other.is_ipv6() == end.is_ipv6()).then_some(*other)
            };
            let same: BTreeSet<_> = self.games.keys().filter_map(same).collect();
            if same.len() > 1 {
                return Err(PlayError::SamePort { port: end.port(), masters: list(&same) });
            }
        }
        let known: BTreeSet<_> = self.games.keys().map(|(_, end)| end.port()).collect();
        if let Some((port, _)) = self.ports.iter().find(|(port, _)| !known.contains(port)) {
            let known: Vec<_> = known.iter().map(u16::to_string).collect();
            return Err(PlayError::UnknownPort { port: *port, known: known.join(", ") });
        }
        Ok(())
    }

    pub fn contains(&self, transport: Transport, end: SocketAddr) -> bool {
        self.games.contains_key(&(transport, end))
    }

    /// The ports to listen on at a local address: those of its family, else those of the other.
    pub fn ports(&self, local: IpAddr) -> Vec<RecordedPort> {
        let mut by_port: BTreeMap<(u16, Transport), RecordedPort> = BTreeMap::new();
        for ((transport, recorded), game) in &self.games {
            let (number, id) = (recorded.port(), game.id);
            let changed = self.ports.iter().rev().find(|(old, _)| *old == number);
            let port = changed.map_or(number, |(_, new)| *new);
            let carrier = flow::carrier(*transport);
            let new = RecordedPort { carrier, recorded: *recorded, port, game: id };
            let known = by_port.entry((number, *transport)).or_insert(new);
            if recorded.is_ipv6() == local.is_ipv6() {
                *known = new;
            }
        }
        by_port.into_values().collect()
    }
}

fn list(ends: &BTreeSet<SocketAddr>) -> String {
    ends.iter().map(SocketAddr::to_string).collect::<Vec<_>>().join(", ")
}
