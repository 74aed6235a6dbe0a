//! The areas of the panes, computed from the terminal's size: drawing and mouse clicks use the same
//! ones.

use ratatui::layout::{Position, Rect};

use super::model::{Model, Pane};
use super::open::OpenMessage;
use super::sheet::Tab;

/// Nothing is drawn in a terminal smaller than this.
pub const LEAST: (u16, u16) = (40, 10);
/// A terminal with fewer rows has no line of tabs.
const NAMED: u16 = 16;

/// A rectangle for each pane; empty for panes that are not on screen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Areas {
    pub header: Rect,
    /// The line of tabs.
    pub tabs: Rect,
    /// Everything between the bars, for a tab other than the messages.
    pub sheet: Rect,
    pub headings: Rect,
    pub list: Rect,
    pub fields: Framed,
    pub bytes: Framed,
    pub coded: Framed,
    pub detail: Rect,
    pub footer: Rect,
}

/// A pane below a line with its name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Framed {
    pub rule: Rect,
    pub body: Rect,
}

impl Areas {
    /// The areas of a model's panes; `None` in a terminal that is too small.
    pub fn of(model: &Model) -> Option<Self> {
        let (width, height) = model.size;
        if width < LEAST.0 || height < LEAST.1 {
            return None;
        }
        let all = Rect::new(0, 0, width, height);
        let (header, all) = split_top(all, 1);
        let (tabs, all) = split_top(all, u16::from(height >= NAMED));
        let (all, footer) = split_bottom(all, 1);
        if model.sheets.shown != Tab::Messages {
            return Some(Self { header, tabs, sheet: all, footer, ..Self::default() });
        }
        let (body, detail) = split_bottom(all, 2);
        let mut areas = Self { header, tabs, detail, footer, ..Self::default() };
        let coded = model.open.as_ref().is_some_and(OpenMessage::has_coded);
        if model.zoom {
            areas.zoomed(body, model.focus);
        } else {
            areas.spread(body, coded, model.focus);
        }
        Some(areas)
    }

    fn zoomed(&mut self, body: Rect, focus: Pane) {
        match focus {
            Pane::List => (self.headings, self.list) = split_top(body, 1),
            Pane::Fields => self.fields = Framed::of(body),
            Pane::Bytes => self.bytes = Framed::of(body),
            Pane::Coded => self.coded = Framed::of(body),
        }
    }

    fn spread(&mut self, body: Rect, coded: bool, focus: Pane) {
        let list = (body.height.saturating_sub(2) * 9 / 20).max(2);
        let (upper, lower) = split_top(body, 1 + list);
        (self.headings, self.list) = split_top(upper, 1);
        let bytes = match lower.width {
            112.. => dump_width(16),
            60.. => dump_width(8),
            _ => dump_width(4),
        };
        let (left, right) = split_top_left(lower, lower.width.saturating_sub(bytes + 1));
        self.fields = Framed::of(left);
        if !coded {
            self.bytes = Framed::of(right);
        } else if right.height < 8 {
            // No room for both: the requested one.
            let pane = if focus == Pane::Coded { &mut self.coded } else { &mut self.bytes };
            *pane = Framed::of(right);
        } else {
            let (above, below) = split_top(right, (right.height / 3).max(3));
            (self.bytes, self.coded) = (Framed::of(above), Framed::of(below));
        }
    }

    /// The part of a pane that scrolls.
    pub fn body(&self, pane: Pane) -> Rect {
        match pane {
            Pane::List => self.list,
            Pane::Fields => self.fields.body,
            Pane::Bytes => self.bytes.body,
            Pane::Coded => self.coded.body,
        }
    }

    /// The pane at a position, with column and row in its body; lines above count as row 0.
    pub fn at(&self, column: u16, row: u16) -> Option<(Pane, u16, Option<u16>)> {
        let place = Position { x: column, y: row };
        Pane::ALL.into_iter().find_map(|pane| {
            let body = self.body(pane);
            let above = match pane {
                Pane::List => self.headings,
                Pane::Fields => self.fields.rule,
                Pane::Bytes => self.bytes.rule,
                Pane::Coded => self.coded.rule,
            };
            let inside = body.contains(place).then(|| row - body.y);
            let touched = inside.is_some() || above.contains(place);
            touched.then(|| (pane, column.saturating_sub(body.x), inside))
        })
    }
}

impl Framed {
    fn of(area: Rect) -> Self {
        let (rule, body) = split_top(area, 1);
        Self { rule, body }
    }
}

/// The bytes per row of a hexdump of this width.
pub fn bytes_in_row(width: u16) -> usize {
    [16, 8].into_iter().find(|n| dump_width(*n) <= width).unwrap_or(4).into()
}

/// The columns of offset, hex digits and characters for this many bytes per row.
fn dump_width(bytes: u16) -> u16 {
    4 * bytes + 7
}

fn split_top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    let rest = Rect { y: area.y + height, height: area.height - height, ..area };
    (Rect { height, ..area }, rest)
}

fn split_bottom(area: Rect, height: u16) -> (Rect, Rect) {
    split_top(area, area.height.saturating_sub(height))
}

/// The left part, and the part right of it after a separating column.
fn split_top_left(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width.saturating_sub(1));
    let right = Rect { x: area.x + width + 1, width: area.width - width - 1, ..area };
    (Rect { width, ..area }, right)
}
