//! The messages in a list, and the selected one as fields and bytes.

mod bytes;
mod commands;
mod detail;
mod draw;
mod fields;
mod filter;
mod moves;
pub mod open;
mod panes;
mod search;
mod search_state;

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use self::open::{OpenMessage, Pane};
use super::related::{RelatedMessages, exchange_of};
use super::screen::{Arrival, FooterKeys, MESSAGES, Screen, ScreenContext, ScreenInfo, position};
use crate::analysis::Session;
use crate::export::{Selection, SessionExport};
use crate::filter::Filter;
use crate::text::escaped;
use crate::tui::action::{Answer, Effect, KeyCommand, MessageRow, Step};
use crate::tui::export::Exportable;
use crate::tui::filter::ActiveFilter;
use crate::tui::session::Growth;
use crate::tui::text::{counted, grouped};
use crate::tui::view_state::{Typing, ViewState};
use crate::tui::widgets::scroll::Scroll;
use crate::tui::widgets::table::{ColumnWidths, Runs};
use panes::Panes;
use search_state::Search;

pub const INFO: ScreenInfo =
    ScreenInfo { name: MESSAGES, help: "the messages", new: || Box::new(Messages::default()) };

#[derive(Default)]
struct Messages {
    scroll: Scroll,
    /// Whether the cursor stays at the end while the session grows.
    follow: bool,
    /// How many messages the session has, and how many of the oldest are dropped.
    total: usize,
    gone: usize,
    /// The range of rows that was requested, these rows, and their cells.
    requested: Range<usize>,
    rows: Vec<MessageRow>,
    cells: Vec<Vec<Runs>>,
    widths: ColumnWidths,
    /// Whether rows must be read again.
    stale: bool,
    /// The message under the cursor.
    open: Option<OpenMessage>,
    focus: Pane,
    /// Whether the focused pane fills the screen.
    zoom: bool,
    active: Option<ActiveFilter>,
    search: Search,
    /// The messages of the row that led here.
    related: RelatedMessages,
}

impl Messages {
    /// How many rows the list has.
    fn len(&self) -> usize {
        self.active.as_ref().map_or(self.total, ActiveFilter::len)
    }

    /// The first row that still exists: a long live capture drops the oldest messages.
    fn begin(&self) -> usize {
        self.active.as_ref().map_or(self.gone, |filter| filter.begin(self.gone))
    }

    /// The session index of the message in a row.
    fn message_at(&self, row: usize) -> Option<usize> {
        match &self.active {
            Some(filter) => filter.message_at(row),
            None => Some(row).filter(|row| *row < self.total),
        }
    }

    /// The row of a message, unless the filter hides it.
    fn row_of(&self, message: usize) -> Option<usize> {
        self.active.as_ref().map_or(Some(message), |filter| filter.row_of(message))
    }

    fn panes(&self, area: Rect) -> Panes {
        let has_coded = self.open.as_ref().is_some_and(OpenMessage::has_coded);
        Panes::of(area, self.focus, self.zoom, has_coded)
    }

    fn opened(&mut self, mut open: OpenMessage, cx: &ScreenContext<'_>) {
        if self.search.opens_match {
            self.search.opens_match = false;
            open.go_to_match(&self.search.query);
        } else if let Some(before) = &self.open {
            open.go_like(before);
        }
        if self.focus == Pane::Coded && !open.has_coded() {
            self.focus = Pane::Bytes;
        }
        let layer = self.focus.layer();
        if matches!(self.focus, Pane::Bytes | Pane::Coded) && open.layer != layer {
            open.go_to_byte(layer, 0);
        }
        self.open = Some(open);
        self.keep_cursors(cx.view.area());
    }

    /// The time of the message in the row before this one.
    fn time_before(&self, row: usize, session: &Session) -> Option<i64> {
        session.time(self.message_at(row.checked_sub(1)?)?)
    }
}

impl Screen for Messages {
    fn keys(&self) -> FooterKeys {
        match self.focus {
            Pane::List => &[
                (KeyCommand::Focus(Step::Forward), "pane"),
                (KeyCommand::Enter, "open"),
                (KeyCommand::Ladder, "ladder"),
                (KeyCommand::Search, "search"),
                (KeyCommand::Filter, "filter"),
                (KeyCommand::Export, "export"),
                (KeyCommand::Reasons, "reasons"),
                (KeyCommand::Times, "times"),
                (KeyCommand::Zoom, "zoom"),
                (KeyCommand::Help, "help"),
                (KeyCommand::Quit, "quit"),
            ],
            _ => &[
                (KeyCommand::Focus(Step::Forward), "pane"),
                (KeyCommand::Back, "list"),
                (KeyCommand::Search, "search"),
                (KeyCommand::Zoom, "zoom"),
                (KeyCommand::Copy, "copy"),
                (KeyCommand::Help, "help"),
                (KeyCommand::Quit, "quit"),
            ],
        }
    }

    fn position(&self) -> String {
        let following = if self.follow { "following" } else { "" };
        if self.len() == 0 {
            return following.to_owned();
        }
        let gap = if self.follow { " · " } else { "" };
        format!("{following}{gap}{}", position(self.scroll.cursor, self.len(), "message"))
    }

    fn search_state(&self) -> Option<String> {
        let running = self.search.running.as_ref()?;
        let len = self.len().max(1);
        let percent = 100 * (len - running.left.min(len)) / len;
        Some(format!("searching {percent}%, Esc stops"))
    }

    /// The filter, `4 of 400 messages`, and the progress of filtering.
    fn filter_state(&self, view: &ViewState) -> Option<(String, String)> {
        let active = self.active.as_ref()?;
        let all = view.known.messages;
        let of = counted(all as u64, "message");
        let percent = 100 * active.tested / all.max(1);
        let so_far = if percent < 100 { format!(", {percent}% tested") } else { String::new() };
        let state = format!("{} of {of}{so_far}", grouped(active.len() as u64));
        Some((active.filter.text().to_owned(), state))
    }

    fn message(&self) -> Option<usize> {
        self.message_at(self.scroll.cursor)
    }

    /// The messages of its exchange.
    fn related(&mut self, cx: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        let open = self.open.as_ref()?;
        if cx.session.index().is_none() {
            cx.hint_no_index();
            return None;
        }
        if let Some(exchange) = exchange_of(cx.session, &open.header) {
            let selected = Some(open.header.number);
            return Some(RelatedMessages { selected, ..RelatedMessages::of_exchange(&exchange) });
        }
        let index = cx.view.known.index;
        if !index.is_final && index.reach.is_some_and(|reach| reach <= open.index) {
            cx.hint_no_index();
        } else {
            cx.hint("this message belongs to no exchange");
        }
        None
    }

    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>) {
        self.zoom = false;
        let Arrival::Visit(related) = arrival else {
            return;
        };
        self.focus = Pane::List;
        let first = related.first(cx.session);
        if !related.of.is_empty() {
            cx.hint(match related.numbers.len() {
                1 => format!("the message of {}; Esc goes back", related.of),
                n => format!("1 of {n} of {}; ] shows the next, Esc goes back", related.of),
            });
            self.related = related;
        }
        if let Some(message) = first {
            self.go_to_message(message, cx);
        }
    }

    /// Late data may have reclassified earlier messages.
    fn grown(&mut self, growth: Growth, cx: &mut ScreenContext<'_>) {
        let known = &cx.view.known;
        (self.total, self.gone) = (known.messages, known.gone);
        let is_done = known.is_done;
        if growth.is_first {
            self.select(0, cx);
        }
        let needs_index = self.active.as_ref().is_some_and(|a| a.filter.needs_analysis());
        if growth.is_end || growth.is_indexed && needs_index {
            self.filter_again(cx);
        } else {
            self.filter_more(cx);
        }
        if self.follow {
            self.select(usize::MAX, cx);
            self.follow = !is_done;
        } else if self.scroll.cursor < self.gone {
            self.select(self.scroll.cursor, cx);
        }
        if let Some(open) = &mut self.open
            && let Some(header) = cx.session.header(open.index)
        {
            open.header = header;
        }
        self.stale = true;
    }

    fn reformat(&mut self, cx: &mut ScreenContext<'_>) {
        self.widths.clear();
        self.stale = true;
        self.keep_cursors(cx.view.area());
    }

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => self.go(motion, cx),
            KeyCommand::Related(step) => self.step_related(step, cx),
            KeyCommand::Focus(step) => self.focus_next(step),
            KeyCommand::Enter => self.enter_item(),
            KeyCommand::Back => self.back(cx),
            KeyCommand::Zoom => self.zoom = !self.zoom,
            KeyCommand::Search => self.begin_search(cx),
            KeyCommand::Filter => {
                self.search.running = None;
                let now = self.active.as_ref().map_or("", |active| active.filter.text());
                cx.view.typing = Some(Typing::filter(now));
            }
            KeyCommand::SearchAgain(step) => self.search_again(step, cx),
            KeyCommand::Request => self.go_to_request(cx),
            KeyCommand::Follow => self.toggle_follow(cx),
            KeyCommand::Separators => self.toggle_separators(cx),
            KeyCommand::Copy => self.copy(false, cx),
            KeyCommand::CopyHex => self.copy(true, cx),
            _ => return false,
        }
        self.keep_cursors(cx.view.area());
        true
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        self.click_pane(at, cx);
        self.keep_cursors(cx.view.area());
    }

    fn wheel(&mut self, at: Position, step: Step, cx: &mut ScreenContext<'_>) {
        self.wheel_pane(at, step, cx.view.area());
    }

    fn answer(&mut self, answer: Answer, cx: &mut ScreenContext<'_>) {
        match answer {
            Answer::Rows(rows) => {
                self.rows = rows;
                self.write_cells(cx);
            }
            Answer::Opened(open) => self.opened(*open, cx),
            Answer::Unreadable(why) => {
                self.open = None;
                cx.hint(why);
            }
            Answer::Searched(found) => self.searched(found, cx),
            Answer::Filtered(found, tested) => self.filtered(found, tested, cx),
        }
    }

    fn search(&mut self, text: Option<&str>, cx: &mut ScreenContext<'_>) {
        match text {
            Some(text) => self.search_typed(text, cx),
            None => self.cancel_search(cx),
        }
    }

    fn filter(&mut self, filter: Option<Filter>, cx: &mut ScreenContext<'_>) {
        if filter.as_ref().is_some_and(Filter::needs_analysis) {
            cx.request_index();
        }
        self.show_only(filter, cx);
    }

    fn exportable(&self, view: &ViewState) -> Exportable {
        let count = self.len() - self.begin();
        let mut text = counted(count as u64, "message");
        if let Some(active) = &self.active {
            let verb = if count == 1 { "matches" } else { "match" };
            text = format!("{text} that {verb} {}", escaped(active.filter.text()));
        }
        match &self.active {
            Some(active) if active.tested < view.known.messages => {
                text = format!("{text}, of {} tested", grouped(active.tested as u64));
            }
            _ if !view.known.is_done => text.push_str(" so far"),
            _ => {}
        }
        Exportable { is_known: true, is_messages: true, count, text }
    }

    fn export(&self, _: &Session) -> Option<SessionExport> {
        let selection = match &self.active {
            None => Selection::All(self.begin()..self.len()),
            Some(active) => {
                Selection::Some(active.messages().get(self.begin()..).unwrap_or_default().to_vec())
            }
        };
        SessionExport::of_messages("messages", selection)
    }

    /// Requests the visible rows that were not read yet.
    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        let height = usize::from(self.panes(cx.view.area()).body(Pane::List).height);
        let len = self.len();
        let visible = self.scroll.top.min(len)..(self.scroll.top + height).min(len);
        if self.stale || visible != self.requested {
            self.stale = false;
            self.requested = visible.clone();
            let messages = visible.filter_map(|row| self.message_at(row)).collect();
            cx.effects.push(Effect::Read(messages));
        }
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        let panes = self.panes(area);
        self.draw_list(view, &panes, buffer);
        self.draw_detail(view.format.texts, panes.detail, buffer);
        self.draw_fields(view, &panes, buffer);
        self.draw_bytes(Pane::Bytes, panes.get(Pane::Bytes), buffer);
        self.draw_bytes(Pane::Coded, panes.get(Pane::Coded), buffer);
    }
}
