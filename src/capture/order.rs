//! Numbers of either byte order, read by name and in sequence.

/// Byte order of the numbers in a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

/// Reads the numbers of a header one after the other. All that lies behind the end reads as
/// nothing.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    rest: &'a [u8],
    order: Order,
}

impl Order {
    #[inline]
    pub fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }

    #[inline]
    pub fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Little => u32::from_le_bytes(bytes),
            Self::Big => u32::from_be_bytes(bytes),
        }
    }

    #[inline]
    pub fn i64(self, bytes: [u8; 8]) -> i64 {
        match self {
            Self::Little => i64::from_le_bytes(bytes),
            Self::Big => i64::from_be_bytes(bytes),
        }
    }
}

impl<'a> Numbers<'a> {
    #[inline]
    pub fn new(bytes: &'a [u8], order: Order) -> Self {
        Self { rest: bytes, order }
    }

    /// What has not been read yet.
    #[inline]
    pub fn rest(self) -> &'a [u8] {
        self.rest
    }

    #[inline]
    pub fn u16(&mut self) -> Option<u16> {
        self.chunk().map(|bytes| self.order.u16(bytes))
    }

    #[inline]
    pub fn u32(&mut self) -> Option<u32> {
        self.chunk().map(|bytes| self.order.u32(bytes))
    }

    #[inline]
    pub fn i64(&mut self) -> Option<i64> {
        self.chunk().map(|bytes| self.order.i64(bytes))
    }

    /// The next `length` bytes.
    #[inline]
    pub fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    /// The numbers in the next `length` bytes.
    #[inline]
    pub fn part(&mut self, length: usize) -> Option<Self> {
        Some(Self::new(self.bytes(length)?, self.order))
    }

    /// Reads past the zeros that fill `length` bytes up to a multiple of four. They may be absent
    /// at the end.
    #[inline]
    pub fn padding_of(&mut self, length: usize) {
        let padding = length.next_multiple_of(4) - length;
        self.rest = self.rest.get(padding..).unwrap_or_default();
    }

    #[inline]
    fn chunk<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*bytes)
    }
}
