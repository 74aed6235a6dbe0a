//! Leads one conversation over a socket.

use std::io;
use std::net::SocketAddr;
use std::time::Instant;

use super::conversation::{Conversation, ConversationStep};
use super::interview::ServerInterview;
use super::list_request::{received, send};
use super::traffic::TrafficRecorder;
use simulate::{AddressPool, Pacer, Received, Socket, Target};

/// The largest datagram.
pub(super) const LARGEST: usize = 1 << 16;

/// What is asked of one endpoint, without socket and clock.
pub trait Inquiry {
    /// When something has to be done next; `None` if it has ended.
    fn due(&self, now: Instant) -> Option<Instant>;
    /// What is to be done now. Bytes to be sent count as sent.
    fn step(&mut self, now: Instant) -> ConversationStep;
    /// Takes a datagram of the endpoint.
    fn receive(&mut self, bytes: &[u8], now: Instant);
    /// Takes an ICMP error.
    fn refuse(&mut self);
}

macro_rules! inquiry {
    ($($type:ty),+) => {$(
        impl Inquiry for $type {
            fn due(&self, now: Instant) -> Option<Instant> {
                self.due(now)
            }
            fn step(&mut self, now: Instant) -> ConversationStep {
                self.step(now)
            }
            fn receive(&mut self, bytes: &[u8], now: Instant) {
                self.receive(bytes, now);
            }
            fn refuse(&mut self) {
                self.refuse();
            }
        }
    )+};
}
inquiry!(Conversation, ServerInterview);

/// A socket that asks one endpoint, and records what is said.
#[derive(Debug)]
pub struct QueryClient<'a> {
    socket: Socket,
    to: SocketAddr,
    recorder: &'a TrafficRecorder,
    pacer: Option<Pacer>,
    /// How many datagrams came from other ports of the endpoint's host.
    from_other_ports: u32,
}

impl<'a> QueryClient<'a> {
    /// A client that asks this target at its own port.
    ///
    /// # Errors
    /// If it cannot be reached from here.
    pub fn open(target: &Target, recorder: &'a TrafficRecorder) -> io::Result<Self> {
        let mut pool = AddressPool::near(target.clone())?;
        let host = pool.host()?;
        let socket = pool.socket(host, 0)?;
        let pacer = target.limit().map(Pacer::new);
        Ok(Self { socket, to: target.at(0), recorder, pacer, from_other_ports: 0 })
    }

    /// Leads a conversation to its end.
    ///
    /// # Errors
    /// If the system cannot send or receive.
    pub fn lead(&mut self, inquiry: &mut impl Inquiry) -> io::Result<()> {
        let mut buffer = vec![0; LARGEST];
        loop {
            match inquiry.step(Instant::now()) {
                ConversationStep::Done => return Ok(()),
                ConversationStep::Send(bytes) => {
                    send(&self.socket, self.to, &bytes, self.pacer.as_ref())?;
                    self.recorder.datagram(self.socket.local(), self.to, &bytes, "query: asks");
                }
                ConversationStep::Wait(until) => self.take_one(inquiry, until, &mut buffer)?,
            }
        }
    }

    /// How many datagrams came from other ports of the endpoint's host; they are no answers.
    pub fn from_other_ports(&self) -> u32 {
        self.from_other_ports
    }

    /// Takes the next datagram, or waits for one.
    fn take_one(
        &mut self,
        inquiry: &mut impl Inquiry,
        until: Instant,
        buffer: &mut [u8],
    ) -> io::Result<()> {
        match received(&self.socket, buffer)? {
            Received::Datagram(length, from) => {
                let bytes = buffer.get(..length).unwrap_or_default();
                self.recorder.datagram(from, self.socket.local(), bytes, "target: answers");
                if from == self.to {
                    inquiry.receive(bytes, Instant::now());
                } else {
                    self.from_other_ports += 1;
                }
            }
            Received::Refused => inquiry.refuse(),
            Received::Nothing => {
                let left = until.saturating_duration_since(Instant::now());
                if !left.is_zero() {
                    self.socket.wait(left)?;
                }
            }
        }
        Ok(())
    }
}
