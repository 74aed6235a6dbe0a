//! TCP connections of clients that request lists: limited in number, in number per address, in time,
//! and in bytes that wait to be sent.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr};

use mio::net::{TcpListener, TcpStream};
use mio::{Interest, Registry, Token};
use simulate::MemoryStream;

use super::Master;
use super::connection_session::{ConnectionSession, ConnectionSource};
use super::flood::network;
use super::record::MasterRecorder;
use net::compose::Dialogue;

/// Bytes read from one connection before the others are served.
const BATCH: usize = 16 << 10;
/// Beyond so many unsent bytes, no further request of a client is read.
const UNSENT: usize = 1 << 20;

/// The stream of a connection, which never blocks.
pub(super) trait NonBlockingStream: Read + Write {
    /// Sends FIN behind what was written.
    fn finish(&self) -> io::Result<()>;
}

impl NonBlockingStream for TcpStream {
    fn finish(&self) -> io::Result<()> {
        self.shutdown(Shutdown::Write)
    }
}

impl NonBlockingStream for MemoryStream {
    fn finish(&self) -> io::Result<()> {
        self.finish();
        Ok(())
    }
}

/// All connections by token.
pub(crate) struct Connections<S> {
    open: BTreeMap<usize, ListConnection<S>>,
    next: usize,
    /// Connections that were closed because there were too many.
    pub refused: u64,
}

/// A listening socket.
pub(super) struct Listener {
    pub socket: TcpListener,
    pub address: SocketAddr,
    pub source: ConnectionSource,
}

struct ListConnection<S> {
    stream: S,
    peer: SocketAddr,
    local: SocketAddr,
    session: ConnectionSession,
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

impl Listener {
    /// Accepts all pending connections.
    pub fn accept(
        &self,
        connections: &mut Connections<TcpStream>,
        master: &mut Master,
        now: i64,
        poll: &Registry,
        recorder: &mut Option<MasterRecorder>,
    ) {
        loop {
            let (mut stream, peer) = match self.socket.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // A client that gave up while pending is no error; without free file descriptors
                // the next event tries again.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(_) => return,
            };
            let both = Interest::READABLE | Interest::WRITABLE;
            let token = Token(connections.next);
            if !connections.has_room(master, peer)
                || poll.register(&mut stream, token, both).is_err()
            {
                connections.refused += 1;
                continue;
            }
            let local = stream.local_addr().unwrap_or(self.address);
            connections.open(stream, self.source, master, now, [peer, local], recorder);
        }
    }
}

impl<S: NonBlockingStream> Connections<S> {
    /// No connections; they get tokens from `first` on.
    pub fn new(first: usize) -> Self {
        Self { open: BTreeMap::new(), next: first, refused: 0 }
    }

    /// Whether one more connection of a client is accepted.
    pub fn has_room(&self, master: &Master, peer: SocketAddr) -> bool {
        let (settings, client) = (master.settings(), network(peer.ip()));
        let of_client = self.open.values().filter(|c| network(c.peer.ip()) == client).count();
        self.open.len() < settings.connections && of_client < settings.connections_of_one()
    }

    /// Opens a connection of a client, between its address and ours.
    pub fn open(
        &mut self,
        stream: S,
        source: ConnectionSource,
        master: &mut Master,
        now: i64,
        [peer, local]: [SocketAddr; 2],
        recorder: &mut Option<MasterRecorder>,
    ) {
        let (token, mut out) = (self.next, Vec::new());
        let session = ConnectionSession::open(source, token as u64, master, now, peer, &mut out);
        let Some(session) = session else { return };
        self.next += 1;
        let due = now.saturating_add(master.settings().connection_timeout);
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

    /// When the next connection ends by itself.
    pub fn next_due(&self) -> Option<i64> {
        self.open.values().map(|connection| connection.due).min()
    }

    /// Marks all connections as ready.
    pub fn wake_all(&mut self) {
        self.open.values_mut().for_each(|connection| connection.ready = true);
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
            let has_more = connection.session.has_more();
            let done = connection.due <= now && !has_more
                || (connection.ready || has_more)
                    && connection.serve(master, now, recorder).is_break();
            if done {
                over.push(*token);
            }
            more |= connection.ready;
        }
        for token in over {
            let Some(connection) = self.open.remove(&token) else { continue };
            connection.session.close(master, now, connection.peer);
            if let (Some(recorder), Some(dialogue)) = (recorder.as_mut(), connection.dialogue) {
                recorder.closed(dialogue);
            }
        }
        more
    }
}

type ConnectionStep = std::ops::ControlFlow<()>;

impl<S: NonBlockingStream> ListConnection<S> {
    /// Reads and answers pending bytes, up to one batch. Breaks if the connection is over.
    fn serve(
        &mut self,
        master: &mut Master,
        now: i64,
        recorder: &mut Option<MasterRecorder>,
    ) -> ConnectionStep {
        let mut buffer = [0; 4096];
        let mut read = 0;
        let waiting = self.out.len();
        self.session.collect(master, now, &mut self.out);
        if self.out.len() > waiting {
            self.prolong(master, now);
        }
        self.send(recorder)?;
        if self.ended {
            return self.end();
        }
        while read < BATCH {
            if self.out.len() - self.sent > UNSENT {
                // The socket will become writable, and wake it.
                self.ready = false;
                return ConnectionStep::Continue(());
            }
            let length = match self.stream.read(&mut buffer) {
                Ok(0) => {
                    self.ended = true;
                    self.session.finish(master, now, &mut self.out);
                    self.send(recorder)?;
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
                self.session.handle_bytes(master, now, self.peer, bytes, &mut self.out);
                self.prolong(master, now);
                self.send(recorder)?;
            }
        }
        ConnectionStep::Continue(())
    }

    /// Sets the end of a connection that ends by silence.
    fn prolong(&mut self, master: &Master, now: i64) {
        if let Some(silence) = self.session.silence(master) {
            self.due = now.saturating_add(silence);
        }
    }

    /// A client that has sent FIN still gets the response to its request.
    fn end(&mut self) -> ConnectionStep {
        self.ready = false;
        if self.sent < self.out.len() || self.session.has_more() {
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
        self.out.clear();
        self.sent = 0;
        if self.session.is_over() && !self.closing {
            self.closing = true;
            // Later bytes of the client are read and dropped, so that it sees FIN, not RST.
            if self.stream.finish().is_err() {
                return ConnectionStep::Break(());
            }
        }
        ConnectionStep::Continue(())
    }
}
