//! A cursor in a list, and the part of the list that is visible.

use crate::action::{Motion, Step};

/// How many rows one step of the wheel scrolls.
pub const WHEEL: usize = 3;

/// The selected row of a list, and the first visible one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scroll {
    pub cursor: usize,
    pub top: usize,
}

impl Scroll {
    /// Keeps the cursor in a list of `len` rows, and scrolls just enough to show it and to leave no
    /// row of `height` empty.
    pub fn keep(&mut self, height: usize, len: usize) {
        self.cursor = self.cursor.min(len.saturating_sub(1));
        if height > 0 {
            self.top = clamped_top(self.top, self.cursor, height, len);
        }
    }

    /// Moves the cursor in a list of `len` rows, of which `height` are visible.
    pub fn go(&mut self, motion: Motion, height: usize, len: usize) {
        self.cursor = moved(self.cursor, len.saturating_sub(1), height.max(1), motion);
    }
}

/// Where a motion leads among positions 0 to `last`.
pub fn moved(now: usize, last: usize, height: usize, motion: Motion) -> usize {
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
        Motion::Left | Motion::Right | Motion::ScrollLeft | Motion::ScrollRight => now,
    };
    to.min(last)
}

/// The first visible row, moved just enough to show the cursor and to leave no row empty.
pub fn clamped_top(top: usize, cursor: usize, height: usize, len: usize) -> usize {
    let top = top.min(len.saturating_sub(height));
    top.clamp((cursor + 1).saturating_sub(height.max(1)), cursor)
}

/// The first visible row after a step of the wheel, at most `last`.
pub fn wheeled(top: usize, last: usize, step: Step) -> usize {
    match step {
        Step::Forward => (top + WHEEL).min(last.max(top)),
        Step::Back => top.saturating_sub(WHEEL),
    }
}
