//! How a client joins a game.

use super::super::declare::words;
use super::super::{
    BLANK, C2S, CHALLENGE, MAYBE_BLANK, NEWLINE, OFF_ON, RemoteCommand, S2C, USERINFO, oob, quoted,
};
use super::settings::SettingWords;
use super::{PROTOCOL_NUMBER, TO_QUOTE, WARSOW};
use codec::{CommandWord, Decimal, Field, FieldRole, Info, Pass, Walk};
use protocol::{ExchangeKind, Message, Spec};

static QPORT: Field = Field::number(
    "qport",
    "a random number that tells clients behind one address apart; the document does not know it, \
     the released sources do",
);

static OFFERS: Field = Field::text(
    "offers",
    "what the server can do: p= and the protocols that it speaks; Q2PRO, R1Q2 and Yamagi, in no \
     document",
);

static LENGTH: Field = Field::number(
    "max_length",
    "the longest message that the client takes, in bytes; R1Q2 and Q2PRO, in no document",
)
.values(&[("0", "as long as the server likes")]);
static CHANNEL: Field = Field::number("channel", "how packets are put together; Q2PRO")
    .values(&[("0", "as in Quake 2"), ("1", "as Q2PRO does")]);
static COMPRESSION: Field =
    Field::number("compression", "1: the client can inflate messages; Q2PRO").values(OFF_ON);
static MINOR: Field = Field::number("minor", "the protocol's minor version; R1Q2 and Q2PRO");
/// Q2PRO's protocol: it has two more numbers than R1Q2's.
const Q2PRO: i64 = 36;

/// A client requests a challenge before it connects. Quake III's has no newline.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetChallenge<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for GetChallenge<'a> {
    const SPEC: Spec = Spec::new(
        "getchallenge",
        &["001 2.1.6", "001 3.8"],
        C2S,
        b"\xff\xff\xff\xffgetchallenge\n",
    )
    .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getchallenge", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")
    }
}

words! {
    /// A server behind a firewall asks a client that waits for it to connect. In no document; Q2PRO
    /// sends it.
    PassiveConnect = b"passive_connect", &super::WORD_ENDS, Spec::new(
        "passive_connect", &["001 3"], S2C, b"\xff\xff\xff\xffpassive_connect\n",
    ).id("passive-connect").exchange(ExchangeKind::Connection).one_way().undocumented();
}

static SETTINGS: Field =
    Field::group("settings", "what later programs add; clients ignore what they do not know");
static SETTING_KEYS: &[Field] = &[
    Field::text("ac", "1: the server uses anticheat; R1Q2 and Q2PRO").values(OFF_ON),
    Field::text("dlserver", "where to download files; R1Q2, Q2PRO and Yamagi")
        .role(FieldRole::Free),
    Field::text("map", "the map being played; Q2PRO").role(FieldRole::Map),
    Field::text("nc", "how packets are put together; Q2PRO")
        .values(&[("0", "as in Quake 2"), ("1", "as Q2PRO does")]),
];

/// A server accepts a client; or it sends the client to another server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClientConnect<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub settings: SettingWords<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ClientConnect<'a> {
    const SPEC: Spec = Spec::new(
        "client_connect",
        &["001 2.1.9", "001 3.11"],
        S2C,
        b"\xff\xff\xff\xffclient_connect",
    )
    .id("client-connect")
    .answers(&["connect"])
    .shared_with(WARSOW);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"client_connect", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from later programs", |p| {
            p.view(&SETTINGS, SETTING_KEYS, &mut self.settings)
        })?;
        p.one_of(&NEWLINE, &super::WORD_ENDS, &mut self.newline)
    }
}

/// A server sends a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub command: CommandWord<'a>,
    pub challenge: &'a [u8],
    pub blank: u8,
    pub offers: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec =
        Spec::new("challenge", &["001 2.1.7", "001 3.9"], S2C, b"\xff\xff\xff\xffchallenge 22695")
            .answers(&["getchallenge"])
            .continues();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"challenge", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&CHALLENGE, b" \n\0", &mut self.challenge)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from later programs", |p| {
            p.text(&OFFERS, b"\n\0", &mut self.offers)
        })?;
        p.one_of(&NEWLINE, &super::WORD_ENDS, &mut self.newline)
    }
}

/// A client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connect<'a> {
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub qport: Decimal<'a>,
    pub challenge: Decimal<'a>,
    pub info: Info<'a>,
    pub blanks: [u8; 4],
    pub max_length: Decimal<'a>,
    pub channel: Decimal<'a>,
    pub compression: Decimal<'a>,
    pub minor: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Connect<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 2.1.8", "001 3.10"],
        C2S,
        b"\xff\xff\xff\xffconnect 34 810 22695 \"\\name\\ChickenMan\\hand\\0\"\n",
    )
    .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"connect", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&QPORT, &mut self.qport)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &USERINFO, TO_QUOTE, &mut self.info)?;
        let [first, second, third, fourth] = &mut self.blanks;
        let why = "from later programs";
        p.led(&BLANK, &MAYBE_BLANK, first, why, |p| p.decimal(&LENGTH, &mut self.max_length))?;
        p.when(self.protocol.get() == Q2PRO, "protocol 36", |p| {
            p.led(&BLANK, &MAYBE_BLANK, second, why, |p| p.decimal(&CHANNEL, &mut self.channel))?;
            p.led(&BLANK, &MAYBE_BLANK, third, why, |p| {
                p.decimal(&COMPRESSION, &mut self.compression)
            })
        })?;
        p.led(&BLANK, &MAYBE_BLANK, fourth, why, |p| p.decimal(&MINOR, &mut self.minor))?;
        p.one_of(&NEWLINE, &super::WORD_ENDS, &mut self.newline)
    }
}

/// A command for the server, from a user with its password. In no document.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rcon<'a> {
    pub command: CommandWord<'a>,
    pub remote: RemoteCommand<'a>,
}

impl<'a> Message<'a> for Rcon<'a> {
    const SPEC: Spec =
        Spec::new("rcon", &["001 3"], C2S, b"\xff\xff\xff\xffrcon swordfish status\n")
            .exchange(ExchangeKind::Command)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"rcon", &mut self.command)?;
        self.remote.walk(p)
    }
}
