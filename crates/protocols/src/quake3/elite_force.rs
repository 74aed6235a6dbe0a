//! Where Star Trek: Voyager Elite Force differs: a list in hex digits, a description in quotes, and
//! a heartbeat of pairs, as GameSpy has them, after Quake's mark.

use super::super::declare::messages;
use super::super::identifiers::challenge_key;
use super::super::{
    ANSWER, BLANK, COMMAND, INFO, M2C, MARK, NOTHING, S2M, SERVERS, newline, oob, quoted,
};
use super::TO_QUOTE;
use super::list::{END, ENDS, is_hex};
use codec::{
    AddrForm, Addrs, CommandWord, Decimal, Field, FieldRole, Info, Kind, Pass, QUAKE3_HEX,
    Spelling, Walk,
};
use protocol::{ExchangeKind, HeartbeatInterval, Message, Spec};

static PORT: Field =
    Field::number("port", "the UDP port that the server plays on").role(FieldRole::Port);
static KEY: Field = Field::new("key", Kind::Key, "the name of the value that follows");
static BACKSLASH: Field = Field::separator("backslash", "parts keys and values");
static GAMENAME: Field =
    Field::text("gamename", "which game the server is of; STEF1 in the document")
        .role(FieldRole::Game);

/// A master's list in hex digits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HexList<'a> {
    pub command: CommandWord<'a>,
    pub servers: Addrs<'a>,
    pub end: u8,
}

impl HexList<'_> {
    /// The form of its records.
    pub const FORM: AddrForm = QUAKE3_HEX;
}

impl<'a> Message<'a> for HexList<'a> {
    const SPEC: Spec = Spec::new(
        "getserversResponse",
        &["001 4.1.2"],
        M2C,
        b"\xff\xff\xff\xffgetserversResponse \\82d7821c6d3b\\EOT",
    )
    .id("getservers-response-hex")
    .excluded(|bytes| !is_hex(bytes))
    .answers(&["getservers"])
    .has_end_mark();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getserversResponse", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.view(&SERVERS, Self::FORM, &mut self.servers)?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
}

/// A server's short description, in quotes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QuotedInfo<'a> {
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for QuotedInfo<'a> {
    const SPEC: Spec = Spec::new(
        "infoResponse",
        &["001 4.2.2"],
        ANSWER,
        b"\xff\xff\xff\xffinfoResponse \"\\challenge\\xxx\\protocol\\24\"",
    )
    .id("info-response-quoted")
    .echo_keys(&["challenge"])
    .answers(&["getinfo"])
    .returns(challenge_key);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"infoResponse", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &INFO, TO_QUOTE, &mut self.info)?;
        newline(p, &mut self.newline)
    }
}

static LAST_BACKSLASH: [Spelling; 2] = [Spelling::new(b"\\"), NOTHING];

messages! {
    { port: Decimal<'a>, gamename: &'a [u8], last: u8 }
    |self, p, word: &'static [u8]| {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, word)?;
        p.decimal(&PORT, &mut self.port)?;
        p.lit(&BACKSLASH, b"\\")?;
        p.lit(&KEY, b"gamename")?;
        p.lit(&BACKSLASH, b"\\")?;
        p.text(&GAMENAME, b"\\", &mut self.gamename)?;
        p.one_of(&BACKSLASH, &LAST_BACKSLASH, &mut self.last)
    }
    /// A server's heartbeat, with its port.
    HeartbeatPairs = b"\\heartbeat\\", Spec::new(
        "heartbeat", &["001 4.2.9"], S2M,
        b"\xff\xff\xff\xff\\heartbeat\\27960\\gamename\\STEF1\\",
    ).id("heartbeat-pairs").exchange(ExchangeKind::Registration).has_query_port()
    .every(&[HeartbeatInterval::new(300, "001 1.2.9")]);
    /// A server tells its master that it shuts down.
    Heartstop = b"\\heartstop\\", Spec::new(
        "heartstop", &["001 4.2.11"], S2M,
        b"\xff\xff\xff\xff\\heartstop\\27960\\gamename\\STEF1\\",
    ).exchange(ExchangeKind::Shutdown).has_query_port().one_way();
}
