//! How a server registers with a master: its heartbeat, and messages between masters.

use super::super::declare::choices;
use super::super::{BLANK, M2M, MARK, S2M, newline, oob};
use super::tags::{MEANINGS, is_shutdown};
use codec::{CommandWord, Endian, Field, FieldRole, Kind, Pass, Shape, Walk};
use protocol::{ExchangeKind, HeartbeatInterval, Message, Spec};

static TAG: Field = Field::text("tag", "the game that sends the heartbeat, or shuts down")
    .role(FieldRole::Game)
    .values(MEANINGS);
static ADDRESS: Field =
    Field::new("address", Kind::Address, "the server's address").role(FieldRole::Address);
static PORT: Field =
    Field::number("port", "the UDP port that the server plays on").role(FieldRole::Port);

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
    .exchange(ExchangeKind::Registration)
    .every(&[HeartbeatInterval::new(300, "001 1.2.9")])
    .shutdown(is_shutdown)
    .shutdown_if_repeated();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"heartbeat", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&TAG, b" \n", &mut self.tag)?;
        newline(p, &mut self.newline)
    }
}

choices! {
    /// Whether a blank follows `register`; the address may begin with its code, so length decides.
    Spaced { No "six bytes left", Yes "seven bytes left, a blank first" }
    |rest| rest.len() == 7 && rest.starts_with(b" ");
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
    .exchange(ExchangeKind::Registration)
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
