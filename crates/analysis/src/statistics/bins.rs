//! The bins of histograms: numbers between round bounds.

use super::histogram::Histogram;
use text::round_up;

/// Latencies below this are one bin, in nanoseconds.
const SHORTEST: u64 = 100_000;
/// Bounds of bins in a decade: the first two digits. The finest division first.
const DECADES: [&[u64]; 5] = [
    &[10, 12, 15, 20, 25, 30, 40, 50, 60, 80],
    &[10, 15, 20, 30, 50, 70],
    &[10, 20, 50],
    &[10, 30],
    &[10],
];

/// A bin of a histogram: how many numbers are from `from` to below `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberBin {
    /// The smallest number in it.
    pub from: u64,
    /// The largest number in it.
    pub to: u64,
    /// How many numbers are in it.
    pub count: u64,
}

impl Histogram {
    /// At most so many bins on a logarithmic scale, of latencies in nanoseconds; all below 100 µs are
    /// one bin, which begins at 0.
    pub fn latency_bins(&self, most: usize) -> Vec<NumberBin> {
        let Some((min, max)) = self.range() else {
            return Vec::new();
        };
        let short = self.bins(&[0, SHORTEST]).filter(|bin| bin.count > 0);
        let mut bins: Vec<_> = short.collect();
        if max >= SHORTEST {
            let most = most.saturating_sub(bins.len());
            let bounds = decimal_bins(min.max(SHORTEST), max, most);
            bins.extend(self.bins(&bounds));
        }
        bins
    }

    /// At most so many bins of equal width.
    pub fn equal_bins(&self, most: usize) -> Vec<NumberBin> {
        let Some((min, max)) = self.range() else {
            return Vec::new();
        };
        self.bins(&equal_bins(min, max, most)).collect()
    }

    fn bins(&self, bounds: &[u64]) -> impl Iterator<Item = NumberBin> {
        bounds.windows(2).filter_map(|bounds| {
            let [from, to] = *bounds else { return None };
            Some(NumberBin { from, to, count: self.between(from, to) })
        })
    }
}

/// The bounds of at most `most` bins on a logarithmic scale from `min` to `max`; of a few if need be.
fn decimal_bins(min: u64, max: u64, most: usize) -> Vec<u64> {
    let mut bounds = Vec::new();
    for decade in DECADES {
        bounds = bounds_within(decade, min, max);
        if bounds.len() <= most + 1 {
            break;
        }
    }
    bounds
}

/// The bounds around a range.
fn bounds_within(decade: &[u64], min: u64, max: u64) -> Vec<u64> {
    let powers = (0..=18).map(|power| 10_u64.pow(power));
    let all =
        powers.flat_map(|power| decade.iter().map(move |digits| digits.saturating_mul(power)));
    let mut all: Vec<_> = all.map(|tenths| tenths / 10).filter(|bound| *bound > 0).collect();
    all.dedup();
    let first = all.iter().rposition(|bound| *bound <= min).unwrap_or(0);
    let last = all.iter().position(|bound| *bound > max).unwrap_or(all.len() - 1);
    all.get(first..=last).unwrap_or_default().to_vec()
}

/// The bounds of at most `most` bins of equal width from `min` to `max`.
fn equal_bins(min: u64, max: u64, most: usize) -> Vec<u64> {
    let most = most.max(1) as u64;
    let mut each = round_up((max - min) / most + 1);
    // Large numbers are known by their first three digits.
    let digits = max.max(1).ilog10().saturating_sub(2);
    each = each.max(10_u64.pow(digits));
    while max / each - min / each + 1 > most {
        each = round_up(each + 1);
    }
    let bounds = (min / each..=max / each + 1).map(|n| n.saturating_mul(each));
    bounds.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_as_fine_as_there_is_space_for() {
        assert_eq!(
            decimal_bins(100, 900, 20),
            [100, 120, 150, 200, 250, 300, 400, 500, 600, 800, 1_000]
        );
        assert_eq!(decimal_bins(100, 900, 9), [100, 150, 200, 300, 500, 700, 1_000]);
        assert_eq!(
            decimal_bins(130, 40_000, 9),
            [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000]
        );
        assert_eq!(decimal_bins(130, 40_000, 3), [100, 1_000, 10_000, 100_000]);
        assert_eq!(decimal_bins(130, 40_000, 1), [100, 1_000, 10_000, 100_000]);
        assert_eq!(decimal_bins(50, 50, 9), [50, 60]);
        assert_eq!(decimal_bins(5, 5, 9), [5, 6]);
    }

    #[test]
    fn equal_bins_have_round_bounds() {
        assert_eq!(equal_bins(0, 9, 10), (0..=10).collect::<Vec<_>>());
        assert_eq!(equal_bins(3, 3, 10), [3, 4]);
        assert_eq!(equal_bins(112, 1_900, 5), [0, 400, 800, 1_200, 1_600, 2_000]);
        assert_eq!(equal_bins(26_500, 26_537, 5), [26_500, 26_600]);
        assert_eq!(equal_bins(5, 25, 1), [0, 30]);
    }
}
