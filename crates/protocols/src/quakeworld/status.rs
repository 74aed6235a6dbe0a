//! A client's query to a server: its settings and its players.

use super::super::declare::choices;
use super::super::{BLANK, C2S, COMMAND, INFO, LINES, MAYBE_BLANK, NEWLINE, S2C};
use super::lines::{LineKind, LineKinds, NO_FURTHER, TextCell, TextLines, cells};
use super::{END, LINE_ENDS, MAYBE_NUL, TO_LF, after_mark, letter_message, mark};
use codec::{
    BitMeanings, CommandWord, Decimal, Field, FieldRole, Info, Kind, LineColumn, Pass, Walk,
};
use protocol::{Message, Spec};

/// One player per line, up to a NUL: `id frags minutes ping "name" "skin" top bottom`, and behind
/// these what the request asked for; and one QTV stream per line.
pub const PLAYERS: LineKinds = &[
    LineKind {
        record: &STREAM_LINE,
        word: Some((&QTV, b"qtv")),
        columns: &[
            LineColumn::plain(&STREAM),
            LineColumn::quoted(&STREAM_NAME),
            LineColumn::quoted(&STREAM_ADDRESS),
            LineColumn::plain(&USERS),
        ],
        further: NO_FURTHER,
        letter: None,
        repeats: false,
    },
    LineKind {
        record: &PLAYER_LINE,
        word: None,
        columns: &[
            LineColumn::plain(&ID),
            LineColumn::plain(&FRAGS),
            LineColumn::plain(&MINUTES),
            LineColumn::plain(&PING),
            LineColumn::quoted(&NAME),
            LineColumn::quoted(&SKIN),
            LineColumn::plain(&TOP),
            LineColumn::plain(&BOTTOM),
        ],
        further: behind_colours,
        letter: Some((&FRAGS, b"S", &SPECTATOR)),
        repeats: false,
    },
];

/// The columns behind the colours. The request selects them, and their order is always the same;
/// without the request their number and the last one tell them apart.
fn behind_colours(count: usize, last: &[u8]) -> &'static [LineColumn] {
    const TEAM_: LineColumn = LineColumn::quoted(&TEAM);
    const LOGIN_: LineColumn = LineColumn::quoted(&LOGIN);
    const CLIENT_: LineColumn = LineColumn::quoted(&CLIENT);
    match (count, last) {
        (0, _) => &[],
        (1, b"none") => &[LOGIN_],
        (1, _) => &[TEAM_],
        (2, b"h" | b"b") => &[TEAM_, CLIENT_],
        (2, _) => &[TEAM_, LOGIN_],
        _ => &[TEAM_, LOGIN_, CLIENT_],
    }
}

static PLAYER_LINE: Field = Field::group("player", "one player");
static STREAM_LINE: Field = Field::group("stream", "one QTV stream; MVDSV");
static QTV: Field = Field::new("kind", Kind::Command, "what the line lists");
static STREAM: Field = Field::number("stream", "the stream's number on this server");
static STREAM_NAME: Field =
    Field::text("stream_name", "the name of the proxy that gets the stream").role(FieldRole::Host);
static STREAM_ADDRESS: Field = Field::text(
    "stream_address",
    "where to watch: the stream's number there, @, and the proxy's host and port; may be empty",
)
.role(FieldRole::Free);
static USERS: Field = Field::number("users", "how many watch").role(FieldRole::Count);
static ID: Field = Field::number("id", "the player's number on this server");
static FRAGS: Field = Field::number("frags", "the player's score; MVDSV has -9999 for a spectator")
    .values(&[("-9999", "a spectator")]);
static SPECTATOR: Field =
    Field::text("frags", "MVDSV: in place of the score if spectators are listed as players")
        .values(&[("S", "a spectator")]);
static MINUTES: Field = Field::number("minutes", "how long the player has been there");
static PING: Field =
    Field::number("ping", "round trip in milliseconds, below zero for a spectator")
        .values(&[("999", "not known yet, or longer")]);
static NAME: Field =
    Field::text("name", "the player's name, gold by the high bit; behind \\s\\ a spectator's")
        .role(FieldRole::Person);
static SKIN: Field = Field::text("skin", "the player's figure").role(FieldRole::Name);
static TOP: Field = Field::number("top", "colour of the shirt").values(COLOURS);
static BOTTOM: Field = Field::number("bottom", "colour of the trousers").values(COLOURS);
static TEAM: Field = Field::text("team", "the player's team; MVDSV").role(FieldRole::Name);
static LOGIN: Field = Field::text(
    "login",
    "MVDSV: nothing if the player has not logged in, else the flag of the player's account",
)
.values(&[("", "not logged in"), ("none", "logged in, no flag")])
.role(FieldRole::Location);
static CLIENT: Field = Field::text("client", "MVDSV: whether it is a person or a program")
    .values(&[("h", "human"), ("b", "bot")]);

/// Rows of Quake's palette, with the names that players use.
static COLOURS: &[(&str, &str)] =
    &[("0", "white"), ("3", "green"), ("4", "red"), ("12", "yellow"), ("13", "blue")];

/// The requested data; without a number, settings and players.
static WANTED: Field = Field::number(
    "wanted",
    "what the server is to tell, a bit each; in no document, known from MVDSV's sources",
)
.bits(&[
    BitMeanings::set(1, "settings"),
    BitMeanings::set(2, "players"),
    BitMeanings::set(4, "spectators"),
    BitMeanings::set(8, "spectators as players"),
    BitMeanings::set(16, "teams"),
    BitMeanings::set(32, "QTV streams"),
    BitMeanings::set(64, "login flags"),
    BitMeanings::set(128, "whether a client is a bot"),
])
.values(&[("0", "settings and players")]);

/// A client requests settings and players, or what a number selects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Status<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub wanted: Decimal<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for Status<'a> {
    const SPEC: Spec = Spec::new("status", &["001 6.1"], C2S, b"\xff\xff\xff\xffstatus\n")
        .shared_with(super::super::HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"status", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a number", |p| {
            p.decimal(&WANTED, &mut self.wanted)
        })?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

choices! {
    /// Whether an answer has the settings: MVDSV sends what the request asks for.
    StatusForm { There "settings", Missing "no settings: no backslash first" }
    |rest| !rest.starts_with(b"\\");
}

/// A server's answer to `status`. The letter is that of [`Print`](super::Print): a backslash, a
/// player's line or a stream's line makes the difference.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StatusReply<'a> {
    pub mark: u8,
    pub form: StatusForm,
    pub info: Info<'a>,
    pub players: TextLines<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for StatusReply<'a> {
    const SPEC: Spec = Spec::new(
        "n",
        &["001 6.2"],
        S2C,
        b"\xff\xff\xff\xffn\\map\\dm6\n17905 0 0 41 \"past\" \"thug4life\" 10 3\n\0",
    )
    .id("status-reply")
    .exact()
    .letter_match(b'n', |bytes| {
        let rest = after_mark(bytes).and_then(|b| b.strip_prefix(b"n"));
        rest.is_some_and(|b| b.first() == Some(&b'\\') || is_line(b))
    })
    .answers(&["status"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"n")?;
        p.choose(&mut self.form, |p, form| match form {
            StatusForm::There => {
                p.view(&INFO, TO_LF, &mut self.info)?;
                p.lit(&NEWLINE, b"\n")
            }
            StatusForm::Missing => Ok(()),
        })?;
        p.view(&LINES, PLAYERS, &mut self.players)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

/// Whether a text without settings begins with the whole line of a player or of a stream.
fn is_line(text: &[u8]) -> bool {
    let Some(end) = text.iter().take(LINE).position(|byte| *byte == b'\n') else {
        return false;
    };
    let line = text.get(..end).unwrap_or_default();
    let number = |text: &[u8]| {
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    let fits = |pattern: &[u8], cell: Option<TextCell<'_>>, at: usize| match (pattern.get(at), cell)
    {
        (Some(b'"'), Some(cell)) => cell.quoted,
        (Some(b'q'), Some(cell)) => !cell.quoted && cell.text == b"qtv",
        (Some(b'#'), Some(cell)) => !cell.quoted && (number(cell.text) || cell.text == b"S"),
        (None, cell) => cell.is_none_or(|cell| cell.quoted),
        _ => false,
    };
    [&b"####\"\"##"[..], b"q#\"\"#"].iter().any(|pattern| {
        let mut all = cells(line);
        (0..=pattern.len()).all(|at| fits(pattern, all.next(), at))
    })
}

/// The maximum length of a line: names, skins, teams and hosts are far shorter.
const LINE: usize = 512;
