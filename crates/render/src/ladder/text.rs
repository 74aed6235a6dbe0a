//! A ladder as lines of styled text; each line depends on its arrow and the lifelines alone.

use std::ops::Range;

use anstyle::Style;

use super::arrow::{Arrow, TIME, time_since};
use super::columns::{LifelineColumns, NUMBER};
use super::course::Course;
use super::heads::{begin_of, endpoints};
use super::lifelines::{Lifeline, Lifelines};
use super::line::{ArrowText, DIM, LadderLine, LineBuilder, sender_style};
use text::{duration, fit_address, width};

/// The times of a ladder.
#[derive(Debug, Clone, Copy)]
pub struct LadderTimes {
    /// What others are counted from, in nanoseconds.
    begin: i64,
    /// How many columns one takes.
    columns: usize,
}

impl LadderTimes {
    /// Times without a date.
    pub const fn since(begin: i64) -> Self {
        Self { begin, columns: TIME }
    }

    /// Times with space for a date: `12-01 20:00:16.750`.
    pub const fn with_dates(begin: i64) -> Self {
        Self { begin, columns: TIME + DATE }
    }
}

/// The columns of a month and a day, and of the blank after them.
const DATE: usize = 6;

/// What all lines of a ladder share.
#[derive(Debug, Clone, Copy)]
pub struct Ladder<'a> {
    lifelines: Lifelines<'a>,
    times: LadderTimes,
    columns: LifelineColumns,
}

impl<'a> Ladder<'a> {
    /// A ladder of `columns` columns, in which times count from `begin`, in nanoseconds. Of the
    /// lifelines of hosts, the first ones are visible.
    pub fn new(lifelines: Lifelines<'a>, begin: i64, columns: usize) -> Self {
        Self::from_lifeline(lifelines, LadderTimes::since(begin), columns, 0)
    }

    /// The same where the lifeline at a position is the first visible one, or as far right as there
    /// are lifelines.
    pub fn from_lifeline(
        lifelines: Lifelines<'a>,
        times: LadderTimes,
        columns: usize,
        first: usize,
    ) -> Self {
        let count = lifelines.count();
        let columns = match lifelines {
            Lifelines::ByRole(_) => LifelineColumns::of_all(count, columns, times.columns),
            Lifelines::ByHost(_) => LifelineColumns::of_some(count, columns, first, times.columns),
        };
        Self { lifelines, times, columns }
    }

    /// A ladder with all lifelines, in as many columns as that takes.
    pub(super) fn wide(lifelines: Lifelines<'a>, begin: i64) -> Self {
        let columns = LifelineColumns::wide(lifelines.count());
        Self { lifelines, times: LadderTimes::since(begin), columns }
    }

    /// The positions of the visible lifelines.
    pub fn visible(&self) -> Range<usize> {
        self.columns.visible()
    }

    /// The position from which the lifelines must be visible to show an arrow, with as little
    /// scrolling as possible: both its ends, or one of them with some of the arrow.
    pub fn first_for(&self, arrow: &Arrow<'_>) -> usize {
        let Range { start, end } = self.visible();
        let [Some(from), Some(to)] = self.lifelines.ends(arrow) else {
            return start;
        };
        let (left, right) = (from.min(to), from.max(to));
        let shows =
            |first: usize, last: usize| start.clamp((last + 1).saturating_sub(end - start), first);
        if right - left < end - start {
            return shows(left, right);
        }
        let (at_left, at_right) = (shows(left, left + 1), shows(right - 1, right));
        let is_nearer = at_right.abs_diff(start) < at_left.abs_diff(start);
        if is_nearer { at_right } else { at_left }
    }

    /// The two lines at the top: the role of each lifeline, and the endpoint that arrows mean if
    /// they name none.
    pub fn head(&self) -> [LadderLine; 2] {
        let mut names = LineBuilder::default();
        let mut addresses = LineBuilder::default();
        for (at, (lifeline, address)) in self.visible().zip(self.heads()) {
            let style = sender_style(lifeline.role);
            let of_address = match self.lifelines {
                Lifelines::ByRole(_) => Style::new(),
                Lifelines::ByHost(_) => style,
            };
            for (row, text, style) in [
                (&mut names, lifeline.name(), style.bold()),
                (&mut addresses, address.as_str(), of_address),
            ] {
                row.fill(begin_of(at, width(text), &self.columns));
                row.push(text, style);
            }
        }
        [names.runs, addresses.runs]
    }

    /// The visible lifelines, and the texts of their endpoints.
    fn heads(&self) -> Vec<(Lifeline, String)> {
        let lifelines = self.visible().filter_map(|at| self.lifelines.get(at));
        let lifelines: Vec<_> = lifelines.collect();
        let texts: Vec<_> = match self.lifelines {
            Lifelines::ByRole(_) => {
                let space = self.columns.space() - 1;
                lifelines.iter().map(|of| fit_address(&of.address(), space)).collect()
            }
            Lifelines::ByHost(_) => {
                let ends: Vec<_> = lifelines.iter().filter_map(|of| of.head).collect();
                endpoints(&ends, &self.columns)
            }
        };
        lifelines.into_iter().zip(texts).collect()
    }

    /// A pause of so many nanoseconds.
    pub fn pause(&self, nanos: i64) -> LadderLine {
        let mut row = LineBuilder::default();
        let text = format!("· {} ·", duration(nanos));
        row.fill((self.columns.left() - 2).saturating_sub(width(&text)));
        row.push(&text, DIM);
        for lifeline in self.visible() {
            row.fill(self.columns.column_of(lifeline));
            row.push("┊", DIM);
        }
        row.runs
    }

    /// The line of a message. Its name stands on the arrow, where that begins at the left; other
    /// texts stand on the rest of the arrow, or else beside it.
    pub fn arrow(&self, arrow: &Arrow<'_>) -> LadderLine {
        self.arrow_at(arrow, &time_since(self.times.begin, arrow.time))
    }

    /// The same with the message's time as a text of at most as many columns as its times have.
    pub fn arrow_at(&self, arrow: &Arrow<'_>, time: &str) -> LadderLine {
        let mut row = LineBuilder::default();
        row.push(&format!("{:>NUMBER$} ", arrow.number), DIM);
        let columns = self.times.columns;
        row.push(&format!("{time:>columns$}"), Style::new());
        let style = sender_style(self.lifelines.sender(arrow));
        // Lanes of hosts have no texts of other messages.
        let is_by_role = matches!(self.lifelines, Lifelines::ByRole(_));
        let mut others = self.lifelines.others(arrow, &self.visible());
        if is_by_role {
            others = vec![others.join(" ")];
        }
        let mut texts = ArrowText::new(arrow, &others, style);
        let course = Course::new(self.lifelines.ends(arrow), &self.columns, is_by_role);
        course.draw(&mut row, &mut texts, (style, arrow.is_lost()));
        row.runs
    }
}
