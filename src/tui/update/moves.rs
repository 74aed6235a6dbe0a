//! Cursor movements, by key and by mouse.

use super::Update;
use crate::tui::action::{Effect, Motion, Toggle};
use crate::tui::areas::{Areas, bytes_in_row};
use crate::tui::model::Pane;
use crate::tui::view;

/// How many rows one step of the wheel scrolls.
pub(super) const WHEEL: usize = 3;

impl Update<'_> {
    /// A motion in the focused pane.
    pub(super) fn go(&mut self, motion: Motion) {
        match self.model.focus {
            Pane::List => self.go_in_list(motion),
            Pane::Fields => self.go_in_fields(motion),
            Pane::Bytes | Pane::Coded => self.go_in_bytes(motion),
        }
    }

    /// Selects a row of the list, the last one if there are not so many, and opens its message.
    pub(super) fn select(&mut self, row: usize) {
        let last = self.model.len().saturating_sub(1);
        let cursor = row.clamp(self.model.begin().min(last), last);
        self.model.list.cursor = cursor;
        self.keep_list();
        let Some(place) = self.model.place(cursor) else {
            self.model.open = None;
            self.model.focus = Pane::List;
            return;
        };
        if self.model.open.as_ref().is_none_or(|open| open.index != place) {
            self.effects.push(Effect::Open(place));
        }
    }

    fn go_in_list(&mut self, motion: Motion) {
        if matches!(motion, Motion::Left | Motion::Right) {
            return;
        }
        self.let_go();
        let last = self.model.len().saturating_sub(1);
        let height = self.height(Pane::List);
        let to = moved(self.model.list.cursor, last, height, motion);
        self.model.list.follow = motion == Motion::Last && !self.model.known.is_done;
        self.select(to);
    }

    fn go_in_fields(&mut self, motion: Motion) {
        let height = self.height(Pane::Fields);
        let Some(open) = &mut self.model.open else {
            return;
        };
        match (motion, open.fold(open.line)) {
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

    fn go_in_bytes(&mut self, motion: Motion) {
        let pane = self.model.focus;
        let height = self.height(pane);
        let row = self.bytes_in_row(pane);
        let Some(open) = &mut self.model.open else {
            return;
        };
        let layer = pane.layer();
        let last = open.cells(layer).len().saturating_sub(1);
        let byte = open.byte;
        let down = |rows: usize| if byte + row * rows <= last { byte + row * rows } else { last };
        let up = |rows: usize| byte.checked_sub(row * rows).unwrap_or(byte % row);
        let to = match motion {
            Motion::Left => byte.saturating_sub(1),
            Motion::Right => byte + 1,
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

    pub(super) fn click(&mut self, column: u16, row: u16) {
        if self.model.overlay.take().is_some() {
            return;
        }
        if self.click_sheet(column, row) {
            return;
        }
        let found = Areas::of(self.model).and_then(|areas| areas.at(column, row));
        let Some((pane, column, inside)) = found else {
            return;
        };
        self.focus(pane);
        let Some(row) = inside.map(usize::from) else {
            return;
        };
        let per_row = self.bytes_in_row(pane);
        if pane == Pane::List {
            let index = self.model.list.top + row;
            if index < self.model.len() {
                self.let_go();
                self.model.list.follow = false;
                self.select(index);
            }
            return;
        }
        let Some(open) = &mut self.model.open else {
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
        let layer = pane.layer();
        let top = open.tops.get(usize::from(layer)).copied().unwrap_or(0);
        let Some(cell) = cell_at(usize::from(column), per_row) else {
            return;
        };
        let byte = top + row * per_row + cell;
        if byte < open.cells(layer).len() {
            open.go_to_byte(layer, byte);
        }
    }

    /// Scrolls the pane under the pointer; cursors stay.
    pub(super) fn wheel(&mut self, column: u16, row: u16, turn: Toggle) {
        let by = |top: usize, step: usize, last: usize| match turn {
            Toggle::Forward => (top + step).min(last.max(top)),
            Toggle::Back => top.saturating_sub(step),
        };
        let last = view::last_top(self.model);
        if let Some(overlay) = &mut self.model.overlay {
            overlay.top = by(overlay.top, WHEEL, last);
            return;
        }
        if self.wheel_sheet((column, row), turn) {
            return;
        }
        let found = Areas::of(self.model).and_then(|areas| areas.at(column, row));
        let Some((pane, ..)) = found else {
            return;
        };
        let height = self.height(pane);
        let per_row = self.bytes_in_row(pane);
        if pane == Pane::List {
            let last = self.model.len().saturating_sub(height);
            let top = by(self.model.list.top, WHEEL, last);
            self.model.list.top = top.max(self.model.begin().min(last));
            self.model.list.follow = false;
            return;
        }
        let Some(open) = &mut self.model.open else {
            return;
        };
        if pane == Pane::Fields {
            let last = open.visible().len().saturating_sub(height);
            open.top = by(open.top, WHEEL, last);
            return;
        }
        let rows = open.cells(pane.layer()).len().div_ceil(per_row);
        if let Some(top) = open.tops.get_mut(usize::from(pane.layer())) {
            *top = by(*top / per_row, WHEEL, rows.saturating_sub(height)) * per_row;
        }
    }

    /// Scrolls every pane until its cursor is visible.
    pub(super) fn clamp_cursor(&mut self) {
        self.keep_list();
        let Some(areas) = Areas::of(self.model) else {
            return;
        };
        let bytes_in_row = [Pane::Bytes, Pane::Coded].map(|pane| self.bytes_in_row(pane));
        let Some(open) = &mut self.model.open else {
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
        let height = usize::from(areas.fields.body.height);
        open.top = kept(open.top, now.unwrap_or(0), height, visible.len());
        let lens = [0, 1].map(|layer| open.cells(layer).len());
        let panes = [areas.bytes, areas.coded];
        for (layer, top) in open.tops.iter_mut().enumerate() {
            let (Some(pane), Some(row), Some(len)) =
                (panes.get(layer), bytes_in_row.get(layer), lens.get(layer))
            else {
                continue;
            };
            let height = usize::from(pane.body.height);
            let rows = len.div_ceil(*row);
            let cursor = if usize::from(open.layer) == layer {
                open.byte / row
            } else {
                top.div_euclid(*row)
            };
            *top = kept(*top / row, cursor, height, rows) * row;
        }
    }

    fn keep_list(&mut self) {
        let height = Areas::of(self.model).map_or(0, |areas| usize::from(areas.list.height));
        if height == 0 {
            // It is hidden, and keeps its position.
            return;
        }
        let (begin, len) = (self.model.begin(), self.model.len());
        let list = &mut self.model.list;
        let top = kept(list.top, list.cursor, height, len);
        list.top = top.max(begin.min(list.cursor));
    }

    /// How many rows of a pane are visible.
    fn height(&self, pane: Pane) -> usize {
        let height = Areas::of(self.model).map_or(0, |areas| areas.body(pane).height);
        usize::from(height).max(1)
    }

    fn bytes_in_row(&self, pane: Pane) -> usize {
        bytes_in_row(Areas::of(self.model).map_or(0, |areas| areas.body(pane).width))
    }
}

/// Where a motion leads among positions 0 to `last`.
pub(super) fn moved(now: usize, last: usize, height: usize, motion: Motion) -> usize {
    let half = (height / 2).max(1);
    let to = match motion {
        Motion::Up => now.saturating_sub(1),
        Motion::Down => now + 1,
        Motion::PageUp => now.saturating_sub(height),
        Motion::PageDown => now + height,
        Motion::HalfUp => now.saturating_sub(half),
        Motion::HalfDown => now + half,
        Motion::First => 0,
        Motion::Last => last,
        Motion::Left | Motion::Right => now,
    };
    to.min(last)
}

/// The first visible row, moved just enough to show the cursor and to leave no row empty.
pub(super) fn kept(top: usize, cursor: usize, height: usize, len: usize) -> usize {
    let top = top.min(len.saturating_sub(height));
    top.clamp((cursor + 1).saturating_sub(height.max(1)), cursor)
}

/// The byte of a row at a column of a hexdump: among the digits, or the characters.
fn cell_at(column: usize, bytes: usize) -> Option<usize> {
    let (digits, text) = (6, 7 + 3 * bytes);
    if column >= text {
        return Some(column - text).filter(|cell| *cell < bytes);
    }
    column.checked_sub(digits).map(|column| column / 3).filter(|cell| *cell < bytes)
}
