//! What a server answers.

use super::super::{S2C, TEXT};
use super::{ADDRESS, VERSION, control_messages};
use codec::{Endian::Little, Field, FieldRole};
use protocol::{Refusal, Spec};

static PORT: Field =
    Field::number("port", "where the server expects the client from now on").role(FieldRole::Port);
static HOST: Field = Field::text("name", "the server's name").role(FieldRole::Host);
static MAP: Field = Field::text("map", "the map that is played").role(FieldRole::Map);
static PLAYERS: Field = Field::number("players", "how many play").role(FieldRole::Players);
static MAX_PLAYERS: Field =
    Field::number("maximum", "how many may play").role(FieldRole::MaxPlayers);
static NUMBER: Field = Field::number("player", "which player, from 0");
static PLAYER: Field = Field::text("name", "the player's name").role(FieldRole::Person);
static COLOURS: Field =
    Field::number("colours", "of shirt (upper four bits) and trousers (lower four)");
static FRAGS: Field = Field::number("frags", "the player's points");
static SECONDS: Field = Field::number("seconds", "how long the player has been there");
static PLAYERS_ADDRESS: Field =
    Field::text("address", "the player's address and port, or `private`").role(FieldRole::Address);
static RULE: Field = Field::text("rule", "its name");
static VALUE: Field = Field::text("value", "its value").role(FieldRole::Free);

control_messages! {
    /// A client may join.
    Accept = 0x81, Spec::new(
        "CCREP_ACCEPT", &["005 net_dgrm.c"], S2C, b"\x80\0\0\x09\x81\x91\x65\0\0",
    ).id("accept").answers(&["connect"]),
    { port: i32 }
    |self, p| {
        p.int(&PORT, Little, &mut self.port)
    }
    /// A client may not join.
    Reject = 0x82, Spec::new(
        "CCREP_REJECT", &["005 net_dgrm.c"], S2C, b"\x80\0\0\x16\x82Server is full.\n\0",
    ).id("reject").answers(&["connect"]).refusal(Refusal::Always),
    { text: &'a [u8] }
    |self, p| {
        p.cstr(&TEXT, &mut self.text)
    }
    /// What a server is.
    ServerInfoReply = 0x83, Spec::new(
        "CCREP_SERVER_INFO", &["005 net_dgrm.c"], S2C,
        b"\x80\0\0\x25\x83192.0.2.26:26000\0noname\0e1m1\0\x02\x08\x03",
    ).id("server-info-reply").answers(&["server-info"]),
    { address: &'a [u8], host: &'a [u8], map: &'a [u8], players: u8, max_players: u8, version: u8 }
    |self, p| {
        p.cstr(&ADDRESS, &mut self.address)?;
        p.cstr(&HOST, &mut self.host)?;
        p.cstr(&MAP, &mut self.map)?;
        p.int(&PLAYERS, Little, &mut self.players)?;
        p.int(&MAX_PLAYERS, Little, &mut self.max_players)?;
        p.int(&VERSION, Little, &mut self.version)
    }
    /// One player.
    PlayerInfoReply = 0x84, Spec::new(
        "CCREP_PLAYER_INFO", &["005 net_dgrm.c"], S2C,
        b"\x80\0\0\x2a\x84\0Alfa\0\x4d\0\0\0\x0c\0\0\0\x41\x01\0\x00198.51.100.7:26001\0",
    ).id("player-info-reply").answers(&["player-info"]),
    { number: u8, name: &'a [u8], colours: i32, frags: i32, seconds: i32, address: &'a [u8] }
    |self, p| {
        p.int(&NUMBER, Little, &mut self.number)?;
        p.cstr(&PLAYER, &mut self.name)?;
        p.int(&COLOURS, Little, &mut self.colours)?;
        p.int(&FRAGS, Little, &mut self.frags)?;
        p.int(&SECONDS, Little, &mut self.seconds)?;
        p.cstr(&PLAYERS_ADDRESS, &mut self.address)
    }
    /// One rule, or nothing behind the last.
    RuleInfoReply = 0x85, Spec::new(
        "CCREP_RULE_INFO", &["005 net_dgrm.c"], S2C,
        b"\x80\0\0\x14\x85sv_gravity\x00800\0",
    ).id("rule-info-reply").answers(&["rule-info"]),
    { has_rule: bool, rule: &'a [u8], value: &'a [u8] }
    |self, p| {
        p.more(&mut self.has_rule, "unless there are no more", |p| {
            p.cstr(&RULE, &mut self.rule)?;
            p.cstr(&VALUE, &mut self.value)
        })
    }
    /// What a command gave; ProQuake's.
    RconReply = 0x86, Spec::new(
        "CCREP_RCON", &["005 net_dgrm.c"], S2C, b"\x80\0\0\x12\x86host: noname\0",
    ).id("rcon-reply").answers(&["rcon"]),
    { text: &'a [u8] }
    |self, p| {
        p.cstr(&TEXT, &mut self.text)
    }
}
