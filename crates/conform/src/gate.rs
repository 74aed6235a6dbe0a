//! Keeps bursts below the size of the target's socket buffer: after every few dozen datagrams the
//! target has to answer a request before more are sent.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::Duration;

use simulate::{Network, Received, Socket};

/// Datagrams to a service between two barriers. A Linux socket takes some 270 small datagrams.
const BURST: u32 = 32;
/// How long a barrier waits for its answer. A target that does not answer gets this time to read
/// instead.
const PATIENCE: Duration = Duration::from_millis(50);
/// Unanswered barriers before they become pauses.
const TRIES: u32 = 3;
/// The pause instead of a barrier.
const PAUSE: Duration = Duration::from_millis(2);

/// Counts the datagrams to each service of the target.
#[derive(Default)]
pub(super) struct Gate {
    services: Mutex<BTreeMap<SocketAddr, GateService>>,
}

#[derive(Default)]
struct GateService {
    sent: u32,
    unanswered: u32,
    barrier: Option<Socket>,
}

impl Gate {
    /// Counts one datagram to `to`, and waits if the burst is full; `open` opens a socket,
    /// `request` makes a request from an address that is answered at once.
    pub fn pass(
        &self,
        network: &Network,
        to: SocketAddr,
        request: impl FnOnce(SocketAddr) -> Option<Vec<u8>>,
        open: impl FnOnce() -> std::io::Result<Socket>,
    ) {
        // All senders wait while one of them does.
        let Ok(mut services) = self.services.lock() else { return };
        let service = services.entry(to).or_default();
        service.sent += 1;
        if service.sent < BURST {
            return;
        }
        service.sent = 0;
        if service.barrier.is_none() {
            service.barrier = open().ok();
        }
        let Some(socket) = &service.barrier else { return };
        let answered = service.unanswered < TRIES
            && request(socket.local()).is_some_and(|bytes| barrier(network, socket, to, &bytes));
        if answered {
            service.unanswered = 0;
        } else {
            service.unanswered += 1;
            network.sleep(PAUSE);
        }
    }
}

/// Sends a request and waits for its answer; returns whether there was one.
fn barrier(network: &Network, socket: &Socket, to: SocketAddr, request: &[u8]) -> bool {
    let mut buffer = [0; 2048];
    // A late answer to the last barrier does not answer this one.
    while matches!(socket.receive(&mut buffer), Ok(Received::Datagram(..))) {}
    if socket.send(to.port(), request).is_err() {
        return false;
    }
    let deadline = network.now() + PATIENCE;
    loop {
        match socket.receive(&mut buffer) {
            Ok(Received::Datagram(..)) => return true,
            Ok(Received::Nothing) => {}
            Ok(Received::Refused) | Err(_) => return false,
        }
        let left = deadline.saturating_duration_since(network.now());
        if left.is_zero() || socket.wait(left).is_err() {
            return false;
        }
    }
}
