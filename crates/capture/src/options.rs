//! The options of a pcapng block, parsed in place: code, length, value, padding; among them the
//! comments of a packet.

use pcap_parser::nom::number::Endianness;

/// `opt_endofopt`.
const END: u16 = 0;
/// `opt_comment`.
const COMMENT: u16 = 1;

/// The comments of a packet: any number of texts, unchecked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Comments<'a>(pub(super) BlockOptions<'a>);

impl<'a> Comments<'a> {
    /// Each comment in order; UTF-8 if the writer followed the format.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.0.iter().filter(|(code, _)| *code == COMMENT).map(|(_, value)| value)
    }
}

/// The options of one block. A wrong length ends them; those before it are valid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BlockOptions<'a> {
    bytes: &'a [u8],
    big: bool,
}

impl<'a> BlockOptions<'a> {
    /// The options in a block, in its byte order.
    pub fn new(bytes: &'a [u8], order: Endianness) -> Self {
        Self { bytes, big: order == Endianness::Big }
    }

    /// The byte order of its numbers.
    pub fn order(self) -> Endianness {
        if self.big { Endianness::Big } else { Endianness::Little }
    }

    /// Whether one of them claims more bytes than there are.
    pub fn overruns(self) -> bool {
        let after = |value: &[u8]| value.len().next_multiple_of(4) + 4;
        let read: usize = self.iter().map(|(_, value)| after(value)).sum();
        let rest = self.bytes.get(read..).unwrap_or_default();
        let is_end = rest.first_chunk::<2>().is_some_and(|code| *code == END.to_ne_bytes());
        !rest.is_empty() && !is_end
    }

    /// Codes and values up to the end mark.
    pub fn iter(self) -> impl Iterator<Item = (u16, &'a [u8])> {
        let number = move |bytes: [u8; 2]| {
            if self.big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
        };
        let mut left = self.bytes;
        std::iter::from_fn(move || {
            let (code, rest) = left.split_first_chunk::<2>()?;
            let (length, rest) = rest.split_first_chunk::<2>()?;
            let length = usize::from(number(*length));
            let value = rest.get(..length)?;
            left = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
            Some((number(*code), value)).filter(|(code, _)| *code != END)
        })
    }
}
