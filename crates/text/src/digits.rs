//! Numbers and addresses as text, without the formatting machinery: a server list has hundreds, and
//! a capture thousands of lists.

use std::io::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};

/// `1 case`, `2 cases`.
#[inline]
pub fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// A number and what it counts: `{message lacks|messages lack} datagrams` is written as
/// `1 message lacks datagrams`, or `2 messages lack datagrams`.
#[inline]
pub fn numbered(n: u64, text: &str) -> String {
    let mut out = n.to_string();
    out.push(' ');
    let mut left = text;
    while let Some((before, (choice, after))) =
        left.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        let (one, several) = choice.split_once('|').unwrap_or((choice, choice));
        out.push_str(before);
        out.push_str(if n == 1 { one } else { several });
        left = after;
    }
    out.push_str(left);
    out
}

/// A line for each count above zero: `3 exchanges were not kept`.
pub fn numbered_lines<'a>(counts: &'a [(u64, &'a str)]) -> impl Iterator<Item = String> + use<'a> {
    let lines = counts.iter().filter(|(count, _)| *count > 0);
    lines.map(|(count, what)| numbered(*count, what))
}

/// Appends a number in decimal digits.
#[inline]
pub fn push_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a port, or another number of 16 bits.
#[inline]
pub fn push_port(out: &mut Vec<u8>, number: u16) {
    let (digits, len) = port(number);
    out.extend_from_slice(digits.get(..len).unwrap_or_default());
}

/// The nine digits of a number below a billion, with zeros before it.
#[inline]
pub fn nine_digits(number: u32) -> [u8; 9] {
    let pair = |of: u32| {
        let pair = PAIRS.get(of as usize % 100).copied().unwrap_or_default();
        pair.to_le_bytes()
    };
    let (high, low) = (number / 10_000, number % 10_000);
    let [[b, c], [d, e], [f, g], [h, i]] =
        [pair(high / 100), pair(high), pair(low / 100), pair(low)];
    [b'0' + (number / 100_000_000) as u8 % 10, b, c, d, e, f, g, h, i]
}

/// Appends a number that may be negative.
#[inline]
pub fn push_signed(out: &mut Vec<u8>, number: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a number with as many digits as are needed to parse the same value again.
#[inline]
pub fn push_decimal(out: &mut Vec<u8>, number: f64) {
    // Writing to a vector cannot fail.
    _ = write!(out, "{number}");
}

/// Appends `true` or `false`.
#[inline]
pub fn push_flag(out: &mut Vec<u8>, flag: bool) {
    out.extend_from_slice(if flag { b"true" } else { b"false" });
}

/// Appends an address.
#[inline]
pub fn push_ip(out: &mut Vec<u8>, ip: IpAddr) {
    match ip {
        IpAddr::V4(ip) => push_written(out, |buffer| dotted(buffer, ip)),
        IpAddr::V6(ip) => out.extend_from_slice(ip.to_string().as_bytes()),
    }
}

/// Appends `ADDRESS:PORT`, an IPv6 address in brackets.
#[inline]
pub fn push_endpoint(out: &mut Vec<u8>, end: SocketAddr) {
    match end {
        SocketAddr::V4(end) => push_written(out, |buffer| endpoint(buffer, end)),
        SocketAddr::V6(end) => out.extend_from_slice(end.to_string().as_bytes()),
    }
}

/// Appends the `ADDRESS:PORT` of each in quotes, separated by commas.
#[inline]
pub fn push_endpoints<const N: usize>(
    out: &mut Vec<u8>,
    ends: impl ExactSizeIterator<Item = SocketAddrV4>,
    quotes: &[u8; N],
) {
    let mut at = out.len();
    out.resize(at + ends.len() * size_of::<QuotedEndpoint>(), 0);
    let mut comma = 0;
    for end in ends {
        if let Some(buffer) = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
            at += listed(buffer, end, quotes);
            comma = 1;
        }
    }
    // No comma after the last one.
    out.truncate(at - comma);
}

/// Space for `255.255.255.255:65535`, for a whole entry of [`OCTETS`] after any dot of it, and for
/// the eight bytes of a port after any colon.
type EndpointBuffer = [u8; 24];

/// The same with quotes, and a comma after them.
type QuotedEndpoint = [u8; 32];

/// Writes an address and a port in quotes with a comma; returns the number of bytes.
fn listed<const N: usize>(
    buffer: &mut QuotedEndpoint,
    end: SocketAddrV4,
    quotes: &[u8; N],
) -> usize {
    let len = buffer.split_first_chunk_mut().map_or(0, |(before, behind)| {
        *before = *quotes;
        behind.first_chunk_mut().map_or(0, |buffer| endpoint(buffer, end))
    });
    let at = N + len;
    if let Some([behind @ .., comma]) = buffer.get_mut(at..=at + N) {
        behind.copy_from_slice(quotes);
        *comma = b',';
    }
    at + N + 1
}

/// Writes an address and a port; returns the number of bytes.
#[inline]
fn endpoint(buffer: &mut EndpointBuffer, end: SocketAddrV4) -> usize {
    let len = dotted(buffer, *end.ip());
    let (port, digits) = port(end.port());
    // At most 15, which the compiler does not know.
    let at = len % 16;
    if let Some([colon, buffer @ ..]) = buffer.get_mut(at..at + 1 + port.len()) {
        *colon = b':';
        buffer.copy_from_slice(&port);
    }
    len + 1 + digits
}

/// Extends the output, calls `write` for the new part, and truncates it to the length returned.
/// Writing in place avoids a copy of just written bytes, which would wait for the writes to finish.
fn push_written(out: &mut Vec<u8>, write: impl FnOnce(&mut EndpointBuffer) -> usize) {
    let begin = out.len();
    out.extend_from_slice(&EndpointBuffer::default());
    let len = out.last_chunk_mut().map_or(0, write);
    out.truncate(begin + len);
}

/// The digits of a port, and their number.
fn port(port: u16) -> ([u8; 8], usize) {
    let pair = |of: u16| u64::from(PAIRS.get(usize::from(of)).copied().unwrap_or_default());
    let first = u64::from(b'0') + u64::from(port / 10_000);
    let digits = first | pair(port / 100 % 100) << 8 | pair(port % 100) << 24;
    // Most ports have all five.
    let zeros = match port {
        10_000.. => 0,
        1000.. => 1,
        100.. => 2,
        10.. => 3,
        _ => 4,
    };
    ((digits >> (8 * zeros)).to_le_bytes(), 5 - zeros)
}

/// The two digits of each number below a hundred, the first in the lower byte.
#[expect(clippy::indexing_slicing, reason = "runs at compile time, where a panic is an error")]
static PAIRS: [u16; 100] = {
    let mut all = [0; 100];
    let mut n = 0;
    while n < 100 {
        all[n] = u16::from_le_bytes([b'0' + n as u8 / 10, b'0' + n as u8 % 10]);
        n += 1;
    }
    all
};

/// Writes an address; returns the number of bytes.
#[inline]
fn dotted(buffer: &mut EndpointBuffer, ip: Ipv4Addr) -> usize {
    let mut at = 0;
    for octet in ip.octets() {
        // Always writes four bytes; the next octet overwrites the excess. `at` is at most 12.
        let begin = at % 16;
        if let (Some(buffer), Some((digits, len))) =
            (buffer.get_mut(begin..begin + 4), OCTETS.get(usize::from(octet)))
        {
            buffer.copy_from_slice(digits);
            at += usize::from(*len);
        }
    }
    at - 1
}

/// The digits of each byte with a dot after them, and their length.
#[expect(clippy::indexing_slicing, reason = "runs at compile time, where a panic is an error")]
static OCTETS: [([u8; 4], u8); 256] = {
    let mut all = [([b'.'; 4], 0); 256];
    let mut n = 0;
    while n < 256 {
        all[n] = octet(n as u8);
        n += 1;
    }
    all
};

const fn octet(n: u8) -> ([u8; 4], u8) {
    let [a, b, c] = [b'0' + n / 100, b'0' + n / 10 % 10, b'0' + n % 10];
    match n {
        0..10 => ([c, b'.', 0, 0], 2),
        10..100 => ([b, c, b'.', 0], 3),
        100.. => ([a, b, c, b'.'], 4),
    }
}

/// One, in billionths.
pub const BILLION: i128 = 1_000_000_000;

/// The maximum number of digits before the point.
const MAX_DIGITS: usize = 28;

/// A decimal number in billionths; digits after the ninth are dropped.
#[inline]
pub fn billionths(text: &str) -> Option<i128> {
    let (minus, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(part) || whole.len() > MAX_DIGITS {
        return None;
    }
    let part = part.get(..9).unwrap_or(part);
    let part = part.parse::<i128>().ok()? * 10i128.pow(9 - part.len() as u32);
    let number = whole.parse::<i128>().ok()? * BILLION + part;
    Some(if minus { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = b"> ".to_vec();
        write(&mut out);
        String::from_utf8(out).unwrap()[2..].to_owned()
    }

    #[test]
    fn words_follow_their_number() {
        let text = "split {message lacks|messages lack} datagrams";
        assert_eq!(numbered(1, text), "1 split message lacks datagrams");
        assert_eq!(numbered(2, text), "2 split messages lack datagrams");
        assert_eq!(numbered(3, "as they are {"), "3 as they are {");
    }

    #[test]
    fn digits_are_those_that_the_library_writes() {
        for number in [0, 9, 10, 99, 100, 27960, u64::MAX / 10, u64::MAX] {
            assert_eq!(written(|out| push_number(out, number)), number.to_string());
        }
        for number in [0, -1, 10, i64::MIN, i64::MAX] {
            assert_eq!(written(|out| push_signed(out, number)), number.to_string());
        }
        for n in 0..=255 {
            let ip = Ipv4Addr::new(n, 255 - n, n, n);
            assert_eq!(written(|out| push_ip(out, ip.into())), ip.to_string());
            let end = SocketAddr::from((ip, u16::from(n) * 257));
            assert_eq!(written(|out| push_endpoint(out, end)), end.to_string());
        }
        for number in 0..=u16::MAX {
            let (digits, len) = port(number);
            assert_eq!(&digits[..len], number.to_string().as_bytes());
        }
        for count in 1..=4 {
            let ends =
                [0, 9, 99, 255].map(|n| (Ipv4Addr::new(255, n, 255 - n, n), 257 * u16::from(n)));
            let ends = ends.iter().take(count).map(|end| SocketAddrV4::new(end.0, end.1));
            let each: Vec<_> = ends.clone().map(|end| format!("\"\"{end}\"\"")).collect();
            let all = written(|out| push_endpoints(out, ends, b"\"\""));
            assert_eq!(all, each.join(","));
        }
        for end in ["[::]:0", "[2001:db8::7]:27960", "[::ffff:192.0.2.7]:65535"] {
            assert_eq!(written(|out| push_endpoint(out, end.parse().unwrap())), end);
        }
    }
}
