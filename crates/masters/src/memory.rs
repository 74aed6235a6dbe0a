//! The reference master on a network in memory, with virtual time.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use protocol::Carrier;
use simulate::{MemoryStream, MemoryTarget};

use super::connection_session::ConnectionSource;
use super::connections::Connections;
use super::{Defects, ListenAddress, Master, Random, Reply, Service, Settings};

/// Where it listens.
const ADDRESSES: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
/// The port from which a defect answers.
const OTHER_PORT: u16 = 40_000;

/// A master without sockets, clock and thread, at the loopback addresses, on the documented ports
/// of its services.
pub struct MemoryMaster {
    master: Master,
    services: Vec<&'static Service>,
    connections: Connections<MemoryStream>,
}

impl MemoryMaster {
    /// A master with these services. The seed decides its challenges.
    pub fn new(
        services: impl IntoIterator<Item = &'static Service>,
        settings: Settings,
        defects: Defects,
        seed: u64,
    ) -> Self {
        let mut master = Master::new(settings, Random::seeded(seed));
        master.misbehave(defects);
        master.allow_loopback();
        let services = services.into_iter().collect();
        Self { master, services, connections: Connections::new(0) }
    }

    /// The addresses of all services.
    pub fn addresses(&self) -> Vec<ListenAddress> {
        let at = |ip| {
            let services = self.services.iter().copied();
            services
                .map(move |service| ListenAddress { service, address: (ip, service.port).into() })
        };
        ADDRESSES.into_iter().flat_map(at).collect()
    }

    /// Its services at an address.
    fn at(&self, to: SocketAddr, carrier: Carrier) -> Vec<&'static Service> {
        let is_here =
            |service: &&&'static Service| service.port == to.port() && service.carrier() == carrier;
        if self.master.has_crashed() || !ADDRESSES.contains(&to.ip()) {
            return Vec::new();
        }
        self.services.iter().filter(is_here).copied().collect()
    }
}

impl MemoryTarget for MemoryMaster {
    fn handle_datagram(
        &mut self,
        now: Duration,
        from: SocketAddr,
        to: SocketAddr,
        bytes: &[u8],
        reply: &mut dyn FnMut(SocketAddr, SocketAddr, &[u8]),
    ) -> bool {
        let services = self.at(to, Carrier::Datagram);
        if services.is_empty() {
            return false;
        }
        let other = SocketAddr::new(to.ip(), OTHER_PORT);
        self.master.handle_datagram(nanoseconds(now), &services, from, bytes, &mut |sent| {
            let Reply { to: receiver, elsewhere, bytes } = sent;
            reply(if elsewhere { other } else { to }, receiver, bytes);
        });
        true
    }

    fn accept(
        &mut self,
        now: Duration,
        from: SocketAddr,
        to: SocketAddr,
        stream: MemoryStream,
    ) -> bool {
        let services = self.at(to, Carrier::Stream);
        let Some(service) = services.first() else { return false };
        // A connection beyond the limits is accepted by the system, and closed.
        if self.connections.has_room(&self.master, from) {
            let (source, now) = (ConnectionSource::Service(service), nanoseconds(now));
            self.connections.open(stream, source, &mut self.master, now, [from, to], &mut None);
        }
        true
    }

    fn serve(&mut self, now: Duration) {
        if self.master.has_crashed() {
            return;
        }
        self.master.tick(nanoseconds(now));
        self.connections.wake_all();
        while self.connections.serve(&mut self.master, nanoseconds(now), &mut None) {}
    }

    fn next_due(&self) -> Option<Duration> {
        let due = self.connections.next_due()?;
        u64::try_from(due).ok().map(Duration::from_nanos)
    }
}

fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
