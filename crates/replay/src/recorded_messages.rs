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
    /// The sender.
    pub from: SocketAddr,
    /// The receiver.
    pub to: SocketAddr,
    /// UDP or TCP.
    pub transport: Transport,
    /// The number of its connection; `None` for a datagram.
    pub connection: Option<u64>,
    /// The role of the sender.
    pub role: Role,
    /// What message it is.
    pub entry: &'static Entry,
    /// The bytes.
    pub bytes: Box<[u8]>,
    /// The server that its exchange is about.
    pub server: Option<SocketAddr>,
    /// The number of its exchange.
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
    /// The number of its frame.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// What message it is.
    pub entry: &'static Entry,
    /// Whether it is a request (a challenge) to its receiver.
    pub is_request: bool,
    /// The sender.
    pub from: SocketAddr,
    /// The receiver.
    pub to: SocketAddr,
    /// Whether the capture has only its first bytes.
    pub cut: bool,
    /// The bytes.
    pub bytes: Box<[u8]>,
}

impl RecordedReply {
    /// Whether it is a list, or a part of one.
    pub fn is_list(&self) -> bool {
        self.entry.exchange() == ExchangeKind::List && !self.entry.is_request()
    }
}
