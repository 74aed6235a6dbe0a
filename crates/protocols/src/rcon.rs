//! A command for a server from a user with its password: the content after the word `rcon`, which
//! several protocols share. In no document; known from the released sources.

use super::declare::choices;
use super::{BLANK, MAYBE_BLANK, NOTHING, QUOTE};
use codec::{Field, FieldRole, Pass, Spelling, Walk};

static PASSWORD: Field =
    Field::text("password", "the password for commands from afar").role(FieldRole::Secret);
static LINE: Field =
    Field::text("line", "what the server is to do; it may hold passwords").role(FieldRole::Secret);
static END: Field = Field::separator("end", "ends the message");

/// QuakeWorld's programs write the first, those of Quake 2 the second or the third.
static ENDS: [Spelling; 4] =
    [Spelling::new(b"\n"), NOTHING, Spelling::new(b"\0"), Spelling::new(b"\n\0")];

choices! {
    /// How the password is written.
    Quoting { Plain "no quotes", Quoted "in quotes: Q2PRO" }
    |rest| rest.strip_prefix(b" \"").is_some_and(|rest| {
        let end = rest.iter().position(|byte| b"\"\n\0".contains(byte));
        end.is_some_and(|end| rest.get(end) == Some(&b'"'))
    });
}

/// A password, and a line for the server's console.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RemoteCommand<'a> {
    pub quoting: Quoting,
    pub password: &'a [u8],
    pub blank: u8,
    pub line: &'a [u8],
    pub end: u8,
}

impl<'a> RemoteCommand<'a> {
    /// Walks the content after the word.
    pub(super) fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.choose(&mut self.quoting, |p, quoting| {
            p.lit(&BLANK, b" ")?;
            match quoting {
                Quoting::Plain => p.text(&PASSWORD, b" \n\0", &mut self.password),
                Quoting::Quoted => {
                    p.lit(&QUOTE, b"\"")?;
                    p.text(&PASSWORD, b"\"\n\0", &mut self.password)?;
                    p.lit(&QUOTE, b"\"")
                }
            }
        })?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a command", |p| {
            p.text(&LINE, b"\n\0", &mut self.line)
        })?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
}
