//! The parts of the terminal: drawing and mouse clicks use the same ones.

use ratatui::layout::Rect;

use super::action::{Axis, Step};

/// Nothing is drawn in a terminal smaller than this.
pub const LEAST: (u16, u16) = (40, 10);
/// A terminal with fewer rows has no line of tabs.
const WITH_TABS: u16 = 16;

/// The bars at the top and at the bottom, and the area between them.
#[derive(Debug, Clone, Copy)]
pub struct ScreenAreas {
    pub header: Rect,
    pub tabs: Rect,
    pub screen: Rect,
    pub footer: Rect,
}

/// How the user has divided the screen: the sizes of the upper and of the left pane, in percent of
/// the space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaneSizes {
    pub upper: u8,
    pub left: Option<u8>,
}

impl Default for PaneSizes {
    fn default() -> Self {
        Self { upper: 45, left: None }
    }
}

impl PaneSizes {
    /// The limits of a size, in percent.
    const RANGE: std::ops::RangeInclusive<u8> = 10..=90;
    /// How much one key press changes, in percent.
    const STEP: u8 = 5;

    /// Makes the upper or the left pane larger or smaller; `left` is its size now.
    pub fn change(&mut self, axis: Axis, step: Step, left: u8) {
        let now = if axis == Axis::Rows { self.upper } else { self.left.unwrap_or(left) };
        let to = match step {
            Step::Forward => now.saturating_add(Self::STEP),
            Step::Back => now.saturating_sub(Self::STEP),
        };
        self.set(axis, to);
    }

    pub fn set(&mut self, axis: Axis, percent: u8) {
        let percent = percent.clamp(*Self::RANGE.start(), *Self::RANGE.end());
        match axis {
            Axis::Rows => self.upper = percent,
            Axis::Columns => self.left = Some(percent),
        }
    }

    /// The part of a height that the upper pane has.
    pub fn upper_of(self, height: u16) -> u16 {
        percent_of(height, self.upper)
    }
}

/// The part that `part` is of a length, in percent, rounded up: [`percent_of`] gives it back.
pub fn percent(part: u16, length: u16) -> u8 {
    (u32::from(part) * 100).div_ceil(u32::from(length.max(1))).min(100) as u8
}

/// A part of a length.
pub fn percent_of(length: u16, percent: u8) -> u16 {
    (u32::from(length) * u32::from(percent) / 100) as u16
}

/// A pane below a line with its name.
#[derive(Debug, Clone, Copy, Default)]
pub struct TitledPane {
    pub rule: Rect,
    pub body: Rect,
}

impl ScreenAreas {
    /// The parts of a terminal; `None` if it is too small.
    pub fn of_terminal((width, height): (u16, u16)) -> Option<Self> {
        if width < LEAST.0 || height < LEAST.1 {
            return None;
        }
        let (header, all) = split_top(Rect::new(0, 0, width, height), 1);
        let (tabs, all) = split_top(all, u16::from(height >= WITH_TABS));
        let (screen, footer) = split_bottom(all, 1);
        Some(Self { header, tabs, screen, footer })
    }
}

impl TitledPane {
    pub fn new(area: Rect) -> Self {
        let (rule, body) = split_top(area, 1);
        Self { rule, body }
    }
}

/// The first rows of an area, and the rest.
pub fn split_top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    let rest = Rect { y: area.y + height, height: area.height - height, ..area };
    (Rect { height, ..area }, rest)
}

/// An area without its last rows, and these.
pub fn split_bottom(area: Rect, height: u16) -> (Rect, Rect) {
    split_top(area, area.height.saturating_sub(height))
}

/// The left part, and the part right of it after a separating column.
pub fn split_left(area: Rect, width: u16) -> (Rect, Rect) {
    let width = width.min(area.width.saturating_sub(1));
    let rest = area.width.saturating_sub(width + 1);
    let right = Rect { x: area.x + area.width - rest, width: rest, ..area };
    (Rect { width, ..area }, right)
}
