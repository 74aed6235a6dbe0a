//! How a server registers with a master: its heartbeat, and messages between masters.

use super::super::{BLANK, M2M, MARK, S2M, newline, oob};
use super::tags::{MEANINGS, is_shutdown};
use crate::codec::{Choice, CommandWord, Endian, Field, FieldRole, Kind, Pass, Shape, Walk};
use crate::protocol::{ExchangeKind, Message, Spec};

static TAG: Field = Field::new("tag", Kind::Text, "which game beats, or goes")
    .role(FieldRole::Game)
    .values(MEANINGS);
static ADDRESS: Field =
    Field::new("address", Kind::Address, "the server's address").role(FieldRole::Address);
static PORT: Field =
    Field::new("port", Kind::Number, "the UDP port that the server plays on").role(FieldRole::Port);

/// A server's heartbeat, or, with another tag, its shutdown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Heartbeat<'a> {
    pub command: CommandWord<'a>,
    pub tag: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for Heartbeat<'a> {
    const SPEC: Spec = Spec::new(
        "heartbeat",
        &["001 1.2.9", "001 8.1", "000 heartbeat", "004 1) heartbeat"],
        S2M,
        b"\xff\xff\xff\xffheartbeat QuakeArena-1\n",
    )
    .about(ExchangeKind::Registration)
    .leaves(is_shutdown)
    .leaves_twice();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"heartbeat", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&TAG, b" \n", &mut self.tag)?;
        newline(p, &mut self.newline)
    }
}

/// Whether a blank follows `register`; the address may begin with its code, so length decides.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Spaced {
    #[default]
    No,
    Yes,
}

impl Choice for Spaced {
    const ALL: &'static [(Self, &'static str)] =
        &[(Self::No, "six bytes left"), (Self::Yes, "seven bytes left, a blank first")];

    fn peek(rest: &[u8]) -> Self {
        match rest {
            [b' ', address @ ..] if address.len() == 6 => Self::Yes,
            _ => Self::No,
        }
    }
}

/// q3master's masters send each other a server's address.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Register<'a> {
    pub command: CommandWord<'a>,
    pub spaced: Spaced,
    pub address: [u8; 4],
    pub port: u16,
}

impl<'a> Message<'a> for Register<'a> {
    const SPEC: Spec = Spec::new(
        "register",
        &["000 register"],
        M2M,
        b"\xff\xff\xff\xffregister\xc0\xa8\x00\x02\x6d\x38",
    )
    .about(ExchangeKind::Registration)
    .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.stem(&super::super::COMMAND, b"register", &mut self.command)?;
        p.choose(&mut self.spaced, |p, spaced| match spaced {
            Spaced::No => Ok(()),
            Spaced::Yes => p.lit(&BLANK, b" "),
        })?;
        p.raw(&ADDRESS, Shape::Ipv4, &mut self.address)?;
        p.int(&PORT, Endian::Big, &mut self.port)
    }
}
