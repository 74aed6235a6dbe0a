//! The statistics of the page, drawn: each chart is a table with a small picture in each row, so
//! that its numbers can be read and copied, and by those who see no picture.

mod games;
mod heartbeats;
mod latencies;
mod lists;

use maud::{Markup, html};

use super::left_out::LeftOut;
use super::survey::Survey;
use super::tables::ReportTables;
use super::time_span::TimeSpan;
use report::html::scrolled;

/// The width of pictures, in units that the style stretches.
const WIDTH: u64 = 240;
/// The height of the picture in a row.
const HEIGHT: u64 = 24;

/// All charts for which there is something to draw.
pub(super) fn charts(
    (survey, tables): (&Survey, &ReportTables),
    span: TimeSpan,
    left_out: &mut LeftOut,
) -> Markup {
    let statistics = &survey.statistics;
    html! {
        (games::over_time(statistics, span))
        (games::shares(statistics, tables))
        (heartbeats::chart((&statistics.heartbeats, tables), span, left_out))
        @if let Some(exchanges) = &statistics.exchanges {
            (latencies::chart(exchanges))
            (lists::chart(exchanges, left_out))
        }
    }
}

/// A chart under its heading, with a note on what it shows.
fn figure(id: &str, heading: &str, note: &str, table: &Markup) -> Markup {
    html! {
        figure.chart aria-labelledby=(id) {
            h3 id=(id) { (heading) }
            @if !note.is_empty() { figcaption { (note) } }
            (scrolled(heading, table))
        }
    }
}

/// A picture in a row, of shapes; the numbers beside it say the same.
fn picture(height: u64, shapes: &Markup) -> Markup {
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (height) } preserveAspectRatio="none" aria-hidden="true" {
            (shapes)
        }
    }
}

/// A horizontal bar, if `most` takes all of the width.
fn bar(value: u64, most: u64) -> Markup {
    let width = scaled(value, most, WIDTH);
    picture(8, &html! { rect class="bar" x="0" y="0" height="8" width=(width) {} })
}

/// What a value takes of `of` units, if `most` takes all; at least one, unless the value is 0.
fn scaled(value: u64, most: u64, of: u64) -> u64 {
    let part = u128::from(value) * u128::from(of) / u128::from(most.max(1));
    (part as u64).clamp(u64::from(value > 0), of)
}

/// Where a time is in a picture.
fn place(time: i64, span: TimeSpan) -> u64 {
    let since = u64::try_from(time.saturating_sub(span.first)).unwrap_or(0);
    let part = u128::from(since) * u128::from(WIDTH) / u128::from(span.length().unsigned_abs());
    (part as u64).min(WIDTH)
}

/// The times at both ends of the pictures of a table.
fn axis(span: TimeSpan) -> Markup {
    html! { div.axis { time { (span.text(span.first)) } time { (span.text(span.last)) } } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_times_are_drawn_to_scale() {
        assert_eq!(
            [0, 1, 500, 1_000, 2_000].map(|of| scaled(of, 1_000, 240)),
            [0, 1, 120, 240, 240]
        );
        assert_eq!((scaled(0, 0, 240), scaled(u64::MAX, u64::MAX, 7)), (0, 7));
        let span = TimeSpan { first: -100, last: 100 };
        assert_eq!([-200, -100, 0, 100, 200].map(|time| place(time, span)), [0, 0, 120, 240, 240]);
        assert_eq!(place(7, TimeSpan { first: 7, last: 7 }), 0);
    }
}
