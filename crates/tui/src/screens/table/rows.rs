//! The rows of a table: which are shown, in which order and columns, and the cursor among them.

use std::marker::PhantomData;

use ratatui::layout::Rect;

use super::content::{RowColumn, TableContent};
use super::details::RowDetails;
use super::work;
use super::{FocusedPart, TableAreas, TableScreen};
use crate::action::Motion;
use crate::layout::{TitledPane, percent_of, split_top};
use crate::screens::arrangement::Arrangement;
use crate::screens::links::LinkTarget;
use crate::screens::screen::{Screen as _, ScreenContext, SearchFrom};
use crate::search::SearchQuery;
use crate::text::grouped;
use crate::view_state::ViewState;
use crate::widgets::scroll::Scroll;
use crate::widgets::style;
use crate::widgets::table::{ColumnWidths, Runs, TableColumn, TableLayout, stops};
use crate::work::{Work, WorkKind};
use analysis::Session;

impl<T: TableContent> TableScreen<T> {
    pub(super) fn new() -> Self {
        Self {
            len: None,
            count_style: style::DIM,
            arrangement: Arrangement::default(),
            scroll: Scroll::default(),
            columns: (0..T::COLUMNS.len()).collect(),
            scrolled: 0,
            widths: ColumnWidths::default(),
            rows: Vec::new(),
            exported: 0,
            details: RowDetails::default(),
            focus: FocusedPart::Rows,
            zoom: false,
            follow: false,
            wanted: None,
            table: PhantomData,
        }
    }

    /// How many rows are shown.
    pub(super) fn len(&self) -> usize {
        self.arrangement.len(self.len.unwrap_or(0))
    }

    /// The row of the session in a shown row.
    pub(super) fn at(&self, row: usize) -> Option<usize> {
        self.arrangement.at(row, self.len.unwrap_or(0))
    }

    /// How many of the shown rows an export has.
    pub(super) fn count_exported(&self, session: &Session) -> usize {
        let Some(is_exported) = T::IS_EXPORTED else {
            return self.len();
        };
        let rows = (0..self.len()).filter_map(|row| T::row(session, self.at(row)?));
        rows.filter(|row| is_exported(row)).count()
    }

    /// The row of the session under the cursor.
    pub(super) fn current(&self) -> Option<usize> {
        self.at(self.scroll.cursor)
    }

    pub(super) fn areas(&self, area: Rect, view: &ViewState) -> TableAreas {
        let upper = match (self.zoom, self.focus) {
            (true, FocusedPart::Rows) => area.height,
            (true, FocusedPart::Details) => 0,
            (false, _) => percent_of(area.height, view.panes.upper).max(3),
        };
        let (upper, lower) = split_top(area, upper);
        let (headings, rows) = split_top(upper, 1);
        TableAreas { headings, rows, details: TitledPane::new(lower) }
    }

    pub(super) fn go(&mut self, motion: Motion, area: Rect, view: &ViewState) {
        let areas = self.areas(area, view);
        match (motion, self.focus) {
            (Motion::Left | Motion::ScrollLeft, FocusedPart::Rows) => {
                self.scroll_sideways(false, area);
            }
            (Motion::Right | Motion::ScrollRight, FocusedPart::Rows) => {
                self.scroll_sideways(true, area);
            }
            (_, FocusedPart::Rows) => {
                self.scroll.go(motion, usize::from(areas.rows.height), self.len());
                self.details.reset();
                self.wanted = None;
            }
            (_, FocusedPart::Details) => {
                self.details.go(motion, usize::from(areas.details.body.height).max(1));
            }
        }
    }

    /// Scrolls by a column, as far as there is more.
    pub(super) fn scroll_sideways(&mut self, is_right: bool, area: Rect) {
        let widths = self.natural_widths(usize::from(area.width));
        let stops = stops(&widths);
        let space = usize::from(area.width);
        let total = widths.iter().sum::<usize>() + stops.len().saturating_sub(1);
        self.scrolled = if is_right {
            let next = stops.iter().find(|stop| **stop > self.scrolled);
            let has_more = total > self.scrolled + space;
            next.copied().filter(|_| has_more).unwrap_or(self.scrolled)
        } else {
            stops.iter().rev().find(|stop| **stop < self.scrolled).copied().unwrap_or(0)
        };
    }

    /// The widths of columns: if the table is scrolled sideways, those of all columns in full.
    pub(super) fn natural_widths(&self, space: usize) -> Vec<usize> {
        self.widths.natural(&self.layouts(), space)
    }

    pub(super) fn widths(&self, space: usize) -> Vec<usize> {
        if self.scrolled > 0 {
            self.natural_widths(space)
        } else {
            self.widths.fitted(&self.layouts(), space)
        }
    }

    /// The shown columns.
    pub(super) fn shown(&self) -> impl Iterator<Item = &'static RowColumn<T::Row>> {
        self.columns.iter().filter_map(|at| T::COLUMNS.get(*at))
    }

    pub(super) fn layouts(&self) -> Vec<TableColumn> {
        let sort = self.arrangement.sort();
        let layout = |column: &'static RowColumn<T::Row>| {
            let layout = column.layout.clone();
            match sort.filter(|sort| sort.column == layout.name) {
                Some(sort) => layout.sorted(sort.arrow()),
                None => layout,
            }
        };
        self.shown().map(layout).collect()
    }

    pub(super) fn layout<'a>(
        &'a self,
        columns: &'a [TableColumn],
        widths: &'a [usize],
    ) -> TableLayout<'a> {
        TableLayout { columns, widths, measured: &self.widths, scrolled: self.scrolled }
    }

    /// The name of the column at a position in the line of names.
    pub(super) fn column_at(&self, headings: Rect, x: u16) -> Option<String> {
        let (columns, widths) = (self.layouts(), self.widths(usize::from(headings.width)));
        let at = self.layout(&columns, &widths).column_at(headings, x)?;
        self.shown().nth(at).map(|column| column.layout.name.to_string())
    }

    pub(super) fn names(is_shown: impl Fn(usize) -> bool) -> Vec<String> {
        let columns = T::COLUMNS.iter().enumerate().filter(|(at, _)| is_shown(*at));
        columns.map(|(_, column)| column.layout.name.to_string()).collect()
    }

    /// Begins to put the rows into their order, if there is a filter or a sort.
    pub(super) fn arrange(&mut self, cx: &mut ScreenContext<'_>) {
        let rows = cx.view.filter.as_ref().map(|active| active.rows.clone());
        let sort = self.arrangement.sort().cloned();
        match (rows, &sort) {
            // The filter is still being tested.
            (Some(None), _) => {}
            (None, None) => self.rearranged(None),
            (rows, _) => {
                let goes_on = !cx.view.known.is_done;
                let work = work::arrange::<T>(rows.flatten(), sort);
                cx.begin(Work::new(WorkKind::Arrange, work).paced(goes_on));
            }
        }
    }

    /// Rows are in another order; the cursor stays at its row.
    pub(super) fn rearranged(&mut self, order: Option<Vec<u32>>) {
        let wanted = self.wanted.or_else(|| self.current());
        self.arrangement.set(order);
        let row = wanted.and_then(|at| self.arrangement.row_of(at, self.len.unwrap_or(0)));
        if let Some(row) = row {
            self.scroll.cursor = row;
            self.wanted = None;
        }
    }

    /// Selects a row of the session.
    pub(super) fn select(&mut self, at: usize, cx: &mut ScreenContext<'_>) {
        self.details.reset();
        let is_tested = cx.view.filter.as_ref().is_none_or(|active| active.rows.is_some());
        match self.arrangement.row_of(at, self.len.unwrap_or(0)) {
            // Which rows there are is not known yet.
            _ if !is_tested => self.wanted = Some(at),
            Some(row) => self.scroll.cursor = row,
            None if self.len.is_some_and(|len| at < len) && cx.view.filter.is_some() => {
                // What was asked for is shown, whatever the filter.
                self.wanted = Some(at);
                self.arrangement.set(None);
                self.scroll.cursor = at;
                cx.hint("the display filter hides this row elsewhere; all rows are shown");
            }
            None => self.wanted = Some(at),
        }
    }

    /// Goes to the messages of the row.
    pub(super) fn follow(&mut self, cx: &mut ScreenContext<'_>) {
        let Some(related) = self.related(cx) else {
            return;
        };
        match related.first(cx.session) {
            Some(_) => cx.request = Some(LinkTarget::Messages(related)),
            None if cx.session.gone() == 0 => {
                cx.hint("unknown protocol: its packets have no message");
            }
            None => cx.hint("its messages are no longer kept"),
        }
    }

    pub(super) fn copy(&self, cx: &mut ScreenContext<'_>) {
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
    pub(super) fn empty_note(&self, view: &ViewState) -> Option<String> {
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
            Some(_) if self.len() == 0 => format!("no {} matches the filter", T::NOUN),
            Some(_) => return None,
        })
    }

    pub(super) fn write_details(&mut self, session: &Session, view: &ViewState, body: Rect) {
        let columns = usize::from(body.width);
        let row = self.current().and_then(|at| T::row(session, at));
        let lines = row.map(|row| T::details(&row, session, view, columns));
        self.details.set(&lines.unwrap_or_default(), columns, usize::from(body.height));
    }

    /// Searches the details of the row under the cursor.
    pub(super) fn search_details(
        &mut self,
        query: &SearchQuery,
        from: SearchFrom,
        cx: &mut ScreenContext<'_>,
    ) {
        let body = self.areas(cx.view.area(), cx.view).details.body;
        self.write_details(cx.session, cx.view, body);
        match self.details.search(query, from, usize::from(body.height)) {
            None => cx.hint(format!("not found in these details: {}", query.text())),
            Some(true) => cx.hint("the search went around the end of the details"),
            Some(false) => {}
        }
    }
}

/// How many messages the index has, if more may come.
pub(super) fn so_far(view: &ViewState) -> Option<String> {
    let known = &view.known;
    let reach = known.index.reach.filter(|_| !known.index.is_final && !known.is_done)?;
    Some(format!("updated at message {}", grouped(reach as u64)))
}
