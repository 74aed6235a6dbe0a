//! How a client gets a master's list, packet by packet: each answer ends with the cursor for the
//! next request. In no document; known from programs with such requests.

use super::super::identifiers::{hex_key, little};
use std::marker::PhantomData;

use super::super::declare::choices;
use super::super::{C2M, COMMAND, M2C, MARK, NEWLINE, NOTHING};
use super::filter::RegionFilter;
use codec::{
    AddrForm, Addrs, Endian, Field, FieldRole, PLAIN_BIG, PLAIN_BIG6, Pass, Shape, Spelling, Walk,
};
use protocol::{ExchangeKind, Message, Part, Spec};

static CURSOR: Field = Field::number(
    "cursor",
    "where the list goes on, zero at first; observed, the document does not know it",
);
static REGION: Field = Field::number("region", "whose servers are asked for; observed").values(&[
    ("0", "eastern North America"),
    ("1", "western North America"),
    ("2", "South America"),
    ("3", "Europe"),
    ("4", "Asia"),
    ("5", "Australia"),
    ("6", "Middle East"),
    ("7", "Africa"),
    ("255", "everywhere"),
]);
static FROM: Field = Field::text(
    "from",
    "address:port of the last server of the packet before, 0.0.0.0:0 at first; observed",
)
.role(FieldRole::Address);
static FILTER: Field = Field::group("filter", "which servers to list: conditions; observed");
static END: Field = Field::separator("end", "ends the filter; Xash3D's leave it out");
/// quakestat ends an empty filter twice.
static ENDS: [Spelling; 3] = [NOTHING, Spelling::new(b"\0"), Spelling::new(b"\0\0")];
static HEAD: Field =
    Field::separator("head", "stands around the key of the request; Xash3D's, observed");
static KEY: Field = Field::number(
    "key",
    "what the filter of the request had as its key, in hex; Xash3D's, observed",
)
.role(FieldRole::Challenge);
static SERVERS: Field = Field::group(
    "servers",
    "the servers listed; the last is 0.0.0.0:0 where the list is complete, else where it goes on",
);

/// A client requests the list from a cursor on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetServers<'a> {
    pub cursor: [u8; 3],
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for GetServers<'a> {
    const SPEC: Spec = Spec::new("e", &["001 10"], C2M, b"e\0\0\0")
        .id("get-servers")
        .weak()
        .exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"e")?;
        p.raw(&CURSOR, Shape::Unsigned(Endian::Little), &mut self.cursor)
    }
}

/// A client requests the servers of a region that match a filter. Xash3D's clients omit the last
/// NUL.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetRegion<'a> {
    pub region: u8,
    pub from: &'a [u8],
    pub filter: RegionFilter<'a>,
    /// The number of NULs at its end, up to two.
    pub end: u8,
}

impl<'a> Message<'a> for GetRegion<'a> {
    const SPEC: Spec = Spec::new(
        "1",
        &["001 10", "007 master server query protocol"],
        C2M,
        b"1\xff0.0.0.0:0\0\\gamedir\\valve\0",
    )
    .id("get-region")
    .weak()
    .content_match(b"1", is_region_request)
    .exchange(ExchangeKind::List)
    .sends(hex_key)
    .resumes_list();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"1")?;
        p.int(&REGION, Endian::Little, &mut self.region)?;
        p.cstr(&FROM, &mut self.from)?;
        p.view(&FILTER, (), &mut self.filter)?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
}

/// Whether a region is followed by an address in which nothing but its signs stands, and by a filter. The
/// payload may be cut.
fn is_region_request(bytes: &[u8]) -> bool {
    let Some(address) = bytes.get(2..) else { return true };
    let end = address.iter().position(|byte| *byte == 0).unwrap_or(address.len());
    let (address, filter) = address.split_at(end);
    let is_address = |byte: &u8| byte.is_ascii_hexdigit() || b".:[]".contains(byte);
    let filter = filter.strip_prefix(b"\0").unwrap_or_default();
    // qstat has two NULs in place of a filter.
    let is_none = filter.len() <= 2 && filter.iter().all(|byte| *byte == 0);
    address.iter().all(is_address) && (filter.starts_with(b"\\") || is_none)
}

choices! {
    /// Whether a list begins with the key of its request. A record of 127.0.0.0/8 whose port ends in
    /// the byte 08 looks the same, but no public list has one.
    ListHead { None "records at once", Key "a key first: 7F, four bytes, 08" }
    |rest| matches!(rest, [0x7f, _, _, _, _, 0x08, ..]);
}

choices! {
    /// The address family of a list. In lists of IPv4 addresses at most the last record is zeros, so
    /// eighteen zeros at the end are one record of an IPv6 address.
    ListFamily {
        Ipv4 "records of 6 bytes",
        Ipv6 "records of 18 bytes: whole ones, the last of zeros"
    }
    |rest| rest.len().is_multiple_of(18) && rest.ends_with(&[0; 18]);
}

impl ListFamily {
    /// The form of its records.
    pub fn form(self) -> AddrForm {
        match self {
            Self::Ipv4 => PLAIN_BIG,
            Self::Ipv6 => PLAIN_BIG6,
        }
    }
}

/// A master's list, with the cursor for the next request. Xash3D's master sends the key of the
/// request first, and addresses of the family over which the request came.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Servers<'a> {
    pub head: ListHead,
    pub key: u32,
    pub family: ListFamily,
    pub servers: Addrs<'a>,
}

impl Servers<'_> {
    /// The form of records with IPv4 addresses.
    pub const FORM: AddrForm = PLAIN_BIG;
}

impl<'a> Message<'a> for Servers<'a> {
    const SPEC: Spec = Spec::new(
        "f",
        &["001 10"],
        M2C,
        b"\xff\xff\xff\xfff\n\xc0\x00\x02\x07\x69\x87\0\0\0\0\0\0",
    )
    .id("servers")
    .exact()
    .part(|bytes| {
        // A list is complete if its last record is all zeros; else that record is the cursor for
        // the client's next request.
        let last = bytes.ends_with(&[0; 6]);
        Some(Part { reply: 0, index: 0, last })
    })
    .answers(&["get-servers", "get-region"])
    .returns(|bytes| {
        let key = bytes.get(6..).filter(|head| matches!(head, [0x7f, _, _, _, _, 0x08, ..]));
        key.and_then(little::<1>)
    })
    .has_end_mark();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"f")?;
        p.lit(&NEWLINE, b"\n")?;
        p.choose(&mut self.head, |p, head| match head {
            ListHead::None => Ok(()),
            ListHead::Key => {
                p.lit(&HEAD, b"\x7f")?;
                p.int(&KEY, Endian::Little, &mut self.key)?;
                p.lit(&HEAD, b"\x08")
            }
        })?;
        p.choose(&mut self.family, |p, family| p.view(&SERVERS, family.form(), &mut self.servers))
    }
}
