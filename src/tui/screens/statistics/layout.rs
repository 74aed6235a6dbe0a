//! Where the charts are: one at a time, or all beside each other.

use ratatui::layout::{Position, Rect};

use super::chart::ChartKind;
use crate::text::width;
use crate::tui::layout::{TitledPane, split_left, split_top};

/// All charts are shown at once in areas of at least this size.
const GRID: (u16, u16) = (110, 30);
/// From this width on, the messages over time take more than half.
const WIDE: u16 = 180;

/// The charts that are shown, with their areas.
pub struct ChartAreas {
    /// The line with the names of all charts; empty where all are shown.
    pub names: Rect,
    pub charts: Vec<(ChartKind, TitledPane)>,
}

impl ChartAreas {
    /// All charts, or only the focused one if it is maximised or if there is no space for all.
    pub fn of(area: Rect, focused: ChartKind, is_maximised: bool) -> Self {
        if is_maximised || area.width < GRID.0 || area.height < GRID.1 {
            let (names, body) = split_top(area, 1);
            let pane = TitledPane { rule: Rect::ZERO, body };
            return Self { names, charts: vec![(focused, pane)] };
        }
        let (first, rest) = split_top(area, area.height * 3 / 8);
        let (second, third) = split_top(rest, area.height * 2 / 7);
        let left = if area.width >= WIDE { area.width / 5 * 3 } else { area.width / 2 };
        let (over_time, games) = split_left(first, left);
        let (latency, lists) = split_left(third, area.width / 2);
        let areas = [over_time, second, latency, lists, games];
        let charts = ChartKind::ALL.into_iter().zip(areas.map(TitledPane::of)).collect();
        Self { names: Rect { height: 0, ..area }, charts }
    }

    /// Whether there is space for all names, with a blank on both sides.
    pub fn has_all_names(&self) -> bool {
        let all: usize = ChartKind::ALL.map(|kind| width(kind.name()) + 2).iter().sum();
        all <= usize::from(self.names.width)
    }

    /// The area of a chart, if it is shown.
    pub fn body(&self, kind: ChartKind) -> Option<Rect> {
        self.charts.iter().find(|(of, _)| *of == kind).map(|(_, pane)| pane.body)
    }

    /// The chart at a position: by its name, or in its area.
    pub fn at(&self, position: Position) -> Option<ChartKind> {
        if self.names.contains(position) {
            let mut end = usize::from(self.names.x);
            let mut names = ChartKind::ALL.into_iter().filter(|_| self.has_all_names());
            return names.find(|kind| {
                end += width(kind.name()) + 2;
                usize::from(position.x) < end
            });
        }
        let has = |pane: &TitledPane| pane.rule.contains(position) || pane.body.contains(position);
        self.charts.iter().find(|(_, pane)| has(pane)).map(|(kind, _)| *kind)
    }
}
