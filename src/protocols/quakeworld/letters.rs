//! The one-letter messages between servers and masters: heartbeat, ping, ack, shutdown.

use std::marker::PhantomData;

use super::super::{COMMAND, M2S, NEWLINE, S2M, newline};
use super::{END, HALF_LIFE, LF, LF_NUL, LINE_ENDS, MAYBE_NUL, NUL, TEXT, letter_message, mark};
use crate::codec::{Anomaly, CommandWord, Decimal, Field, FieldRole, Kind, Pass, Spelling, Walk};
use crate::protocol::{ExchangeKind, Message, Refusal, Role, Spec};

use Role::{Client, Master, Server};

static SEQUENCE: Field = Field::new(
    "sequence",
    Kind::Number,
    "counts the heartbeats; the document does not know it, the released sources do",
);
static PLAYERS: Field =
    Field::new("players", Kind::Number, "players now; known from the released sources")
        .role(FieldRole::Players);

/// A server's heartbeat, with its number of players.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Heartbeat<'a> {
    pub sequence: Decimal<'a>,
    pub players: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Heartbeat<'a> {
    const SPEC: Spec = Spec::new("a", &["001 6.8"], S2M, b"a\n1\n0\n")
        .id("heartbeat")
        .weak()
        .about(ExchangeKind::Registration)
        .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"a")?;
        p.lit(&NEWLINE, b"\n")?;
        p.decimal(&SEQUENCE, &mut self.sequence)?;
        p.lit(&NEWLINE, b"\n")?;
        p.decimal(&PLAYERS, &mut self.players)?;
        newline(p, &mut self.newline)
    }
}

/// A letter and its end, without a mark. Case counts: `C` and `c` are two messages.
macro_rules! plain {
    ($($(#[$doc:meta])+ $name:ident = $letter:literal, $ends:expr, $spec:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> {
            pub end: u8,
            pub borrowed: PhantomData<&'a [u8]>,
        }

        impl<'a> Message<'a> for $name<'a> {
            const SPEC: Spec = $spec;

            fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
                p.lit(&COMMAND, $letter)?;
                p.one_of(&END, $ends, &mut self.end)
            }
        }
    )+};
}

plain! {
    /// A server tells its master that it shuts down.
    Shutdown = b"C", &[LF, LF_NUL], Spec::new(
        "C", &["001 6.9"], S2M, b"C\n",
    ).id("shutdown").weak().about(ExchangeKind::Shutdown).one_way();
    /// A server asks whether its master, or a client, is reachable.
    ServerPing = b"k", &[NUL, LF], Spec::new(
        "k", &["001 6.6"], &[(Server, Master), (Server, Client)], b"k\0",
    ).id("server-ping").weak().about(ExchangeKind::Registration);
}

/// A master asks whether a server is reachable.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ping<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for Ping<'a> {
    const SPEC: Spec = Spec::new(
        "ping",
        &["001 6.5"],
        &[(Master, Server), (Client, Server)],
        b"\xff\xff\xff\xffping\n\0",
    )
    .shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"ping", &mut self.command)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// `l\n\0` is the document's; `l\0` is what servers and masters send.
static ACK_ENDS: [Spelling; 3] = [NUL, Spelling::odd(b"\n\0", Anomaly::Spelling), LF];

/// The answer to a ping.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ack<'a> {
    pub mark: u8,
    pub end: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Ack<'a> {
    const SPEC: Spec = Spec::new(
        "l",
        &["001 6.7"],
        &[(Master, Server), (Server, Master), (Client, Server), (Server, Client)],
        b"\xff\xff\xff\xffl\0",
    )
    .id("ack")
    .exact()
    .answers(&["server-ping", "ping"])
    .shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"l")?;
        p.one_of(&END, &ACK_ENDS, &mut self.end)
    }
}

/// A master's refusal, with an optional reason. In no document; known from the released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Nack<'a> {
    pub mark: u8,
    pub text: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for Nack<'a> {
    const SPEC: Spec = Spec::new("m", &["001 6.7"], M2S, b"\xff\xff\xff\xffm\0")
        .id("nack")
        .weak()
        .answers(&["heartbeat", "server-ping"])
        .refuses(Refusal::Always)
        .shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"m")?;
        p.text(&TEXT, b"\0", &mut self.text)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}
