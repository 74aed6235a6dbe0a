//! Messages of engines of this family that no document shows: DarkPlaces and Daemon have a ping for
//! servers, DarkPlaces sends challenges as Quake 2 does, and all accept remote commands. Known from
//! their released sources.

use super::super::declare::words;
use super::super::{BLANK, C2S, CHALLENGE, MAYBE_LF, NOTHING, RemoteCommand, S2C, oob};
use crate::codec::{CommandWord, Field, Pass, Spelling, Walk};
use crate::protocol::{ExchangeKind, Message, Spec};

static NUL: Field = Field::separator("NUL", "ends the challenge");
static KEYS: Field = Field::text("keys", "the server's public keys, in DarkPlaces' own form");
static MAYBE_NUL: [Spelling; 2] = [NOTHING, Spelling::of(b"\0")];

words! {
    /// A client asks whether a server of DarkPlaces or Daemon is reachable.
    PingServer = b"ping", &MAYBE_LF, Spec::new("ping", &["001 1.2.13"], C2S, b"\xff\xff\xff\xffping")
        .id("ping-server").undocumented();
    /// The server is reachable.
    Ack = b"ack", &MAYBE_LF, Spec::new("ack", &["001 1.2.13"], S2C, b"\xff\xff\xff\xffack\n")
        .answers(&["ping-server"]).undocumented();
}

/// A DarkPlaces server sends a challenge, and its keys if it has some.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub command: CommandWord<'a>,
    pub challenge: &'a [u8],
    pub nul: u8,
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
        p.led(&NUL, &MAYBE_NUL, &mut self.nul, "with keys", |p| p.text(&KEYS, b"", &mut self.keys))
    }
}

/// A command for the server, from a user with its password.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rcon<'a> {
    pub command: CommandWord<'a>,
    pub remote: RemoteCommand<'a>,
}

impl<'a> Message<'a> for Rcon<'a> {
    const SPEC: Spec =
        Spec::new("rcon", &["001 1.2"], C2S, b"\xff\xff\xff\xffrcon swordfish status")
            .exchange(ExchangeKind::Command)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"rcon", &mut self.command)?;
        self.remote.walk(p)
    }
}
