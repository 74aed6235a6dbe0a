//! A screen that is a table: rows above, the details of the selected row below.

mod content;
mod details;
mod rows;
mod work;

use std::marker::PhantomData;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::arrangement::Arrangement;
use super::links::{LinkTarget, RowOrigin};
use super::related::RelatedMessages;
use super::screen::{
    Arrival, Bookmark, ColumnChoice, FilterChange, FooterKeys, Screen, ScreenContext, ScreenInfo,
    SearchFrom, Sort, TypedPosition, distinct_columns, position,
};
use crate::action::{Answer, Axis, KeyCommand, Motion, Step};
use crate::export::Exportable;
use crate::layout::{TitledPane, percent};
use crate::search::SearchQuery;
use crate::session::Growth;
use crate::text::{counted, grouped};
use crate::typing::Typing;
use crate::view_state::ViewState;
use crate::widgets::painter::Painter;
use crate::widgets::scroll::{Scroll, WHEEL};
use crate::widgets::style;
use crate::widgets::table::{ColumnWidths, Runs, TableColumn};
use crate::work::{Work, WorkKind};
use analysis::Session;
use export::SessionExport;

use content::no_column;
pub use content::{RowColumn, RowContext, TableContent};
use details::RowDetails;
use rows::so_far;

/// The entry of a table in the list of screens.
pub const fn info<T: TableContent>() -> ScreenInfo {
    ScreenInfo { name: T::NAME, new: || Box::new(TableScreen::<T>::new()) }
}

struct TableScreen<T> {
    /// How many rows there are, and how the number is painted.
    len: Option<usize>,
    count_style: Style,
    /// Which rows are shown, in which order.
    arrangement: Arrangement,
    scroll: Scroll,
    /// The columns that are shown, by their indices, and how many are scrolled out of sight.
    columns: Vec<usize>,
    scrolled: usize,
    widths: ColumnWidths,
    /// The visible rows.
    rows: Vec<Vec<Runs>>,
    /// How many rows an export has.
    exported: usize,
    details: RowDetails,
    focus: FocusedPart,
    zoom: bool,
    /// Whether the cursor stays at the end while the session grows.
    follow: bool,
    /// The row to be selected when it is known where it stands.
    wanted: Option<usize>,
    table: PhantomData<T>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FocusedPart {
    Rows,
    Details,
}

/// The areas of the screen.
struct TableAreas {
    headings: Rect,
    rows: Rect,
    details: TitledPane,
}

impl<T: TableContent> Screen for TableScreen<T> {
    fn keys(&self) -> FooterKeys {
        &[
            (KeyCommand::Enter, "messages"),
            (KeyCommand::Links, "go to"),
            (KeyCommand::Search, "search"),
            (KeyCommand::Filter, "filter"),
            (KeyCommand::Sort, "sort"),
            (KeyCommand::Focus(Step::Forward), "details"),
            (KeyCommand::Ladder, "sequence"),
            (KeyCommand::Export, "export"),
            (KeyCommand::Columns, "columns"),
            (KeyCommand::Zoom, "zoom"),
            (KeyCommand::Help, "help"),
            (KeyCommand::Quit, "quit"),
        ]
    }

    fn position(&self, _: &ViewState) -> String {
        let following = if self.follow { "following · " } else { "" };
        format!("{following}{}", position(self.scroll.cursor, self.len(), T::NOUN))
    }

    fn cursor(&self) -> Option<usize> {
        Some(self.scroll.cursor)
    }

    fn count(&self, _: &ViewState) -> Option<(usize, Style)> {
        self.len.map(|len| (len, self.count_style))
    }

    fn filtered(&self, view: &ViewState) -> String {
        let all = counted(self.len.unwrap_or(0) as u64, T::NOUN);
        if let Some(active) = view.filter.as_ref().filter(|active| active.rows.is_none()) {
            // The rows are those of before.
            return format!("? of {all}{}", active.progress(view.known.messages));
        }
        format!("{} of {all}", grouped(self.len() as u64))
    }

    fn origin(&mut self, cx: &mut ScreenContext<'_>) -> Option<RowOrigin> {
        if T::len(cx.session).is_none() {
            cx.hint_no_index();
        }
        let at = self.current()?;
        Some(T::origin(&*T::row(cx.session, at)?, at, cx.session))
    }

    fn related(&mut self, cx: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        if T::len(cx.session).is_none() {
            cx.hint_no_index();
        }
        Some(T::related(&*T::row(cx.session, self.current()?)?, cx.session))
    }

    fn bookmark(&self, _: &ViewState) -> Bookmark {
        self.current().map_or(Bookmark::Nowhere, Bookmark::Row)
    }

    fn restore(&mut self, to: &Bookmark, cx: &mut ScreenContext<'_>) {
        if let Bookmark::Row(at) = to {
            self.select(*at, cx);
        }
    }

    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>) {
        self.zoom = false;
        cx.request_index();
        if let Arrival::Visit(LinkTarget::Row(_, at)) = arrival {
            self.focus = FocusedPart::Rows;
            self.select(at, cx);
        }
    }

    fn grown(&mut self, growth: Growth, cx: &mut ScreenContext<'_>) {
        let before = self.len;
        self.len = T::len(cx.session);
        self.count_style = T::count_style(cx.session);
        if cx.is_shown {
            cx.request_index();
        }
        if self.follow {
            self.scroll.cursor = self.len().saturating_sub(1);
            self.follow = !cx.view.known.is_done;
        }
        let has_changed = before != self.len || growth.is_indexed || growth.is_end;
        if has_changed && cx.view.filter.is_none() && self.arrangement.sort().is_some() {
            self.arrange(cx);
        }
    }

    fn refilter(&mut self, change: FilterChange, cx: &mut ScreenContext<'_>) {
        match change {
            FilterChange::Other | FilterChange::Complete => self.arrange(cx),
            FilterChange::More => {}
        }
    }

    fn reformat(&mut self, _: &mut ScreenContext<'_>) {
        self.widths.clear();
    }

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => {
                self.go(motion, cx.view.area(), cx.view);
                let is_in_rows = self.focus == FocusedPart::Rows;
                self.follow = is_in_rows && motion == Motion::Last && !cx.view.known.is_done;
            }
            KeyCommand::Follow if cx.view.known.is_done => cx.hint("everything has been read"),
            KeyCommand::Follow => {
                self.follow = !self.follow;
                if self.follow {
                    self.scroll.cursor = self.len().saturating_sub(1);
                }
            }
            KeyCommand::Enter => self.follow(cx),
            KeyCommand::Focus(_) => {
                self.focus = if self.focus == FocusedPart::Rows {
                    FocusedPart::Details
                } else {
                    FocusedPart::Rows
                };
            }
            KeyCommand::Close if self.focus == FocusedPart::Details => {
                self.focus = FocusedPart::Rows;
            }
            KeyCommand::Close if self.zoom => self.zoom = false,
            KeyCommand::Zoom => self.zoom = !self.zoom,
            KeyCommand::Resize(Axis::Rows, step) => cx.view.panes.change(Axis::Rows, step, 50),
            KeyCommand::Copy => self.copy(cx),
            _ => return false,
        }
        true
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        let areas = self.areas(cx.view.area(), cx.view);
        if areas.headings.contains(at) {
            if let Some(name) = self.column_at(areas.headings, at.x) {
                let now = self.arrangement.sort();
                let is_descending = match now.filter(|sort| sort.column == name) {
                    Some(sort) => !sort.is_descending,
                    None => self.begins_descending(&name),
                };
                // The column is one of this table.
                _ = self.sort(Some(Sort { column: name, is_descending }), cx);
            }
            return;
        }
        let is_in_details = areas.details.rule.contains(at) || areas.details.body.contains(at);
        self.focus = if is_in_details { FocusedPart::Details } else { FocusedPart::Rows };
        let row = self.scroll.top + usize::from(at.y.saturating_sub(areas.rows.y));
        if areas.rows.contains(at) && row < self.len() {
            self.scroll.cursor = row;
            self.details.reset();
        }
    }

    fn is_in_rows(&self, at: Position, view: &ViewState) -> bool {
        self.areas(view.area(), view).rows.contains(at)
    }

    /// Moves the line between rows and details.
    fn drag(&mut self, from: Position, to: Position, cx: &mut ScreenContext<'_>) {
        let area = cx.view.area();
        if self.areas(area, cx.view).details.rule.contains(from) && area.contains(to) {
            cx.view.panes.set(Axis::Rows, percent(to.y - area.y, area.height));
        }
    }

    /// Scrolls the part under the pointer; the cursor moves along.
    fn wheel(&mut self, at: Position, motion: Motion, cx: &mut ScreenContext<'_>) {
        let area = cx.view.area();
        let focus = self.focus;
        let is_in_details = self.areas(area, cx.view).details.body.contains(at);
        self.focus = if is_in_details { FocusedPart::Details } else { FocusedPart::Rows };
        for _ in 0..WHEEL {
            self.go(motion, area, cx.view);
        }
        self.focus = focus;
    }

    fn answer(&mut self, answer: Answer, cx: &mut ScreenContext<'_>) {
        match answer {
            Answer::Arranged(order) => self.rearranged(Some(order)),
            Answer::Found(Some(at)) => self.select(at, cx),
            _ => {}
        }
    }

    fn search(&mut self, query: &SearchQuery, from: SearchFrom, cx: &mut ScreenContext<'_>) {
        if !query.is_for_text() {
            return cx.hint(
                "bytes and display filters are searched in messages and the sequence diagram",
            );
        }
        let Some(len) = self.len else {
            return cx.hint_no_index();
        };
        if self.focus == FocusedPart::Details {
            return self.search_details(query, from, cx);
        }
        let rows = self.arrangement.from(self.scroll.cursor, from, len);
        let shown = (cx.view.format, cx.view.begin(), cx.view.zone.clone());
        let work = work::search::<T>(query.clone(), rows, shown);
        cx.view.searching = Some(0);
        cx.begin(Work::new(WorkKind::Search, work));
    }

    fn go_to(&mut self, to: TypedPosition, cx: &mut ScreenContext<'_>) -> Result<(), String> {
        if matches!(to, TypedPosition::Offset(_)) {
            return Err("only messages have offsets".to_owned());
        }
        let number = to.number(cx);
        let at = number.and_then(|number| T::row_of_number(cx.session, number));
        let at = at.ok_or_else(|| format!("no {} has this message", T::NOUN))?;
        self.select(at, cx);
        Ok(())
    }

    fn columns(&self) -> Option<ColumnChoice<'_>> {
        let shown = self.shown().map(|column| column.layout.name.to_string()).collect();
        let others = Self::names(|at| !self.columns.contains(&at));
        let sort = self.arrangement.sort();
        Some(ColumnChoice { shown, others, sort, takes_names: false })
    }

    fn begins_descending(&self, column: &str) -> bool {
        let layouts = T::COLUMNS.iter().map(|column| &column.layout);
        let mut of_it = layouts.filter(|layout| layout.name == column);
        of_it.any(TableColumn::is_count)
    }

    fn choose_columns(&mut self, names: &[String]) -> Result<(), String> {
        let find = |name: &str| {
            let at = T::COLUMNS.iter().position(|column| column.layout.name == name);
            at.ok_or_else(|| no_column::<T>(name))
        };
        self.columns = distinct_columns(names, find)?;
        (self.scrolled, self.rows) = (0, Vec::new());
        self.widths.clear();
        Ok(())
    }

    fn sort(&mut self, sort: Option<Sort>, cx: &mut ScreenContext<'_>) -> Result<(), String> {
        if let Some(sort) = &sort
            && T::COLUMNS.iter().all(|column| column.layout.name != sort.column)
        {
            return Err(no_column::<T>(&sort.column));
        }
        self.arrangement.set_sort(sort);
        self.arrange(cx);
        Ok(())
    }

    fn exportable(&self, view: &ViewState) -> Exportable {
        let so_far = if view.known.is_done { "" } else { " so far" };
        let count = self.exported;
        // While the filter is being tested, it is not known which rows there are.
        let is_known =
            self.len.is_some() && view.filter.as_ref().is_none_or(|active| active.rows.is_some());
        let text = format!("{}{so_far}", T::export_note(count, self.len()));
        Exportable { is_known, is_messages: false, count, text, refusal: None }
    }

    /// The rows that match the display filter, in the order of the session.
    fn export(&self, session: &Session, view: &ViewState) -> Option<SessionExport> {
        let rows = view.filter.as_ref().and_then(|active| active.rows.clone());
        Some(T::export(session)?.only(rows))
    }

    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        let areas = self.areas(cx.view.area(), cx.view);
        let (session, view, len) = (cx.session, &*cx.view, self.len());
        let height = usize::from(areas.rows.height);
        self.scroll.keep(height, len);
        let (format, begin, zone) = (view.format, view.begin(), &view.zone);
        let context = RowContext { session, format, begin, zone, names: view.names.shown() };
        let visible = self.scroll.top..len.min(self.scroll.top + height);
        let row = |at| {
            let row = T::row(session, self.at(at)?)?;
            Some(self.shown().map(|column| (column.cell)(&row, &context)).collect())
        };
        self.rows = visible.filter_map(row).collect();
        self.widths.widen(&self.layouts(), &self.rows);
        if areas.details.body.height > 0 {
            self.write_details(session, view, areas.details.body);
        }
        if view.typing.as_ref().is_some_and(Typing::is_export) {
            self.exported = self.count_exported(session);
        }
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        let areas = self.areas(area, view);
        let (columns, widths) = (self.layouts(), self.widths(usize::from(area.width)));
        let layout = self.layout(&columns, &widths);
        let has_focus = self.focus == FocusedPart::Rows;
        layout.headings(has_focus, areas.headings, buffer);
        if let Some(note) = self.empty_note(view) {
            return Painter::at(buffer, areas.rows, 0).write(&note, style::DIM);
        }
        let position = (self.scroll.top, self.scroll.cursor, has_focus);
        layout.rows(self.rows.iter(), position, areas.rows, buffer);
        self.details.draw(so_far(view), !has_focus, areas.details, buffer);
    }
}
