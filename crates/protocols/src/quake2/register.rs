//! How a server registers with a master, stays registered, and shuts down.

use super::super::declare::words;
use super::super::{
    BLANK, COMMAND, INFO, LINES, M2S, MARK, MAYBE_BLANK, NEWLINE, NOTHING, S2M, newline, oob,
};
use super::TO_LF;
use crate::quake3::PLAYERS;
use Role::{Client, Master, Server};
use codec::{Anomaly, CommandWord, Decimal, Field, FieldRole, Info, Lines, Pass, Spelling, Walk};
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

/// Quetoo's heartbeat: first with 0, which the master answers with a challenge, then with that.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengedHeartbeat<'a> {
    pub command: CommandWord<'a>,
    pub challenge: Decimal<'a>,
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ChallengedHeartbeat<'a> {
    const SPEC: Spec = Spec::new(
        "heartbeat",
        &["001 3.1"],
        S2M,
        b"\xff\xff\xff\xffheartbeat 3735928559\n\\sv_hostname\\A server\\mapname\\edge\\protocol\\2026\n",
    )
    .id("challenged-heartbeat")
    .excluded(|bytes| !is_challenged(bytes))
    .exchange(ExchangeKind::Registration)
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"heartbeat", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&HEARTBEAT_CHALLENGE, &mut self.challenge)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        newline(p, &mut self.newline)
    }
}

/// The challenge of Quetoo's master.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MasterChallenge<'a> {
    pub command: CommandWord<'a>,
    pub challenge: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for MasterChallenge<'a> {
    const SPEC: Spec =
        Spec::new("challenge", &["001 3.1"], M2S, b"\xff\xff\xff\xffchallenge 3735928559\n")
            .id("master-challenge")
            // A server's to its client has no newline.
            .excluded(|bytes| !bytes.ends_with(b"\n"))
            .answer_only()
            .answers(&["challenged-heartbeat"])
            .continues()
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"challenge", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&HEARTBEAT_CHALLENGE, &mut self.challenge)?;
        newline(p, &mut self.newline)
    }
}

static HEARTBEAT_CHALLENGE: Field =
    Field::number("challenge", "what the master sent; 0 asks for one")
        .role(FieldRole::Challenge)
        .values(&[("0", "none yet: asks for one")]);

/// Whether a number and settings follow the word.
fn is_challenged(bytes: &[u8]) -> bool {
    let behind = bytes.get(b"\xff\xff\xff\xffheartbeat ".len()..).unwrap_or_default();
    let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && behind.get(digits..).is_some_and(|rest| rest.starts_with(b"\n\\"))
}

/// A server tells its master that it shuts down; Quetoo's with its challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shutdown<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub challenge: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Shutdown<'a> {
    const SPEC: Spec =
        Spec::new("shutdown", &["001 2.1.1", "001 3.3"], S2M, b"\xff\xff\xff\xffshutdown")
            .exchange(ExchangeKind::Shutdown)
            .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"shutdown", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from Quetoo's servers", |p| {
            p.decimal(&HEARTBEAT_CHALLENGE, &mut self.challenge)
        })?;
        p.one_of(&NEWLINE, &super::WORD_ENDS, &mut self.newline)
    }
}

words! {
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
    .answers(&["ping", "challenged-heartbeat"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.one_of(&LEAD, &LEADS, &mut self.lead)?;
        p.word(&COMMAND, b"ack", &mut self.command)?;
        newline(p, &mut self.newline)
    }
}
