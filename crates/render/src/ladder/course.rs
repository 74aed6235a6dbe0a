//! The course of an arrow over the visible lifelines, and its drawing.

use std::ops::Range;

use anstyle::Style;

use super::columns::LifelineColumns;
use super::line::{ArrowText, DIM, LineBuilder, columns};
use crate::TextRun;

/// The maximum number of segments beside an arrow for its texts, and of an arrow that is not visible.
const BESIDE: usize = 2;
const ASIDE: usize = 4;

/// The course of an arrow over the visible lifelines.
pub(super) struct Course<'a> {
    columns: &'a LifelineColumns,
    kind: CourseKind,
    /// Whether its texts may stand in the lanes of lifelines that it does not touch.
    has_texts_beside: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum CourseKind {
    /// From one lifeline to another; at least one visible lifeline is touched.
    Across {
        from: usize,
        to: usize,
    },
    /// Within one visible lifeline.
    Within(usize),
    /// Left of the visible lifelines, or right of them.
    Left,
    Right,
    /// Between hosts without a lifeline.
    Nowhere,
}

/// How an arrow looks.
#[derive(Clone, Copy)]
struct ArrowLook {
    style: Style,
    line: &'static str,
    tip: &'static str,
    goes_right: bool,
}

impl<'a> Course<'a> {
    pub fn new(
        ends: [Option<usize>; 2],
        columns: &'a LifelineColumns,
        has_texts_beside: bool,
    ) -> Self {
        let visible = columns.visible();
        let kind = match ends {
            [Some(from), Some(to)] if from.max(to) < visible.start => CourseKind::Left,
            [Some(from), Some(to)] if from.min(to) >= visible.end => CourseKind::Right,
            [Some(from), Some(to)] if from == to => CourseKind::Within(from),
            [Some(from), Some(to)] => CourseKind::Across { from, to },
            _ => CourseKind::Nowhere,
        };
        Self { columns, kind, has_texts_beside }
    }

    /// Draws the arrow with its texts, right of the time.
    pub fn draw(&self, row: &mut LineBuilder, texts: &mut ArrowText, how: (Style, bool)) {
        let look = self.look(how);
        let (first, last) = self.span();
        let segments = self.columns.segments();
        let texts = self.place(texts);
        let Range { start, end } = self.columns.visible();
        if first < start && start <= last {
            row.fill(self.columns.left().saturating_sub(1));
            let is_end = last == start && look.goes_right;
            row.push(if is_end { look.tip } else { look.line }, look.style);
        }
        for at in start..end {
            row.fill(self.columns.column_of(at));
            let crosses = first < at && at < last;
            row.push(if crosses { "┼" } else { "│" }, if crosses { look.style } else { DIM });
            if segments.contains(&at) {
                let none = Vec::new();
                let texts = texts.get(at - start).unwrap_or(&none);
                self.segment(row, at, texts, look);
            }
        }
        if first < end && end <= last {
            let is_end = first + 1 == end && !look.goes_right;
            row.push(if is_end { look.tip } else { look.line }, look.style);
        }
    }

    /// One segment: a part of the arrow, or texts beside it.
    fn segment(&self, row: &mut LineBuilder, at: usize, texts: &[TextRun], look: ArrowLook) {
        let space = self.columns.space();
        let (first, last) = self.span();
        let is_named = self.order().first() == Some(&at);
        let blanks = |taken: usize| space.saturating_sub(columns(texts) + taken);
        match self.kind {
            CourseKind::Across { .. } if first <= at && at < last => {
                let ends = (at == first, at + 1 == last);
                return look.draw(row, texts, space, ends);
            }
            CourseKind::Within(lifeline) if is_named && lifeline == at => {
                row.push("↺ ", look.style);
                return row.append(texts);
            }
            CourseKind::Within(_) if is_named => {
                row.fill(row.columns + blanks(2));
                row.append(texts);
                return row.push(" ↺", look.style);
            }
            CourseKind::Left if is_named => {
                row.push(" ◂ ", look.style);
                return row.append(texts);
            }
            CourseKind::Right if is_named => {
                row.fill(row.columns + blanks(3));
                row.append(texts);
                return row.push(" ▸ ", look.style);
            }
            _ => {}
        }
        // Close to the lifeline where the arrow begins or ends.
        let is_left = match self.kind {
            CourseKind::Across { .. } => at < first,
            CourseKind::Within(lifeline) => at < lifeline,
            CourseKind::Right => true,
            CourseKind::Left | CourseKind::Nowhere => false,
        };
        row.fill(row.columns + if is_left { blanks(1) } else { 1 });
        row.append(texts);
    }

    /// The texts of each visible segment.
    fn place(&self, texts: &mut ArrowText) -> Vec<Vec<TextRun>> {
        let segments = self.columns.segments();
        let (first, last) = self.span();
        let mut placed = vec![Vec::new(); segments.len()];
        let order = self.order();
        for (n, at) in order.iter().copied().enumerate() {
            let is_aside = matches!(self.kind, CourseKind::Left | CourseKind::Right);
            if is_aside && !self.has_texts_beside {
                break;
            }
            let blanks = match self.kind {
                CourseKind::Across { .. } if first <= at && at < last => 4,
                CourseKind::Left | CourseKind::Right if n == 0 => 5,
                _ => 3,
            };
            if let Some(place) = placed.get_mut(at - segments.start) {
                let space = self.columns.space().saturating_sub(blanks);
                *place = texts.take_line(space, n == 0, n + 1 == order.len());
            }
        }
        placed
    }

    /// The segments with texts; the first one has the name.
    fn order(&self) -> Vec<usize> {
        let Range { start, end } = self.columns.segments();
        let (first, last) = self.span();
        let beside = |at: usize| {
            let left = at.checked_sub(1).filter(|left| *left >= start);
            if at + 1 < end { Some(at + 1) } else { left }
        };
        let has = |at: &usize| (start..end).contains(at);
        // An arrow of which only the tip is visible has its name beside it.
        let has_segment = first.max(start) < last.min(end);
        let beside_it = if self.has_texts_beside { BESIDE } else { usize::from(!has_segment) };
        match self.kind {
            CourseKind::Across { .. } => {
                let on_it = first.max(start)..last.min(end);
                let (right, left) = (last..end, start..first.min(end));
                let left = left.rev().filter(|_| right.is_empty());
                on_it.chain(right.clone().take(beside_it)).chain(left.take(beside_it)).collect()
            }
            CourseKind::Within(lifeline) => {
                let named = lifeline.min(end.saturating_sub(1));
                let beside = beside(named).filter(|_| self.has_texts_beside);
                [Some(named).filter(has), beside].into_iter().flatten().collect()
            }
            CourseKind::Left | CourseKind::Nowhere => (start..end).take(ASIDE).collect(),
            CourseKind::Right => (start..end).rev().take(ASIDE).collect(),
        }
    }

    /// Its lifelines from left to right; those of an arrow that is not drawn are none.
    fn span(&self) -> (usize, usize) {
        match self.kind {
            CourseKind::Across { from, to } => (from.min(to), from.max(to)),
            CourseKind::Within(at) => (at, at),
            CourseKind::Left | CourseKind::Right | CourseKind::Nowhere => (usize::MAX, 0),
        }
    }

    fn look(&self, (style, is_lost): (Style, bool)) -> ArrowLook {
        let goes_right = matches!(self.kind, CourseKind::Across { from, to } if from < to);
        let (line, tip) = match (is_lost, goes_right) {
            (true, _) => ("╌", "×"),
            (false, true) => ("─", "▶"),
            (false, false) => ("─", "◀"),
        };
        ArrowLook { style, line, tip, goes_right }
    }
}

impl ArrowLook {
    /// The part of the arrow between two neighbouring lifelines; `ends` says whether it begins
    /// and ends here, from left to right.
    fn draw(&self, row: &mut LineBuilder, texts: &[TextRun], space: usize, ends: (bool, bool)) {
        let Self { style, line, tip, goes_right } = *self;
        let begin = row.columns;
        row.push(if ends.0 && !goes_right { tip } else { line }, style);
        // With a text that takes all of the space, the line is as short as it can be.
        if texts.is_empty() || columns(texts) + 5 <= space {
            row.push(line, style);
        }
        if !texts.is_empty() {
            row.push(" ", style);
            for run in texts {
                row.push(&run.text, run.style);
            }
            row.push(" ", style);
        }
        let rest = space.saturating_sub(row.columns - begin + 1);
        row.push(&line.repeat(rest), style);
        row.push(if ends.1 && goes_right { tip } else { line }, style);
    }
}
