//! Times as text: always UTC.

use jiff::Timestamp;

/// Nanoseconds since the Unix epoch as RFC 3339 with nine digits: `2026-11-21T08:25:04.123456789Z`.
pub fn utc(nanos: i64) -> String {
    match Timestamp::from_nanosecond(i128::from(nanos)) {
        Ok(time) => format!("{time:.9}"),
        Err(_) => format!("{nanos} ns"),
    }
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
    }
}
