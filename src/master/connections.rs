//! TCP connections of clients that request lists: limited in number, in number per address, and in
//! time.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr};

use mio::net::{TcpListener, TcpStream};
use mio::{Interest, Registry, Token};

use super::flood::network;
use super::record::MasterRecorder;
use super::{Master, Service, ServiceConnection};
use crate::net::compose::Dialogue;

/// Bytes read from one connection before the others are served.
const BATCH: usize = 16 << 10;

/// All connections by token.
pub(crate) struct Connections {
    listeners: Vec<Listener>,
    open: BTreeMap<usize, ListConnection>,
    next: usize,
    /// Connections that were closed because there were too many.
    pub refused: u64,
}

/// A listening socket of a service.
pub(super) struct Listener {
    pub socket: TcpListener,
    pub address: SocketAddr,
    pub service: &'static Service,
}

struct ListConnection {
    stream: TcpStream,
    peer: SocketAddr,
    local: SocketAddr,
    session: ServiceConnection,
    /// Bytes to send, and how many of them were sent.
    out: Vec<u8>,
    sent: usize,
    due: i64,
    dialogue: Option<Dialogue>,
    /// Everything has been sent; only the client's FIN is awaited.
    closing: bool,
    /// The client has sent FIN.
    ended: bool,
    /// The socket may be readable or writable.
    ready: bool,
}

impl Connections {
    /// No connections; they get tokens from `first` on.
    pub fn new(listeners: Vec<Listener>, first: usize) -> Self {
        Self { listeners, open: BTreeMap::new(), next: first, refused: 0 }
    }

    pub fn listeners(&mut self) -> impl Iterator<Item = &mut TcpListener> {
        self.listeners.iter_mut().map(|listener| &mut listener.socket)
    }

    /// Accepts all pending connections of a listener.
    pub fn accept(
        &mut self,
        listener: usize,
        master: &mut Master,
        now: i64,
        poll: &Registry,
        recorder: &mut Option<MasterRecorder>,
    ) {
        let Some(Listener { socket, address, service }) = self.listeners.get(listener) else {
            return;
        };
        loop {
            let (mut stream, peer) = match socket.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // A client that gave up while pending is no error; without free file descriptors
                // the next event tries again.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(_) => return,
            };
            let settings = master.settings();
            let client = network(peer.ip());
            let of_client = self.open.values().filter(|c| network(c.peer.ip()) == client).count();
            let many = self.open.len() >= settings.connections
                || of_client >= settings.connections_of_one();
            let due = now.saturating_add(settings.connection_timeout);
            let token = self.next;
            let both = Interest::READABLE | Interest::WRITABLE;
            if many || poll.register(&mut stream, Token(token), both).is_err() {
                self.refused += 1;
                continue;
            }
            let mut out = Vec::new();
            let Some(session) = ServiceConnection::open(service, master, &mut out) else {
                continue;
            };
            self.next += 1;
            let local = stream.local_addr().unwrap_or(*address);
            let dialogue = recorder.as_mut().map(|recorder| recorder.opened(peer, local));
            let (sent, closing, ended, ready) = (0, false, false, true);
            let connection = ListConnection {
                stream,
                peer,
                local,
                session,
                out,
                sent,
                due,
                dialogue,
                closing,
                ended,
                ready,
            };
            self.open.insert(token, connection);
        }
    }

    /// Marks a connection as ready.
    pub fn wake(&mut self, token: usize) {
        if let Some(connection) = self.open.get_mut(&token) {
            connection.ready = true;
        }
    }

    /// Serves every ready connection. Returns whether any exceeded the bytes of one batch.
    pub fn serve(
        &mut self,
        master: &mut Master,
        now: i64,
        recorder: &mut Option<MasterRecorder>,
    ) -> bool {
        let mut over = Vec::new();
        let mut more = false;
        for (token, connection) in &mut self.open {
            let done = connection.due <= now
                || connection.ready && connection.serve(master, now, recorder).is_break();
            if done {
                over.push(*token);
            }
            more |= connection.ready;
        }
        for token in over {
            let Some(connection) = self.open.remove(&token) else { continue };
            connection.session.close(master, connection.peer);
            if let (Some(recorder), Some(dialogue)) = (recorder.as_mut(), connection.dialogue) {
                recorder.closed(dialogue);
            }
        }
        more
    }
}

type ConnectionStep = std::ops::ControlFlow<()>;

impl ListConnection {
    /// Reads and answers pending bytes, up to one batch. Breaks if the connection is over.
    fn serve(
        &mut self,
        master: &mut Master,
        now: i64,
        recorder: &mut Option<MasterRecorder>,
    ) -> ConnectionStep {
        let mut buffer = [0; 4096];
        let mut read = 0;
        self.send(recorder)?;
        if self.ended {
            return self.end();
        }
        while read < BATCH {
            let length = match self.stream.read(&mut buffer) {
                Ok(0) => {
                    self.ended = true;
                    return self.end();
                }
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.ready = false;
                    return ConnectionStep::Continue(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return ConnectionStep::Break(()),
            };
            read += length;
            let bytes = buffer.get(..length).unwrap_or_default();
            if let (Some(recorder), Some(dialogue)) = (recorder.as_mut(), &mut self.dialogue) {
                recorder.record_bytes(dialogue, self.peer, bytes);
            }
            if !self.session.is_over() {
                self.session.handle_bytes(master, self.peer, bytes, &mut self.out);
                if let Some(silence) = self.session.silence() {
                    self.due = now.saturating_add(silence);
                }
                self.send(recorder)?;
            }
        }
        ConnectionStep::Continue(())
    }

    /// A client that has sent FIN still gets the response to its request.
    fn end(&mut self) -> ConnectionStep {
        self.ready = false;
        if self.sent < self.out.len() {
            ConnectionStep::Continue(())
        } else {
            ConnectionStep::Break(())
        }
    }

    /// Sends pending bytes as far as the socket accepts them; after the last, FIN.
    fn send(&mut self, recorder: &mut Option<MasterRecorder>) -> ConnectionStep {
        while let Some(bytes) = self.out.get(self.sent..).filter(|bytes| !bytes.is_empty()) {
            match self.stream.write(bytes) {
                Ok(length) => {
                    let taken = bytes.get(..length).unwrap_or_default();
                    if let (Some(recorder), Some(dialogue)) =
                        (recorder.as_mut(), &mut self.dialogue)
                    {
                        recorder.record_bytes(dialogue, self.local, taken);
                    }
                    self.sent += length;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return ConnectionStep::Continue(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return ConnectionStep::Break(()),
            }
        }
        if self.session.is_over() && !self.closing {
            self.closing = true;
            // Later bytes of the client are read and dropped, so that it sees FIN, not RST.
            if self.stream.shutdown(Shutdown::Write).is_err() {
                return ConnectionStep::Break(());
            }
        }
        ConnectionStep::Continue(())
    }
}
