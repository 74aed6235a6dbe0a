//! How a client joins a game, and the server's messages meanwhile.

use super::super::declare::{choices, messages};
use super::super::identifiers::word;
use super::super::{
    BLANK, C2S, CHALLENGE, COMMAND, M2S, MAYBE_BLANK, NEWLINE, NOTHING, QUOTE, S2C, S2M, TEXT,
    USERINFO, newline, quoted,
};
use super::{PROTOCOL_NUMBER, TO_LF, TO_QUOTE, marked};
use codec::{
    Anomaly, Body, Choice, Coded, CommandWord, Decimal, Field, FieldRole, Huffman, Info, Kind,
    Pass, Spelling, Tokens, Walk,
};
use protocol::{ExchangeKind, Message, Refusal, Spec};

static CLIENT_CHALLENGE: Field = Field::text(
    "client_challenge",
    "the client's own challenge, sent back to it; ioquake3 and programs made from it, in no document",
)
.role(FieldRole::Challenge);
static GAMENAME: Field = Field::text(
    "gamename",
    "the game that the client wants to play; ioquake3 and programs made from it, in no document",
)
.role(FieldRole::Game);
static GUID: Field =
    Field::text("guid", "a lasting identifier of the player; CoD4x, in no document")
        .role(FieldRole::Secret);
static EXTENSION: Field =
    Field::text("extension", "xproto: a protocol of the program's own follows");
static XPROTO: Field = Field::number("xproto", "the number of CoD4x's own protocol");
static FOLDER: Field = Field::text("fs_game", "the modification's folder; CoD4x, in no document")
    .role(FieldRole::Game);
static QPORT: Field =
    Field::number("qport", "a random number that tells clients behind one address apart");
static FLAGS: Field = Field::group("flags", "numbers that Warsow's and Warfork's clients send");
static FLAG: Field = Field::text("flag", "one number");
static CODED: Field =
    Field::new("coded", Kind::Coded, "the player's settings, in Quake III's adaptive Huffman code");

/// Quake 2's `getchallenge` ends in a newline, Quake III's does not.
static RARE_LF: [Spelling; 2] = [NOTHING, Spelling::odd(b"\n", Anomaly::Spelling)];

/// A client requests a challenge before it connects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetChallenge<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub client_challenge: &'a [u8],
    pub named: u8,
    pub form: NameForm,
    pub gamename: &'a [u8],
    pub guid: &'a [u8],
    pub newline: u8,
}

choices! {
    /// What follows a client's challenge.
    NameForm { Game "the game's name", Guid "an identifier in quotes" }
    |rest| rest.starts_with(b"\"");
    /// What follows the word of an acceptance.
    AcceptForm { Challenge "a number", Folder "a modification's folder" }
    |rest| !rest.first().is_some_and(|b| b.is_ascii_digit() || *b == b'-');
}

impl<'a> Message<'a> for GetChallenge<'a> {
    const SPEC: Spec =
        Spec::new("getchallenge", &["001 1.2.5", "001 11.9"], C2S, b"\xff\xff\xff\xffgetchallenge")
            .exchange(ExchangeKind::Connection)
            .rare_directions(M2S)
            .sends(word::<0>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"getchallenge", &mut self.mark, &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from ioquake3", |p| {
            p.text(&CLIENT_CHALLENGE, b" \n", &mut self.client_challenge)?;
            p.led(&BLANK, &MAYBE_BLANK, &mut self.named, "with the game's name", |p| {
                p.choose(&mut self.form, |p, form| match form {
                    NameForm::Game => p.text(&GAMENAME, b" \n", &mut self.gamename),
                    NameForm::Guid => {
                        p.lit(&QUOTE, b"\"")?;
                        p.text(&GUID, b"\"", &mut self.guid)?;
                        p.lit(&QUOTE, b"\"")
                    }
                })
            })
        })?;
        p.one_of(&NEWLINE, &RARE_LF, &mut self.newline)
    }
}

/// A server sends a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeResponse<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub challenge: &'a [u8],
    pub blank: u8,
    pub client_challenge: &'a [u8],
    pub numbered: u8,
    pub protocol: Decimal<'a>,
    pub extended: u8,
    pub extension: &'a [u8],
    pub xproto: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ChallengeResponse<'a> {
    const SPEC: Spec = Spec::new(
        "challengeResponse",
        &["001 1.2.6", "001 11.10"],
        S2C,
        b"\xff\xff\xff\xffchallengeResponse 96116651",
    )
    .id("challenge-response")
    .answers(&["getchallenge", "authorize-this"])
    .returns(word::<1>)
    .continues()
    .rare_directions(S2M);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"challengeResponse", &mut self.mark, &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&CHALLENGE, b" \n", &mut self.challenge)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from ioquake3", |p| {
            p.text(&CLIENT_CHALLENGE, b" \n", &mut self.client_challenge)?;
            p.led(&BLANK, &MAYBE_BLANK, &mut self.numbered, "with a protocol number", |p| {
                p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
                p.led(&BLANK, &MAYBE_BLANK, &mut self.extended, "from CoD4x", |p| {
                    p.text(&EXTENSION, b" \n", &mut self.extension)?;
                    p.lit(&BLANK, b" ")?;
                    p.decimal(&XPROTO, &mut self.xproto)
                })
            })
        })?;
        newline(p, &mut self.newline)
    }
}

/// A client's settings, in quotes; the content of `connect`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UserInfo<'a> {
    pub info: Info<'a>,
}

impl<'a> Body<'a> for UserInfo<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        quoted(p, &USERINFO, TO_QUOTE, &mut self.info)
    }
}

/// How a client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum ConnectForm {
    /// Its settings in Huffman code.
    #[default]
    Coded,
    /// In the clear and in quotes: old versions.
    Plain,
    /// With numbers before the settings, as Quake 2 has it: Warsow and Warfork.
    Numbered,
}

impl Choice for ConnectForm {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::Coded, "Huffman coded"),
        (Self::Plain, "in the clear: a quote first"),
        (Self::Numbered, "three numbers first"),
    ];

    fn peek(rest: &[u8]) -> Self {
        let digits = |rest: &[u8]| rest.iter().take_while(|b| b.is_ascii_digit()).count();
        match rest {
            [b'"', ..] => Self::Plain,
            _ if matches!(digits(rest), 1..=4) && is_three_numbers(rest) => Self::Numbered,
            _ => Self::Coded,
        }
    }
}

/// Three numbers and a quote, a blank behind each.
fn is_three_numbers(rest: &[u8]) -> bool {
    let mut words = rest.split(|b| *b == b' ');
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    words.by_ref().take(3).all(is_number) && words.next().is_some_and(|w| w.starts_with(b"\""))
}

/// A client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connect<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub form: ConnectForm,
    pub coded: Coded<'a, UserInfo<'a>>,
    pub plain: UserInfo<'a>,
    pub protocol: Decimal<'a>,
    pub qport: Decimal<'a>,
    pub challenge: Decimal<'a>,
    pub flags: Tokens<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Connect<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 1.2.7"],
        C2S,
        b"\xff\xff\xff\xffconnect \"\\challenge\\96116651\\protocol\\68\"",
    )
    .exchange(ExchangeKind::Connection)
    // DarkPlaces' form.
    .excluded(|bytes| bytes.get(11) == Some(&b'\\'));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"connect", &mut self.mark, &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.choose(&mut self.form, |p, form| match form {
            ConnectForm::Coded => p.layer(&CODED, Huffman, &mut self.coded),
            ConnectForm::Plain => Body::walk(&mut self.plain, p),
            ConnectForm::Numbered => {
                p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
                p.lit(&BLANK, b" ")?;
                p.decimal(&QPORT, &mut self.qport)?;
                p.lit(&BLANK, b" ")?;
                p.decimal(&CHALLENGE, &mut self.challenge)?;
                p.lit(&BLANK, b" ")?;
                Body::walk(&mut self.plain, p)?;
                p.view(&FLAGS, &FLAG, &mut self.flags)?;
                newline(p, &mut self.newline)
            }
        })
    }
}

/// A client of DarkPlaces asks to join. In no document; known from the released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConnectPairs<'a> {
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ConnectPairs<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 1.2.7"],
        C2S,
        b"\xff\xff\xff\xffconnect\\protocol\\darkplaces 3\\challenge\\Lp8ZqX0mWv2",
    )
    .id("connect-pairs")
    .excluded(|bytes| bytes.get(11) != Some(&b'\\'))
    .exchange(ExchangeKind::Connection)
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&super::super::MARK, b"\xff\xff\xff\xff")?;
        p.stem(&COMMAND, b"connect", &mut self.command)?;
        p.view(&USERINFO, TO_LF, &mut self.info)?;
        newline(p, &mut self.newline)
    }
}

/// A server accepts a client.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConnectResponse<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub form: AcceptForm,
    pub challenge: &'a [u8],
    pub fs_game: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for ConnectResponse<'a> {
    const SPEC: Spec =
        Spec::new("connectResponse", &["001 1.2.8"], S2C, b"\xff\xff\xff\xffconnectResponse")
            .id("connect-response")
            .answers(&["connect"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"connectResponse", &mut self.mark, &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from later programs", |p| {
            p.choose(&mut self.form, |p, form| match form {
                AcceptForm::Challenge => p.text(&CHALLENGE, b" \n", &mut self.challenge),
                AcceptForm::Folder => p.text(&FOLDER, b"\n", &mut self.fs_game),
            })
        })?;
        newline(p, &mut self.newline)
    }
}

messages! {
    { mark: u8, command: CommandWord<'a>, newline: u8 }
    |self, p, word: &'static [u8]| {
        marked(p, word, &mut self.mark, &mut self.command)?;
        newline(p, &mut self.newline)
    }
    /// A server disconnects a client.
    Disconnect = b"disconnect", Spec::new(
        "disconnect", &["001 1.2.14"], S2C, b"\xff\xff\xff\xffdisconnect",
    ).exchange(ExchangeKind::Connection).one_way();
}

/// A server's text for the player, mostly why it refuses to connect.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Print<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub text: &'a [u8],
}

impl<'a> Message<'a> for Print<'a> {
    const SPEC: Spec = Spec::new(
        "print",
        &["001 1.2.10", "001 11.11"],
        S2C,
        b"\xff\xff\xff\xffprint\nServer is full.\n",
    )
    .answers(&["connect", "getchallenge", "rcon", "secure-rcon", "rcon-recovery"])
    .exchange(ExchangeKind::Connection)
    .refusal(Refusal::Always)
    // Quake 2's servers answer `status` with it.
    .excluded(|bytes| bytes.get(9..).is_some_and(|behind| behind.starts_with(b"\n\\")));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"print", &mut self.mark, &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.text(&TEXT, b"", &mut self.text)
    }
}

/// A client's `ping`, without a mark.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ping<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for Ping<'a> {
    const SPEC: Spec = Spec::new("ping", &["001 1.2.13"], C2S, b"ping")
        .weak()
        // Without a mark, its letters are all that tells it.
        .excluded(|bytes| !bytes.starts_with(b"ping"));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"ping", &mut self.command)
    }
}
