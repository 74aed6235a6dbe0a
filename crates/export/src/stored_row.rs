//! Serialises rows: waiting rows outlive the data that they borrow.

use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::json::{JsonWriter, Quotes};
use super::list::{NumberList, TextList};
use super::row::{Cell, Column, Row};

/// A stored row of `R`.
pub(super) struct Stored<'a, R> {
    bytes: &'a [u8],
    of: PhantomData<R>,
}

impl<'a, R: Row> Stored<'a, R> {
    /// Reads what [`store`] wrote.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, of: PhantomData }
    }
}

impl<R: Row> Row for Stored<'_, R> {
    const COLUMNS: &'static [Column] = R::COLUMNS;

    fn cells(&self) -> impl Iterator<Item = Cell<'_>> {
        let mut rest = self.bytes;
        std::iter::from_fn(move || cell(&mut rest))
    }
}

/// Appends a row: a byte for the kind of each cell, then its value.
pub(super) fn store(row: &impl Row, out: &mut Vec<u8>) {
    for cell in row.cells() {
        match cell {
            Cell::Nothing => out.push(b'-'),
            Cell::Number(number) => word(out, b'n', number),
            Cell::Port(port) => word(out, b'o', u64::from(port)),
            Cell::Integer(number) => word(out, b'i', number.cast_unsigned()),
            Cell::Decimal(number) => word(out, b'd', number.to_bits()),
            Cell::Flag(flag) => word(out, b'f', u64::from(flag)),
            Cell::Time(time) => word(out, b't', time.cast_unsigned()),
            Cell::Duration(time) => word(out, b'p', time.cast_unsigned()),
            Cell::Text(text) => bytes(out, b's', text.as_bytes()),
            Cell::Word(text) => bytes(out, b'w', text.as_bytes()),
            Cell::Address(IpAddr::V4(ip)) => bytes(out, b'4', &ip.octets()),
            Cell::Address(IpAddr::V6(ip)) => bytes(out, b'6', &ip.octets()),
            Cell::Texts(texts) => bytes(out, b'l', texts.stored()),
            Cell::Numbers(numbers) => bytes(out, b'm', numbers.stored()),
            Cell::Json(json) => match json.doubled() {
                Some(text) => bytes(out, b'q', text),
                None => bytes(out, b'j', json.text().as_bytes()),
            },
        }
    }
}

fn word(out: &mut Vec<u8>, kind: u8, value: u64) {
    out.push(kind);
    out.extend_from_slice(&value.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, kind: u8, value: &[u8]) {
    word(out, kind, value.len() as u64);
    out.extend_from_slice(value);
}

/// Reads the next cell; `None` at the end.
fn cell<'a>(rest: &mut &'a [u8]) -> Option<Cell<'a>> {
    let (kind, behind) = rest.split_first()?;
    if *kind == b'-' {
        *rest = behind;
        return Some(Cell::Nothing);
    }
    let (value, behind) = behind.split_first_chunk()?;
    let value = u64::from_le_bytes(*value);
    *rest = behind;
    let fixed = match kind {
        b'n' => Cell::Number(value),
        b'o' => Cell::Port(u16::try_from(value).ok()?),
        b'i' => Cell::Integer(value.cast_signed()),
        b'd' => Cell::Decimal(f64::from_bits(value)),
        b'f' => Cell::Flag(value != 0),
        b't' => Cell::Time(value.cast_signed()),
        b'p' => Cell::Duration(value.cast_signed()),
        _ => {
            let (value, behind) = behind.split_at_checked(usize::try_from(value).ok()?)?;
            *rest = behind;
            return sized(*kind, value);
        }
    };
    Some(fixed)
}

/// A cell with a length prefix.
fn sized(kind: u8, value: &[u8]) -> Option<Cell<'_>> {
    Some(match kind {
        b's' => Cell::Text(str::from_utf8(value).ok()?),
        b'w' => Cell::Word(str::from_utf8(value).ok()?),
        b'4' => Cell::Address(Ipv4Addr::from(<[u8; 4]>::try_from(value).ok()?).into()),
        b'6' => Cell::Address(Ipv6Addr::from(<[u8; 16]>::try_from(value).ok()?).into()),
        b'l' => Cell::Texts(TextList::from_stored(value)),
        b'm' => Cell::Numbers(NumberList::from_stored(value)),
        b'j' => Cell::Json(JsonWriter::new(value, Quotes::Single)),
        b'q' => Cell::Json(JsonWriter::new(value, Quotes::Doubled)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
