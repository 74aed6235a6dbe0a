//! The comments of a packet, read where they stand among its options.

use pcap_parser::nom::number::Endianness;

/// `opt_comment`.
const COMMENT: u16 = 1;
/// `opt_endofopt`.
const END: u16 = 0;

/// What was written beside a packet: any number of texts, none of them checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Comments<'a> {
    /// Options as they stand in the block: code, length, value, padding to four bytes.
    options: &'a [u8],
    big: bool,
}

impl<'a> Comments<'a> {
    pub(super) fn of(options: &'a [u8], order: Endianness) -> Self {
        Self { options, big: order == Endianness::Big }
    }

    /// Each comment in its order; UTF-8 if the writer kept to the format.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        let number = move |bytes: [u8; 2]| {
            if self.big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
        };
        let mut left = self.options;
        let options = std::iter::from_fn(move || {
            let (code, rest) = left.split_first_chunk::<2>()?;
            let (length, rest) = rest.split_first_chunk::<2>()?;
            let length = usize::from(number(*length));
            let value = rest.get(..length)?;
            left = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
            Some((number(*code), value)).filter(|(code, _)| *code != END)
        });
        options.filter(|(code, _)| *code == COMMENT).map(|(_, value)| value)
    }
}
