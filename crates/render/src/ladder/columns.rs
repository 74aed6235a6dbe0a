//! Where the lifelines of a ladder stand in lines of text, and which of them are visible.

use std::ops::Range;

use super::arrow::TIME;

/// The columns of a frame's number, and of the blanks around its time.
pub(super) const NUMBER: usize = 5;
const BLANKS: usize = 1 + 2;
/// The minimum number of columns beside a lifeline, however narrow the ladder.
const NARROWEST: usize = 12;
/// The minimum between the lifelines of hosts, if more than two are visible.
const NARROW: usize = 16;
/// The same where the number of columns is not limited, for many lifelines and for two.
const WIDE: usize = 36;
const WIDEST: usize = 80;
/// The columns that a few lifelines share there.
const SHARED: usize = 120;
/// What is kept free at the right for an arrow that goes on there.
const MARGIN: usize = 1;

/// The columns of the visible lifelines, and the segments between them: segment n is right of
/// lifeline n.
#[derive(Debug, Clone, Copy)]
pub(super) struct LifelineColumns {
    /// The first visible lifeline, and the first one after it that is not.
    first: usize,
    end: usize,
    /// Columns from a lifeline to the next one.
    gap: usize,
    /// The column of the first visible lifeline.
    left: usize,
}

/// The columns left of the lifelines.
const fn left_of(time: usize) -> usize {
    NUMBER + BLANKS + time
}

impl LifelineColumns {
    /// All `count` lifelines in `columns` columns, however narrow, right of times of so many columns.
    pub fn of_all(count: usize, columns: usize, time: usize) -> Self {
        let left = left_of(time);
        let room = columns.saturating_sub(left + 1);
        let gap = (room / count.saturating_sub(1).max(1)).max(NARROWEST);
        Self { first: 0, end: count, gap, left }
    }

    /// As many of `count` lifelines as are readable in `columns` columns, from `first` on or from
    /// as far before it as there is space for.
    pub fn of_some(count: usize, columns: usize, first: usize, time: usize) -> Self {
        let room = columns.saturating_sub(left_of(time) + 1);
        let visible = (room / NARROW).max(1) + 1;
        if count <= visible {
            return Self::of_all(count, columns, time);
        }
        let first = first.min(count - visible);
        let all = Self::of_all(visible, columns - MARGIN.min(columns), time);
        Self { first, end: first + visible, ..all }
    }

    /// All `count` lifelines, in as many columns as that takes.
    pub fn wide(count: usize) -> Self {
        let gap = (SHARED / count.saturating_sub(1).max(1)).clamp(WIDE, WIDEST);
        Self { first: 0, end: count, gap, left: left_of(TIME) }
    }

    /// The column of the first visible lifeline.
    pub fn left(&self) -> usize {
        self.left
    }

    pub fn visible(&self) -> Range<usize> {
        self.first..self.end
    }

    /// The column of a visible lifeline.
    pub fn column_of(&self, lifeline: usize) -> usize {
        self.left + self.gap * lifeline.saturating_sub(self.first)
    }

    /// The visible segments; a single lifeline has one too.
    pub fn segments(&self) -> Range<usize> {
        self.first..self.end.saturating_sub(1).max(self.first + 1).min(self.end)
    }

    /// The columns of a segment.
    pub fn space(&self) -> usize {
        self.gap - 1
    }
}
