//! The challenge that comes before a reply, and pings.

use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{C2M, C2S, COMMAND, M2C, MARK, NOTHING, S2C};
use super::{CHALLENGE, Padding, behind, padding};
use codec::{Endian::Little, Field, Pass, Spelling, Walk};
use protocol::{Message, Spec};

static ZEROS: Field = Field::text("text", "zeros, from Source; GoldSrc's servers send none");
static END: Field = Field::separator("end", "ends the message");
static ENDS: [Spelling; 2] = [NOTHING, Spelling::new(b"\0")];

messages! {
    { borrowed: PhantomData<&'a [u8]> }
    |self, p, letter: &'static [u8]| {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, letter)
    }
    /// A client requests a challenge alone; servers since 2014 seldom answer.
    GetQueryChallenge = b"W", Spec::new(
        "A2S_SERVERQUERY_GETCHALLENGE",
        &["006 A2S_SERVERQUERY_GETCHALLENGE"],
        C2S,
        b"\xff\xff\xff\xffW",
    ).id("a2s-serverquery-getchallenge").weak().whole().excluded(|bytes| bytes.len() != 5);
    /// A client measures how long a packet to a server takes.
    A2aPing = b"i", Spec::new("A2A_PING", &["006 A2A_PING"], C2S, b"\xff\xff\xff\xffi")
        .id("a2a-ping").weak().whole().excluded(|bytes| bytes.len() != 5);
}

/// A server's challenge: the client repeats its request with it. Since December 2020 it may answer
/// `A2S_INFO` too.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct S2cChallenge<'a> {
    pub challenge: i32,
    pub padding: Padding,
    pub zeros: &'a [u8],
}

impl<'a> Message<'a> for S2cChallenge<'a> {
    const SPEC: Spec = Spec::new(
        "S2C_CHALLENGE",
        &["006 A2S_SERVERQUERY_GETCHALLENGE", "010 qstat.c", "012 valve.js"],
        S2C,
        b"\xff\xff\xff\xffA\x4b\xa1\xd5\x22",
    )
    .id("s2c-challenge")
    .weak()
    .whole()
    .answers(&["a2s-info", "a2s-player", "a2s-rules", "a2s-serverquery-getchallenge"])
    .continues();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"A")?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        padding(p, &mut self.padding, &mut self.zeros)
    }
}

/// The answer to a ping.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct A2aAck<'a> {
    pub text: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for A2aAck<'a> {
    const SPEC: Spec =
        Spec::new("A2A_ACK", &["006 A2A_PING"], S2C, b"\xff\xff\xff\xffj00000000000000\0")
            .id("a2a-ack")
            .rare_directions(M2C)
            .weak()
            .whole()
            // Digits, or a NUL alone, from GoldSrc. Half-Life's own answer to a ping is that too, and
            // the likelier one without a request.
            .letter_match(b'j', |bytes| {
                matches!(behind(bytes, b'j'), Some([] | [0 | b'0'..=b'9', ..]))
            })
            .answers(&["a2a-ping", "master-ping"])
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"j")?;
        p.text(&ZEROS, b"\0", &mut self.text)?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
}

/// A client asks whether a master is there. One program's, hlmaster.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MasterPing<'a> {
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for MasterPing<'a> {
    const SPEC: Spec = Spec::new("ping", &["007 master server query protocol"], C2M, b"i")
        .id("master-ping")
        .weak()
        .whole()
        .excluded(|bytes| bytes.len() != 1)
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"i")
    }
}
