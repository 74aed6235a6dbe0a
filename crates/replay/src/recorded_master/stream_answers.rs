//! Answers on the TCP connections of live clients.

use std::net::SocketAddr;

use super::echo::EchoedValues;
use super::live_stream::LiveStream;
use super::matching::{MatchOutcome, StreamHistory, StreamPlace};
use super::played::PlayedConnection;
use super::values::LiveRequest;
use super::{PlayEvent, RecordedMaster, UnreadBytes};
use text::counted;

/// The recorded connections, in order.
pub(super) struct PlayedConnections {
    all: Vec<PlayedConnection>,
    /// Whether each greeted a client.
    served: Vec<bool>,
}

impl PlayedConnections {
    pub fn new(all: Vec<PlayedConnection>) -> Self {
        let served = vec![false; all.len()];
        Self { all, served }
    }

    /// The connection of a master that greets the next client: the first that greeted none yet, and
    /// when all did, the last.
    fn next(&mut self, master: SocketAddr) -> Option<(usize, &PlayedConnection)> {
        let of_master = |(at, of): (usize, &PlayedConnection)| (of.to == master).then_some(at);
        let mut of_master: Vec<_> = self.all.iter().enumerate().filter_map(of_master).collect();
        let is_new = |at: &usize| !self.served.get(*at).copied().unwrap_or_default();
        let index = of_master.iter().copied().find(is_new).or_else(|| of_master.pop())?;
        if let Some(served) = self.served.get_mut(index) {
            *served = true;
        }
        Some((index, self.all.get(index)?))
    }
}

impl RecordedMaster {
    /// Greets a client as the next recorded one was.
    pub(super) fn connect(
        &mut self,
        connection: u64,
        now: i64,
        recorded: SocketAddr,
        from: SocketAddr,
    ) {
        self.streams.open(connection, recorded, from);
        let Some((index, greeting)) = self.connections.next(recorded) else { return };
        for reply in &greeting.greeting {
            let due = now.saturating_add_unsigned(reply.delay);
            self.streams.send(connection, due, reply.bytes.clone());
        }
        let messages = counted(greeting.greeting.len() as u64, "message");
        let number = greeting.number;
        if let Some(stream) = self.streams.get_mut(connection) {
            stream.history = StreamHistory { place: StreamPlace::START, connection: Some(index) };
        }
        let line = format!("{from}: connected: {messages} as in frame {number}");
        self.report(now, PlayEvent::Played(line));
    }

    /// Takes bytes of a client, and answers the messages that they complete.
    pub(super) fn receive(&mut self, connection: u64, now: i64, bytes: &[u8]) {
        let Some(stream) = self.streams.get_mut(connection) else { return };
        let (recorded, from) = (stream.recorded, stream.from);
        if let Some(too_long) = stream.receive(now, bytes) {
            return self.report_unread(now, from, UnreadBytes::NoMessage(&too_long));
        }
        loop {
            let protocols = self.stream_requests.protocols(recorded);
            let stream = self.streams.get_mut(connection);
            let Some(message) = stream.and_then(|stream| stream.next_message(protocols)) else {
                return;
            };
            self.answer(connection, now, &message);
        }
    }

    /// The client sends nothing more: its last bytes are a message, whether their end is marked or
    /// not.
    pub(super) fn finish(&mut self, connection: u64, now: i64) {
        let rest = self.streams.get_mut(connection).and_then(LiveStream::rest);
        if let Some(rest) = rest {
            self.answer(connection, now, &rest);
        }
    }

    /// Forgets a connection that is over.
    pub(super) fn leave(&mut self, connection: u64, now: i64) {
        let Some(mut stream) = self.streams.remove(connection) else { return };
        if !stream.is_reported()
            && let Some(rest) = stream.rest()
        {
            self.report_unread(now, stream.from, UnreadBytes::Incomplete(rest.len()));
        }
    }

    /// Makes the answer to a message due on its connection, and what came behind it.
    fn answer(&mut self, connection: u64, now: i64, message: &[u8]) {
        let Some(stream) = self.streams.get_mut(connection) else { return };
        let (recorded, from, history) = (stream.recorded, stream.from, stream.history);
        let Some(entry) = self.stream_requests.recognise(recorded, message) else {
            return self.report_unread(now, from, UnreadBytes::NoMessage(message));
        };
        let live = LiveRequest::read_payload(&mut self.reading, entry, message);
        let outcome = self.stream_requests.find(recorded, &live, history);
        let MatchOutcome::Answered(index) = outcome else {
            return self.report_unanswered(now, from, &live, &outcome);
        };
        let history = self.stream_requests.history(index);
        let Some(request) = self.stream_requests.serve(index) else { return };
        let echoed = EchoedValues::new(request, &live);
        let mut has_room = true;
        for reply in &request.replies {
            let plain = echoed.apply(reply.entry, &reply.bytes, &mut self.scratch);
            let bytes = reply.enciphered(&live.bytes, plain);
            let due = now.saturating_add_unsigned(reply.delay);
            has_room &= self.streams.send(connection, due, bytes);
        }
        let (number, replies) = (request.number, request.replies.len());
        let close = request.close.or((!has_room).then_some(0));
        if let Some(stream) = self.streams.get_mut(connection) {
            stream.history = history;
            if let Some(delay) = close {
                stream.close(now.saturating_add_unsigned(delay));
            }
        }
        let (name, messages) = (live.name(), counted(replies as u64, "message"));
        let end = if close.is_some() { ", then closed," } else { "" };
        let event = if has_room {
            PlayEvent::Played(format!("{from}: {name}: {messages}{end} as for frame {number}"))
        } else {
            let why = "closed, because too much waits to be sent";
            PlayEvent::NotAnswered(format!("no answer to {from}: {name}: {why}"))
        };
        self.report(now, event);
    }
}
