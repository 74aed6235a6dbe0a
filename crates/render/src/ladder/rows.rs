//! Maps lines of a ladder to arrows and pauses, so that only the visible ones are drawn.

use text::since;

/// A pause between two messages that gets a line of its own, in nanoseconds.
const PAUSE: i64 = 1_000_000_000;

/// What a line shows; both variants hold the index of their arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LadderRow {
    /// The pause before an arrow.
    Pause(usize),
    /// An arrow, by its index.
    Arrow(usize),
}

/// The lines of a ladder below its head: one for each arrow, and one for each long pause.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    arrows: usize,
    last: Option<i64>,
    /// The lines that are pauses, in order.
    gaps: Vec<usize>,
}

impl Rows {
    /// Appends an arrow by its time, in nanoseconds; returns the length of the pause before it, if
    /// that gets a line.
    pub fn push(&mut self, time: i64) -> Option<i64> {
        let pause = self.pause(time);
        if pause.is_some() {
            self.gaps.push(self.count());
        }
        self.arrows += 1;
        pause
    }

    /// The length of the pause before an arrow of this time, if that gets a line: for callers that
    /// write all lines in order and keep none.
    pub fn pause(&mut self, time: i64) -> Option<i64> {
        let last = self.last.replace(time)?;
        since(last, time).filter(|pause| *pause >= PAUSE)
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.arrows + self.gaps.len()
    }

    /// What line `line` shows; `None` after the last one.
    pub fn at(&self, line: usize) -> Option<LadderRow> {
        if line >= self.count() {
            return None;
        }
        let before = self.gaps.partition_point(|gap| *gap < line);
        let arrow = line - before;
        Some(if self.gaps.get(before) == Some(&line) {
            LadderRow::Pause(arrow)
        } else {
            LadderRow::Arrow(arrow)
        })
    }

    /// The line of an arrow.
    pub fn line_of(&self, arrow: usize) -> usize {
        // The n-th pause stands before arrow `gap - n`.
        let (mut low, mut high) = (0, self.gaps.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.gaps.get(middle).is_some_and(|gap| gap - middle <= arrow) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        arrow + low
    }
}
