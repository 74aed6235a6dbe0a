//! Counting, in a thread of its own.

use parking_lot::MutexGuard;

use crate::action::Answer;
use crate::work::WorkContext;
use analysis::StatisticsBuilder;

/// How many messages are counted while the session is locked.
const COUNTED: usize = 512;

/// Counts all messages, or these.
pub fn count(cx: &WorkContext, selected: Option<&Vec<u32>>) {
    let mut builder = StatisticsBuilder::new(selected.cloned());
    loop {
        let session = cx.session.lock();
        let goes_on = builder.advance(&session, COUNTED);
        MutexGuard::unlock_fair(session);
        if cx.is_stopped() {
            return;
        }
        if !goes_on {
            return cx.answer(Answer::Counted(Box::new(builder.finish())));
        }
    }
}
