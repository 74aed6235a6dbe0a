//! The UDP sockets of the master.

use std::io;
use std::net::{IpAddr, SocketAddr};

use mio::net::UdpSocket;
use socket2::{Domain, Protocol, SockAddr, Socket, Type};

use super::record::MasterRecorder;
use super::recorded::IncomingDatagram;
use super::{Master, Reply, Service};

/// The receive buffer of a socket in bytes; a burst of heartbeats has to fit.
const WAITING: usize = 4 << 20;
/// Datagrams read from one socket before the others are served.
const BATCH: usize = 256;

/// A socket and the services that use it.
pub(crate) struct ServiceSocket {
    pub socket: UdpSocket,
    pub address: SocketAddr,
    pub services: Vec<&'static Service>,
    /// The master of a recording that it stands for, in place of services.
    pub recorded: Option<SocketAddr>,
    /// Whether it is bound to any free port.
    pub free: bool,
    /// A second socket, from which a defect sends replies.
    pub side: Option<(UdpSocket, SocketAddr)>,
    /// Whether the socket may be readable.
    pub ready: bool,
}

/// A bound, non-blocking UDP socket; an IPv6 one accepts no IPv4.
pub(crate) fn bind(ip: IpAddr, port: u16) -> io::Result<(UdpSocket, SocketAddr)> {
    let socket = Socket::new(domain(ip), Type::DGRAM, Some(Protocol::UDP))?;
    if ip.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // A smaller buffer is not fatal.
    let _ = socket.set_recv_buffer_size(WAITING);
    let _ = socket.set_send_buffer_size(WAITING);
    socket.set_nonblocking(true)?;
    socket.bind(&SockAddr::from(SocketAddr::new(ip, port)))?;
    let socket = UdpSocket::from_std(socket.into());
    let address = socket.local_addr()?;
    Ok((socket, address))
}

/// A listening TCP socket.
pub(crate) fn bind_tcp(ip: IpAddr, port: u16) -> io::Result<(mio::net::TcpListener, SocketAddr)> {
    let socket = Socket::new(domain(ip), Type::STREAM, Some(Protocol::TCP))?;
    if ip.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // A restarted master can bind its port again.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&SockAddr::from(SocketAddr::new(ip, port)))?;
    socket.listen(1024)?;
    let listener = mio::net::TcpListener::from_std(socket.into());
    let address = listener.local_addr()?;
    Ok((listener, address))
}

fn domain(ip: IpAddr) -> Domain {
    if ip.is_ipv6() { Domain::IPV6 } else { Domain::IPV4 }
}

impl ServiceSocket {
    /// A bound socket without services.
    pub fn new(socket: UdpSocket, address: SocketAddr) -> Self {
        let (services, recorded, free, side) = (Vec::new(), None, false, None);
        Self { socket, address, services, recorded, free, side, ready: true }
    }

    /// Sends a datagram.
    pub fn send(
        &self,
        to: SocketAddr,
        bytes: &[u8],
        recorder: &mut Option<MasterRecorder>,
    ) -> io::Result<()> {
        self.socket.send_to(bytes, to)?;
        if let Some(recorder) = recorder {
            recorder.datagram(self.address, to, bytes);
        }
        Ok(())
    }

    /// Receives and answers up to one batch of datagrams. Returns how many replies were not sent.
    pub fn receive(
        &mut self,
        master: &mut Master,
        now: impl Fn() -> i64,
        recorder: &mut Option<MasterRecorder>,
        buffer: &mut [u8],
    ) -> u64 {
        let mut unsent = 0;
        for _ in 0..BATCH {
            let (length, from) = match self.socket.recv_from(buffer) {
                Ok(got) => got,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.ready = false;
                    break;
                }
                // An ICMP error for an earlier reply; the next datagram may be fine.
                Err(_) => continue,
            };
            let payload = buffer.get(..length).unwrap_or_default();
            if let Some(recorder) = recorder {
                recorder.datagram(from, self.address, payload);
            }
            if let Some(recorded) = self.recorded {
                let (now, local) = (now(), self.address.ip());
                master.take_recorded(&IncomingDatagram { now, recorded, local, from, payload });
                continue;
            }
            let Self { socket, address, side, services, .. } = self;
            master.handle_datagram(now(), services, from, payload, &mut |reply: Reply<'_>| {
                let (socket, address) = match side {
                    Some((socket, address)) if reply.elsewhere => (&*socket, *address),
                    _ => (&*socket, *address),
                };
                if socket.send_to(reply.bytes, reply.to).is_err() {
                    unsent += 1;
                } else if let Some(recorder) = recorder {
                    recorder.datagram(address, reply.to, reply.bytes);
                }
            });
            if master.has_crashed() {
                break;
            }
        }
        unsent
    }
}
