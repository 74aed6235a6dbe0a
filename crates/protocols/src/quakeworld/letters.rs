//! Messages of one letter, or of one word: heartbeat, ping, ack, shutdown, texts.

use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{ANSWER, C2S, COMMAND, M2S, NEWLINE, NOTHING, S2C, S2M, TEXT, newline};
use super::{END, LF, LF_NUL, LINE_ENDS, MAYBE_NUL, NUL, ONE, after_mark, letter_message, mark};
use codec::{Anomaly, CommandWord, Decimal, Field, FieldRole, Kind, Pass, Spelling, Walk};
use protocol::{ExchangeKind, HeartbeatInterval, Message, Refusal, Role, Spec};

use Role::{Client, Master, Server};

static SEQUENCE: Field = Field::number(
    "sequence",
    "counts the heartbeats; the document does not know it, the released sources do",
);
static PLAYERS: Field = Field::number("players", "players now; known from the released sources")
    .role(FieldRole::Players);
static LINE: Field =
    Field::text("line", "what the client's console is to do").role(FieldRole::Free);

static SERVER_MARK: Field = Field::new(
    "header",
    Kind::Mark,
    "HexenWorld's programs put FF before what they send uncompressed; in no document",
);
static SERVER_MARKS: [Spelling; 2] = [NOTHING, Spelling::new(ONE)];

/// A server's heartbeat, with its number of players.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Heartbeat<'a> {
    /// Whether FF comes first, as in HexenWorld: 1 if it does.
    pub mark: u8,
    pub sequence: Decimal<'a>,
    pub players: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Heartbeat<'a> {
    const SPEC: Spec = Spec::new("a", &["001 6.8"], S2M, b"a\n1\n0\n")
        .id("heartbeat")
        .weak()
        .exchange(ExchangeKind::Registration)
        .every(&[HeartbeatInterval::new(300, "the released sources")])
        .one_way();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.one_of(&SERVER_MARK, &SERVER_MARKS, &mut self.mark)?;
        p.lit(&COMMAND, b"a")?;
        p.lit(&NEWLINE, b"\n")?;
        p.decimal(&SEQUENCE, &mut self.sequence)?;
        p.lit(&NEWLINE, b"\n")?;
        p.decimal(&PLAYERS, &mut self.players)?;
        newline(p, &mut self.newline)
    }
}

messages! {
    { mark: u8, end: u8, borrowed: PhantomData<&'a [u8]> }
    |self, p, value: (&'static [u8], &'static [Spelling])| {
        // Without the mark of the other messages. Case counts: `C` and `c` are two messages.
        p.one_of(&SERVER_MARK, &SERVER_MARKS, &mut self.mark)?;
        p.lit(&COMMAND, value.0)?;
        p.one_of(&END, value.1, &mut self.end)
    }
    /// A server tells its master that it shuts down.
    Shutdown = (b"C", &[LF, LF_NUL]), Spec::new(
        "C", &["001 6.9"], S2M, b"C\n",
    ).id("shutdown").weak().exchange(ExchangeKind::Shutdown).one_way();
    /// A server asks whether its master, or a client, is reachable.
    ServerPing = (b"k", &[NUL, LF]), Spec::new(
        "k", &["001 6.6"], &[(Server, Master), (Server, Client)], b"k\0",
    ).id("server-ping").weak().exchange(ExchangeKind::Registration);
}

messages! {
    { mark: u8, command: CommandWord<'a>, end: u8 }
    |self, p, word: &'static [u8]| {
        letter_message(p, &mut self.mark, word, &mut self.command)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
    /// A master asks whether a server is reachable.
    Ping = b"ping", Spec::new(
        "ping", &["001 6.5"], &[(Master, Server), (Client, Server)], b"\xff\xff\xff\xffping\n\0",
    );
    /// A client requests a challenge before it connects.
    GetChallenge = b"getchallenge", Spec::new(
        "getchallenge", &["001 6"], C2S, b"\xff\xff\xff\xffgetchallenge\n",
    ).exchange(ExchangeKind::Connection);
}

/// `l\n\0` is the document's; `l\0` is what servers and masters send.
static ACK_ENDS: [Spelling; 3] = [NUL, Spelling::odd(b"\n\0", Anomaly::Spelling), LF];

messages! {
    { mark: u8, end: u8, borrowed: PhantomData<&'a [u8]> }
    |self, p, value: (&'static [u8], &'static [Spelling])| {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, value.0)?;
        p.one_of(&END, value.1, &mut self.end)
    }
    /// The answer to a ping.
    Ack = (b"l", &ACK_ENDS), Spec::new(
        "l", &["001 6.7"], &[(Master, Server), (Server, Master), (Client, Server), (Server, Client)],
        b"\xff\xff\xff\xffl\0",
    ).id("ack").exact().answers(&["server-ping", "ping", "ping-letter"]);
    /// A client or a proxy asks whether a server is reachable. In no document; qwfwd sends it.
    PingLetter = (b"k", &LINE_ENDS), Spec::new(
        "k", &["001 6.6"], C2S, b"\xff\xff\xff\xffk\n",
    ).id("ping-letter").weak().whole().undocumented();
    /// A server accepts a client.
    Connected = (b"j", &LINE_ENDS), Spec::new("j", &["001 6"], S2C, b"\xff\xff\xff\xffj\0")
        .id("connected").weak().answers(&["connect"]);
}

messages! {
    { mark: u8, text: &'a [u8], end: u8 }
    |self, p, value: (&'static [u8], &'static Field)| {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, value.0)?;
        p.text(value.1, b"\0", &mut self.text)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
    /// A master's refusal, with an optional reason. In no document; known from the released sources.
    Nack = (b"m", &TEXT), Spec::new("m", &["001 6.7"], M2S, b"\xff\xff\xff\xffm\0")
        .id("nack").weak().answers(&["heartbeat", "server-ping"]).refusal(Refusal::Always);
    /// A server's text for the console, mostly why it refuses to connect.
    Print = (b"n", &TEXT), Spec::new(
        "n", &["001 6.2"], S2C, b"\xff\xff\xff\xffnBad rcon_password.\n",
    )
    .id("print")
    .weak()
    .letter_match(b'n', |bytes| {
        let rest = after_mark(bytes).and_then(|b| b.strip_prefix(b"n"));
        rest.is_some_and(|b| b.first() != Some(&b'\\'))
    })
    .answers(&[
        "rcon", "hashed-rcon", "connect", "getchallenge", "status", "qtvusers", "lastscores", "laststats", "dlist",
        "dlistr", "dlistregex", "demolist", "demolistr", "demolistregex", "pingstatus",
    ])
    .refusal(Refusal::Always);
    /// A server (or a program beside the client) sends the client a console command.
    ClientCommand = (b"B", &LINE), Spec::new(
        "B", &["001 6"], S2C, b"\xff\xff\xff\xffBreconnect\n\0",
    ).id("client-command").weak().exchange(ExchangeKind::Command).one_way();
}

messages! {
    { borrowed: PhantomData<&'a [u8]> }
    |self, p, value: &'static [u8]| { p.lit(&COMMAND, value) }
    /// A server's answer to a ping: one byte, without a mark. The document has the mark.
    RawAck = b"l", Spec::new("l", &["001 6.7"], ANSWER, b"l")
        .id("raw-ack").weak().whole()
        .answers(&["ping", "ping-letter"]).undocumented();
    /// A server has no log of frags that is newer: one byte, without a mark. In no document.
    RawNack = b"m", Spec::new("m", &["001 6.7"], S2C, b"m")
        .id("raw-nack").weak().whole()
        .answers(&["log"]).refusal(Refusal::Always).undocumented();
}
