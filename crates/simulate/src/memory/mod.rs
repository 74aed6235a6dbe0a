//! A network in memory with virtual time: a target in this process, and the hosts that talk to it.
//!
//! Nothing takes time. A datagram is handled while it is sent, and its answers wait for their
//! receiver. Time passes only where somebody waits: then the clock goes on to the next thing that
//! happens, or to the end of the wait. With one host at a time the same calls give the same bytes.

mod stream;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::socket::Received;
pub use stream::MemoryStream;

/// The first of the ports that hosts get, and how many there are, as Linux has them.
const FIRST_PORT: u16 = 32_768;
const PORTS: u16 = 28_232;

/// The program under test, without sockets and without a clock.
pub trait MemoryTarget: Send {
    /// Handles a datagram at a time since the start; `reply` sends one, with its sender and its
    /// receiver. Returns whether something listens at `to`.
    fn handle_datagram(
        &mut self,
        now: Duration,
        from: SocketAddr,
        to: SocketAddr,
        bytes: &[u8],
        reply: &mut dyn FnMut(SocketAddr, SocketAddr, &[u8]),
    ) -> bool;

    /// Takes a client's connection; returns whether something listens at `to`.
    fn accept(
        &mut self,
        now: Duration,
        from: SocketAddr,
        to: SocketAddr,
        stream: MemoryStream,
    ) -> bool;

    /// Does what is due: reads what clients have sent over their connections, and ends those whose
    /// time is over.
    fn serve(&mut self, now: Duration);

    /// When it does something by itself next.
    fn next_due(&self) -> Option<Duration>;
}

/// A network in memory, with one target and any number of hosts.
pub struct MemoryNetwork {
    /// What the virtual time is counted from.
    start: Instant,
    state: Mutex<NetworkState>,
}

struct NetworkState {
    now: Duration,
    target: Box<dyn MemoryTarget>,
    /// What waits for each host's socket.
    inboxes: BTreeMap<SocketAddr, VecDeque<Incoming>>,
    /// The ports of connections.
    streams: BTreeSet<SocketAddr>,
    next_port: u16,
}

/// What waits for a socket.
enum Incoming {
    Datagram(SocketAddr, Vec<u8>),
    /// Nothing listens where the last datagram was sent to.
    Refused,
}

impl std::fmt::Debug for MemoryNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryNetwork").field("now", &self.lock().now).finish_non_exhaustive()
    }
}

impl MemoryNetwork {
    /// A network with this target, at time 0.
    pub fn new(target: impl MemoryTarget + 'static) -> Arc<Self> {
        let state = NetworkState {
            now: Duration::ZERO,
            target: Box::new(target),
            inboxes: BTreeMap::new(),
            streams: BTreeSet::new(),
            next_port: 0,
        };
        Arc::new(Self { start: Instant::now(), state: Mutex::new(state) })
    }

    /// The virtual time.
    pub fn now(&self) -> Instant {
        self.start + self.lock().now
    }

    /// Lets time pass.
    pub fn sleep(&self, span: Duration) {
        self.lock().wait_until(span, |_| false);
    }

    /// A socket of the host with this address, on this port if it is free, else on any.
    pub(super) fn bind(self: &Arc<Self>, ip: IpAddr, port: u16) -> Option<MemorySocket> {
        let mut state = self.lock();
        let wanted = SocketAddr::new(ip, port);
        let local = if port == 0 || state.inboxes.contains_key(&wanted) {
            state.free_address(ip)?
        } else {
            wanted
        };
        state.inboxes.insert(local, VecDeque::new());
        Some(MemorySocket { network: Arc::clone(self), local })
    }

    /// A connection of the host with this address; `None` if nothing listens there.
    pub(super) fn connect(self: &Arc<Self>, ip: IpAddr, to: SocketAddr) -> Option<MemoryStream> {
        let local = self.lock().free_address(ip)?;
        let (ours, theirs) = MemoryStream::pair(self, local);
        let is_accepted = {
            let mut state = self.lock();
            state.streams.insert(local);
            let now = state.now;
            let is_accepted = state.target.accept(now, local, to, theirs);
            state.target.serve(now);
            is_accepted
        };
        is_accepted.then_some(ours)
    }

    fn lock(&self) -> MutexGuard<'_, NetworkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes what was sent over a connection to the target.
    fn serve(&self) {
        let mut state = self.lock();
        let now = state.now;
        state.target.serve(now);
    }

    /// Waits until this holds, which the target may bring about, or for this long; returns whether
    /// it holds.
    fn wait(&self, patience: Duration, mut holds: impl FnMut() -> bool) -> bool {
        self.lock().wait_until(patience, |_| holds())
    }
}

impl NetworkState {
    fn free_address(&mut self, ip: IpAddr) -> Option<SocketAddr> {
        for _ in 0..PORTS {
            // A step that visits all ports, so that neighbours in time are no neighbours in number.
            self.next_port = (self.next_port + 7_919) % PORTS;
            let address = SocketAddr::new(ip, FIRST_PORT + self.next_port);
            if !self.inboxes.contains_key(&address) && !self.streams.contains(&address) {
                return Some(address);
            }
        }
        None
    }

    fn wait_until(&mut self, span: Duration, mut holds: impl FnMut(&Self) -> bool) -> bool {
        let deadline = self.now + span;
        loop {
            if holds(self) {
                return true;
            }
            if self.now >= deadline {
                return false;
            }
            let due = self.target.next_due().filter(|due| *due > self.now);
            self.now = due.map_or(deadline, |due| due.min(deadline));
            self.target.serve(self.now);
        }
    }

    fn send(&mut self, from: SocketAddr, to: SocketAddr, bytes: &[u8]) {
        let Self { now, target, inboxes, .. } = self;
        let mut reply = |from: SocketAddr, to: SocketAddr, bytes: &[u8]| {
            if let Some(inbox) = inboxes.get_mut(&to) {
                inbox.push_back(Incoming::Datagram(from, bytes.to_vec()));
            }
        };
        if !target.handle_datagram(*now, from, to, bytes, &mut reply)
            && let Some(inbox) = inboxes.get_mut(&from)
        {
            inbox.push_back(Incoming::Refused);
        }
    }
}

/// A socket of a host in memory. Dropping it closes it.
#[derive(Debug)]
pub(super) struct MemorySocket {
    network: Arc<MemoryNetwork>,
    pub local: SocketAddr,
}

impl MemorySocket {
    pub fn send(&self, to: SocketAddr, bytes: &[u8]) {
        self.network.lock().send(self.local, to, bytes);
    }

    pub fn receive(&self, buffer: &mut [u8]) -> Received {
        let mut state = self.network.lock();
        match state.inboxes.get_mut(&self.local).and_then(VecDeque::pop_front) {
            Some(Incoming::Datagram(from, bytes)) => {
                let length = bytes.len().min(buffer.len());
                buffer.iter_mut().zip(&bytes).for_each(|(to, byte)| *to = *byte);
                Received::Datagram(length, from)
            }
            Some(Incoming::Refused) => Received::Refused,
            None => Received::Nothing,
        }
    }

    pub fn wait(&self, patience: Duration) -> bool {
        let local = self.local;
        self.network.lock().wait_until(patience, |state| {
            state.inboxes.get(&local).is_some_and(|inbox| !inbox.is_empty())
        })
    }
}

impl Drop for MemorySocket {
    fn drop(&mut self) {
        self.network.lock().inboxes.remove(&self.local);
    }
}

#[cfg(test)]
mod tests;
