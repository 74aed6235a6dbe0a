//! Heartbeats of a server to id's master, and the check for a newer version.

use super::super::{S2M, TEXT};
use super::{PROTOCOL_NUMBER, command};
use codec::{CommandWord, Endian::Little, Field, FieldRole, Pass, Walk};
use protocol::{ExchangeKind, Message, Role, Spec};

use Role::{Client, Master, Server};

static SYSTEM: Field = Field::number(
    "system",
    "which system the program runs on; the document does not know it, the released sources do",
)
.values(&[("0", "Windows"), ("1", "Mac OS X"), ("2", "Linux")]);
static VERSION: Field =
    Field::text("version", "program, version, system and build date").role(FieldRole::Version);
static GUID: Field = Field::text(
    "guid",
    "a lasting identifier of the player, empty from servers; known from the released sources",
)
.role(FieldRole::Secret);
static DIRECT: Field = Field::number(
    "direct",
    "whether the address is the file itself; known from the released sources",
)
.values(&[("0", "a page to open"), ("1", "a file to load")]);
static URL: Field = Field::text("url", "where the update lies").role(FieldRole::Free);
static MIME: Field = Field::number("mime type", "what lies there; known from the released sources");
static FALLBACK: Field = Field::text("fallback url", "where else it lies").role(FieldRole::Free);

/// A server's heartbeat; the master requests its description.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Heartbeat<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for Heartbeat<'a> {
    const SPEC: Spec = Spec::new("heartbeat", &["001 9.7"], S2M, b"\xff\xffheartbeat\0")
        .exchange(ExchangeKind::Registration);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"heartbeat", &mut self.command)
    }
}

/// A server or client asks for updates.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct VersionCheck<'a> {
    pub command: CommandWord<'a>,
    pub protocol: u32,
    pub system: u16,
    pub version: &'a [u8],
    pub guid: &'a [u8],
}

impl<'a> Message<'a> for VersionCheck<'a> {
    const SPEC: Spec = Spec::new(
        "versionCheck",
        &["001 9.2"],
        &[(Server, Master), (Client, Master)],
        b"\xff\xffversionCheck\0\x21\0\x01\0\0\0DOOM 1.0.1262 win-x86\0\0",
    )
    .id("version-check")
    .exchange(ExchangeKind::Version);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"versionCheck", &mut self.command)?;
        p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol)?;
        p.int(&SYSTEM, Little, &mut self.system)?;
        p.cstr(&VERSION, &mut self.version)?;
        p.cstr(&GUID, &mut self.guid)
    }
}

/// The master reports a newer version.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NewVersion<'a> {
    pub command: CommandWord<'a>,
    pub text: &'a [u8],
    pub direct: u8,
    pub url: &'a [u8],
    pub mime: u8,
    pub fallback: &'a [u8],
}

impl<'a> Message<'a> for NewVersion<'a> {
    const SPEC: Spec = Spec::new(
        "newVersion",
        &["001 9.6"],
        &[(Master, Server), (Master, Client)],
        b"\xff\xffnewVersion\0Download version 1.1?\0\0http://example.org/\0\x01http://example.org/\0",
    )
    .id("new-version")
    .answers(&["version-check"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"newVersion", &mut self.command)?;
        p.cstr(&TEXT, &mut self.text)?;
        p.int(&DIRECT, Little, &mut self.direct)?;
        p.cstr(&URL, &mut self.url)?;
        p.int(&MIME, Little, &mut self.mime)?;
        p.cstr(&FALLBACK, &mut self.fallback)
    }
}
