//! A client requests servers from id's master, and gets a list in one datagram.

use super::super::declare::choices;
use super::super::{C2M, M2C};
use super::{PROTOCOL_NUMBER, command};
use codec::{
    AddrForm, Addrs, BitMeanings, CommandWord, Endian::Little, Field, FieldRole, PLAIN_LITTLE,
    Pass, Walk,
};
use protocol::{ExchangeKind, Message, Spec};

static GAME: Field =
    Field::text("fs_game", "the modification whose servers are asked for, or nothing")
        .role(FieldRole::Game);
static PLAYER: Field =
    Field::text("player", "a player's name to look for, or nothing; Quake 4 alone, observed")
        .role(FieldRole::Person);
static CLAN: Field =
    Field::text("clan", "a clan's name to look for, or nothing; Quake 4 alone, observed")
        .role(FieldRole::Name);
static FILTER: Field = Field::number(
    "filter",
    "which servers to leave in, two bits each for password, players and rules; document 001 has \
     zero here, document 002 has 0x0A, which it takes for a newline",
)
.values(&[("0", "all servers")])
.bits(&[
    BitMeanings::new(0x03, 0x01, "with a password"),
    BitMeanings::new(0x03, 0x02, "without a password"),
    BitMeanings::new(0x03, 0x03, "password: 3, not documented"),
    BitMeanings::new(0x0c, 0x04, "not full"),
    BitMeanings::new(0x0c, 0x08, "neither full nor empty"),
    BitMeanings::new(0x0c, 0x0c, "players: 3, not documented"),
    BitMeanings::new(0x30, 0x10, "deathmatch"),
    BitMeanings::new(0x30, 0x20, "tournament"),
    BitMeanings::new(0x30, 0x30, "team deathmatch"),
]);
static SERVERS: Field = Field::group(
    "servers",
    "the servers listed; document 001 says that ports are in network order, document 002 that they \
     are little-endian, and the documented port 27666 proves the second right",
);

choices! {
    /// Which game's form of the request follows the folder: Doom 3's has one more byte.
    GetServersForm { Doom3 "of Doom 3", Quake4 "of Quake 4: more than one byte is left" }
    |rest| rest.len() > 1;
}

/// A client requests the servers of a protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetServers<'a> {
    pub command: CommandWord<'a>,
    pub protocol: u32,
    pub game: &'a [u8],
    pub form: GetServersForm,
    pub player: &'a [u8],
    pub clan: &'a [u8],
    pub filter: u8,
}

impl<'a> Message<'a> for GetServers<'a> {
    const SPEC: Spec = Spec::new(
        "getServers",
        &["001 9.1", "002 Querying the master server"],
        C2M,
        b"\xff\xffgetServers\0\x21\0\x01\0\0\x16",
    )
    .id("get-servers")
    .exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"getServers", &mut self.command)?;
        p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol)?;
        p.cstr(&GAME, &mut self.game)?;
        p.choose(&mut self.form, |p, form| match form {
            GetServersForm::Doom3 => Ok(()),
            GetServersForm::Quake4 => {
                p.cstr(&PLAYER, &mut self.player)?;
                p.cstr(&CLAN, &mut self.clan)
            }
        })?;
        p.int(&FILTER, Little, &mut self.filter)
    }
}

/// A master's list; it has neither a count nor an end mark.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Servers<'a> {
    pub command: CommandWord<'a>,
    pub servers: Addrs<'a>,
}

impl Servers<'_> {
    /// The form of its records.
    pub const FORM: AddrForm = PLAIN_LITTLE;
}

impl<'a> Message<'a> for Servers<'a> {
    const SPEC: Spec = Spec::new(
        "servers",
        &["001 9.3", "002 Querying the master server"],
        M2C,
        b"\xff\xffservers\0\x45\x0c\x12\x34\x12\x6c",
    )
    .answers(&["get-servers"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"servers", &mut self.command)?;
        p.view(&SERVERS, Self::FORM, &mut self.servers)
    }
}
