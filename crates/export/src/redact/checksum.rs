//! Incremental checksum updates (RFC 1624): one that was right stays right, and one that was wrong,
//! or not yet filled in, stays wrong by as much.

/// How much the sum of some words has changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum(u64);

impl Sum {
    /// The change from `old` to `new`. Both begin at an even offset of the summed data, and have
    /// the same length.
    pub fn change(old: &[u8], new: &[u8]) -> Self {
        let words = |bytes: &[u8], flip: u16| {
            bytes.chunks(2).fold(0, |sum, pair| {
                let word = match *pair {
                    [high, low] => u16::from_be_bytes([high, low]),
                    [high] => u16::from_be_bytes([high, 0]),
                    _ => 0,
                };
                sum + u64::from(word ^ flip)
            })
        };
        if old == new { Self(0) } else { Self(words(old, 0xffff) + words(new, 0)) }
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// A checksum after the change.
    pub fn apply(self, checksum: [u8; 2]) -> [u8; 2] {
        if self.0 == 0 {
            return checksum;
        }
        let mut sum = u64::from(!u16::from_be_bytes(checksum)) + self.0;
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        (!(sum as u16)).to_be_bytes()
    }
}
