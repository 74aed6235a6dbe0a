//! The sequence diagram: of an exchange, of a row's messages, or of the whole capture. Only visible
//! lines are drawn.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::related::{RelatedMessages, exchange_of};
use super::screen::{
    Arrival, FooterKeys, LADDER, MESSAGES, Request, Screen, ScreenContext, ScreenInfo, position,
};
use crate::analysis::{MessageHeader, Session};
use crate::export::{Selection, SessionExport};
use crate::render::ladder::{Arrow, Ladder, LadderRow, Lifelines, Rows};
use crate::text::{fit, width};
use crate::tui::action::{Answer, Effect, KeyCommand, MessageRow, Motion, Step};
use crate::tui::export::Exportable;
use crate::tui::layout::split_top;
use crate::tui::session::Growth;
use crate::tui::text::counted;
use crate::tui::view_state::ViewState;
use crate::tui::widgets::painter::Painter;
use crate::tui::widgets::scroll::{WHEEL, clamped_top, moved};
use crate::tui::widgets::style;
use crate::tui::widgets::table::Runs;

pub const INFO: ScreenInfo = ScreenInfo {
    name: LADDER,
    help: "the sequence diagram of the whole capture",
    new: || Box::new(LadderScreen::default()),
};

/// How many messages decide the heads of the lifelines.
const HEADS: usize = 4096;
/// The maximum messages in the ladder of a row; that of the whole capture has all.
const ARROWS: usize = 1 << 16;

/// A ladder of the session's messages.
#[derive(Default)]
pub struct MessageLadder {
    /// What it shows, in words; empty for all messages.
    of: String,
    /// The session indices of its messages; `None` for all of them.
    only: Option<Vec<usize>>,
    rows: Rows,
    arrows: usize,
    ends: Lifelines,
    begin: i64,
    /// The messages of the visible arrows.
    read: Vec<MessageRow>,
}

/// The ladder, and the cursor on it.
#[derive(Default)]
struct LadderScreen {
    ladder: MessageLadder,
    /// The arrow under the cursor, and the first visible line.
    cursor: usize,
    top: usize,
    /// The messages that were requested for the visible arrows.
    requested: Vec<usize>,
    /// The two lines of the head, and the visible lines.
    head: Vec<Runs>,
    lines: Vec<Runs>,
}

impl MessageLadder {
    /// The ladder of some messages.
    pub fn of(session: &Session, related: &RelatedMessages) -> Self {
        let found = related.numbers.iter().take(ARROWS);
        let only = found.filter_map(|number| session.find(*number)).collect();
        let mut of = related.of.clone();
        if related.numbers.len() > ARROWS {
            of = format!("{of}, the first {ARROWS}");
        }
        let mut ladder = Self { of, only: Some(only), ..Self::default() };
        ladder.grow(session);
        ladder
    }

    /// Takes new messages; visible ones may have been reclassified.
    fn grow(&mut self, session: &Session) {
        let len = self.only.as_ref().map_or(session.len(), Vec::len);
        if len < self.arrows {
            // Everything was read again, so the messages have changed.
            (self.rows, self.arrows) = (Rows::default(), 0);
        }
        let was = self.arrows;
        while self.arrows < len {
            let time = self.message(self.arrows).and_then(|index| session.time(index));
            self.rows.push(time.unwrap_or(0));
            self.arrows += 1;
        }
        if was < HEADS.min(self.arrows) || was == 0 {
            let headers = (0..self.arrows.min(HEADS)).filter_map(|at| self.header(session, at));
            let headers: Vec<_> = headers.collect();
            self.begin = headers.first().map_or(0, |header| header.time);
            self.ends = Lifelines::of(headers.iter().map(|header| arrow(header, "")));
        }
    }

    /// The session index of an arrow's message.
    fn message(&self, arrow: usize) -> Option<usize> {
        match &self.only {
            Some(only) => only.get(arrow).copied(),
            None => Some(arrow),
        }
    }

    /// The arrow of a message, or the next one.
    fn arrow_of(&self, index: usize) -> usize {
        match &self.only {
            Some(only) => only.iter().position(|message| *message >= index).unwrap_or(0),
            None => index,
        }
    }

    /// The arrow of a line; for a pause, the one after it.
    fn arrow_at(&self, line: usize) -> Option<usize> {
        Some(match self.rows.at(line)? {
            LadderRow::Pause(arrow) | LadderRow::Arrow(arrow) => arrow,
        })
    }

    /// The whole text, with its head; messages are named but not decoded.
    pub fn all(&self, session: &Session, columns: usize) -> Vec<Runs> {
        let ladder = Ladder::new(self.ends, self.begin, columns);
        let mut lines: Vec<_> = ladder.head().into();
        let rows = (0..self.rows.len()).map_while(|line| self.rows.at(line));
        lines.extend(rows.map(|row| self.line(session, &ladder, row)));
        lines
    }

    fn line(&self, session: &Session, ladder: &Ladder, row: LadderRow) -> Runs {
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
            Some(read) => Some((read.header, Cow::Borrowed(read.summary.as_str()))),
            None => self.header(session, at).map(|header| (header, Cow::default())),
        };
        let Some((header, text)) = found else {
            return Vec::new();
        };
        let exchange = exchange_of(session, &header);
        let outcome = exchange.as_ref().and_then(|exchange| {
            let step = exchange.steps.iter().find(|step| step.number == header.number)?;
            exchange.outcome(step)
        });
        ladder.arrow(&Arrow { outcome, ..arrow(&header, &text) })
    }

    fn header(&self, session: &Session, arrow: usize) -> Option<MessageHeader> {
        session.header(self.message(arrow)?)
    }
}

impl LadderScreen {
    /// Shows another ladder, with the cursor at a message.
    fn show(&mut self, ladder: MessageLadder, message: usize) {
        *self = Self { cursor: ladder.arrow_of(message), ladder, ..Self::default() };
    }

    /// The line under the cursor.
    fn line(&self) -> usize {
        self.ladder.rows.line_of(self.cursor)
    }

    fn go(&mut self, motion: Motion, area: Rect) {
        let (_, lines) = areas(area);
        let last = self.ladder.rows.len().saturating_sub(1);
        let now = self.line();
        let to = moved(now, last, usize::from(lines.height).max(1), motion);
        if let Some(arrow) = self.ladder.arrow_at(to) {
            // A pause belongs to the message after it; moving up skips it.
            let stays = arrow == self.cursor && to < now;
            self.cursor = if stays { arrow.saturating_sub(1) } else { arrow };
        }
    }

    /// Goes to the message of the arrow.
    fn follow(&self, cx: &mut ScreenContext<'_>) {
        if let Some(header) = self.ladder.header(cx.session, self.cursor) {
            let related = RelatedMessages::new(String::new(), vec![header.number]);
            cx.request = Some(Request::Visit(MESSAGES, related));
        }
    }
}

impl Screen for LadderScreen {
    fn keys(&self) -> FooterKeys {
        &[
            (KeyCommand::Enter, "messages"),
            (KeyCommand::Back, "back"),
            (KeyCommand::Export, "export"),
            (KeyCommand::Help, "help"),
            (KeyCommand::Quit, "quit"),
        ]
    }

    fn position(&self) -> String {
        position(self.cursor, self.ladder.arrows, "message")
    }

    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>) {
        match arrival {
            Arrival::Key { is_shown: true, .. } if self.ladder.only.is_none() => {}
            Arrival::Key { message, .. } => {
                let mut ladder = MessageLadder::default();
                ladder.grow(cx.session);
                self.show(ladder, message.unwrap_or(0));
            }
            Arrival::Visit(related) => {
                let message = related.selected.and_then(|number| cx.session.find(number));
                self.show(MessageLadder::of(cx.session, &related), message.unwrap_or(0));
            }
            Arrival::Back => {}
        }
    }

    fn grown(&mut self, _: Growth, cx: &mut ScreenContext<'_>) {
        if cx.is_shown {
            self.requested.clear();
            self.ladder.grow(cx.session);
        }
    }

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => self.go(motion, cx.view.area()),
            KeyCommand::Enter => self.follow(cx),
            KeyCommand::Back => cx.request = Some(Request::Back),
            KeyCommand::Focus(_) | KeyCommand::Zoom => {}
            KeyCommand::Copy => cx.hint("nothing to copy"),
            _ => return false,
        }
        true
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        let (_, lines) = areas(cx.view.area());
        let line = self.top + usize::from(at.y.saturating_sub(lines.y));
        if let Some(arrow) = self.ladder.arrow_at(line).filter(|_| lines.contains(at)) {
            self.cursor = arrow;
        }
    }

    /// The cursor moves along.
    fn wheel(&mut self, _: Position, step: Step, cx: &mut ScreenContext<'_>) {
        let motion = if step == Step::Forward { Motion::Down } else { Motion::Up };
        for _ in 0..WHEEL {
            self.go(motion, cx.view.area());
        }
    }

    fn answer(&mut self, answer: Answer, _: &mut ScreenContext<'_>) {
        if let Answer::Rows(rows) = answer {
            self.ladder.read = rows;
        }
    }

    fn exportable(&self, _: &ViewState) -> Exportable {
        let MessageLadder { of, arrows: count, .. } = &self.ladder;
        let gap = if of.is_empty() { "" } else { " of " };
        let text = format!("{}{gap}{of}", counted(*count as u64, "message"));
        Exportable { is_known: true, is_messages: true, count: *count, text }
    }

    fn export(&self, session: &Session) -> Option<SessionExport> {
        let selection = match &self.ladder.only {
            Some(only) => Selection::Some(only.iter().map(|index| *index as u32).collect()),
            None => Selection::All(session.gone()..session.len()),
        };
        SessionExport::of_messages("messages", selection)
    }

    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        let (_, area) = areas(cx.view.area());
        let height = usize::from(area.height);
        self.cursor = self.cursor.min(self.ladder.arrows.saturating_sub(1));
        self.top = clamped_top(self.top, self.line(), height, self.ladder.rows.len());
        let rows = (self.top..self.top + height).map_while(|line| self.ladder.rows.at(line));
        let rows: Vec<_> = rows.collect();
        let message = |row: &LadderRow| match row {
            LadderRow::Arrow(arrow) => self.ladder.message(*arrow),
            LadderRow::Pause(_) => None,
        };
        let visible: Vec<_> = rows.iter().filter_map(message).collect();
        if visible != self.requested {
            self.requested.clone_from(&visible);
            return cx.effects.push(Effect::Read(visible));
        }
        let ladder = Ladder::new(self.ladder.ends, self.ladder.begin, usize::from(area.width));
        self.head = ladder.head().into();
        let lines = rows.into_iter().map(|row| self.ladder.line(cx.session, &ladder, row));
        self.lines = lines.collect();
    }

    fn draw(&self, _: &ViewState, area: Rect, buffer: &mut Buffer) {
        let (head, area) = areas(area);
        if self.ladder.arrows == 0 {
            return Painter::at(buffer, head, 0).write("no message yet", style::DIM);
        }
        for (y, line) in (0..head.height).zip(&self.head) {
            Painter::at(buffer, head, y).runs(line);
        }
        let cursor = self.line();
        for ((y, at), line) in (0..area.height).zip(self.top..).zip(&self.lines) {
            Painter::at(buffer, area, y).runs(line);
            if at == cursor {
                Painter::at(buffer, area, y).paint(style::CURSOR);
            }
        }
        // Its title is above the numbers and times, where the head is empty.
        let title = if self.ladder.of.is_empty() { "all messages" } else { &self.ladder.of };
        let space = blanks(self.head.first()).min(usize::from(head.width)).saturating_sub(1);
        Painter::at(buffer, head, 0).write(&fit(title, space), style::DIM);
    }
}

/// The two lines of the head, and the lines below.
fn areas(area: Rect) -> (Rect, Rect) {
    split_top(area, 2)
}

/// How many columns at the left of a line are blank.
fn blanks(line: Option<&Runs>) -> usize {
    let text: String = line.into_iter().flatten().map(|run| run.text.as_str()).collect();
    width(&text) - width(text.trim_start())
}

fn arrow<'a>(header: &MessageHeader, text: &'a str) -> Arrow<'a> {
    let MessageHeader { number, time, direction, source, destination, name, .. } = *header;
    Arrow { number, time, direction, source, destination, name, text, outcome: None }
}
