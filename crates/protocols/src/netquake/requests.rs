//! What a client asks a server.

use super::super::C2S;
use super::{GAME, VERSION, control_messages};
use codec::{Endian::Little, Field, FieldRole};
use protocol::{ExchangeKind, Spec};

static MOD: Field =
    Field::number("mod", "the program of the client; ProQuake's").values(&[("1", "ProQuake")]);
static MOD_VERSION: Field = Field::number("mod version", "its version times ten; ProQuake's");
static FLAGS: Field = Field::number("flags", "what the client can do; ProQuake's");
static PASSWORD_NUMBER: Field =
    Field::number("password", "the number that a server wants; ProQuake's").role(FieldRole::Secret);
static NUMBER: Field = Field::number("player", "which player, from 0");
static RULE: Field =
    Field::text("rule", "the rule before the one that is wanted; empty: the first");
static PASSWORD: Field =
    Field::text("password", "by which the server knows its operator").role(FieldRole::Secret);
static COMMAND_LINE: Field =
    Field::text("line", "what the server is to do; it may hold passwords").role(FieldRole::Secret);

control_messages! {
    /// A client wants to join. ProQuake's clients say what they are.
    Connect = 0x01, Spec::new(
        "CCREQ_CONNECT", &["005 net_dgrm.c"], C2S, b"\x80\0\0\x0c\x01QUAKE\0\x03",
    ).id("connect").exchange(ExchangeKind::Connection),
    { game: &'a [u8], version: u8, has_mod: bool, program: u8, program_version: u8, flags: u8,
      password: i32 }
    |self, p| {
        p.cstr(&GAME, &mut self.game)?;
        p.int(&VERSION, Little, &mut self.version)?;
        p.more(&mut self.has_mod, "from ProQuake", |p| {
            p.int(&MOD, Little, &mut self.program)?;
            p.int(&MOD_VERSION, Little, &mut self.program_version)?;
            p.int(&FLAGS, Little, &mut self.flags)?;
            p.int(&PASSWORD_NUMBER, Little, &mut self.password)
        })
    }
    /// A client asks what a server is.
    ServerInfoRequest = 0x02, Spec::new(
        "CCREQ_SERVER_INFO", &["005 net_dgrm.c"], C2S, b"\x80\0\0\x0c\x02QUAKE\0\x03",
    ).id("server-info"),
    { game: &'a [u8], version: u8 }
    |self, p| {
        p.cstr(&GAME, &mut self.game)?;
        p.int(&VERSION, Little, &mut self.version)
    }
    /// A client asks for one player.
    PlayerInfo = 0x03, Spec::new(
        "CCREQ_PLAYER_INFO", &["005 net_dgrm.c"], C2S, b"\x80\0\0\x06\x03\0",
    ).id("player-info"),
    { number: u8 }
    |self, p| {
        p.int(&NUMBER, Little, &mut self.number)
    }
    /// A client asks for the rule behind another one.
    RuleInfo = 0x04, Spec::new(
        "CCREQ_RULE_INFO", &["005 net_dgrm.c"], C2S, b"\x80\0\0\x10\x04sv_gravity\0",
    ).id("rule-info"),
    { rule: &'a [u8] }
    |self, p| {
        p.cstr(&RULE, &mut self.rule)
    }
    /// An operator gives the server a command; ProQuake's.
    Rcon = 0x05, Spec::new(
        "CCREQ_RCON", &["005 net_dgrm.c"], C2S, b"\x80\0\0\x14\x05hunter2\0status\0",
    ).id("rcon").exchange(ExchangeKind::Command),
    { password: &'a [u8], line: &'a [u8] }
    |self, p| {
        p.cstr(&PASSWORD, &mut self.password)?;
        p.cstr(&COMMAND_LINE, &mut self.line)
    }
}
