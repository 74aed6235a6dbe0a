//! What a client asks about proxies: who watches by QTV, and which servers qwfwd reaches. In no
//! document; known from MVDSV and qwfwd.

use super::super::declare::messages;
use super::super::{C2S, COMMAND, LINES, S2C, SERVERS};
use super::lines::{LineKind, LineKinds, NO_FURTHER, TextLines};
use super::{END, LINE_ENDS, MAYBE_NUL, after_mark, letter_message, mark};
use codec::{
    CommandWord, Endian, Field, FieldRole, Kind, LineColumn, Pass, RecordForm, Records, RecordsEnd,
    Shape, Walk, bytes,
};
use protocol::{Message, Spec};

messages! {
    { mark: u8, command: CommandWord<'a>, end: u8 }
    |self, p, word: &'static [u8]| {
        letter_message(p, &mut self.mark, word, &mut self.command)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
    /// A client asks MVDSV who watches by QTV.
    QtvUsers = b"qtvusers", Spec::new(
        "qtvusers", &["001 6.1"], C2S, b"\xff\xff\xff\xffqtvusers\n",
    ).undocumented();
    /// A client asks qwfwd how far it is from each server that it knows.
    PingStatus = b"pingstatus", Spec::new(
        "pingstatus", &["001 6.1"], C2S, b"\xff\xff\xff\xffpingstatus\n",
    ).undocumented();
}

static STREAM_LINE: Field = Field::group("stream", "one QTV stream, and who watches it");
static KIND: Field = Field::new("kind", Kind::Command, "what the line lists");
static STREAM: Field = Field::number("stream", "the stream's number on this server");
static WATCHER: Field =
    Field::text("watcher", "a person who watches, gold by the high bit").role(FieldRole::Person);

/// One stream a line: `qtvusers id "name" …`.
const WATCHERS: LineKinds = &[LineKind {
    record: &STREAM_LINE,
    word: Some((&KIND, b"qtvusers")),
    columns: &[LineColumn::plain(&STREAM), LineColumn::quoted(&WATCHER)],
    further: NO_FURTHER,
    letter: None,
    repeats: true,
}];

/// MVDSV's answer to `qtvusers`; without a stream it is an empty [`Print`](super::Print).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QtvUsersReply<'a> {
    pub mark: u8,
    pub streams: TextLines<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for QtvUsersReply<'a> {
    const SPEC: Spec =
        Spec::new("n", &["001 6.2"], S2C, b"\xff\xff\xff\xffnqtvusers 1 \"Ulla\" \"past\"\n\0")
            .id("qtvusers-reply")
            .exact()
            .letter_match(b'n', |bytes| {
                after_mark(bytes).is_some_and(|rest| rest.starts_with(b"nqtvusers "))
            })
            .answers(&["qtvusers"])
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"n")?;
        p.view(&LINES, WATCHERS, &mut self.streams)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

static SERVER: Field = Field::group("server", "one server");
static ADDRESS: Field =
    Field::new("address", Kind::Address, "the server's address").role(FieldRole::Address);
static PORT: Field = Field::number("port", "the server's port").role(FieldRole::Port);
static PING: Field = Field::number("ping", "milliseconds between the proxy and the server")
    .values(&[("65535", "it does not answer")]);

/// Address, port and round trip, with little-endian numbers.
const PINGS: RecordForm = RecordForm {
    record: &SERVER,
    members: &[
        bytes(&ADDRESS, 4, Shape::Ipv4),
        bytes(&PORT, 2, Shape::Unsigned(Endian::Little)),
        bytes(&PING, 2, Shape::Unsigned(Endian::Little)),
    ],
    end: RecordsEnd::Rest,
};

/// qwfwd's answer to `pingstatus`; without a server it is an empty [`Print`](super::Print).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PingStatusReply<'a> {
    pub mark: u8,
    pub servers: Records<'a>,
}

impl<'a> Message<'a> for PingStatusReply<'a> {
    const SPEC: Spec = Spec::new(
        "n",
        &["001 6.2"],
        S2C,
        b"\xff\xff\xff\xffn\xc0\x00\x02\x0alk\x1a\x00\xc6\x33\x64\x14Uo\xff\xff",
    )
    .id("pingstatus-reply")
    .weak()
    .letter_match(b'n', |bytes| {
        let rest = after_mark(bytes).and_then(|b| b.strip_prefix(b"n"));
        rest.is_some_and(are_pings)
    })
    .answers(&["pingstatus"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"n")?;
        p.view(&SERVERS, PINGS, &mut self.servers)
    }
}

/// Whether bytes are records rather than a text: no text has a NUL before its end.
fn are_pings(bytes: &[u8]) -> bool {
    let (records, rest) = bytes.as_chunks::<8>();
    let may_be =
        |[a, _, _, _, low, high, ..]: &[u8; 8]| (1..=223).contains(a) && (*low, *high) != (0, 0);
    let inner = bytes.split_last().map_or(&[][..], |(_, inner)| inner);
    let is_text = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
    let is_binary = inner.contains(&0) || records.len() == 1 && !inner.iter().all(is_text);
    rest.is_empty() && !records.is_empty() && is_binary && records.iter().all(may_be)
}
