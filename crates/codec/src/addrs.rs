//! Address lists, the main part of every master's answer.
//!
//! Records are skipped by length: 0x5C, the separator, occurs inside addresses.

use std::net::{IpAddr, SocketAddr};

use super::fault::{Anomaly, Want};
use super::field::{Field, FieldRole, Kind};
use super::grammar::ViewLayout;
use super::pass::View;
use super::shape::{Endian, Shape, Value};
use super::span::{Group, Parts, Sink};
use super::view::view;

/// How one record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddrForm {
    /// The first byte of a record with an IPv4 address.
    pub separator: Option<u8>,
    /// The first byte of a record with an IPv6 address, if the list may have them.
    pub separator6: Option<u8>,
    /// Whether records without a separator hold IPv6 addresses.
    pub six: bool,
    /// Whether each record with an IPv4 address is followed by the same server's IPv6 address; such
    /// records have no separator.
    pub linked: bool,
    /// The port's byte order.
    pub port: Endian,
    /// How the bytes of a record are written.
    pub digits: Digits,
    /// What may follow the records; a separator at the beginning of one of these begins no record.
    /// The first ends a list at any position, so that parsing a list again gives the same list; the
    /// others do so at the payload's end.
    pub ends: &'static [&'static [u8]],
}

/// Bytes as they are, or two hex digits each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Digits {
    /// One byte each.
    Raw,
    /// Two hex digits each.
    Hex,
}

/// Quake III's: `\` and six bytes, and one of several end marks.
pub const QUAKE3: AddrForm = AddrForm {
    separator: Some(b'\\'),
    separator6: None,
    six: false,
    linked: false,
    port: Endian::Big,
    digits: Digits::Raw,
    ends: &[b"\\EOT\0\0\0", b"\\EOT", b"\\EOF", b"\\\0", b"\\"],
};
/// The same with `/` and eighteen bytes for a server with an IPv6 address.
pub const QUAKE3_EXT: AddrForm = AddrForm { separator6: Some(b'/'), ..QUAKE3 };

/// Elite Force's: `\` and twelve hex digits.
pub const QUAKE3_HEX: AddrForm = AddrForm { digits: Digits::Hex, ..QUAKE3 };
/// Quake 2's, QuakeWorld's and Half-Life's: six bytes per record.
pub const PLAIN_BIG: AddrForm = AddrForm { separator: None, ends: &[], ..QUAKE3 };
/// Xash3D's, requested over IPv6: eighteen bytes per record.
pub const PLAIN_BIG6: AddrForm = AddrForm { six: true, ..PLAIN_BIG };
/// Unvanquished's links: six bytes and eighteen bytes for the two addresses of each server.
pub const PLAIN_LINKS: AddrForm = AddrForm { linked: true, ..PLAIN_BIG };
/// GameSpy's compressed lists: six bytes per record, and the pair that ends every answer.
pub const PLAIN_FINAL: AddrForm = AddrForm { ends: &[b"\\final\\"], ..PLAIN_BIG };
/// Doom 3's: six bytes, the port little-endian.
pub const PLAIN_LITTLE: AddrForm = AddrForm { port: Endian::Little, ..PLAIN_BIG };

view! {
    /// A list as it was sent, including a last short record.
    Addrs
}

pub(super) static SERVER: Field = Field::group("server", "one listed server");
static SEPARATOR: Field = Field::separator("separator", "begins a record");
pub(super) static ADDRESS: Field =
    Field::new("address", Kind::Address, "the server's address").role(FieldRole::Address);
static PORT: Field =
    Field::number("port", "the UDP port that the server plays on").role(FieldRole::Port);
static SHORT: Field = Field::new("short record", Kind::Unparsed, "a record that is cut short");

/// The layout of the two parts of a record, and their lengths.
#[derive(Debug, Clone, Copy)]
struct RecordParts {
    ip: (usize, Shape),
    port: (usize, Shape),
}

impl AddrForm {
    fn is_end(self, left: &[u8]) -> bool {
        let Some((mark, others)) = self.ends.split_first() else {
            return left.is_empty();
        };
        // The last byte distinguishes it from most records, the first from none.
        match left.get(mark.len() - 1) {
            Some(last) => Some(last) == mark.last() && left.starts_with(mark),
            None => left.is_empty() || others.contains(&left),
        }
    }

    /// The length of a whole record, if all have the same.
    fn width(self) -> Option<usize> {
        let is_even = self.digits == Digits::Raw && self.separator6.is_none() && !self.linked;
        let record = if self.six { 18 } else { 6 };
        is_even.then_some(record + usize::from(self.separator.is_some()))
    }

    /// The shape for the records of `raw`, if they are several, whole and of one length.
    fn shape(self, raw: &[u8]) -> Option<Shape> {
        let width = self.width().filter(|_| !self.six)?;
        let are_whole = raw.len() > width && raw.len().is_multiple_of(width);
        let (port, marked) = (self.port, self.separator.is_some());
        are_whole.then_some(Shape::Endpoints { port, marked })
    }

    /// The nearest place around `taken` from which records can be read up to the end of the list,
    /// counted from `taken`: a byte that is missing in the record before, or one too many, shifts
    /// all records after it.
    fn resumes(self, taken: usize, all: &[u8]) -> Option<i8> {
        let width = self.width()?;
        let can_resume = |steps: &i8| {
            let Some(left) = all.get(taken.saturating_add_signed((*steps).into())..) else {
                return false;
            };
            let read = Addrs::len(left, self);
            read >= width && self.is_end(left.get(read..).unwrap_or_default())
        };
        let most = i8::try_from(width).ok()?;
        (1..most).flat_map(|steps| [-steps, steps]).find(can_resume)
    }

    fn parted(self, six: bool) -> RecordParts {
        match self.digits {
            Digits::Raw => RecordParts {
                ip: if six { (16, Shape::Ipv6) } else { (4, Shape::Ipv4) },
                port: (2, Shape::Unsigned(self.port)),
            },
            Digits::Hex => RecordParts { ip: (8, Shape::HexIpv4), port: (4, Shape::HexNumber) },
        }
    }
}

/// The first bytes of `left`, fewer if there are not as many, and the rest; nothing if it is empty.
fn split(left: &[u8], width: usize) -> Option<(&[u8], &[u8])> {
    let halves = left.split_at_checked(width).unwrap_or((left, &[]));
    (!halves.0.is_empty()).then_some(halves)
}

/// One record without its separator.
#[derive(Debug, Clone, Copy)]
struct AddrRecord<'a> {
    bytes: &'a [u8],
    parted: RecordParts,
}

impl<'a> AddrRecord<'a> {
    /// Address and port; `None` if the record is short.
    fn halves(self) -> Option<(&'a [u8], &'a [u8])> {
        let halves = self.bytes.split_at_checked(self.parted.ip.0)?;
        (halves.1.len() == self.parted.port.0).then_some(halves)
    }
}

impl<'a> Addrs<'a> {
    /// The whole records; a short one is left out.
    pub fn iter(self, form: AddrForm) -> impl Iterator<Item = SocketAddr> + 'a {
        self.records(form).filter_map(|record| {
            let (ip, port) = record.halves()?;
            let RecordParts { ip: (_, ip_shape), port: (_, port_shape) } = record.parted;
            match (ip_shape.value_of(ip), port_shape.value_of(port)) {
                (Value::Ip(ip), Value::Int(port)) => {
                    u16::try_from(port).ok().map(|port| SocketAddr::new(ip, port))
                }
                _ => None,
            }
        })
    }

    /// Appends a record to `raw`, for writers; an IPv6 address only if the form has them.
    pub fn push(form: AddrForm, server: SocketAddr, raw: &mut Vec<u8>) {
        let (separator, octets) = match server.ip() {
            IpAddr::V4(_) if form.six => return,
            IpAddr::V4(ip) => (form.separator, &ip.octets()[..]),
            IpAddr::V6(_) if form.separator6.is_none() && !form.six && !form.linked => return,
            IpAddr::V6(ip) => (form.separator6, &ip.octets()[..]),
        };
        let port = match form.port {
            Endian::Big => server.port().to_be_bytes(),
            Endian::Little => server.port().to_le_bytes(),
        };
        raw.extend(separator);
        for part in [octets, &port] {
            match form.digits {
                Digits::Raw => raw.extend_from_slice(part),
                Digits::Hex => part.iter().for_each(|b| raw.extend(format!("{b:02x}").bytes())),
            }
        }
    }

    /// Every record; the last one may be short.
    fn records(self, form: AddrForm) -> impl Iterator<Item = AddrRecord<'a>> {
        let mut left = self.raw;
        let (four, six) = (form.parted(false), form.parted(true));
        let mut is_second = false;
        std::iter::from_fn(move || {
            if form.is_end(left) {
                return None;
            }
            let (body, parted) = match (form.separator, left.split_first()) {
                (Some(_), Some((b, rest))) if Some(*b) == form.separator6 => (rest, six),
                (Some(separator), Some((b, rest))) if *b == separator => (rest, four),
                (Some(_), _) => return None,
                (None, _) if form.six || is_second => (left, six),
                (None, _) => (left, four),
            };
            let mut bytes = body.get(..parted.ip.0 + parted.port.0).unwrap_or(body);
            if form.digits == Digits::Hex {
                let digits = bytes.iter().take_while(|b| b.is_ascii_hexdigit()).count();
                bytes = bytes.get(..digits).unwrap_or_default();
            }
            left = body.get(bytes.len()..).unwrap_or_default();
            is_second = form.linked && !is_second;
            (!bytes.is_empty()).then_some(AddrRecord { bytes, parted })
        })
    }
}

impl<'a> View<'a> for Addrs<'a> {
    type Form = AddrForm;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], form: AddrForm) -> usize {
        let step = usize::from(form.separator.is_some());
        match form.width() {
            Some(width) => {
                let mut left = all;
                while let Some((record, rest)) = split(left, width)
                    && record.len() > step
                    && (step == 0 || record.first() == form.separator.as_ref())
                    && !form.is_end(left)
                {
                    left = rest;
                }
                all.len() - left.len()
            }
            None => Self::new(all).records(form).map(|r| r.bytes.len() + step).sum(),
        }
    }

    /// Records with a separator end at one of the form's ends.
    fn broken(taken: usize, all: &'a [u8], form: AddrForm) -> Option<(usize, Want)> {
        let lead = form.separator?;
        let rest = all.get(taken..).filter(|rest| !rest.is_empty())?;
        if form.ends.is_empty() || form.ends.iter().any(|end| rest.starts_with(end)) {
            return None;
        }
        let leads = [Some(lead), form.separator6];
        let resumes = form.resumes(taken, all).unwrap_or_default();
        Some((taken, Want::Entry { leads, resumes }))
    }

    fn parts<S: Sink>(&self, form: AddrForm, out: &mut Parts<'_, '_, S>) {
        if form.shape(self.raw).is_some_and(|shape| out.whole(shape)) {
            return;
        }
        let step = usize::from(form.separator.is_some());
        // The raw bytes end with the list, so they contain no end mark any more.
        for record in self.records(AddrForm { ends: &[], ..form }) {
            out.open(&SERVER, Group::Endpoint);
            out.gap(&SEPARATOR, Shape::Text, step);
            if let Some((ip, port)) = record.halves() {
                out.leaf(&ADDRESS, record.parted.ip.1, ip.len());
                out.leaf(&PORT, record.parted.port.1, port.len());
            } else {
                out.leaf(&SHORT, Shape::Raw, record.bytes.len());
                out.note(Anomaly::ShortRecord, record.bytes.len());
            }
            out.close();
        }
    }

    fn layout(form: AddrForm) -> ViewLayout {
        ViewLayout::Addresses(form)
    }

    fn fields(_: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        [&ADDRESS, &PORT].into_iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_read_again() {
        let four: SocketAddr = "92.92.92.92:23644".parse().unwrap();
        let six: SocketAddr = "[2001:db8::5c:2f]:27960".parse().unwrap();
        for (form, servers) in [
            (QUAKE3, vec![four, four]),
            (QUAKE3_EXT, vec![four, six]),
            (QUAKE3_HEX, vec![four]),
            (PLAIN_LITTLE, vec![four]),
            (PLAIN_BIG6, vec![six, six]),
            (PLAIN_LINKS, vec![four, six, four, six]),
        ] {
            let mut raw = Vec::new();
            for server in &servers {
                Addrs::push(form, *server, &mut raw);
            }
            let end = form.ends.first().copied().unwrap_or_default();
            let all = [&raw, end].concat();
            let list = Addrs::split_off(&all, form);
            assert_eq!(list.raw(), raw);
            assert_eq!(list.iter(form).collect::<Vec<_>>(), servers);
        }
    }

    #[test]
    fn the_separator_occurs_inside_addresses() {
        let raw = b"\\\x5c\x5c\x5c\x5c\x6d\x38\\EOT";
        let list = Addrs::split_off(raw, QUAKE3);
        assert_eq!(list.raw().len(), 7);
        assert_eq!(list.iter(QUAKE3).count(), 1);
    }

    #[test]
    fn an_address_has_no_place_in_a_list_of_the_other_family() {
        let mut raw = Vec::new();
        Addrs::push(QUAKE3, "[::1]:27960".parse().unwrap(), &mut raw);
        Addrs::push(PLAIN_BIG6, "127.0.0.1:27960".parse().unwrap(), &mut raw);
        assert!(raw.is_empty());
    }
}
