//! The recorded order of messages that several threads send.

use std::collections::BTreeSet;

use parking_lot::{Condvar, Mutex};

/// A message: its round, its index in the transcript, and whether a connection sends it; what opens
/// the connection comes before.
type Position = (u32, usize, bool);

/// The next message of each thread.
#[derive(Default)]
pub(super) struct RecordedOrder {
    next: Mutex<BTreeSet<Position>>,
    changed: Condvar,
}

/// A thread's place in the order; without an order it never waits. It leaves when dropped.
pub(super) struct Turn<'a> {
    order: Option<&'a RecordedOrder>,
    next: Option<Position>,
}

impl<'a> Turn<'a> {
    pub fn new(order: Option<&'a RecordedOrder>) -> Self {
        Self { order, next: None }
    }

    /// The same with its next message.
    pub fn at(mut self, next: Position) -> Self {
        self.set(Some(next));
        self
    }

    /// The next message of this thread; those after it wait.
    pub fn set(&mut self, next: Option<Position>) {
        let Some(order) = self.order else {
            return;
        };
        let mut all = order.next.lock();
        if let Some(before) = self.next.take() {
            all.remove(&before);
        }
        all.extend(next);
        self.next = next;
        order.changed.notify_all();
    }

    /// Waits until no other thread has an earlier message.
    pub fn wait(&mut self, next: Position) {
        self.set(Some(next));
        let Some(order) = self.order else {
            return;
        };
        let mut all = order.next.lock();
        while all.first().is_some_and(|first| *first < next) {
            order.changed.wait(&mut all);
        }
    }

    pub fn has_order(&self) -> bool {
        self.order.is_some()
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.set(None);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn messages_of_several_threads_keep_their_order() {
        let (order, sent) = (RecordedOrder::default(), Mutex::new(Vec::new()));
        thread::scope(|scope| {
            let turns: Vec<_> =
                (0..4_usize).map(|n| (n, Turn::new(Some(&order)).at((0, n, true)))).collect();
            for (n, mut turn) in turns.into_iter().rev() {
                let sent = &sent;
                scope.spawn(move || {
                    for position in (n..100).step_by(4) {
                        turn.wait((0, position, true));
                        sent.lock().push(position);
                    }
                });
            }
        });
        assert_eq!(sent.into_inner(), (0..100).collect::<Vec<_>>());
    }
}
