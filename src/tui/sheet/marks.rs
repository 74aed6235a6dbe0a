//! The outcome of each message of an exchange.

use crate::analysis::{ChallengeProof, Exchange, ExchangeState, ExchangeStep, MessageTurn};
use crate::render::ladder::ArrowMark;

/// The mark of the message in a frame, if it has one.
pub fn mark(exchange: &Exchange, number: u64) -> Option<ArrowMark<'_>> {
    let at = exchange.steps.iter().position(|step| step.number == number)?;
    let (step, behind) = (exchange.steps.get(at)?, exchange.steps.get(at + 1..)?);
    let is_last = behind.is_empty();
    let is_open = matches!(exchange.state, ExchangeState::Unanswered | ExchangeState::Incomplete);
    match step.turn {
        MessageTurn::Refusal => Some(ArrowMark::Refused),
        // It requires a next step, and none came.
        MessageTurn::Answer => {
            let is_wrong =
                matches!(exchange.proof, ChallengeProof::Wrong | ChallengeProof::Missing);
            let stops =
                exchange.state == ExchangeState::Incomplete && !is_wrong && !exchange.parts_missing;
            (stops && is_last && exchange.messages as usize == at + 1)
                .then_some(ArrowMark::NoAnswer)
        }
        MessageTurn::Request | MessageTurn::Retry | MessageTurn::Query => {
            if behind.iter().any(|later| answers(later, step)) {
                return None;
            }
            let error = error(exchange, step, behind).map(ArrowMark::Error);
            error.or_else(|| is_open.then_some(ArrowMark::NoAnswer))
        }
    }
}

/// Whether the other side responded to it, with an answer or a challenge.
fn answers(later: &ExchangeStep, asked: &ExchangeStep) -> bool {
    let says =
        matches!(later.turn, MessageTurn::Answer | MessageTurn::Refusal | MessageTurn::Query);
    says && later.source != asked.source && later.destination.ip() == asked.source.ip()
}

/// An ICMP error for it, before its sender sent more.
fn error<'a>(
    exchange: &'a Exchange,
    step: &ExchangeStep,
    behind: &[ExchangeStep],
) -> Option<&'a str> {
    if step.source != exchange.requester {
        return None;
    }
    let until = behind.iter().find(|later| later.source == step.source);
    let until = until.map_or(i64::MAX, |later| later.time);
    let during = exchange.errors.iter().find(|e| step.time <= e.time && e.time < until);
    during.map(|error| error.what.as_str())
}
