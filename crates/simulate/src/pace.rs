//! Rate limit: datagrams per second, by deadlines from one start.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Makes all senders wait for their turn.
#[derive(Debug)]
pub struct Pacer {
    gap: Duration,
    next: Mutex<Instant>,
}

impl Pacer {
    /// At most this many per second.
    pub fn new(a_second: u32) -> Self {
        let gap = Duration::from_secs(1) / a_second.max(1);
        Self { gap, next: Mutex::new(Instant::now()) }
    }

    /// Waits until the next one may be sent.
    pub fn wait(&self) {
        let turn = {
            let Ok(mut next) = self.next.lock() else {
                return;
            };
            let turn = (*next).max(Instant::now());
            *next = turn + self.gap;
            turn
        };
        std::thread::sleep(turn.saturating_duration_since(Instant::now()));
    }
}
