//! The lifelines of a ladder, one for each role or one for each host, and how an arrow names
//! endpoints that stand at no head.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::ops::Range;

use super::arrow::Arrow;
use super::hosts::HostLifelines;
use protocol::Role;

/// The lifelines of a ladder, from left to right.
#[derive(Debug, Clone, Copy)]
pub enum Lifelines<'a> {
    /// Three: servers, masters, clients. For a stream, whose hosts are not known in advance.
    ByRole(RoleHeads),
    /// One for each host.
    ByHost(&'a HostLifelines),
}

/// A lifeline, as its head names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifeline {
    /// The role of what stands on it, if known.
    pub role: Option<Role>,
    /// The endpoint that its arrows mean if they name none; `None` for a role without messages.
    pub head: Option<SocketAddr>,
}

/// The endpoint at the head of the lifeline of each role: the one with most of its messages. An
/// arrow to or from any other endpoint names that endpoint.
#[derive(Debug, Clone, Copy, Default)]
pub struct RoleHeads([Option<SocketAddr>; 3]);

/// The lifelines of roles from left to right.
pub(super) const ROLES: [Role; 3] = [Role::Server, Role::Master, Role::Client];

/// The position of a role among [`ROLES`].
pub(super) fn index_of(role: Role) -> usize {
    match role {
        Role::Server => 0,
        Role::Master => 1,
        Role::Client => 2,
    }
}

impl RoleHeads {
    /// The heads for these arrows; of two endpoints with as many messages, the first one.
    pub fn from_arrows<'a>(arrows: impl IntoIterator<Item = Arrow<'a>>) -> Self {
        let mut seen: [HashMap<SocketAddr, (u64, usize)>; 3] = Default::default();
        for (at, arrow) in arrows.into_iter().enumerate() {
            let (from, to) = arrow.roles();
            for (role, end) in [(from, arrow.source), (to, arrow.destination)] {
                if let Some(counts) = seen.get_mut(index_of(role)) {
                    counts.entry(end).or_insert((0, usize::MAX - at)).0 += 1;
                }
            }
        }
        let head = |counts: HashMap<SocketAddr, (u64, usize)>| {
            // Both endpoints of one arrow come at the same position: the addresses decide.
            let best = counts.into_iter().max_by_key(|(end, count)| (*count, *end));
            best.map(|(end, _)| end)
        };
        Self(seen.map(head))
    }
}

impl Lifelines<'_> {
    /// How many there are.
    pub fn count(self) -> usize {
        match self {
            Self::ByRole(_) => ROLES.len(),
            Self::ByHost(hosts) => hosts.count(),
        }
    }

    /// The lifeline at a position.
    pub fn get(self, at: usize) -> Option<Lifeline> {
        match self {
            Self::ByRole(heads) => {
                Some(Lifeline { role: Some(*ROLES.get(at)?), head: *heads.0.get(at)? })
            }
            Self::ByHost(hosts) => hosts.get(at),
        }
    }

    /// The positions of sender and receiver; `None` for a host without a lifeline.
    pub fn ends(self, arrow: &Arrow<'_>) -> [Option<usize>; 2] {
        match self {
            Self::ByRole(_) => {
                let (from, to) = arrow.roles();
                [from, to].map(|role| Some(index_of(role)))
            }
            Self::ByHost(hosts) => [arrow.source, arrow.destination].map(|end| hosts.find(end)),
        }
    }

    /// The role of the sender, if known.
    pub(super) fn sender(self, arrow: &Arrow<'_>) -> Option<Role> {
        match self {
            Self::ByRole(_) => Some(arrow.roles().0),
            Self::ByHost(hosts) => {
                let of_host = || hosts.get(hosts.find(arrow.source)?)?.role;
                arrow.direction.from.or_else(of_host)
            }
        }
    }

    /// `to 192.0.2.11:27960`, `from :27951` (another port of the head's address), both, or nothing:
    /// the endpoints that stand at no head of the visible lifelines.
    pub(super) fn others(self, arrow: &Arrow<'_>, visible: &Range<usize>) -> Vec<String> {
        let [from, to] = self.ends(arrow);
        let ends = [("from", from, arrow.source), ("to", to, arrow.destination)];
        let text = |(word, at, end): (&str, Option<usize>, SocketAddr)| {
            // A host that is scrolled out of sight has its head there.
            let is_hidden =
                matches!(self, Self::ByHost(_)) && at.is_some_and(|at| !visible.contains(&at));
            let at = at.filter(|at| visible.contains(at));
            match at.and_then(|at| self.get(at)?.head) {
                _ if is_hidden => None,
                Some(head) if head == end => None,
                Some(head) if head.ip() == end.ip() => Some(format!("{word} :{}", end.port())),
                _ => Some(format!("{word} {end}")),
            }
        };
        ends.into_iter().filter_map(text).collect()
    }
}

impl Lifeline {
    /// Its role in a word.
    pub(super) fn name(&self) -> &'static str {
        self.role.map_or("unknown", Role::name)
    }

    /// The endpoint at its head as text; empty without one.
    pub(super) fn address(&self) -> String {
        self.head.map(|end| end.to_string()).unwrap_or_default()
    }
}
