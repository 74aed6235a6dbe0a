//! What a master answers: the kinds of games that its servers play, and the servers.

use super::super::identifiers;
use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{C2M, COMMAND, M2C, SERVERS};
use super::{BOTS, FLAGS, KEY, MAX_PLAYERS};
use codec::{
    Addrs, BitMeanings, CountedText, Counting::Text, Endian::Little, Field, FieldRole, Kind,
    PLAIN_LITTLE, Pass, RecordForm, Records, RecordsEnd, Shape, Walk, bytes, counted,
};
use protocol::{ExchangeKind, Message, Part, Spec};

static LIST_FLAGS: Field = Field::number("flags", "how the message is written")
    .bits(&[BitMeanings::set(128, "a client of build 22228 or later")]);
static GAME_COUNT: Field = Field::number("game types", "how many names follow");
static MISSION_COUNT: Field = Field::number("mission types", "how many names follow");
static GAME_TYPES: Field = Field::group("game types", "the modifications that servers play");
static MISSION_TYPES: Field = Field::group("mission types", "the kinds of missions");
static TYPE: Field = Field::group("type", "one of them");
static TYPE_NAME: Field = Field::text("name", "its name");
static WANTED_PACKET: Field =
    Field::number("packet", "the number of the packet that is requested; 255 for all")
        .role(FieldRole::Packet);
static GAME: Field = Field::text("game type", "the modification of the servers, or any");
static MISSION: Field = Field::text("mission type", "the kind of mission, or any");
static MIN_PLAYERS: Field = Field::number("min players", "at least so many play");
static REGIONS: Field = Field::number("regions", "where the servers are").bits(&[
    BitMeanings::set(1, "the east of North America"),
    BitMeanings::set(2, "the west of North America"),
    BitMeanings::set(4, "South America"),
    BitMeanings::set(8, "Australia"),
    BitMeanings::set(16, "Asia"),
    BitMeanings::set(32, "Europe"),
]);
static BUILD: Field = Field::number("build", "of the game; 0 for any");
static STATUS: Field = Field::number("status", "what the servers have to be").bits(&[
    BitMeanings::set(1, "dedicated"),
    BitMeanings::set(2, "without a password"),
    BitMeanings::set(4, "on Linux"),
]);
static MIN_CPU: Field = Field::number("min cpu", "the speed of the processor in MHz");
static BUDDY_COUNT: Field = Field::number("buddies", "how many follow");
static BUDDIES: Field = Field::group("buddies", "players of whom one has to be there");
static BUDDY: Field = Field::group("buddy", "one of them");
static BUDDY_ID: Field = Field::new("id", Kind::Number, "of the account").role(FieldRole::Person);
static NUMBER: Field = Field::number("packet", "its number, from 0").role(FieldRole::Packet);
static TOTAL: Field = Field::number("packets", "how many there are").role(FieldRole::Packet);
static COUNT: Field = Field::number("count", "how many servers follow").role(FieldRole::Count);

const TYPES: RecordForm =
    RecordForm { record: &TYPE, members: &[counted(&TYPE_NAME, Text)], end: RecordsEnd::Rest };
const IDS: RecordForm = RecordForm {
    record: &BUDDY,
    members: &[bytes(&BUDDY_ID, 4, Shape::Unsigned(Little))],
    end: RecordsEnd::Rest,
};

messages! {
    { flags: u8, key: u32, borrowed: PhantomData<&'a [u8]> }
    |self, p, letter: &'static [u8]| {
        p.lit(&COMMAND, letter)?;
        p.int(&FLAGS, Little, &mut self.flags)?;
        p.int(&KEY, Little, &mut self.key)
    }
    /// A client asks what is played.
    TypesRequest = b"\x02", Spec::new("types", &["010 qstat.h"], C2M, b"\x02\0\x01\x02\x03\x04")
        .id("types-request").weak().whole().sends(identifiers::bytes::<2, 4>);
}

/// What is played on a master's servers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Types<'a> {
    pub flags: u8,
    pub key: u32,
    pub game_count: u8,
    pub games: Records<'a>,
    pub mission_count: u8,
    pub missions: Records<'a>,
}

impl<'a> Message<'a> for Types<'a> {
    const SPEC: Spec = Spec::new(
        "types reply",
        &["010 qstat.c"],
        M2C,
        b"\x04\0\x01\x02\x03\x04\x02\x04base\x07Classic\x02\x03CTF\x0aDeathmatch",
    )
    .id("types-reply")
    .answer_only()
    .whole()
    .answers(&["types-request"])
    .returns(identifiers::bytes::<2, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"\x04")?;
        p.int(&FLAGS, Little, &mut self.flags)?;
        p.int(&KEY, Little, &mut self.key)?;
        p.int(&GAME_COUNT, Little, &mut self.game_count)?;
        let end = RecordsEnd::Count(self.game_count);
        p.view(&GAME_TYPES, RecordForm { end, ..TYPES }, &mut self.games)?;
        p.int(&MISSION_COUNT, Little, &mut self.mission_count)?;
        let end = RecordsEnd::Count(self.mission_count);
        p.view(&MISSION_TYPES, RecordForm { end, ..TYPES }, &mut self.missions)
    }
}

/// A client requests the list of some servers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ListRequest2<'a> {
    pub flags: u8,
    pub key: u32,
    pub packet: u8,
    pub game: CountedText<'a>,
    pub mission: CountedText<'a>,
    pub min_players: u8,
    pub max_players: u8,
    pub regions: u32,
    pub build: u32,
    pub status: u8,
    pub max_bots: u8,
    pub min_cpu: u16,
    pub buddy_count: u8,
    pub buddies: Records<'a>,
}

impl<'a> Message<'a> for ListRequest2<'a> {
    const SPEC: Spec = Spec::new(
        "list query",
        &["010 qstat.c"],
        C2M,
        b"\x06\x80\x0b\x0c\x0d\x0e\xff\x03any\x03any\0\xff\xff\xff\xff\xff\0\0\0\0\0\xff\0\0\0",
    )
    .id("list-request")
    .weak()
    .sends(identifiers::bytes::<2, 4>)
    .whole()
    .content_match(b"\x06", |bytes| {
        let behind = |at: usize| Some(at + 1 + usize::from(*bytes.get(at)?));
        let end = behind(7).and_then(behind).map(|at| at + 15);
        let buddies = end.and_then(|end| Some(end + 4 * usize::from(*bytes.get(end - 1)?)));
        buddies == Some(bytes.len())
    })
    .exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"\x06")?;
        p.int(&LIST_FLAGS, Little, &mut self.flags)?;
        p.int(&KEY, Little, &mut self.key)?;
        p.int(&WANTED_PACKET, Little, &mut self.packet)?;
        p.counted(&GAME, Text, &mut self.game)?;
        p.counted(&MISSION, Text, &mut self.mission)?;
        p.int(&MIN_PLAYERS, Little, &mut self.min_players)?;
        p.int(&MAX_PLAYERS, Little, &mut self.max_players)?;
        p.int(&REGIONS, Little, &mut self.regions)?;
        p.int(&BUILD, Little, &mut self.build)?;
        p.int(&STATUS, Little, &mut self.status)?;
        p.int(&BOTS, Little, &mut self.max_bots)?;
        p.int(&MIN_CPU, Little, &mut self.min_cpu)?;
        p.int(&BUDDY_COUNT, Little, &mut self.buddy_count)?;
        let end = RecordsEnd::Count(self.buddy_count);
        p.view(&BUDDIES, RecordForm { end, ..IDS }, &mut self.buddies)
    }
}

/// A packet of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct List2<'a> {
    pub flags: u8,
    pub key: u32,
    pub number: u8,
    pub total: u8,
    pub count: u16,
    pub servers: Addrs<'a>,
}

impl<'a> Message<'a> for List2<'a> {
    const SPEC: Spec = Spec::new(
        "list",
        &["010 qstat.c"],
        M2C,
        b"\x08\0\x0b\x0c\x0d\x0e\0\x01\x01\0\xc0\0\x02\x0a\x60\x6d",
    )
    .id("list")
    .answer_only()
    .whole()
    .content_match(b"\x08", |bytes| match bytes {
        [_, _, _, _, _, _, number, total, low, high, servers @ ..] => {
            number < total && servers.len() == 6 * usize::from(u16::from_le_bytes([*low, *high]))
        }
        _ => false,
    })
    .part(|bytes| {
        let (index, total) = (*bytes.get(6)?, *bytes.get(7)?);
        let index = index.checked_add(1)?;
        Some(Part { reply: 0, index: index.into(), last: index == total })
    })
    .answers(&["list-request"])
    .returns(identifiers::bytes::<2, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"\x08")?;
        p.int(&LIST_FLAGS, Little, &mut self.flags)?;
        p.int(&KEY, Little, &mut self.key)?;
        p.int(&NUMBER, Little, &mut self.number)?;
        p.int(&TOTAL, Little, &mut self.total)?;
        p.int(&COUNT, Little, &mut self.count)?;
        p.view(&SERVERS, PLAIN_LITTLE, &mut self.servers)
    }
}
