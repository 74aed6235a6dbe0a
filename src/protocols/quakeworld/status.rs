//! A client's query to a server: its settings and its players.

use super::super::{BLANK, C2S, COMMAND, HALF_LIFE, INFO, LINES, MAYBE_BLANK, NEWLINE, S2C};
use super::{END, LINE_ENDS, MAYBE_NUL, TO_LF, after_mark, letter_message, mark};
use crate::codec::{
    BitMeanings, CommandWord, Decimal, Field, FieldRole, Info, LineColumn, LineForm, Lines, Pass,
    Walk,
};
use crate::protocol::{Message, Spec};

/// One player per line, up to a NUL: `id frags minutes ping "name" "skin" top bottom`.
pub const PLAYERS: LineForm = LineForm {
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
    stop: b"\0",
    line_stop: b"",
};

static ID: Field = Field::number("id", "the player's number on this server");
static FRAGS: Field = Field::number("frags", "the player's score");
static MINUTES: Field = Field::number("minutes", "how long the player has been there");
static PING: Field = Field::number("ping", "round trip in milliseconds")
    .values(&[("999", "not known yet, or longer")]);
static NAME: Field =
    Field::text("name", "the player's name, gold by the high bit").role(FieldRole::Person);
static SKIN: Field = Field::text("skin", "the player's figure").role(FieldRole::Name);
static TOP: Field = Field::number("top", "colour of the shirt").values(COLOURS);
static BOTTOM: Field = Field::number("bottom", "colour of the trousers").values(COLOURS);

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
    const SPEC: Spec =
        Spec::new("status", &["001 6.1"], C2S, b"\xff\xff\xff\xffstatus\n").shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"status", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a number", |p| {
            p.decimal(&WANTED, &mut self.wanted)
        })?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// A server's answer to `status`. The letter is that of [`Print`](super::Print): a backslash makes
/// the difference.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StatusReply<'a> {
    pub mark: u8,
    pub info: Info<'a>,
    pub players: Lines<'a>,
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
    .content_match(b"\xff", |bytes| after_mark(bytes).is_some_and(|b| b.starts_with(b"n\\")))
    .answers(&["status"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"n")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&LINES, PLAYERS, &mut self.players)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}
