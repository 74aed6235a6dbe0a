//! How far a reading has come, for whoever looks on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much of the input has been read, as the reading goes on.
#[derive(Debug, Clone)]
pub struct Meter {
    read: Arc<AtomicU64>,
    /// Bytes of all inputs; not known as soon as one is a pipe.
    pub size: Option<u64>,
}

impl Meter {
    /// One that looks at a count which somebody else keeps.
    pub(super) fn new(read: Arc<AtomicU64>, size: Option<u64>) -> Self {
        Self { read, size }
    }

    /// Bytes read until now; what is read twice counts twice.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}
