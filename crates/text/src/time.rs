//! Times as text, and back, in UTC; `zone` has local times.

use std::str::FromStr as _;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;

use super::digits::BILLION;

/// In place of the time of a frame that has none, in nanoseconds since the Unix epoch: before all
/// times of captures. pcapng's simple packet blocks have no time.
pub const NO_TIME: i64 = i64::MIN / 2;

/// What is shown in place of a time that is not known.
const UNKNOWN: &str = "no time";

/// Whether this is a time, and not [`NO_TIME`].
pub const fn has_time(nanos: i64) -> bool {
    nanos != NO_TIME
}

/// The nanoseconds from one time to another; `None` if one of them is [`NO_TIME`].
pub fn since(earlier: i64, later: i64) -> Option<i64> {
    (has_time(earlier) && has_time(later)).then(|| later.saturating_sub(earlier))
}

/// Nanoseconds since the Unix epoch as RFC 3339 with nine digits: `2026-11-21T08:25:04.123456789Z`.
pub fn utc(nanos: i64) -> String {
    if !has_time(nanos) {
        return UNKNOWN.to_owned();
    }
    match Timestamp::from_nanosecond(i128::from(nanos)) {
        Ok(time) => format!("{time:.9}"),
        Err(_) => format!("{nanos} ns"),
    }
}

/// The time of day in UTC with this many decimals, 1 to 9: `08:25:04.123`.
pub fn time_of_day(nanos: i64, decimals: usize) -> String {
    if !has_time(nanos) {
        return UNKNOWN.to_owned();
    }
    utc(nanos).get(11..20 + decimals).unwrap_or("?").to_owned()
}

/// Nanoseconds as seconds with this many decimals, 0 to 9, the rest cut off: `-0.340`.
pub fn seconds(nanos: i64, decimals: usize) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.unsigned_abs();
    let (whole, digits) = (nanos / 1_000_000_000, format!("{:09}", nanos % 1_000_000_000));
    match digits.get(..decimals).unwrap_or(&digits) {
        "" => format!("{sign}{whole}"),
        digits => format!("{sign}{whole}.{digits}"),
    }
}

/// The first and the last nanosecond since the Unix epoch that a text stands for: a date is a whole
/// day, a time without a fraction a whole second, one without seconds a whole minute. Without an
/// offset it is UTC.
pub fn parse_time(text: &str) -> Option<(i128, i128)> {
    let Some(clock) = text.split(['T', 't', ' ']).nth(1) else {
        let date = Date::from_str(text).ok().filter(|_| text.contains('-'))?;
        let at = nanoseconds(date.at(0, 0, 0, 0));
        return Some((at, at + 86_400 * BILLION - 1));
    };
    let clock = clock.split(['Z', 'z', '+', '-']).next()?;
    let width = match (clock.contains('.'), clock.matches(':').count()) {
        (true, _) => 1,
        (false, 2) => BILLION,
        (false, _) => 60 * BILLION,
    };
    let at = match Timestamp::from_str(text) {
        Ok(at) => at.as_nanosecond(),
        Err(_) => nanoseconds(DateTime::from_str(text).ok()?),
    };
    Some((at, at + width - 1))
}

/// The nanoseconds of a time in UTC; long ago if they cannot be counted.
fn nanoseconds(at: DateTime) -> i128 {
    Offset::UTC.to_timestamp(at).map_or(i128::MIN / 2, Timestamp::as_nanosecond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_nine_digits_whatever_they_are() {
        assert_eq!(utc(0), "1970-01-01T00:00:00.000000000Z");
        assert_eq!(utc(-1), "1969-12-31T23:59:59.999999999Z");
        assert_eq!(utc(1_795_335_904_000_000_070), "2026-11-22T08:25:04.000000070Z");
        assert_eq!(utc(i64::MAX), "2262-04-11T23:47:16.854775807Z");
        assert_eq!(time_of_day(1_795_335_904_120_000_070, 3), "08:25:04.120");
    }

    #[test]
    fn seconds_have_the_decimals_that_are_asked_for() {
        for (nanos, decimals, text) in [
            (0, 0, "0"),
            (1_999_999_999, 0, "1"),
            (12_345_678_901, 6, "12.345678"),
            (-340_000_000, 3, "-0.340"),
            (i64::MIN, 9, "-9223372036.854775808"),
        ] {
            assert_eq!(seconds(nanos, decimals), text);
        }
    }

    #[test]
    fn a_time_is_as_long_as_its_text_is_exact() {
        let day = 86400 * BILLION;
        let minute = 1_070_308_800 * BILLION;
        for (text, from, width) in [
            ("1970-01-01", 0, day),
            ("2003-12-01", minute - 72000 * BILLION, day),
            ("2003-12-01T20:00", minute, 60 * BILLION),
            ("2003-12-01 20:00:00", minute, BILLION),
            ("2003-12-01T20:00:00Z", minute, BILLION),
            ("2003-12-01T22:00:00+02:00", minute, BILLION),
            ("2003-12-01T20:00:00.5Z", minute + BILLION / 2, 1),
        ] {
            assert_eq!(parse_time(text), Some((from, from + width - 1)), "{text}");
        }
        for text in ["", "yesterday", "2003-13-01", "2003-12-01T25:00:00Z", "T", "27950"] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }
}
