//! Messages of engines of this family that no document shows: DarkPlaces and Daemon have a ping for
//! servers, DarkPlaces sends challenges as Quake 2 does, and prints as QuakeWorld. Known from their
//! released sources.

use super::super::declare::{choices, words};
use super::super::{
    BLANK, C2S, CHALLENGE, COMMAND, MAYBE_BLANK, MAYBE_LF, NOTHING, S2C, TEXT, newline, oob,
};
use Role::{Client, Server};
use codec::{CommandWord, Endian, Field, FieldRole, Pass, Spelling, Walk};
use protocol::{ExchangeKind, Message, Role, Spec};

static NUL: Field = Field::terminator("NUL", "ends the challenge");
static KEYS: Field = Field::text(
    "keys",
    "fingerprints of the server's public keys, an empty one, and those of keys that it knows",
)
.role(FieldRole::Free);
static VLEN: Field = Field::separator("vlen", "begins the length of the keys");
static D0PK: Field = Field::separator("d0pk", "begins the keys");
static LENGTH: Field = Field::number("length", "how many bytes the keys take");
static ARGUMENTS: Field = Field::text("arguments", "sent back, by Warsow and Warfork");
static MAYBE_NUL: [Spelling; 2] = [NOTHING, Spelling::new(b"\0")];

words! {
    /// A client asks whether a server of DarkPlaces or Daemon is reachable.
    PingServer = b"ping", &MAYBE_LF, Spec::new("ping", &["001 1.2.13"], C2S, b"\xff\xff\xff\xffping")
        .id("ping-server").undocumented();
}

/// The server is reachable.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ack<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub arguments: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for Ack<'a> {
    const SPEC: Spec = Spec::new("ack", &["001 1.2.13"], S2C, b"\xff\xff\xff\xffack\n")
        .answers(&["ping-server"])
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"ack", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from Warsow and Warfork", |p| {
            p.text(&ARGUMENTS, b"\n", &mut self.arguments)
        })?;
        newline(p, &mut self.newline)
    }
}

choices! {
    /// What follows a challenge of DarkPlaces.
    KeysForm { Text "a text", Sized "their length first" }
    |rest| rest.starts_with(b"vlen") && rest.get(8..12) == Some(b"d0pk");
}

/// A DarkPlaces server sends a challenge, and its keys if it has some; Warsow's and Warfork's send
/// the challenge alone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub command: CommandWord<'a>,
    pub challenge: &'a [u8],
    pub nul: u8,
    pub form: KeysForm,
    pub length: u32,
    pub keys: &'a [u8],
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec =
        Spec::new("challenge", &["001 1.2.6"], S2C, b"\xff\xff\xff\xffchallenge 8Xq_2ZpLk1w")
            .answers(&["getchallenge"])
            .continues()
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"challenge", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&CHALLENGE, b"\0", &mut self.challenge)?;
        p.led(&NUL, &MAYBE_NUL, &mut self.nul, "with keys", |p| {
            p.choose(&mut self.form, |p, form| match form {
                KeysForm::Text => p.text(&KEYS, b"", &mut self.keys),
                KeysForm::Sized => {
                    p.lit(&VLEN, b"vlen")?;
                    p.int(&LENGTH, Endian::Little, &mut self.length)?;
                    p.lit(&D0PK, b"d0pk")?;
                    p.text(&KEYS, b"", &mut self.keys)
                }
            })
        })
    }
}

/// A DarkPlaces server's answer to a command, in QuakeWorld's form.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RconPrint<'a> {
    pub text: &'a [u8],
}

impl<'a> Message<'a> for RconPrint<'a> {
    const SPEC: Spec = Spec::new("n", &["001 6.2"], S2C, b"\xff\xff\xff\xffnunknown command\n")
        .id("rcon-print")
        .weak()
        // A status of QuakeWorld.
        .excluded(|bytes| bytes.get(b"\xff\xff\xff\xffn".len()) == Some(&b'\\'))
        .answers(&["rcon", "secure-rcon"])
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&super::super::MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"n")?;
        p.text(&TEXT, b"", &mut self.text)
    }
}

/// A text from another program to a DarkPlaces client or server, for the game's own code.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExtResponse<'a> {
    pub command: CommandWord<'a>,
    pub text: &'a [u8],
}

impl<'a> Message<'a> for ExtResponse<'a> {
    const SPEC: Spec = Spec::new(
        "extResponse",
        &["001 1.2.10"],
        &[(Server, Client), (Client, Server)],
        b"\xff\xff\xff\xffextResponse irc echo 42",
    )
    .id("ext-response")
    .exchange(ExchangeKind::Command)
    .one_way()
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"extResponse", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&TEXT, b"", &mut self.text)
    }
}
