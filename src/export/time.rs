//! Formats the times of rows.

use crate::text;

const SECOND: i64 = 1_000_000_000;

/// Writes RFC 3339 and caches the date: successive rows are often within one second, and the
/// calendar costs more than nine digits.
#[derive(Default)]
pub(super) struct TimeFormatter {
    /// The second, since the Unix epoch, that `text` begins with.
    second: Option<i64>,
    text: String,
}

impl TimeFormatter {
    /// `nanos` since the Unix epoch, as `2026-11-21T08:00:00.000000000Z`.
    pub fn write(&mut self, nanos: i64) -> &str {
        let second = nanos.div_euclid(SECOND);
        if self.second == Some(second) {
            // Ten digits, of which the first is overwritten by the point.
            let mut digits = itoa::Buffer::new();
            let digits = digits.format(SECOND + nanos.rem_euclid(SECOND));
            self.text.truncate("2026-11-21T08:00:00.".len());
            self.text.extend([digits.get(1..).unwrap_or_default(), "Z"]);
        } else {
            self.text = text::utc(nanos);
            self.second = Some(second);
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_date_is_right() {
        let mut times = TimeFormatter::default();
        for nanos in [0, 7, SECOND - 1, SECOND, -1, -SECOND, i64::MIN, i64::MIN + 1, i64::MAX] {
            assert_eq!(times.write(nanos), text::utc(nanos));
        }
    }
}
