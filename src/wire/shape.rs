//! How a leaf is written: the bridge between its bytes and its value.

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endian {
    Big,
    Little,
}

/// How a leaf's bytes are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Bytes with no reading.
    Raw,
    Text,
    /// A signed number in decimal digits.
    Decimal,
    /// A binary number of up to eight bytes.
    Unsigned(Endian),
    Signed(Endian),
    /// Four bytes of an IEEE 754 number.
    Float(Endian),
    /// Four bytes, in network order.
    Ipv4,
    /// Sixteen bytes, in network order.
    Ipv6,
    /// Four decimal numbers and the dots between them.
    DottedIpv4,
    /// Eight hex digits.
    HexIpv4,
    /// A number in hex digits.
    HexNumber,
}

/// A leaf's value: a function of its shape and bytes, never stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Bytes(&'a [u8]),
    Int(i64),
    Float(f32),
    Ip(IpAddr),
}

impl Shape {
    /// The value of `bytes`; bytes that do not fit the shape stay bytes.
    pub fn read(self, bytes: &[u8]) -> Value<'_> {
        let value = match self {
            Self::Raw | Self::Text => None,
            Self::Decimal => decimal(bytes).map(Value::Int),
            Self::Unsigned(order) => unsigned(bytes, order).map(|n| Value::Int(n.cast_signed())),
            Self::Signed(order) => unsigned(bytes, order).map(|n| {
                let unused = 64 - 8 * bytes.len() as u32;
                Value::Int(n.cast_signed() << unused >> unused)
            }),
            Self::Float(order) => unsigned(bytes, order)
                .filter(|_| bytes.len() == 4)
                .map(|n| Value::Float(f32::from_bits(n as u32))),
            Self::Ipv4 => bytes.try_into().ok().map(|b: [u8; 4]| ip(Ipv4Addr::from(b))),
            Self::Ipv6 => bytes.try_into().ok().map(|b: [u8; 16]| ip(Ipv6Addr::from(b))),
            Self::DottedIpv4 => dotted(bytes).map(ip),
            Self::HexIpv4 => hex(bytes).filter(|_| bytes.len() == 8).map(|n| ip(Ipv4Addr::from(n))),
            Self::HexNumber => hex(bytes).map(|n| Value::Int(i64::from(n))),
        };
        value.unwrap_or(Value::Bytes(bytes))
    }

    /// The value as it is compared and explained: texts and digits as they stand, binary values as
    /// people write them.
    pub fn text(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match (self, self.read(bytes)) {
            (Self::Decimal, _) | (_, Value::Bytes(_)) => Cow::Borrowed(bytes),
            (_, value) => Cow::Owned(value.to_string().into_bytes()),
        }
    }
}

impl fmt::Display for Value<'_> {
    /// Numbers and addresses as people write them; bytes escaped as Rust escapes them.
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
            assert_eq!(shape.read(bytes).to_string(), value, "{shape:?}");
        }
    }
}
