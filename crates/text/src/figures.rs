//! Numbers for people: in groups of digits, as shares, rounded.

/// `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `45.6%`; nothing if there is no whole.
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = (u128::from(part) * 1_000 + u128::from(whole) / 2).checked_div(u128::from(whole));
    tenths.map_or(String::new(), |tenths| format!("{}.{}%", tenths / 10, tenths % 10))
}

/// The next number with one digit and zeros behind it.
pub fn round_up(number: u64) -> u64 {
    let power = 10_u64.pow(number.max(1).ilog10());
    let digits = [1, 2, 3, 4, 5, 6, 8, 10].map(|digit: u64| digit.saturating_mul(power));
    digits.into_iter().find(|round| *round >= number).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(["0", "999", "1,000", "12,345,678"], [0, 999, 1000, 12_345_678].map(grouped));
    }

    #[test]
    fn numbers_are_rounded() {
        assert_eq!(["33.3%", "100.0%", ""], [(1, 3), (2, 2), (0, 0)].map(|(a, b)| percent(a, b)));
        assert_eq!([0, 1, 7, 11, 61, 1_000, 8_001].map(round_up), [1, 1, 8, 20, 80, 1_000, 10_000]);
        assert_eq!(round_up(u64::MAX), u64::MAX);
    }
}
