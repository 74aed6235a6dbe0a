//! What a server answers: itself, its rules, its players. Rules and players may come in several
//! datagrams, which have neither numbers nor an end mark; none divides an entry.

use super::super::S2C;
use super::super::declare::choices;
use super::keys::{PROPERTIES, RULES};
use super::{VERSION, XMP, is_of_type};
use codec::{
    CountedPairs, CountedText, Counting::Unreal, Endian::Little, Field, FieldRole, Kind, Pass,
    RecordForm, Records, RecordsEnd, Shape, Walk, bytes, counted, counted_pairs,
};
use protocol::{Message, Spec};

const VERSIONS: &[u8] = b"wxyz{|}~\x7f\x80";

static REPLY_TYPE: Field = Field::new("type", Kind::Mark, "00: the server, 01: rules, 02: players");
static ID: Field = Field::number("id", "the server's number at the master, or zero");
static ADDRESS: Field =
    Field::text("address", "the server's own, mostly empty").role(FieldRole::Address);
pub(super) static PORT: Field =
    Field::number("port", "where the server plays").role(FieldRole::Port);
pub(super) static QUERY_PORT: Field =
    Field::number("query port", "where the server answers queries").role(FieldRole::Port);
pub(super) static NAME: Field =
    Field::text("name", "the server's name; 1B and three bytes are a colour").role(FieldRole::Host);
pub(super) static MAP: Field = Field::text("map", "the map that is played").role(FieldRole::Map);
pub(super) static GAME_TYPE: Field = Field::text("game type", "its class, such as xDeathMatch");
pub(super) static PLAYERS_NOW: Field =
    Field::number("players", "how many play").role(FieldRole::Players);
pub(super) static MAX_PLAYERS: Field =
    Field::number("max players", "how many may play").role(FieldRole::MaxPlayers);
static PING: Field = Field::number("ping", "in milliseconds");
static WAVE: Field = Field::number("wave", "which one the players fight; Killing Floor's");
static LAST_WAVE: Field = Field::number("last wave", "how many there are; Killing Floor's");
pub(super) static FLAGS: Field = Field::number("flags", "what the server demands and how it plays");
pub(super) static SKILL: Field = Field::text("bot skill", "how well programs play");
static LISTS: Field = Field::separator(
    "lists",
    "how many settings and players follow: none; as live servers of UT2004 and Killing Floor send it",
);
pub(super) static RULE_LIST: Field =
    Field::group("rules", "settings; a key may stand there several times");
pub(super) static PLAYER_LIST: Field =
    Field::group("players", "who plays; entries without id are teams");
static PLAYER: Field = Field::group("player", "one player or team");
static PLAYER_ID: Field = Field::number("id", "the player's number; 0: a team or a program");
static PLAYER_NAME: Field = Field::text("name", "the player's name").role(FieldRole::Person);
static SCORE: Field = Field::number("score", "points");
static STATISTICS: Field =
    Field::number("statistics id", "the player's number at the statistics server");
static UNKNOWN: Field = Field::number("unknown", "a number that no source explains; XMP's");
static PROPERTY_LIST: Field = Field::group("properties", "more of the player; XMP's");

/// The players of a heartbeat of Unreal II XMP, to its end.
pub(super) const PLAYERS_XMP_HEARTBEAT: RecordForm = RecordForm {
    members: &[
        bytes(&PLAYER_ID, 4, Shape::Unsigned(Little)),
        bytes(&UNKNOWN, 4, Shape::Unsigned(Little)),
        counted(&PLAYER_NAME, Unreal),
        bytes(&PING, 4, Shape::Unsigned(Little)),
        bytes(&SCORE, 4, Shape::Signed(Little)),
        bytes(&STATISTICS, 4, Shape::Unsigned(Little)),
    ],
    ..PLAYERS
};

/// The players of a reply, to its end.
pub const PLAYERS: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[
        bytes(&PLAYER_ID, 4, Shape::Unsigned(Little)),
        counted(&PLAYER_NAME, Unreal),
        bytes(&PING, 4, Shape::Unsigned(Little)),
        bytes(&SCORE, 4, Shape::Signed(Little)),
        bytes(&STATISTICS, 4, Shape::Unsigned(Little)),
    ],
    end: RecordsEnd::Rest,
};
/// The same of XMP: a number more in front, properties behind.
pub const PLAYERS_XMP: RecordForm = RecordForm {
    members: &[
        bytes(&PLAYER_ID, 4, Shape::Unsigned(Little)),
        bytes(&UNKNOWN, 4, Shape::Unsigned(Little)),
        counted(&PLAYER_NAME, Unreal),
        bytes(&PING, 4, Shape::Unsigned(Little)),
        bytes(&SCORE, 4, Shape::Signed(Little)),
        bytes(&STATISTICS, 4, Shape::Unsigned(Little)),
        counted_pairs(&PROPERTY_LIST, Unreal, &PROPERTIES),
    ],
    ..PLAYERS
};

choices! {
    /// Whether Killing Floor's waves stand before the ping: then there are eight bytes more.
    Waves { Absent "no waves", Present "Killing Floor's: where the rest is longer by eight bytes" }
    |rest| rest.get(16..).is_some_and(|left| {
        Unreal.split_off(left).is_ok_and(|text| {
            matches!(left.get(text.len(Unreal)..), Some([] | [0, 0]))
        })
    });
}

/// What a server is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ServerReply<'a> {
    pub version: u32,
    pub id: u32,
    pub address: CountedText<'a>,
    pub port: u32,
    pub query_port: u32,
    pub name: CountedText<'a>,
    pub map: CountedText<'a>,
    pub game_type: CountedText<'a>,
    pub players: u32,
    pub max_players: u32,
    /// Whether the rest follows: UT2004's.
    pub has_more: bool,
    pub waves: Waves,
    pub wave: u32,
    pub last_wave: u32,
    pub ping: u32,
    pub flags: u32,
    pub skill: CountedText<'a>,
    /// Whether two lists follow; both are empty.
    pub has_lists: bool,
}

/// Whether the mark and the type are followed by an address, if by any, and a port: QUIC's list of versions
/// has the same mark. The payload may be cut.
fn is_server_reply(bytes: &[u8]) -> bool {
    const LONGEST: usize = 64;
    if bytes.len() <= 5 || !is_of_type(bytes, |kind| kind == 0) {
        return false;
    }
    let Some((count, behind)) = bytes.get(9..).and_then(<[u8]>::split_first) else { return true };
    let count = usize::from(*count);
    let (address, port) = behind.split_at_checked(count).unwrap_or((behind, &[]));
    let is_address = |byte: &u8| byte.is_ascii_alphanumeric() || b".:[]-\0".contains(byte);
    let is_port = port.get(2..4).is_none_or(|upper| upper == [0, 0]);
    count <= LONGEST && address.iter().all(is_address) && is_port
}

impl<'a> Message<'a> for ServerReply<'a> {
    const SPEC: Spec = Spec::new(
        "reply 0",
        &["010 qstat.c"],
        S2C,
        b"\x80\0\0\0\0\0\0\0\0\0\x61\x1e\0\0\x62\x1e\0\0\x09A server\0\x0aDM-Rankin\0\
          \x0cxDeathMatch\0\x02\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\x022\0",
    )
    .id("server-reply")
    .exact()
    .content_match(VERSIONS, is_server_reply)
    .answers(&["query"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.int(&VERSION, Little, &mut self.version)?;
        p.lit(&REPLY_TYPE, b"\0")?;
        p.int(&ID, Little, &mut self.id)?;
        p.counted(&ADDRESS, Unreal, &mut self.address)?;
        p.int(&PORT, Little, &mut self.port)?;
        p.int(&QUERY_PORT, Little, &mut self.query_port)?;
        p.counted(&NAME, Unreal, &mut self.name)?;
        p.counted(&MAP, Unreal, &mut self.map)?;
        p.counted(&GAME_TYPE, Unreal, &mut self.game_type)?;
        p.int(&PLAYERS_NOW, Little, &mut self.players)?;
        p.int(&MAX_PLAYERS, Little, &mut self.max_players)?;
        p.more(&mut self.has_more, "from UT2004's servers", |p| {
            p.choose(&mut self.waves, |p, waves| match waves {
                Waves::Absent => Ok(()),
                Waves::Present => {
                    p.int(&WAVE, Little, &mut self.wave)?;
                    p.int(&LAST_WAVE, Little, &mut self.last_wave)
                }
            })?;
            p.int(&PING, Little, &mut self.ping)?;
            p.int(&FLAGS, Little, &mut self.flags)?;
            p.counted(&SKILL, Unreal, &mut self.skill)?;
            p.more(&mut self.has_lists, "from live servers", |p| p.lit(&LISTS, b"\0\0"))
        })
    }
}

/// What a server has set.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RulesReply<'a> {
    pub version: u32,
    pub rules: CountedPairs<'a>,
}

impl<'a> Message<'a> for RulesReply<'a> {
    const SPEC: Spec = Spec::new(
        "reply 1",
        &["010 qstat.c"],
        S2C,
        b"\x80\0\0\0\x01\x0bServerMode\0\x0adedicated\0\x08Mutator\0\x0aDMMutator\0",
    )
    .id("rules-reply")
    .exact()
    .content_match(VERSIONS, |bytes| bytes.len() > 5 && is_of_type(bytes, |kind| kind == 1))
    .answers(&["query"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.int(&VERSION, Little, &mut self.version)?;
        p.lit(&REPLY_TYPE, b"\x01")?;
        p.view(&RULE_LIST, (Unreal, &RULES), &mut self.rules)
    }
}

/// Who plays on a server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PlayersReply<'a> {
    pub version: u32,
    pub players: Records<'a>,
}

impl<'a> Message<'a> for PlayersReply<'a> {
    const SPEC: Spec = Spec::new(
        "reply 2",
        &["010 qstat.c"],
        S2C,
        b"\x80\0\0\0\x02\x13\0\0\0\x05Alfa\0\x28\0\0\0\x02\0\0\0\0\0\0\0",
    )
    .id("players-reply")
    .exact()
    .content_match(VERSIONS, |bytes| bytes.len() > 5 && is_of_type(bytes, |kind| kind == 2))
    .answers(&["query"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.int(&VERSION, Little, &mut self.version)?;
        p.lit(&REPLY_TYPE, b"\x02")?;
        let is_xmp = self.version == XMP;
        p.when(is_xmp, "of XMP", |p| p.view(&PLAYER_LIST, PLAYERS_XMP, &mut self.players))?;
        p.when(!is_xmp, "of the others", |p| p.view(&PLAYER_LIST, PLAYERS, &mut self.players))
    }
}
