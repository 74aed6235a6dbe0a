//! id's authorize server: clients send it their CD keys, servers ask it about clients.

use super::super::declare::{choices, messages};
use super::super::identifiers::word;
use super::super::{BLANK, C2M, CHALLENGE, M2C, M2S, MAYBE_BLANK, S2M, oob};
use codec::{Anomaly, CommandWord, Decimal, Field, FieldRole, Kind, Pass, Spelling, Walk};
use protocol::{ExchangeKind, Message, Refusal, Spec};

static ANONYMOUS: Field = Field::number(
    "anonymous",
    "whether the player asks not to be identified; Elite Force sends 999, meaning not documented",
)
.values(&[("0", "plays under the key's name"), ("1", "asks to stay anonymous")]);
static KEY: Field = Field::text("key", "the player's CD key").role(FieldRole::Secret);
static ADDRESS: Field =
    Field::new("address", Kind::Address, "the client's address").role(FieldRole::Address);
static GAME: Field =
    Field::text("game", "the modification's folder, or nothing").role(FieldRole::Game);
static ALLOW_ANONYMOUS: Field = Field::number(
    "allow_anonymous",
    "whether players without a verified key may join; read from released sources, the document \
     leaves it open",
)
.values(&[("0", "key needed"), ("1", "key not needed")]);
static STRICT: Field = Field::number(
    "strict",
    "whether clients that the authorize server does not know are refused; read from released \
     sources, the document leaves it open",
)
.values(&[("0", "let in"), ("1", "refused")]);
static VERDICT: Field = Field::text("verdict", "what to do with the client")
    .values(&[
        ("accept", "the key is good, let the client in"),
        ("demo", "the client runs the demo"),
        ("unknown", "the client has shown no key"),
        ("deny", "refuse the client"),
    ])
    .role(FieldRole::Verdict);
static REASON: Field = Field::text("reason", "the reason").role(FieldRole::Free).values(&[
    ("KEY_IS_GOOD", "the CD key is valid"),
    ("INVALID_CDKEY", "the CD key is not valid"),
]);

choices! {
    /// Whether the key follows at once, without the number before it. The number is short, so that no
    /// part of a key is taken for it.
    Bare { No "a number first, of three digits at most", Yes "the key alone" }
    |rest| !has_number_first(rest);
}

/// Whether one to three digits and a blank come first.
fn has_number_first(rest: &[u8]) -> bool {
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    (1..=3).contains(&digits) && rest.get(digits) == Some(&b' ')
}

static NO_NUMBER: Field = Field::separator("no number", "the number is not there");
static LACKS: [Spelling; 1] = [Spelling::odd(b"", Anomaly::Missing)];

/// A client sends its CD key to id's authorize server.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetKeyAuthorize<'a> {
    pub command: CommandWord<'a>,
    pub bare: Bare,
    pub anonymous: Decimal<'a>,
    pub no_number: u8,
    pub key: &'a [u8],
}

impl<'a> Message<'a> for GetKeyAuthorize<'a> {
    const SPEC: Spec = Spec::new(
        "getKeyAuthorize",
        &["001 1.1.3", "001 8.2"],
        C2M,
        b"\xff\xff\xff\xffgetKeyAuthorize 0 xxxxxxxxxxxxxxxx",
    )
    .id("get-key-authorize")
    .exchange(ExchangeKind::Authorization)
    .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getKeyAuthorize", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.choose(&mut self.bare, |p, bare| match bare {
            Bare::No => {
                p.decimal(&ANONYMOUS, &mut self.anonymous)?;
                p.lit(&BLANK, b" ")
            }
            Bare::Yes => p.one_of(&NO_NUMBER, &LACKS, &mut self.no_number),
        })?;
        p.text(&KEY, b"", &mut self.key)
    }
}

/// A server asks whether a client has sent a key.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetIpAuthorize<'a> {
    pub command: CommandWord<'a>,
    pub challenge: Decimal<'a>,
    pub address: &'a [u8],
    pub game: &'a [u8],
    pub allow_anonymous: Decimal<'a>,
    pub blank: u8,
    pub strict: Decimal<'a>,
}

impl<'a> Message<'a> for GetIpAuthorize<'a> {
    const SPEC: Spec = Spec::new(
        "getIpAuthorize",
        &["001 1.2.11", "001 8.3"],
        S2M,
        b"\xff\xff\xff\xffgetIpAuthorize -342390499 192.0.2.65  0",
    )
    .id("get-ip-authorize")
    .sends(word::<0>)
    .exchange(ExchangeKind::Authorization);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getIpAuthorize", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        p.text(&ADDRESS, b" ", &mut self.address)?;
        p.lit(&BLANK, b" ")?;
        p.text(&GAME, b" ", &mut self.game)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&ALLOW_ANONYMOUS, &mut self.allow_anonymous)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "since 1.32", |p| {
            p.decimal(&STRICT, &mut self.strict)
        })
    }
}

/// The authorize server's verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct IpAuthorize<'a> {
    pub command: CommandWord<'a>,
    pub challenge: Decimal<'a>,
    pub verdict: &'a [u8],
    pub blank: u8,
    pub reason: &'a [u8],
}

impl<'a> Message<'a> for IpAuthorize<'a> {
    const SPEC: Spec = Spec::new(
        "ipAuthorize",
        &["001 1.2.12", "001 8.4"],
        M2S,
        b"\xff\xff\xff\xffipAuthorize -342390499 deny INVALID_CDKEY",
    )
    .id("ip-authorize")
    .answers(&["get-ip-authorize"])
    .returns(word::<0>)
    .refusal(Refusal::Unless("accept"));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"ipAuthorize", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        p.text(&VERDICT, b" ", &mut self.verdict)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a reason", |p| {
            p.text(&REASON, b"", &mut self.reason)
        })
    }
}

static ARGUMENTS: Field =
    Field::text("arguments", "read by closed game code; only the word is known")
        .role(FieldRole::Free);

messages! {
    { command: CommandWord<'a>, blank: u8, arguments: &'a [u8] }
    |self, p, word: &'static [u8]| {
        oob(p, word, &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with arguments", |p| {
            p.text(&ARGUMENTS, b"", &mut self.arguments)
        })
    }
    /// Urban Terror's authorize server to a server; in no document, known from its sources.
    AuthServer = b"AUTH:SV", Spec::new(
        "AUTH:SV", &["001 1.2.12"], M2S, b"\xff\xff\xff\xffAUTH:SV 1 0 \"text\"",
    ).id("auth-server").exchange(ExchangeKind::Authorization).one_way().undocumented();
    /// The same to a client.
    AuthClient = b"AUTH:CL", Spec::new(
        "AUTH:CL", &["001 1.2.12"], M2C, b"\xff\xff\xff\xffAUTH:CL 1 0 \"text\"",
    ).id("auth-client").exchange(ExchangeKind::Authorization).one_way().undocumented();
}
