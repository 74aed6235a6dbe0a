//! Which game a message is of, and who sent it to whom.

use std::num::NonZeroU16;

use super::endpoint::Endpoint;
use super::judge::first_of;
use super::table::Flows;
use super::{Classified, Verdict};
use crate::protocol::{Direction, Entry, Game, PROTOCOLS, Role, is_same};

impl Flows {
    /// As known by now.
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

    /// The same where nothing is heard for the first time any more, so that what was said of a
    /// flow holds for its other messages.
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

/// Verdicts on flows that no longer change: for each flow where its own stands, from 1. Most flows
/// have the same as others, and so little is at hand always.
#[derive(Default)]
pub struct Settled {
    flows: Vec<Option<NonZeroU16>>,
    agreed: Vec<Agreed>,
}

/// What holds for all messages of one protocol in a flow.
struct Agreed {
    protocol: &'static str,
    verdict: Verdict,
    ends: [EndpointTraits; 2],
    /// Of each message that was asked for, forward and back.
    ways: Vec<(&'static Entry, bool, Direction)>,
}

/// How many verdicts are told apart; a flow with another is judged again each time.
const AGREED: usize = 1024;

impl Agreed {
    /// Its place among the others, from 1, if there is one for it.
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

/// What one end proved to be, whom its port is documented for, and what it most likely is.
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

/// Who sends to whom: of the ways that the message may go, those that fit what the ends proved,
/// then those that fit their documented ports, then what their messages make likely.
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
