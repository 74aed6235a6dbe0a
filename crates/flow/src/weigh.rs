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
//! 12. a documented message before an undocumented one; at last the order of the protocols.
//!
//! Known protocols come before ports because admins choose their ports, and games share them. The
//! grammar comes after known protocols because servers send things that are not documented.

use smallvec::SmallVec;

use super::evidence::gather;
use super::recognise::{Context, RecogniseBuffers, Recognised};
use super::requests::PossibleRequests;
use protocol::{Confidence, Direction, ProtocolSet, RegisteredMessage, Role, Soundness};

type Candidate = &'static RegisteredMessage;
/// Few messages begin alike.
pub(super) type CandidateList = SmallVec<[Candidate; 4]>;

/// The best candidate; `None` if there is none.
pub(super) fn weigh(
    mut all: CandidateList,
    payload: &[u8],
    context: &Context<'_>,
    buffers: &mut RecogniseBuffers,
) -> Option<Recognised> {
    let first = all.first()?.protocol;
    let of_one_protocol = all.iter().all(|c| c.protocol == first);
    keep(&mut all, |c| c.entry.spec.allows(context.proven()));
    // Of one protocol the first is the likeliest.
    let mut seen = ProtocolSet::default();
    all.retain(|&mut c| {
        let first = !seen.meets(c.protocol);
        seen = seen.and(c.protocol);
        first
    });
    if let ([one], true) = (all.as_slice(), of_one_protocol) {
        return Some(Recognised::certain(one));
    }
    keep(&mut all, |c| context.is_decode_as(c.entry));
    keep(&mut all, |c| context.known(c.entry).meets(c.protocol));
    keep(&mut all, |c| context.state.is_some_and(|state| state.spoken.meets(c.protocol)));
    if let [one] = all.as_slice() {
        return Some(Recognised::chosen(one));
    }
    let regular = keep_soundest(&mut all, payload, context, buffers);
    if let [one] = all.as_slice() {
        return Some(Recognised::certain(one));
    }
    let (proves, possible) =
        (common(&all), PossibleRequests::from_messages(all.iter().map(|c| c.id)));
    // One of them answers the pending request, whatever message that was recognised as.
    keep(&mut all, |c| context.is_awaited(c));
    if let [one] = all.as_slice() {
        return Some(Recognised::certain(one));
    }
    keep(&mut all, |c| {
        gather(c, (payload, context.cut), &mut buffers.reading, &mut buffers.reasons);
        buffers.reasons.iter().any(|reason| reason.confidence >= Confidence::Number)
    });
    keep(&mut all, |c| context.state.is_some_and(|state| state.shared.meets(c.protocol)));
    keep(&mut all, |c| context.assigned(c.entry).meets(c.protocol));
    keep(&mut all, |c| context.serves_on_port(c.entry));
    keep(&mut all, |c| regular.meets(c.protocol));
    keep(&mut all, |c| context.is_on_port(c.entry));
    keep(&mut all, |c| !c.entry.spec.undocumented);
    all.first().map(|c| Recognised { proves, possible, ..Recognised::chosen(c) })
}

/// Keeps those whose grammar covers every byte, unless none does; returns which have no anomalies.
fn keep_soundest(
    all: &mut CandidateList,
    payload: &[u8],
    context: &Context<'_>,
    buffers: &mut RecogniseBuffers,
) -> ProtocolSet {
    let mut regular = ProtocolSet::default();
    keep(all, |c| {
        let soundness = context.soundness(c.entry, payload, &mut buffers.reading);
        if soundness == Soundness::Regular {
            regular = regular.and(c.protocol);
        }
        soundness != Soundness::Broken
    });
    regular
}

/// Keeps the candidates that fit, unless none does.
fn keep(all: &mut CandidateList, mut fits: impl FnMut(&Candidate) -> bool) {
    if all.len() < 2 {
        return;
    }
    let fitting: CandidateList = all.iter().copied().filter(|c| fits(c)).collect();
    if !fitting.is_empty() {
        *all = fitting;
    }
}

/// The roles that all candidates prove.
fn common(all: &[Candidate]) -> Direction {
    let same = |one: Option<Role>, other| one.filter(|role| other == Some(*role));
    let both =
        |a: Direction, b: Direction| Direction { from: same(a.from, b.from), to: same(a.to, b.to) };
    all.iter().map(|c| c.proves).reduce(both).unwrap_or_default()
}
