//! The ladder tab: of an exchange, of a row's messages, or of the whole capture. Only visible lines
//! are drawn.

use std::borrow::Cow;

use super::marks::mark;
use super::{RelatedMessages, Runs};
use crate::analysis::{Exchange, MessageHeader, Session};
use crate::render::ladder::{Arrow, Ladder, LadderRow, Lifelines, Rows};

/// How many messages decide the heads of the lifelines.
const HEADS: usize = 4096;
/// The maximum messages in the ladder of a row; that of the whole capture has all.
const RUNGS: usize = 1 << 16;

/// A ladder, and the cursor on it.
#[derive(Default)]
pub struct Climb {
    /// What it shows, in words; empty for all messages.
    pub of: String,
    /// The session indices of its messages; `None` for all of them.
    only: Option<Vec<usize>>,
    rows: Rows,
    rungs: usize,
    ends: Lifelines,
    begin: i64,
    /// The arrow under the cursor, and the first visible line.
    pub cursor: usize,
    pub top: usize,
    /// The messages of the visible arrows: those requested, and those available.
    pub asked: Vec<usize>,
    pub held: Vec<HeldMessage>,
    /// The two lines of the head, and the visible lines.
    pub head: Vec<Runs>,
    pub lines: Vec<Runs>,
}

/// A message for an arrow.
#[derive(Debug, Clone)]
pub struct HeldMessage {
    pub index: usize,
    pub header: MessageHeader,
    /// Escaped and masked.
    pub summary: String,
}

impl Climb {
    /// The ladder of the whole capture.
    pub fn of_all(session: &Session) -> Self {
        let mut climb = Self::default();
        climb.grow(session);
        climb
    }

    /// The ladder of some messages.
    pub fn of_marked(session: &Session, marked: &RelatedMessages) -> Self {
        let found = marked.numbers.iter().take(RUNGS);
        let only: Vec<_> = found.filter_map(|number| session.find(*number)).collect();
        let more = marked.numbers.len() > RUNGS;
        let of = if more { format!("{}, the first {RUNGS}", marked.of) } else { marked.of.clone() };
        let mut climb = Self { of, only: Some(only), ..Self::default() };
        climb.grow(session);
        climb
    }

    /// The ladder of an exchange.
    pub fn of_exchange(session: &Session, exchange: &Exchange) -> Self {
        let (of, numbers) = (exchange.kind.name().to_owned(), exchange.numbers().collect());
        Self::of_marked(session, &RelatedMessages::new(of, numbers))
    }

    /// Takes new messages; visible ones may have been reclassified.
    pub fn grow(&mut self, session: &Session) {
        self.asked.clear();
        let len = self.only.as_ref().map_or(session.len(), Vec::len);
        if len < self.rungs {
            // Everything was read again, so the messages have changed.
            (self.rows, self.rungs) = (Rows::default(), 0);
        }
        let was = self.rungs;
        while self.rungs < len {
            let time = self.message(self.rungs).and_then(|index| session.time(index));
            self.rows.push(time.unwrap_or(0));
            self.rungs += 1;
        }
        if was < HEADS.min(self.rungs) || was == 0 {
            let headers = (0..self.rungs.min(HEADS)).filter_map(|rung| self.header(session, rung));
            let headers: Vec<_> = headers.collect();
            self.begin = headers.first().map_or(0, |header| header.time);
            self.ends = Lifelines::of(headers.iter().map(|header| rung(header, "")));
        }
    }

    /// How many messages it has.
    pub fn len(&self) -> usize {
        self.rungs
    }

    /// How many lines it has.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Whether it is of all messages.
    pub fn has_all(&self) -> bool {
        self.only.is_none()
    }

    /// The session index of an arrow's message.
    pub fn message(&self, rung: usize) -> Option<usize> {
        match &self.only {
            Some(only) => only.get(rung).copied(),
            None => Some(rung),
        }
    }

    /// The indices of its messages; `None` if it has all of them.
    pub fn places(&self) -> Option<&[usize]> {
        self.only.as_deref()
    }

    /// The arrow of a message, or the next one.
    pub fn rung_of(&self, index: usize) -> usize {
        match &self.only {
            Some(only) => only.iter().position(|message| *message >= index).unwrap_or(0),
            None => index,
        }
    }

    /// The line under the cursor.
    pub fn line(&self) -> usize {
        self.rows.line_of(self.cursor)
    }

    /// The arrow of a line; for a pause, the one after it.
    pub fn rung_at(&self, line: usize) -> Option<usize> {
        Some(match self.rows.at(line)? {
            LadderRow::Gap(rung) | LadderRow::Rung(rung) => rung,
        })
    }

    /// The messages whose arrows are among the visible lines.
    pub fn wanted(&self, height: usize) -> Vec<usize> {
        let lines = (self.top..self.top + height).filter_map(|line| self.rows.at(line));
        let rungs = lines.filter_map(|row| match row {
            LadderRow::Rung(rung) => self.message(rung),
            LadderRow::Gap(_) => None,
        });
        rungs.collect()
    }

    /// Draws the visible lines for the available messages.
    pub fn draw(&mut self, session: &Session, (columns, height): (usize, usize)) {
        let ladder = Ladder::new(self.ends, self.begin, columns);
        self.head = ladder.head().into();
        let lines = (self.top..self.top + height).map_while(|line| self.rows.at(line));
        self.lines = lines.map(|row| self.row(session, &ladder, row)).collect();
    }

    /// All of it, with its head; messages are named but not decoded.
    pub fn all(&self, session: &Session, columns: usize) -> Vec<Runs> {
        let ladder = Ladder::new(self.ends, self.begin, columns);
        let mut lines: Vec<_> = ladder.head().into();
        let rows = (0..self.height()).map_while(|line| self.rows.at(line));
        lines.extend(rows.map(|row| self.row(session, &ladder, row)));
        lines
    }

    fn row(&self, session: &Session, ladder: &Ladder, row: LadderRow) -> Runs {
        match row {
            LadderRow::Gap(behind) => {
                let time = |rung| self.message(rung).and_then(|index| session.time(index));
                let before = behind.checked_sub(1).and_then(time);
                let pause = time(behind).zip(before).map_or(0, |(b, a)| b.saturating_sub(a));
                ladder.gap(pause)
            }
            LadderRow::Rung(at) => {
                let index = self.message(at);
                let held = self.held.iter().find(|held| Some(held.index) == index);
                let found = match held {
                    Some(held) => Some((held.header, Cow::Borrowed(held.summary.as_str()))),
                    None => self.header(session, at).map(|header| (header, Cow::default())),
                };
                let Some((header, text)) = found else {
                    return Vec::new();
                };
                let exchange = exchange_of(session, &header);
                let mark = exchange.and_then(|exchange| mark(exchange, header.number));
                ladder.rung(&Arrow { mark, ..rung(&header, &text) })
            }
        }
    }

    fn header(&self, session: &Session, rung: usize) -> Option<MessageHeader> {
        session.header(self.message(rung)?)
    }
}

/// The index of a message's exchange; a late part of a long response belongs to that of its
/// request.
pub fn place_of(session: &Session, header: &MessageHeader) -> Option<usize> {
    let books = session.index()?;
    let own = books.exchange_of(header.number);
    own.or_else(|| books.exchange_of(header.answers?))
}

fn exchange_of<'a>(session: &'a Session, header: &MessageHeader) -> Option<&'a Exchange> {
    session.index()?.exchanges().get(place_of(session, header)?)
}

fn rung<'a>(header: &MessageHeader, text: &'a str) -> Arrow<'a> {
    let MessageHeader { number, time, direction: way, source, destination, name, .. } = *header;
    Arrow { number, time, way, source, destination, name, text, mark: None }
}
