//! The messages in a list, and the selected one as fields and bytes.

mod annotated;
mod bytes;
mod columns;
mod commands;
mod detail;
mod draw;
mod editing;
mod fields;
mod footer;
mod list;
mod moves;
pub mod open;
mod panes;
mod rows;
mod work;

use std::collections::BTreeMap;
use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub use self::columns::MessageColumn;
use self::editing::Edits;
use self::footer::{DETAIL_KEYS, LIST_KEYS};
use self::open::{OpenMessage, Pane};
pub use self::work::{begin_search, begin_sort};
use super::arrangement::{Arrangement, search_order};
use super::links::{LinkTarget, RowOrigin};
use super::related::RelatedMessages;
use super::screen::{
    Arrival, Bookmark, ColumnChoice, CopyTexts, FilterChange, FooterKeys, MESSAGES, Screen,
    ScreenContext, ScreenInfo, SearchFrom, Sort, TypedPosition, distinct_columns, position,
};
use crate::action::{Answer, Effect, KeyCommand, MessageRow, Motion};
use crate::comparison::ComparedMessages;
use crate::export::{Exportable, SinglePacket};
use crate::format::MessageView;
use crate::search::SearchQuery;
use crate::session::Growth;
use crate::text::{counted, grouped};
use crate::typing::EditForm;
use crate::view_state::ViewState;
use crate::widgets::scroll::Scroll;
use crate::widgets::table::{ColumnWidths, Runs};
use analysis::{BytePlace, Session};
use export::{Selection, SessionExport};
use text::escaped;

pub const INFO: ScreenInfo = ScreenInfo {
    name: MESSAGES,
    new: || Box::new(Messages { columns: MessageColumn::usual(), ..Messages::default() }),
};

#[derive(Default)]
struct Messages {
    scroll: Scroll,
    /// Whether the cursor stays at the end while the session grows.
    follow: bool,
    /// How many messages the session has, and how many of the oldest are dropped.
    total: usize,
    gone: usize,
    /// The order of the list, if it is sorted.
    arrangement: Arrangement,
    /// The range of rows that was requested, these rows, and their cells.
    requested: Range<usize>,
    rows: Vec<MessageRow>,
    cells: Vec<Vec<Runs>>,
    /// The columns that are shown, and how much is scrolled out of sight.
    columns: Vec<MessageColumn>,
    scrolled: usize,
    widths: ColumnWidths,
    /// Whether rows must be read again.
    stale: bool,
    /// The message under the cursor.
    open: Option<OpenMessage>,
    focus: Pane,
    /// Whether the focused pane fills the screen.
    zoom: bool,
    /// The message to be selected, until its row is known.
    anchor: Option<usize>,
    /// What the message being opened was found by, so that its field is selected.
    found_by: Option<SearchQuery>,
    /// The bytes to select in the message being opened.
    place: Option<BytePlace>,
    /// The messages that were edited, by their session indices.
    edits: BTreeMap<usize, Edits>,
    /// The messages of the row that led here.
    related: RelatedMessages,
}

impl Screen for Messages {
    fn keys(&self) -> FooterKeys {
        if self.focus == Pane::List { LIST_KEYS } else { DETAIL_KEYS }
    }

    fn position(&self, view: &ViewState) -> String {
        let following = if self.follow { "following" } else { "" };
        let list = self.list(view);
        let begin = list.begin();
        let len = list.len().saturating_sub(begin);
        if len == 0 {
            let filtered = || format!("0 of {}", counted(view.kept() as u64, "message"));
            return view.filter.as_ref().map_or(following.to_owned(), |_| filtered());
        }
        let gap = if self.follow { " · " } else { "" };
        format!(
            "{following}{gap}{}",
            position(self.scroll.cursor.saturating_sub(begin), len, "message")
        )
    }

    fn cursor(&self) -> Option<usize> {
        Some(self.scroll.cursor)
    }

    fn filtered(&self, view: &ViewState) -> String {
        match &view.filter {
            Some(_) => view.of_kept(view.matching()),
            None => counted(view.kept() as u64, "message"),
        }
    }

    fn origin(&mut self, cx: &mut ScreenContext<'_>) -> Option<RowOrigin> {
        let message = self.list(cx.view).message_at(self.scroll.cursor)?;
        let subject = RowOrigin::of_message(message, &cx.session.header(message)?, cx.session);
        let subject = subject.with_edits(self.edits.get(&message));
        let open = self.open.as_ref().filter(|open| open.index == message);
        match open.filter(|_| self.focus != Pane::List) {
            Some(open) => Some(RowOrigin { term: open.term(self.focus), ..subject }),
            None => Some(subject),
        }
    }

    /// The messages of its exchange.
    fn related(&mut self, cx: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        self.related_messages(cx)
    }

    fn bookmark(&self, view: &ViewState) -> Bookmark {
        let row = self.scroll.cursor.checked_sub(self.requested.start);
        let number = row.and_then(|row| self.rows.get(row)).map(|row| row.header.number);
        let open = self.open.as_ref().map(|open| open.header.number);
        match number.or(open).filter(|_| self.list(view).len() > 0) {
            Some(number) => Bookmark::Message(number, self.related.clone()),
            None => Bookmark::Nowhere,
        }
    }

    fn restore(&mut self, to: &Bookmark, cx: &mut ScreenContext<'_>) {
        if let Bookmark::Message(number, related) = to {
            self.related.clone_from(related);
            if let Some(message) = cx.session.find(*number) {
                self.go_to_message(message, cx);
            }
        }
    }

    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>) {
        self.zoom = false;
        let Arrival::Visit(LinkTarget::Messages(related)) = arrival else {
            return;
        };
        self.focus = Pane::List;
        let first = related.first(cx.session);
        self.place = related.place;
        if !related.of.is_empty() {
            cx.hint(match related.numbers.len() {
                1 => format!("the message of {}; Esc goes back", related.of),
                n => format!("1 of {n} of {}; ] shows the next, Esc goes back", related.of),
            });
            self.related = related;
        }
        if let Some(message) = first {
            self.go_to_message(message, cx);
            self.select_place(message, cx.view);
        }
    }

    fn forget(&mut self, _: &mut ScreenContext<'_>) {
        let columns = std::mem::take(&mut self.columns);
        *self = Self { columns, ..Self::default() };
    }

    /// Late data may have reclassified earlier messages.
    fn grown(&mut self, growth: Growth, cx: &mut ScreenContext<'_>) {
        let known = &cx.view.known;
        (self.total, self.gone) = (known.messages, known.gone);
        let is_done = known.is_done;
        if growth.is_first {
            // Of an earlier reading, if the input is read again.
            self.open = None;
            self.select(0, cx);
        }
        if self.arrangement.sort().is_some() {
            self.arrange(cx);
        }
        if self.follow {
            self.select(usize::MAX, cx);
            self.follow = !is_done;
        } else if self.scroll.cursor < self.list(cx.view).begin() {
            self.select(self.scroll.cursor, cx);
        }
        if let Some(open) = &mut self.open
            && let Some(header) = cx.session.header(open.index)
        {
            open.header = header;
        }
        self.stale = true;
    }

    fn refilter(&mut self, change: FilterChange, cx: &mut ScreenContext<'_>) {
        self.refiltered(change, cx);
    }

    fn reformat(&mut self, cx: &mut ScreenContext<'_>) {
        self.widths.clear();
        self.stale = true;
        if let Some(open) = &mut self.open
            && open.shows_secrets() != cx.view.shows_secrets
        {
            cx.effects.push(Effect::Open(open.index, cx.view.format.separators));
        }
        self.keep_cursors(cx.view);
    }

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => self.go(motion, cx),
            KeyCommand::Related(step) => self.step_related(step, cx),
            KeyCommand::Focus(step) => self.focus_next(step, cx.view),
            KeyCommand::Enter => self.enter_item(cx.view),
            KeyCommand::Close => return self.close(),
            KeyCommand::Zoom => self.zoom = !self.zoom,
            KeyCommand::Resize(axis, step) => self.resize(axis, step, cx),
            KeyCommand::AddColumn => self.add_column(cx),
            KeyCommand::Request => self.go_to_request(cx),
            KeyCommand::Follow => self.toggle_follow(cx),
            KeyCommand::MessageView => self.show_next_view(cx),
            KeyCommand::Separators => self.toggle_separators(cx),
            KeyCommand::Copy => self.copy(cx),
            KeyCommand::Undo => self.undo(cx),
            _ => return false,
        }
        self.keep_cursors(cx.view);
        true
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        self.click_pane(at, cx);
        self.keep_cursors(cx.view);
    }

    fn is_in_rows(&self, at: Position, view: &ViewState) -> bool {
        let panes = self.panes(view.area(), view);
        panes.at(at).is_some_and(|(_, _, inside)| inside.is_some())
    }

    fn drag(&mut self, from: Position, to: Position, cx: &mut ScreenContext<'_>) {
        self.drag_line(from, to, cx.view);
        self.keep_cursors(cx.view);
    }

    fn wheel(&mut self, at: Position, motion: Motion, cx: &mut ScreenContext<'_>) {
        self.wheel_pane(at, motion, cx.view);
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
            Answer::Found(Some(message)) => self.found(message, cx),
            Answer::Arranged(order) => self.arranged(order, cx),
            _ => {}
        }
    }

    fn search(&mut self, query: &SearchQuery, from: SearchFrom, cx: &mut ScreenContext<'_>) {
        let list = self.list(cx.view);
        let rows = search_order(self.scroll.cursor, from, list.begin()..list.len());
        let messages: Vec<_> =
            rows.filter_map(|row| list.message_at(row)).map(|at| at as u32).collect();
        begin_search(query, messages, cx);
    }

    fn copies(&self, view: &ViewState) -> Option<Result<(String, CopyTexts), String>> {
        Some(self.copy_texts(view))
    }

    fn packet(&self, view: &ViewState) -> Option<SinglePacket> {
        self.single_packet(view)
    }

    fn editable(&self, form: EditForm, view: &ViewState) -> Result<(String, String), String> {
        self.edit_text(form, view)
    }

    fn edit(
        &mut self,
        form: EditForm,
        text: &str,
        cx: &mut ScreenContext<'_>,
    ) -> Result<(), String> {
        self.edit_with(form, text, cx)
    }

    fn compare_bytes(
        &mut self,
        other: Option<(Vec<u8>, String)>,
        cx: &mut ScreenContext<'_>,
    ) -> Option<ComparedMessages> {
        self.compared(other, cx)
    }

    fn go_to(&mut self, to: TypedPosition, cx: &mut ScreenContext<'_>) -> Result<(), String> {
        if let TypedPosition::Offset(offset) = to {
            return self.go_to_offset(offset, cx.view);
        }
        let message = to.message(cx)?;
        self.go_to_message(message, cx);
        Ok(())
    }

    fn columns(&self) -> Option<ColumnChoice<'_>> {
        Some(ColumnChoice {
            shown: self.columns.iter().map(MessageColumn::name).collect(),
            others: MessageColumn::others(&self.columns),
            sort: self.arrangement.sort(),
            takes_names: true,
        })
    }

    fn choose_columns(&mut self, names: &[String]) -> Result<(), String> {
        self.columns = distinct_columns(names, MessageColumn::named)?;
        self.scrolled = 0;
        self.widths.clear();
        self.stale = true;
        Ok(())
    }

    fn sort(&mut self, sort: Option<Sort>, cx: &mut ScreenContext<'_>) -> Result<(), String> {
        let sort = sort.map(|sort| MessageColumn::sort(&sort, &self.columns)).transpose()?;
        self.arrangement.set_sort(sort);
        self.arrange(cx);
        Ok(())
    }

    fn exportable(&self, view: &ViewState) -> Exportable {
        let list = self.list(view);
        let count = list.len() - list.begin();
        let mut text = counted(count as u64, "message");
        if let Some(active) = &view.filter {
            let verb = if count == 1 { "matches" } else { "match" };
            text = format!("{text} that {verb} {}", escaped(active.filter.text()));
        }
        match &view.filter {
            Some(active) if active.tested < view.known.messages => {
                text = format!("{text}, of {} tested", grouped(active.tested as u64));
            }
            _ if !view.known.is_done => text.push_str(" so far"),
            _ => {}
        }
        Exportable { is_known: true, is_messages: true, count, text, refusal: None }
    }

    /// In the order of time: a capture has no other, and tables can be sorted by what reads them.
    fn export(&self, _: &Session, view: &ViewState) -> Option<SessionExport> {
        let selection = match &view.filter {
            None => Selection::All(self.gone..self.total),
            Some(active) => Selection::Some(active.kept(self.gone).to_vec()),
        };
        SessionExport::of_messages("messages", selection)
    }

    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        self.request_rows(cx);
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        let panes = self.panes(area, view);
        self.draw_list(view, &panes, buffer);
        self.draw_detail(view, panes.detail, buffer);
        match view.format.message {
            MessageView::Annotated => return self.draw_annotated(view, &panes, buffer),
            MessageView::Tree => self.draw_fields(view, &panes, buffer),
            MessageView::Bytes => {}
        }
        self.draw_bytes(Pane::Bytes, panes.get(Pane::Bytes), buffer);
        self.draw_bytes(Pane::Coded, panes.get(Pane::Coded), buffer);
    }
}
