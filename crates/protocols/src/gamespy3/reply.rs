//! What servers answer: sections in numbered datagrams; the second protocol's form to clients that
//! want one datagram; and Minecraft's short reply.

use super::super::identifiers::bytes;
use super::super::{ANSWER, NOTHING};
use super::columns::Columns;
use crate::declare::choices;
use crate::gamespy2::{
    END, MAYBE_NUL, PAIRS, PLAYERS, REQUEST_KEY, ReplyBody, Settings, TEAMS, TYPE, TableOf,
    is_reply, text,
};
use codec::{
    self, BitMeanings, Endian, Field, FieldRole, PackedNumber, Pass, RecordForm, Records,
    RecordsEnd, Shape, Spelling, Walk,
};
use protocol::{Message, Part, Spec};

static SPLIT: Field = Field::separator("splitnum", "the number of the datagram follows");
static NUMBER: Field =
    Field::number("number", "which part this is, from 0, and whether it is the last").packed(
        const { &[PackedNumber::new(0x7f, 1, ["part ", ""])] },
        const { &[BitMeanings::set(LAST as u32, "the last one")] },
    );
static SECTION: Field = Field::separator("section", "0 settings, 1 players, 2 teams");
static HOST: Field = Field::text("hostname", "the server's name").role(FieldRole::Host);
static GAME_TYPE: Field = Field::text("gametype", "the rules that are played");
static MAP: Field = Field::text("map", "the map being played").role(FieldRole::Map);
static NUM_PLAYERS: Field =
    Field::text("numplayers", "players on the server now").role(FieldRole::Players);
static MAX_PLAYERS: Field = Field::text("maxplayers", "places in all").role(FieldRole::MaxPlayers);
static PORT: Field = Field::number("hostport", "the port to play on").role(FieldRole::Port);
static COUNT: Field =
    Field::number("count", "how many players follow; Just Cause 2's").role(FieldRole::Players);
static PLAYER: Field = Field::group("player", "one player");
static NAME: Field = Field::text("name", "the player's name").role(FieldRole::Person);
static STEAM_ID: Field =
    Field::text("steam id", "the player's number on Steam").role(FieldRole::Name);
static PING: Field = Field::number("ping", "in milliseconds");
static ADDRESS: Field = Field::text("hostip", "where to play").role(FieldRole::Address);

/// What stands behind columns; two NULs more in Unreal Tournament 3's replies.
static ENDS: [Spelling; 3] = [Spelling::new(b"\0"), NOTHING.last(), Spelling::new(b"\0\0\0")];
/// What stands behind the key of a reply in parts.
const SPLITNUM: &[u8] = b"splitnum\0";
/// The bit of the last part's number.
const LAST: u8 = 0x80;

choices! {
    /// Whether a datagram has settings.
    HasSettings { No "no settings", Yes "settings: a byte 0" }
    |rest| rest.first() == Some(&0);
    /// Whether a datagram has players.
    HasPlayers { No "no players", Yes "players: a byte 1" }
    |rest| rest.first() == Some(&1);
    /// Whether a datagram has teams.
    HasTeams { No "no teams", Yes "teams: a byte 2" }
    |rest| rest.first() == Some(&2);
    /// Whether a datagram has players in records.
    HasRecords { No "no records", Yes "Just Cause 2's: their number, in two bytes" }
    |rest| rest.len() > 2 && rest.first() == Some(&0);
}

/// The sections of a datagram, each of which may be missing or cut.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sections<'a> {
    pub has_settings: HasSettings,
    pub info: Settings<'a>,
    pub has_players: HasPlayers,
    pub players: Columns<'a>,
    pub has_teams: HasTeams,
    pub teams: Columns<'a>,
    /// Whether an end is behind each: 0 if it is.
    pub ends: [u8; 3],
    pub has_records: HasRecords,
    pub count: u16,
    pub records: Records<'a>,
}

/// Just Cause 2's players.
const RECORDS: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[
        codec::text(&NAME),
        codec::text(&STEAM_ID),
        codec::bytes(&PING, 2, Shape::Unsigned(Endian::Big)),
    ],
    end: RecordsEnd::Rest,
};

impl<'a> Sections<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        let Self { has_settings, info, has_players, players, has_teams, teams, ends, .. } = self;
        let [settings_end, players_end, teams_end] = ends;
        p.choose(has_settings, |p, has| match has {
            HasSettings::No => Ok(()),
            HasSettings::Yes => {
                p.lit(&SECTION, b"\0")?;
                p.view(&PAIRS, (), info)?;
                p.one_of(&END, &MAYBE_NUL, settings_end)
            }
        })?;
        p.choose(has_players, |p, has| match has {
            HasPlayers::No => Ok(()),
            HasPlayers::Yes => {
                p.lit(&SECTION, b"\x01")?;
                p.view(&PLAYERS, TableOf::Players, players)?;
                p.one_of(&END, &ENDS, players_end)
            }
        })?;
        p.choose(has_teams, |p, has| match has {
            HasTeams::No => Ok(()),
            HasTeams::Yes => {
                p.lit(&SECTION, b"\x02")?;
                p.view(&TEAMS, TableOf::Teams, teams)?;
                p.one_of(&END, &ENDS, teams_end)
            }
        })?;
        p.choose(&mut self.has_records, |p, has| match has {
            HasRecords::No => Ok(()),
            HasRecords::Yes => {
                p.int(&COUNT, Endian::Big, &mut self.count)?;
                p.view(&PLAYERS, RECORDS, &mut self.records)
            }
        })
    }
}

/// A part of a server's reply.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReplyPart<'a> {
    pub key: u32,
    pub number: u8,
    pub sections: Sections<'a>,
}

impl<'a> Message<'a> for ReplyPart<'a> {
    const SPEC: Spec = Spec::new(
        "reply",
        &["008 qr2.c", "012 gamespy3.js"],
        ANSWER,
        b"\0\x10\x20\x30\x40splitnum\0\x80\0hostname\0A server\0mapname\0Strike At Karkand\0\0\
          \x01player_\0\0Alfa\0\0\0\x02team_t\0\0MEC\0US\0\0\0",
    )
    .exact()
    .content_match(b"\0", |bytes| split(bytes).is_some_and(|(_, left)| is_sections(left)))
    .part(part)
    .answers(&["query"])
    .returns(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\0")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.lit(&SPLIT, SPLITNUM)?;
        p.int(&NUMBER, Endian::Big, &mut self.number)?;
        self.sections.walk(p)
    }
}

/// The number of a part and its sections.
fn split(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let (number, left) = bytes.get(5..)?.strip_prefix(SPLITNUM)?.split_first()?;
    Some((*number, left))
}

/// Whether bytes begin with a section.
fn is_sections(left: &[u8]) -> bool {
    left.first().is_none_or(|kind| *kind <= 2)
}

/// A part of the reply to the query with this key.
fn part(bytes: &[u8]) -> Option<Part> {
    let (number, _) = split(bytes)?;
    let reply = u32::from_be_bytes(*bytes.get(1..)?.first_chunk()?);
    Some(Part { reply, index: u16::from(number & !LAST) + 1, last: number & LAST != 0 })
}

/// A server's reply in the second protocol's form, to a client that wants one datagram.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PlainReply<'a> {
    pub key: u32,
    pub body: ReplyBody<'a>,
}

impl<'a> Message<'a> for PlainReply<'a> {
    const SPEC: Spec = Spec::new(
        "reply",
        &["008 qr2.c"],
        ANSWER,
        b"\0\x10\x20\x30\x40hostname\0A server\0mapname\0bloodgulch\0\0",
    )
    .id("plain-reply")
    .content_match(b"\0", |bytes| {
        bytes.get(5..).is_some_and(|body| body.first() != Some(&0) && is_reply(body))
            && split(bytes).is_none()
    })
    .answer_only()
    .answers(&["query"])
    .returns(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\0")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        self.body.walk(p)
    }
}

/// Minecraft's short reply: values without their keys.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BasicReply<'a> {
    pub key: u32,
    pub host: &'a [u8],
    pub game_type: &'a [u8],
    pub map: &'a [u8],
    pub players: &'a [u8],
    pub max_players: &'a [u8],
    pub port: u16,
    pub address: &'a [u8],
}

impl<'a> Message<'a> for BasicReply<'a> {
    const SPEC: Spec = Spec::new(
        "reply",
        &["012 minecraft.js"],
        ANSWER,
        b"\0\x10\x20\x30\x40A server\0SMP\0world\x002\x0020\0\xdd\x63192.0.2.7\0",
    )
    .id("basic-reply")
    .content_match(b"\0", |bytes| bytes.get(5..).is_some_and(is_basic))
    .answer_only()
    .answers(&["query"])
    .returns(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\0")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.cstr(&HOST, &mut self.host)?;
        p.cstr(&GAME_TYPE, &mut self.game_type)?;
        p.cstr(&MAP, &mut self.map)?;
        p.cstr(&NUM_PLAYERS, &mut self.players)?;
        p.cstr(&MAX_PLAYERS, &mut self.max_players)?;
        p.int(&PORT, Endian::Little, &mut self.port)?;
        p.cstr(&ADDRESS, &mut self.address)
    }
}

/// Five texts, of which the last two are numbers, a port and one more text.
fn is_basic(body: &[u8]) -> bool {
    let mut left = body;
    for at in 0..5 {
        let Some((value, behind)) = text(left) else { return false };
        if at > 2 && (value.is_empty() || !value.iter().all(u8::is_ascii_digit)) {
            return false;
        }
        left = behind;
    }
    matches!(left.get(2..), Some([address @ .., 0]) if !address.contains(&0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_numbered_from_0_and_the_last_is_marked() {
        let numbered = |number: u8| [&b"\0\0\0\0\x07splitnum\0"[..], &[number, 0]].concat();
        for (number, index, last) in [(0, 1, false), (1, 2, false), (0x82, 3, true)] {
            let expected = Some(Part { reply: 7, index, last });
            assert_eq!(part(&numbered(number)), expected, "{number}");
        }
        assert_eq!(part(b"\0\0\0\0\x07splitnum\0"), None);
        assert_eq!(part(b"\0\0\0\0\x07hostname\0x\0\0"), None);
    }

    #[test]
    fn a_short_reply_has_two_numbers_and_a_port() {
        for (body, is) in [
            (&b"A server\0SMP\0world\x002\x0020\0\xdd\x63192.0.2.7\0"[..], true),
            (b"A server\0SMP\0world\x002\x0020\0\0\x00192.0.2.7\0", true),
            (b"A server\0SMP\0world\0two\x0020\0\xdd\x63192.0.2.7\0", false),
            (b"A server\0SMP\0world\x002\x0020\0\xdd\x63192.0.2.7", false),
            (b"A server\0SMP\0", false),
        ] {
            assert_eq!(is_basic(body), is, "{}", body.escape_ascii());
        }
    }
}
