//! What each message to a recorded master was answered with, in the addresses of now.

use std::collections::HashMap;
use std::net::SocketAddr;

use super::endpoints::PlayedEndpoints;
use super::values::{RequestValue, request_values};
use crate::flow::Transport;
use crate::protocol::{Entry, Reading};
use crate::replay::address_names::AddressNames;
use crate::replay::{Pace, RecordedReply, RecordedRequest, Transcript};
use crate::text::counted;

/// The maximum number of requests that are played: answered ones, with their bytes and those of
/// their answers, and unanswered ones.
const ANSWERED: usize = 1 << 16;
const BYTES: usize = 64 << 20;
const UNANSWERED: usize = 4096;

/// A recorded message to a master.
#[derive(Debug)]
pub(super) struct PlayedRequest {
    /// The frame's number.
    pub number: u64,
    /// The master's endpoint.
    pub to: SocketAddr,
    pub entry: &'static Entry,
    pub bytes: Vec<u8>,
    pub values: Vec<RequestValue>,
    /// What the master sent next, in order.
    pub replies: Vec<PlayedReply>,
}

/// A recorded datagram of a master.
#[derive(Debug)]
pub(super) struct PlayedReply {
    pub entry: &'static Entry,
    pub bytes: Vec<u8>,
    /// The endpoint that sent it.
    pub from: SocketAddr,
    pub port: ReplyPort,
    /// Nanoseconds after the request.
    pub delay: u64,
}

/// Where a reply goes: always to the address that the request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyPort {
    /// To the port of the request.
    Own,
    /// To the port that the request names.
    Named,
}

/// What of a recording is not played.
#[derive(Debug, Default)]
pub(super) struct UnplayedMessages {
    /// Requests over TCP.
    streams: u64,
    /// Replies that went to others than the sender of the request.
    elsewhere: u64,
    /// Replies of which the capture has only a part.
    cut: u64,
    /// Requests with an answer beyond the limits.
    beyond: u64,
}

impl UnplayedMessages {
    /// One line for each kind.
    pub fn notes(&self) -> Vec<String> {
        let parts = [
            (self.streams, "request", "over TCP, which is not played"),
            (self.elsewhere, "recorded reply", "not played: the request came from another address"),
            (self.cut, "recorded reply", "not played: the capture has only a part"),
            (self.beyond, "answered request", "not played: there are too many"),
        ];
        let parts = parts.iter().filter(|(count, ..)| *count > 0);
        parts.map(|(count, what, why)| format!("{} {why}", counted(*count, what))).collect()
    }
}

/// The messages to the played masters, with their replies, and what is left out.
pub(super) fn read_requests(
    transcript: &Transcript,
    endpoints: &PlayedEndpoints,
    names: &AddressNames,
    pace: Option<Pace>,
    reading: &mut Reading,
) -> (Vec<PlayedRequest>, UnplayedMessages) {
    let mut left_out = UnplayedMessages::default();
    let is_stream = |r: &&RecordedRequest| r.transport == Transport::Tcp && r.selected;
    left_out.streams = transcript.requests.iter().filter(is_stream).count() as u64;
    let is_played = |r: &RecordedRequest| {
        r.transport == Transport::Udp && r.selected && endpoints.contains(r.to)
    };
    let (mut played, mut limits) = (Vec::new(), PlayLimits::default());
    for (request, replies) in in_steps(transcript).filter(|(request, _)| is_played(request)) {
        let mut bytes = Vec::new();
        names.write(request.entry, &request.bytes, request.from.ip(), &mut bytes);
        let values = request_values(reading, request.entry, &bytes);
        let delays = delays(request, &replies, pace);
        let mut due = Vec::new();
        for (reply, delay) in replies.into_iter().zip(delays) {
            let Some(port) = reply_port(request, reply).filter(|_| endpoints.contains(reply.from))
            else {
                left_out.elsewhere += 1;
                continue;
            };
            if reply.cut {
                left_out.cut += 1;
                continue;
            }
            let mut bytes = Vec::new();
            names.write(reply.entry, &reply.bytes, reply.to.ip(), &mut bytes);
            due.push(PlayedReply { entry: reply.entry, bytes, from: reply.from, port, delay });
        }
        let (number, to, entry) = (request.number, request.to, request.entry);
        let request = PlayedRequest { number, to, entry, bytes, values, replies: due };
        if limits.admits(&request) {
            played.push(request);
        } else {
            left_out.beyond += u64::from(!request.replies.is_empty());
        }
    }
    (played, left_out)
}

/// What is played so far.
#[derive(Default)]
struct PlayLimits {
    answered: usize,
    unanswered: usize,
    bytes: usize,
}

impl PlayLimits {
    fn admits(&mut self, request: &PlayedRequest) -> bool {
        let (count, most) = if request.replies.is_empty() {
            (&mut self.unanswered, UNANSWERED)
        } else {
            (&mut self.answered, ANSWERED)
        };
        let replies = request.replies.iter().map(|reply| reply.bytes.len()).sum::<usize>();
        let bytes = self.bytes + request.bytes.len() + replies;
        let has_room = *count < most && bytes <= BYTES;
        if has_room {
            *count += 1;
            self.bytes = bytes;
        }
        has_room
    }
}

/// The messages to masters over UDP, each with the replies that came before the sender's next one of
/// the same exchange. In the transcript a server's request has the replies to its later answers too.
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
        let later = answers.get(&request.exchange).map(Vec::as_slice).unwrap_or_default();
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

/// The delay of each reply after the request, in nanoseconds.
fn delays(request: &RecordedRequest, replies: &[&RecordedReply], pace: Option<Pace>) -> Vec<u64> {
    let Some(pace) = pace else {
        return vec![0; replies.len()];
    };
    let times = std::iter::once(request.time).chain(replies.iter().map(|reply| reply.time));
    let (due, _) = pace.due(times);
    due.into_iter().skip(1).collect()
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
    use super::*;
    use crate::protocols::registry;

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
            PlayedRequest { number, to, entry, bytes, values, replies }
        };
        let mut limits = PlayLimits::default();
        let mut admitted =
            |bytes, count| (0..count).filter(|_| limits.admits(&request(bytes))).count();
        assert_eq!(admitted(None, 5000), UNANSWERED);
        assert_eq!(admitted(Some(1), 70_000), ANSWERED);
        let mut limits = PlayLimits::default();
        assert!(!limits.admits(&request(Some(BYTES))) && limits.admits(&request(Some(BYTES / 2))));
        assert!(!limits.admits(&request(Some(BYTES / 2))));
    }
}
