//! A master's connection over TCP: frames with their length in front. Source: OpenSpy. What a client
//! sends to log in is not decoded.

use std::marker::PhantomData;

use super::super::{C2M, M2C};
use crate::codec::{
    CountedText, Counting::Unreal, Endian::Big, Endian::Little, Field, FieldRole, Kind, Pass,
    RecordForm, Records, RecordsEnd, Shape, Size, SizeForm, Walk, bytes, counted,
};
use crate::protocol::{ExchangeKind, FrameBoundary, Message, Spec};

/// The longest frame that is read; those of OpenSpy are far shorter.
const LONGEST: usize = 4096;
const SIZE_FORM: SizeForm = SizeForm { order: Little, base: 0, is_exact: true };

static SIZE: Field = Field::number("size", "how many bytes follow");
static CHALLENGE: Field = Field::text("challenge", "a number with which the client proves its key");
static VERDICT: Field = Field::text("verdict", "whether the client may go on").values(&[
    ("APPROVED", "the key is right"),
    ("DENIED", "no"),
    ("VERIFIED", "it may ask"),
]);
static REQUEST: Field = Field::new("request", Kind::Command, "00: the list");
static FILTER_COUNT: Field =
    Field::number("filter count", "how many filters follow").role(FieldRole::Count);
static FILTERS: Field = Field::group("filters", "what the servers have to be");
static FILTER: Field = Field::group("filter", "one of them");
static FILTER_FIELD: Field = Field::text("field", "what is compared");
static FILTER_VALUE: Field = Field::text("value", "with what");
static COMPARISON: Field = Field::number("comparison", "how").values(&[("0", "equal")]);
static COUNT: Field =
    Field::number("count", "how many servers follow, a frame each").role(FieldRole::Count);
static HEAD_MARK: Field = Field::new("mark", Kind::Mark, "01");
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

/// The frame at the beginning of a stream. Of a frame that has not come whole, only the challenge at
/// the beginning of a connection is recognised.
pub(super) fn cut(bytes: &[u8], _: usize) -> FrameBoundary {
    let Some((head, rest)) = bytes.split_first_chunk::<4>() else {
        return FrameBoundary::Foreign;
    };
    let length = u32::from_le_bytes(*head) as usize;
    let is_challenge =
        || rest.split_first().is_some_and(|(count, _)| usize::from(*count) + 1 == length);
    match rest.get(..length) {
        _ if !(2..=LONGEST).contains(&length) => FrameBoundary::Foreign,
        Some(frame) if kind(frame).is_some() => FrameBoundary::At(4 + length),
        None if is_challenge() => FrameBoundary::Open { searched: 0 },
        _ => FrameBoundary::Foreign,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum FrameContent {
    Challenge,
    Verdict,
    MasterListRequest,
    ListCount,
    Record,
}

/// Which frame this is, by its content.
fn kind(frame: &[u8]) -> Option<FrameContent> {
    if let Ok(text) = Unreal.take(frame)
        && text.len(Unreal) == frame.len()
        && !text.text.is_empty()
    {
        if matches!(text.text, b"APPROVED" | b"DENIED" | b"VERIFIED") {
            return Some(FrameContent::Verdict);
        }
        return text.text.iter().all(u8::is_ascii_digit).then_some(FrameContent::Challenge);
    }
    if let [0, count, filters @ ..] = frame {
        let mut left = filters;
        for _ in 0..*count {
            for _ in 0..2 {
                let text = Unreal.take(left).ok()?;
                left = left.get(text.len(Unreal)..)?;
            }
            left = left.get(1..)?;
        }
        if left.is_empty() {
            return Some(FrameContent::MasterListRequest);
        }
    }
    if let [_, _, 0, 0, 1] = frame {
        return Some(FrameContent::ListCount);
    }
    let mut left = frame.get(8..)?;
    for at in 0..4 {
        left = if at == 3 { left.get(6..)? } else { left };
        let text = Unreal.take(left).ok()?;
        left = left.get(text.len(Unreal)..)?;
    }
    left.is_empty().then_some(FrameContent::Record)
}

/// Whether the first frame is of this kind.
fn is(bytes: &[u8], wanted: FrameContent) -> bool {
    let frame = bytes
        .split_first_chunk::<4>()
        .and_then(|(length, rest)| rest.get(..u32::from_le_bytes(*length) as usize));
    frame.and_then(kind) == Some(wanted)
}

/// The master's challenge, at the beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MasterChallenge<'a> {
    pub size: Size,
    pub challenge: CountedText<'a>,
}

impl<'a> Message<'a> for MasterChallenge<'a> {
    const SPEC: Spec =
        Spec::new("TCP challenge", &["009 utmaster"], M2C, b"\x0b\0\0\0\x0a111111111\0")
            .id("challenge")
            .stream()
            .content_match(b"", |bytes| is(bytes, FrameContent::Challenge))
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
}

impl<'a> Message<'a> for Verified<'a> {
    const SPEC: Spec =
        Spec::new("TCP verified", &["009 utmaster"], M2C, b"\x0a\0\0\0\x09VERIFIED\0")
            .id("verified")
            .stream()
            .content_match(b"", |bytes| is(bytes, FrameContent::Verdict))
            .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.counted(&VERDICT, Unreal, &mut self.verdict)
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
        &["009 utmaster"],
        C2M,
        b"\x1a\0\0\0\0\x01\x09gametype\0\x0cxDeathMatch\0\0",
    )
    .id("list-request")
    .stream()
    .content_match(b"", |bytes| is(bytes, FrameContent::MasterListRequest))
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
    const SPEC: Spec =
        Spec::new("TCP list head", &["009 utmaster"], M2C, b"\x05\0\0\0\x01\0\0\0\x01")
            .id("list-head")
            .stream()
            .content_match(b"", |bytes| is(bytes, FrameContent::ListCount))
            .answers(&["list-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.int(&COUNT, Little, &mut self.count)?;
            p.lit(&HEAD_MARK, b"\x01")
        })
    }
}

/// A listed server. The order of the port's bytes is that of OpenSpy on most machines; no client has
/// confirmed it.
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
    pub flags: u32,
    pub skill: CountedText<'a>,
}

impl<'a> Message<'a> for ListRecord<'a> {
    const SPEC: Spec = Spec::new(
        "TCP list record",
        &["009 utmaster"],
        M2C,
        b"\x33\0\0\0\xc0\0\x02\x0a\x61\x1e\x62\x1e\x09A server\0\x0aDM-Rankin\0\
          \x0cxDeathMatch\0\x02\x10\0\0\0\0\x022\0",
    )
    .id("list-record")
    .stream()
    .content_match(b"", |bytes| is(bytes, FrameContent::Record))
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
            p.int(&FLAGS, Little, &mut self.flags)?;
            p.counted(&SKILL, Unreal, &mut self.skill)
        })
    }
}
