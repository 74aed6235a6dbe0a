//! Problems of an input, in words that a user can act on.

use std::fmt;

/// A problem of an input that ended it or loses data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Name of the input, as it was given.
    pub input: String,
    /// The position, in bytes of the uncompressed stream.
    pub offset: u64,
    /// The problem.
    pub damage: Damage,
}

/// Damage in a capture after its first bytes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The input ends inside its header.
    #[error("the header is cut short")]
    CutHeader,
    /// The input ends inside a pcap record or a packet block.
    #[error("the last packet is cut short")]
    CutPacket,
    /// The input ends inside a pcapng block.
    #[error("the last block is cut short")]
    CutBlock,
    /// Zero bytes where a packet or a block should begin, as a crash or a full disk leaves them.
    #[error("zero bytes follow instead of packets")]
    Zeros,
    /// A length that no packet has: the length is damaged, not the packet.
    #[error("a packet of {0} bytes is claimed, which is no packet")]
    HugePacket(u32),
    /// The same for a pcapng block.
    #[error("a block of {0} bytes is claimed, which is too long")]
    HugeBlock(u32),
    /// A pcapng block length that no block can have.
    #[error("a block has the impossible length {0}")]
    BlockLength(u32),
    /// The length at the end of a pcapng block is not the one at its beginning.
    #[error("a block ends with length {after}, but began with {before}")]
    BlockEnd {
        /// Length at the beginning.
        before: u32,
        /// Length at the end.
        after: u32,
    },
    /// A pcapng block is too short for what it should hold.
    #[error("a block is shorter than its contents")]
    ShortBlock,
    /// An option claims more bytes than its block has.
    #[error("an option is longer than its block")]
    LongOption,
    /// A pcapng packet of an interface that was not described.
    #[error("a packet names interface {0}, which was not described")]
    UnknownInterface(u32),
    /// A pcapng section describes more interfaces than are kept.
    #[error("more than {0} interfaces are described")]
    TooManyInterfaces(usize),
    /// A pcapng section with an unknown byte order or version.
    #[error("a section begins with an unknown byte order or version")]
    Section,
    /// The compressed stream around the capture is damaged or cut, or the file cannot be read.
    #[error("{0}")]
    Stream(String),
    /// Bytes after the compressed stream around the capture, which are ignored.
    #[error("bytes that are no gzip follow the gzip stream, and were ignored")]
    Trailing,
    /// Other captures follow in the same file, as `cat` joins them; they were read too.
    #[error("another capture begins here{}, as `cat` joins files", match .0 {
        1 => String::new(),
        more => format!(", and {} more after it", more - 1),
    })]
    Joined(u64),
    /// Blocks that could not be parsed were skipped, and reading continued after them.
    #[error("{0}")]
    Skipped(Box<SkippedBlocks>),
    /// A device returns no more packets.
    #[error("capturing has ended: {0}")]
    Device(String),
    /// The spool is full or failed.
    #[error("{0}; later payloads can not be shown again")]
    Spool(String),
}

impl Warning {
    /// Whether the input is damaged; else a limit of this program was reached, a device failed, or
    /// something follows the capture.
    pub fn is_damage(&self) -> bool {
        use Damage::{Device, Joined, Spool, Trailing};
        !matches!(self.damage, Device(_) | Spool(_) | Trailing | Joined(_))
    }
}

/// Blocks of a pcapng file that could not be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedBlocks {
    /// The problem of the first of them.
    pub first: Damage,
    /// Its position, in bytes of the uncompressed stream.
    pub offset: u64,
    /// How many there are.
    pub blocks: u64,
    /// Number of other blocks whose options could not all be parsed.
    pub options: u64,
}

impl Damage {
    /// The consequence for the rest of the input.
    fn consequence(&self) -> &'static str {
        match self {
            Self::CutHeader => "; no packet was read",
            Self::Zeros | Self::TooManyInterfaces(_) => "; what stands before them was read",
            Self::Joined(_) => "; it was read too",
            Self::Skipped(_) | Self::Device(_) | Self::Spool(_) | Self::Trailing => "",
            _ => "; the bytes before it were read",
        }
    }
}

impl fmt::Display for SkippedBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, blocks, options, .. } = self;
        match (blocks, options) {
            (1, 0) => write!(f, "{first}; this block was skipped"),
            (n, 0) => write!(f, "{first}; this block and {} more were skipped", n - 1),
            (0, 1) => write!(f, "{first}; its block was read without it"),
            (0, n) => write!(f, "{first}; {n} blocks were read without such options"),
            (n, m) => write!(f, "{first}; {n} blocks were skipped, and options of {m} others"),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Damage::Device(_) | Damage::Trailing = self.damage {
            return write!(f, "{}: {}", self.input, self.damage);
        }
        let consequence = self.damage.consequence();
        write!(f, "{}: byte {}: {}{consequence}", self.input, self.offset, self.damage)
    }
}

/// The text of an IO error, without the number that the standard library appends.
pub(super) fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
        None => text,
    }
}
