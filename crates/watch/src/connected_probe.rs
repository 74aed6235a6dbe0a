//! A probe that registers over a TCP connection and stays connected.

use std::io::{self, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};

use query::{ConnectionEnd, ConnectionLimits, MasterDialer, is_closed};
use simulate::Socket;
use simulate::families::{ListSelection, LoginStepFn, ServerMessageFn};

/// A server that is listed while it is connected.
#[derive(Debug)]
pub struct ConnectedProbe {
    /// Its port, which no other program has meanwhile.
    socket: Socket,
    dialer: MasterDialer,
    log_in: LoginStepFn,
    heartbeat: ServerMessageFn,
    selection: ListSelection,
    stream: Option<TcpStream>,
}

impl ConnectedProbe {
    /// A server that is not connected yet. It connects from the address of its socket.
    pub fn new(
        socket: Socket,
        dialer: MasterDialer,
        (log_in, heartbeat): (LoginStepFn, ServerMessageFn),
        selection: ListSelection,
    ) -> Self {
        Self { socket, dialer, log_in, heartbeat, selection, stream: None }
    }

    /// Its address, as heartbeats have it.
    pub fn address(&self) -> SocketAddr {
        self.socket.local()
    }

    /// Logs in, unless it is connected, and sends one heartbeat. Returns whether the master let it.
    ///
    /// # Errors
    /// If this machine cannot connect.
    pub fn register(&mut self, limits: ConnectionLimits<'_>) -> io::Result<bool> {
        let mut stream = match self.stream.take() {
            Some(open) if !is_closed(&open)? => open,
            _ => match self.dialer.run(limits, |turn| (self.log_in)(&self.selection, turn))? {
                ConnectionEnd::Reached { stream, .. } => stream,
                ConnectionEnd::Cut { .. } | ConnectionEnd::Failed(_) => return Ok(false),
            },
        };
        limits.pacer.inspect(|pacer| pacer.wait());
        let heartbeat = (self.heartbeat)(&self.selection, self.address());
        if stream.write_all(&heartbeat).is_err() {
            return Ok(false);
        }
        self.stream = Some(stream);
        Ok(true)
    }

    /// Ends the connection, by which the master knows that the server has gone.
    pub fn leave(&self) {
        if let Some(stream) = &self.stream {
            // The master may have closed it already.
            _ = stream.shutdown(Shutdown::Both);
        }
    }
}
