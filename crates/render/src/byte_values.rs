//! What the bytes from one place on may be: numbers in both orders, an address, a time.

use std::net::Ipv4Addr;

use super::cells::HexCell;
use text::utc;

/// A value by its name, `u16be`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByteValue {
    /// Its type: `u`, `i` or `f` with its bits, and `be` or `le` for its order (the most or the
    /// least significant byte first).
    pub name: &'static str,
    /// The value as text.
    pub text: String,
}

/// The seconds since the Unix epoch that are taken for a time: the years 1996 to 2037.
const TIMES: std::ops::RangeInclusive<u32> = 820_454_400..=2_145_916_800;

/// The first byte as decimal digits, bits and character; empty if it is hidden or not there.
pub fn byte_value(cells: &[HexCell]) -> String {
    let Some(byte) = cells.first().and_then(|cell| cell.byte()) else {
        return String::new();
    };
    let (high, low) = (byte >> 4, byte & 0xf);
    let letter = match byte {
        b' '..=b'~' => format!("  \"{}\"", char::from(byte)),
        _ => String::new(),
    };
    format!("{byte:02x}  {byte}  {high:04b} {low:04b}{letter}")
}

/// The values from the first byte on, as far as the bytes are there and not hidden; the most useful
/// first.
pub fn byte_values(cells: &[HexCell]) -> Vec<ByteValue> {
    let bytes: Vec<u8> = cells.iter().map_while(|cell| cell.byte()).take(4).collect();
    let mut values = Vec::new();
    let mut add = |name, text: String| values.push(ByteValue { name, text });
    if let Some(two) = bytes.first_chunk() {
        add("u16be", u16::from_be_bytes(*two).to_string());
        add("u16le", u16::from_le_bytes(*two).to_string());
    }
    if let Some(four) = bytes.first_chunk() {
        let numbers = [u32::from_be_bytes(*four), u32::from_le_bytes(*four)];
        add("u32be", numbers[0].to_string());
        add("u32le", numbers[1].to_string());
        add("IPv4", Ipv4Addr::from(*four).to_string());
        add("f32be", float(f32::from_be_bytes(*four)));
        add("f32le", float(f32::from_le_bytes(*four)));
        for (name, number) in ["time be", "time le"].into_iter().zip(numbers) {
            if TIMES.contains(&number) {
                add(name, utc(i64::from(number) * 1_000_000_000));
            }
        }
    }
    values
}

/// Seven digits; very large and very small numbers with an exponent.
fn float(number: f32) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-4..1e7).contains(&size) {
        return number.to_string();
    }
    format!("{number:e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_orders() {
        let cells = HexCell::from_bytes(&[0x00, 0x00, 0x80, 0x3f]);
        let values = byte_values(&cells);
        let value = |name| values.iter().find(|v| v.name == name).map(|v| v.text.as_str());
        assert_eq!(value("u16be"), Some("0"));
        assert_eq!(value("u32le"), Some("1065353216"));
        assert_eq!(value("f32le"), Some("1"));
        assert_eq!(value("IPv4"), Some("0.0.128.63"));
        assert_eq!(value("time le"), Some("2003-10-05T11:26:56.000000000Z"));
        assert_eq!(byte_value(&cells), "00  0  0000 0000");
    }

    #[test]
    fn what_is_not_there_has_no_value() {
        let cells = HexCell::from_bytes(b"m8\\");
        let names: Vec<_> = byte_values(&cells).iter().map(|value| value.name).collect();
        assert_eq!(names, ["u16be", "u16le"]);
        assert_eq!(byte_value(&[]), "");
        assert_eq!(byte_value(&cells), "6d  109  0110 1101  \"m\"");
    }
}
