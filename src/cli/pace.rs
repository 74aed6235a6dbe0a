//! Arguments for the times of recorded messages.

use std::time::Duration;

use text::parse_option;

/// The maximum length of a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Longest(pub Option<Duration>);

/// Parses how many times faster than recorded something is.
pub(super) fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.1..=1000.0).contains(speed));
    speed.ok_or_else(|| "expected a number from 0.1 to 1000".to_owned())
}

/// Parses the longest pause, or `none`.
pub(super) fn longest(text: &str) -> Result<Longest, String> {
    match text {
        "none" => Ok(Longest(None)),
        _ => duration(text).map(|longest| Longest(Some(longest))),
    }
}

/// At most a day.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::ZERO..=Duration::from_hours(24)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parsed_or_refused() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(longest("none"), Ok(Longest(None)));
        for wrong in ["s", "-1s", "2d", "1e9s", "", "99999m"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!(speed("0.1"), Ok(0.1));
        for wrong in ["0", "1001", "fast", "NaN", "-1"] {
            assert!(speed(wrong).is_err(), "{wrong}");
        }
    }
}
