//! The game of a message, and the roles of its sender and receiver.

use std::num::NonZeroU16;

use super::endpoint::Endpoint;
use super::judge::first_of;
use super::table::Flows;
use super::{Classified, Verdict};
use crate::protocol::{Direction, Entry, Game, Role, is_same};
use crate::protocols::PROTOCOLS;

impl Flows {
    /// By the evidence so far.
    pub fn place_message(
        &self,
        heard: Classified,
        entry: &'static Entry,
    ) -> Option<(Verdict, Direction)> {
        let Some([a, b]) = self.endpoints(heard.flow) else {
            let protocol = PROTOCOLS.iter().find(|p| p.id == entry.protocol)?;
            return Some((first_of(protocol)?, entry.spec.proves(Direction::default())));
        };
        let verdict = self.verdict_of(heard.flow, entry.protocol)?;
        let (from, to) = if heard.forward { (a, b) } else { (b, a) };
        let [from, to] = [from, to].map(|end| EndpointTraits::of(end, verdict.game));
        Some((verdict, way(entry, from, to)))
    }

    /// The same when no new evidence comes any more, so that the result for a flow is valid for its
    /// other messages.
    pub fn place_settled(
        &self,
        settled: &mut Settled,
        heard: Classified,
        entry: &'static Entry,
    ) -> Option<(Verdict, Direction)> {
        let Some(at) = heard.flow.0.checked_sub(1) else {
            return self.place_message(heard, entry);
        };
        let at = at as usize;
        if settled.flows.len() <= at {
            settled.flows.resize(self.len().max(at + 1), None);
        }
        let slot = settled.flows.get_mut(at)?;
        let known = slot.and_then(|at| settled.agreed.get_mut(usize::from(at.get()) - 1));
        if let Some(known) = known.filter(|known| is_same(known.protocol, entry.protocol)) {
            return Some((known.verdict, known.way(entry, heard.forward)));
        }
        let verdict = self.verdict_of(heard.flow, entry.protocol)?;
        let ends = self.endpoints(heard.flow)?.map(|end| EndpointTraits::of(end, verdict.game));
        let mut new = Agreed { protocol: entry.protocol, verdict, ends, ways: Vec::new() };
        let way = new.way(entry, heard.forward);
        *slot = new.resolve(&mut settled.agreed);
        Some((verdict, way))
    }
}

/// Cached verdicts on flows that no longer change: for each flow the index of its verdict, from 1.
/// Most flows share their verdict with others, so the cache stays small.
#[derive(Default)]
pub struct Settled {
    flows: Vec<Option<NonZeroU16>>,
    agreed: Vec<Agreed>,
}

/// The result for all messages of one protocol in a flow.
struct Agreed {
    protocol: &'static str,
    verdict: Verdict,
    ends: [EndpointTraits; 2],
    /// The roles for each message type, forward and back.
    ways: Vec<(&'static Entry, bool, Direction)>,
}

/// How many different verdicts are cached; flows with others are judged again each time.
const AGREED: usize = 1024;

impl Agreed {
    /// Its index among the others, from 1, if there is room for it.
    fn resolve(self, others: &mut Vec<Self>) -> Option<NonZeroU16> {
        let of = |agreed: &Self| (agreed.ends, agreed.verdict, agreed.protocol);
        let at = others.iter().position(|other| of(other) == of(&self)).unwrap_or(others.len());
        if at == others.len() {
            if at >= AGREED {
                return None;
            }
            others.push(self);
        }
        NonZeroU16::new(at as u16 + 1)
    }

    fn way(&mut self, entry: &'static Entry, forward: bool) -> Direction {
        let known = self.ways.iter().find(|(of, f, _)| *of == entry && *f == forward);
        if let Some((.., way)) = known {
            return *way;
        }
        let [a, b] = self.ends;
        let way = if forward { way(entry, a, b) } else { way(entry, b, a) };
        self.ways.push((entry, forward, way));
        way
    }
}

/// The proven role of an endpoint, the documented role of its port, and its likely role.
#[derive(Clone, Copy, PartialEq)]
struct EndpointTraits {
    proven: Option<Role>,
    listens: Option<Role>,
    supposed: Option<Role>,
}

impl EndpointTraits {
    fn of(end: &Endpoint, game: &Game) -> Self {
        let listens = game.listens(end.address.port());
        Self { proven: end.proven(), listens, supposed: end.supposed() }
    }
}

/// The roles of sender and receiver: of the directions that the message allows, those that fit the
/// proven roles, then the documented ports, then the likely roles.
fn way(entry: &Entry, from: EndpointTraits, to: EndpointTraits) -> Direction {
    let mut way = Direction::default();
    for known in [
        Direction { from: from.proven, to: to.proven },
        Direction { from: from.listens, to: to.listens },
        Direction { from: from.supposed, to: to.supposed },
    ] {
        for one in [Direction { to: None, ..known }, Direction { from: None, ..known }] {
            let both = Direction { from: way.from.or(one.from), to: way.to.or(one.to) };
            if entry.spec.allows(both) {
                way = both;
            }
        }
    }
    entry.spec.mostly(way)
}
