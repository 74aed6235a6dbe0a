//! What clients ask a server: Half-Life's queries of one word, and Xash3D's. The document shows
//! none of them.

use super::super::declare::{choices, messages};
use super::super::{
    BLANK, C2S, INFO, MAYBE_BLANK, MAYBE_LF, NEWLINE, NOTHING, S2C, TEXT, newline, oob,
};
use super::keys::{INFOSTRING, NETINFO};
use super::{END, ENDS, PROTOCOL_NUMBER};
use codec::{CommandWord, Decimal, Field, Info, InfoForm, Pass, Spelling, Walk};
use protocol::{Message, Spec};

static CONTEXT: Field =
    Field::number("context", "a number of the client's, which comes back in the reply");
static TYPE: Field = Field::number("type", "what is asked for").values(&[
    ("0", "nothing"),
    ("1", "how long a packet takes"),
    ("2", "settings"),
    ("3", "players"),
    ("4", "name, map and players"),
]);

/// `info` in all spellings: Half-Life's ends in a NUL or at once, Xash3D's has a number.
static INFO_ENDS: [Spelling; 3] = [Spelling::new(b"\0"), NOTHING, Spelling::new(b"\n")];
/// What stands between the word and the infostring.
static LEADS: [Spelling; 3] = [Spelling::new(b"\0"), Spelling::new(b"\n"), NOTHING];

messages! {
    { command: CommandWord<'a>, end: u8 }
    |self, p, word: &'static [u8]| {
        oob(p, word, &mut self.command)?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
    /// A client measures how long a packet to a server takes.
    Ping = b"ping", Spec::new("ping", &["001 10"], C2S, b"\xff\xff\xff\xffping\0")
        .exact().undocumented();
    /// A client requests a server's players.
    Players = b"players", Spec::new("players", &["001 10"], C2S, b"\xff\xff\xff\xffplayers\0")
        .exact().undocumented();
    /// A client requests a server's settings.
    Rules = b"rules", Spec::new("rules", &["001 10"], C2S, b"\xff\xff\xff\xffrules\0")
        .exact().undocumented();
    /// A client requests a server's full description.
    Details = b"details", Spec::new("details", &["001 10"], C2S, b"\xff\xff\xff\xffdetails\0")
        .exact().undocumented();
    /// A client requests a server's description as an infostring.
    InfoString = b"infostring", Spec::new(
        "infostring", &["001 10"], C2S, b"\xff\xff\xff\xffinfostring\0",
    ).exact().undocumented();
    /// A server of Xash3D answers a ping.
    Ack = b"ack", Spec::new("ack", &["001 10"], S2C, b"\xff\xff\xff\xffack")
        .exact().answers(&["ping"]).undocumented();
}

/// A client requests a server's short description. Xash3D's clients send the number of their
/// protocol, as Quake 2's do.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoRequest<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub protocol: Decimal<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for InfoRequest<'a> {
    const SPEC: Spec =
        Spec::new("info", &["001 10"], C2S, b"\xff\xff\xff\xffinfo\0").exact().undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"info", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from Xash3D", |p| {
            p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)
        })?;
        p.one_of(&END, &INFO_ENDS, &mut self.end)
    }
}

choices! {
    /// What a server of Xash3D answers: settings, or a sentence why there are none.
    Answered { Text "a text", Settings "settings: a backslash first" }
    |rest| rest.starts_with(b"\\");
}

/// A server of Xash3D describes itself, or says that its protocol is another one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoReply<'a> {
    pub command: CommandWord<'a>,
    pub answered: Answered,
    pub text: &'a [u8],
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for InfoReply<'a> {
    const SPEC: Spec = Spec::new(
        "info",
        &["001 10"],
        S2C,
        b"\xff\xff\xff\xffinfo\n\\p\\49\\map\\crossfire\\dm\\1\\team\\0\\coop\\0\\numcl\\3\
          \\maxcl\\16\\gamedir\\valve\\password\\0\\host\\A server",
    )
    .id("info-reply")
    .exact()
    // Warsow's reply separates by two backslashes.
    .excluded(|bytes| bytes.get(4 + b"info\n".len()..).is_some_and(|b| b.starts_with(br"\\")))
    .answers(&["info"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"info", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.choose(&mut self.answered, |p, answered| match answered {
            Answered::Text => p.text(&TEXT, b"\n", &mut self.text),
            Answered::Settings => p.view(&INFO, super::TO_LF, &mut self.info),
        })?;
        newline(p, &mut self.newline)
    }
}

/// A client of old versions of Xash3D asks for one kind of information.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NetInfo<'a> {
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub context: Decimal<'a>,
    pub kind: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for NetInfo<'a> {
    const SPEC: Spec = Spec::new("netinfo", &["001 10"], C2S, b"\xff\xff\xff\xffnetinfo 48 7 4")
        .excluded(|bytes| numbers(bytes) < 3)
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"netinfo", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CONTEXT, &mut self.context)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&TYPE, &mut self.kind)?;
        newline(p, &mut self.newline)
    }
}

const NET_INFO: InfoForm = InfoForm { stop: b"\n", keys: &NETINFO };

/// The reply of a server of old versions of Xash3D: nothing to a ping, settings, or its players with
/// their points and times.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NetInfoReply<'a> {
    pub command: CommandWord<'a>,
    pub context: Decimal<'a>,
    pub kind: Decimal<'a>,
    pub blank: u8,
    pub answered: Answered,
    pub text: &'a [u8],
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for NetInfoReply<'a> {
    const SPEC: Spec = Spec::new(
        "netinfo",
        &["001 10"],
        S2C,
        b"\xff\xff\xff\xffnetinfo 7 4 \\hostname\\A server\\gamedir\\valve\\current\\3\\max\\16\
          \\map\\crossfire\n",
    )
    .id("netinfo-reply")
    .excluded(|bytes| numbers(bytes) >= 3)
    .answers(&["netinfo"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"netinfo", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CONTEXT, &mut self.context)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&TYPE, &mut self.kind)?;
        p.one_of(&BLANK, &MAYBE_BLANK, &mut self.blank)?;
        p.choose(&mut self.answered, |p, answered| match answered {
            Answered::Text => p.text(&TEXT, b"\n", &mut self.text),
            Answered::Settings => p.view(&INFO, NET_INFO, &mut self.info),
        })?;
        p.one_of(&NEWLINE, &MAYBE_LF, &mut self.newline)
    }
}

/// How many numbers stand behind the word: a request has three, a reply two.
fn numbers(bytes: &[u8]) -> usize {
    let words = bytes.split(u8::is_ascii_whitespace).skip(1);
    words.take_while(|word| !word.is_empty() && word.iter().all(u8::is_ascii_digit)).count()
}

/// A server's description as an infostring.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoStringResponse<'a> {
    pub command: CommandWord<'a>,
    pub lead: u8,
    pub info: Info<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for InfoStringResponse<'a> {
    const SPEC: Spec = Spec::new(
        "infostringresponse",
        &["001 10.3"],
        S2C,
        b"\xff\xff\xff\xffinfostringresponse\0\\protocol\\46\\address\\192.0.2.15:27015\\players\\3\
          \\max\\16\\bots\\0\\gamedir\\valve\\hostname\\A server\\map\\crossfire\\type\\d",
    )
    .id("infostring-response")
    .answers(&["infostring"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"infostringresponse", &mut self.command)?;
        p.one_of(&END, &LEADS, &mut self.lead)?;
        p.view(&INFO, INFOSTRING, &mut self.info)?;
        p.one_of(&END, &super::MAYBE_NUL, &mut self.end)
    }
}
