//! Durations as text: `500ms`, `7.2s`, `2m30s`, `1h`. The one parser and the one formatter.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::time::Duration;

use super::digits::{BILLION, billionths};

/// The units and their nanoseconds, the longest first.
const UNITS: [(&str, i128); 7] = [
    ("d", 86_400 * BILLION),
    ("h", 3600 * BILLION),
    ("m", 60 * BILLION),
    ("s", BILLION),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

/// The nanoseconds of `250ms`, `1.5s`, `1h30m`, `-2d`: each number has its unit.
pub fn parse_duration(text: &str) -> Option<i128> {
    let (sign, mut left) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut sum = 0i128;
    loop {
        let (number, rest) =
            left.split_at_checked(left.find(|c: char| c.is_ascii_alphabetic())?)?;
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (unit, rest) = rest.split_at_checked(end)?;
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let number = billionths(number).filter(|_| !number.starts_with('-'))?;
        sum = sum.checked_add(number.checked_mul(*unit)? / BILLION)?;
        if rest.is_empty() {
            return Some(sign * sum);
        }
        left = rest;
    }
}

/// The value of an option: a duration within `range`; a number without a unit is in seconds.
///
/// # Errors
///
/// A text that says what is expected.
pub fn parse_option(text: &str, range: &RangeInclusive<Duration>) -> Result<Duration, String> {
    let nanos = parse_duration(text).or_else(|| billionths(text));
    let duration = nanos.and_then(|nanos| u64::try_from(nanos).ok()).map(Duration::from_nanos);
    duration.filter(|duration| range.contains(duration)).ok_or_else(|| {
        let [least, most] = [range.start(), range.end()].map(|end| duration_of(*end));
        format!("expected a duration from {least} to {most}, such as 500ms, 90s or 2m30s")
    })
}

const MILLI: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MILLI;

/// Nanoseconds as text, rounded to what people read: `0.4ms`, `340ms`, `7.2s`, `2m30s`, `1h5m`.
///
/// One decimal below 10 ms and between a second and a minute; at most two units above.
pub fn duration(nanos: i64) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.unsigned_abs();
    let step = match nanos {
        ..10_000_000 => MILLI / 10,
        10_000_000..1_000_000_000 => MILLI,
        1_000_000_000..60_000_000_000 => SECOND / 10,
        60_000_000_000..3_600_000_000_000 => SECOND,
        3_600_000_000_000..86_400_000_000_000 => 60 * SECOND,
        _ => 3600 * SECOND,
    };
    let nanos = (nanos + step / 2) / step * step;
    if nanos < SECOND {
        return format!("{sign}{}ms", decimal(nanos, MILLI));
    }
    if nanos < 60 * SECOND {
        return format!("{sign}{}s", decimal(nanos, SECOND));
    }
    let mut text = sign.to_owned();
    let mut left = i128::from(nanos);
    for (name, unit) in UNITS.iter().take(4).filter(|(_, unit)| *unit <= i128::from(nanos)) {
        if left >= *unit {
            // Writing to a string cannot fail.
            _ = write!(text, "{}{name}", left / unit);
        }
        left %= unit;
    }
    text
}

/// A short time, in nanoseconds: [`duration`], but whole microseconds below a millisecond: `312µs`.
pub fn latency(nanos: i64) -> String {
    match nanos {
        1..1_000_000 => format!("{}µs", (nanos / 1_000).max(1)),
        _ => duration(nanos),
    }
}

/// [`duration`] of a [`Duration`].
pub fn duration_of(value: Duration) -> String {
    duration(i64::try_from(value.as_nanos()).unwrap_or(i64::MAX))
}

/// A number of units with one decimal, unless that is 0.
fn decimal(nanos: u64, unit: u64) -> String {
    match nanos % unit * 10 / unit {
        0 => (nanos / unit).to_string(),
        tenth => format!("{}.{tenth}", nanos / unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;
    const S: i64 = 1_000 * MS;

    #[test]
    fn short_latencies_are_in_microseconds() {
        let texts = ["0ms", "1µs", "312µs", "999µs", "1ms", "60ms"];
        assert_eq!(texts, [0, 1, 312_900, 999_999, MS, 60 * MS].map(latency));
    }

    #[test]
    fn durations_have_units() {
        for (text, value) in [
            ("250ms", Some(250_000_000)),
            ("1.5s", Some(1_500_000_000)),
            ("1h30m", Some(5400 * BILLION)),
            ("2m30s", Some(150 * BILLION)),
            ("-2d", Some(-172_800 * BILLION)),
            ("0s", Some(0)),
            ("7us1ns", Some(7001)),
            ("5", None),
            ("", None),
            ("-", None),
            ("s", None),
            ("5 s", None),
            ("1s-1ms", None),
            ("--1s", None),
            ("1s5", None),
            ("5parsecs", None),
            ("9999999999999999999999999999d", None),
        ] {
            assert_eq!(parse_duration(text), value, "{text}");
        }
    }

    #[test]
    fn options_have_limits_and_numbers_alone_are_seconds() {
        let range = Duration::from_millis(1)..=Duration::from_hours(1);
        for (text, ms) in
            [("2s", 2000), ("90", 90_000), ("500ms", 500), ("2m30s", 150_000), ("0.5", 500)]
        {
            assert_eq!(parse_option(text, &range), Ok(Duration::from_millis(ms)), "{text}");
        }
        for text in ["", "0", "0s", "-1s", "+1", "2h", "1w", "99999999999999999999999", "1e9"] {
            let error = parse_option(text, &range).unwrap_err();
            assert!(error.contains("from 1ms to 1h"), "{text}: {error}");
        }
    }

    #[test]
    fn texts_are_as_precise_as_people_read() {
        for (nanos, text) in [
            (0, "0ms"),
            (400_000, "0.4ms"),
            (3 * MS, "3ms"),
            (9 * MS + 970_000, "10ms"),
            (340 * MS, "340ms"),
            (-340 * MS, "-340ms"),
            (999 * MS + 600_000, "1s"),
            (7 * S + 240 * MS, "7.2s"),
            (30 * S, "30s"),
            (59 * S + 970 * MS, "1m"),
            (150 * S, "2m30s"),
            (3599 * S + 999 * MS, "1h"),
            (3900 * S, "1h5m"),
            (86_400 * S, "1d"),
            (90_000 * S, "1d1h"),
            (3600 * S + 29 * S, "1h"),
        ] {
            assert_eq!(duration(nanos), text, "{nanos}");
        }
        assert_eq!(duration(i64::MIN), "-106752d");
    }

    #[test]
    fn what_is_written_is_read() {
        for nanos in [0, 400_000, 340 * MS, 7 * S + 200 * MS, 150 * S, 3900 * S, 90_000 * S] {
            assert_eq!(parse_duration(&duration(nanos)), Some(i128::from(nanos)));
        }
    }
}
