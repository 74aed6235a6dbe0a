//! The order in which a run is written down: as it happened, or as it would have been in the
//! recording.
//!
//! In the time of the recording every message has its recorded time, and what came back stands
//! behind what it answers, however late it was: whoever sends as fast as it goes gets answers
//! behind all that he sent. So what hangs on time is judged as it was there.

use std::collections::{HashMap, VecDeque};

use super::account::{RecordedRequest, Transcript};
use super::journal::{Happened, JournalEvent, SentMessage, Writing};
use super::plan::PlanAction;
use crate::protocol::{Carrier, Direction, Entry, ExchangeKind, PROTOCOLS, Role};

/// Between rounds, in the recording's time.
const ROUND: i64 = 60_000_000_000;
/// Between what was sent and what came back, and between the parts of that, in nanoseconds.
const STEP: i64 = 1_000;
/// How many messages of one socket may wait for answers.
const OPEN: usize = 64;

/// Something that happened, and when.
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

/// As it happened, in a run that started at this time.
pub(super) fn live<'a>(writing: &Writing<'a>, start: i64) -> Vec<Timed<'a>> {
    let at = |at: u64| start.saturating_add_unsigned(at);
    merged(writing).map(|(when, item)| Timed { time: at(when), item }).collect()
}

/// As it would have been in the recording.
pub(super) fn recorded<'a>(writing: &Writing<'a>) -> Vec<Timed<'a>> {
    let mut clock =
        TimelineClock { writing, open: HashMap::new(), last: HashMap::new(), now: i64::MIN };
    let mut all: Vec<_> =
        merged(writing).map(|(_, item)| Timed { time: clock.time(item), item }).collect();
    // Stable: what happened at one time stays in its order.
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

/// What a message of the run waits for.
struct PendingSend {
    entry: &'static Entry,
    /// When the next thing behind it is told to have happened.
    next: i64,
    answered: bool,
}

/// Who speaks with the target: a socket with a port of it, or a connection.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Channel {
    Socket(usize),
    Call(usize, u32),
}

struct TimelineClock<'w, 'a> {
    writing: &'w Writing<'a>,
    /// What each socket has sent, the last of it.
    open: HashMap<usize, VecDeque<PendingSend>>,
    /// Where each line is: the time of the next thing that happens on it.
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
        let PlanAction::Say(cue) = &self.writing.plan.turns.get(sent.turn as usize)?.what else {
            return None;
        };
        let asked = self.writing.account.asked.get(cue.asked)?;
        let time = in_round(self.writing.account, asked, sent.round);
        let (entry, next) = (asked.entry, time.saturating_add(STEP));
        let mut places = vec![cue.socket];
        places.extend((cue.server != cue.socket).then_some(cue.server));
        for place in places {
            let open = self.open.entry(place).or_default();
            if open.len() >= OPEN {
                open.pop_front();
            }
            open.push_back(PendingSend { entry, next, answered: false });
        }
        Some(time)
    }

    fn event(&mut self, event: &JournalEvent) -> Option<i64> {
        let account = self.writing.account;
        match &event.what {
            Happened::Heard { place, bytes, .. } => {
                let time = self.received(*place, bytes)?;
                self.last.insert(Channel::Socket(*place), time.saturating_add(STEP));
                Some(time)
            }
            Happened::Answered { place, .. } => {
                self.continue_channel(Channel::Socket(*place), None)
            }
            Happened::Opened { call, round, .. } => {
                let (first, _) = self.writing.plan.calls.get(*call)?.says.first()?;
                let time = in_round(account, account.asked.get(*first)?, *round);
                self.continue_channel(Channel::Call(*call, *round), Some(time))
            }
            Happened::Said { call, round, asked, .. } => {
                let time = in_round(account, account.asked.get(*asked)?, *round);
                self.continue_channel(Channel::Call(*call, *round), Some(time))
            }
            Happened::Told { call, round, .. } | Happened::Closed { call, round } => {
                self.continue_channel(Channel::Call(*call, *round), None)
            }
        }
    }

    /// The next thing on a line, at that time or behind what was before it.
    fn continue_channel(&mut self, line: Channel, time: Option<i64>) -> Option<i64> {
        let next = self.last.get(&line).copied();
        let time = match (next, time) {
            (Some(next), Some(time)) => next.max(time),
            (next, time) => time.or(next)?,
        };
        self.last.insert(line, time.saturating_add(STEP));
        Some(time)
    }

    /// What came back belongs to the first message that waits for such, else to the last that did.
    fn received(&mut self, place: usize, bytes: &[u8]) -> Option<i64> {
        let open = self.open.get_mut(&place)?;
        let mut said = (None, None);
        let answers = open.iter().map(|open| {
            if said.0 != Some(open.entry.protocol) {
                said = (Some(open.entry.protocol), recognised(open.entry.protocol, bytes));
            }
            said.1.is_some_and(|said| is_answer(open.entry, said))
        });
        let answers: Vec<bool> = answers.collect();
        let fits = |at: usize| answers.get(at).copied().unwrap_or_default();
        let waits = open.iter().enumerate().position(|(at, open)| fits(at) && !open.answered);
        let at = waits.or_else(|| (0..open.len()).rev().find(|at| fits(*at)));
        let found = open.get_mut(at.unwrap_or(answers.len().saturating_sub(1)))?;
        found.answered = true;
        let time = found.next;
        // Behind it comes what is answered to that.
        found.next = time.saturating_add(STEP + STEP);
        Some(time)
    }
}

/// The message that a master has said in a protocol.
fn recognised(protocol: &str, bytes: &[u8]) -> Option<&'static Entry> {
    let way = Direction { from: Some(Role::Master), to: None };
    let home = PROTOCOLS.iter().find(|p| p.id == protocol)?;
    home.recognise(Carrier::Datagram, bytes, way)
}

/// Whether a message of a master's may be what another one waits for: an answer, or a question to
/// who has made itself known.
fn is_answer(asked: &'static Entry, said: &'static Entry) -> bool {
    let asks = said.is_asked() && asked.affair() == ExchangeKind::Registration;
    asks || said.spec.answers.contains(&asked.spec.id)
}

/// When a message was sent, in a later round of the same recording.
fn in_round(account: &Transcript, asked: &RecordedRequest, round: u32) -> i64 {
    let all = &account.asked;
    let span = all.last().map_or(0, |a| a.time) - all.first().map_or(0, |a| a.time);
    asked.time.saturating_add(span.saturating_add(ROUND).saturating_mul(round.into()))
}
