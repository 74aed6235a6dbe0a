//! The message of the day, and Enemy Territory's check for updates.

use super::super::declare::messages;
use super::super::identifiers::challenge_key;
use super::super::{BLANK, C2M, INFO, M2C, MAYBE_BLANK, QUOTE, newline, oob, quoted};
use super::TO_QUOTE;
use codec::{CommandWord, Decimal, Field, FieldRole, Info, Pass, Walk};
use protocol::{ExchangeKind, Message, Spec};

static VERSION: Field = Field::text("version", "the program's version").role(FieldRole::Version);
static PLATFORM: Field = Field::text("platform", "the program's system");
static AVAILABLE: Field = Field::number("available", "whether there is an update")
    .values(&[("0", "no update"), ("1", "an update, whose files follow")]);
static FILES: Field = Field::text("files", "the files to load").role(FieldRole::Free);

messages! {
    { command: CommandWord<'a>, info: Info<'a>, newline: u8 }
    |self, p, word: &'static [u8]| {
        oob(p, word, &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &INFO, TO_QUOTE, &mut self.info)?;
        newline(p, &mut self.newline)
    }
    /// A client requests the message of the day, with its own data.
    GetMotd = b"getmotd", Spec::new(
        "getmotd", &["001 1.1.4", "001 8.6", "001 11.3"], C2M,
        b"\xff\xff\xff\xffgetmotd \"\\challenge\\14985\"",
    ).exchange(ExchangeKind::Motd).sends(challenge_key);
    /// The message of the day.
    Motd = b"motd", Spec::new(
        "motd", &["001 1.1.5", "001 8.7", "001 11.4"], M2C,
        b"\xff\xff\xff\xffmotd \"challenge\\14985\\motd\\Hello\\\"",
    ).answers(&["getmotd"]).returns(challenge_key).exchange(ExchangeKind::Motd);
}

/// Enemy Territory checks for updates.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetUpdateInfo<'a> {
    pub command: CommandWord<'a>,
    pub version: &'a [u8],
    pub platform: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for GetUpdateInfo<'a> {
    const SPEC: Spec = Spec::new(
        "getUpdateInfo",
        &["001 11.1"],
        C2M,
        b"\xff\xff\xff\xffgetUpdateInfo \"ET 2.55\" \"linux-i386\"\n",
    )
    .id("get-update-info")
    .exchange(ExchangeKind::Version);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getUpdateInfo", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.lit(&QUOTE, b"\"")?;
        p.text(&VERSION, b"\"", &mut self.version)?;
        p.lit(&QUOTE, b"\"")?;
        p.lit(&BLANK, b" ")?;
        p.lit(&QUOTE, b"\"")?;
        p.text(&PLATFORM, b"\"", &mut self.platform)?;
        p.lit(&QUOTE, b"\"")?;
        newline(p, &mut self.newline)
    }
}

/// Whether there is an update, with its files.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UpdateResponse<'a> {
    pub command: CommandWord<'a>,
    pub available: Decimal<'a>,
    pub blank: u8,
    pub files: &'a [u8],
}

impl<'a> Message<'a> for UpdateResponse<'a> {
    const SPEC: Spec =
        Spec::new("updateResponse", &["001 11.2"], M2C, b"\xff\xff\xff\xffupdateResponse 0")
            .id("update-response")
            .answers(&["get-update-info"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"updateResponse", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&AVAILABLE, &mut self.available)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with files", |p| {
            p.text(&FILES, b"", &mut self.files)
        })
    }
}
