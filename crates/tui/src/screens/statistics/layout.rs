//! Where the charts are: one at a time, or all beside each other.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::chart::ChartKind;
use crate::layout::{TitledPane, split_left, split_top};
use crate::widgets::painter::Painter;
use crate::widgets::style;
use text::width;

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
    pub fn new(area: Rect, focused: ChartKind, is_maximised: bool) -> Self {
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
        let charts = ChartKind::ALL.into_iter().zip(areas.map(TitledPane::new)).collect();
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

/// The names of all charts, and what there is space for of the note on the focused one.
pub fn names(focused: ChartKind, note: &[String; 2], areas: &ChartAreas, buffer: &mut Buffer) {
    let mut painter = Painter::at(buffer, areas.names, 0);
    if areas.has_all_names() {
        for kind in ChartKind::ALL {
            let style = if kind == focused { style::FOCUSED } else { style::PLAIN };
            painter.write(&format!(" {} ", kind.name()), style);
        }
    } else {
        let (at, of) = (focused.at() + 1, ChartKind::ALL.len());
        painter.write(&format!(" {at}/{of} {} ", focused.name()), style::FOCUSED);
    }
    let all = joined(note);
    let fits = width(&all) + 1 < painter.left();
    let [first, _] = note;
    painter.right(if fits { &all } else { first }, style::DIM, 1);
}

/// The parts of a note that are not empty.
pub fn joined(note: &[String; 2]) -> String {
    let parts: Vec<_> = note.iter().filter(|part| !part.is_empty()).cloned().collect();
    parts.join("; ")
}
