//! The comments of a packet, read where they stand among its options.

use pcap_parser::nom::number::Endianness;

use super::options::BlockOptions;

/// `opt_comment`.
const COMMENT: u16 = 1;

/// What was written beside a packet: any number of texts, none of them checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Comments<'a> {
    options: BlockOptions<'a>,
}

impl<'a> Comments<'a> {
    pub(super) fn of(options: &'a [u8], order: Endianness) -> Self {
        Self { options: BlockOptions::of(options, order) }
    }

    /// Each comment in its order; UTF-8 if the writer kept to the format.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.options.iter().filter(|(code, _)| *code == COMMENT).map(|(_, value)| value)
    }
}
