//! The messages of a recording: what a master was asked, and what it answered.

use std::net::SocketAddr;

use flow::Transport;
use protocol::{Entry, ExchangeKind, Role};

/// One message to a master.
#[derive(Debug)]
pub struct RecordedRequest {
    /// The frame's number.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    pub from: SocketAddr,
    pub to: SocketAddr,
    pub transport: Transport,
    /// The number of its connection; `None` for a datagram.
    pub connection: Option<u64>,
    pub role: Role,
    pub entry: &'static Entry,
    pub bytes: Box<[u8]>,
    /// The server that its exchange is about.
    pub server: Option<SocketAddr>,
    pub exchange: u64,
    /// Whether it answers a request of the master.
    pub is_answer: bool,
    /// Whether it is selected for replay.
    pub selected: bool,
    /// The master's responses, in order.
    pub replies: Vec<RecordedReply>,
}

/// One message of a master.
#[derive(Debug)]
pub struct RecordedReply {
    pub number: u64,
    pub time: i64,
    pub entry: &'static Entry,
    /// Whether it is a request (a challenge) to its receiver.
    pub is_request: bool,
    pub from: SocketAddr,
    pub to: SocketAddr,
    /// Whether the capture has only its first bytes.
    pub cut: bool,
    pub bytes: Box<[u8]>,
}

impl RecordedReply {
    /// Whether it is a list, or a part of one.
    pub fn is_list(&self) -> bool {
        self.entry.exchange() == ExchangeKind::List && !self.entry.is_request()
    }
}
