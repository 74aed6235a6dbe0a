//! What a client of a master asks over TCP, and what it gets. Sources: OpenSpy, utmaster; qstat's
//! client, ut2004.c.

use std::marker::PhantomData;

use super::super::declare::choices;
use super::super::{C2M, M2C};
use super::frames::{FrameKind, is};
use codec::{
    CountedText, Counting::Unreal, Endian::Big, Endian::Little, Field, FieldRole, Kind, Pass,
    RecordForm, Records, RecordsEnd, Shape, Size, SizeForm, Walk, bytes, counted,
};
use protocol::{ExchangeKind, Message, Refusal, Role, Spec};

/// The master sends its challenge and its verdict before it knows who has connected.
const TO_BOTH: &[(Role, Role)] = &[(Role::Master, Role::Client), (Role::Master, Role::Server)];
pub(super) const SIZE_FORM: SizeForm = SizeForm { order: Little, base: 0, is_exact: true };

pub(super) static SIZE: Field = Field::separator("size", "how many bytes follow");
static CHALLENGE: Field =
    Field::text("challenge", "a number with which the client proves its key; qstat takes 8 digits")
        .role(FieldRole::Challenge);
static VERDICT: Field = Field::text("verdict", "whether the client may go on")
    .values(&[("APPROVED", "the key is right"), ("DENIED", "no"), ("VERIFIED", "it may ask")])
    .role(FieldRole::Verdict);
static NUMBER: Field =
    Field::number("number", "no source explains it; 3 behind a verdict, 0 behind news");
static TEXT: Field = Field::text("text", "news").role(FieldRole::Free);
static RESPONSE: Field =
    Field::text("response", "32 digits that no source explains; qstat sends zeros")
        .role(FieldRole::Free);
static NEWS_OR_MATCH: Field =
    Field::number("number", "from a client the version of its news, from a master a match's");
static REQUEST: Field =
    Field::new("request", Kind::Command, "00: the list; 01: the message of the day; 03: a number");
static FILTER_COUNT: Field =
    Field::number("filter count", "how many filters follow").role(FieldRole::Count);
static FILTERS: Field = Field::group("filters", "what the servers have to be");
static FILTER: Field = Field::group("filter", "one of them");
static FILTER_FIELD: Field = Field::text("field", "what is compared");
static FILTER_VALUE: Field = Field::text("value", "with what");
static COMPARISON: Field = Field::number("comparison", "how").values(&[
    ("0", "equal"),
    ("1", "not equal"),
    ("2", "less"),
    ("3", "less or equal"),
    ("4", "greater, or not this mutator"),
    ("5", "greater or equal"),
]);
static COUNT: Field =
    Field::number("count", "how many servers follow, a frame each").role(FieldRole::Count);
static HEAD_MARK: Field = Field::new("header", Kind::Mark, "01");
static ADDRESS: Field =
    Field::new("address", Kind::Address, "the server's address").role(FieldRole::Address);
static PORT: Field = Field::number("port", "where the server plays").role(FieldRole::Port);
static QUERY_PORT: Field =
    Field::number("query port", "where the server answers queries").role(FieldRole::Port);
static NAME: Field = Field::text("name", "the server's name").role(FieldRole::Host);
static MAP: Field = Field::text("map", "the map that is played").role(FieldRole::Map);
static GAME_TYPE: Field = Field::text("game type", "its class, such as xDeathMatch");
static PLAYERS: Field = Field::number("players", "how many play").role(FieldRole::Players);
static MAX_PLAYERS: Field =
    Field::number("max players", "how many may play").role(FieldRole::MaxPlayers);
static FLAGS: Field = Field::number("flags", "what the server demands and how it plays");
static SKILL: Field = Field::text("bot skill", "how well programs play");

const FILTER_FORM: RecordForm = RecordForm {
    record: &FILTER,
    members: &[
        counted(&FILTER_FIELD, Unreal),
        counted(&FILTER_VALUE, Unreal),
        bytes(&COMPARISON, 1, Shape::Unsigned(Big)),
    ],
    end: RecordsEnd::Rest,
};

choices! {
    /// What a record says of how a server plays.
    RecordEnd { Long "UT2004's: flags of four bytes, and the bots' skill", Short "UT2003's: a byte" }
    |rest| rest.len() == 1;
}

/// The master's challenge, at the beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MasterChallenge<'a> {
    pub size: Size,
    pub challenge: CountedText<'a>,
}

impl<'a> Message<'a> for MasterChallenge<'a> {
    const SPEC: Spec = Spec::new(
        "TCP challenge",
        &["010 ut2004.c", "009 utmaster"],
        TO_BOTH,
        b"\x0a\0\0\0\x0911111111\0",
    )
    .id("challenge")
    .stream()
    .content_match(b"", |bytes| is(bytes, FrameKind::Challenge))
    .exchange(ExchangeKind::Validation)
    .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.counted(&CHALLENGE, Unreal, &mut self.challenge)
        })
    }
}

/// Whether a client may go on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Verified<'a> {
    pub size: Size,
    pub verdict: CountedText<'a>,
    /// Whether a number follows: to UT2004's clients.
    pub has_number: bool,
    pub number: u32,
}

impl<'a> Message<'a> for Verified<'a> {
    const SPEC: Spec = Spec::new(
        "TCP verified",
        &["010 ut2004.c", "009 utmaster"],
        TO_BOTH,
        b"\x0a\0\0\0\x09VERIFIED\0",
    )
    .id("verified")
    .stream()
    .content_match(b"", |bytes| is(bytes, FrameKind::Verdict))
    .answers(&["login", "approved-response"])
    .refusal(Refusal::At("DENIED"));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.counted(&VERDICT, Unreal, &mut self.verdict)?;
            p.more(&mut self.has_number, "to UT2004's clients", |p| {
                p.int(&NUMBER, Little, &mut self.number)
            })
        })
    }
}

/// What a client answers to its approval, before it is verified.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ApprovedResponse<'a> {
    pub size: Size,
    pub response: CountedText<'a>,
}

impl<'a> Message<'a> for ApprovedResponse<'a> {
    const SPEC: Spec = Spec::new(
        "TCP approved response",
        &["010 ut2004.c"],
        C2M,
        b"\x22\0\0\0\x2100000000000000000000000000000000\0",
    )
    .id("approved-response")
    .stream()
    .content_match(b"", |bytes| is(bytes, FrameKind::ApprovedResponse))
    .exchange(ExchangeKind::Validation);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.counted(&RESPONSE, Unreal, &mut self.response)
        })
    }
}

/// A client requests the servers that match all filters.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MasterListRequest<'a> {
    pub size: Size,
    pub count: u8,
    pub filters: Records<'a>,
}

impl<'a> Message<'a> for MasterListRequest<'a> {
    const SPEC: Spec = Spec::new(
        "TCP list request",
        &["010 ut2004.c", "009 utmaster"],
        C2M,
        b"\x1a\0\0\0\0\x01\x09gametype\0\x0cxDeathMatch\0\0",
    )
    .id("list-request")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::ListRequest))
    .exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&REQUEST, b"\0")?;
            p.int(&FILTER_COUNT, Little, &mut self.count)?;
            p.view(&FILTERS, FILTER_FORM, &mut self.filters)
        })
    }
}

/// How many servers follow.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ListCount<'a> {
    pub size: Size,
    pub count: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for ListCount<'a> {
    const SPEC: Spec = Spec::new(
        "TCP list head",
        &["010 ut2004.c", "009 utmaster"],
        M2C,
        b"\x05\0\0\0\x01\0\0\0\x01",
    )
    .id("list-head")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::ListHead))
    .answers(&["list-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.int(&COUNT, Little, &mut self.count)?;
            p.lit(&HEAD_MARK, b"\x01")
        })
    }
}

/// A listed server. Its port is little-endian, other than its address: qstat's client reads it so.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ListRecord<'a> {
    pub size: Size,
    pub address: [u8; 4],
    pub port: u16,
    pub query_port: u16,
    pub name: CountedText<'a>,
    pub map: CountedText<'a>,
    pub game_type: CountedText<'a>,
    pub players: u8,
    pub max_players: u8,
    /// Whether more follows: not in Unreal II XMP's.
    pub has_more: bool,
    pub end: RecordEnd,
    pub flags: u32,
    pub short_flags: u8,
    pub skill: CountedText<'a>,
}

impl<'a> Message<'a> for ListRecord<'a> {
    const SPEC: Spec = Spec::new(
        "TCP list record",
        &["010 ut2004.c", "009 utmaster"],
        M2C,
        b"\x33\0\0\0\xc0\0\x02\x0a\x61\x1e\x62\x1e\x09A server\0\x0aDM-Rankin\0\
          \x0cxDeathMatch\0\x02\x10\0\0\0\0\x022\0",
    )
    .id("list-record")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::ListRecord))
    .answers(&["list-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.raw(&ADDRESS, Shape::Ipv4, &mut self.address)?;
            p.int(&PORT, Little, &mut self.port)?;
            p.int(&QUERY_PORT, Little, &mut self.query_port)?;
            p.counted(&NAME, Unreal, &mut self.name)?;
            p.counted(&MAP, Unreal, &mut self.map)?;
            p.counted(&GAME_TYPE, Unreal, &mut self.game_type)?;
            p.int(&PLAYERS, Little, &mut self.players)?;
            p.int(&MAX_PLAYERS, Little, &mut self.max_players)?;
            p.more(&mut self.has_more, "but from XMP's masters", |p| {
                p.choose(&mut self.end, |p, end| match end {
                    RecordEnd::Long => {
                        p.int(&FLAGS, Little, &mut self.flags)?;
                        p.counted(&SKILL, Unreal, &mut self.skill)
                    }
                    RecordEnd::Short => p.int(&FLAGS, Little, &mut self.short_flags),
                })
            })
        })
    }
}

/// A client asks for the message of the day.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MotdRequest<'a> {
    pub size: Size,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for MotdRequest<'a> {
    const SPEC: Spec = Spec::new("TCP motd request", &["009 utmaster"], C2M, b"\x01\0\0\0\x01")
        .id("motd-request")
        .stream()
        .weak()
        .content_match(b"", |bytes| is(bytes, FrameKind::MotdRequest))
        .exchange(ExchangeKind::Motd);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| p.lit(&REQUEST, b"\x01"))
    }
}

/// A number: a client that asks for the community's news says which it has; a master gives a server
/// the number of a match.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NumberFrame<'a> {
    pub size: Size,
    pub number: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for NumberFrame<'a> {
    const SPEC: Spec = Spec::new(
        "TCP number",
        &["009 utmaster"],
        &[(Role::Client, Role::Master), (Role::Master, Role::Server)],
        b"\x05\0\0\0\x03\x02\0\0\0",
    )
    .id("number")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::Number))
    .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&REQUEST, b"\x03")?;
            p.int(&NEWS_OR_MATCH, Little, &mut self.number)
        })
    }
}

/// The message of the day.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TextFrame<'a> {
    pub size: Size,
    pub text: CountedText<'a>,
    pub has_number: bool,
    pub number: u32,
}

impl<'a> Message<'a> for TextFrame<'a> {
    const SPEC: Spec =
        Spec::new("TCP text", &["009 utmaster"], M2C, b"\x09\0\0\0\x04Hey\0\0\0\0\0")
            .id("text")
            .stream()
            .weak()
            .content_match(b"", |bytes| is(bytes, FrameKind::Text))
            .answers(&["motd-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.counted(&TEXT, Unreal, &mut self.text)?;
            p.more(&mut self.has_number, "from UT2004's masters", |p| {
                p.int(&NUMBER, Little, &mut self.number)
            })
        })
    }
}
