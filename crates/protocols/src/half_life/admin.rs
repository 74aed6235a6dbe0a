//! What Xash3D's master sends to a server behind NAT, and what its operator sends to it.

use std::marker::PhantomData;

use super::super::{BLANK, C2M, COMMAND, M2C, M2S, MARK};
use super::CHALLENGE;
use codec::{CommandWord, Endian::Little, Field, FieldRole, Pass, Walk};
use protocol::{ExchangeKind, Message, Spec};

static CLIENT: Field = Field::text(
    "client",
    "address:port of a client that wants to be sent the server's description",
)
.role(FieldRole::Address);
static HASH_CHALLENGE: Field =
    Field::number("hash challenge", "goes into the hash").role(FieldRole::Challenge);
static PROOF: Field = Field::text(
    "proof",
    "64 bytes made of the password and a challenge, by which passwords can be guessed, and what the \
     master is to do",
)
.role(FieldRole::Secret);

/// A master asks a server behind NAT to send its description to a client, which opens the way for
/// the client's packets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Announce<'a> {
    pub client: &'a [u8],
}

impl<'a> Message<'a> for Announce<'a> {
    const SPEC: Spec = Spec::new("c", &["001 10"], M2S, b"\xff\xff\xff\xffc 198.51.100.7:27005")
        .id("announce")
        .weak()
        .one_way()
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"c")?;
        p.lit(&BLANK, b" ")?;
        p.text(&CLIENT, b"\n\0", &mut self.client)
    }
}

/// The operator of a master requests a challenge for a command.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AdminChallenge<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for AdminChallenge<'a> {
    const SPEC: Spec = Spec::new("adminchallenge", &["001 10"], C2M, b"adminchallenge")
        .id("admin-challenge")
        .weak()
        .exchange(ExchangeKind::Command)
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"adminchallenge", &mut self.command)
    }
}

/// A master's challenges for a command.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AdminChallengeReply<'a> {
    pub challenge: u32,
    pub hash_challenge: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for AdminChallengeReply<'a> {
    const SPEC: Spec = Spec::new(
        "adminchallenge",
        &["001 10"],
        M2C,
        b"\xff\xff\xff\xffadminchallenge\x44\x33\x22\x11\x88\x77\x66\x55",
    )
    .id("admin-challenge-reply")
    .exact()
    .answers(&["admin-challenge"])
    .continues()
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"adminchallenge")?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        p.int(&HASH_CHALLENGE, Little, &mut self.hash_challenge)
    }
}

/// A command for a master, from its operator.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Admin<'a> {
    pub challenge: u32,
    /// The hash, and the command behind it.
    pub proof: &'a [u8],
}

/// The least bytes of a command: the word, a challenge and a hash.
const LEAST: usize = 5 + 4 + 64;

impl<'a> Message<'a> for Admin<'a> {
    const SPEC: Spec = Spec::new("admin", &["001 10"], C2M, ADMIN)
        .weak()
        .content_match(b"a", |bytes| {
            let behind = bytes.strip_prefix(b"admin");
            bytes.len() >= LEAST && behind.is_some_and(|b| !b.starts_with(b"challenge"))
        })
        .exchange(ExchangeKind::Command)
        .one_way()
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"admin")?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        p.text(&PROOF, b"", &mut self.proof)
    }
}

/// A challenge, a hash of 64 bytes, and a command.
const ADMIN: &[u8] = b"admin\x44\x33\x22\x11\
    \x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\
    \x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20\
    \x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\x2c\x2d\x2e\x2f\x30\
    \x31\x32\x33\x34\x35\x36\x37\x38\x39\x3a\x3b\x3c\x3d\x3e\x3f\x40\
    ban 192.0.2.66";
