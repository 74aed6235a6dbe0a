//! How a client joins a game, in Xash3D; what servers print; commands from afar. The document shows
//! none of it.

use super::super::declare::{choices, words};
use super::super::{
    BLANK, C2S, INFO, MAYBE_BLANK, MAYBE_LF, NEWLINE, NO_YES, NOTHING, QUOTE, S2C, TEXT, USERINFO,
    newline, oob, quoted,
};
use super::keys::{CLIENT, PROTINFO, USER};
use super::{CHALLENGE, END, PROTOCOL_NUMBER};
use codec::{
    CommandWord, Decimal, Endian::Little, Field, FieldRole, Info, InfoForm, Kind, Pass, Spelling,
    Walk,
};
use protocol::{ExchangeKind, Message, Refusal, Spec};

static FOR: Field = Field::text(
    "for",
    "steam: the client is of Half-Life's later versions, or \
     Xash3D's",
);
static BANDWIDTH: Field = Field::number(
    "bandwidth test",
    "whether the client is to ask for a packet as long as it wants to get; Xash3D's",
)
.values(NO_YES);
static SIZE: Field = Field::number("size", "how long the packet is to be, in bytes");
static PROTOCOL_INFO: Field = Field::group("protinfo", "the client's program, as an infostring");
static TICKET: Field =
    Field::text("ticket", "what Steam gave the client to prove who it is").role(FieldRole::Secret);
static CHECKSUM: Field = Field::number("checksum", "CRC-32 of the bytes behind it");
static DATA: Field = Field::text("data", "bytes of a file, to fill the packet");
static NUL: Field = Field::terminator("NUL", "ends the word");
static PASSWORD: Field =
    Field::text("password", "the password for commands from afar").role(FieldRole::Secret);
static LINE: Field =
    Field::text("line", "what the server is to do; it may hold passwords").role(FieldRole::Secret);
static ARGUMENT: Field = Field::new(
    "argument mark",
    Kind::Mark,
    "encloses each word of the command; Xash3D's clients send it",
);

/// What may stand before the first word of a command.
static MAYBE_QUOTE: [Spelling; 2] = [NOTHING, Spelling::new(b"\"")];
static LINE_ENDS: [Spelling; 4] =
    [NOTHING, Spelling::new(b"\n"), Spelling::new(b"\0"), Spelling::new(b"\n\0")];

const PROTINFO_FORM: InfoForm = InfoForm { stop: b"\"", keys: &PROTINFO };
const USER_FORM: InfoForm = InfoForm { stop: b"\"", keys: &USER };
const CLIENT_FORM: InfoForm = InfoForm { stop: b"\n", keys: &CLIENT };

/// A client requests a challenge before it connects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetChallenge<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub client: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for GetChallenge<'a> {
    const SPEC: Spec =
        Spec::new("getchallenge", &["001 10"], C2S, b"\xff\xff\xff\xffgetchallenge steam\n")
            .id("get-challenge")
            .exact()
            .exchange(ExchangeKind::Connection)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getchallenge", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "in later versions", |p| {
            p.text(&FOR, b" \n", &mut self.client)
        })?;
        newline(p, &mut self.newline)
    }
}

/// A server sends a challenge for a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConnectChallenge<'a> {
    pub command: CommandWord<'a>,
    pub challenge: Decimal<'a>,
    pub blank: u8,
    pub bandwidth: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ConnectChallenge<'a> {
    const SPEC: Spec =
        Spec::new("challenge", &["001 10"], S2C, b"\xff\xff\xff\xffchallenge 1804289383 1")
            .id("connect-challenge")
            .exact()
            .excluded(is_for_rcon)
            .answers(&["get-challenge", "bandwidth"])
            .continues()
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"challenge", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from Xash3D", |p| {
            p.decimal(&BANDWIDTH, &mut self.bandwidth)
        })?;
        newline(p, &mut self.newline)
    }
}

fn is_for_rcon(bytes: &[u8]) -> bool {
    bytes.get(4..).is_some_and(|word| word.starts_with(b"challenge rcon"))
}

/// A client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connect<'a> {
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub challenge: Decimal<'a>,
    pub program: Info<'a>,
    pub user: Info<'a>,
    pub newline: u8,
    pub has_ticket: bool,
    pub ticket: &'a [u8],
}

impl<'a> Message<'a> for Connect<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 10"],
        C2S,
        b"\xff\xff\xff\xffconnect 49 1804289383 \"\\d\\1\\v\\0.21.1\\b\\4100\\o\\linux\\a\\amd64\
          \\uuid\\00112233445566778899aabbccddeeff\\qport\\1234\\ext\\3\" \
          \"\\name\\Alfa\\model\\gordon\\rate\\25000\"\n",
    )
    .exact()
    .exchange(ExchangeKind::Connection)
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"connect", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &PROTOCOL_INFO, PROTINFO_FORM, &mut self.program)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &USERINFO, USER_FORM, &mut self.user)?;
        newline(p, &mut self.newline)?;
        p.more(&mut self.has_ticket, "with Steam", |p| p.text(&TICKET, b"", &mut self.ticket))
    }
}

/// A server accepts a client.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClientConnect<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ClientConnect<'a> {
    const SPEC: Spec =
        Spec::new("client_connect", &["001 10"], S2C, b"\xff\xff\xff\xffclient_connect \\ext\\3")
            .id("client-connect")
            .exact()
            .answers(&["connect"])
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"client_connect", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with what both can do", |p| {
            p.view(&INFO, CLIENT_FORM, &mut self.info)
        })?;
        newline(p, &mut self.newline)
    }
}

/// A client of Xash3D asks for a packet of a length, to see whether it arrives.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bandwidth<'a> {
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub size: Decimal<'a>,
    pub blank: u8,
    pub challenge: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Bandwidth<'a> {
    const SPEC: Spec =
        Spec::new("bandwidth", &["001 10"], C2S, b"\xff\xff\xff\xffbandwidth 49 1400 1804289383\n")
            .exchange(ExchangeKind::Connection)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"bandwidth", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&SIZE, &mut self.size)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "in later versions", |p| {
            p.decimal(&CHALLENGE, &mut self.challenge)
        })?;
        newline(p, &mut self.newline)
    }
}

/// A packet of the length that the client asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TestPacket<'a> {
    pub command: CommandWord<'a>,
    pub checksum: u32,
    pub data: &'a [u8],
}

impl<'a> Message<'a> for TestPacket<'a> {
    const SPEC: Spec = Spec::new(
        "testpacket",
        &["001 10"],
        S2C,
        b"\xff\xff\xff\xfftestpacket\0\x01\x02\x03\x04gfx",
    )
    .id("test-packet")
    .answers(&["bandwidth"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"testpacket", &mut self.command)?;
        p.lit(&NUL, b"\0")?;
        p.int(&CHECKSUM, Little, &mut self.checksum)?;
        p.text(&DATA, b"", &mut self.data)
    }
}

super::super::declare::messages! {
    { command: CommandWord<'a>, text: &'a [u8], end: u8 }
    |self, p, word: &'static [u8]| {
        oob(p, word, &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.text(&TEXT, b"\0", &mut self.text)?;
        p.one_of(&END, &super::MAYBE_NUL, &mut self.end)
    }
    /// A server of Xash3D refuses a client, and says why.
    ErrorMessage = b"errormsg", Spec::new(
        "errormsg", &["001 10"], S2C, b"\xff\xff\xff\xfferrormsg\nbad password\n",
    ).id("error-message").answers(&["connect", "get-challenge", "bandwidth"])
        .refusal(Refusal::Always).undocumented();
    /// A server's text for the client's console.
    Print = b"print", Spec::new(
        "print", &["001 10"], S2C, b"\xff\xff\xff\xffprint\nbad password\n",
    ).answers(&["rcon", "connect"]).refusal(Refusal::Always)
        // Quake 2's servers answer `status` with it.
        .excluded(|bytes| bytes.get(9..).is_some_and(|behind| behind.starts_with(b"\n\\")))
        .undocumented();
}

words! {
    /// A server ends a connection.
    Disconnect = b"disconnect", &MAYBE_LF, Spec::new(
        "disconnect", &["001 10"], S2C, b"\xff\xff\xff\xffdisconnect\n",
    ).exact().exchange(ExchangeKind::Connection).one_way().undocumented();
    /// A client requests a challenge for a command to the server, which Half-Life wants.
    RconChallenge = b"challenge rcon", &MAYBE_LF, Spec::new(
        "rcon challenge", &["001 10"], C2S, b"\xff\xff\xff\xffchallenge rcon\n",
    ).id("rcon-challenge").exact().exchange(ExchangeKind::Command).undocumented();
}

/// A server sends a challenge for a command.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconChallengeReply<'a> {
    pub command: CommandWord<'a>,
    pub challenge: Decimal<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for RconChallengeReply<'a> {
    const SPEC: Spec = Spec::new(
        "rcon challenge",
        &["001 10"],
        S2C,
        b"\xff\xff\xff\xffchallenge rcon 3141592653\n",
    )
    .id("rcon-challenge-reply")
    .exact()
    .answers(&["rcon-challenge"])
    .continues()
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"challenge rcon", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

choices! {
    /// How a command proves that its sender may send it: Half-Life's with a challenge and the password
    /// in quotes.
    RconForm { Plain "a password", Challenged "a challenge, and a password in quotes" }
    |rest| is_challenged(rest);
}

/// Whether a number, a text in quotes and a command without quotes follow. Where a password is a
/// number, Xash3D's commands begin alike; all of their words are in quotes.
fn is_challenged(rest: &[u8]) -> bool {
    let digits = rest.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
    let behind = rest.get(1 + digits..).and_then(|b| b.strip_prefix(b" \""));
    let mut parts = behind.unwrap_or_default().splitn(2, |b| *b == b'"').skip(1);
    let command = parts.next();
    digits > 0 && matches!(command, Some([b' ', first, ..]) if !b"\" \n\0".contains(first))
}

/// A command for the server, from a user with its password.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rcon<'a> {
    pub command: CommandWord<'a>,
    pub form: RconForm,
    pub challenge: Decimal<'a>,
    pub password: &'a [u8],
    pub blank: u8,
    pub quoted: u8,
    pub line: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for Rcon<'a> {
    const SPEC: Spec = Spec::new(
        "rcon",
        &["001 10"],
        C2S,
        b"\xff\xff\xff\xffrcon 3141592653 \"swordfish\" status",
    )
    .exact()
    .exchange(ExchangeKind::Command)
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"rcon", &mut self.command)?;
        p.choose(&mut self.form, |p, form| {
            p.lit(&BLANK, b" ")?;
            match form {
                RconForm::Plain => p.text(&PASSWORD, b" \n\0", &mut self.password),
                RconForm::Challenged => {
                    p.decimal(&CHALLENGE, &mut self.challenge)?;
                    p.lit(&BLANK, b" ")?;
                    p.lit(&QUOTE, b"\"")?;
                    p.text(&PASSWORD, b"\"", &mut self.password)?;
                    p.lit(&QUOTE, b"\"")
                }
            }
        })?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a command", |p| {
            p.one_of(&ARGUMENT, &MAYBE_QUOTE, &mut self.quoted)?;
            p.text(&LINE, b"\n\0", &mut self.line)
        })?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}
