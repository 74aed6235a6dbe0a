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
}

impl UnplayedMessages {
    /// One line for each kind.
    pub fn notes(&self) -> Vec<String> {
        let parts = [
            (self.streams, "request", "over TCP, which is not played"),
            (self.elsewhere, "recorded reply", "not played: the request came from another address"),
            (self.cut, "recorded reply", "not played: the capture has only a part"),
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
    let mut played = Vec::new();
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
        played.push(PlayedRequest { number, to, entry, bytes, values, replies: due });
    }
    (played, left_out)
}

/// The messages to masters over UDP, each with the replies that came before the sender's next one of the same
/// exchange. In the transcript a server's request has the replies to its later answers too.
fn in_steps(
    transcript: &Transcript,
) -> impl Iterator<Item = (&RecordedRequest, Vec<&RecordedReply>)> {
    let requests = &transcript.requests;
    let mut answers: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, request) in requests.iter().enumerate() {
        if request.is_answer && request.connection.is_none() {
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
