//! Writing a new value in the encoding of an old one.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};

use super::{Endian, PackedInt, Shape, Value, decimal};

/// A new value for a leaf.
#[derive(Debug, Clone, PartialEq)]
pub enum New {
    /// The value as text, as [`Shape::text`] returns it; for raw bytes, the bytes.
    Bytes(Vec<u8>),
    /// A number.
    Int(i64),
    /// A floating-point number.
    Float(f32),
    /// An IP address.
    Ip(IpAddr),
}

impl Shape {
    /// Appends `new` to `out` in the form of `old`: binary numbers and hex digits keep their width
    /// (packed numbers too, if it is enough), and hex digits their case. If `old` already has the
    /// value, its bytes are kept. `None` if the shape cannot hold the value; `out` is unchanged
    /// then.
    pub fn write(self, new: &New, old: &[u8], out: &mut Vec<u8>) -> Option<()> {
        if new.is(self.value_of(old)) || *new == New::Bytes(self.text(old).into_owned()) {
            out.extend_from_slice(old);
            return Some(());
        }
        match self {
            Self::Raw | Self::CompactIndex | Self::Endpoints { .. } => match new {
                New::Bytes(bytes) if bytes.len() == old.len() => out.extend_from_slice(bytes),
                _ => return None,
            },
            Self::Text => out.extend_from_slice(&new.text()),
            Self::Utf16 => {
                let text = new.text();
                let text = String::from_utf8_lossy(&text);
                // The length stands before the text, and stays.
                let units = text.encode_utf16().chain(std::iter::repeat(u16::from(b'_')));
                let units = units.take(old.len() / 2).flat_map(u16::to_le_bytes);
                out.extend(units);
            }
            Self::Decimal => {
                let digits = new.text();
                decimal(&digits)?;
                out.extend_from_slice(&digits);
            }
            Self::PackedInt => {
                let number = i32::try_from(new.int()?).ok()?;
                out.extend_from_slice(&PackedInt::from(number).bytes_of(old.len()));
            }
            Self::Unsigned(order) => {
                let number = u64::try_from(new.int()?).ok()?;
                push(number, order, old.len(), out).then_some(())?;
            }
            Self::Signed(order) => {
                let (number, unused) = (new.int()?, 64 - 8 * u32::try_from(old.len()).ok()?);
                let low = number.cast_unsigned() << unused >> unused;
                (number << unused >> unused == number).then_some(())?;
                push(low, order, old.len(), out).then_some(())?;
            }
            Self::Float(order) => {
                let bits = new.float()?.to_bits();
                push(bits.into(), order, 4, out).then_some(())?;
            }
            Self::Ipv4 => out.extend_from_slice(&new.ipv4()?.octets()),
            Self::Ipv6 => match new.ip()? {
                IpAddr::V6(ip) => out.extend_from_slice(&ip.octets()),
                // An IPv4 address stays one.
                IpAddr::V4(ip) if matches!(self.value_of(old), Value::Ip(IpAddr::V4(_))) => {
                    out.extend_from_slice(&ip.to_ipv6_mapped().octets());
                }
                IpAddr::V4(_) => return None,
            },
            Self::DottedIpv4 => out.extend_from_slice(new.ipv4()?.to_string().as_bytes()),
            Self::HexIpv4 => push_hex(new.ipv4()?.to_bits().into(), 8, old, out)?,
            Self::HexNumber => {
                push_hex(u64::try_from(new.int()?).ok()?, old.len(), old, out)?;
            }
        }
        Some(())
    }
}

impl New {
    /// Whether this is the same value.
    fn is(&self, value: Value<'_>) -> bool {
        match (self, value) {
            (Self::Bytes(new), Value::Bytes(old)) => new == old,
            (Self::Int(new), Value::Int(old)) => *new == old,
            // NaN equals itself here.
            (Self::Float(new), Value::Float(old)) => new.to_bits() == old.to_bits(),
            (Self::Ip(new), Value::Ip(old)) => *new == old,
            _ => false,
        }
    }

    fn text(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Bytes(bytes) => Cow::Borrowed(bytes),
            Self::Int(number) => Cow::Owned(number.to_string().into_bytes()),
            Self::Float(number) => Cow::Owned(number.to_string().into_bytes()),
            Self::Ip(ip) => Cow::Owned(ip.to_string().into_bytes()),
        }
    }

    fn int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Bytes(text) => decimal(text),
            Self::Float(_) | Self::Ip(_) => None,
        }
    }

    fn float(&self) -> Option<f32> {
        match self {
            Self::Float(number) => Some(*number),
            Self::Bytes(text) => std::str::from_utf8(text).ok()?.parse().ok(),
            Self::Int(_) | Self::Ip(_) => None,
        }
    }

    fn ip(&self) -> Option<IpAddr> {
        match self {
            Self::Ip(ip) => Some(*ip),
            Self::Bytes(text) => std::str::from_utf8(text).ok()?.parse().ok(),
            Self::Int(_) | Self::Float(_) => None,
        }
    }

    fn ipv4(&self) -> Option<Ipv4Addr> {
        match self.ip()? {
            IpAddr::V4(ip) => Some(ip),
            IpAddr::V6(_) => None,
        }
    }
}

/// Appends a number of `width` bytes; whether it fits.
fn push(number: u64, order: Endian, width: usize, out: &mut Vec<u8>) -> bool {
    let fits = (1..=8).contains(&width) && number.leading_zeros() as usize >= 64 - 8 * width;
    if fits {
        match order {
            Endian::Big => out.extend(number.to_be_bytes().iter().skip(8 - width)),
            Endian::Little => out.extend(number.to_le_bytes().iter().take(width)),
        }
    }
    fits
}

/// Appends a number of `width` hex digits, in upper case if all letters in `old` are.
fn push_hex(number: u64, width: usize, old: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let fits = (1..=8).contains(&width) && number.leading_zeros() as usize >= 64 - 4 * width;
    let has = |is: fn(&u8) -> bool| old.iter().any(is);
    let capital = has(u8::is_ascii_uppercase) && !has(u8::is_ascii_lowercase);
    let digits = if capital { format!("{number:0width$X}") } else { format!("{number:0width$x}") };
    fits.then(|| out.extend_from_slice(digits.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_write_what_they_read_and_refuse_what_they_cannot_hold() {
        use Endian::{Big, Little};
        let text = |text: &[u8]| New::Bytes(text.to_vec());
        let ip = |ip: &str| New::Ip(ip.parse().unwrap());
        for (shape, old, new, written) in [
            (Shape::Raw, &b"abc"[..], text(b"xyz"), Some(&b"xyz"[..])),
            (Shape::Raw, b"abc", text(b"xy"), None),
            (Shape::Text, b"abc", text(b""), Some(b"")),
            (Shape::Text, b"27960", New::Int(7), Some(b"7")),
            (Shape::Text, b"loopback", ip("2001:db8::7"), Some(b"2001:db8::7")),
            (Shape::Decimal, b"007", New::Int(7), Some(b"007")),
            (Shape::Decimal, b"007", text(b"07"), Some(b"07")),
            (Shape::Decimal, b"007", New::Int(-8), Some(b"-8")),
            (Shape::Decimal, b"7", text(b"x"), None),
            (Shape::PackedInt, b"\x85\0", New::Int(5), Some(b"\x85\0")),
            (Shape::PackedInt, b"\x85\0", New::Int(-65), Some(b"\xc0\x01")),
            (Shape::PackedInt, b"\x05", text(b"64"), Some(b"\x80\x01")),
            (Shape::PackedInt, b"\x05", New::Int(1 << 31), None),
            (Shape::Decimal, b"7", text(b""), None),
            (Shape::Unsigned(Big), b"\x6d\x38", New::Int(27950), Some(b"\x6d\x2e")),
            (Shape::Unsigned(Little), b"\x6d\x38", text(b"27950"), Some(b"\x2e\x6d")),
            (Shape::Unsigned(Big), b"\x6d\x38", New::Int(65536), None),
            (Shape::Unsigned(Big), b"\x6d\x38", New::Int(-1), None),
            (Shape::Unsigned(Big), b"", New::Int(0), None),
            (Shape::Signed(Little), b"\0\0\0\0", New::Int(-2), Some(b"\xfe\xff\xff\xff")),
            (Shape::Signed(Little), b"\0\0", New::Int(32768), None),
            (Shape::Signed(Big), b"\0\0", New::Int(32767), Some(b"\x7f\xff")),
            (Shape::Float(Little), b"\0\0\xc0\x3f", New::Float(-1.5), Some(b"\0\0\xc0\xbf")),
            (Shape::Float(Little), b"\0\0\xc0\x3f", ip("192.0.2.7"), None),
            (Shape::Ipv4, b"\x7f\0\0\x01", ip("192.0.2.7"), Some(b"\xc0\0\x02\x07")),
            (Shape::Ipv4, b"\x7f\0\0\x01", text(b"192.0.2.7"), Some(b"\xc0\0\x02\x07")),
            (Shape::Ipv4, b"\x7f\0\0\x01", ip("2001:db8::7"), None),
            (Shape::Ipv6, &[0; 16], ip("::1"), Some(b"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01")),
            (Shape::Ipv6, &[0; 16], ip("192.0.2.7"), None),
            (Shape::DottedIpv4, b"192.0.2.7", ip("203.0.113.9"), Some(b"203.0.113.9")),
            (Shape::HexIpv4, b"82d7821c", ip("192.0.2.7"), Some(b"c0000207")),
            (Shape::HexIpv4, b"82D7821C", ip("192.0.2.7"), Some(b"C0000207")),
            (Shape::HexIpv4, b"82D7821C", ip("130.215.130.28"), Some(b"82D7821C")),
            (Shape::HexNumber, b"6d3b", New::Int(7), Some(b"0007")),
            (Shape::HexNumber, b"6d3b", New::Int(65536), None),
        ] {
            let mut out = Vec::new();
            let got = shape.write(&new, old, &mut out);
            let (kept, wrote) = (got.map(|()| out.as_slice()), out.escape_ascii());
            assert_eq!(kept, written, "{shape:?} {new:?}: {wrote}");
            assert!(got.is_some() || out.is_empty(), "{shape:?} {new:?}");
        }
    }
}
