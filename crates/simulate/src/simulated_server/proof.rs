//! The challenge that a simulated server wants back: another one for each address.

use std::net::IpAddr;

use super::defect::{ServerDefect, ServerDefects};
use crate::families::{FollowTurn, ProofFields, ServerQuestions};
use crate::message_edit::{number_in, recognised, with_value};
use codec::New;

/// Challenges are numbers of 24 bits: as wide as those that every protocol can hold.
const BITS: u32 = 0x00ff_ffff;
/// Spreads addresses over all numbers: odd, and near 2^32 divided by the golden ratio.
const SPREAD: u32 = 0x9e37_79b1;

/// What a request is for the server.
pub(super) enum ProofStep {
    /// It is answered as these bytes are.
    Answered(Vec<u8>),
    /// Its challenge is wrong.
    Refused(Vec<u8>),
}

/// The challenge for an address.
fn challenge_for(address: IpAddr, defects: ServerDefects) -> u32 {
    let number = match address {
        _ if defects.has(ServerDefect::SharedProof) => 0,
        IpAddr::V4(ip) => ip.to_bits(),
        IpAddr::V6(ip) => ip.to_bits() as u32,
    };
    number.wrapping_add(1).wrapping_mul(SPREAD) & BITS
}

/// The challenge in what the answers of the family give, which have the same one for everybody.
fn constant(
    questions: &ServerQuestions,
    fields: ProofFields,
    answer: impl Fn(&[u8]) -> Vec<Vec<u8>>,
) -> Option<i64> {
    let first = answer(&questions.state()).into_iter().next()?;
    number_in(recognised(questions.protocol, &first)?, &first, fields.given)
}

/// A request of an address, with the challenge of that address replaced by the one that the answers
/// of the family accept.
pub(super) fn checked(
    questions: &ServerQuestions,
    fields: ProofFields,
    from: IpAddr,
    request: &[u8],
    defects: ServerDefects,
    answer: impl Fn(&[u8]) -> Vec<Vec<u8>>,
) -> ProofStep {
    let Some(entry) = recognised(questions.protocol, request) else {
        return ProofStep::Answered(request.to_vec());
    };
    let Some(returned) = number_in(entry, request, fields.returned) else {
        return ProofStep::Answered(unproven(questions, request, defects, answer));
    };
    let accepted = constant(questions, fields, &answer).unwrap_or_default();
    let with = |number: i64| {
        let other = with_value(entry, request, fields.returned, &New::Int(number));
        other.unwrap_or_else(|| request.to_vec())
    };
    let own = i64::from(challenge_for(from, defects));
    // Questions without a challenge have a number that stands for none.
    let asks_for_one = questions.state() == request || returned == -1;
    if returned == own || defects.has(ServerDefect::AnyProof) && !asks_for_one {
        return ProofStep::Answered(with(accepted));
    }
    ProofStep::Refused(with(accepted ^ 1))
}

/// A request without a challenge; with a defect as if it had the right one.
fn unproven(
    questions: &ServerQuestions,
    request: &[u8],
    defects: ServerDefects,
    answer: impl Fn(&[u8]) -> Vec<Vec<u8>>,
) -> Vec<u8> {
    let given = answer(request).into_iter().next().unwrap_or_default();
    let turn = FollowTurn { asked: request, answer: &given, players: None };
    let proven = (questions.follow)(&turn).filter(|_| defects.has(ServerDefect::NoProof));
    proven.unwrap_or_else(|| request.to_vec())
}

/// Whether an answer gives a challenge.
pub(super) fn gives(questions: &ServerQuestions, fields: ProofFields, answer: &[u8]) -> bool {
    let turn = FollowTurn { asked: &questions.state(), answer, players: None };
    let entry = recognised(questions.protocol, answer);
    entry.is_some_and(|entry| number_in(entry, answer, fields.given).is_some())
        && (questions.follow)(&turn).is_some()
}

/// What gives a challenge, with that of an address.
pub(super) fn given(
    questions: &ServerQuestions,
    fields: ProofFields,
    from: IpAddr,
    answer: &[u8],
    defects: ServerDefects,
) -> Option<Vec<u8>> {
    let entry = recognised(questions.protocol, answer)?;
    let own = New::Int(challenge_for(from, defects).into());
    with_value(entry, answer, fields.given, &own)
}
