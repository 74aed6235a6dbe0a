//! Messages that their senders split over several datagrams.

use std::io::Read as _;

/// Maximum number of bytes of a message that was joined; longer ones are not joined.
const LONGEST: usize = 1 << 20;
/// How many times as long as its compressed bytes a message may be; texts of games are shorter.
const RATIO: usize = 16;
/// The unit of the size of bzip2's blocks, in bytes.
const BLOCK: usize = 100_000;

/// One datagram of a split message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitPart<'a> {
    /// The sender's number for the whole message.
    pub id: u32,
    /// From 0.
    pub index: u8,
    /// How many datagrams the message has.
    pub total: u8,
    /// Its bytes of the message.
    pub body: &'a [u8],
    /// How the joined bodies are compressed, if they are; the first part has the numbers.
    pub packing: Packing,
}

/// How the joined bodies of a split message are packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Packing {
    /// They are the message.
    #[default]
    Plain,
    /// They are compressed by bzip2.
    Bzip2 {
        /// The length of the message in bytes; only in the first part.
        length: u32,
        /// The CRC-32 of the message; only in the first part.
        crc: u32,
    },
}

/// Reads a datagram as a part in one form; several forms may fit, and the joined message shows which
/// is right.
pub type SplitFn = fn(&[u8]) -> Option<SplitPart<'_>>;

/// How a protocol splits messages.
#[derive(Debug, Clone, Copy)]
pub struct SplitForms {
    /// What every part begins with.
    pub mark: &'static [u8],
    /// Whether a datagram that begins so is a part, by its content.
    pub is_part: fn(&[u8]) -> bool,
    /// The forms of a part.
    pub forms: &'static [SplitFn],
    /// What every joined message begins with.
    pub begins: &'static [u8],
}

/// What the datagrams of a split message give so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitResult {
    /// At least one is missing.
    Incomplete,
    /// All are there, but its length or its checksum is wrong.
    Damaged,
    /// All are there, but it is longer than is read.
    TooLong,
    /// The message, unpacked.
    Message(Vec<u8>),
}

impl SplitForms {
    /// What `datagrams`, in any order, give in the first form that fits.
    pub fn join(&self, datagrams: &[impl AsRef<[u8]>]) -> SplitResult {
        let mut joined = SplitResult::Incomplete;
        for form in self.forms {
            let Some(parts) = all_parts(*form, datagrams) else { continue };
            let packing = parts.first().map_or(Packing::Plain, |part| part.packing);
            let bytes = parts.iter().flat_map(|part| part.body).copied().collect();
            match packing.unpack(bytes) {
                SplitResult::Message(message) if message.starts_with(self.begins) => {
                    return SplitResult::Message(message);
                }
                // In another form than the sender's, the bytes are no message either.
                _ if packing == Packing::Plain || joined == SplitResult::TooLong => {}
                SplitResult::TooLong => joined = SplitResult::TooLong,
                _ => joined = SplitResult::Damaged,
            }
        }
        joined
    }
}

/// The parts that `datagrams` are in this form, in order; `None` if one is missing or is no part.
fn all_parts(form: SplitFn, datagrams: &[impl AsRef<[u8]>]) -> Option<Vec<SplitPart<'_>>> {
    let parts: Option<Vec<_>> = datagrams.iter().map(|bytes| form(bytes.as_ref())).collect();
    let mut parts = parts?;
    parts.sort_by_key(|part| part.index);
    parts.dedup_by_key(|part| part.index);
    let total = parts.first()?.total;
    let fits = |(index, part): (usize, &SplitPart<'_>)| {
        usize::from(part.index) == index && part.total == total
    };
    (parts.len() == usize::from(total) && parts.iter().enumerate().all(fits)).then_some(parts)
}

impl Packing {
    /// The message, or why there is none.
    fn unpack(self, mut joined: Vec<u8>) -> SplitResult {
        let Self::Bzip2 { length, crc } = self else {
            let is_short = joined.len() <= LONGEST;
            return if is_short { SplitResult::Message(joined) } else { SplitResult::TooLong };
        };
        // One that claims more than a message may have, or has more than it claims, is not unpacked.
        let Some(length) = usize::try_from(length).ok().filter(|length| *length <= LONGEST) else {
            return SplitResult::Damaged;
        };
        let most = LONGEST.min(joined.len().saturating_mul(RATIO));
        limit_blocks(&mut joined, most);
        let mut message = Vec::new();
        let mut plain = bzip2::read::BzDecoder::new(&*joined).take(length.min(most) as u64 + 1);
        let is_read = plain.read_to_end(&mut message).is_ok();
        match () {
            () if length > most && (!is_read || message.len() > most) => SplitResult::TooLong,
            () if is_read && message.len() == length && crc32fast::hash(&message) == crc => {
                SplitResult::Message(message)
            }
            () => SplitResult::Damaged,
        }
    }
}

/// Limits the blocks of a bzip2 stream to what a message of `most` bytes can fill: a block is
/// unpacked as a whole, and a few bytes can claim one of 900,000.
fn limit_blocks(stream: &mut [u8], most: usize) {
    // `BZh`, and the size of blocks. A block may have five bytes for four of the message.
    let needed = (most / 4 * 5 / BLOCK + 1).min(9) as u8 + b'0';
    if let Some(size) = stream.get_mut(3).filter(|size| (needed..=b'9').contains(*size)) {
        *size = needed;
    }
}
