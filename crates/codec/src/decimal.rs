//! Slots with a value and a spelling; both are private so that they always agree.

use super::shape;

/// A decimal number and the digits it was read from: `007` is written back as `007`.
///
/// Setting a value, by `From<i64>`, drops the digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decimal<'a> {
    raw: &'a [u8],
    value: i64,
}

impl<'a> Decimal<'a> {
    /// The number at the front of `all`; `None` without digits or beyond `i64`.
    pub(super) fn split_off(all: &'a [u8]) -> Option<Self> {
        let sign = usize::from(all.first() == Some(&b'-'));
        let digits = all.iter().skip(sign).take_while(|b| b.is_ascii_digit());
        let raw = all.get(..sign + digits.count())?;
        shape::decimal(raw).map(|value| Self { raw, value })
    }

    /// Its value.
    pub fn get(self) -> i64 {
        self.value
    }

    /// The digits as read; empty for a number that was set.
    pub fn digits(self) -> &'a [u8] {
        self.raw
    }
}

impl From<i64> for Decimal<'_> {
    fn from(value: i64) -> Self {
        Self { raw: b"", value }
    }
}

/// A command word as it was spelled; games compare words without case.
///
/// The default is written as the declaration spells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CommandWord<'a> {
    pub(super) raw: &'a [u8],
}
