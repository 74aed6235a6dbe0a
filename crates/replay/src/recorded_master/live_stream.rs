//! The TCP connections of live clients: what they have sent, and what is due on them.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use super::matching::{StreamHistory, StreamPlace};
use masters::StreamProgress;
use protocol::{FrameBoundary, Protocol};

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

    /// Removes the reports that are due: the sender, and how many bytes of its message came.
    pub fn reports_due(&mut self, now: i64) -> Vec<(SocketAddr, usize)> {
        let due = self.open.values_mut().filter_map(|stream| {
            stream.report_at.take_if(|at| *at <= now)?;
            Some((stream.from, stream.received.len()))
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
        let message = self.take_bytes(end);
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
        self.take_bytes(end - before);
        !is_open
    }

    /// Removes the first received bytes.
    fn take_bytes(&mut self, count: usize) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::registry;

    fn streams() -> LiveStreams {
        let mut streams = LiveStreams::default();
        let end = "192.0.2.1:28900".parse().unwrap();
        streams.open(1, end, end);
        streams
    }

    #[test]
    fn no_more_waits_than_there_is_room_for() {
        let mut streams = streams();
        assert!(streams.send(1, 5, vec![0; WAITING]) && !streams.send(1, 5, vec![0]));
        let mut out = Vec::new();
        assert_eq!(streams.send_due(1, 4, &mut out), StreamProgress::Later);
        assert_eq!(streams.send_due(1, 5, &mut out), StreamProgress::Waits);
        assert_eq!((out.len(), streams.waiting), (WAITING, 0));
        assert!(streams.send(1, 9, vec![0; 10]));
        streams.remove(1);
        assert_eq!(streams.waiting, 0);
        assert!(!streams.send(1, 9, vec![0]), "it is over");
        assert_eq!(streams.send_due(1, 9, &mut out), StreamProgress::Closes);
    }

    #[test]
    fn bytes_keep_their_order() {
        let mut streams = streams();
        for (due, byte) in [(20, 1), (10, 2), (30, 3)] {
            assert!(streams.send(1, due, vec![byte]));
        }
        streams.get_mut(1).unwrap().close(0);
        for (now, bytes, progress) in [
            (19, &[][..], StreamProgress::Later),
            (20, &[1, 2], StreamProgress::Later),
            (30, &[3], StreamProgress::Closes),
        ] {
            assert!(streams.next_due().is_some(), "{now}");
            let mut out = Vec::new();
            assert_eq!(streams.send_due(1, now, &mut out), progress, "{now}");
            assert_eq!(out, bytes, "{now}");
        }
        assert_eq!(streams.next_due(), None);
    }

    #[test]
    fn messages_are_whole_however_they_are_split() {
        let gamespy = [registry().protocol("gamespy").unwrap()];
        let parts =
            [br"\list\gamename\ut\final\", &br"\queryid\1.1\"[..], br"\list\gamename\x\final\"];
        let sent = parts.concat();
        for size in 1..sent.len() {
            let mut streams = streams();
            let stream = streams.get_mut(1).unwrap();
            let mut messages = Vec::new();
            for part in sent.chunks(size) {
                assert_eq!(stream.receive(0, part), None);
                messages.extend(std::iter::from_fn(|| stream.next_message(&gamespy)));
            }
            let begins = |at: usize, part: &[u8]| messages[at].starts_with(part);
            assert!(messages.len() == 2 && begins(0, parts[0]) && begins(1, parts[2]), "{size}");
            assert_eq!((stream.rest(), streams.next_due()), (None, None), "{size}");
        }
    }

    #[test]
    fn what_is_incomplete_is_reported_once() {
        let mut streams = streams();
        let stream = streams.get_mut(1).unwrap();
        assert_eq!(stream.receive(0, br"\list\"), None);
        assert_eq!(streams.next_due(), Some(PATIENCE));
        assert!(streams.reports_due(PATIENCE - 1).is_empty());
        let reports = streams.reports_due(PATIENCE);
        assert_eq!(reports, [("192.0.2.1:28900".parse().unwrap(), br"\list\".len())]);
        assert_eq!(streams.next_due(), None);
        let stream = streams.get_mut(1).unwrap();
        assert_eq!(
            stream.receive(0, &vec![0; LONGEST]).map(|bytes| bytes.len()),
            Some(LONGEST + 6)
        );
        assert_eq!(stream.rest(), None);
    }
}
