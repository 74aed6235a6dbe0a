//! A TCP connection in memory.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use super::MemoryNetwork;

/// One end of a connection. It never blocks; dropping it closes it.
#[derive(Debug)]
pub struct MemoryStream {
    /// The network, for the end of the host.
    network: Weak<MemoryNetwork>,
    local: SocketAddr,
    read: Arc<Mutex<Pipe>>,
    written: Arc<Mutex<Pipe>>,
}

/// One direction of a connection.
#[derive(Debug, Default)]
struct Pipe {
    bytes: VecDeque<u8>,
    /// The writer has sent FIN.
    is_finished: bool,
    /// The reader is gone.
    is_closed: bool,
}

impl MemoryStream {
    /// The ends of the host, at its address, and of the target.
    pub(super) fn pair(network: &Arc<MemoryNetwork>, local: SocketAddr) -> (Self, Self) {
        let [first, second] = [(); 2].map(|()| Arc::default());
        let ours = Self {
            network: Arc::downgrade(network),
            local,
            read: Arc::clone(&first),
            written: Arc::clone(&second),
        };
        (ours, Self { network: Weak::new(), local, read: second, written: first })
    }

    /// The host's address.
    pub fn local(&self) -> SocketAddr {
        self.local
    }

    /// Sends FIN: nothing more is written.
    pub fn finish(&self) {
        lock(&self.written).is_finished = true;
    }

    /// Whether reading gives bytes, or the end.
    fn is_readable(&self) -> bool {
        let pipe = lock(&self.read);
        !pipe.bytes.is_empty() || pipe.is_finished
    }

    /// Waits until it is readable, or for this long; returns whether it is.
    pub(crate) fn wait(&self, patience: Duration) -> bool {
        let network = self.network.upgrade();
        network.is_some_and(|network| network.wait(patience, || self.is_readable()))
    }
}

impl Read for MemoryStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut pipe = lock(&self.read);
        if pipe.bytes.is_empty() && !pipe.is_finished {
            return Err(ErrorKind::WouldBlock.into());
        }
        pipe.bytes.read(buffer)
    }
}

impl Write for MemoryStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut pipe = lock(&self.written);
        if pipe.is_closed {
            return Err(ErrorKind::BrokenPipe.into());
        }
        pipe.bytes.extend(bytes);
        drop(pipe);
        if let Some(network) = self.network.upgrade() {
            network.serve();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for MemoryStream {
    fn drop(&mut self) {
        lock(&self.written).is_finished = true;
        lock(&self.read).is_closed = true;
        if let Some(network) = self.network.upgrade() {
            let mut state = network.lock();
            state.streams.remove(&self.local);
            let now = state.now;
            state.target.serve(now);
        }
    }
}

fn lock(pipe: &Mutex<Pipe>) -> MutexGuard<'_, Pipe> {
    pipe.lock().unwrap_or_else(PoisonError::into_inner)
}
