//! A ladder of the session's messages, whose hosts are collected in steps.

use std::borrow::Cow;
use std::ops::Range;

use crate::action::MessageRow;
use crate::format::{Format, TextDisplay};
use crate::screens::related::RelatedMessages;
use crate::view_state::ViewState;
use crate::widgets::table::Runs;
use analysis::{MessageHeader, Session};
use export::ladder::{arrow, outcome_of};
use flow::VerdictCache;
use render::ladder::{HostLifelines, Ladder, LadderRow, LadderTimes, Lifelines, Rows};
use text::{TimeDisplay, width};

/// How many messages give their hosts in one call, so that each call is short.
const BATCH: usize = 1 << 14;
/// The maximum messages in the ladder of a row; that of the whole capture has all.
const ARROWS: usize = 1 << 16;
/// The columns above the numbers and times of messages.
const TITLE: usize = 19;

/// A ladder of the session's messages.
#[derive(Default)]
pub struct MessageLadder {
    /// What it shows, in words; empty for all messages.
    pub of: String,
    /// The session indices of its messages; `None` for all of them.
    pub only: Option<Vec<usize>>,
    /// Whether these are in another order than that of time.
    is_sorted: bool,
    pub rows: Rows,
    pub arrows: usize,
    /// Its hosts, and how many of its messages have given theirs.
    pub hosts: HostLifelines,
    collected: usize,
    /// The roles of endpoints that no longer change.
    roles: VerdictCache,
    begin: Option<i64>,
    /// The messages of the visible arrows.
    pub read: Vec<MessageRow>,
}

impl MessageLadder {
    /// The ladder of some messages.
    pub fn new(session: &Session, related: &RelatedMessages) -> Self {
        Self::of_row(session, related, messages_of(session, related).collect())
    }

    /// The ladder of these messages of a row.
    pub fn of_row(session: &Session, related: &RelatedMessages, only: Vec<usize>) -> Self {
        let mut of = related.of.clone();
        if related.numbers.len() > ARROWS {
            of = format!("{of}, the first {ARROWS}");
        }
        Self { of, ..Self::of_all(session, Some(only)) }
    }

    /// The ladder of these messages, or of all.
    pub fn of_all(session: &Session, only: Option<Vec<usize>>) -> Self {
        let mut ladder = Self { only, ..Self::default() };
        ladder.grow(session);
        ladder
    }

    /// The same with these messages, in this order.
    pub fn sorted(self, order: &[u32], session: &Session) -> Self {
        let first = order.iter().min().and_then(|first| session.time(*first as usize));
        let only = order.iter().map(|at| *at as usize).collect();
        let mut ladder = Self {
            of: self.of,
            only: Some(only),
            is_sorted: true,
            begin: first,
            ..Self::default()
        };
        ladder.grow(session);
        ladder
    }

    /// Takes new messages; visible ones may have been reclassified.
    pub fn grow(&mut self, session: &Session) {
        let len = self.only.as_ref().map_or(session.len(), Vec::len);
        if len < self.arrows {
            // Everything was read again, so the messages have changed.
            (self.rows, self.arrows, self.begin) = (Rows::default(), 0, None);
            self.forget_hosts();
        }
        while self.arrows < len {
            let message = self.message(self.arrows).filter(|_| !self.is_sorted);
            // Between messages that are sorted is no pause.
            self.rows.push(message.and_then(|index| session.time(index)).unwrap_or(0));
            self.arrows += 1;
        }
    }

    /// Takes the hosts of further messages; returns whether there were any.
    pub fn collect(&mut self, session: &Session) -> bool {
        let until = self.arrows.min(self.collected + BATCH);
        let mut roles = std::mem::take(&mut self.roles);
        let mut hosts = std::mem::take(&mut self.hosts);
        let messages = (self.collected..until).filter_map(|arrow| self.message(arrow));
        let headers = messages.filter_map(|at| session.header_with(Some(&mut roles), at));
        let mut headers = headers.peekable();
        let begin = headers.peek().map(|header| header.time);
        hosts.extend(headers.map(|header| arrow(&header, "", None)));
        self.begin = self.begin.or(begin);
        self.hosts = hosts;
        if session.is_done() {
            self.roles = roles;
        }
        std::mem::replace(&mut self.collected, until) < until
    }

    /// Whether messages have not given their hosts yet.
    pub fn is_collecting(&self) -> bool {
        self.collected < self.arrows
    }

    /// Collects all hosts again: their roles may have changed.
    pub fn forget_hosts(&mut self) {
        (self.hosts, self.collected) = (HostLifelines::default(), 0);
        self.roles = VerdictCache::default();
    }

    /// The ladder in so many columns, with this host as the first visible one.
    pub fn in_columns(&self, columns: usize, first: usize, format: Format) -> Ladder<'_> {
        let lifelines = Lifelines::ByHost(&self.hosts);
        let begin = self.begin.unwrap_or(0);
        let times = if format.has_dates() {
            LadderTimes::with_dates(begin)
        } else {
            LadderTimes::since(begin)
        };
        Ladder::from_lifeline(lifelines, times, columns, first)
    }

    /// The first arrow whose message is kept, if the session has dropped so many.
    pub fn first(&self, gone: usize) -> usize {
        if self.only.is_some() { 0 } else { gone.min(self.arrows) }
    }

    /// The session index of an arrow's message.
    pub fn message(&self, arrow: usize) -> Option<usize> {
        match &self.only {
            Some(only) => only.get(arrow).copied(),
            None => Some(arrow),
        }
    }

    /// The arrow of a message, or the next one.
    pub fn arrow_of(&self, index: usize) -> usize {
        match &self.only {
            Some(only) => {
                let is_next = |of: &usize| *of == index || !self.is_sorted && *of > index;
                only.iter().position(is_next).unwrap_or(0)
            }
            None => index,
        }
    }

    /// The arrow of a line; for a pause, the one after it.
    pub fn arrow_at(&self, line: usize) -> Option<usize> {
        Some(match self.rows.at(line)? {
            LadderRow::Pause(arrow) | LadderRow::Arrow(arrow) => arrow,
        })
    }

    /// The whole text, with its head; messages are named but not decoded.
    pub fn all(mut self, session: &Session, view: &ViewState, columns: usize) -> Vec<Runs> {
        while self.collect(session) {}
        let ladder = self.in_columns(columns, 0, view.format);
        let mut lines: Vec<_> = ladder.head().into();
        let rows = (0..self.rows.count()).map_while(|line| self.rows.at(line));
        lines.extend(rows.map(|row| self.line(session, (&ladder, view), row)));
        lines
    }

    pub fn line(
        &self,
        session: &Session,
        (ladder, view): (&Ladder<'_>, &ViewState),
        row: LadderRow,
    ) -> Runs {
        let at = match row {
            LadderRow::Pause(next) => {
                let time = |arrow| self.message(arrow).and_then(|index| session.time(index));
                let before = next.checked_sub(1).and_then(time);
                let pause = time(next).zip(before).map_or(0, |(b, a)| b.saturating_sub(a));
                return ladder.pause(pause);
            }
            LadderRow::Arrow(at) => at,
        };
        let read = self.message(at).and_then(|at| self.read.iter().find(|row| row.index == at));
        let found = match read {
            Some(read) => Some((read.header, summary(read, view.format.texts))),
            None => self.header(session, at).map(|header| (header, Cow::default())),
        };
        let Some((header, text)) = found else {
            return Vec::new();
        };
        let outcome = outcome_of(session, &header);
        let outcome = outcome.as_ref().map(|outcome| outcome.map(|what| what));
        let arrow = arrow(&header, &text, outcome);
        if view.format.times == TimeDisplay::Relative {
            return ladder.arrow(&arrow);
        }
        let before = at.checked_sub(1).and_then(|at| session.time(self.message(at)?));
        let before = before.unwrap_or(header.time);
        ladder.arrow_at(&arrow, &view.format.time(header.time, before, 3, &view.zone))
    }

    pub fn header(&self, session: &Session, arrow: usize) -> Option<MessageHeader> {
        session.header(self.message(arrow)?)
    }
}

impl MessageLadder {
    /// `◂ 3-5 of 27 ▸`: which hosts are visible; empty if these are all.
    pub fn visible_hosts(&self, visible: &Range<usize>) -> String {
        let count = self.hosts.count();
        let more = if self.is_collecting() || self.hosts.is_full() { "…" } else { "" };
        if visible.len() >= count && more.is_empty() {
            return String::new();
        }
        let left = if visible.start > 0 { "◂ " } else { "" };
        let right = if visible.end < count { " ▸" } else { "" };
        let (first, last) = (visible.start + 1, visible.end);
        let text = format!("{left}{first}-{last} of {count}{more}{right}");
        if width(&text) <= TITLE { text } else { format!("{left}{first} of {count}{more}{right}") }
    }
}

/// The session indices of a row's messages, as many as a ladder has.
pub fn messages_of(session: &Session, related: &RelatedMessages) -> impl Iterator<Item = usize> {
    related.numbers.iter().take(ARROWS).filter_map(|number| session.find(*number))
}

/// The text of a message, as the other screens show it.
fn summary(read: &MessageRow, texts: TextDisplay) -> Cow<'_, str> {
    match texts {
        TextDisplay::Coloured => {
            Cow::Owned(read.runs.iter().map(|run| run.text.as_str()).collect())
        }
        TextDisplay::AsSent => Cow::Borrowed(&read.summary),
    }
}
