//! The endpoints of servers in the environment of a target.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::env::TargetEnv;
use super::failure::Failure;
use simulate::Socket;

/// The ports of servers that share an address of loopback: the same in each run, so that a second run
/// does not exceed what the target takes of an address.
const PORTS: std::ops::Range<u16> = 24_100..24_400;

/// How many addresses are looked at for one whose last byte is not above 127.
const HOSTS: usize = 129;

impl TargetEnv {
    /// A socket of a server: of those that share an address, on the first free port of a range.
    fn server_socket(&self, to: SocketAddr, ip: Option<IpAddr>) -> io::Result<Socket> {
        let side = self.side(to);
        if side.wide || !side.target.is_loopback() || self.network.is_memory() {
            return self.socket(to, ip);
        }
        let mut addresses = self.addresses_of(to)?;
        let host = match ip {
            Some(ip) => ip,
            None => addresses.host()?,
        };
        let differs = |port: &u16| {
            let [high, low] = port.to_be_bytes();
            high != low && low != 8
        };
        for port in PORTS.filter(differs) {
            match addresses.socket(host, port) {
                Ok(socket) if socket.local().port() == port => return Ok(socket),
                _ => {}
            }
        }
        drop(addresses);
        self.socket(to, ip)
    }

    /// The endpoint of a server, at this address if one is given.
    pub(super) fn server(
        &self,
        service: &str,
        to: SocketAddr,
        ip: Option<IpAddr>,
    ) -> Result<Arc<Socket>, Failure> {
        self.side(to).servers.take_socket(service, ip, || self.server_socket(to, ip))
    }

    /// The endpoint of a server that no case has used. Of many addresses it has one whose last byte
    /// is not above 127, which a target might list otherwise.
    pub(super) fn new_server(&self, service: &str, to: SocketAddr) -> Result<Arc<Socket>, Failure> {
        let open = || {
            if !self.side(to).wide || self.network.is_memory() {
                return self.server_socket(to, None);
            }
            let mut host = self.addresses_of(to)?.host()?;
            for _ in 0..HOSTS {
                match host {
                    IpAddr::V4(ip) if ip.octets()[3] > 127 => {
                        host = self.addresses_of(to)?.host()?;
                    }
                    _ => break,
                }
            }
            self.server_socket(to, Some(host))
        };
        self.side(to).servers.take_new(service, open)
    }

    /// The endpoint of a server with this address and port, if this machine has it.
    pub(super) fn server_on(
        &self,
        service: &str,
        to: SocketAddr,
        at: SocketAddr,
    ) -> Result<Option<Arc<Socket>>, Failure> {
        let open = || {
            let socket = self.addresses_of(to)?.socket(at.ip(), at.port())?;
            if socket.local() == at { Ok(socket) } else { Err(io::ErrorKind::AddrInUse.into()) }
        };
        self.side(to).servers.take_at(service, at, open)
    }

    /// The endpoint of a server that no case uses now, at an address that fits.
    pub(super) fn idle_server(
        &self,
        service: &str,
        to: SocketAddr,
        fits: impl Fn(SocketAddr) -> bool,
    ) -> Result<Option<Arc<Socket>>, Failure> {
        self.side(to).servers.take_idle(service, fits)
    }

    /// The endpoints of many servers.
    pub(super) fn servers(
        &self,
        service: &str,
        to: SocketAddr,
        count: usize,
    ) -> Result<Vec<Arc<Socket>>, Failure> {
        let of_an_address = self.assumed.settings().max_per_address;
        self.side(to)
            .servers
            .take_many(service, count, of_an_address, || self.server_socket(to, None))
    }

    /// An endpoint that sends a service's sentinels as a server.
    pub(super) fn sentinel_server(
        &self,
        service: &str,
        to: SocketAddr,
    ) -> Result<Arc<Socket>, Failure> {
        self.side(to).servers.take_sentinel(service, || self.server_socket(to, None))
    }

    /// The endpoints of many servers of one address.
    pub(super) fn servers_of_an_address(
        &self,
        service: &str,
        to: SocketAddr,
        count: usize,
    ) -> Result<Vec<Arc<Socket>>, Failure> {
        let open = |ip| self.server_socket(to, ip);
        self.side(to).servers.take_of_an_address(service, count, open)
    }

    /// How many servers of a service may be registered from here, if the target is at `to`.
    pub(super) fn most_servers(&self, to: SocketAddr) -> usize {
        self.side(to).servers.most()
    }

    /// How many endpoints have sent to a service as servers.
    pub(crate) fn count_servers(&self, service: &str) -> usize {
        let sides = [Some(&self.main), self.other.as_ref()];
        sides.into_iter().flatten().map(|side| side.servers.count(service)).sum()
    }

    /// Sends `message` from every endpoint that has sent to a service as a server.
    pub(super) fn send_shutdowns(&self, service: &str, message: fn(SocketAddr) -> Vec<u8>) {
        for side in [Some(&self.main), self.other.as_ref()].into_iter().flatten() {
            let Ok(to) = self.service_address(&side.target, service) else { continue };
            side.servers.each(service, |socket| {
                self.wait_for_rate(false);
                // A server that is not listed any more needs no shutdown.
                _ = socket.send(to.port(), &message(socket.local()));
            });
        }
    }
}
