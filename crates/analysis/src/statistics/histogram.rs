//! How often each number occurred, by its first three digits.

/// Numbers below this are counted exactly.
const EXACT: u64 = 1_000;
/// How many classes there are for each further digit.
const PER_DIGIT: u64 = 900;

/// How often numbers occurred. Numbers with the same first three digits are one class, so a
/// percentile is less than 1 % too small; numbers below 1,000, the minimum and the maximum are
/// exact. It has at most 16,300 classes.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    count: u64,
    min: u64,
    max: u64,
    /// The first class, and the counts from there on.
    first: usize,
    counts: Vec<u32>,
}

impl Histogram {
    pub(super) fn add_number(&mut self, number: u64) {
        self.min = if self.count == 0 { number } else { self.min.min(number) };
        self.max = self.max.max(number);
        self.count += 1;
        self.add_class(class_of(number), 1);
    }

    /// Adds the numbers of another histogram.
    pub(super) fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min = if self.count == 0 { other.min } else { self.min.min(other.min) };
        self.max = self.max.max(other.max);
        self.count += other.count;
        for (class, count) in (other.first..).zip(&other.counts).filter(|(_, count)| **count > 0) {
            self.add_class(class, *count);
        }
    }

    fn add_class(&mut self, class: usize, count: u32) {
        if self.counts.is_empty() {
            self.first = class;
        }
        if let Some(missing) = self.first.checked_sub(class).filter(|missing| *missing > 0) {
            self.counts.splice(..0, std::iter::repeat_n(0, missing));
            self.first = class;
        }
        let at = class - self.first;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        if let Some(sum) = self.counts.get_mut(at) {
            *sum = sum.saturating_add(count);
        }
    }

    /// How many numbers there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The smallest and the largest number.
    pub fn range(&self) -> Option<(u64, u64)> {
        (self.count > 0).then_some((self.min, self.max))
    }

    /// The number that so many percent of all numbers do not exceed.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let (min, max) = self.range()?;
        let rank = (self.count * percent).div_ceil(100).max(1);
        if rank >= self.count {
            return Some(max);
        }
        let mut sum = 0;
        let reached = (self.first..).zip(&self.counts).find(|(_, count)| {
            sum += u64::from(**count);
            sum >= rank
        });
        reached.map(|(class, _)| least_of(class).clamp(min, max))
    }

    /// How many numbers are from `from` to below `to`. Both should be the least numbers of their
    /// classes: numbers with three digits and zeros behind them.
    pub fn between(&self, from: u64, to: u64) -> u64 {
        let classes = (self.first..).zip(&self.counts);
        let inside = classes.filter(|(class, _)| (from..to).contains(&least_of(*class)));
        inside.map(|(_, count)| u64::from(*count)).sum()
    }
}

/// The class of a number.
fn class_of(number: u64) -> usize {
    let digits = number.checked_ilog10().unwrap_or(0);
    if number < EXACT {
        return number as usize;
    }
    let first_three = number / 10_u64.pow(digits - 2);
    (EXACT + u64::from(digits - 3) * PER_DIGIT + first_three - 100) as usize
}

/// The smallest number of a class.
fn least_of(class: usize) -> u64 {
    let class = class as u64;
    let Some(above) = class.checked_sub(EXACT) else {
        return class;
    };
    let zeros = u32::try_from(above / PER_DIGIT + 1).unwrap_or(u32::MAX);
    10_u64
        .checked_pow(zeros)
        .map_or(u64::MAX, |power| (above % PER_DIGIT + 100).saturating_mul(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram_of(numbers: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        numbers.into_iter().for_each(|number| histogram.add_number(number));
        histogram
    }

    #[test]
    fn numbers_are_in_the_class_of_their_first_three_digits() {
        for (number, least) in [
            (0, 0),
            (7, 7),
            (999, 999),
            (1_000, 1_000),
            (1_009, 1_000),
            (1_010, 1_010),
            (9_999, 9_990),
            (10_000, 10_000),
            (123_456, 123_000),
            (34_567_890_123, 34_500_000_000),
            (u64::MAX, 18_400_000_000_000_000_000),
        ] {
            assert_eq!(least_of(class_of(number)), least, "{number}");
        }
        assert!(class_of(u64::MAX) < 16_300);
        assert_eq!(class_of(EXACT), class_of(EXACT - 1) + 1);
        assert_eq!(class_of(10_000), class_of(9_999) + 1);
    }

    #[test]
    fn percentiles_are_less_than_one_percent_too_small() {
        let numbers: Vec<u64> = (1..=1_000).map(|n| n * n * 37).collect();
        let histogram = histogram_of(numbers.iter().rev().copied());
        for percent in [1, 10, 50, 90, 99] {
            let exact = numbers[(percent * 10 - 1) as usize];
            let found = histogram.percentile(percent).unwrap();
            assert!(found <= exact && exact - found < exact / 100, "{percent}: {found}, {exact}");
        }
        assert_eq!(histogram.percentile(100), Some(37_000_000));
        assert_eq!(histogram.range(), Some((37, 37_000_000)));
    }

    #[test]
    fn few_numbers_are_exact() {
        assert_eq!(histogram_of([]).percentile(50), None);
        assert_eq!(histogram_of([]).range(), None);
        assert_eq!(histogram_of([123_456]).percentile(50), Some(123_456));
        let three = histogram_of([30, 10, 20]);
        assert_eq!(
            [1, 50, 99].map(|percent| three.percentile(percent)),
            [Some(10), Some(20), Some(30)]
        );
        assert_eq!(histogram_of([10, 20]).percentile(50), Some(10));
    }

    #[test]
    fn ranges_are_counted_and_histograms_merged() {
        let mut all = histogram_of([0, 5, 10, 10, 19, 20, 5_000, 20_000]);
        assert_eq!(all.between(0, 10), 2);
        assert_eq!(all.between(10, 20), 3);
        assert_eq!(all.between(20, 50), 1);
        assert_eq!(all.between(5_000, 10_000), 1);
        all.merge(&histogram_of([]));
        all.merge(&histogram_of([3, 1_000_000]));
        assert_eq!((all.count(), all.range()), (10, Some((0, 1_000_000))));
        assert_eq!(all.between(0, 10), 3);
        let mut none = histogram_of([]);
        none.merge(&histogram_of([4]));
        assert_eq!(none.range(), Some((4, 4)));
    }
}
