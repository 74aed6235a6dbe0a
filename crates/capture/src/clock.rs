//! Interface time: from the units of a pcapng interface to nanoseconds since the Unix epoch.

/// `if_tsresol` and `if_tsoffset` of one interface (pcapng, section 4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InterfaceClock {
    unit: Unit,
    /// Nanoseconds to add to every time.
    offset: i128,
}

/// How a tick becomes nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// A tick is this many nanoseconds.
    Times(i128),
    /// This many ticks are a nanosecond.
    Divided(i128),
    /// A tick is 2^-n seconds.
    Binary(u32),
}

const NANOSECONDS: i128 = 1_000_000_000;

impl InterfaceClock {
    /// `resolution` is the byte of `if_tsresol`: a negative power of 10, or of 2 with its highest
    /// bit set. `offset` is `if_tsoffset`, in seconds.
    pub fn new(resolution: u8, offset: i64) -> Self {
        let exponent = u32::from(resolution & 0x7f);
        let unit = if resolution & 0x80 != 0 {
            Unit::Binary(exponent)
        } else if let Some(larger) = 9_u32.checked_sub(exponent) {
            Unit::Times(10_i128.pow(larger))
        } else {
            // 64 bits of ticks last for 20 digits: beyond them every time is 0.
            Unit::Divided(10_i128.pow((exponent - 9).min(30)))
        };
        Self { unit, offset: i128::from(offset) * NANOSECONDS }
    }

    /// Nanoseconds since the Unix epoch, held at the ends of their range.
    #[inline]
    pub fn nanoseconds(self, high: u32, low: u32) -> i64 {
        let ticks = i128::from(u64::from(high) << 32 | u64::from(low));
        let since = match self.unit {
            Unit::Times(factor) => ticks * factor,
            Unit::Divided(divisor) => ticks / divisor,
            Unit::Binary(exponent) => (ticks * NANOSECONDS) >> exponent,
        };
        (since + self.offset).clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
    }
}

impl Default for InterfaceClock {
    /// Microseconds, as an interface without the options has them.
    fn default() -> Self {
        Self::new(6, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(resolution: u8, offset: i64, ticks: u64) -> i64 {
        InterfaceClock::new(resolution, offset).nanoseconds((ticks >> 32) as u32, ticks as u32)
    }

    #[test]
    fn ticks_become_nanoseconds() {
        for (resolution, offset, ticks, expected) in [
            (6, 0, 1_700_000_000_123_456, 1_700_000_000_123_456_000),
            (9, 0, 1_700_000_000_123_456_789, 1_700_000_000_123_456_789),
            (0, 0, 1_700_000_000, 1_700_000_000_000_000_000),
            (3, 0, 1_700_000_000_123, 1_700_000_000_123_000_000),
            (12, 0, 1_700_000_123_456_789, 1_700_000_123_456),
            (127, 0, u64::MAX, 0),
            (0x80, 0, 1_700_000_000, 1_700_000_000_000_000_000),
            (0x8a, 0, 1024 + 512, 1_500_000_000),
            (0xa0, 0, (1_700_000_000 << 32) | (1 << 31), 1_700_000_000_500_000_000),
            (0xbf, 0, 1 << 62, 500_000_000),
            (0xff, 0, u64::MAX, 0),
            (6, 3600, 5, 3_600_000_005_000),
            (6, -3600, 3_600_000_001, 1_000 - 3_600_000_000_000 + 3_600_000_000_000),
            (6, -1, 0, -1_000_000_000),
            (0, 0, u64::MAX, i64::MAX),
            (0, i64::MIN, 0, i64::MIN),
            (0, i64::MAX, u64::MAX, i64::MAX),
        ] {
            assert_eq!(at(resolution, offset, ticks), expected, "{resolution} {offset} {ticks}");
        }
    }
}
