//! An endpoint of a case: a server or a client with its own socket.
#![allow(clippy::missing_errors_doc, reason = "a failure is the result of the case")]

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use std::sync::Arc;
use std::time::Duration;

use super::context::TestContext;
use super::datagram::ReceivedDatagram;
use super::failure::{Done, Failure};
use super::log::{self, LogEntry};
use protocol::Carrier;
use protocol::{Message, encode};
use simulate::{self, Socket};
use text::duration_of;

/// A server or client, and the service that it talks to.
pub struct TestEndpoint<'s> {
    ctx: &'s TestContext<'s>,
    name: String,
    service: String,
    socket: Arc<Socket>,
    to: SocketAddr,
    /// The last datagram it sent.
    last: RefCell<Option<Vec<u8>>>,
}

impl<'s> TestEndpoint<'s> {
    pub(super) fn new(
        ctx: &'s TestContext<'s>,
        name: String,
        service: &str,
        socket: Arc<Socket>,
        to: SocketAddr,
    ) -> Self {
        let last = RefCell::default();
        Self { ctx, name, service: service.to_owned(), socket, to, last }
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.socket.local()
    }

    /// The target's address.
    pub fn target(&self) -> SocketAddr {
        self.to
    }

    /// Its context.
    pub fn ctx(&self) -> &'s TestContext<'s> {
        self.ctx
    }

    /// Sends bytes as they are, when the target may answer them.
    pub fn send_bytes(&self, bytes: &[u8]) -> Done {
        self.wait_for_answer();
        let sentinel = self.ctx.sentinel(&self.service);
        let request = sentinel.map(|sentinel| sentinel.request);
        self.ctx.env.pass(&self.service, self.to, request);
        self.send_unanswered(bytes)
    }

    /// Waits until a server's limits permit one more answer to this endpoint.
    pub fn wait_for_answer(&self) {
        self.ctx.env.wait_for_answer(&self.service, self.address().ip());
    }

    /// Waits until a server's limits permit as many answers to this endpoint as they ever do at once.
    pub fn wait_for_all_answers(&self) {
        self.ctx.env.wait_for_all_answers(&self.service, self.address().ip());
    }

    /// From now on, a server's limits permit no answer at once: what was sent has used all of them.
    pub fn use_all_answers(&self) {
        self.ctx.env.use_all_answers(&self.service, self.address().ip());
    }

    /// Sends bytes that need no answer, at once: together they have to fit into the target's socket
    /// buffer.
    pub fn send_unanswered(&self, bytes: &[u8]) -> Done {
        self.ctx.wait_for_rate();
        self.write(self.address(), self.to, true, bytes);
        self.last.replace(Some(bytes.to_vec()));
        let sent = match self.socket.send(self.to.port(), bytes) {
            // An ICMP error of an earlier one; this one was not sent.
            Err(why) if why.kind() == ErrorKind::ConnectionRefused => {
                self.socket.send(self.to.port(), bytes)
            }
            sent => sent,
        };
        sent.map_err(|why| match why.kind() {
            ErrorKind::ConnectionRefused => self.port_unreachable(),
            _ => self.error(&why),
        })
    }

    /// Sends bytes that answer a datagram of the target to where that came from.
    pub fn reply(&self, to: &ReceivedDatagram, bytes: &[u8]) -> Done {
        if to.from == self.to { self.send_bytes(bytes) } else { self.send_bytes_to(to.from, bytes) }
    }

    /// Sends bytes to where a datagram of the target came from, which may be another port.
    pub fn send_bytes_to(&self, to: SocketAddr, bytes: &[u8]) -> Done {
        self.ctx.wait_for_rate();
        self.write(self.address(), to, true, bytes);
        self.socket.answer(to, bytes).map_err(|why| self.error(&why))
    }

    /// Sends a message.
    pub fn send<'a>(&self, message: impl Message<'a>) -> Done {
        let mut bytes = Vec::new();
        encode(message, &mut bytes).map_err(|fault| Failure::error(fault.to_string()))?;
        self.send_bytes(&bytes)
    }

    /// The next datagram from the target, if one comes in time.
    pub fn recv(&self, patience: Duration) -> Result<Option<ReceivedDatagram>, Failure> {
        let deadline = self.ctx.now() + patience;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match self.socket.receive(&mut buffer).map_err(|why| self.error(&why))? {
                simulate::Received::Datagram(length, from) => {
                    let bytes = buffer.get(..length).unwrap_or_default().to_vec();
                    let index = self.write(from, self.address(), false, &bytes);
                    return Ok(Some(ReceivedDatagram { index, from, bytes }));
                }
                simulate::Received::Refused => return Err(self.port_unreachable()),
                simulate::Received::Nothing => {}
            }
            let now = self.ctx.now();
            let left = deadline.saturating_duration_since(now);
            if left.is_zero() {
                if !patience.is_zero() {
                    self.ctx.env.control.add_lateness(now.duration_since(deadline));
                }
                return Ok(None);
            }
            self.socket.wait(left).map_err(|why| self.error(&why))?;
        }
    }

    /// Datagrams received so far.
    pub fn drain(&self) -> Result<Vec<ReceivedDatagram>, Failure> {
        let mut all = Vec::new();
        while let Some(datagram) = self.recv(Duration::ZERO)? {
            all.push(datagram);
        }
        Ok(all)
    }

    /// The first datagram in which `find` returns something, from the addressed port, in time;
    /// others are ignored. `what` names the expected message, with its article.
    pub fn expect<T>(
        &self,
        what: &str,
        find: impl FnMut(&ReceivedDatagram) -> Option<T>,
    ) -> Result<T, Failure> {
        self.expect_from(what, false, find)
    }

    /// The same; whether it may come from any port.
    pub fn expect_from<T>(
        &self,
        what: &str,
        any_port: bool,
        mut find: impl FnMut(&ReceivedDatagram) -> Option<T>,
    ) -> Result<T, Failure> {
        let timeout = self.ctx.env.timeout;
        let (mut begun, mut again) = (self.ctx.now(), self.last.borrow().clone());
        let mut other: Option<ReceivedDatagram> = None;
        loop {
            let span = if again.is_some() { timeout / 2 } else { timeout };
            let left = (begun + span).saturating_duration_since(self.ctx.now());
            // Datagrams that arrived in time are checked, however late that is.
            let Some(datagram) = self.recv(left)? else {
                if let Some(bytes) = again.take() {
                    // As a game would after packet loss. The time that it waits for its turn does not count.
                    let asked = self.ctx.now();
                    self.send_bytes(&bytes)?;
                    begun += self.ctx.now().duration_since(asked);
                    continue;
                }
                return Err(match other {
                    None => Failure::new(
                        what,
                        format!("nothing in {}", duration_of(self.ctx.env.timeout)),
                    ),
                    Some(other) => Failure::new(what, other.named()).at(&other),
                });
            };
            match find(&datagram) {
                Some(_) if datagram.from != self.to && !any_port => {
                    let what = format!("{what} from {}", self.to);
                    return Err(
                        Failure::new(what, format!("it from {}", datagram.from)).at(&datagram)
                    );
                }
                Some(found) => return Ok(found),
                None => {
                    again = None;
                    other = Some(datagram);
                }
            }
        }
    }

    /// No datagram in which `find` returns something, until the target has read all requests.
    pub fn expect_none<T>(
        &self,
        what: &str,
        mut find: impl FnMut(&ReceivedDatagram) -> Option<T>,
    ) -> Done {
        self.ctx.sync(&self.service)?;
        match self.drain()?.iter().find(|datagram| find(datagram).is_some()) {
            Some(datagram) => Err(Failure::new(what, datagram.named()).at(datagram)),
            None => Ok(()),
        }
    }

    /// All responses to some bytes; at least one datagram.
    pub fn request(&self, what: &str, bytes: &[u8]) -> Result<Vec<ReceivedDatagram>, Failure> {
        let all = self.request_all(bytes)?;
        if !all.is_empty() {
            return Ok(all);
        }
        // The target may answer this later than the sentinel after it.
        let mut late = vec![self.expect(what, |datagram| Some(datagram.clone()))?];
        self.ctx.sync(&self.service)?;
        late.extend(self.drain()?);
        Ok(late)
    }

    /// The same without a second request: a response that is lost is missing. Datagrams may be lost
    /// beyond this machine, where the case is skipped.
    pub fn request_once(&self, what: &str, bytes: &[u8]) -> Result<Vec<ReceivedDatagram>, Failure> {
        if self.ctx.env.may_lose_datagrams() {
            return Err(Failure::skipped("datagrams may be lost on the way to the target"));
        }
        self.drain()?;
        let mut all = self.request_all(bytes)?;
        if all.is_empty() {
            // The target may answer this later than the sentinel after it.
            all.extend(self.recv(self.ctx.env.timeout)?);
            all.extend(self.drain()?);
        }
        if all.is_empty() {
            let span = duration_of(self.ctx.env.timeout);
            return Err(Failure::new(what, format!("nothing in {span}")));
        }
        Ok(all)
    }

    /// All responses to some bytes that each of these endpoints sends once, by their indices; where one
    /// gets none, the failure says which.
    pub fn request_each_once(
        ends: &[&Self],
        what: &str,
        bytes: &[u8],
    ) -> Result<Vec<(usize, Vec<ReceivedDatagram>)>, Failure> {
        let Some(first) = ends.first().copied() else { return Ok(Vec::new()) };
        let env = first.ctx.env;
        if env.may_lose_datagrams() {
            return Err(Failure::skipped("datagrams may be lost on the way to the target"));
        }
        for end in ends {
            end.drain()?;
            end.send_bytes(bytes)?;
        }
        first.ctx.sync(&first.service)?;
        let answers = ends.iter().enumerate().map(|(n, end)| {
            let mut all = end.drain()?;
            if all.is_empty() {
                // The target may answer this later than the sentinel after it.
                all.extend(end.recv(env.timeout)?);
                all.extend(end.drain()?);
            }
            if all.is_empty() {
                let span = duration_of(env.timeout);
                return Err(Failure::new(what, format!("nothing in {span} for {}", end.name)));
            }
            Ok((n, all))
        });
        answers.collect()
    }

    /// All responses to some bytes until the target has read everything; may be none.
    pub fn request_all(&self, bytes: &[u8]) -> Result<Vec<ReceivedDatagram>, Failure> {
        self.send_bytes(bytes)?;
        self.ctx.sync(&self.service)?;
        self.drain()
    }

    fn error(&self, why: &io::Error) -> Failure {
        Failure::error(format!("{}: {why}", self.name))
    }

    fn port_unreachable(&self) -> Failure {
        let came = format!("port unreachable (ICMP): nothing listens at {}", self.to);
        if self.ctx.env.is_list(&self.service) {
            return Failure::new("a target that listens", came);
        }
        // Services besides lists may run elsewhere, or not at all.
        Failure::skipped(came)
    }

    fn write(&self, from: SocketAddr, to: SocketAddr, ours: bool, bytes: &[u8]) -> usize {
        self.ctx.write(LogEntry {
            time: log::now(),
            from,
            to,
            ours,
            endpoint: self.name.clone(),
            carrier: Carrier::Datagram,
            bytes: bytes.to_vec(),
            stream: None,
        })
    }
}
