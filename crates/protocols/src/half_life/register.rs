//! How a server registers with a master: a byte, a challenge, a reply with it.

use super::super::identifiers::{challenge_key, little};
use std::marker::PhantomData;

use super::super::declare::choices;
use super::super::{ANSWER, ASK, COMMAND, INFO, MARK, MAYBE_LF, NEWLINE, NOTHING, S2M};
use super::TO_LF;
use codec::{CommandWord, Endian, Field, FieldRole, Info, Kind, Pass, Spelling, Walk};
use protocol::{ExchangeKind, HeartbeatInterval, Message, Spec};

static CHALLENGE: Field = Field::number(
    "challenge",
    "sent back in decimal, to show that the sender's address is not forged; the four bytes of the document's \
     example are what a format string left there",
)
.role(FieldRole::Challenge);
static XASH: Field =
    Field::new("xash mark", Kind::Mark, "begins what Xash3D's servers have behind the letter");
static MAYBE_XASH: [Spelling; 2] = [NOTHING, Spelling::new(b"\xff")];
static KEY: Field = Field::number(
    "server challenge",
    "the server's own challenge, which the master sends back; Xash3D's, observed",
);

/// A server's heartbeat. Xash3D's servers append a byte FF, and all but old ones a challenge of
/// their own.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Heartbeat<'a> {
    pub command: CommandWord<'a>,
    /// Whether the byte FF follows: 1 if it does.
    pub xash: u8,
    pub has_key: bool,
    pub key: u32,
}

impl<'a> Message<'a> for Heartbeat<'a> {
    const SPEC: Spec = Spec::new("q", &["001 10.2"], S2M, b"q")
        .id("heartbeat")
        .weak()
        .sends(little::<2>)
        .exchange(ExchangeKind::Registration)
        .every(&[HeartbeatInterval::new(300, "001 10.2")]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"q", &mut self.command)?;
        p.led(&XASH, &MAYBE_XASH, &mut self.xash, "sent by Xash3D", |p| {
            p.more(&mut self.has_key, "sent by all but old versions", |p| {
                p.int(&KEY, Endian::Little, &mut self.key)
            })
        })
    }
}

choices! {
    /// Whether a master sends a server's own challenge back: four bytes and no more.
    ServerChallenge { Absent "nothing more", Present "four bytes more, where the server sent them" }
    |rest| rest.len() == 4;
}

/// The master's challenge; a client may send it to a server too. Xash3D's master appends the
/// server's own challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    /// Unsigned: servers return it so in decimal.
    pub challenge: u32,
    pub echo: ServerChallenge,
    pub key: u32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec = Spec::new("s", &["001 10.1"], ASK, b"\xff\xff\xff\xffs\n%c%u")
        .id("challenge")
        .exact()
        .answers(&["heartbeat"])
        .returns(little::<10>)
        .sends(little::<6>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"s")?;
        p.lit(&NEWLINE, b"\n")?;
        p.int(&CHALLENGE, Endian::Little, &mut self.challenge)?;
        p.choose(&mut self.echo, |p, echo| match echo {
            ServerChallenge::Absent => Ok(()),
            ServerChallenge::Present => p.int(&KEY, Endian::Little, &mut self.key),
        })
    }
}

/// The server's settings, with the challenge. Xash3D's servers omit the last line feed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeReply<'a> {
    pub info: Info<'a>,
    /// Whether a line feed ends it: 1 if it does.
    pub newline: u8,
}

impl<'a> Message<'a> for ChallengeReply<'a> {
    const SPEC: Spec = Spec::new(
        "0",
        &["001 10.3"],
        ANSWER,
        b"0\n\\protocol\\46\\challenge\\2100453449\\players\\0\\max\\6\\map\\undertow\n",
    )
    .id("reply")
    .weak()
    .content_match(b"0", |bytes| bytes.starts_with(b"0\n\\"))
    .echo_keys(&["challenge"])
    .answers(&["challenge"])
    .returns(challenge_key)
    .filtered_keys(&[
        "gamedir",
        "map",
        "protocol",
        "nat",
        "lan",
        "secure",
        "dedicated",
        "bots",
        "region",
    ]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"0")?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        p.one_of(&NEWLINE, &MAYBE_LF, &mut self.newline)
    }
}

/// A server tells its master that it shuts down. In no document; known from the released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LogOff<'a> {
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for LogOff<'a> {
    const SPEC: Spec = Spec::new("b", &["001 10"], S2M, b"b\n")
        .id("log-off")
        .weak()
        .exchange(ExchangeKind::Shutdown)
        .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"b")?;
        p.lit(&NEWLINE, b"\n")
    }
}
