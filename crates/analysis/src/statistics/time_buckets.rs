//! Time in equal intervals, which become wider when the messages span more of them.

/// Nanoseconds in a millisecond and in a second.
const MS: i64 = 1_000_000;
const S: i64 = 1_000 * MS;

/// The possible widths, in nanoseconds; each is a multiple of the one before.
const WIDTHS: &[i64] = &[
    MS,
    2 * MS,
    10 * MS,
    20 * MS,
    100 * MS,
    200 * MS,
    S,
    2 * S,
    10 * S,
    20 * S,
    60 * S,
    120 * S,
    600 * S,
    1_200 * S,
    3_600 * S,
    7_200 * S,
    21_600 * S,
    43_200 * S,
    86_400 * S,
    2 * 86_400 * S,
    10 * 86_400 * S,
    20 * 86_400 * S,
    100 * 86_400 * S,
    200 * 86_400 * S,
    1_000 * 86_400 * S,
];

/// Buckets of equal width. Numbers of buckets count from the Unix epoch.
#[derive(Debug, Clone, Copy)]
pub struct TimeBuckets {
    /// The index of the width.
    width: usize,
    /// How many buckets there may be.
    limit: i64,
    /// The times of the first and the last message.
    span: Option<(i64, i64)>,
}

impl TimeBuckets {
    pub(super) const fn new(limit: i64) -> Self {
        Self { width: 0, limit, span: None }
    }

    /// The width of a bucket, in nanoseconds.
    pub fn width(&self) -> i64 {
        WIDTHS.get(self.width).copied().unwrap_or(i64::MAX)
    }

    /// The bucket of a time.
    pub fn at(&self, time: i64) -> i64 {
        time.div_euclid(self.width())
    }

    /// The times of the first and the last message.
    pub fn span(&self) -> Option<(i64, i64)> {
        self.span
    }

    /// Widens the span, so that it has a time. If the buckets become wider for that, returns how many
    /// of the old ones make a new one.
    pub(super) fn include(&mut self, time: i64) -> Option<i64> {
        let (first, last) = self.span.unwrap_or((time, time));
        let (first, last) = (first.min(time), last.max(time));
        self.span = Some((first, last));
        let before = self.width();
        while self.at(last) - self.at(first) >= self.limit && self.width + 1 < WIDTHS.len() {
            self.width += 1;
        }
        (self.width() != before).then(|| self.width() / before)
    }
}

/// A value for each bucket of a range.
#[derive(Debug, Clone, Default)]
pub struct Buckets<T> {
    /// The first bucket.
    first: i64,
    values: Vec<T>,
}

impl<T: Copy + Default> Buckets<T> {
    /// The value of a bucket, which is inserted if it is missing.
    pub(super) fn at_mut(&mut self, bucket: i64) -> Option<&mut T> {
        if self.values.is_empty() {
            self.first = bucket;
        }
        if bucket < self.first {
            let missing = usize::try_from(self.first - bucket).ok()?;
            self.values.splice(..0, std::iter::repeat_n(T::default(), missing));
            self.first = bucket;
        }
        let at = usize::try_from(bucket - self.first).ok()?;
        if at >= self.values.len() {
            self.values.resize(at + 1, T::default());
        }
        self.values.get_mut(at)
    }

    /// Joins `count` buckets to one.
    pub(super) fn join(&mut self, count: i64, mut add: impl FnMut(&mut T, T)) {
        let mut joined = Self { first: self.first.div_euclid(count), values: Vec::new() };
        for (bucket, value) in (self.first..).zip(&self.values) {
            if let Some(sum) = joined.at_mut(bucket.div_euclid(count)) {
                add(sum, *value);
            }
        }
        *self = joined;
    }

    /// The buckets with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, T)> {
        (self.first..).zip(self.values.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_width_is_a_multiple_of_the_one_before() {
        for pair in WIDTHS.windows(2) {
            assert!(pair[0] < pair[1] && pair[1] % pair[0] == 0, "{pair:?}");
        }
    }

    /// The counts of times in seconds, and the width in seconds.
    fn counted(times: &[i64], limit: i64) -> (Vec<(i64, u32)>, i64) {
        let (mut scale, mut counts) = (TimeBuckets::new(limit), Buckets::<u32>::default());
        for time in times {
            if let Some(joined) = scale.include(time * S) {
                counts.join(joined, |sum, count| *sum += count);
            }
            *counts.at_mut(scale.at(time * S)).unwrap() += 1;
        }
        let width = scale.width();
        let some = counts.iter().filter(|(_, count)| *count > 0);
        (some.map(|(bucket, count)| (bucket * width / S, count)).collect(), width / S)
    }

    #[test]
    fn buckets_become_wider_with_the_span() {
        assert_eq!(counted(&[100, 101, 101, 109], 10), (vec![(100, 1), (101, 2), (109, 1)], 1));
        assert_eq!(counted(&[100, 101, 101, 110], 10), (vec![(100, 3), (110, 1)], 2));
        assert_eq!(counted(&[100, 101, 101, 1_000], 10), (vec![(0, 3), (960, 1)], 120));
    }

    #[test]
    fn earlier_times_and_times_before_the_epoch_are_counted() {
        assert_eq!(counted(&[5, -4, 5], 10), (vec![(-4, 1), (5, 2)], 1));
        assert_eq!(counted(&[50, -40], 10), (vec![(-40, 1), (50, 1)], 10));
    }

    #[test]
    fn there_are_never_more_buckets_than_allowed() {
        let mut scale = TimeBuckets::new(64);
        for step in 0..2_000_i64 {
            scale.include(step * step * 7 * MS);
            let (first, last) = scale.span().unwrap();
            assert!(scale.at(last) - scale.at(first) < 64);
        }
    }
}
