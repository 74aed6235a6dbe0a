//! Which of several messages a payload is that more than one protocol could have said.
//!
//! The weights, the greatest first; each decides only where those before it leave several:
//!
//! 1. what the ends proved to be: a client sends no answer of a server;
//! 2. what the user says;
//! 3. what is known of whoever serves: a server that has spoken one protocol where no other could
//!    have been meant goes on to speak it, on whatever port;
//! 4. the protocol that the flow has spoken so;
//! 5. the grammar: a protocol that cannot read all of the bytes did not say them;
//! 6. the request that waits for such an answer;
//! 7. what the message says of its game;
//! 8. under which protocol such words were taken before in the flow, then by whoever serves;
//! 9. the port of whoever serves;
//! 10. a spelling that is odd in one protocol and regular in another;
//! 11. any port: clients of several games use those of their servers;
//! 12. a documented message before one that is in no document; at last the order of [`PROTOCOLS`].
//!
//! Knowledge stands before ports because whoever runs a server chooses its port, and games share
//! them. The grammar stands behind knowledge because servers say what their documents do not have.
//!
//! [`PROTOCOLS`]: crate::protocol::PROTOCOLS

use super::evidence::gather;
use super::recognise::{Context, Protocols, RecogniseBuffers, Recognised};
use super::requests::Places;
use crate::protocol::{Candidate, Confidence, Direction, Role, Soundness};

/// The candidate that weighs most; `None` where there is none.
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
    // One of them answers what was asked, whatever that was taken for.
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

/// Keeps those whose grammar claims every byte, unless none does; which of them find nothing odd.
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

/// Keeps what fits, unless nothing does.
fn keep(all: &mut Vec<Candidate>, mut fits: impl FnMut(&Candidate) -> bool) {
    if all.len() < 2 {
        return;
    }
    let fitting: Vec<_> = all.iter().copied().filter(|c| fits(c)).collect();
    if !fitting.is_empty() {
        *all = fitting;
    }
}

/// What all candidates prove of the ends.
fn common(all: &[Candidate], context: &Context<'_>) -> Direction {
    let same = |one: Option<Role>, other| one.filter(|party| other == Some(*party));
    let both =
        |a: Direction, b: Direction| Direction { from: same(a.from, b.from), to: same(a.to, b.to) };
    all.iter().map(|c| context.proves(c.place)).reduce(both).unwrap_or_default()
}
