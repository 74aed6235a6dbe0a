//! Commands for a server from afar: in the clear, and in the forms of DarkPlaces and Daemon that
//! keep the password to the sender. In no document; known from the released sources.

use super::super::declare::{choices, words};
use super::super::{BLANK, C2S, INFO, MAYBE_LF, NEWLINE, RemoteCommand, S2C, newline, oob};
use super::{TO_LF, marked};
use codec::{CommandWord, Field, FieldRole, Info, Pass, Shape, Walk};
use protocol::{ExchangeKind, Message, Spec};

static FURTHER: Field = Field::text("further", "further commands, a NUL behind each; DarkPlaces")
    .role(FieldRole::Secret);
static METHOD: Field = Field::text("method", "how the command is protected");
static MODE: Field =
    Field::text("mode", "against what a copy of the message is worthless").values(&[
        ("TIME", "the server's clock, a few seconds more or less"),
        ("CHALLENGE", "a challenge of the server, which is used once"),
        ("PLAIN", "nothing"),
    ]);
static DIGEST: Field =
    Field::text("digest", "HMAC-MD4 of all behind it, by the password").role(FieldRole::Secret);
static STAMP: Field = Field::text("stamp", "the time in seconds, or the server's challenge");
static LINE: Field =
    Field::text("line", "what the server is to do; it may hold passwords").role(FieldRole::Secret);
static CODED: Field = Field::text("coded", "the command, enciphered by the password, in Base64")
    .role(FieldRole::Secret);
static RECOVERY: Field =
    Field::text("password", "the server's recovery password").role(FieldRole::Secret);

/// A command for the server, from a user with its password.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rcon<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub remote: RemoteCommand<'a>,
    pub has_more: bool,
    pub further: &'a [u8],
}

impl<'a> Message<'a> for Rcon<'a> {
    const SPEC: Spec =
        Spec::new("rcon", &["001 1.2"], C2S, b"\xff\xff\xff\xffrcon swordfish status")
            .exchange(ExchangeKind::Command)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        marked(p, b"rcon", &mut self.mark, &mut self.command)?;
        self.remote.walk(p)?;
        p.more(&mut self.has_more, "with further commands", |p| {
            p.text(&FURTHER, b"", &mut self.further)
        })
    }
}

choices! {
    /// Whose form a protected command has.
    SecureRconForm { Enciphered "Daemon's, in Base64", Digested "DarkPlaces', with a digest" }
    |rest| rest.starts_with(b"HMAC-");
}

/// The same without the password.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SecureRcon<'a> {
    pub command: CommandWord<'a>,
    pub form: SecureRconForm,
    pub method: &'a [u8],
    pub mode: &'a [u8],
    pub digest: [u8; 16],
    pub stamp: &'a [u8],
    pub line: &'a [u8],
}

impl<'a> Message<'a> for SecureRcon<'a> {
    const SPEC: Spec = Spec::new(
        "srcon",
        &["001 1.2"],
        C2S,
        b"\xff\xff\xff\xffsrcon HMAC-MD4 TIME 0123456789abcdef 1795305600.123456 status",
    )
    .id("secure-rcon")
    .exchange(ExchangeKind::Command)
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"srcon", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.choose(&mut self.form, |p, form| match form {
            SecureRconForm::Enciphered => {
                p.text(&MODE, b" ", &mut self.mode)?;
                p.lit(&BLANK, b" ")?;
                p.text(&CODED, b"", &mut self.line)
            }
            SecureRconForm::Digested => {
                p.text(&METHOD, b" ", &mut self.method)?;
                p.lit(&BLANK, b" ")?;
                p.text(&MODE, b" ", &mut self.mode)?;
                p.lit(&BLANK, b" ")?;
                p.raw(&DIGEST, Shape::Raw, &mut self.digest)?;
                p.lit(&BLANK, b" ")?;
                p.text(&STAMP, b" ", &mut self.stamp)?;
                p.lit(&BLANK, b" ")?;
                p.text(&LINE, b"", &mut self.line)
            }
        })
    }
}

words! {
    /// A client asks which forms a Daemon server takes.
    RconInfo = b"rconinfo", &MAYBE_LF, Spec::new(
        "rconinfo", &["001 1.2"], C2S, b"\xff\xff\xff\xffrconinfo",
    ).id("rcon-info").exchange(ExchangeKind::Command).undocumented();
}

/// The server's answer.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconInfoResponse<'a> {
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for RconInfoResponse<'a> {
    const SPEC: Spec = Spec::new(
        "rconInfoResponse",
        &["001 1.2"],
        S2C,
        b"\xff\xff\xff\xffrconInfoResponse\n\\challenge\\1\\secure\\2\n",
    )
    .id("rcon-info-response")
    .answers(&["rcon-info"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"rconInfoResponse", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        newline(p, &mut self.newline)
    }
}

/// An operator of Urban Terror has lost the password of remote commands, and asks for it with another
/// one; the server prints it. Known from the released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconRecovery<'a> {
    pub command: CommandWord<'a>,
    pub password: &'a [u8],
}

impl<'a> Message<'a> for RconRecovery<'a> {
    const SPEC: Spec =
        Spec::new("rconRecovery", &["001 1.2"], C2S, b"\xff\xff\xff\xffrconRecovery swordfish")
            .id("rcon-recovery")
            .exchange(ExchangeKind::Command)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"rconRecovery", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&RECOVERY, b"", &mut self.password)
    }
}
