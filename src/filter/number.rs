//! Numbers, durations and times, all in billionths, so that none is rounded.

use std::str::FromStr as _;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;

/// One.
pub(super) const SCALE: i128 = 1_000_000_000;

/// The maximum number of digits before the point.
const DIGITS: usize = 28;

/// A decimal number in billionths; digits after the ninth are dropped.
pub(super) fn fixed(text: &str) -> Option<i128> {
    let (minus, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(part) || whole.len() > DIGITS {
        return None;
    }
    let part = part.get(..9).unwrap_or(part);
    let part = part.parse::<i128>().ok()? * 10i128.pow(9 - part.len() as u32);
    let number = whole.parse::<i128>().ok()? * SCALE + part;
    Some(if minus { -number } else { number })
}

/// A number as it is written in a filter: decimal, or `0x` and hex digits.
pub(super) fn number(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Some(i128::from(u64::from_str_radix(digits, 16).ok()?) * SCALE)
        }
        _ => fixed(text),
    }
}

/// A duration: `250ms`, `1.5s`, `1h30m`.
pub(super) fn duration(text: &str) -> Option<i128> {
    const UNITS: [(&str, i128); 7] = [
        ("ns", 1),
        ("us", 1_000),
        ("ms", 1_000_000),
        ("s", SCALE),
        ("m", 60 * SCALE),
        ("h", 3600 * SCALE),
        ("d", 86400 * SCALE),
    ];
    let (sign, mut left) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut sum = 0i128;
    while !left.is_empty() || sum == 0 {
        let digits = left.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (digits, rest) = left.split_at_checked(digits)?;
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (unit, rest) = rest.split_at_checked(end)?;
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
        let part = fixed(digits)?.checked_mul(*unit)? / SCALE;
        sum = sum.checked_add(part)?;
        if rest.is_empty() {
            break;
        }
        left = rest;
    }
    Some(sign * sum)
}

/// A time and the last moment that it stands for: a date is a whole day, a time without a fraction
/// a whole second, one without seconds a whole minute. Without an offset it is UTC.
pub(super) fn time(text: &str) -> Option<(i128, i128)> {
    let Some(clock) = text.split(['T', 't', ' ']).nth(1) else {
        let date = Date::from_str(text).ok().filter(|_| text.contains('-'))?;
        return Some(span(date.at(0, 0, 0, 0), 86400 * SCALE));
    };
    let clock = clock.split(['Z', 'z', '+', '-']).next()?;
    let width = match (clock.contains('.'), clock.matches(':').count()) {
        (true, _) => 1,
        (false, 2) => SCALE,
        (false, _) => 60 * SCALE,
    };
    let at = match Timestamp::from_str(text) {
        Ok(at) => at.as_nanosecond(),
        Err(_) => span(DateTime::from_str(text).ok()?, 1).0,
    };
    Some((at, at + width - 1))
}

fn span(at: DateTime, width: i128) -> (i128, i128) {
    let seconds = Offset::UTC.to_timestamp(at).map_or(i128::MIN / 2, Timestamp::as_nanosecond);
    (seconds, seconds + width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_or_hex() {
        for (text, value) in [
            ("0", Some(0)),
            ("27950", Some(27950 * SCALE)),
            ("-1.5", Some(-1_500_000_000)),
            ("0x6D2E", Some(27950 * SCALE)),
            ("1.0000000019", Some(1_000_000_001)),
            ("", None),
            ("-", None),
            ("0x", None),
            ("1.", None),
            (".5", None),
            ("1e3", None),
            ("99999999999999999999999999999", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }

    #[test]
    fn durations_have_units() {
        for (text, value) in [
            ("250ms", Some(250_000_000)),
            ("1.5s", Some(1_500_000_000)),
            ("1h30m", Some(5400 * SCALE)),
            ("-2d", Some(-172_800 * SCALE)),
            ("0s", Some(0)),
            ("7us1ns", Some(7001)),
            ("5", None),
            ("", None),
            ("s", None),
            ("5 s", None),
            ("5parsecs", None),
            ("9999999999999999999999999999d", None),
        ] {
            assert_eq!(duration(text), value, "{text}");
        }
    }

    #[test]
    fn a_time_is_as_long_as_what_is_said_of_it() {
        let day = 86400 * SCALE;
        let minute = 1_070_308_800 * SCALE;
        for (text, from, width) in [
            ("1970-01-01", 0, day),
            ("2003-12-01", minute - 72000 * SCALE, day),
            ("2003-12-01T20:00", minute, 60 * SCALE),
            ("2003-12-01 20:00:00", minute, SCALE),
            ("2003-12-01T20:00:00Z", minute, SCALE),
            ("2003-12-01T22:00:00+02:00", minute, SCALE),
            ("2003-12-01T20:00:00.5Z", minute + SCALE / 2, 1),
        ] {
            assert_eq!(time(text), Some((from, from + width - 1)), "{text}");
        }
        for text in ["", "yesterday", "2003-13-01", "2003-12-01T25:00:00Z", "T", "27950"] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
