//! Packets that were pasted as text: hexdumps of xxd, hexdump, od, tcpdump, Wireshark and of this
//! program, and bare hex digits. They are turned into a pcap file.

use std::io::{self, Cursor, Read};

use etherparse::{PacketBuilder, SlicedPacket, TransportSlice};

use super::write::{FrameRecord, PcapWriter};

/// How many bytes of text are read; it holds more packets than anybody pastes.
const LONGEST: u64 = 64 << 20;
/// How many bytes tell whether it is text.
const BEGINNING: u64 = 16;
/// The link type of IP packets without a header before them.
const LINK_RAW: u16 = 101;
/// Sender and receiver of a payload whose hexdump has no headers, and the hop limit: addresses for
/// documentation (RFC 5737).
const ENDS: [[u8; 4]; 2] = [[192, 0, 2, 1], [192, 0, 2, 2]];
const HOPS: u8 = 64;
/// Bytes of an Ethernet header, of a VLAN tag, and of the shortest IPv4 and UDP headers.
const ETHERNET: usize = 14;
const TAG: usize = 4;
const IPV4_UDP: usize = 28;
const IPV6: usize = 40;
/// Nanoseconds between two packets.
const STEP: i64 = 1_000_000;

/// The bytes of a stream as a capture: what a hexdump has, as pcap, else the stream as it is; and
/// whether it was a hexdump. A payload without headers is a datagram between these ports.
///
/// # Errors
///
/// Those of the stream.
pub(super) fn converted(
    mut stream: Box<dyn Read + Send>,
    ports: [u16; 2],
) -> io::Result<(bool, Box<dyn Read + Send>)> {
    let mut text = Vec::new();
    stream.by_ref().take(BEGINNING).read_to_end(&mut text)?;
    let is_text = |byte: &u8| byte.is_ascii_graphic() || b" \t\r\n".contains(byte);
    // What begins with line breaks is pcapng.
    if text.starts_with(b"\n\r\r\n") || text.is_empty() || !text.iter().all(is_text) {
        return Ok((false, Box::new(Cursor::new(text).chain(stream))));
    }
    stream.by_ref().take(LONGEST).read_to_end(&mut text)?;
    let packets = packets(&String::from_utf8_lossy(&text));
    if packets.is_empty() {
        return Ok((false, Box::new(Cursor::new(text).chain(stream))));
    }
    let mut capture = PcapWriter::new(Vec::new(), LINK_RAW, 0)?;
    for (time, packet) in (0..).step_by(STEP as usize).zip(&packets) {
        let bytes = &*with_headers(packet, ports);
        let (wire_length, comment) = (bytes.len() as u32, "");
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
/// Those of the stream.
pub fn read_packets(stream: impl Read) -> io::Result<Vec<Vec<u8>>> {
    let mut text = Vec::new();
    stream.take(LONGEST).read_to_end(&mut text)?;
    Ok(packets(&String::from_utf8_lossy(&text)))
}

/// The packets of a hexdump; none if it is no hexdump.
fn packets(text: &str) -> Vec<Vec<u8>> {
    let mut parser = HexdumpParser::default();
    text.lines().for_each(|line| parser.line(line));
    parser.end();
    parser.packets
}

/// The packet as IP: without a link-layer header before it, or with made headers before a payload.
fn with_headers(packet: &[u8], ports: [u16; 2]) -> std::borrow::Cow<'_, [u8]> {
    if let Some(ip) = without_link_layer(packet) {
        return ip.into();
    }
    let [from, to] = ENDS;
    let [source, destination] = ports;
    let builder = PacketBuilder::ipv4(from, to, HOPS).udp(source, destination);
    let mut made = Vec::with_capacity(builder.size(packet.len()));
    match builder.write(&mut made, packet) {
        Ok(()) => made.into(),
        Err(_) => packet.into(),
    }
}

/// The IP packet in these bytes, if they begin with one, or with an Ethernet header.
fn without_link_layer(packet: &[u8]) -> Option<&[u8]> {
    let behind = |length: usize| packet.get(length..).filter(|ip| is_ip(ip));
    let framed = match packet.get(12..14) {
        Some([8, 0] | [0x86, 0xdd]) => behind(ETHERNET),
        Some([0x81, 0]) => behind(ETHERNET + TAG),
        _ => None,
    };
    framed.or_else(|| behind(0))
}

/// The payload of a packet: what follows the headers of a UDP datagram, or else everything.
pub fn payload(packet: &[u8]) -> &[u8] {
    let Some(ip) = without_link_layer(packet) else {
        return packet;
    };
    let sliced = SlicedPacket::from_ip(ip).ok().and_then(|sliced| sliced.transport);
    match sliced {
        Some(TransportSlice::Udp(datagram)) => datagram.payload(),
        _ => packet,
    }
}

/// Whether these bytes are an IP packet with a length that fits.
fn is_ip(bytes: &[u8]) -> bool {
    let length = |at: usize| match bytes.get(at..at + 2) {
        Some(&[high, low]) => usize::from(u16::from_be_bytes([high, low])),
        _ => 0,
    };
    match bytes.first().map(|first| first >> 4) {
        Some(4) => {
            let total = length(2);
            let carries = matches!(bytes.get(9), Some(1 | 6 | 17));
            carries
                && (IPV4_UDP..=bytes.len()).contains(&total)
                && bytes.len() - total < ETHERNET * 4
        }
        Some(6) => bytes.len() > IPV6 && length(4) + IPV6 <= bytes.len() && length(4) > 0,
        _ => false,
    }
}

/// Reads a hexdump line by line.
#[derive(Default)]
struct HexdumpParser {
    packets: Vec<Vec<u8>>,
    packet: Vec<u8>,
    /// Where the bytes of the last line begin.
    last: usize,
    /// Lines that are equal to the last one were left out.
    repeats: bool,
    /// Lines begin with an offset.
    has_offsets: bool,
}

impl HexdumpParser {
    fn line(&mut self, line: &str) {
        let line = line.trim();
        if line == "*" {
            self.repeats = true;
        } else if let Some((offset, bytes)) = self.at_offset(line) {
            self.add(offset, &bytes);
        } else if let Some(bytes) = bare(line) {
            if self.has_offsets {
                self.end();
            }
            self.packet.extend(bytes);
        } else {
            self.end();
        }
    }

    /// The bytes of a line that begins with an offset that may come next: of a new packet, of the next
    /// line, or of less, because letters beside the bytes were taken for bytes.
    fn at_offset<'a>(&self, line: &'a str) -> Option<(usize, Vec<u8>)> {
        let end = line.find(|c: char| c == ':' || c.is_whitespace()).unwrap_or(line.len());
        let (digits, rest) = line.split_at_checked(end)?;
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        let is_offset = (4..=8).contains(&digits.len()) && is_hex(digits);
        let in_radix = |radix| usize::from_str_radix(digits, radix).ok().filter(|_| is_offset);
        let is_next =
            |offset: &usize| self.has_offsets && (self.last..=self.packet.len()).contains(offset);
        // od writes octal or decimal offsets, which are too large if they are read as hex. The last
        // one is behind the last byte, where a NUL may fill up a word.
        let is_last = rest.trim().is_empty();
        let ends = |offset: &usize| {
            let behind = self.packet.len();
            *offset == behind || is_last && *offset + 1 == behind
        };
        let other = |radix| in_radix(radix).filter(ends);
        let offset = in_radix(16)?;
        let offset =
            if is_next(&offset) { offset } else { other(8).or(other(10)).unwrap_or(offset) };
        let is_next = is_next(&offset);
        let is_repeated = self.has_offsets && self.repeats && offset > self.packet.len();
        if offset != 0 && !is_next && !is_repeated {
            return None;
        }
        let is_marked = rest.starts_with(':');
        let rest = rest.trim_start_matches(':').trim_start();
        let beside: &[&str] = if is_marked { &["  "] } else { &["   ", "|", "│"] };
        let cut = |rest: &'a str, mark: &&str| rest.split(*mark).next().unwrap_or(rest);
        let rest = beside.iter().fold(rest, cut);
        // Words of hexdump and od are numbers of 16 bits, the lower byte first.
        let are_numbers = !is_marked && (6..=7).contains(&digits.len());
        if let Some(bytes) = in_other_digits(rest) {
            return Some((offset, bytes));
        }
        let mut bytes = Vec::new();
        for word in rest.split_whitespace() {
            let Some(of_word) = hex_bytes(word) else { break };
            match *of_word {
                [high, low] if are_numbers => bytes.extend([low, high]),
                _ => bytes.extend(of_word),
            }
        }
        (!bytes.is_empty() || offset == self.packet.len() || is_next).then_some((offset, bytes))
    }

    fn add(&mut self, offset: usize, bytes: &[u8]) {
        if offset == 0 || !self.has_offsets {
            self.end();
        }
        if std::mem::take(&mut self.repeats) {
            let line = self.packet.get(self.last..).unwrap_or_default().to_vec();
            while !line.is_empty() && self.packet.len() < offset {
                self.packet.extend_from_slice(&line);
            }
        }
        self.has_offsets = true;
        self.packet.truncate(offset);
        self.last = offset;
        self.packet.extend_from_slice(bytes);
    }

    /// Ends a packet.
    fn end(&mut self) {
        let packet = std::mem::take(&mut self.packet);
        if packet.len() > 1 {
            self.packets.push(packet);
        }
        (self.last, self.repeats, self.has_offsets) = (0, false, false);
    }
}

/// The bytes of a line that has nothing but hex digits, and what separates them: `\xff\xff`,
/// `0xff, 0xff`, `ff:ff`.
fn bare(line: &str) -> Option<Vec<u8>> {
    let line = line.replace("\\x", " ").replace("0x", " ");
    let words = line.split(|c: char| c.is_whitespace() || ":,;-\"'{}[]()".contains(c));
    let bytes: Option<Vec<_>> = words.filter(|word| !word.is_empty()).map(hex_bytes).collect();
    bytes.map(|bytes| bytes.concat()).filter(|bytes| !bytes.is_empty())
}

/// The bytes of words that od writes without options, octal numbers of 16 bits, the lower byte first;
/// or that `xxd -b` writes, bytes in binary. `None` for other words.
fn in_other_digits(rest: &str) -> Option<Vec<u8>> {
    let all = |length: usize, digits: &str| {
        let mut words = rest.split_whitespace().peekable();
        words.peek().is_some()
            && words.all(|word| word.len() == length && word.chars().all(|c| digits.contains(c)))
    };
    let words = rest.split_whitespace();
    if all(6, "01234567") {
        let number = |word| u16::from_str_radix(word, 8).ok();
        let bytes: Option<Vec<_>> = words.map(|word| number(word).map(u16::to_le_bytes)).collect();
        return bytes.map(|bytes| bytes.concat());
    }
    all(8, "01").then(|| words.map(|word| u8::from_str_radix(word, 2).ok()).collect()).flatten()
}

fn hex_bytes(word: &str) -> Option<Vec<u8>> {
    hex::decode(word).ok()
}

fn is_hex(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &[u8] = b"\xff\xff\xff\xffgetinfo 4c4c ab\n";

    #[test]
    fn what_programs_print_is_read() {
        for (program, text) in [
            (
                "xxd",
                "00000000: ffff ffff 6765 7469 6e66 6f20 3463 3463  ....getinfo 4c4c\n00000010: 2061 620a                                 ab.\n",
            ),
            ("xxd -p", "ffffffff676574696e666f203463346320\n61620a\n"),
            (
                "hexdump -C",
                "00000000  ff ff ff ff 67 65 74 69  6e 66 6f 20 34 63 34 63  |....getinfo 4c4c|\n00000010  20 61 62 0a                                       | ab.|\n00000014\n",
            ),
            (
                "hexdump",
                "0000000 ffff ffff 6567 6974 666e 206f 6334 6334\n0000010 6120 0a62                              \n0000014\n",
            ),
            (
                "Wireshark",
                "0000   ff ff ff ff 67 65 74 69 6e 66 6f 20 34 63 34 63   ....getinfo 4c4c\n0010   20 61 62 0a                                        ab.\n",
            ),
            (
                "fragshark decode -v",
                "#1  quake3 getinfo  2003-12-01T20:00:00Z\n  20 bytes, document 001\n  0000  ff ff ff ff                                     │....            │ mark: ff ff ff ff\n  0004  67 65 74 69 6e 66 6f                            │getinfo         │ command: getinfo\n  000b  20 34 63 34 63 20 61 62                         │ 4c4c ab        │ challenge: 4c4c ab\n  0013  0a                                              │.               │\n",
            ),
            ("bare digits", "ff ff ff ff 67 65 74 69 6e 66 6f 20\n34 63 34 63 20 61 62 0a\n"),
            (
                "a source text",
                "\"\\xff\\xff\\xff\\xff\\x67\\x65\\x74\\x69\\x6e\\x66\\x6f\\x20\"\n\"\\x34\\x63\\x34\\x63\\x20\\x61\\x62\\x0a\"\n",
            ),
            (
                "an array",
                "{ 0xff, 0xff, 0xff, 0xff, 0x67, 0x65, 0x74, 0x69, 0x6e, 0x66, 0x6f, 0x20,\n  0x34, 0x63, 0x34, 0x63, 0x20, 0x61, 0x62, 0x0a }\n",
            ),
        ] {
            assert_eq!(packets(text), [MESSAGE], "{program}");
            let twice = format!("{text}\n{text}");
            assert_eq!(packets(&twice), [MESSAGE, MESSAGE], "{program}, twice");
        }
    }

    #[test]
    fn lines_that_repeat_may_be_left_out() {
        let text = "00000000  41 41 41 41 41 41 41 41  41 41 41 41 41 41 41 41  |AAAAAAAAAAAAAAAA|\n*\n00000030  0a 0a                                             |..|\n00000032\n";
        assert_eq!(packets(text), [[vec![b'A'; 48], vec![b'\n'; 2]].concat()]);
    }

    #[test]
    fn headers_of_packets_are_found_and_made_where_there_are_none() {
        let made = with_headers(MESSAGE, [27960, 7]).into_owned();
        assert!(is_ip(&made) && made.ends_with(MESSAGE) && made[20..24] == [0x6d, 0x38, 0, 7]);
        assert_eq!(*with_headers(&made, [1, 2]), *made, "tcpdump -x prints IP packets");
        for header in [&[0; 12][..], &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 0, 0, 7]] {
            let mut frame = header.to_vec();
            frame.extend([8, 0]);
            frame.extend(&made);
            assert_eq!(*with_headers(&frame, [1, 2]), *made, "Wireshark copies frames");
        }
    }

    #[test]
    fn other_bytes_stay_as_they_are() {
        for bytes in
            [&b""[..], b"\n\r\r\n....", b"\xd4\xc3\xb2\xa1", b"just text, no packet\n", b"x"]
        {
            let (is_hexdump, mut stream) =
                converted(Box::new(Cursor::new(bytes.to_vec())), [0; 2]).unwrap();
            let mut read = Vec::new();
            stream.read_to_end(&mut read).unwrap();
            assert!(!is_hexdump && read == bytes, "{bytes:?}");
        }
    }
}
