//! Cursor movements, by key and by mouse.

use ratatui::layout::{Position, Rect};

use super::Messages;
use super::open::Pane;
use crate::action::{Axis, Effect, Motion, Step};
use crate::format::MessageView;
use crate::layout::percent;
use crate::screens::screen::{Screen as _, ScreenContext, Sort};
use crate::view_state::ViewState;
use crate::widgets::scroll::{clamped_top, moved, wheeled};

/// By how many columns the fields are scrolled sideways.
const SIDEWAYS: usize = 8;

impl Messages {
    /// A motion in the focused pane.
    pub(super) fn go(&mut self, motion: Motion, cx: &mut ScreenContext<'_>) {
        match self.focus {
            Pane::List => self.go_in_list(motion, cx),
            Pane::Fields if is_annotated(cx.view) => self.go_by_field(motion, cx.view),
            Pane::Bytes | Pane::Coded if is_annotated(cx.view) => self.go_by_byte(motion, cx.view),
            Pane::Fields => self.go_in_fields(motion, cx.view),
            Pane::Bytes | Pane::Coded => self.go_in_bytes(motion, cx.view),
        }
    }

    /// Selects a row of the list, the last one if there are not so many, and opens its message.
    pub(super) fn select(&mut self, row: usize, cx: &mut ScreenContext<'_>) {
        let list = self.list(cx.view);
        let last = list.len().saturating_sub(1);
        let cursor = row.clamp(list.begin().min(last), last);
        self.scroll.cursor = cursor;
        self.keep_list(cx.view);
        let Some(message) = self.list(cx.view).message_at(cursor) else {
            self.open = None;
            self.focus = Pane::List;
            return;
        };
        if self.open.as_ref().is_none_or(|open| open.index != message) {
            cx.effects.push(Effect::Open(message, cx.view.format.separators));
        }
    }

    fn go_in_list(&mut self, motion: Motion, cx: &mut ScreenContext<'_>) {
        match motion {
            Motion::Left | Motion::ScrollLeft => return self.scroll_list(Step::Back, cx.view),
            Motion::Right | Motion::ScrollRight => return self.scroll_list(Step::Forward, cx.view),
            _ => {}
        }
        self.anchor = None;
        let last = self.list(cx.view).len().saturating_sub(1);
        let height = self.panes(cx.view.area(), cx.view).height(Pane::List);
        let to = moved(self.scroll.cursor, last, height, motion);
        self.follow = motion == Motion::Last && !cx.view.known.is_done;
        self.select(to, cx);
    }

    fn go_in_fields(&mut self, motion: Motion, view: &ViewState) {
        let height = self.panes(view.area(), view).height(Pane::Fields);
        let Some(open) = &mut self.open else {
            return;
        };
        match (motion, open.fold(open.line)) {
            (Motion::ScrollLeft, _) => {
                open.scrolled = open.scrolled.saturating_sub(SIDEWAYS);
                return;
            }
            (Motion::ScrollRight, _) => {
                open.scrolled += SIDEWAYS;
                return;
            }
            (Motion::Left, Some(false)) => return open.set_closed(open.line, true),
            (Motion::Right, Some(true)) => return open.set_closed(open.line, false),
            (Motion::Left, _) => {
                if let Some(parent) = open.parent(open.line) {
                    open.go_to_line(parent);
                }
                return;
            }
            (Motion::Right, None) => return,
            _ => {}
        }
        let visible = open.visible();
        let now = visible.iter().position(|line| *line == open.line).unwrap_or(0);
        let motion = if motion == Motion::Right { Motion::Down } else { motion };
        let to = moved(now, visible.len().saturating_sub(1), height, motion);
        if let Some(line) = visible.get(to) {
            open.go_to_line(*line);
        }
    }

    fn go_in_bytes(&mut self, motion: Motion, view: &ViewState) {
        let (pane, panes) = (self.focus, self.panes(view.area(), view));
        let (height, row) = (panes.height(pane), panes.bytes_in_row(pane));
        let Some(open) = &mut self.open else {
            return;
        };
        let layer = open.layer_in(pane);
        let last = open.cells(layer).len().saturating_sub(1);
        let byte = open.byte;
        let down = |rows: usize| if byte + row * rows <= last { byte + row * rows } else { last };
        let up = |rows: usize| byte.checked_sub(row * rows).unwrap_or(byte % row);
        let to = match motion {
            Motion::Left => byte.saturating_sub(1),
            Motion::Right => byte + 1,
            Motion::ScrollLeft | Motion::ScrollRight => byte,
            // The last row may be short; there is nothing below it.
            Motion::Down if byte / row == last / row => byte,
            Motion::Down => down(1),
            Motion::Up => up(1),
            Motion::PageDown => down(height),
            Motion::PageUp => up(height),
            Motion::HalfDown => down((height / 2).max(1)),
            Motion::HalfUp => up((height / 2).max(1)),
            Motion::First => 0,
            Motion::Last => last,
        };
        open.go_to_byte(layer, to);
    }

    pub(super) fn click_pane(&mut self, at: Position, cx: &mut ScreenContext<'_>) {
        let panes = self.panes(cx.view.area(), cx.view);
        let Some((pane, column, inside)) = panes.at(at) else {
            return;
        };
        let is_annotated = pane != Pane::List && is_annotated(cx.view);
        if !is_annotated || self.focus == Pane::List {
            self.set_focus(pane);
        }
        let Some(row) = inside.map(usize::from) else {
            if pane == Pane::List {
                self.sort_by_column_at(panes.get(pane).rule, at.x, cx);
            }
            return;
        };
        if pane == Pane::List {
            let index = self.scroll.top + row;
            if index < self.list(cx.view).len() {
                self.anchor = None;
                self.follow = false;
                self.select(index, cx);
            }
            return;
        }
        if is_annotated {
            return self.click_annotated((column, row), &panes);
        }
        let Some(open) = &mut self.open else {
            return;
        };
        if pane == Pane::Fields {
            let Some(line) = open.visible().get(open.top + row).copied() else {
                return;
            };
            let depth = open.lines.get(line).map_or(0, |l| usize::from(l.depth));
            let on_fold = usize::from(column) < 2 * depth + 2;
            if let (true, Some(closed)) = (on_fold, open.fold(line)) {
                open.set_closed(line, !closed);
            }
            return open.go_to_line(line);
        }
        let layer = open.layer_in(pane);
        let top = open.tops.get(usize::from(layer)).copied().unwrap_or(0);
        let per_row = panes.bytes_in_row(pane);
        let Some(cell) = cell_at(usize::from(column), per_row) else {
            return;
        };
        let byte = top + row * per_row + cell;
        if byte < open.cells(layer).len() {
            open.go_to_byte(layer, byte);
        }
    }

    fn sort_by_column_at(&mut self, headings: Rect, x: u16, cx: &mut ScreenContext<'_>) {
        let Some(column) = self.column_at(headings, x, cx.view) else {
            return;
        };
        let now = self.arrangement.sort();
        let is_descending = now.is_some_and(|sort| sort.column == column && !sort.is_descending);
        // The column is one of the list.
        _ = self.sort(Some(Sort { column, is_descending }), cx);
    }

    /// Moves the line between the list and the panes below it, or between these.
    pub(super) fn drag_line(&mut self, from: Position, to: Position, view: &mut ViewState) {
        let area = view.area();
        let panes = self.panes(area, view);
        if !area.contains(to) || self.zoom {
            return;
        }
        let (fields, bytes) = (panes.get(Pane::Fields), panes.get(Pane::Bytes));
        if fields.rule.contains(from) || bytes.rule.contains(from) {
            // The list has a line for its names, and there are two lines below the panes.
            let height = area.height.saturating_sub(4);
            view.panes.set(Axis::Rows, percent((to.y - area.y).saturating_sub(1), height));
        } else if view.format.message == MessageView::Tree
            && from.x.abs_diff(fields.body.right()) <= 1
            && from.y >= fields.body.y
        {
            view.panes.set(Axis::Columns, percent(to.x - area.x, area.width));
        }
    }

    /// Scrolls the pane under the pointer; cursors stay.
    pub(super) fn wheel_pane(&mut self, at: Position, motion: Motion, view: &ViewState) {
        let panes = self.panes(view.area(), view);
        let Some((pane, ..)) = panes.at(at) else {
            return;
        };
        let step = match motion {
            Motion::Up | Motion::ScrollLeft => Step::Back,
            _ => Step::Forward,
        };
        if matches!(motion, Motion::ScrollLeft | Motion::ScrollRight) {
            if pane != Pane::List && is_annotated(view) {
                return;
            }
            match (pane, &mut self.open, step) {
                (Pane::List, ..) => self.scroll_list(step, view),
                (Pane::Fields, Some(open), Step::Forward) => open.scrolled += SIDEWAYS,
                (Pane::Fields, Some(open), Step::Back) => {
                    open.scrolled = open.scrolled.saturating_sub(SIDEWAYS);
                }
                _ => {}
            }
            return;
        }
        let height = panes.height(pane);
        if pane == Pane::List {
            let list = self.list(view);
            let (last, begin) = (list.len().saturating_sub(height), list.begin());
            let top = wheeled(self.scroll.top, last, step);
            self.scroll.top = top.max(begin.min(last));
            self.follow = false;
            return;
        }
        let annotated = self.annotated_len();
        let Some(open) = &mut self.open else {
            return;
        };
        if pane == Pane::Fields {
            let rows = if is_annotated(view) { annotated } else { open.visible().len() };
            let last = rows.saturating_sub(height);
            open.top = wheeled(open.top, last, step);
            return;
        }
        let per_row = panes.bytes_in_row(pane);
        let layer = open.layer_in(pane);
        let rows = open.cells(layer).len().div_ceil(per_row);
        if let Some(top) = open.tops.get_mut(usize::from(layer)) {
            *top = wheeled(*top / per_row, rows.saturating_sub(height), step) * per_row;
        }
    }

    /// Scrolls every pane until its cursor is visible.
    pub(super) fn keep_cursors(&mut self, view: &ViewState) {
        self.keep_list(view);
        let panes = self.panes(view.area(), view);
        let Some(open) = self.open.as_mut().filter(|_| !view.area().is_empty()) else {
            return;
        };
        let visible = open.visible();
        let mut now = visible.iter().position(|line| *line == open.line);
        if now.is_none() {
            // Its group was folded.
            let shown = visible.iter().rposition(|line| *line < open.line).unwrap_or(0);
            if let Some(line) = visible.get(shown) {
                open.line = *line;
            }
            now = Some(shown);
        }
        if is_annotated(view) {
            return self.keep_annotated(&panes, view.format.texts);
        }
        let height = usize::from(panes.body(Pane::Fields).height);
        open.top = clamped_top(open.top, now.unwrap_or(0), height, visible.len());
        for pane in [Pane::Bytes, Pane::Coded] {
            let (layer, row) = (open.layer_in(pane), panes.bytes_in_row(pane));
            let rows = open.cells(layer).len().div_ceil(row);
            let byte = (open.layer == layer).then_some(open.byte);
            if let Some(top) = open.tops.get_mut(usize::from(layer)) {
                let cursor = byte.unwrap_or(*top) / row;
                *top = clamped_top(*top / row, cursor, usize::from(panes.body(pane).height), rows)
                    * row;
            }
        }
    }

    fn keep_list(&mut self, view: &ViewState) {
        let height = usize::from(self.panes(view.area(), view).body(Pane::List).height);
        if height == 0 {
            // It is hidden, and keeps its position.
            return;
        }
        let list = self.list(view);
        let (len, begin) = (list.len(), list.begin());
        self.scroll.keep(height, len);
        self.scroll.top = self.scroll.top.max(begin.min(self.scroll.cursor));
    }
}

fn is_annotated(view: &ViewState) -> bool {
    view.format.message == MessageView::Annotated
}

/// The byte of a row at a column of a hexdump: among the digits, or the characters.
pub(super) fn cell_at(column: usize, bytes: usize) -> Option<usize> {
    let (digits, text) = (6, 7 + 3 * bytes);
    if column >= text {
        return Some(column - text).filter(|cell| *cell < bytes);
    }
    column.checked_sub(digits).map(|column| column / 3).filter(|cell| *cell < bytes)
}
