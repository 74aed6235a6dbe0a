//! Formats the times of rows.

use text::digits::nine_digits;

const SECOND: i64 = 1_000_000_000;

/// Writes RFC 3339 and caches the date: successive rows are often within one second, and the
/// calendar costs more than nine digits.
#[derive(Default)]
pub(super) struct TimeFormatter {
    /// The second, since the Unix epoch, that `text` begins with.
    second: Option<i64>,
    /// ASCII.
    text: Vec<u8>,
}

impl TimeFormatter {
    /// `nanos` since the Unix epoch, as `2026-11-21T08:00:00.000000000Z`, in ASCII.
    pub fn write(&mut self, nanos: i64) -> &[u8] {
        let second = nanos.div_euclid(SECOND);
        if self.second == Some(second) {
            if let Some([digits @ .., _]) = self.text.last_chunk_mut::<10>() {
                digits.copy_from_slice(&nine_digits(nanos.rem_euclid(SECOND) as u32));
            }
        } else {
            self.text = text::utc(nanos).into_bytes();
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
            assert_eq!(times.write(nanos), text::utc(nanos).as_bytes());
        }
    }
}
