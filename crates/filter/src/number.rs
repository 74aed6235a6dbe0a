//! Numbers in billionths, so that none is rounded.

use text::digits::{BILLION, billionths};

/// A number as it is written in a filter: decimal, or `0x` and hex digits.
pub(super) fn number(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Some(i128::from(u64::from_str_radix(digits, 16).ok()?) * BILLION)
        }
        _ => billionths(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_or_hex() {
        for (text, value) in [
            ("0", Some(0)),
            ("27950", Some(27950 * BILLION)),
            ("-1.5", Some(-1_500_000_000)),
            ("0x6D2E", Some(27950 * BILLION)),
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
}
