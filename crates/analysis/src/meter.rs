//! Progress of reading, for other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much of the input has been read; updated during the reading.
#[derive(Debug, Clone)]
pub struct Meter {
    read: Arc<AtomicU64>,
    /// Bytes of all inputs; unknown if one is a pipe.
    pub size: Option<u64>,
}

impl Meter {
    /// A meter of a counter that the reader updates.
    pub(super) fn new(read: Arc<AtomicU64>, size: Option<u64>) -> Self {
        Self { read, size }
    }

    /// Bytes read so far; what is read twice counts twice.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}
