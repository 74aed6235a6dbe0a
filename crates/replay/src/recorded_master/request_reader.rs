//! Reads the messages to the played masters, with what the masters sent next, from a transcript.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;

use super::endpoints::PlayedEndpoints;
use super::played::{PlayedConnection, PlayedMessages, PlayedReply, PlayedRequest, ReplyPort};
use super::values::request_values;
use crate::address_names::AddressNames;
use crate::{Pace, RecordedReply, RecordedRequest, Transcript};
use flow::Transport;
use protocol::Reading;

/// The maximum number of requests that are played: answered ones, with their bytes and those of
/// their answers, and unanswered ones. There are as many connections as answered requests at most.
const ANSWERED: usize = 1 << 16;
const BYTES: usize = 64 << 20;
const UNANSWERED: usize = 4096;

/// Where the messages of a recording come from, and what is changed in them.
pub(super) struct RequestReader<'a> {
    pub transcript: &'a Transcript,
    pub endpoints: &'a PlayedEndpoints,
    pub names: &'a AddressNames,
    pub pace: Option<Pace>,
    pub reading: &'a mut Reading,
}

/// The state of a recorded connection while its messages are read.
struct ReadConnection {
    /// Its index among the played ones.
    index: usize,
    /// The index of its last played request.
    last: Option<usize>,
}

impl RequestReader<'_> {
    /// The messages to the played masters, with their replies, and what is left out.
    pub fn read_requests(mut self) -> PlayedMessages {
        let (mut played, mut limits) = (PlayedMessages::default(), PlayLimits::default());
        let mut connections: HashMap<u64, ReadConnection> = HashMap::new();
        let endpoints = self.endpoints;
        let is_played = |r: &RecordedRequest| endpoints.contains(r.transport, r.to);
        for (request, replies) in in_steps(self.transcript).filter(|(r, _)| is_played(r)) {
            let Some(number) = request.connection else {
                if request.selected {
                    let request = self.request(request, &replies, &mut played);
                    if limits.admits(&request, &mut played) {
                        played.datagrams.push(request);
                    }
                }
                continue;
            };
            let is_before = |reply: &&RecordedReply| reply.number < request.number;
            let (before, replies): (Vec<_>, Vec<_>) = replies.into_iter().partition(is_before);
            let connection = match connections.entry(number) {
                MapEntry::Occupied(known) => known.into_mut(),
                MapEntry::Vacant(vacant) => {
                    let greeting = self.greeting(request, &before, &mut played);
                    if !limits.admits_connection(&greeting, &mut played) {
                        continue;
                    }
                    played.connections.push(greeting);
                    vacant
                        .insert(ReadConnection { index: played.connections.len() - 1, last: None })
                }
            };
            if !request.selected {
                continue;
            }
            let new = self.request(request, &replies, &mut played);
            if !limits.admits(&new, &mut played) {
                continue;
            }
            let index = played.streams.len();
            played.streams.push(PlayedRequest { connection: Some(connection.index), ..new });
            let before = connection.last.replace(index);
            if let Some(before) = before.and_then(|before| played.streams.get_mut(before)) {
                (before.is_followed, before.close) = (true, None);
            }
        }
        played
    }

    /// A message with its replies.
    fn request(
        &mut self,
        request: &RecordedRequest,
        replies: &[&RecordedReply],
        played: &mut PlayedMessages,
    ) -> PlayedRequest {
        let mut bytes = Vec::new();
        self.names.write(request.entry, &request.bytes, request.from.ip(), &mut bytes);
        let values = request_values(self.reading, request.entry, &bytes);
        let closes = request.connection.and_then(|number| self.transcript.closes.get(&number));
        let close = closes.filter(|close| close.from == request.to).map(|close| close.time);
        let times = replies.iter().map(|reply| reply.time).chain(close);
        let times = std::iter::once(request.time).chain(times);
        let mut delays: Vec<_> = self.delays(times).into_iter().skip(1).collect();
        let close = close.and_then(|_| delays.pop());
        let replies = self.replies(request, replies, &delays, played);
        let unreadable = replies.iter().filter(|reply| reply.is_unreadable(&bytes)).count();
        played.left_out.unreadable += unreadable as u64;
        let (number, to, entry) = (request.number, request.to, request.entry);
        let (connection, is_followed) = (None, false);
        PlayedRequest { number, to, entry, bytes, values, replies, connection, is_followed, close }
    }

    /// A connection, with what the master sent on it before its client did.
    fn greeting(
        &self,
        request: &RecordedRequest,
        before: &[&RecordedReply],
        played: &mut PlayedMessages,
    ) -> PlayedConnection {
        let delays = self.delays(before.iter().map(|reply| reply.time));
        let greeting = self.replies(request, before, &delays, played);
        let number = before.first().map_or(request.number, |reply| reply.number);
        PlayedConnection { number, to: request.to, greeting }
    }

    /// The replies that go to the sender of the request.
    fn replies(
        &self,
        request: &RecordedRequest,
        replies: &[&RecordedReply],
        delays: &[u64],
        played: &mut PlayedMessages,
    ) -> Vec<PlayedReply> {
        let mut due = Vec::new();
        for (reply, delay) in replies.iter().zip(delays.iter().copied()) {
            let is_played = self.endpoints.contains(request.transport, reply.from);
            let Some(port) = reply_port(request, reply).filter(|_| is_played) else {
                played.left_out.elsewhere += 1;
                continue;
            };
            if reply.cut {
                played.left_out.cut += 1;
                continue;
            }
            let mut bytes = Vec::new();
            self.names.write(reply.entry, &reply.bytes, reply.to.ip(), &mut bytes);
            due.push(PlayedReply { entry: reply.entry, bytes, from: reply.from, port, delay });
        }
        due
    }

    /// Nanoseconds from the first of these times to each.
    fn delays(&self, times: impl Iterator<Item = i64>) -> Vec<u64> {
        match self.pace {
            Some(pace) => pace.due(times).0,
            None => times.map(|_| 0).collect(),
        }
    }
}

/// What is played so far.
#[derive(Default)]
struct PlayLimits {
    answered: usize,
    unanswered: usize,
    bytes: usize,
}

impl PlayLimits {
    /// Whether there is room for one more connection, with its greeting; one without is counted.
    fn admits_connection(&mut self, new: &PlayedConnection, played: &mut PlayedMessages) -> bool {
        let greeting = new.greeting.iter().map(|reply| reply.bytes.len()).sum::<usize>();
        let bytes = self.bytes + greeting;
        let has_room = played.connections.len() < ANSWERED && bytes <= BYTES;
        if has_room {
            self.bytes = bytes;
        } else {
            played.left_out.beyond += 1;
        }
        has_room
    }

    /// Whether there is room for one more; what has no room, and an answer, is counted.
    fn admits(&mut self, request: &PlayedRequest, played: &mut PlayedMessages) -> bool {
        let is_answered = !request.replies.is_empty();
        let (count, most) = if is_answered {
            (&mut self.answered, ANSWERED)
        } else {
            (&mut self.unanswered, UNANSWERED)
        };
        let replies = request.replies.iter().map(|reply| reply.bytes.len()).sum::<usize>();
        let bytes = self.bytes + request.bytes.len() + replies;
        let has_room = *count < most && bytes <= BYTES;
        if has_room {
            *count += 1;
            self.bytes = bytes;
        } else {
            played.left_out.beyond += u64::from(is_answered);
        }
        has_room
    }
}

/// The messages to masters, with the replies that came before the sender's next one of the same
/// exchange or connection. In the transcript a server's request over UDP has the replies to its later
/// answers too.
fn in_steps(
    transcript: &Transcript,
) -> impl Iterator<Item = (&RecordedRequest, Vec<&RecordedReply>)> {
    let requests = &transcript.requests;
    let mut answers: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, request) in requests.iter().enumerate() {
        // 0 is no exchange.
        if request.is_answer && request.connection.is_none() && request.exchange != 0 {
            answers.entry(request.exchange).or_default().push(index);
        }
    }
    let mut steps: Vec<Vec<&RecordedReply>> = requests.iter().map(|_| Vec::new()).collect();
    for (index, request) in requests.iter().enumerate() {
        let later = match request.transport {
            Transport::Udp => answers.get(&request.exchange),
            Transport::Tcp => None,
        };
        let later = later.map(Vec::as_slice).unwrap_or_default();
        for reply in &request.replies {
            let before = |step: &&usize| {
                let step = requests.get(**step);
                step.is_some_and(|s| {
                    s.number > request.number
                        && s.number < reply.number
                        && s.from.ip() == reply.to.ip()
                })
            };
            let step = later.iter().rev().find(before).copied().unwrap_or(index);
            if let Some(step) = steps.get_mut(step) {
                step.push(reply);
            }
        }
    }
    requests.iter().zip(steps)
}

/// Where a reply goes now; `None` if it went to somebody else than the sender of the request.
fn reply_port(request: &RecordedRequest, reply: &RecordedReply) -> Option<ReplyPort> {
    if reply.to == request.from {
        return Some(ReplyPort::Own);
    }
    (Some(reply.to) == request.server).then_some(ReplyPort::Named)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use protocols::registry;

    #[test]
    fn no_more_is_played_than_there_is_room_for() {
        let entry = registry().recognise(b"\xff\xff\xff\xffgetservers 68").unwrap();
        let to: SocketAddr = "192.0.2.1:27950".parse().unwrap();
        let request = |bytes: Option<usize>| {
            let reply = |bytes| PlayedReply {
                entry,
                bytes: vec![0; bytes],
                from: to,
                port: ReplyPort::Own,
                delay: 0,
            };
            let replies = bytes.map(reply).into_iter().collect();
            let (number, bytes, values) = (1, vec![0; 4], Vec::new());
            let (connection, is_followed, close) = (None, false, None);
            PlayedRequest {
                number,
                to,
                entry,
                bytes,
                values,
                replies,
                connection,
                is_followed,
                close,
            }
        };
        let (mut limits, mut played) = (PlayLimits::default(), PlayedMessages::default());
        let mut admitted = |bytes, count| {
            (0..count).filter(|_| limits.admits(&request(bytes), &mut played)).count()
        };
        assert_eq!(admitted(None, 5000), UNANSWERED);
        assert_eq!(admitted(Some(1), 70_000), ANSWERED);
        assert_eq!(played.left_out.beyond, 70_000 - ANSWERED as u64);
        let greeting = |bytes| {
            let replies = request(Some(bytes)).replies;
            PlayedConnection { number: 1, to, greeting: replies }
        };
        let mut limits = PlayLimits::default();
        assert!(limits.admits_connection(&greeting(BYTES), &mut played));
        assert!(!limits.admits_connection(&greeting(1), &mut played));
        let mut limits = PlayLimits::default();
        let mut admits = |bytes| limits.admits(&request(Some(bytes)), &mut played);
        assert!(!admits(BYTES) && admits(BYTES / 2) && !admits(BYTES / 2));
    }
}
