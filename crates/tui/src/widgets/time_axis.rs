//! An axis of time: which column a time has, and labels at round times.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::painter::Painter;
use super::style;
use crate::view_state::ViewState;
use text::TimeDisplay;
use text::width;

/// Nanoseconds in a millisecond, a second, a minute, an hour and a day.
const MS: i64 = 1_000_000;
const S: i64 = 1_000 * MS;
const M: i64 = 60 * S;
const H: i64 = 60 * M;
const D: i64 = 24 * H;

/// Units with numbers of them that are round.
const ROUND: &[(i64, &[i64])] = &[
    (MS, &[1, 2, 4, 5, 6, 8, 10, 20, 30, 40, 50, 60, 80, 100, 200, 300, 400, 500, 600, 800]),
    (S, &[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40]),
    (M, &[1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 40]),
    (H, &[1, 2, 3, 4, 6, 8, 12]),
    (D, &[1, 2, 3, 4, 6, 8, 10, 20, 30, 40, 60, 80, 100, 200, 300, 400, 600, 800, 1_000, 10_000]),
];

/// The shortest round duration that is at least `least`, and a multiple of `unit`.
pub fn round_duration(least: i64, unit: i64) -> i64 {
    let all = ROUND.iter().flat_map(|(unit, numbers)| numbers.iter().map(move |n| n * unit));
    let mut fitting = all.filter(|round| *round >= least && round % unit == 0);
    fitting.next().unwrap_or(least.max(unit))
}

/// Columns of equal duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeColumns {
    /// When the first one begins, in nanoseconds.
    pub first: i64,
    /// The duration of a column, in nanoseconds.
    pub each: i64,
    pub columns: u16,
}

impl TimeColumns {
    /// The column of a time, if there is one.
    pub fn at(&self, time: i64) -> Option<usize> {
        let column = time.checked_sub(self.first)?.div_euclid(self.each.max(1));
        usize::try_from(column).ok().filter(|column| *column < usize::from(self.columns))
    }

    /// The columns of round times, with their labels in the chosen format.
    fn ticks(&self, view: &ViewState) -> Vec<(usize, String)> {
        let longest = width(&label(view, self.first, S)).max(4);
        let least = i64::try_from(longest + 4).unwrap_or(i64::MAX);
        let step = round_duration(self.each.saturating_mul(least), 1);
        let begin = if view.format.times.is_clock() { 0 } else { view.begin() };
        let before = self.first.saturating_sub(begin).div_euclid(step);
        let times = (before..).map(|n| begin.saturating_add(n.saturating_mul(step)));
        let inside = times.skip_while(|time| *time < self.first).take(self.columns.into());
        inside.map_while(|time| Some((self.at(time)?, label(view, time, step)))).collect()
    }

    /// Draws the line of the axis, with a mark at each label; the columns begin `left` columns after
    /// the beginning of the row.
    pub fn line(&self, view: &ViewState, left: usize, area: Rect, buffer: &mut Buffer) {
        let mut painter = Painter::at(buffer, area, 0);
        painter.go(left);
        painter.write(&"─".repeat(usize::from(self.columns).min(painter.left())), style::DIM);
        for (column, _) in self.ticks(view) {
            painter.go(left + column);
            painter.write("┴", style::DIM);
        }
    }

    /// Draws the labels; one that does not fit is left out.
    pub fn labels(&self, view: &ViewState, left: usize, area: Rect, buffer: &mut Buffer) {
        let mut painter = Painter::at(buffer, area, 0);
        for (column, text) in self.ticks(view) {
            painter.go(left + column);
            if width(&text) <= usize::from(self.columns) - column && width(&text) <= painter.left()
            {
                painter.write(&text, style::PLAIN);
            }
        }
    }
}

/// A time in the chosen format, as precise as multiples of `step` need.
fn label(view: &ViewState, time: i64, step: i64) -> String {
    let decimals = match step {
        _ if step >= S => 0,
        _ if step >= 100 * MS => 1,
        _ if step >= 10 * MS => 2,
        _ => 3,
    };
    let text = view.format.times.text(time, view.begin(), decimals.max(1), &view.zone);
    let text = if decimals == 0 { text.split('.').next().unwrap_or_default() } else { &text };
    if !view.format.times.is_clock() {
        return text.to_owned();
    }
    match text.strip_suffix(":00") {
        Some("00:00") if step >= H => date(time),
        Some(minutes) if step >= M => minutes.to_owned(),
        _ => text.to_owned(),
    }
}

/// A month and a day: `12-01`.
fn date(time: i64) -> String {
    text::utc(time).get(5..10).unwrap_or_default().to_owned()
}

/// The unit of the labels: seconds since the first message, or none for a time of day in UTC.
pub fn unit(view: &ViewState) -> &'static str {
    match view.format.times {
        TimeDisplay::Utc => "UTC",
        TimeDisplay::Local => "local",
        TimeDisplay::Relative | TimeDisplay::Delta => "s",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::TextDisplay;

    #[test]
    fn durations_are_round_and_multiples_of_the_unit() {
        for (least, unit, round) in [
            (0, MS, MS),
            (3 * MS, MS, 4 * MS),
            (3 * MS, 2 * MS, 4 * MS),
            (7 * S, S, 8 * S),
            (7 * S, 10 * S, 10 * S),
            (41 * M, M, H),
            (25 * H, H, 2 * D),
            (30_000 * D, D, 30_000 * D),
        ] {
            assert_eq!(round_duration(least, unit), round, "{least}");
        }
    }

    #[test]
    fn labels_stand_at_round_times() {
        let mut view = ViewState::new(TextDisplay::Coloured);
        view.known.first = Some(7 * S);
        let columns = TimeColumns { first: 6 * S, each: 2 * S, columns: 40 };
        let ticks = columns.ticks(&view);
        assert_eq!(
            ticks[..3],
            [(0, "0"), (10, "20"), (20, "40")].map(|(at, of)| (at, of.to_owned()))
        );
        view.format.times = TimeDisplay::Utc;
        let columns = TimeColumns { first: D - 30 * M, each: 2 * M, columns: 60 };
        let labels: Vec<_> = columns.ticks(&view).into_iter().map(|(_, text)| text).collect();
        assert_eq!(labels, ["23:30", "00:00", "00:30", "01:00"]);
        let columns = TimeColumns { first: D - 5 * H, each: 12 * M, columns: 60 };
        let labels: Vec<_> = columns.ticks(&view).into_iter().map(|(_, text)| text).collect();
        assert_eq!(labels, ["21:00", "01-02", "03:00", "06:00"]);
    }

    #[test]
    fn a_time_has_a_column() {
        let columns = TimeColumns { first: 10, each: 5, columns: 4 };
        assert_eq!(
            [9, 10, 14, 15, 29, 30].map(|time| columns.at(time)),
            [None, Some(0), Some(0), Some(1), Some(3), None]
        );
    }
}
