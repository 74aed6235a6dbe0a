//! The order of events in a written run: as they happened, or in the time of the recording.
//!
//! In the time of the recording every message has its recorded time, and a response follows its
//! request, however late it was: without pauses, responses arrive after all requests were sent. So
//! what depends on time is judged as in the recording.

use std::collections::{HashMap, VecDeque};

use super::journal::{
    ConnectionEvent, ConnectionId, EventKind, JournalEvent, SentMessage, Writing,
};
use super::plan::PlanAction;
use super::recorded_messages::RecordedRequest;
use super::transcript::Transcript;
use protocol::{Carrier, Direction, Entry, ExchangeKind, Protocol, Role};

/// Between rounds, in the recording's time, in nanoseconds.
const ROUND: i64 = 60_000_000_000;
/// Between a message and its response, and between parts of that, in nanoseconds.
const STEP: i64 = 1_000;
/// How many messages of one socket may wait for responses.
const OPEN: usize = 64;

/// An event with its time.
pub(super) struct Timed<'a> {
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    pub item: TimelineItem<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum TimelineItem<'a> {
    Sent(&'a SentMessage),
    Event(&'a JournalEvent),
}

/// In the order of events, in a run that started at this time.
pub(super) fn live<'a>(writing: &Writing<'a>, start: i64) -> Vec<Timed<'a>> {
    let at = |at: u64| start.saturating_add_unsigned(at);
    merged(writing).map(|(when, item)| Timed { time: at(when), item }).collect()
}

/// In the time of the recording.
pub(super) fn recorded<'a>(writing: &Writing<'a>) -> Vec<Timed<'a>> {
    let mut clock =
        TimelineClock { writing, open: HashMap::new(), last: HashMap::new(), now: i64::MIN };
    let mut all: Vec<_> =
        merged(writing).map(|(_, item)| Timed { time: clock.time(item), item }).collect();
    // A stable sort: events of the same time keep their order.
    all.sort_by_key(|timed| timed.time);
    all
}

fn merged<'a>(writing: &Writing<'a>) -> impl Iterator<Item = (u64, TimelineItem<'a>)> {
    let mut sent = writing.sent.iter().peekable();
    let mut events = writing.events.iter().peekable();
    std::iter::from_fn(move || {
        let first = events.peek().is_some_and(|e| sent.peek().is_none_or(|s| e.at < s.at));
        if first {
            return events.next().map(|event| (event.at, TimelineItem::Event(event)));
        }
        sent.next().map(|sent| (sent.at, TimelineItem::Sent(sent)))
    })
}

/// A message of the run that waits for responses.
struct PendingSend {
    entry: &'static Entry,
    /// The time of the next event after it.
    next: i64,
    answered: bool,
}

/// A channel to the target: a socket with a target port, or a connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Channel {
    Socket(usize),
    Connection(ConnectionId),
}

struct TimelineClock<'w, 'a> {
    writing: &'w Writing<'a>,
    /// The last sent messages of each socket.
    open: HashMap<usize, VecDeque<PendingSend>>,
    /// The time of the next event on each channel.
    last: HashMap<Channel, i64>,
    now: i64,
}

impl TimelineClock<'_, '_> {
    fn time(&mut self, item: TimelineItem<'_>) -> i64 {
        let time = match item {
            TimelineItem::Sent(sent) => self.sent(sent),
            TimelineItem::Event(event) => self.event(event),
        };
        self.now = time.unwrap_or(self.now);
        self.now
    }

    fn sent(&mut self, sent: &SentMessage) -> Option<i64> {
        let PlanAction::Send(send) = &self.writing.plan.items.get(sent.item as usize)?.what else {
            return None;
        };
        let request = self.writing.transcript.requests.get(send.request)?;
        let time = in_round(self.writing.transcript, request, sent.round);
        let (entry, next) = (request.entry, time.saturating_add(STEP));
        let mut sockets = vec![send.socket];
        sockets.extend((send.server != send.socket).then_some(send.server));
        for socket in sockets {
            let open = self.open.entry(socket).or_default();
            if open.len() >= OPEN {
                open.pop_front();
            }
            open.push_back(PendingSend { entry, next, answered: false });
        }
        Some(time)
    }

    fn event(&mut self, event: &JournalEvent) -> Option<i64> {
        let transcript = self.writing.transcript;
        match &event.what {
            EventKind::Received { socket, bytes, .. } => {
                let time = self.received(*socket, bytes)?;
                self.last.insert(Channel::Socket(*socket), time.saturating_add(STEP));
                Some(time)
            }
            EventKind::Answered { socket, .. } => {
                self.continue_channel(Channel::Socket(*socket), None)
            }
            EventKind::Connection(id, event) => {
                let (connection, round) = *id;
                let request = match event {
                    ConnectionEvent::Opened { .. } => {
                        let (first, _) =
                            self.writing.plan.connections.get(connection)?.messages.first()?;
                        Some(transcript.requests.get(*first)?)
                    }
                    ConnectionEvent::Sent { request, .. } => {
                        Some(transcript.requests.get(*request)?)
                    }
                    ConnectionEvent::Received(_) | ConnectionEvent::Closed => None,
                };
                let time = request.map(|request| in_round(transcript, request, round));
                self.continue_channel(Channel::Connection(*id), time)
            }
        }
    }

    /// The next event on a channel, at that time or after the previous one.
    fn continue_channel(&mut self, channel: Channel, time: Option<i64>) -> Option<i64> {
        let next = self.last.get(&channel).copied();
        let time = match (next, time) {
            (Some(next), Some(time)) => next.max(time),
            (next, time) => time.or(next)?,
        };
        self.last.insert(channel, time.saturating_add(STEP));
        Some(time)
    }

    /// A response belongs to the first message that waits for it, else to the last that did.
    fn received(&mut self, socket: usize, bytes: &[u8]) -> Option<i64> {
        let open = self.open.get_mut(&socket)?;
        let mut payload = (None, None);
        let answers = open.iter().map(|open| {
            if payload.0 != Some(open.entry.protocol) {
                payload = (Some(open.entry.protocol), recognised(open.entry.protocol, bytes));
            }
            payload.1.is_some_and(|payload| is_answer(open.entry, payload))
        });
        let answers: Vec<bool> = answers.collect();
        let fits = |at: usize| answers.get(at).copied().unwrap_or_default();
        let waits = open.iter().enumerate().position(|(at, open)| fits(at) && !open.answered);
        let at = waits.or_else(|| (0..open.len()).rev().find(|at| fits(*at)));
        let found = open.get_mut(at.unwrap_or(answers.len().saturating_sub(1)))?;
        found.answered = true;
        let time = found.next;
        // The answer to it comes after it.
        found.next = time.saturating_add(STEP + STEP);
        Some(time)
    }
}

/// The message that a master has sent in a protocol.
fn recognised(protocol: &Protocol, bytes: &[u8]) -> Option<&'static Entry> {
    let way = Direction { from: Some(Role::Master), to: None };
    protocols::recognise(protocol, Carrier::Datagram, bytes, way)
}

/// Whether a master's message may be what another one waits for: a response, or a challenge after a
/// heartbeat.
fn is_answer(request: &'static Entry, payload: &'static Entry) -> bool {
    let asks = payload.is_request() && request.exchange() == ExchangeKind::Registration;
    asks || payload.spec.answers.contains(&request.spec.id)
}

/// The time of a message in a later round of the same recording.
fn in_round(transcript: &Transcript, request: &RecordedRequest, round: u32) -> i64 {
    let all = &transcript.requests;
    let span = all.last().map_or(0, |a| a.time) - all.first().map_or(0, |a| a.time);
    request.time.saturating_add(span.saturating_add(ROUND).saturating_mul(round.into()))
}
