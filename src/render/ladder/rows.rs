//! Which line of a ladder is which, so that only those are drawn that are seen.

/// A pause between two messages that gets a line of its own, in nanoseconds.
pub const PAUSE: i64 = 1_000_000_000;

/// What a line shows; both know the index of their rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LadderRow {
    /// The pause before a rung.
    Gap(usize),
    Rung(usize),
}

/// The lines of a ladder below its head: one for each rung, and one for each long pause.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    rungs: usize,
    last: Option<i64>,
    /// The lines that are pauses, in order.
    gaps: Vec<usize>,
}

impl Rows {
    /// Adds a rung behind the last one, by its time; tells how long the pause before it is, if it
    /// gets a line.
    pub fn push(&mut self, time: i64) -> Option<i64> {
        let pause = self.pause(time);
        if pause.is_some() {
            self.gaps.push(self.len());
        }
        self.rungs += 1;
        pause
    }

    /// How long the pause before a rung of this time is, if it gets a line: for whoever writes
    /// all lines in order and keeps none.
    pub fn pause(&mut self, time: i64) -> Option<i64> {
        let last = self.last.replace(time)?;
        Some(time.saturating_sub(last)).filter(|pause| *pause >= PAUSE)
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.rungs + self.gaps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rungs == 0
    }

    /// What line `line` shows; `None` behind the last one.
    pub fn at(&self, line: usize) -> Option<LadderRow> {
        if line >= self.len() {
            return None;
        }
        let before = self.gaps.partition_point(|gap| *gap < line);
        let rung = line - before;
        Some(if self.gaps.get(before) == Some(&line) {
            LadderRow::Gap(rung)
        } else {
            LadderRow::Rung(rung)
        })
    }

    /// The line of a rung.
    pub fn line_of(&self, rung: usize) -> usize {
        // The n-th pause stands before rung `gap - n`.
        let (mut low, mut high) = (0, self.gaps.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.gaps.get(middle).is_some_and(|gap| gap - middle <= rung) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        rung + low
    }
}
