//! The sequence diagram: of an exchange, of a row's messages, or of the whole capture. Only visible
//! lines, and of these only the lifelines of visible hosts, are drawn.

mod draw;
mod message_ladder;
mod moves;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::arrangement::search_order;
use super::links::{LinkTarget, RowOrigin};
use super::messages::{MessageColumn, begin_search, begin_sort};
use super::related::RelatedMessages;
use super::screen::{
    Arrival, Bookmark, ColumnChoice, FilterChange, FooterKeys, LADDER, Screen, ScreenContext,
    ScreenInfo, SearchFrom, Sort, TypedPosition, position,
};
use crate::action::{Answer, Effect, KeyCommand, Motion};
use crate::export::Exportable;
use crate::format::Format;
use crate::layout::split_top;
use crate::search::SearchQuery;
use crate::session::Growth;
use crate::text::counted;
use crate::view_state::ViewState;
use crate::widgets::scroll::{WHEEL, clamped_top};
use crate::widgets::table::Runs;
use analysis::Session;
use export::ladder::{arrow, exchange_of};
use export::{Selection, SessionExport};
use render::ladder::{Ladder, LadderRow};

use message_ladder::messages_of;

pub use message_ladder::MessageLadder;

pub const INFO: ScreenInfo = ScreenInfo { name: LADDER, new: || Box::new(LadderScreen::default()) };

/// The ladder, and the cursor on it.
#[derive(Default)]
struct LadderScreen {
    ladder: MessageLadder,
    /// The row whose messages it shows; nothing for all messages.
    related: Option<RelatedMessages>,
    /// The arrow under the cursor, and the first visible line.
    cursor: usize,
    top: usize,
    /// Whether the display filter has changed since it was shown.
    is_stale: bool,
    /// The order of its arrows; nothing for that of time.
    sort: Option<Sort>,
    /// Whether the cursor stays at the end while the session grows.
    follow: bool,
    /// The first visible host, and whether it stays there when the cursor moves.
    first: usize,
    is_fixed: bool,
    /// The messages that were requested for the visible arrows.
    requested: Vec<usize>,
    /// The two lines of the head, and the visible lines.
    head: Vec<Runs>,
    lines: Vec<Runs>,
    /// Which of the hosts are visible, in words; empty if all are.
    hosts: String,
}

impl LadderScreen {
    /// The messages of a row, or of all, that match the display filter; nothing for all messages.
    fn selected(related: Option<&RelatedMessages>, cx: &ScreenContext<'_>) -> Option<Vec<usize>> {
        let active = cx.view.filter.as_ref();
        let is_shown = |at: &usize| active.is_none_or(|active| active.row_of(*at).is_some());
        match (related, active) {
            (Some(of), _) => Some(messages_of(cx.session, of).filter(is_shown).collect()),
            (None, Some(active)) => {
                let kept = active.kept(cx.session.gone()).iter();
                Some(kept.map(|at| *at as usize).collect())
            }
            (None, None) => None,
        }
    }

    /// Shows the ladder of the messages of a row, or of all, that match the display filter, with
    /// the cursor at a message.
    fn show(
        &mut self,
        related: Option<RelatedMessages>,
        message: usize,
        cx: &mut ScreenContext<'_>,
    ) {
        let only = Self::selected(related.as_ref(), cx);
        let ladder = match (&related, only) {
            (Some(related), Some(only)) => MessageLadder::of_row(cx.session, related, only),
            (_, only) => MessageLadder::of_all(cx.session, only),
        };
        let (cursor, sort) = (ladder.arrow_of(message), self.sort.take());
        *self = Self { ladder, related, cursor, sort, ..Self::default() };
        self.arrange(cx);
    }

    /// Begins to sort the messages, if they are to be sorted.
    fn arrange(&self, cx: &mut ScreenContext<'_>) {
        let Some(sort) = &self.sort else { return };
        let all = || (cx.session.gone()..cx.session.len()).collect();
        let messages = Self::selected(self.related.as_ref(), cx).unwrap_or_else(all);
        begin_sort(sort, messages.into_iter().map(|at| at as u32).collect(), cx);
    }

    /// The session index of the message under the cursor.
    fn message(&self) -> Option<usize> {
        self.ladder.message(self.cursor).filter(|_| self.ladder.arrows > 0)
    }

    /// The line under the cursor.
    fn line(&self) -> usize {
        self.ladder.rows.line_of(self.cursor)
    }

    /// The ladder, scrolled sideways to the arrow under the cursor.
    fn scrolled(&self, session: &Session, columns: usize, format: Format) -> Ladder<'_> {
        let ladder = self.ladder.in_columns(columns, self.first, format);
        match self.ladder.header(session, self.cursor) {
            Some(header) if !self.is_fixed => {
                let first = ladder.first_for(&arrow(&header, "", None));
                self.ladder.in_columns(columns, first, format)
            }
            _ => ladder,
        }
    }

    /// Goes to the message of the arrow.
    fn follow(&self, cx: &mut ScreenContext<'_>) {
        if let Some(header) = self.ladder.header(cx.session, self.cursor) {
            let related = RelatedMessages::new(String::new(), vec![header.number]);
            cx.request = Some(LinkTarget::Messages(related));
        }
    }
}

impl Screen for LadderScreen {
    fn keys(&self) -> FooterKeys {
        &[
            (KeyCommand::Enter, "messages"),
            (KeyCommand::Links, "go to"),
            (KeyCommand::Search, "search"),
            (KeyCommand::Filter, "filter"),
            (KeyCommand::Move(Motion::Right), "sideways"),
            (KeyCommand::Export, "save"),
            (KeyCommand::Help, "help"),
            (KeyCommand::Quit, "quit"),
        ]
    }

    fn position(&self, view: &ViewState) -> String {
        let following = if self.follow { "following · " } else { "" };
        let first = self.ladder.first(view.known.gone);
        let (at, len) = (self.cursor.saturating_sub(first), self.ladder.arrows - first);
        format!("{following}{}", position(at, len, "message"))
    }

    fn cursor(&self) -> Option<usize> {
        Some(self.cursor)
    }

    fn filtered(&self, view: &ViewState) -> String {
        view.of_kept(self.ladder.arrows - self.ladder.first(view.known.gone))
    }

    fn origin(&mut self, cx: &mut ScreenContext<'_>) -> Option<RowOrigin> {
        let message = self.message()?;
        let header = cx.session.header(message)?;
        Some(RowOrigin::of_message(message, &header, cx.session))
    }

    fn related(&mut self, cx: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        let header = cx.session.header(self.message()?)?;
        let Some(exchange) = exchange_of(cx.session, &header) else {
            cx.hint("this message belongs to no exchange");
            return None;
        };
        let selected = Some(header.number);
        Some(RelatedMessages { selected, ..RelatedMessages::of_exchange(&exchange) })
    }

    fn bookmark(&self, _: &ViewState) -> Bookmark {
        let number = self.ladder.read.iter().find(|row| Some(row.index) == self.message());
        Bookmark::Ladder(self.related.clone(), number.map_or(0, |row| row.header.number))
    }

    fn restore(&mut self, to: &Bookmark, cx: &mut ScreenContext<'_>) {
        if let Bookmark::Ladder(related, number) = to {
            let message = cx.session.find(*number).unwrap_or(0);
            if *related == self.related && !self.is_stale {
                self.cursor = self.ladder.arrow_of(message);
            } else {
                self.show(related.clone(), message, cx);
            }
        }
    }

    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>) {
        match arrival {
            Arrival::Key { is_shown: true, .. } if self.related.is_none() => {}
            Arrival::Key { message, .. } => self.show(None, message.unwrap_or(0), cx),
            Arrival::Visit(LinkTarget::Ladder(related)) => {
                let message = related.selected.and_then(|number| cx.session.find(number));
                self.show(Some(related), message.unwrap_or(0), cx);
            }
            Arrival::Visit(_) => {}
        }
    }

    fn grown(&mut self, growth: Growth, cx: &mut ScreenContext<'_>) {
        if growth.is_end {
            self.ladder.forget_hosts();
        }
        if cx.is_shown && self.sort.is_some() {
            self.arrange(cx);
        } else if cx.is_shown {
            self.requested.clear();
            self.ladder.grow(cx.session);
            if self.follow {
                self.cursor = self.ladder.arrows.saturating_sub(1);
                self.follow = !cx.view.known.is_done;
            }
        }
    }

    fn refilter(&mut self, _: FilterChange, cx: &mut ScreenContext<'_>) {
        if cx.is_shown {
            let (related, message) = (self.related.clone(), self.message().unwrap_or(0));
            self.show(related, message, cx);
        } else {
            self.is_stale = true;
        }
    }

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => {
                self.go(motion, cx.view.area());
                if !self.is_fixed {
                    self.follow = motion == Motion::Last && !cx.view.known.is_done;
                }
            }
            KeyCommand::Follow if cx.view.known.is_done => cx.hint("everything has been read"),
            KeyCommand::Follow => {
                self.follow = !self.follow;
                if self.follow {
                    self.cursor = self.ladder.arrows.saturating_sub(1);
                }
            }
            KeyCommand::Enter => self.follow(cx),
            KeyCommand::Focus(_) | KeyCommand::Zoom => {}
            KeyCommand::Copy => self.copy(cx),
            _ => return false,
        }
        true
    }

    fn search(&mut self, query: &SearchQuery, from: SearchFrom, cx: &mut ScreenContext<'_>) {
        let first = self.ladder.first(cx.view.known.gone);
        let arrows = search_order(self.cursor, from, first..self.ladder.arrows);
        let messages = arrows.filter_map(|arrow| self.ladder.message(arrow));
        begin_search(query, messages.map(|at| at as u32).collect(), cx);
    }

    fn go_to(&mut self, to: TypedPosition, cx: &mut ScreenContext<'_>) -> Result<(), String> {
        let message = to.message(cx)?;
        self.cursor = self.ladder.arrow_of(message);
        Ok(())
    }

    fn sort_columns(&self) -> Option<ColumnChoice<'_>> {
        let shown = MessageColumn::usual().iter().map(MessageColumn::name).collect();
        let (others, sort) = (Vec::new(), self.sort.as_ref());
        Some(ColumnChoice { shown, others, sort, takes_names: true })
    }

    fn sort(&mut self, sort: Option<Sort>, cx: &mut ScreenContext<'_>) -> Result<(), String> {
        self.sort = sort.map(|sort| MessageColumn::sort(&sort, &[])).transpose()?;
        if self.sort.is_some() {
            self.arrange(cx);
        } else {
            let (related, message) = (self.related.clone(), self.message().unwrap_or(0));
            self.show(related, message, cx);
        }
        Ok(())
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        let (_, lines) = areas(cx.view.area());
        let line = self.top + usize::from(at.y.saturating_sub(lines.y));
        if let Some(arrow) = self.ladder.arrow_at(line).filter(|_| lines.contains(at)) {
            (self.cursor, self.is_fixed) = (arrow, false);
        }
    }

    /// The cursor moves along.
    fn wheel(&mut self, _: Position, motion: Motion, cx: &mut ScreenContext<'_>) {
        for _ in 0..WHEEL {
            self.go(motion, cx.view.area());
        }
    }

    fn answer(&mut self, answer: Answer, cx: &mut ScreenContext<'_>) {
        match answer {
            Answer::Rows(rows) => self.ladder.read = rows,
            Answer::Arranged(order) => {
                let message = self.message().unwrap_or(0);
                self.ladder = std::mem::take(&mut self.ladder).sorted(&order, cx.session);
                self.cursor = self.ladder.arrow_of(message);
                self.requested.clear();
            }
            Answer::Found(Some(message)) => self.cursor = self.ladder.arrow_of(message),
            _ => {}
        }
    }

    fn exportable(&self, view: &ViewState) -> Exportable {
        let MessageLadder { of, arrows, .. } = &self.ladder;
        let count = arrows - self.ladder.first(view.known.gone);
        let gap = if of.is_empty() { "" } else { " of " };
        let text = format!("{}{gap}{of}", counted(count as u64, "message"));
        Exportable { is_known: true, is_messages: true, count, text, refusal: None }
    }

    /// In the order of time, as a capture has it.
    fn export(&self, session: &Session, _: &ViewState) -> Option<SessionExport> {
        let selection = match &self.ladder.only {
            Some(only) => {
                let mut only: Vec<u32> = only.iter().map(|index| *index as u32).collect();
                only.sort_unstable();
                Selection::Some(only)
            }
            None => Selection::All(session.gone()..session.len()),
        };
        SessionExport::of_messages("messages", selection)
    }

    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        let (_, area) = areas(cx.view.area());
        let height = usize::from(area.height);
        let first = self.ladder.first(cx.view.known.gone);
        self.cursor = self.cursor.min(self.ladder.arrows.saturating_sub(1)).max(first);
        self.top = clamped_top(self.top, self.line(), height, self.ladder.rows.count());
        self.top = self.top.max(self.ladder.rows.line_of(first));
        let rows = (self.top..self.top + height).map_while(|line| self.ladder.rows.at(line));
        let rows: Vec<_> = rows.collect();
        let message = |row: &LadderRow| match row {
            LadderRow::Arrow(arrow) => self.ladder.message(*arrow),
            LadderRow::Pause(_) => None,
        };
        let visible: Vec<_> = rows.iter().filter_map(message).collect();
        if visible != self.requested {
            self.requested.clone_from(&visible);
            return cx.effects.push(Effect::Read(visible, Vec::new()));
        }
        self.ladder.collect(cx.session);
        let ladder = self.scrolled(cx.session, usize::from(area.width), cx.view.format);
        let with = (&ladder, &*cx.view);
        let lines = rows.into_iter().map(|row| self.ladder.line(cx.session, with, row)).collect();
        let head = ladder.head().into();
        let visible = ladder.visible();
        let hosts = self.ladder.visible_hosts(&visible);
        (self.first, self.head, self.lines, self.hosts) = (visible.start, head, lines, hosts);
    }

    fn is_filling(&self) -> bool {
        self.ladder.is_collecting()
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        self.paint(view, area, buffer);
    }
}

/// The two lines of the head, and the lines below.
fn areas(area: Rect) -> (Rect, Rect) {
    split_top(area, 2)
}
