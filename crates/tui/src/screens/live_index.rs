//! Builds the index of the messages so far, of a live capture or a pipe that has not ended.

use crate::work::WorkContext;

/// How many messages are indexed while the session is locked.
const BATCH: usize = 256;

/// Builds the index and gives it to the session.
pub fn build(cx: &WorkContext) {
    let mut builder = cx.session.lock().index_builder();
    loop {
        let mut session = cx.session.lock();
        let goes_on = !cx.is_stopped() && builder.advance(&session, BATCH);
        if !goes_on {
            if !cx.is_stopped() {
                session.set_index(builder);
            }
            return;
        }
        parking_lot::MutexGuard::unlock_fair(session);
    }
}
