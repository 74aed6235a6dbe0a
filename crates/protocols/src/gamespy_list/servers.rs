//! The parts of a list: which keys it tells of each server, values that many servers have, and the
//! servers.

use std::net::{Ipv4Addr, SocketAddrV4};

use smallvec::SmallVec;

use crate::gamespy2::{KEYS, NUL, Settings, text};
use codec::{
    BitMeanings, Endian, Field, FieldRole, Group, Kind, Parts, RawBytes, Shape, Sink, View, Want,
};

static COUNT: Field = Field::number("count", "how many follow").role(FieldRole::Packet);
static TYPE: Field = Field::number("type", "how the value of a key is written")
    .values(&[("0", "text"), ("1", "one byte"), ("2", "two bytes")])
    .role(FieldRole::Packet);
static KEY_NAME: Field = Field::text("field", "a key that the list tells of each server");
static POPULAR: Field =
    Field::text("value", "a text that servers refer to by its place").role(FieldRole::Packet);
static SERVER: Field = Field::group("server", "where a server is asked");
static DETAILS: Field = Field::group("details", "what is said of the server");
static ADDRESS: Field =
    Field::new("address", Kind::Address, "the server's").role(FieldRole::Address);
static PORT: Field =
    Field::number("port", "on which the server is asked; else the list's").role(FieldRole::Port);
static PRIVATE_ADDRESS: Field =
    Field::new("private address", Kind::Address, "the server's in its own network")
        .role(FieldRole::Address);
static PRIVATE_PORT: Field =
    Field::number("private port", "the server's in its own network").role(FieldRole::Port);
static ICMP_ADDRESS: Field =
    Field::new("ping address", Kind::Address, "where to send pings").role(FieldRole::Address);
static PLACE: Field = Field::number("place", "the place of the value among the common ones");
static LONG: Field = Field::separator("text", "FF: the value follows as text");
static INFO: Field = Field::group("info", "all settings of the server");
static END: Field = Field::separator("end", "an empty key: no more settings");
static FLAGS: Field =
    Field::number("flags", "which parts the record has").role(FieldRole::Packet).bits(&[
        BitMeanings::set(ANSWERS_ALL, "answers everybody"),
        BitMeanings::set(PRIVATE, "a private address"),
        BitMeanings::set(NEGOTIATES, "reached by NAT negotiation"),
        BitMeanings::set(ICMP, "an address for pings"),
        BitMeanings::set(OWN_PORT, "a port"),
        BitMeanings::set(OWN_PRIVATE_PORT, "a private port"),
        BitMeanings::set(HAS_KEYS, "values of the keys"),
        BitMeanings::set(HAS_RULES, "all settings"),
    ]);

pub(super) const ANSWERS_ALL: u32 = 0x01;
pub(super) const NEGOTIATES: u32 = 0x04;
pub(super) const PRIVATE: u32 = 0x02;
const ICMP: u32 = 0x08;
pub(super) const OWN_PORT: u32 = 0x10;
pub(super) const OWN_PRIVATE_PORT: u32 = 0x20;
pub(super) const HAS_KEYS: u32 = 0x40;
const HAS_RULES: u32 = 0x80;

/// How many keys a list tells of mostly, at most.
const MOSTLY: usize = 16;

/// Behind the last server.
pub(super) const LAST: &[u8] = b"\0\xff\xff\xff\xff";
/// The place of a text that is none of the common ones.
pub(super) const NOT_COMMON: u8 = 0xff;

/// A type that keeps its bytes as they were sent.
macro_rules! kept {
    ($($(#[$doc:meta])+ $name:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> {
            raw: &'a [u8],
        }

        impl<'a> RawBytes<'a> for $name<'a> {
            fn from_raw(raw: &'a [u8]) -> Self {
                Self { raw }
            }

            fn raw(&self) -> &'a [u8] {
                self.raw
            }
        }
    )+};
}

kept! {
    /// The keys of a list: a count, and type and name of each.
    KeyTypes;
    /// A count, and values that many servers have.
    PopularValues;
    /// Servers up to the end mark, which is not part of them.
    Servers;
}

impl<'a> KeyTypes<'a> {
    /// Type and name of each.
    pub fn iter(self) -> impl Iterator<Item = (u8, &'a [u8])> {
        let count = self.raw.first().copied().unwrap_or_default();
        let mut left = self.raw.get(1..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (kind, behind) = left.split_first().filter(|(kind, _)| **kind <= 2)?;
            let (name, behind) = text(behind)?;
            left = behind;
            Some((*kind, name))
        })
        .take(count.into())
    }

    /// Whether all are there, and named.
    pub(super) fn are_named(self) -> bool {
        let is_name = |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
        self.iter().count() == usize::from(self.raw.first().copied().unwrap_or_default())
            && self.iter().all(|(_, name)| is_name(name))
    }
}

impl<'a> View<'a> for KeyTypes<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        let names: usize = Self { raw: all }.iter().map(|(_, name)| name.len() + 2).sum();
        all.len().min(1) + names
    }

    fn broken(taken: usize, all: &'a [u8], (): ()) -> Option<(usize, Want)> {
        let count = all.first().map_or(1, |count| usize::from(*count));
        let is_short = Self { raw: all }.iter().count() < count;
        is_short.then_some((taken, Want::Bytes(2)))
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        out.leaf(&COUNT, Shape::Unsigned(Endian::Big), 1);
        for (_, name) in self.iter() {
            out.leaf(&TYPE, Shape::Unsigned(Endian::Big), 1);
            out.leaf(&KEY_NAME, Shape::Text, name.len());
            out.gap(&NUL, Shape::Raw, 1);
        }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        [&COUNT, &TYPE, &KEY_NAME].into_iter().for_each(each);
    }
}

impl<'a> PopularValues<'a> {
    /// Each value.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        let count = self.raw.first().copied().unwrap_or_default();
        let mut left = self.raw.get(1..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (value, behind) = text(left)?;
            left = behind;
            Some(value)
        })
        .take(count.into())
    }
}

impl<'a> View<'a> for PopularValues<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        let values: usize = Self { raw: all }.iter().map(|value| value.len() + 1).sum();
        all.len().min(1) + values
    }

    fn broken(taken: usize, all: &'a [u8], (): ()) -> Option<(usize, Want)> {
        let count = all.first().map_or(1, |count| usize::from(*count));
        let is_short = Self { raw: all }.iter().count() < count;
        is_short.then_some((taken, Want::Stop(0)))
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        out.leaf(&COUNT, Shape::Unsigned(Endian::Big), 1);
        for value in self.iter() {
            out.leaf(&POPULAR, Shape::Text, value.len());
            out.gap(&NUL, Shape::Raw, 1);
        }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        [&COUNT, &POPULAR].into_iter().for_each(each);
    }
}

/// What the records of servers depend on: the keys of the list.
#[derive(Debug, Clone, Copy)]
pub struct ServerForm<'a> {
    /// Type and name of each key.
    pub keys: KeyTypes<'a>,
}

/// The fixed parts of a record, in order: the flag that announces each, and its length.
const FIXED: [(u32, &Field, Shape, usize); 3] = [
    (PRIVATE, &PRIVATE_ADDRESS, Shape::Ipv4, 4),
    (OWN_PRIVATE_PORT, &PRIVATE_PORT, Shape::Unsigned(Endian::Big), 2),
    (ICMP, &ICMP_ADDRESS, Shape::Ipv4, 4),
];

/// One record.
#[derive(Debug, Clone, Copy)]
pub struct ServerRecord<'a> {
    flags: u32,
    /// The values of the keys and all settings, with the end mark of these.
    behind: &'a [u8],
    length: usize,
    address: [u8; 4],
    /// On which the server is asked; `None` for the port of the list.
    port: Option<u16>,
    /// The fixed parts behind address and port.
    fixed: &'a [u8],
}

impl<'a> ServerRecord<'a> {
    /// The record at the beginning of `all`; `None` at the end mark, or if it is not whole.
    fn split_off(all: &'a [u8], form: ServerForm<'a>) -> Option<Self> {
        let flags = u32::from(*all.first()?);
        let own_port = if flags & OWN_PORT == 0 { 0 } else { 2 };
        let fixed = FIXED.iter().filter(|(flag, ..)| flags & flag != 0);
        let fixed = 1 + 4 + own_port + fixed.map(|(.., length)| length).sum::<usize>();
        let mut left = all.get(fixed..).filter(|_| !all.starts_with(LAST))?;
        let behind = left;
        if flags & HAS_KEYS != 0 {
            for (kind, _) in form.keys.iter() {
                left = left.get(value_length(kind, left)?..)?;
            }
        }
        if flags & HAS_RULES != 0 {
            let rules = Settings::split_off(left, ());
            left = left.get(rules.raw().len() + 1..)?;
        }
        let behind = behind.get(..behind.len() - left.len())?;
        let (address, ports) = all.get(1..)?.split_first_chunk()?;
        let port =
            ports.first_chunk().filter(|_| own_port > 0).map(|port| u16::from_be_bytes(*port));
        let fixed = all.get(1 + 4 + own_port..fixed)?;
        Some(Self { flags, behind, length: all.len() - left.len(), address: *address, port, fixed })
    }

    /// Where the server is asked, in a list with this default port.
    pub fn address(self, default_port: u16) -> SocketAddrV4 {
        SocketAddrV4::new(self.address.into(), self.port.unwrap_or(default_port))
    }

    /// Whether clients reach the server by NAT negotiation.
    pub fn negotiates(self) -> bool {
        self.flags & NEGOTIATES != 0
    }

    /// Its address in its own network, with its port if that is not the one of the list.
    pub fn private_address(self) -> Option<(Ipv4Addr, Option<u16>)> {
        let (ip, behind) =
            self.fixed.split_first_chunk::<4>().filter(|_| self.flags & PRIVATE != 0)?;
        let port = behind.first_chunk().filter(|_| self.flags & OWN_PRIVATE_PORT != 0);
        Some(((*ip).into(), port.map(|port| u16::from_be_bytes(*port))))
    }

    /// The values of the keys, as texts; `None` if the record has none.
    pub fn values(self, form: ServerForm<'a>, popular: PopularValues<'a>) -> Option<Vec<Vec<u8>>> {
        let mut left = self.behind;
        let values = form.keys.iter().map(|(kind, _)| {
            let (value, behind) = left.split_at_checked(value_length(kind, left)?)?;
            left = behind;
            Some(match (kind, value) {
                (0, [NOT_COMMON, text @ .., _]) => text.to_vec(),
                (0, [place, ..]) => popular.iter().nth((*place).into())?.to_vec(),
                (1, [number]) => number.to_string().into_bytes(),
                (_, [high, low]) => u16::from_be_bytes([*high, *low]).to_string().into_bytes(),
                _ => return None,
            })
        });
        if self.flags & HAS_KEYS == 0 { None } else { values.collect() }
    }

    /// Reports its parts; `fields` are those of the keys, in their order.
    fn report<S: Sink>(
        self,
        form: ServerForm<'a>,
        fields: &[&'static Field],
        out: &mut Parts<'_, '_, S>,
    ) {
        out.leaf(&FLAGS, Shape::Unsigned(Endian::Big), 1);
        out.open(&SERVER, Group::Endpoint);
        out.leaf(&ADDRESS, Shape::Ipv4, 4);
        if self.flags & OWN_PORT != 0 {
            out.leaf(&PORT, Shape::Unsigned(Endian::Big), 2);
        }
        out.close();
        if self.length == 1 + 4 + if self.flags & OWN_PORT == 0 { 0 } else { 2 } {
            return;
        }
        out.open(&DETAILS, Group::Record);
        for (_, field, shape, length) in FIXED.iter().filter(|(flag, ..)| self.flags & flag != 0) {
            out.leaf(field, *shape, *length);
        }
        let mut left = self.behind;
        if self.flags & HAS_KEYS != 0 {
            for ((kind, _), field) in form.keys.iter().zip(fields) {
                let length = value_length(kind, left).unwrap_or_default();
                match (kind, left.first()) {
                    (0, Some(&NOT_COMMON)) => {
                        out.gap(&LONG, Shape::Raw, 1);
                        out.leaf(field, Shape::Text, length.saturating_sub(2));
                        out.gap(&NUL, Shape::Raw, 1);
                    }
                    (0, _) => out.leaf(&PLACE, Shape::Unsigned(Endian::Big), 1),
                    _ => out.leaf(field, Shape::Unsigned(Endian::Big), length),
                }
                left = left.get(length..).unwrap_or_default();
            }
        }
        if self.flags & HAS_RULES != 0 {
            out.open(&INFO, Group::Pairs);
            Settings::split_off(left, ()).parts((), out);
            out.close();
            out.gap(&END, Shape::Raw, 1);
        }
        out.close();
    }
}

/// The length of a key's value at the beginning of `left`.
fn value_length(kind: u8, left: &[u8]) -> Option<usize> {
    match (kind, left.split_first()) {
        (0, Some((&NOT_COMMON, behind))) => text(behind).map(|(value, _)| value.len() + 2),
        (0 | 1, _) => Some(1),
        _ => Some(2),
    }
}

impl<'a> Servers<'a> {
    /// Each record, in order.
    pub fn records(self, form: ServerForm<'a>) -> impl Iterator<Item = ServerRecord<'a>> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let record = ServerRecord::split_off(left, form)?;
            left = left.get(record.length..)?;
            Some(record)
        })
    }
}

impl<'a> View<'a> for Servers<'a> {
    type Form = ServerForm<'a>;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], form: ServerForm<'a>) -> usize {
        Self { raw: all }.records(form).map(|record| record.length).sum()
    }

    fn parts<S: Sink>(&self, form: ServerForm<'a>, out: &mut Parts<'_, '_, S>) {
        // Once, not for each server: a name may be as long as all servers.
        let fields: SmallVec<[_; MOSTLY]> =
            form.keys.iter().map(|(_, name)| KEYS.resolve(name)).collect();
        for record in self.records(form) {
            record.report(form, &fields, out);
        }
    }

    fn fields(_: ServerForm<'a>, each: &mut dyn FnMut(&'static Field)) {
        let own = [&FLAGS, &ADDRESS, &PORT, &PRIVATE_ADDRESS, &PRIVATE_PORT, &ICMP_ADDRESS, &PLACE];
        own.into_iter().for_each(&mut *each);
        KEYS.iter().for_each(each);
    }
}
