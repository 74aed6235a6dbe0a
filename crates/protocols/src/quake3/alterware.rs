//! What clients of IW4x and of the games beside it ask AlterWare's master for, apart from lists. In
//! no document; known from the master's sources.

use super::super::declare::words;
use super::super::{BLANK, C2M, M2C, MAYBE_LF, oob};
use codec::{CommandWord, Field, FieldRole, Pass, Walk};
use protocol::{Message, Spec};

static NAMES: Field = Field::text("names", "names for bots, one a line").role(FieldRole::Free);

words! {
    /// A client asks for names that bots may have.
    GetBots = b"getbots", &MAYBE_LF, Spec::new(
        "getbots", &["001 1.1.1"], C2M, b"\xff\xff\xff\xffgetbots",
    ).id("get-bots").undocumented();
}

/// The master's answer: names, one a line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetBotsResponse<'a> {
    pub command: CommandWord<'a>,
    pub names: &'a [u8],
}

impl<'a> Message<'a> for GetBotsResponse<'a> {
    const SPEC: Spec = Spec::new(
        "getbotsResponse",
        &["001 1.1.1"],
        M2C,
        b"\xff\xff\xff\xffgetbotsResponse Alfa\nBravo\n",
    )
    .id("get-bots-response")
    .answers(&["get-bots"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getbotsResponse", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&NAMES, b"", &mut self.names)
    }
}
