//! The network and the clock that simulated hosts use.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::memory::MemoryNetwork;

/// The network of this machine with its clock, or one in memory with virtual time.
#[derive(Debug, Clone, Default)]
pub enum Network {
    /// Sockets of the system.
    #[default]
    System,
    /// A target in this process.
    Memory(Arc<MemoryNetwork>),
}

impl Network {
    /// The time.
    pub fn now(&self) -> Instant {
        match self {
            Self::System => Instant::now(),
            Self::Memory(network) => network.now(),
        }
    }

    /// Waits.
    pub fn sleep(&self, span: Duration) {
        match self {
            Self::System => thread::sleep(span),
            Self::Memory(network) => network.sleep(span),
        }
    }

    /// Whether it is in memory: one host after the other uses it.
    pub fn is_memory(&self) -> bool {
        matches!(self, Self::Memory(_))
    }
}
