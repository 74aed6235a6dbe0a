//! A server's heartbeat: all that a reply to a query says, and its settings and players. Source:
//! OpenSpy, utmaster.

use super::super::S2M;
use super::super::declare::choices;
use super::frames::{FrameKind, behind_texts, is};
use super::keys::RULES;
use super::master::{SIZE, SIZE_FORM};
use super::replies::{
    FLAGS, GAME_TYPE, MAP, MAX_PLAYERS, NAME, PLAYER_LIST, PLAYERS, PLAYERS_NOW,
    PLAYERS_XMP_HEARTBEAT, PORT, QUERY_PORT, RULE_LIST, SKILL,
};
use codec::{
    CountedText, Counting::Unreal, Endian::Little, Field, FieldRole, Kind, Pass, RecordForm,
    Records, RecordsEnd, Size, Walk, counted, counted_pairs,
};
use protocol::{Message, Spec};

static KIND: Field = Field::new("kind", Kind::Command, "01: a heartbeat");
static ADDRESS_COUNT: Field = Field::number("address count", "how many addresses follow");
static ADDRESSES: Field = Field::group("addresses", "of those who play");
static ADDRESS_OF: Field = Field::group("address", "one of them");
static ADDRESS: Field = Field::text("address", "as a text").role(FieldRole::Address);
static OWN_ADDRESS: Field =
    Field::text("own address", "the server's, or nothing").role(FieldRole::Address);
static UNKNOWN: Field = Field::number("unknown", "no source explains it");
static SETTINGS: Field = Field::group("settings", "what the server has set");
static PLAYER_COUNT: Field = Field::number("player count", "how many players follow");

const ADDRESS_FORM: RecordForm = RecordForm {
    record: &ADDRESS_OF,
    members: &[counted(&ADDRESS, Unreal)],
    end: RecordsEnd::Rest,
};
const SETTINGS_FORM: RecordForm = RecordForm {
    record: &SETTINGS,
    members: &[counted_pairs(&RULE_LIST, Unreal, &RULES)],
    end: RecordsEnd::Count(1),
};

choices! {
    /// Whether flags and the bots' skill precede the settings.
    HasFlags { Yes "UT2004's", No "UT2003's: no flags" }
    |rest| !is_newer(rest);
    /// Whether each player has a number more.
    HasNumbers { No "without it", Yes "Unreal II XMP's" }
    |rest| !are_players(rest, 16);
}

/// Whether flags, a text, settings and players fill the rest.
fn is_newer(rest: &[u8]) -> bool {
    rest.get(4..).and_then(|rest| behind_texts(rest, 1)).is_some_and(are_lists)
}

fn are_lists(rest: &[u8]) -> bool {
    let players =
        rest.split_first().and_then(|(count, rest)| behind_texts(rest, 2 * usize::from(*count)));
    players.is_some_and(|players| are_players(players, 16) || are_players(players, 20))
}

/// Whether a count and so many players of so many bytes and a text fill the rest.
fn are_players(rest: &[u8], size: usize) -> bool {
    let Some((count, mut left)) = rest.split_first() else {
        return false;
    };
    for _ in 0..*count {
        let behind = left.get(size - 12..).and_then(|left| behind_texts(left, 1));
        let Some(behind) = behind.and_then(|left| left.get(12..)) else {
            return false;
        };
        left = behind;
    }
    left.is_empty()
}

/// Whether what follows the kind is a heartbeat.
pub(super) fn is_heartbeat(rest: &[u8]) -> bool {
    let behind = || {
        let (count, rest) = rest.split_first()?;
        let own = behind_texts(rest, usize::from(*count))?.get(4..)?;
        let name = behind_texts(own, 1)?.get(8..)?;
        behind_texts(name, 3)?.get(12..)
    };
    behind().is_some_and(|rest| is_newer(rest) || are_lists(rest))
}

/// What a server is, what it has set, who plays there.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Heartbeat<'a> {
    pub size: Size,
    pub address_count: u8,
    pub addresses: Records<'a>,
    pub unknown: u32,
    pub own_address: CountedText<'a>,
    pub port: u32,
    pub query_port: u32,
    pub name: CountedText<'a>,
    pub map: CountedText<'a>,
    pub game_type: CountedText<'a>,
    pub players: u32,
    pub max_players: u32,
    pub unknown_too: u32,
    pub has_flags: HasFlags,
    pub flags: u32,
    pub skill: CountedText<'a>,
    pub settings: Records<'a>,
    pub has_numbers: HasNumbers,
    pub player_count: u8,
    pub player_list: Records<'a>,
}

impl<'a> Message<'a> for Heartbeat<'a> {
    const SPEC: Spec = Spec::new(
        "TCP heartbeat",
        &["009 utmaster"],
        S2M,
        b"\x5b\0\0\0\x01\0\0\0\0\0\0\x61\x1e\0\0\x62\x1e\0\0\x09A server\0\x0aDM-Rankin\0\
          \x0cxDeathMatch\0\0\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\x022\0\
          \x01\x0dGamePassword\0\x06False\0\0",
    )
    .id("heartbeat")
    .stream()
    .weak()
    .content_match(b"", |bytes| is(bytes, FrameKind::Heartbeat))
    .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.sized(&SIZE, SIZE_FORM, &mut self.size, |p| {
            p.lit(&KIND, b"\x01")?;
            p.int(&ADDRESS_COUNT, Little, &mut self.address_count)?;
            let end = RecordsEnd::Count(self.address_count);
            p.view(&ADDRESSES, RecordForm { end, ..ADDRESS_FORM }, &mut self.addresses)?;
            p.int(&UNKNOWN, Little, &mut self.unknown)?;
            p.counted(&OWN_ADDRESS, Unreal, &mut self.own_address)?;
            p.int(&PORT, Little, &mut self.port)?;
            p.int(&QUERY_PORT, Little, &mut self.query_port)?;
            p.counted(&NAME, Unreal, &mut self.name)?;
            p.counted(&MAP, Unreal, &mut self.map)?;
            p.counted(&GAME_TYPE, Unreal, &mut self.game_type)?;
            p.int(&PLAYERS_NOW, Little, &mut self.players)?;
            p.int(&MAX_PLAYERS, Little, &mut self.max_players)?;
            p.int(&UNKNOWN, Little, &mut self.unknown_too)?;
            p.choose(&mut self.has_flags, |p, has| match has {
                HasFlags::No => Ok(()),
                HasFlags::Yes => {
                    p.int(&FLAGS, Little, &mut self.flags)?;
                    p.counted(&SKILL, Unreal, &mut self.skill)
                }
            })?;
            p.view(&SETTINGS, SETTINGS_FORM, &mut self.settings)?;
            p.choose(&mut self.has_numbers, |p, has| {
                p.int(&PLAYER_COUNT, Little, &mut self.player_count)?;
                let end = RecordsEnd::Count(self.player_count);
                let form = match has {
                    HasNumbers::No => PLAYERS,
                    HasNumbers::Yes => PLAYERS_XMP_HEARTBEAT,
                };
                p.view(&PLAYER_LIST, RecordForm { end, ..form }, &mut self.player_list)
            })
        })
    }
}
