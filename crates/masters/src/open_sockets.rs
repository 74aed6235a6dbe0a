//! Opens the sockets of a master.

use std::io;
use std::net::{IpAddr, SocketAddr};

use super::Service;
use super::connection_session::ConnectionSource;
use super::connections::Listener;
use super::recorded::RecordedPort;
use super::running::{ListenAddress, StartError};
use super::sockets::{self, ServiceSocket};
use protocol::Carrier;

/// Open sockets.
#[derive(Default)]
pub(super) struct OpenSockets {
    pub sockets: Vec<ServiceSocket>,
    pub listeners: Vec<Listener>,
    pub addresses: Vec<ListenAddress>,
    /// The ports of a recording, with their addresses here.
    pub recorded: Vec<(RecordedPort, SocketAddr)>,
}

impl OpenSockets {
    /// Those of services at one address; with a second socket each if a defect needs it.
    pub fn open(
        &mut self,
        ip: IpAddr,
        services: &[(&'static Service, u16)],
        side: bool,
    ) -> Result<(), StartError> {
        for (service, port) in services.iter().copied() {
            let cannot =
                |why| StartError::Listen { service: service.name, address: (ip, port).into(), why };
            let address = match service.carrier() {
                Carrier::Datagram => self.socket(ip, port, service, side),
                Carrier::Stream => sockets::bind_tcp(ip, port).map(|(socket, address)| {
                    let source = ConnectionSource::Service(service);
                    self.listeners.push(Listener { socket, address, source });
                    address
                }),
            };
            self.addresses.push(ListenAddress { service, address: address.map_err(cannot)? });
        }
        Ok(())
    }

    /// Those of a recording's ports at one address.
    pub fn open_recorded(&mut self, ip: IpAddr, ports: &[RecordedPort]) -> Result<(), StartError> {
        for port in ports {
            let address = (ip, port.port).into();
            let cannot = |why| StartError::Listen { service: port.game, address, why };
            let address = match port.carrier {
                Carrier::Datagram => {
                    let (socket, address) = sockets::bind(ip, port.port).map_err(cannot)?;
                    let new = ServiceSocket::new(socket, address);
                    self.sockets.push(ServiceSocket { recorded: Some(port.recorded), ..new });
                    address
                }
                Carrier::Stream => {
                    let (socket, address) = sockets::bind_tcp(ip, port.port).map_err(cannot)?;
                    let source = ConnectionSource::Recorded(port.recorded);
                    self.listeners.push(Listener { socket, address, source });
                    address
                }
            };
            self.recorded.push((*port, address));
        }
        Ok(())
    }

    /// A new socket, or the one that another service has on that port.
    fn socket(
        &mut self,
        ip: IpAddr,
        port: u16,
        service: &'static Service,
        side: bool,
    ) -> io::Result<SocketAddr> {
        let wanted = SocketAddr::new(ip, port);
        // On free ports, services with the same documented port share one: a program may use both.
        let documented =
            |socket: &ServiceSocket| socket.services.iter().any(|s| s.port == service.port);
        let shares = |socket: &&mut ServiceSocket| match port {
            0 => socket.free && socket.address.ip() == ip && documented(socket),
            _ => socket.address == wanted,
        };
        if let Some(socket) = self.sockets.iter_mut().find(shares) {
            socket.services.push(service);
            return Ok(socket.address);
        }
        let (socket, address) = sockets::bind(ip, port)?;
        let side = if side { Some(sockets::bind(ip, 0)?) } else { None };
        let (services, free) = (vec![service], port == 0);
        let new = ServiceSocket::new(socket, address);
        self.sockets.push(ServiceSocket { services, free, side, ..new });
        Ok(address)
    }
}
