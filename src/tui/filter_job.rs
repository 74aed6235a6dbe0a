//! Tests messages against the filter of the list, in batches.

use super::action::Answer;
use crate::analysis::{CapturedMessage, Exchange, Session};
use crate::filter::{EvalScratch, Filter, Subject};
use crate::text::Secrets;

/// How many messages are tested before the screen is drawn: if payloads must be read again, and if
/// not.
const BATCH: [usize; 2] = [1024, 16384];

/// Buffers for filtering, reused.
pub struct FilterJob {
    scratch: EvalScratch,
    payload: Vec<u8>,
}

impl FilterJob {
    pub fn new(secrets: Secrets) -> Self {
        Self { scratch: EvalScratch::new(secrets), payload: Vec::new() }
    }

    /// Tests the next messages against a filter.
    pub fn test(&mut self, session: &Session, filter: &Filter, from: usize) -> Answer {
        let Self { scratch, payload } = self;
        let [with_payload, without] = BATCH;
        let batch = if filter.needs_payload() { with_payload } else { without };
        let tested = session.len().min(from.saturating_add(batch));
        let first = session.header(0).map_or(0, |header| header.time);
        let matches = |index: &usize| {
            payload.clear();
            let header = if filter.needs_payload() {
                // A message that cannot be read again is tested without its payload.
                let read = session.message(*index, payload).ok().flatten();
                read.map(|message| message.header).or_else(|| session.header(*index))
            } else {
                session.header(*index)
            };
            header.is_some_and(|header| {
                let message = CapturedMessage { header, payload };
                let subject = Subject::new(&message, first);
                let subject = match session.index() {
                    Some(index) => subject.with::<Exchange>(index),
                    None => subject,
                };
                filter.matches(&subject, scratch)
            })
        };
        let found = (from..tested).filter(matches).map(|index| index as u32).collect();
        Answer::Filtered(found, tested)
    }
}
