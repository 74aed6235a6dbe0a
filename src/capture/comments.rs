//! The comments of a packet, parsed in place from its options.

use pcap_parser::nom::number::Endianness;

use super::options::BlockOptions;

/// `opt_comment`.
const COMMENT: u16 = 1;

/// The comments of a packet: any number of texts, unchecked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Comments<'a> {
    options: BlockOptions<'a>,
}

impl<'a> Comments<'a> {
    pub(super) fn of(options: &'a [u8], order: Endianness) -> Self {
        Self { options: BlockOptions::of(options, order) }
    }

    /// Each comment in order; UTF-8 if the writer followed the format.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.options.iter().filter(|(code, _)| *code == COMMENT).map(|(_, value)| value)
    }
}
