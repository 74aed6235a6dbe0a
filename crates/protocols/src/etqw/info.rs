//! A client requests a server's description, the short one or that with the players' statistics.

use super::super::declare::messages;
use super::super::identifiers::bytes;
use super::super::{ANSWER, ASK};
use super::players::{PLAYERS, PLAYERS_10_17, PLAYERS_BEFORE_10_17, STATISTICS};
use crate::doom3::{CHALLENGE, KEYS, LAST, SYSTEMS, command};
use codec::{
    BitMeanings, CommandWord, Endian::Little, Field, FieldRole, Pairs, Pass, Records, Size,
    SizeForm, Walk,
};
use protocol::{Message, Spec};

static TASK: Field = Field::number("task", "the asker's own number, sent back; observed");
static PROTOCOL_NUMBER: Field =
    Field::number("protocol", "the network protocol's version, major << 16 | minor")
        .role(FieldRole::Protocol)
        .version();
static SIZE: Field = Field::number("size", "bytes that follow; observed");
static INFO: Field = Field::group("info", "settings, as a dictionary");
static LIST: Field = Field::group("players", "who plays, up to the id 32");
static RANKED: Field = Field::number("ranked", "whether the game counts for statistics")
    .values(&[("0", "it does not count"), ("1", "it counts")]);
static LEFT: Field = Field::number("time left", "milliseconds to the end of the match");
static STATE: Field = Field::number("game state", "how far the match is").bits(&[
    BitMeanings::set(1, "warmup"),
    BitMeanings::set(2, "in progress"),
    BitMeanings::set(4, "over, in review"),
    BitMeanings::set(8, "return match"),
]);
static TYPE: Field = Field::number("server type", "what kind of server it is; observed")
    .values(&[("0", "people play"), ("1", "a TV relay")]);
static WAITING: Field =
    Field::number("interested clients", "who waits for a place; observed").role(FieldRole::Count);
static CONNECTED: Field =
    Field::number("connected clients", "who watches; observed").role(FieldRole::Count);
static MAXIMUM: Field =
    Field::number("maximum clients", "who may watch; observed").role(FieldRole::Count);
static STATISTICS_LIST: Field =
    Field::group("statistics", "what each player has done, up to the id 32; observed");

const fn version(minor: u32) -> u32 {
    (10 << 16) + minor
}

messages! {
    { command: CommandWord<'a>, task: u32, challenge: i32 }
    |self, p, word: &'static [u8]| {
        command(p, word, &mut self.command)?;
        p.int(&TASK, Little, &mut self.task)?;
        p.int(&CHALLENGE, Little, &mut self.challenge)
    }
    /// A client or master requests a server's description.
    GetInfo = b"getInfo", Spec::new(
        "getInfo", &["002 ET:QW version"], ASK, b"\xff\xffgetInfo\0\x07\0\0\0\x01\x02\x03\x04",
    ).id("get-info").sends(bytes::<10, 8>);
    /// The same, with statistics of each player.
    GetInfoEx = b"getInfoEx", Spec::new(
        "getInfoEx", &["002 ET:QW version"], ASK, b"\xff\xffgetInfoEx\0\x07\0\0\0\x01\x02\x03\x04",
    ).id("get-info-ex").sends(bytes::<12, 8>);
}

/// The server details in both replies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ServerDetails<'a> {
    pub info: Pairs<'a>,
    /// In the form for the protocol.
    pub players: Records<'a>,
    pub systems: u32,
    pub ranked: u8,
    pub left: i32,
    pub state: u8,
    pub server: u8,
    pub waiting: u8,
    pub connected: u32,
    pub maximum: u32,
}

impl<'a> ServerDetails<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P, protocol: u32) -> Walk {
        p.view(&INFO, &KEYS, &mut self.info)?;
        p.lit(&LAST, b"\0\0")?;
        for (holds, why, form) in [
            (protocol < version(17), "before protocol 10.17", PLAYERS_BEFORE_10_17),
            ((version(17)..version(19)).contains(&protocol), "protocol 10.17", PLAYERS_10_17),
            (protocol >= version(19), "since protocol 10.19", PLAYERS),
        ] {
            p.when(holds, why, |p| p.view(&LIST, form, &mut self.players))?;
        }
        p.lit(&LAST, b"\x20")?;
        p.int(&SYSTEMS, Little, &mut self.systems)?;
        p.int(&RANKED, Little, &mut self.ranked)?;
        p.int(&LEFT, Little, &mut self.left)?;
        p.int(&STATE, Little, &mut self.state)?;
        p.int(&TYPE, Little, &mut self.server)?;
        p.when(self.server == 0, "where people play", |p| {
            p.int(&WAITING, Little, &mut self.waiting)
        })?;
        p.when(self.server == 1, "a TV relay", |p| {
            p.int(&CONNECTED, Little, &mut self.connected)?;
            p.int(&MAXIMUM, Little, &mut self.maximum)
        })
    }
}

/// A server's description.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoResponse<'a> {
    pub command: CommandWord<'a>,
    pub task: u32,
    pub challenge: i32,
    pub protocol: u32,
    pub size: Size,
    pub server: ServerDetails<'a>,
}

impl<'a> Message<'a> for InfoResponse<'a> {
    const SPEC: Spec = Spec::new(
        "infoResponse",
        &["002 ET:QW version"],
        ANSWER,
        b"\xff\xffinfoResponse\0\x07\0\0\0\x01\x02\x03\x04\x13\0\x0a\0\x2c\0\0\0\
          si_map\0valley\0\0\0\
          \x03\x30\0Strogg\0\x01xx\0\0\x20\
          \x01\0\0\0\x01\x10\x27\0\0\x0a\0\x05",
    )
    .id("info-response")
    .answers(&["get-info"])
    .returns(bytes::<15, 8>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"infoResponse", &mut self.command)?;
        p.int(&TASK, Little, &mut self.task)?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol)?;
        let protocol = self.protocol;
        p.sized(&SIZE, SizeForm::of_body(Little), &mut self.size, |p| self.server.walk(p, protocol))
    }
}

/// A server's description, with statistics of each player.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoExResponse<'a> {
    pub command: CommandWord<'a>,
    pub task: u32,
    pub challenge: i32,
    pub protocol: u32,
    pub size: Size,
    pub server: ServerDetails<'a>,
    pub statistics: Records<'a>,
}

impl<'a> Message<'a> for InfoExResponse<'a> {
    const SPEC: Spec = Spec::new(
        "infoExResponse",
        &["002 ET:QW version"],
        ANSWER,
        b"\xff\xffinfoExResponse\0\x07\0\0\0\x01\x02\x03\x04\x13\0\x0a\0\x41\0\0\0\
          si_map\0valley\0\0\0\
          \x03\x30\0Strogg\0\x01xx\0\0\x20\
          \x01\0\0\0\x01\x10\x27\0\0\x0a\0\x05\
          \x03\0\0\xc0\x3fstrogg\0\x02\0\0\0\x01\0\0\0\x20",
    )
    .id("info-ex-response")
    .answers(&["get-info-ex"])
    .returns(bytes::<17, 8>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"infoExResponse", &mut self.command)?;
        p.int(&TASK, Little, &mut self.task)?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol)?;
        let protocol = self.protocol;
        p.sized(&SIZE, SizeForm::of_body(Little), &mut self.size, |p| {
            self.server.walk(p, protocol)?;
            p.view(&STATISTICS_LIST, STATISTICS, &mut self.statistics)?;
            p.lit(&LAST, b"\x20")
        })
    }
}
