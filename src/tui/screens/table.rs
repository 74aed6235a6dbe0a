//! A screen that is a table: rows above, the details of the selected row below.

use std::borrow::Cow;
use std::marker::PhantomData;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::related::RelatedMessages;
use super::screen::{
    Arrival, FooterKeys, MESSAGES, Request, Screen, ScreenContext, ScreenInfo, position,
};
use crate::analysis::Session;
use crate::export::SessionExport;
use crate::tui::action::{KeyCommand, Motion, Step};
use crate::tui::export::Exportable;
use crate::tui::layout::{TitledPane, split_top};
use crate::tui::session::Growth;
use crate::tui::text::counted;
use crate::tui::view_state::ViewState;
use crate::tui::widgets::letters::{Pieces, hanging, letters, pieces, width};
use crate::tui::widgets::painter::{Painter, rule};
use crate::tui::widgets::scroll::{Scroll, WHEEL, moved};
use crate::tui::widgets::style;
use crate::tui::widgets::table::{self as rows, ColumnWidths, Runs, TableColumn};

/// What the rows of a table are, and how they become text.
pub trait TableContent {
    type Row: Clone;
    /// What one row is, and the name of the screen and of the exported table.
    const NOUN: &'static str;
    const NAME: &'static str;
    const COLUMNS: &'static [TableColumn];

    /// How many rows there are; `None` until that is known.
    fn len(session: &Session) -> Option<usize>;

    fn row(session: &Session, at: usize) -> Option<Cow<'_, Self::Row>>;

    /// The cells of a row, one for each column.
    fn cells(row: &Self::Row, session: &Session, view: &ViewState) -> Vec<Runs>;

    /// The details of a row, in lines; a long line is wrapped at `columns` later.
    fn details(row: &Self::Row, session: &Session, view: &ViewState, columns: usize) -> Vec<Runs>;

    /// The messages of a row.
    fn related(row: &Self::Row, session: &Session) -> RelatedMessages;

    /// What an export writes, in words, if that is not all rows.
    fn export_note(count: usize) -> String {
        counted(count as u64, Self::NOUN)
    }

    /// How the number of rows is painted.
    fn count_style(_: &Session) -> Style {
        style::DIM
    }
}

/// The entry of a table in the list of screens.
pub const fn info<T: TableContent + 'static>(help: &'static str) -> ScreenInfo {
    ScreenInfo { name: T::NAME, help, new: || Box::new(TableScreen::<T>::new()) }
}

struct TableScreen<T> {
    /// How many rows there are, and how the number is painted.
    len: Option<usize>,
    count_style: Style,
    scroll: Scroll,
    widths: ColumnWidths,
    /// The visible rows.
    rows: Vec<Vec<Runs>>,
    details: Vec<Pieces>,
    details_top: usize,
    focus: FocusedPart,
    zoom: bool,
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

impl<T: TableContent> TableScreen<T> {
    fn new() -> Self {
        Self {
            len: None,
            count_style: style::DIM,
            scroll: Scroll::default(),
            widths: ColumnWidths::default(),
            rows: Vec::new(),
            details: Vec::new(),
            details_top: 0,
            focus: FocusedPart::Rows,
            zoom: false,
            table: PhantomData,
        }
    }

    fn len(&self) -> usize {
        self.len.unwrap_or(0)
    }

    fn areas(&self, area: Rect) -> TableAreas {
        let upper = match (self.zoom, self.focus) {
            (true, FocusedPart::Rows) => area.height,
            (true, FocusedPart::Details) => 0,
            (false, _) => (area.height / 2).max(3),
        };
        let (upper, lower) = split_top(area, upper);
        let (headings, rows) = split_top(upper, 1);
        TableAreas { headings, rows, details: TitledPane::of(lower) }
    }

    fn go(&mut self, motion: Motion, area: Rect) {
        let areas = self.areas(area);
        if self.focus == FocusedPart::Rows {
            self.scroll.go(motion, usize::from(areas.rows.height), self.len());
            self.details_top = 0;
            return;
        }
        let height = usize::from(areas.details.body.height).max(1);
        let last = self.details.len().saturating_sub(height);
        self.details_top = moved(self.details_top, last, height, motion);
    }

    /// Goes to the messages of the row.
    fn follow(&mut self, cx: &mut ScreenContext<'_>) {
        let Some(related) = self.related(cx) else {
            return;
        };
        match related.first(cx.session) {
            Some(_) => cx.request = Some(Request::Visit(MESSAGES, related)),
            None => cx.hint("its messages are no longer kept"),
        }
    }

    fn copy(&self, cx: &mut ScreenContext<'_>) {
        let row = self.scroll.cursor.checked_sub(self.scroll.top).and_then(|at| self.rows.get(at));
        let text = |cell: &Runs| cell.iter().map(|run| run.text.as_str()).collect::<String>();
        let cells: Vec<_> =
            row.into_iter().flatten().map(text).filter(|cell| !cell.is_empty()).collect();
        if cells.is_empty() {
            return cx.hint("nothing to copy");
        }
        cx.hint("copied the row");
        cx.copy(cells.join(" "));
    }

    /// Why no rows are shown.
    fn empty_note(&self, view: &ViewState) -> Option<String> {
        let known = &view.known;
        Some(match self.len {
            None if known.index.is_requested => "analysing the messages so far".to_owned(),
            None if known.is_done => format!("analysing messages, {}%", known.index.percent),
            None if known.of.is_none() => "no message yet".to_owned(),
            None => "known when everything has been read".to_owned(),
            Some(0) => match so_far(view) {
                Some(so_far) => format!("no {}s {so_far}", T::NOUN),
                None => format!("no {}s", T::NOUN),
            },
            Some(_) => return None,
        })
    }
}

impl<T: TableContent> Screen for TableScreen<T> {
    fn keys(&self) -> FooterKeys {
        &[
            (KeyCommand::Focus(Step::Forward), "details"),
            (KeyCommand::Enter, "messages"),
            (KeyCommand::Back, "back"),
            (KeyCommand::Ladder, "ladder"),
            (KeyCommand::Export, "export"),
            (KeyCommand::Times, "times"),
            (KeyCommand::Zoom, "zoom"),
            (KeyCommand::Copy, "copy"),
            (KeyCommand::Help, "help"),
            (KeyCommand::Quit, "quit"),
        ]
    }

    fn position(&self) -> String {
        position(self.scroll.cursor, self.len(), T::NOUN)
    }

    fn count(&self) -> Option<(usize, Style)> {
        self.len.map(|len| (len, self.count_style))
    }

    fn related(&mut self, cx: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        if T::len(cx.session).is_none() {
            cx.hint_no_index();
        }
        Some(T::related(&*T::row(cx.session, self.scroll.cursor)?, cx.session))
    }

    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>) {
        self.zoom = false;
        if matches!(arrival, Arrival::Key { .. }) {
            cx.request_index();
        }
    }

    fn grown(&mut self, _: Growth, cx: &mut ScreenContext<'_>) {
        self.len = T::len(cx.session);
        self.count_style = T::count_style(cx.session);
        if cx.is_shown && self.len.is_none() {
            cx.request_index();
        }
    }

    fn reformat(&mut self, _: &mut ScreenContext<'_>) {
        self.widths.clear();
    }

    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool {
        match command {
            KeyCommand::Move(motion) => self.go(motion, cx.view.area()),
            KeyCommand::Enter => self.follow(cx),
            KeyCommand::Focus(_) => {
                self.focus = if self.focus == FocusedPart::Rows {
                    FocusedPart::Details
                } else {
                    FocusedPart::Rows
                };
            }
            KeyCommand::Back if self.focus == FocusedPart::Details => {
                self.focus = FocusedPart::Rows;
            }
            KeyCommand::Back if self.zoom => self.zoom = false,
            KeyCommand::Back => cx.request = Some(Request::Back),
            KeyCommand::Zoom => self.zoom = !self.zoom,
            KeyCommand::Copy => self.copy(cx),
            _ => return false,
        }
        true
    }

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        let areas = self.areas(cx.view.area());
        let is_in_details = areas.details.rule.contains(at) || areas.details.body.contains(at);
        self.focus = if is_in_details { FocusedPart::Details } else { FocusedPart::Rows };
        let row = self.scroll.top + usize::from(at.y.saturating_sub(areas.rows.y));
        if areas.rows.contains(at) && row < self.len() {
            self.scroll.cursor = row;
            self.details_top = 0;
        }
    }

    /// Scrolls the part under the pointer; the cursor moves along.
    fn wheel(&mut self, at: Position, step: Step, cx: &mut ScreenContext<'_>) {
        let area = cx.view.area();
        let focus = self.focus;
        let is_in_details = self.areas(area).details.body.contains(at);
        self.focus = if is_in_details { FocusedPart::Details } else { FocusedPart::Rows };
        let motion = if step == Step::Forward { Motion::Down } else { Motion::Up };
        for _ in 0..WHEEL {
            self.go(motion, area);
        }
        self.focus = focus;
    }

    fn exportable(&self, view: &ViewState) -> Exportable {
        let so_far = if view.known.is_done { "" } else { " so far" };
        Exportable {
            is_known: self.len.is_some(),
            is_messages: false,
            count: self.len(),
            text: format!("{}{so_far}", T::export_note(self.len())),
        }
    }

    fn export(&self, session: &Session) -> Option<SessionExport> {
        SessionExport::of_index(T::NAME, session.shared_index()?)
    }

    fn fill(&mut self, cx: &mut ScreenContext<'_>) {
        let areas = self.areas(cx.view.area());
        let (session, view, len) = (cx.session, &*cx.view, self.len());
        let height = usize::from(areas.rows.height);
        self.scroll.keep(height, len);
        let visible = self.scroll.top..len.min(self.scroll.top + height);
        let row = |at| Some(T::cells(&*T::row(session, at)?, session, view));
        self.rows = visible.filter_map(row).collect();
        self.widths.widen(&self.rows);
        let body = areas.details.body;
        if body.height > 0 {
            let columns = usize::from(body.width);
            let row = T::row(session, self.scroll.cursor);
            let details = row.map(|row| T::details(&row, session, view, columns));
            let lines = details.into_iter().flatten();
            self.details = lines.flat_map(|line| wrapped(&line, columns)).collect();
            let last = self.details.len().saturating_sub(usize::from(body.height));
            self.details_top = self.details_top.min(last);
        }
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        let areas = self.areas(area);
        let widths = self.widths.fitted(T::COLUMNS, usize::from(area.width));
        let has_focus = self.focus == FocusedPart::Rows;
        rows::headings(T::COLUMNS, &widths, has_focus, areas.headings, buffer);
        if let Some(note) = self.empty_note(view) {
            return Painter::at(buffer, areas.rows, 0).write(&note, style::DIM);
        }
        let position = (self.scroll.top, self.scroll.cursor, has_focus);
        rows::rows(self.rows.iter(), (T::COLUMNS, &widths), position, areas.rows, buffer);
        let TitledPane { rule: title, body } = areas.details;
        let lines = self.details.iter().skip(self.details_top);
        let below = lines.len().saturating_sub(usize::from(body.height));
        let below = (below > 0).then(|| format!("{below} more, ↓"));
        let note = [so_far(view), below].into_iter().flatten().collect::<Vec<_>>().join("; ");
        rule(buffer, title, "details", &note, !has_focus);
        for (y, line) in (0..body.height).zip(lines) {
            Painter::at(buffer, body, y).pieces(line);
        }
    }
}

/// How many messages the index has, if more may come.
fn so_far(view: &ViewState) -> Option<String> {
    let known = &view.known;
    let reach = known.index.reach.filter(|_| !known.index.is_final && !known.is_done)?;
    let messages = counted(reach as u64, "message");
    Some(format!("as of {messages}; press {} to refresh", view.shown + 1))
}

/// A line in as many as needed: its last text continues below its beginning.
fn wrapped(line: &Runs, columns: usize) -> Vec<Pieces> {
    let mut parts: Vec<_> =
        line.iter().map(|run| letters(&run.text, style::painted(run.style))).collect();
    let last = parts.pop().unwrap_or_default();
    let mark = parts.concat();
    let lines = if width(&mark) > columns / 2 && width(&mark) + width(&last) > columns {
        let indented = hanging(&letters("  ", style::PLAIN), &last, columns);
        [vec![mark], indented].concat()
    } else {
        hanging(&mark, &last, columns)
    };
    lines.iter().map(|line| pieces(line)).collect()
}
