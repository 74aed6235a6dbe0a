//! The TCP connections of live clients: what they have sent, and what is due on them.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use super::matching::{StreamHistory, StreamPlace};
use crate::master::StreamProgress;
use crate::protocol::{FrameBoundary, Protocol};

/// The most bytes of an incomplete message; more are no message.
const LONGEST: usize = 64 << 10;
/// The maximum bytes that wait to be due, of all connections.
const WAITING: usize = 64 << 20;
/// How long after its last bytes an incomplete message is reported, in nanoseconds.
const PATIENCE: i64 = 1_000_000_000;

/// All open connections.
#[derive(Debug, Default)]
pub(super) struct LiveStreams {
    open: BTreeMap<u64, LiveStream>,
    /// Bytes that wait to be due.
    waiting: usize,
}

/// One connection.
#[derive(Debug)]
pub(super) struct LiveStream {
    /// The master's endpoint in the recording.
    pub recorded: SocketAddr,
    pub from: SocketAddr,
    pub history: StreamHistory,
    /// What the client has sent of its next message.
    received: Vec<u8>,
    /// The message before, and its protocol, which may count later bytes to it.
    last: Option<(&'static Protocol, Vec<u8>)>,
    /// When the received bytes are reported, unless more comes.
    report_at: Option<i64>,
    /// What is due, in order.
    due: VecDeque<(i64, Vec<u8>)>,
    /// When the master closes it; nothing is taken from its client any more.
    close_at: Option<i64>,
    is_closed: bool,
}

impl LiveStreams {
    /// Adds a connection.
    pub fn open(&mut self, connection: u64, recorded: SocketAddr, from: SocketAddr) {
        let history = StreamHistory { place: StreamPlace::START, connection: None };
        let (received, last, report_at) = (Vec::new(), None, None);
        let (due, close_at, is_closed) = (VecDeque::new(), None, false);
        let new = LiveStream {
            recorded,
            from,
            history,
            received,
            last,
            report_at,
            due,
            close_at,
            is_closed,
        };
        self.open.insert(connection, new);
    }

    pub fn get_mut(&mut self, connection: u64) -> Option<&mut LiveStream> {
        self.open.get_mut(&connection)
    }

    /// Removes a connection.
    pub fn remove(&mut self, connection: u64) -> Option<LiveStream> {
        let stream = self.open.remove(&connection)?;
        self.waiting -= stream.due.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        Some(stream)
    }

    /// Makes bytes due behind those that already are; returns whether there was room for them.
    pub fn send(&mut self, connection: u64, due: i64, bytes: Vec<u8>) -> bool {
        let Some(stream) = self.open.get_mut(&connection) else { return false };
        if self.waiting + bytes.len() > WAITING {
            return false;
        }
        self.waiting += bytes.len();
        let due = due.max(stream.last_due());
        stream.due.push_back((due, bytes));
        true
    }

    /// Appends what is due on a connection to `out`.
    pub fn send_due(&mut self, connection: u64, now: i64, out: &mut Vec<u8>) -> StreamProgress {
        let Some(stream) = self.open.get_mut(&connection) else {
            return StreamProgress::Closes;
        };
        while let Some((_, bytes)) = stream.due.pop_front_if(|(due, _)| *due <= now) {
            self.waiting -= bytes.len();
            out.extend(bytes);
        }
        match stream.close_at {
            Some(close) if close <= now && stream.due.is_empty() => {
                stream.is_closed = true;
                StreamProgress::Closes
            }
            None if stream.due.is_empty() => StreamProgress::Waits,
            _ => StreamProgress::Later,
        }
    }

    /// When anything is due next, or reported.
    pub fn next_due(&self) -> Option<i64> {
        self.open.values().filter_map(LiveStream::next_due).min()
    }

    /// Removes the reports that are due: the sender, and the beginning of its message.
    pub fn reports_due(&mut self, now: i64) -> Vec<(SocketAddr, Vec<u8>)> {
        let due = self.open.values_mut().filter_map(|stream| {
            stream.report_at.take_if(|at| *at <= now)?;
            Some((stream.from, stream.received.clone()))
        });
        due.collect()
    }
}

impl LiveStream {
    /// Takes bytes of the client; returns those that are too many for a message.
    pub fn receive(&mut self, now: i64, bytes: &[u8]) -> Option<Vec<u8>> {
        if self.close_at.is_some() {
            return None;
        }
        self.received.extend_from_slice(bytes);
        self.report_at = Some(now.saturating_add(PATIENCE));
        (self.received.len() > LONGEST).then(|| self.rest())?
    }

    /// Removes the first message of the received bytes, if all of it is there.
    pub fn next_message(&mut self, protocols: &[&'static Protocol]) -> Option<Vec<u8>> {
        if !self.complete_last() {
            return None;
        }
        let first = protocols.iter().find_map(|protocol| match (protocol.cut)(&self.received, 0) {
            FrameBoundary::At(end) if (1..=self.received.len()).contains(&end) => {
                Some((*protocol, end))
            }
            _ => None,
        });
        let (protocol, end) = first?;
        let message = self.take(end);
        self.last = Some((protocol, message.clone()));
        Some(message)
    }

    /// Removes the bytes that belong to the message before, which was answered without them: what
    /// GameSpy's clients append to one comes in a segment of its own. `false` if more is needed to
    /// know.
    fn complete_last(&mut self) -> bool {
        let Some((protocol, last)) = &mut self.last else { return true };
        let before = last.len();
        last.extend_from_slice(&self.received);
        let cut = (protocol.cut)(last, 0);
        let end = match cut {
            FrameBoundary::At(end) => end.clamp(before, last.len()),
            _ => before,
        };
        let is_open = matches!(cut, FrameBoundary::Open { .. });
        last.truncate(end);
        self.take(end - before);
        !is_open
    }

    /// Removes the first received bytes.
    fn take(&mut self, count: usize) -> Vec<u8> {
        let taken = self.received.drain(..count).collect();
        if self.received.is_empty() {
            self.report_at = None;
        }
        taken
    }

    /// Removes the received bytes that are no whole message; `None` without any.
    pub fn rest(&mut self) -> Option<Vec<u8>> {
        self.report_at = None;
        Some(std::mem::take(&mut self.received)).filter(|rest| !rest.is_empty())
    }

    /// Closes it behind all that is due.
    pub fn close(&mut self, due: i64) {
        self.close_at = Some(due.max(self.last_due()));
        self.rest();
    }

    /// Whether the incomplete message was reported before.
    pub fn is_reported(&self) -> bool {
        self.report_at.is_none()
    }

    fn last_due(&self) -> i64 {
        self.due.back().map_or(i64::MIN, |(due, _)| *due)
    }

    fn next_due(&self) -> Option<i64> {
        if self.is_closed {
            return None;
        }
        let next = self.due.front().map(|(due, _)| *due).or(self.close_at);
        next.into_iter().chain(self.report_at).min()
    }
}
