//! A client's TCP connection to the target.
#![allow(clippy::missing_errors_doc, reason = "a failure is the result of the case")]

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Instant;

use super::context::TestContext;
use super::datagram::ReceivedDatagram;
use super::failure::{Done, Failure};
use super::log::{self, LogEntry};
use protocol::Carrier;
use simulate::ClientStream;

/// The maximum bytes read from one connection.
const LONGEST: usize = 1 << 22;

/// A connection, and received bytes that were not consumed yet.
pub struct TestStream<'s> {
    ctx: &'s TestContext<'s>,
    name: String,
    /// Its number in the case.
    number: usize,
    socket: ClientStream,
    ends: [SocketAddr; 2],
    came: Vec<u8>,
    over: bool,
    taken: usize,
    /// The index of the last bytes in the case's log.
    last: usize,
}

impl<'s> TestStream<'s> {
    pub(super) fn open(
        ctx: &'s TestContext<'s>,
        name: String,
        to: SocketAddr,
    ) -> Result<Self, Failure> {
        ctx.wait_for_rate();
        let error = |why: std::io::Error| Failure::error(format!("{name}: {why}"));
        let socket = ctx
            .env
            .connect(to)
            .map_err(|why| Failure::new(format!("a connection to {to}"), why.kind().to_string()))?;
        let own = socket.local().map_err(error)?;
        let number = ctx.streams.get();
        ctx.streams.set(number + 1);
        let (came, over, taken, last) = (Vec::new(), false, 0, 0);
        Ok(Self { ctx, name, number, socket, ends: [own, to], came, over, taken, last })
    }

    /// Sends bytes at once.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Done {
        let [own, to] = self.ends;
        _ = self.write(own, to, true, bytes);
        let sent = self.socket.send(bytes);
        sent.map_err(|why| Failure::new("a connection that is open", why.kind().to_string()))
    }

    /// Sends bytes one by one, each in its own segment.
    pub fn send_in_pieces(&mut self, bytes: &[u8]) -> Done {
        bytes.iter().try_for_each(|byte| {
            self.ctx.wait_for_rate();
            self.send_bytes(&[*byte])
        })
    }

    /// Waits until `find` returns something for the unconsumed bytes; it returns how many bytes to
    /// consume.
    pub fn expect<T>(
        &mut self,
        what: &str,
        find: impl Fn(&[u8]) -> Option<(usize, T)>,
    ) -> Result<T, Failure> {
        let deadline = self.ctx.now() + self.ctx.env.timeout;
        loop {
            let waiting = self.came.get(self.taken..).unwrap_or_default();
            if let Some((length, found)) = find(waiting) {
                self.taken += length.min(waiting.len());
                return Ok(found);
            }
            if self.over || self.ctx.now() >= deadline || self.came.len() >= LONGEST {
                let end = if self.over { " and the end" } else { "" };
                let came =
                    format!("{} bytes, {:?}{end}", waiting.len(), render::quoted(waiting, 64));
                return Err(Failure::new(what, came));
            }
            self.receive_more(deadline)?;
        }
    }

    /// Everything until the target closes the connection.
    pub fn rest(&mut self, what: &str) -> Result<Vec<u8>, Failure> {
        let deadline = self.ctx.now() + self.ctx.env.timeout;
        while !self.over && self.ctx.now() < deadline && self.came.len() < LONGEST {
            self.receive_more(deadline)?;
        }
        if !self.over {
            return Err(Failure::new(what, "a connection that stays open"));
        }
        let rest = self.came.get(self.taken..).unwrap_or_default().to_vec();
        self.taken = self.came.len();
        Ok(rest)
    }

    /// What was consumed last, as a datagram: with its index in the case's log.
    pub fn received(&self, bytes: Vec<u8>) -> ReceivedDatagram {
        ReceivedDatagram { index: self.last, from: self.ends[1], bytes }
    }

    /// The client's address.
    pub fn address(&self) -> SocketAddr {
        self.ends[0]
    }

    /// Whether the target has closed it.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Waits for more bytes, or the end.
    fn receive_more(&mut self, deadline: Instant) -> Done {
        let left = deadline.saturating_duration_since(self.ctx.now());
        let error = |why: std::io::Error| Failure::error(why.to_string());
        let mut buffer = vec![0; 1 << 16];
        match self.socket.receive(&mut buffer, left) {
            Ok(0) => self.over = true,
            Ok(length) => {
                let bytes = buffer.get(..length).unwrap_or_default();
                let [own, to] = self.ends;
                self.last = self.write(to, own, false, bytes);
                self.came.extend_from_slice(bytes);
            }
            Err(why) => match why.kind() {
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => self.over = true,
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                _ => return Err(error(why)),
            },
        }
        Ok(())
    }

    fn write(&self, from: SocketAddr, to: SocketAddr, ours: bool, bytes: &[u8]) -> usize {
        self.ctx.write(LogEntry {
            time: log::now(),
            from,
            to,
            ours,
            endpoint: self.name.clone(),
            carrier: Carrier::Stream,
            bytes: bytes.to_vec(),
            stream: Some(self.number),
        })
    }
}
