//! What MVDSV tells of recorded matches: the last scores, statistics, and the list of demos. In no
//! document.

use super::super::declare::messages;
use super::super::{BLANK, C2S, COMMAND, MAYBE_BLANK, NEWLINE, NOTHING, S2C};
use super::{END, LINE_ENDS, MAYBE_NUL, after_mark, letter_message, mark};
use codec::{CommandWord, Decimal, Field, FieldRole, Pass, Spelling, Walk};
use protocol::{Message, Spec};

static COUNT: Field = Field::number("count", "how many, the latest first");
static WORDS: Field =
    Field::text("words", "what the names of the demos have in them, or a pattern for them")
        .role(FieldRole::Free);
static SCORES: Field = Field::text("scores", "one demo a line, or (empty)").role(FieldRole::Free);
static STATS: Field =
    Field::text("stats", "an array of matches, as JSON; it has the names of the players")
        .role(FieldRole::Free);
static DEMOS: Field = Field::text(
    "demos",
    "the first demo, then one a line with its number, * before one that is being recorded; at \
         last the size of all",
)
.role(FieldRole::Free);
static STAR: Field = Field::separator("star", "the demo is being recorded");
static STARS: [Spelling; 2] = [NOTHING, Spelling::new(b"*")];
static PADDING: Field = Field::separator("padding", "fills the column of the first number");
static PADDINGS: [Spelling; 4] =
    [Spelling::new(b"   "), Spelling::new(b"  "), Spelling::new(b" "), NOTHING];
static NUMBER: Field = Field::number("number", "of the first demo");
static HEAD: Field = Field::separator("head", "what the text lists");
static COLON: Field = Field::separator("colon", "parts a number and what follows");
static COLONS: [Spelling; 2] = [NOTHING, Spelling::new(b":")];

messages! {
    { mark: u8, command: CommandWord<'a>, blank: u8, count: Decimal<'a>, end: u8 }
    |self, p, word: &'static [u8]| {
        letter_message(p, &mut self.mark, word, &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a number", |p| {
            p.decimal(&COUNT, &mut self.count)
        })?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
    /// A client asks for the scores of the last matches.
    LastScores = b"lastscores", Spec::new(
        "lastscores", &["001 6.1"], C2S, b"\xff\xff\xff\xfflastscores 5\n",
    ).undocumented();
    /// A client asks for the statistics of the last matches.
    LastStats = b"laststats", Spec::new(
        "laststats", &["001 6.1"], C2S, b"\xff\xff\xff\xfflaststats 2\n",
    ).undocumented();
}

messages! {
    { mark: u8, command: CommandWord<'a>, blank: u8, words: &'a [u8], end: u8 }
    |self, p, word: &'static [u8]| {
        letter_message(p, &mut self.mark, word, &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with words", |p| {
            p.text(&WORDS, b"\n\0", &mut self.words)
        })?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
    /// A client asks for the demos with some words in their names.
    Dlist = b"dlist", Spec::new(
        "dlist", &["001 6.1"], C2S, b"\xff\xff\xff\xffdlist dm3\n",
    ).undocumented();
    /// The same, by a regular expression.
    DlistShort = b"dlistr", Spec::new(
        "dlistr", &["001 6.1"], C2S, b"\xff\xff\xff\xffdlistr ^2on2_\n",
    ).undocumented();
    /// The same, by a regular expression.
    DlistRegex = b"dlistregex", Spec::new(
        "dlistregex", &["001 6.1"], C2S, b"\xff\xff\xff\xffdlistregex dm6$\n",
    ).undocumented();
    /// A client asks for the demos with some words in their names.
    DemoList = b"demolist", Spec::new(
        "demolist", &["001 6.1"], C2S, b"\xff\xff\xff\xffdemolist\n",
    ).undocumented();
    /// The same, by a regular expression.
    DemoListShort = b"demolistr", Spec::new(
        "demolistr", &["001 6.1"], C2S, b"\xff\xff\xff\xffdemolistr dm6$\n",
    ).undocumented();
    /// The same, by a regular expression.
    DemoListRegex = b"demolistregex", Spec::new(
        "demolistregex", &["001 6.1"], C2S, b"\xff\xff\xff\xffdemolistregex ^ffa\n",
    ).undocumented();
}

/// The answer to `lastscores`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LastScoresReply<'a> {
    pub mark: u8,
    pub count: Decimal<'a>,
    pub scores: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for LastScoresReply<'a> {
    const SPEC: Spec = Spec::new(
        "n",
        &["001 6.2"],
        S2C,
        b"\xff\xff\xff\xffnList of 2 last demos:\n41. dm3 24:16\n42. (empty)\n\0",
    )
    .id("lastscores-reply")
    .exact()
    .answers(&["lastscores"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"n")?;
        p.lit(&HEAD, b"List of ")?;
        p.decimal(&COUNT, &mut self.count)?;
        p.lit(&HEAD, b" last demos:\n")?;
        p.text(&SCORES, b"\0", &mut self.scores)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

/// The answer to `laststats`; a long one goes on in further messages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LastStatsReply<'a> {
    pub mark: u8,
    pub count: Decimal<'a>,
    pub colon: u8,
    pub stats: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for LastStatsReply<'a> {
    const SPEC: Spec = Spec::new("n", &["001 6.2"], S2C, b"\xff\xff\xff\xffnlaststats 0:\n[]\n\0")
        .id("laststats-reply")
        .exact()
        .answers(&["laststats"])
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"n")?;
        p.lit(&HEAD, b"laststats ")?;
        p.decimal(&COUNT, &mut self.count)?;
        p.one_of(&COLON, &COLONS, &mut self.colon)?;
        p.lit(&NEWLINE, b"\n")?;
        p.text(&STATS, b"\0", &mut self.stats)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

/// The answer to a request for demos.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DemoListReply<'a> {
    pub mark: u8,
    pub star: u8,
    pub padding: u8,
    pub number: Decimal<'a>,
    pub demos: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for DemoListReply<'a> {
    const SPEC: Spec = Spec::new(
        "n",
        &["001 6.2"],
        S2C,
        b"\xff\xff\xff\xffn   1: 2on2[dm3].mvd (2048k)\n\ndirectory size: 2.0MB\n\0",
    )
    .id("demolist-reply")
    .weak()
    .letter_match(b'n', |bytes| {
        let rest = after_mark(bytes).and_then(|b| b.strip_prefix(b"n"));
        rest.is_some_and(is_demo)
    })
    .answers(&["dlist", "dlistr", "dlistregex", "demolist", "demolistr", "demolistregex"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"n")?;
        p.one_of(&STAR, &STARS, &mut self.star)?;
        p.one_of(&PADDING, &PADDINGS, &mut self.padding)?;
        p.decimal(&NUMBER, &mut self.number)?;
        p.lit(&COLON, b": ")?;
        p.text(&DEMOS, b"\0", &mut self.demos)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

/// Whether a text begins as a line of a demo does: a star or nothing, and a number of at least four
/// columns with a colon.
fn is_demo(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"*").unwrap_or(text);
    let length = |of: fn(&u8) -> bool, from: usize| {
        text.iter().skip(from).take_while(|byte| of(byte)).count()
    };
    let blanks = length(|byte| *byte == b' ', 0);
    let digits = length(u8::is_ascii_digit, blanks);
    let behind = text.get(blanks + digits..).unwrap_or_default();
    blanks < 4 && digits > 0 && blanks + digits >= 4 && behind.starts_with(b": ")
}
