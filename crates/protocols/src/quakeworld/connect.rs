//! How a client joins a game, and the messages meanwhile. The document shows only one `n` of these;
//! the rest is known from the released sources.

use super::super::declare::choices;
use super::super::{
    BLANK, C2S, CHALLENGE, COMMAND, MAYBE_BLANK, NOTHING, RemoteCommand, S2C, USERINFO, quoted,
};
use super::lines::{LineKind, LineKinds, NO_FURTHER, TextLines};
use super::{END, LINE_ENDS, TO_QUOTE, after_mark, letter_message, mark};
use codec::{
    CommandWord, Decimal, Endian, Field, FieldRole, Info, LineColumn, Pass, RecordForm, Records,
    RecordsEnd, Shape, Spelling, Walk, bytes,
};
use protocol::{ExchangeKind, Message, Spec};

static PROTOCOL_NUMBER: Field = Field::number("protocol", "the number of the network protocol")
    .role(FieldRole::Protocol)
    .values(&[("28", "QuakeWorld 2.10 and later")]);
static QPORT: Field =
    Field::number("qport", "a random number that tells clients behind one address apart");

static EXTENSION: Field = Field::group("extension", "one set of extensions");
static TAG: Field = Field::text("tag", "the set of extensions; FTE and MVDSV").values(&[
    ("FTEX", "FTE's first"),
    ("FTE2", "FTE's second"),
    ("MVD1", "MVDSV's"),
    ("0x58455446", "FTEX, FTE's first"),
    ("0x32455446", "FTE2, FTE's second"),
    ("0x3144564d", "MVD1, MVDSV's"),
]);
static BITS: Field = Field::number("bits", "the extensions of the set, one bit each");
static BITS_TEXT: Field = Field::text("bits", "the extensions of the set, one bit each");
static EXTENSIONS: Field = Field::group("extensions", "what the program can do; FTE and MVDSV");

/// Four letters, and bits.
const PAIRS: RecordForm = RecordForm {
    record: &EXTENSION,
    members: &[bytes(&TAG, 4, Shape::Text), bytes(&BITS, 4, Shape::Unsigned(Endian::Little))],
    // Tags are letters and digits.
    end: RecordsEnd::Rest,
};

/// The same as text, one set a line; the server takes any notation of numbers.
const PAIR_LINES: LineKinds = &[LineKind {
    record: &EXTENSION,
    word: None,
    columns: &[LineColumn::plain(&TAG), LineColumn::plain(&BITS_TEXT)],
    further: NO_FURTHER,
    letter: None,
    repeats: false,
}];

choices! {
    /// What is behind the line of `connect`.
    Tail { Nothing "nothing", Extensions "lines of numbers: FTE and MVDSV" }
    |rest| {
        let in_numbers = |byte: &u8| byte.is_ascii_hexdigit() || b"xX- \n\0".contains(byte);
        !rest.is_empty() && rest.iter().all(in_numbers)
    };
}
static LAST_ENDS: [Spelling; 2] = [NOTHING, Spelling::new(b"\0")];

/// The position of NUL among the ends: in MVDSV's challenge, extensions follow it.
const NUL: u8 = 2;

/// A server sends a challenge: the letter, directly followed by a number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub mark: u8,
    pub challenge: Decimal<'a>,
    pub end: u8,
    pub extends: bool,
    pub extensions: Records<'a>,
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec = Spec::new("c", &["001 6"], S2C, b"\xff\xff\xff\xffc22695\0")
        .id("challenge")
        .weak()
        .letter_match(b'c', |bytes| {
            let rest = after_mark(bytes).and_then(|b| b.strip_prefix(b"c"));
            let first = rest.and_then(|b| b.strip_prefix(b"-").unwrap_or(b).first());
            first.is_some_and(u8::is_ascii_digit)
        })
        .answers(&["getchallenge"])
        .continues();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"c")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)?;
        p.when(self.end == NUL, "behind a NUL", |p| {
            p.more(&mut self.extends, "with extensions", |p| {
                p.view(&EXTENSIONS, PAIRS, &mut self.extensions)
            })
        })
    }
}

/// A client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connect<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub qport: Decimal<'a>,
    pub challenge: Decimal<'a>,
    pub info: Info<'a>,
    pub end: u8,
    pub tail: Tail,
    pub extensions: TextLines<'a>,
    pub last: u8,
}

impl<'a> Message<'a> for Connect<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 6"],
        C2S,
        b"\xff\xff\xff\xffconnect 28 810 22695 \"\\name\\ChickenMan\\topcolor\\4\"\n",
    )
    .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"connect", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&QPORT, &mut self.qport)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &USERINFO, TO_QUOTE, &mut self.info)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)?;
        p.choose(&mut self.tail, |p, tail| match tail {
            Tail::Nothing => Ok(()),
            Tail::Extensions => {
                p.view(&EXTENSIONS, PAIR_LINES, &mut self.extensions)?;
                p.one_of(&END, &LAST_ENDS, &mut self.last)
            }
        })
    }
}

static HASH: Field = Field::text(
    "hash",
    "in place of the password: 40 hex digits of SHA-1 of the word, the password, the time and the \
     command, then the time, its least significant byte first; MVDSV. Passwords can be tried on it",
)
.role(FieldRole::Secret);
static COMMAND_LINE: Field =
    Field::text("line", "what the server is to do; it may hold passwords").role(FieldRole::Secret);

/// A command for the server, from a user with its password.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rcon<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub remote: RemoteCommand<'a>,
}

impl<'a> Message<'a> for Rcon<'a> {
    const SPEC: Spec =
        Spec::new("rcon", &["001 6.2"], C2S, b"\xff\xff\xff\xffrcon swordfish status\0")
            .exchange(ExchangeKind::Command)
            .excluded(is_hashed)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"rcon", &mut self.command)?;
        self.remote.walk(p)
    }
}

/// A command for the server, with a hash of its password and of the time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HashedRcon<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub hash: &'a [u8],
    pub blank: u8,
    pub line: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for HashedRcon<'a> {
    const SPEC: Spec = Spec::new(
        "rcon",
        &["001 6.2"],
        C2S,
        b"\xff\xff\xff\xffrcon 806AF53D9A399C1E9D2192FF5D188059B71086598030026B00000000 status\n",
    )
    .id("hashed-rcon")
    .exchange(ExchangeKind::Command)
    .excluded(|bytes| !is_hashed(bytes))
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"rcon", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&HASH, b" \n\0", &mut self.hash)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a command", |p| {
            p.text(&COMMAND_LINE, b"\n\0", &mut self.line)
        })?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// Whether the first word behind `rcon` is a hash with a time of 8 or 16 digits.
fn is_hashed(bytes: &[u8]) -> bool {
    let text = after_mark(bytes).and_then(|rest| rest.get(b"rcon ".len()..)).unwrap_or_default();
    let length = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    matches!(length, 48 | 56) && text.get(length).is_none_or(|byte| b" \n\0".contains(byte))
}
