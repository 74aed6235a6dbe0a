//! Chooses among several messages of different protocols that a payload may be.
//!
//! The criteria, the strongest first; each decides only if those before it leave several:
//!
//! 1. the proven roles of the endpoints: a client sends no answer of a server;
//! 2. the user's choice;
//! 3. the known protocol of the serving endpoint: a server that has sent an unambiguous message of
//!    one protocol keeps using it, on whatever port;
//! 4. the protocol of unambiguous messages in the flow;
//! 5. the grammar: a protocol that cannot parse all of the bytes is not the sender's;
//! 6. the pending request for such an answer;
//! 7. the evidence for the game in the message;
//! 8. the protocol chosen before for such commands in the flow, then for the serving endpoint;
//! 9. the port of the serving endpoint;
//! 10. a spelling that is an anomaly in one protocol and regular in another;
//! 11. any port: clients of several games use those of their servers;
//! 12. a documented message before an undocumented one; at last the order of [`PROTOCOLS`].
//!
//! Known protocols come before ports because admins choose their ports, and games share them. The
//! grammar comes after known protocols because servers send things that are not documented.
//!
//! [`PROTOCOLS`]: crate::protocols::PROTOCOLS

use super::evidence::gather;
use super::recognise::{Context, Protocols, RecogniseBuffers, Recognised};
use super::requests::Places;
use crate::protocol::{Candidate, Confidence, Direction, Role, Soundness};

/// The best candidate; `None` if there is none.
pub(super) fn weigh(
    mut all: Vec<Candidate>,
    payload: &[u8],
    context: &Context<'_>,
    room: &mut RecogniseBuffers,
) -> Option<Recognised> {
    keep(&mut all, |c| c.entry.spec.allows(context.proven()));
    // Of one protocol the first is the likeliest.
    let mut seen = Protocols::default();
    all.retain(|c| {
        let first = !seen.has(c.protocol);
        seen = seen.with(c.protocol);
        first
    });
    keep(&mut all, |c| context.is_decode_as(c.protocol));
    keep(&mut all, |c| context.known(c.entry).has(c.protocol));
    keep(&mut all, |c| context.talk.is_some_and(|talk| talk.spoken.has(c.protocol)));
    if let [one] = all.as_slice() {
        return Some(context.chosen(*one));
    }
    let regular = keep_soundest(&mut all, payload, context, room);
    if let [one] = all.as_slice() {
        return Some(context.certain(*one));
    }
    let (proves, places) = (common(&all, context), Places::of(all.iter().map(|c| c.place)));
    // One of them answers the pending request, whatever message that was recognised as.
    keep(&mut all, |c| context.is_awaited(c.place));
    if let [one] = all.as_slice() {
        return Some(context.certain(*one));
    }
    keep(&mut all, |c| {
        gather(c.entry, (payload, context.cut), &mut room.reading, &mut room.reasons);
        room.reasons.iter().any(|reason| reason.sure >= Confidence::Number)
    });
    keep(&mut all, |c| context.talk.is_some_and(|talk| talk.shared.has(c.protocol)));
    keep(&mut all, |c| context.taken(c.entry).has(c.protocol));
    keep(&mut all, |c| context.serves_on_port(c.entry, c.protocol));
    keep(&mut all, |c| regular.has(c.protocol));
    keep(&mut all, |c| context.is_on_port(c.protocol));
    keep(&mut all, |c| !c.entry.spec.undocumented);
    all.first().map(|c| Recognised { proves, places, ..context.chosen(*c) })
}

/// Keeps those whose grammar covers every byte, unless none does; returns which have no anomalies.
fn keep_soundest(
    all: &mut Vec<Candidate>,
    payload: &[u8],
    context: &Context<'_>,
    room: &mut RecogniseBuffers,
) -> Protocols {
    let mut regular = Protocols::default();
    keep(all, |c| {
        let soundness = context.soundness(c.entry, payload, &mut room.reading);
        if soundness == Soundness::Regular {
            regular = regular.with(c.protocol);
        }
        soundness != Soundness::Broken
    });
    regular
}

/// Keeps the candidates that fit, unless none does.
fn keep(all: &mut Vec<Candidate>, mut fits: impl FnMut(&Candidate) -> bool) {
    if all.len() < 2 {
        return;
    }
    let fitting: Vec<_> = all.iter().copied().filter(|c| fits(c)).collect();
    if !fitting.is_empty() {
        *all = fitting;
    }
}

/// The roles that all candidates prove.
fn common(all: &[Candidate], context: &Context<'_>) -> Direction {
    let same = |one: Option<Role>, other| one.filter(|party| other == Some(*party));
    let both =
        |a: Direction, b: Direction| Direction { from: same(a.from, b.from), to: same(a.to, b.to) };
    all.iter().map(|c| context.proves(c.place)).reduce(both).unwrap_or_default()
}
