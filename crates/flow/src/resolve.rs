//! The game of a message, and the roles of its sender and receiver.

use std::num::NonZeroU16;

use super::endpoint::Endpoint;
use super::judge::first_of;
use super::table::Flows;
use super::{Classified, FlowId, Verdict};
use protocol::{Direction, Entry, Game, Protocol, Role};
use protocols::unknown;

impl Flows {
    /// By the evidence so far.
    pub fn resolve(
        &self,
        classified: Classified,
        entry: &'static Entry,
    ) -> Option<(Verdict, Direction)> {
        let Some([a, b]) = self.endpoints(classified.flow) else {
            return Some((first_of(entry.protocol)?, entry.spec.proves(Direction::default())));
        };
        let verdict = self.game_of_message(classified.flow, entry)?;
        let (from, to) = if classified.forward { (a, b) } else { (b, a) };
        let [from, to] = [from, to].map(|end| EndpointTraits::new(end, verdict.game));
        Some((verdict, direction(entry, from, to)))
    }

    fn game_of_message(&self, id: FlowId, entry: &'static Entry) -> Option<Verdict> {
        if entry == unknown::DATAGRAM {
            return self.game_of_unread(id);
        }
        self.verdict_of(id, entry.protocol)
    }

    /// The same when no new evidence comes any more, so that the result for a flow is valid for its
    /// other messages.
    pub fn resolve_cached(
        &self,
        cache: &mut VerdictCache,
        classified: Classified,
        entry: &'static Entry,
    ) -> Option<(Verdict, Direction)> {
        let Some(at) = classified.flow.0.checked_sub(1) else {
            return self.resolve(classified, entry);
        };
        let at = at as usize;
        if cache.flows.len() <= at {
            cache.flows.resize(self.len().max(at + 1), None);
        }
        let slot = cache.flows.get_mut(at)?;
        let known = slot.and_then(|at| cache.verdicts.get_mut(usize::from(at.get()) - 1));
        if let Some(known) = known.filter(|known| known.protocol == entry.protocol) {
            return Some((known.verdict, known.direction(entry, classified.forward)));
        }
        let verdict = self.game_of_message(classified.flow, entry)?;
        let ends =
            self.endpoints(classified.flow)?.map(|end| EndpointTraits::new(end, verdict.game));
        let mut new =
            CachedVerdict { protocol: entry.protocol, verdict, ends, directions: Vec::new() };
        let direction = new.direction(entry, classified.forward);
        *slot = new.resolve(&mut cache.verdicts);
        Some((verdict, direction))
    }
}

/// Cached verdicts on flows that no longer change: for each flow the index of its verdict, from 1.
/// Most flows share their verdict with others, so the cache stays small.
#[derive(Default)]
pub struct VerdictCache {
    flows: Vec<Option<NonZeroU16>>,
    verdicts: Vec<CachedVerdict>,
}

/// The result for all messages of one protocol in a flow.
struct CachedVerdict {
    protocol: &'static Protocol,
    verdict: Verdict,
    ends: [EndpointTraits; 2],
    /// The roles for each message type, forward and back.
    directions: Vec<(&'static Entry, bool, Direction)>,
}

/// How many different verdicts are cached; flows with others are judged again each time.
const VERDICTS: usize = 1024;

impl CachedVerdict {
    /// Its index among the others, from 1, if there is room for it.
    fn resolve(self, others: &mut Vec<Self>) -> Option<NonZeroU16> {
        let of = |verdict: &Self| (verdict.ends, verdict.verdict, verdict.protocol);
        let at = others.iter().position(|other| of(other) == of(&self)).unwrap_or(others.len());
        if at == others.len() {
            if at >= VERDICTS {
                return None;
            }
            others.push(self);
        }
        NonZeroU16::new(at as u16 + 1)
    }

    fn direction(&mut self, entry: &'static Entry, forward: bool) -> Direction {
        let known = self.directions.iter().find(|(of, f, _)| *of == entry && *f == forward);
        if let Some((.., direction)) = known {
            return *direction;
        }
        let [a, b] = self.ends;
        let direction = if forward { direction(entry, a, b) } else { direction(entry, b, a) };
        self.directions.push((entry, forward, direction));
        direction
    }
}

/// The proven role of an endpoint, the documented role of its port, and its likely role.
#[derive(Clone, Copy, PartialEq)]
struct EndpointTraits {
    proven: Option<Role>,
    documented: Option<Role>,
    likely: Option<Role>,
}

impl EndpointTraits {
    fn new(end: &Endpoint, game: &Game) -> Self {
        let documented = game.listens(end.address.port());
        Self { proven: end.proven(), documented, likely: end.likely() }
    }
}

/// The roles of sender and receiver: of the directions that the message allows, those that fit the
/// proven roles, then the documented ports, then the likely roles.
fn direction(entry: &Entry, from: EndpointTraits, to: EndpointTraits) -> Direction {
    let mut direction = Direction::default();
    for known in [
        Direction { from: from.proven, to: to.proven },
        Direction { from: from.documented, to: to.documented },
        Direction { from: from.likely, to: to.likely },
    ] {
        for one in [Direction { to: None, ..known }, Direction { from: None, ..known }] {
            let both = Direction { from: direction.from.or(one.from), to: direction.to.or(one.to) };
            if entry.spec.allows(both) {
                direction = both;
            }
        }
    }
    entry.spec.likely(direction)
}
