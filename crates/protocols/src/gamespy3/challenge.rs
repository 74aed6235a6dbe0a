//! Before a query: the server gives its asker a number, which shows that the address is not forged.

use super::super::identifiers::bytes;
use std::marker::PhantomData;

use super::super::{ANSWER, ASK, NOTHING};
use crate::gamespy2::{MARK, NUL, REQUEST_KEY, TYPE};
use codec::{Decimal, Endian, Field, FieldRole, Pass, Spelling, Walk};
use protocol::{Message, Spec};

static UNKNOWN: Field =
    Field::separator("no challenge", "four zero bytes in place of a challenge; gamedig's");
static UNKNOWNS: [Spelling; 2] = [NOTHING, Spelling::new(b"\0\0\0\0")];
pub(super) static CHALLENGE: Field =
    Field::number("challenge", "the server's number for this asker; 0: none is needed")
        .role(FieldRole::Challenge);

/// A client or master requests a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeRequest<'a> {
    pub key: u32,
    /// Whether zeros stand in place of a challenge: 1 if they do.
    pub unknown: u8,
    pub payload: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for ChallengeRequest<'a> {
    const SPEC: Spec = Spec::new(
        "challenge request",
        &["008 qr2.c", "010 qstat.h"],
        ASK,
        b"\xfe\xfd\x09\x10\x20\x30\x40",
    )
    .id("challenge-request")
    .whole()
    .weak()
    .content_match(b"\xfe", |bytes| {
        let behind = bytes.strip_prefix(b"\xfe\xfd\x09").and_then(|behind| behind.get(4..));
        matches!(behind, Some([] | [0, 0, 0, 0]))
    })
    .sends(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x09")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.one_of(&UNKNOWN, &UNKNOWNS, &mut self.unknown)
    }
}

/// The challenge in decimal digits, which the query returns as four bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeReply<'a> {
    pub key: u32,
    pub challenge: Decimal<'a>,
}

impl<'a> Message<'a> for ChallengeReply<'a> {
    const SPEC: Spec = Spec::new(
        "challenge reply",
        &["008 qr2.c", "012 gamespy3.js"],
        ANSWER,
        b"\x09\x10\x20\x30\x409513307\0",
    )
    .id("challenge-reply")
    .whole()
    .weak()
    .content_match(b"\x09", is_challenge)
    .answers(&["challenge-request"])
    .returns(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\x09")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&NUL, b"\0")
    }
}

/// A number of at most 32 bits and a NUL, behind the key.
fn is_challenge(bytes: &[u8]) -> bool {
    let Some([text @ .., 0]) = bytes.get(5..) else { return false };
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    (1..=10).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}
