//! Packets in the forms in which programs and people write bytes into reports: what gamedig and qstat
//! print for debugging, arrays of numbers, texts with escapes, base64. Marks of Markdown and of mail
//! around them are removed.

use std::borrow::Cow;
use std::net::SocketAddrV4;

use base64::Engine as _;
use base64::engine::DecodePaddingMode::Indifferent;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use super::escapes;
use super::headers::datagram;
use super::words::is_hex;

/// The packets that a text has in one form.
type PasteForm = fn(&str) -> Vec<Vec<u8>>;

/// Bytes of a row of qstat's.
const QSTAT_ROW: usize = 16;
/// The fewest numbers that are taken for the bytes of a packet.
const FEWEST: usize = 4;
/// The fewest letters of base64 that are looked at.
const SHORTEST: usize = 8;
/// What messages begin with: only with one of these is a word base64.
const MARKS: [&[u8]; 4] = [&[0xff; 4], b"\xfe\xfd", b"\xfe\xff\xff\xff", b"\\"];

/// The text without the marks of Markdown and of mail, and with plain quotes.
pub(super) fn unquoted(text: &str) -> Cow<'_, str> {
    let is_quoted = |line: &str| line.trim_start().starts_with(['>', '`']);
    if text.is_ascii() && !text.lines().any(is_quoted) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.lines() {
        let mut rest = line;
        while let Some(quoted) = rest.trim_start().strip_prefix('>') {
            rest = quoted.strip_prefix(' ').unwrap_or(quoted);
        }
        if rest.trim_start().starts_with("```") {
            rest = "";
        }
        let is_code = rest.trim_start().starts_with('`');
        let rest = if is_code { rest.trim().trim_matches('`') } else { rest };
        plain.extend(rest.chars().map(|c| match c {
            '\u{201c}'..='\u{201f}' => '"',
            '\u{2018}'..='\u{201b}' => '\'',
            '\u{a0}' => ' ',
            c => c,
        }));
        plain.push('\n');
    }
    plain.into()
}

/// The packets of a text that has them in one of these forms; none if it has none.
pub(super) fn packets(text: &str) -> Vec<Vec<u8>> {
    let forms: [PasteForm; 5] = [with_lengths, in_groups, in_lists, escapes::packets, in_base64];
    forms.into_iter().map(|form| form(text)).find(|packets| !packets.is_empty()).unwrap_or_default()
}

/// gamedig's: who sends, the length, and rows of bytes with a row of letters below each.
fn with_lengths(text: &str) -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    let mut ends = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.contains("UDP(") {
            ends = gamedig_ends(line);
        }
        let Some(length) = line.trim().strip_prefix("Buffer length: ") else { continue };
        let length = length.split_whitespace().next().and_then(|length| length.parse().ok());
        let mut bytes = Vec::new();
        while let Some(row) = lines.clone().next()
            && length.is_some_and(|length: usize| bytes.len() < length)
            && !row.contains("UDP(")
            && !row.contains("Buffer length: ")
        {
            lines.next();
            let is_row = !row.starts_with(' ')
                && row.split_whitespace().all(|word| word.len() == 2 && is_hex(word));
            let words = row.split_whitespace().filter(|_| is_row);
            bytes.extend(words.filter_map(|word| u8::from_str_radix(word, 16).ok()));
        }
        bytes.truncate(length.unwrap_or_default());
        if !bytes.is_empty() {
            packets.push(ends.take().and_then(|ends| datagram(ends, &bytes)).unwrap_or(bytes));
        }
    }
    packets
}

/// Sender and receiver of `198.51.100.20:27015 UDP(50860)-->` or `… <--UDP(50860)`.
fn gamedig_ends(line: &str) -> Option<[SocketAddrV4; 2]> {
    let words = || line.split_whitespace();
    let server = words().find_map(|word| word.parse::<SocketAddrV4>().ok())?;
    let (_, port) = line.split_once("UDP(")?;
    let port = port.split(')').next()?.parse().ok()?;
    let client = SocketAddrV4::new(super::headers::CLIENT.into(), port);
    Some(if line.contains("<--") { [server, client] } else { [client, server] })
}

/// qstat's: decimal offsets, and groups of four bytes.
fn in_groups(text: &str) -> Vec<Vec<u8>> {
    let mut packets: Vec<Vec<u8>> = Vec::new();
    for (offset, row) in text.lines().filter_map(group_row) {
        match packets.last_mut() {
            _ if offset == 0 => packets.push(row),
            Some(packet) if packet.len() == offset => packet.extend(row),
            _ => {}
        }
    }
    packets
}

/// The offset and the bytes of `   16: 0a5c626f 74735c35  .\bots\5`.
fn group_row(line: &str) -> Option<(usize, Vec<u8>)> {
    let (offset, rest) = line.split_once(':')?;
    let offset = offset.trim();
    let words = rest.strip_prefix(' ')?.split("  ").next()?.split(' ');
    let groups: Option<Vec<_>> = words
        .map(|word| {
            Some(word).filter(|word| word.len() <= 8).and_then(|word| hex::decode(word).ok())
        })
        .collect();
    let bytes = groups?.concat();
    let is_row = (1..=QSTAT_ROW).contains(&bytes.len()) && offset.len() < 8;
    offset.parse().ok().filter(|offset| is_row && offset % QSTAT_ROW == 0).map(|at| (at, bytes))
}

/// Numbers in brackets or braces: arrays of C and of Go, of JSON and of JavaScript, lists of Python,
/// Node's `<Buffer …>`.
fn in_lists(text: &str) -> Vec<Vec<u8>> {
    let text = without_comments(text);
    let mut packets = Vec::new();
    let mut left = &*text;
    while let Some(begin) = left.find(['[', '{', '<']) {
        let Some((_, rest)) = left.split_at_checked(begin + 1) else { break };
        left = rest;
        let Some(end) = rest.find([']', '}', '>', '[', '{', '<']) else { break };
        let (inside, _) = rest.split_at_checked(end).unwrap_or_default();
        let bytes = match inside.strip_prefix("Buffer ") {
            Some(hex) => Some(hex_words(hex)),
            None => numbers(inside),
        };
        packets.extend(bytes.filter(|bytes| bytes.len() >= FEWEST));
    }
    packets
}

/// The bytes of hex words, as far as there are any: Node leaves out those behind the first fifty.
fn hex_words(text: &str) -> Vec<u8> {
    let words = text.split_whitespace().map(|word| u8::from_str_radix(word, 16));
    words.map_while(Result::ok).collect()
}

/// The bytes of numbers with commas or blanks between; `None` where one is no byte, or where they may
/// be hexadecimal without saying so.
fn numbers(text: &str) -> Option<Vec<u8>> {
    let words = || text.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty());
    let are_decimal = text.contains(',') || words().any(|word| word.len() != 2);
    let byte = |word: &str| {
        if let Some(hex) = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            return u8::from_str_radix(hex, 16).ok();
        }
        // Java's bytes have a sign.
        let number = word.parse::<i16>().ok().filter(|_| are_decimal)?;
        let signed = || i8::try_from(number).ok().map(i8::cast_unsigned);
        u8::try_from(number).ok().or_else(signed)
    };
    words().map(byte).collect()
}

/// The text without the comments of C, in which Wireshark has the letters of each row.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains("/*") {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    let mut left = text;
    while let Some((before, rest)) = left.split_once("/*") {
        plain.push_str(before);
        left = rest.split_once("*/").map_or("", |(_, behind)| behind);
    }
    plain.push_str(left);
    plain.into()
}

/// Words of base64 that begin with the mark of a message.
fn in_base64(text: &str) -> Vec<Vec<u8>> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(Indifferent);
    let alphabets = [&base64::alphabet::STANDARD, &base64::alphabet::URL_SAFE];
    let engines = alphabets.map(|alphabet| GeneralPurpose::new(alphabet, config));
    let word = |word: &str| {
        let word = word.trim_matches(['"', '\'', ',', ';', '(', ')']);
        let mut decoded = engines.iter().filter_map(|engine| engine.decode(word).ok());
        let bytes = decoded.next().filter(|_| word.len() >= SHORTEST)?;
        MARKS.iter().any(|mark| bytes.starts_with(mark)).then_some(bytes)
    };
    text.split_whitespace().filter_map(word).collect()
}
