//! The panes of the messages, computed from the area: drawing and mouse clicks use the same ones.

use ratatui::layout::{Position, Rect};

use super::open::Pane;
use crate::format::MessageView;
use crate::layout::{PaneSizes, TitledPane, percent_of, split_bottom, split_left, split_top};

/// A rectangle for each pane; empty for panes that are not on screen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Panes {
    all: [TitledPane; Pane::ALL.len()],
    /// Two lines below them.
    pub detail: Rect,
}

impl Panes {
    /// The panes in an area; the focused one may fill it. Of the selected message it counts whether it
    /// has a decoded text; `None` if none is selected.
    pub fn new(
        area: Rect,
        sizes: PaneSizes,
        (focus, zoom): (Pane, bool),
        (view, has_coded): (MessageView, Option<bool>),
    ) -> Self {
        // One pane has fields, bytes and the decoded text.
        let focus = match (view, focus) {
            (MessageView::Annotated, Pane::Bytes | Pane::Coded) => Pane::Fields,
            _ => focus,
        };
        let (body, detail) = split_bottom(area, 2);
        let mut panes = Self { detail, ..Self::default() };
        // Without a message, the list has all rows.
        let Some(has_coded) = has_coded else {
            panes.set(Pane::List, area);
            return panes;
        };
        if zoom {
            panes.set(focus, body);
            return panes;
        }
        let list = sizes.upper_of(body.height.saturating_sub(2)).max(2);
        let (upper, lower) = split_top(body, 1 + list);
        panes.set(Pane::List, upper);
        if view == MessageView::Annotated {
            panes.set(Pane::Fields, lower);
            return panes;
        }
        if view == MessageView::Bytes {
            panes.set_bytes(lower, focus, has_coded);
            return panes;
        }
        let bytes = match lower.width {
            220.. => dump_width(32),
            112.. => dump_width(16),
            60.. => dump_width(8),
            _ => dump_width(4),
        };
        let left = match sizes.left {
            Some(percent) => percent_of(lower.width, percent),
            None => lower.width.saturating_sub(bytes + 1),
        };
        let (left, right) = split_left(lower, left);
        panes.set(Pane::Fields, left);
        panes.set_bytes(right, focus, has_coded);
        panes
    }

    /// The bytes and below them the decoded text; if there is no space for both, the focused one.
    fn set_bytes(&mut self, area: Rect, focus: Pane, has_coded: bool) {
        if !has_coded {
            self.set(Pane::Bytes, area);
        } else if area.height < 8 {
            self.set(if focus == Pane::Coded { Pane::Coded } else { Pane::Bytes }, area);
        } else {
            let (above, below) = split_top(area, (area.height / 3).max(3));
            self.set(Pane::Bytes, above);
            self.set(Pane::Coded, below);
        }
    }

    /// How much of the width the left pane has, in percent.
    pub fn left_percent(&self) -> u8 {
        let all = u32::from(self.detail.width.max(1));
        (u32::from(self.body(Pane::Fields).width) * 100 / all) as u8
    }

    fn set(&mut self, pane: Pane, area: Rect) {
        if let Some(of) = self.all.get_mut(pane as usize) {
            *of = TitledPane::new(area);
        }
    }

    pub fn get(&self, pane: Pane) -> TitledPane {
        self.all.get(pane as usize).copied().unwrap_or_default()
    }

    /// The part of a pane that scrolls.
    pub fn body(&self, pane: Pane) -> Rect {
        self.get(pane).body
    }

    /// How many rows of a pane are visible.
    pub fn height(&self, pane: Pane) -> usize {
        usize::from(self.body(pane).height).max(1)
    }

    /// The bytes per row of a pane's hexdump.
    pub fn bytes_in_row(&self, pane: Pane) -> usize {
        bytes_in_row(self.body(pane).width)
    }

    /// The pane at a position, with column and row in its body; its title has no row.
    pub fn at(&self, at: Position) -> Option<(Pane, u16, Option<u16>)> {
        Pane::ALL.into_iter().find_map(|pane| {
            let TitledPane { rule, body } = self.get(pane);
            let inside = body.contains(at).then(|| at.y - body.y);
            let touched = inside.is_some() || rule.contains(at);
            touched.then(|| (pane, at.x.saturating_sub(body.x), inside))
        })
    }
}

/// The bytes per row of a hexdump of this width.
pub fn bytes_in_row(width: u16) -> usize {
    [32, 16, 8].into_iter().find(|n| dump_width(*n) <= width).unwrap_or(4).into()
}

/// The columns of offset, hex digits and characters for this many bytes per row.
fn dump_width(bytes: u16) -> u16 {
    4 * bytes + 7
}
