//! Tests messages against the filter of the list, in batches.

use super::action::Sifted;
use crate::analysis::{CapturedMessage, Exchange, Session};
use crate::filter::{EvalScratch, Filter, Subject};
use crate::text::Secrets;

/// How many messages are tested before the screen is drawn: if payloads must be read again, and if
/// not.
const SIFT: [usize; 2] = [1024, 16384];

/// Buffers for filtering, reused.
pub struct FilterJob {
    room: EvalScratch,
    payload: Vec<u8>,
}

impl FilterJob {
    pub fn new(secrets: Secrets) -> Self {
        Self { room: EvalScratch::new(secrets), payload: Vec::new() }
    }

    /// Tests the next messages against a filter.
    pub fn sift(&mut self, session: &Session, filter: &Filter, from: usize) -> Sifted {
        let Self { room, payload } = self;
        let [reads, looks] = SIFT;
        let batch = if filter.needs_payload() { reads } else { looks };
        let looked_at = session.len().min(from.saturating_add(batch));
        let first = session.header(0).map_or(0, |header| header.time);
        let is_meant = |place: &usize| {
            payload.clear();
            let header = if filter.needs_payload() {
                // A message that cannot be read again is tested without its payload.
                let read = session.message(*place, payload).ok().flatten();
                read.map(|message| message.header).or_else(|| session.header(*place))
            } else {
                session.header(*place)
            };
            header.is_some_and(|header| {
                let message = CapturedMessage { header, payload };
                let subject = Subject::new(&message, first);
                let subject = match session.index() {
                    Some(index) => subject.with::<Exchange>(index),
                    None => subject,
                };
                filter.matches(&subject, room)
            })
        };
        let found = (from..looked_at).filter(is_meant).map(|place| place as u32).collect();
        Sifted { found, looked_at }
    }
}
