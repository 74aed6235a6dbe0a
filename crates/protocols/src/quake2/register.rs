//! How a server registers with a master, stays registered, and shuts down.

use super::super::declare::words;
use super::super::{COMMAND, INFO, LINES, MARK, NEWLINE, NOTHING, S2M, newline, oob};
use super::TO_LF;
use crate::quake3::PLAYERS;
use Role::{Client, Master, Server};
use codec::{Anomaly, CommandWord, Field, Info, Lines, Pass, Spelling, Walk};
use protocol::{ExchangeKind, HeartbeatInterval, Message, Role, Spec};

/// A server's heartbeat, with all of its data.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Heartbeat<'a> {
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub players: Lines<'a>,
}

impl<'a> Message<'a> for Heartbeat<'a> {
    const SPEC: Spec = Spec::new(
        "heartbeat",
        &["001 2.1.2", "001 3.1"],
        S2M,
        b"\xff\xff\xff\xffheartbeat\n\\mapname\\q2dm1\\protocol\\34\n-2 17 \"ChickenMan\"\n",
    )
    .exchange(ExchangeKind::Registration)
    .every(&[
        HeartbeatInterval::of_game("heretic2", 300, "001 2.1.2"),
        HeartbeatInterval::new(300, "001 3.1"),
    ])
    .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"heartbeat", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&LINES, PLAYERS, &mut self.players)
    }
}

words! {
    /// A server tells its master that it shuts down.
    Shutdown = b"shutdown", &super::WORD_ENDS, Spec::new(
        "shutdown", &["001 2.1.1", "001 3.3"], S2M, b"\xff\xff\xff\xffshutdown",
    ).exchange(ExchangeKind::Shutdown).one_way();
    /// A server that starts asks whether its master is reachable; a master asks servers that have
    /// long been silent, and a client asks servers. Alone it says nothing of who sent it.
    Ping = b"ping", &super::WORD_ENDS, Spec::new(
        "ping", &["001 3.13", "001 2.1.10"],
        &[(Server, Master), (Client, Server), (Master, Server)], b"\xff\xff\xff\xffping",
    ).exchange(ExchangeKind::Registration);
}

static LEAD: Field = Field::separator("lead", "a letter too many, in the document's hexdump alone");
static LEADS: [Spelling; 2] = [NOTHING, Spelling::odd(b"p", Anomaly::Spelling)];

/// The answer of a master or server to a ping. The document's hexdump spells it `pack`, its text
/// `ack`; the released programs have `ack`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ack<'a> {
    pub lead: u8,
    pub command: CommandWord<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Ack<'a> {
    const SPEC: Spec = Spec::new(
        "ack",
        &["001 3.14"],
        &[(Master, Server), (Server, Client), (Server, Master)],
        b"\xff\xff\xff\xffack",
    )
    .answers(&["ping"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.one_of(&LEAD, &LEADS, &mut self.lead)?;
        p.word(&COMMAND, b"ack", &mut self.command)?;
        newline(p, &mut self.newline)
    }
}
