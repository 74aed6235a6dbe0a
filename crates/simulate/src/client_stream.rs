//! A client's TCP connection to a target.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::memory::MemoryStream;

/// The shortest time limit of a read that the system accepts.
const LEAST: Duration = Duration::from_micros(1);

/// A connection over the network of this machine, or in memory.
#[derive(Debug)]
pub struct ClientStream(StreamTransport);

#[derive(Debug)]
enum StreamTransport {
    System(TcpStream),
    Memory(MemoryStream),
}

impl ClientStream {
    /// A connection that sends each write at once.
    ///
    /// # Errors
    /// If the system does not allow that.
    pub fn new(socket: TcpStream) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        Ok(Self(StreamTransport::System(socket)))
    }

    pub(super) fn in_memory(stream: MemoryStream) -> Self {
        Self(StreamTransport::Memory(stream))
    }

    /// Its own address.
    ///
    /// # Errors
    /// If it is not connected any more.
    pub fn local(&self) -> io::Result<SocketAddr> {
        match &self.0 {
            StreamTransport::System(socket) => socket.local_addr(),
            StreamTransport::Memory(stream) => Ok(stream.local()),
        }
    }

    /// Sends all of these bytes.
    ///
    /// # Errors
    /// If the target has closed the connection.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.0 {
            StreamTransport::System(socket) => socket.write_all(bytes),
            StreamTransport::Memory(stream) => stream.write_all(bytes),
        }
    }

    /// Receives the next bytes, at most for this long; 0 is the end.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] or [`ErrorKind::TimedOut`] if nothing came in time; if the
    /// connection was reset.
    pub fn receive(&mut self, buffer: &mut [u8], patience: Duration) -> io::Result<usize> {
        match &mut self.0 {
            StreamTransport::System(socket) => {
                socket.set_read_timeout(Some(patience.max(LEAST)))?;
                socket.read(buffer)
            }
            StreamTransport::Memory(stream) if stream.wait(patience) => stream.read(buffer),
            StreamTransport::Memory(_) => Err(ErrorKind::WouldBlock.into()),
        }
    }
}
