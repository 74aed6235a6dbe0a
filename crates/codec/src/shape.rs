//! The encoding of a leaf: converts between its bytes and its value.

mod write;

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4};

pub use write::New;

use super::packed_int::PackedInt;

/// Byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endian {
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
}

/// The encoding of a leaf's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Bytes without a value.
    Raw,
    /// Bytes that are text in no certain encoding.
    Text,
    /// Text in UTF-16, the least significant byte first.
    Utf16,
    /// Unreal's compact index, in one to five bytes: the size of a text.
    CompactIndex,
    /// A signed number in one to five bytes: see [`PackedInt`].
    PackedInt,
    /// A signed number in decimal digits.
    Decimal,
    /// A binary number of up to eight bytes.
    Unsigned(Endian),
    /// The same with a sign, in two's complement.
    Signed(Endian),
    /// Four bytes of an IEEE 754 number.
    Float(Endian),
    /// Four bytes, in network order.
    Ipv4,
    /// Sixteen bytes, in network order.
    Ipv6,
    /// Four decimal numbers with dots between them.
    DottedIpv4,
    /// Eight hex digits.
    HexIpv4,
    /// A number in hex digits.
    HexNumber,
    /// A list of IPv4 addresses and ports with this byte order, six bytes each, or seven with a
    /// mark before each: see [`Shape::endpoints`].
    Endpoints {
        /// The byte order of the ports.
        port: Endian,
        /// Whether a mark precedes each record.
        marked: bool,
    },
}

/// A leaf's value: computed from its shape and bytes, never stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Text, or bytes that do not match the shape.
    Bytes(&'a [u8]),
    /// A number.
    Int(i64),
    /// A floating-point number.
    Float(f32),
    /// An IP address.
    Ip(IpAddr),
}

/// Address and port, from the leaves of an endpoint.
#[derive(Debug, Clone, Copy, Default)]
pub struct Halves {
    ip: Option<IpAddr>,
    port: Option<u16>,
}

impl Halves {
    /// Adds the value of a leaf.
    #[inline]
    pub fn add_leaf(&mut self, shape: Shape, bytes: &[u8]) {
        match (shape, bytes) {
            // The most frequent case: lists have hundreds.
            (Shape::Ipv4, &[a, b, c, d]) => self.ip = Some(Ipv4Addr::new(a, b, c, d).into()),
            (Shape::Unsigned(Endian::Big), &[a, b]) => self.port = Some(u16::from_be_bytes([a, b])),
            (Shape::Text | Shape::Raw, _) => {}
            _ => match shape.value_of(bytes) {
                Value::Ip(ip) => self.ip = Some(ip),
                Value::Int(port) => self.port = u16::try_from(port).ok(),
                Value::Bytes(_) | Value::Float(_) => {}
            },
        }
    }

    /// The endpoint, if both are known.
    pub fn whole(self) -> Option<SocketAddr> {
        self.ip.zip(self.port).map(SocketAddr::from)
    }
}

impl Shape {
    /// The value of `bytes`; bytes that do not match the shape stay bytes.
    #[inline]
    pub fn value_of(self, bytes: &[u8]) -> Value<'_> {
        let value = match self {
            Self::Raw | Self::Text | Self::Utf16 | Self::CompactIndex | Self::Endpoints { .. } => {
                None
            }
            Self::Decimal => decimal(bytes).map(Value::Int),
            Self::PackedInt => PackedInt::split_off(bytes).ok().map(|n| Value::Int(n.get().into())),
            Self::Unsigned(order) => unsigned(bytes, order).map(|n| Value::Int(n.cast_signed())),
            Self::Signed(order) => unsigned(bytes, order).map(|n| {
                let unused = 64 - 8 * bytes.len() as u32;
                Value::Int(n.cast_signed() << unused >> unused)
            }),
            Self::Float(order) => unsigned(bytes, order)
                .filter(|_| bytes.len() == 4)
                .map(|n| Value::Float(f32::from_bits(n as u32))),
            Self::Ipv4 => bytes.try_into().ok().map(|b: [u8; 4]| ip(Ipv4Addr::from(b))),
            Self::Ipv6 => {
                bytes.try_into().ok().map(|b: [u8; 16]| ip(Ipv6Addr::from(b).to_canonical()))
            }
            Self::DottedIpv4 => dotted(bytes).map(ip),
            Self::HexIpv4 => hex(bytes).filter(|_| bytes.len() == 8).map(|n| ip(Ipv4Addr::from(n))),
            Self::HexNumber => hex(bytes).map(|n| Value::Int(i64::from(n))),
        };
        value.unwrap_or(Value::Bytes(bytes))
    }

    /// The records of a list of endpoints; none for other shapes.
    #[inline]
    pub fn endpoints(self, bytes: &[u8]) -> impl ExactSizeIterator<Item = SocketAddrV4> {
        let (port, width, bytes) = match self {
            Self::Endpoints { port, marked } => (port, 6 + usize::from(marked), bytes),
            _ => (Endian::Big, 6, &[][..]),
        };
        bytes.chunks_exact(width).map(move |record| match *record {
            [.., a, b, c, d, p, q] => {
                let port = match port {
                    Endian::Big => u16::from_be_bytes([p, q]),
                    Endian::Little => u16::from_le_bytes([p, q]),
                };
                SocketAddrV4::new(Ipv4Addr::new(a, b, c, d), port)
            }
            _ => SocketAddrV4::new(Ipv4Addr::UNSPECIFIED, 0),
        })
    }

    /// The value as text for comparison and explanation: texts and digits unchanged, binary values
    /// in the usual notation.
    pub fn text(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match (self, self.value_of(bytes)) {
            (Self::Utf16, _) => Cow::Owned(utf16(bytes).into_bytes()),
            (Self::Decimal, _) | (_, Value::Bytes(_)) => Cow::Borrowed(bytes),
            (_, value) => Cow::Owned(value.to_string().into_bytes()),
        }
    }
}

impl fmt::Display for Value<'_> {
    /// Numbers and addresses in the usual notation; bytes escaped as in Rust.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(b) => write!(f, "{}", b.escape_ascii()),
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(n) => write!(f, "{n}"),
            Self::Ip(ip) => write!(f, "{ip}"),
        }
    }
}

fn ip(ip: impl Into<IpAddr>) -> Value<'static> {
    Value::Ip(ip.into())
}

/// The text; what is no text in UTF-16 is replaced.
fn utf16(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|unit| match *unit {
        [low, high] => u16::from_le_bytes([low, high]),
        _ => 0,
    });
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// `192.0.2.7`, without leading zeros.
fn dotted(text: &[u8]) -> Option<Ipv4Addr> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Decimal text, signed, that fits `i64`.
pub(super) fn decimal(text: &[u8]) -> Option<i64> {
    let (minus, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0i64, |n, d| {
        let d = i64::from(char::from(*d).to_digit(10)?);
        let n = n.checked_mul(10)?;
        if minus { n.checked_sub(d) } else { n.checked_add(d) }
    })
}

fn unsigned(bytes: &[u8], order: Endian) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 8 {
        return None;
    }
    let push = |n: u64, b: &u8| n << 8 | u64::from(*b);
    Some(match order {
        Endian::Big => bytes.iter().fold(0, push),
        Endian::Little => bytes.iter().rev().fold(0, push),
    })
}

/// Up to eight hex digits.
fn hex(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    digits.iter().try_fold(0, |n, d| Some(n << 4 | char::from(*d).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_read_what_they_should() {
        use Endian::{Big, Little};
        for (shape, bytes, value) in [
            (Shape::Decimal, &b"-07"[..], "-7"),
            (Shape::Decimal, b"9223372036854775808", "9223372036854775808"),
            (Shape::Decimal, b"", ""),
            (Shape::PackedInt, b"\xc0\x01", "-65"),
            (Shape::Unsigned(Big), b"\x6d\x38", "27960"),
            (Shape::Unsigned(Little), b"\x38\x6d", "27960"),
            (Shape::Signed(Little), b"\xff\xff\xff\xff", "-1"),
            (Shape::Unsigned(Little), b"\xff\xff\xff\xff", "4294967295"),
            (Shape::Float(Little), b"\0\0\xc0\x3f", "1.5"),
            (Shape::Ipv4, b"\x7f\0\0\x01", "127.0.0.1"),
            (Shape::Ipv6, b"\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07", "2001:db8::7"),
            (Shape::DottedIpv4, b"192.0.2.7", "192.0.2.7"),
            (Shape::DottedIpv4, b"192.0.2.300", "192.0.2.300"),
            (Shape::HexIpv4, b"82d7821c", "130.215.130.28"),
            (Shape::HexIpv4, b"82d7", "82d7"),
            (Shape::HexNumber, b"6d3b", "27963"),
            (Shape::Text, b"a\xff\n", "a\\xff\\n"),
        ] {
            assert_eq!(shape.value_of(bytes).to_string(), value, "{shape:?}");
        }
    }
}
