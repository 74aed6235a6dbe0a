//! Packets that were pasted as text: hexdumps of xxd, hexdump, od, tcpdump, Wireshark and of this
//! program, bare hex digits, and the other forms in which bytes are written into reports. They are
//! turned into a pcap file.

mod bare;
mod dump;
mod escapes;
mod headers;
mod parser;
mod pasted;
mod row;
mod words;

#[cfg(test)]
mod tests;

use std::io::{self, Cursor, Read};

use super::write::{FrameRecord, PcapWriter};

pub use headers::ip_packet;

/// How many bytes of text are read; it holds more packets than anybody pastes.
const LONGEST: u64 = 64 << 20;
/// How many bytes tell whether it is text.
const BEGINNING: u64 = 16;
/// The link type of IP packets without a header before them.
pub const LINK_RAW: u16 = 101;
/// Nanoseconds between two packets.
const STEP: i64 = 1_000_000;

/// Why a hexdump cannot be read without inventing bytes, or losing some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HexdumpError {
    /// Rows were left out, and nothing says how many.
    #[error(
        "a row of the hexdump is `*`, and without offsets nothing says how many rows it stands \
         for; `od -v` prints all rows"
    )]
    RowsLeftOut,
    /// Rows were left out, and the offsets may be in more than one base.
    #[error(
        "a row of the hexdump is `*`, and its offsets may be octal, decimal or hexadecimal; \
         `od -v` and `hexdump -v` print all rows"
    )]
    UnknownBase,
    /// The rows that were left out are too many.
    #[error("the rows that `*` stands for in the hexdump are more than 64 MB")]
    TooLong,
}

impl From<HexdumpError> for io::Error {
    fn from(error: HexdumpError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// The bytes of a stream as a capture: what a hexdump has, as pcap, else the stream as it is; and
/// whether it was a hexdump. A payload without headers is a datagram between these ports.
///
/// # Errors
///
/// Those of the stream, and [`HexdumpError`].
pub(super) fn converted(
    mut stream: Box<dyn Read + Send>,
    ports: [u16; 2],
) -> io::Result<(bool, Box<dyn Read + Send>)> {
    let mut text = Vec::new();
    stream.by_ref().take(BEGINNING).read_to_end(&mut text)?;
    // What begins with line breaks is pcapng.
    if text.starts_with(b"\n\r\r\n") || text.is_empty() || !is_text(&text) {
        return Ok((false, Box::new(Cursor::new(text).chain(stream))));
    }
    stream.by_ref().take(LONGEST).read_to_end(&mut text)?;
    let packets = packets(&String::from_utf8_lossy(&text))?;
    if packets.is_empty() {
        return Ok((false, Box::new(Cursor::new(text).chain(stream))));
    }
    let mut capture = PcapWriter::new(Vec::new(), LINK_RAW, 0)?;
    for (time, packet) in (0..).step_by(STEP as usize).zip(&packets) {
        let bytes = &*headers::with_headers(packet, ports);
        let (wire_length, comment) = (headers::wire_length(bytes), "");
        capture.write(&FrameRecord {
            time,
            link: LINK_RAW,
            fcs: 0,
            wire_length,
            bytes,
            comment,
            interface: 0,
        })?;
    }
    Ok((true, Box::new(Cursor::new(capture.finish()?))))
}

/// The packets of a hexdump in a stream; none if it has no hexdump.
///
/// # Errors
///
/// Those of the stream, and [`HexdumpError`].
pub fn read_packets(stream: impl Read) -> io::Result<Vec<Vec<u8>>> {
    let mut text = Vec::new();
    stream.take(LONGEST).read_to_end(&mut text)?;
    Ok(packets(&String::from_utf8_lossy(&text))?)
}

/// Whether a beginning is text; its last letter may be cut.
fn is_text(beginning: &[u8]) -> bool {
    let Some(chunk) = beginning.utf8_chunks().next() else { return false };
    let is_shown = |c: char| !c.is_control() || "\t\r\n".contains(c);
    chunk.valid().len() + 3 >= beginning.len() && chunk.valid().chars().all(is_shown)
}

/// The packets of a text. With a row that begins a dump, it is read as a hexdump, else as bytes in
/// one of the forms that people paste.
fn packets(text: &str) -> Result<Vec<Vec<u8>>, HexdumpError> {
    let text = pasted::unquoted(text);
    let begins = |line: &str| {
        row::HexdumpRow::parse(line).is_some_and(|row| row.is_first() && !row.bytes.is_empty())
    };
    if !text.lines().any(begins) {
        let packets = pasted::packets(&text);
        if !packets.is_empty() {
            return Ok(packets);
        }
    }
    parser::packets(&text)
}
