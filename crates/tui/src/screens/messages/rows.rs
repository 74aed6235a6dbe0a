//! The rows of the list: which messages they are, in which order, and the one under the cursor.

use ratatui::layout::Rect;

use super::Messages;
use super::columns::MessageColumn;
use super::list::MessageList;
use super::open::{OpenMessage, Pane};
use super::panes::Panes;
use super::work::begin_sort;
use crate::action::{Axis, Effect, Step};
use crate::screens::screen::{FilterChange, ScreenContext};
use crate::text::counted;
use crate::view_state::ViewState;
use analysis::Session;
use filter::Projection;

impl Messages {
    pub(super) fn list<'a>(&'a self, view: &'a ViewState) -> MessageList<'a> {
        MessageList {
            total: self.total,
            gone: self.gone,
            filter: view.filter.as_ref(),
            order: self.arrangement.order(),
        }
    }

    pub(super) fn panes(&self, area: Rect, view: &ViewState) -> Panes {
        let has_coded = self.open.as_ref().map(OpenMessage::has_coded);
        let shown = (view.format.message, has_coded);
        Panes::new(area, view.panes, (self.focus, self.zoom), shown)
    }

    pub(super) fn opened(&mut self, mut open: OpenMessage, cx: &ScreenContext<'_>) {
        if let Some(edits) = self.edits.get(&open.index) {
            open.show_edits(edits.clone(), cx);
        }
        if let Some(query) = self.found_by.take() {
            open.go_to_match(&query);
        } else if let Some(before) = &self.open {
            open.go_like(before);
        }
        if self.focus == Pane::Coded && !open.has_coded() {
            self.focus = Pane::Bytes;
        }
        if matches!(self.focus, Pane::Bytes | Pane::Coded)
            && open.layer_in(self.focus) != open.layer
        {
            open.go_to_byte(self.focus.layer(), 0);
        }
        let message = open.index;
        self.open = Some(open);
        self.select_place(message, cx.view);
        self.keep_cursors(cx.view);
    }

    /// Selects the bytes that led to this message, once it is open.
    pub(super) fn select_place(&mut self, message: usize, view: &ViewState) {
        let Some(open) = self.open.as_mut().filter(|open| open.index == message) else {
            return;
        };
        let Some(place) = self.place.take() else {
            return;
        };
        open.go_to_byte(place.layer, place.offset as usize);
        self.focus = Pane::of_layer(open.layer);
        self.keep_cursors(view);
    }

    /// Selects a byte of the open message.
    pub(super) fn go_to_offset(&mut self, offset: usize, view: &ViewState) -> Result<(), String> {
        let Some(open) = &mut self.open else {
            return Err("no message is open".to_owned());
        };
        let layer = open.layer_in(self.focus);
        let len = open.cells(layer).len();
        if offset >= len {
            return Err(format!("the message has {}", counted(len as u64, "byte")));
        }
        open.go_to_byte(layer, offset);
        if self.focus == Pane::List || self.focus == Pane::Fields {
            self.focus = Pane::Bytes;
        }
        self.keep_cursors(view);
        Ok(())
    }

    /// The time of the message in the row before this one.
    pub(super) fn time_before(
        &self,
        row: usize,
        view: &ViewState,
        session: &Session,
    ) -> Option<i64> {
        session.time(self.list(view).message_at(row.checked_sub(1)?)?)
    }

    /// Requests the visible rows that were not read yet.
    pub(super) fn request_rows(&mut self, cx: &mut ScreenContext<'_>) {
        let height = usize::from(self.panes(cx.view.area(), cx.view).body(Pane::List).height);
        let len = self.list(cx.view).len();
        let visible = self.scroll.top.min(len)..(self.scroll.top + height).min(len);
        if self.stale || visible != self.requested {
            self.stale = false;
            self.requested = visible.clone();
            let list = self.list(cx.view);
            let messages = visible.filter_map(|row| list.message_at(row)).collect();
            cx.effects.push(Effect::Read(messages, self.projections()));
        }
    }

    /// The columns whose values are read for each row.
    fn projections(&self) -> Vec<Projection> {
        let value = |column: &MessageColumn| match column {
            MessageColumn::Value(projection) => Some(projection.clone()),
            _ => None,
        };
        self.columns.iter().filter_map(value).collect()
    }

    /// The display filter has changed, or has tested more; the cursor stays at its message, or at
    /// the last match before it.
    pub(super) fn refiltered(&mut self, change: FilterChange, cx: &mut ScreenContext<'_>) {
        match change {
            FilterChange::Other => {
                self.anchor = self.anchor.or_else(|| self.open.as_ref().map(|open| open.index));
                self.arrangement.set(None);
                if cx.view.filter.is_none() {
                    self.go_to_anchor(cx);
                    self.arrange(cx);
                } else if !self.follow {
                    self.select(0, cx);
                }
            }
            FilterChange::More => {
                let tested = cx.view.filter.as_ref().map_or(0, |active| active.tested);
                if self.follow {
                    self.select(usize::MAX, cx);
                } else if let Some(anchor) = self.anchor {
                    let list = self.list(cx.view);
                    let (row, is_near) = (list.row_near(anchor), tested > anchor && list.len() > 0);
                    self.select(row, cx);
                    if is_near {
                        self.anchor = None;
                    }
                } else if self.open.is_none() {
                    self.select(0, cx);
                }
            }
            FilterChange::Complete => self.arrange(cx),
        }
        self.stale = true;
    }

    /// Selects the message at which the cursor was.
    fn go_to_anchor(&mut self, cx: &mut ScreenContext<'_>) {
        if let Some(anchor) = self.anchor.take() {
            let row = self.list(cx.view).row_near(anchor);
            self.select(row, cx);
        }
    }

    /// Begins to sort the messages, if they are to be sorted.
    pub(super) fn arrange(&mut self, cx: &mut ScreenContext<'_>) {
        let Some(sort) = self.arrangement.sort().cloned() else {
            if self.arrangement.is_set() {
                self.arrangement.set(None);
                self.stale = true;
            }
            return;
        };
        let messages: Vec<u32> = match &cx.view.filter {
            Some(active) => active.messages().to_vec(),
            None => (self.gone..self.total).map(|at| at as u32).collect(),
        };
        begin_sort(&sort, messages, cx);
    }

    /// The messages are sorted; the cursor stays at its message.
    pub(super) fn arranged(&mut self, order: Vec<u32>, cx: &mut ScreenContext<'_>) {
        let message = self.anchor.take().or_else(|| self.open.as_ref().map(|open| open.index));
        self.arrangement.set(Some(order));
        self.stale = true;
        let row = message.and_then(|message| self.list(cx.view).row_of(message));
        self.select(row.unwrap_or(0), cx);
    }

    /// A search has found a message.
    pub(super) fn found(&mut self, message: usize, cx: &mut ScreenContext<'_>) {
        let Some(row) = self.list(cx.view).row_of(message) else {
            return;
        };
        self.anchor = None;
        self.follow = false;
        let query = cx.view.search.clone();
        if let Some(open) = self.open.as_mut().filter(|open| open.index == message) {
            open.go_to_match(&query);
        } else {
            self.found_by = Some(query);
        }
        self.select(row, cx);
        self.keep_cursors(cx.view);
    }

    /// Adds the field under the cursor as a column before the summary.
    pub(super) fn add_column(&mut self, cx: &mut ScreenContext<'_>) {
        let name = self.open.as_ref().and_then(|open| open.field_name(self.focus));
        let Some(name) = name else {
            return cx.hint("select a field to add it as a column");
        };
        match MessageColumn::named(&name) {
            Ok(column) if self.columns.contains(&column) => {
                cx.hint(format!("{name} is shown already"));
            }
            Ok(column) => {
                let before = self.columns.iter().position(|c| *c == MessageColumn::Summary);
                self.columns.insert(before.unwrap_or(self.columns.len()), column);
                self.widths.clear();
                self.stale = true;
                cx.hint(format!("{name} is a column now"));
            }
            Err(error) => cx.hint(error),
        }
    }

    /// Makes a pane larger or smaller.
    pub(super) fn resize(&mut self, axis: Axis, step: Step, cx: &mut ScreenContext<'_>) {
        let left = self.panes(cx.view.area(), cx.view).left_percent();
        cx.view.panes.change(axis, step, left);
    }
}
