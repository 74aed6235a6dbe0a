//! The display filter's work: which messages match, and which rows of tables have one of them.

use std::ops::{ControlFlow, Range};

use super::action::Answer;
use super::work::WorkContext;
use analysis::ScanMessages;
use filter::{Filter, MatchingRows};

/// Tests messages, and sends those that match, in order.
pub fn test(cx: &WorkContext, filter: &Filter, messages: Range<usize>) {
    let begin = messages.start;
    let messages = ScanMessages::Range(messages);
    filter.matching(&cx.session, messages, cx.secrets, cx.threads, |found, tested| {
        if cx.is_stopped() {
            return ControlFlow::Break(());
        }
        cx.answer(Answer::Filtered(found.to_vec(), begin + tested));
        ControlFlow::Continue(())
    });
}

/// Finds the rows of all tables with one of these messages.
pub fn match_rows(cx: &WorkContext, messages: &[u32]) {
    let rows = MatchingRows::from_messages(&cx.session, messages, || cx.is_stopped());
    if let Some(rows) = rows {
        cx.answer(Answer::Matching(Box::new(rows)));
    }
}
