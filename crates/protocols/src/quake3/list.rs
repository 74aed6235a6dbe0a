//! A client requests servers from its master, and gets a list, in one datagram or several.

use super::super::declare::{choices, messages};
use super::super::{BLANK, C2M, M2C, NOTHING, SERVERS, newline, oob};
use super::PROTOCOL_NUMBER;
use codec::{
    AddrForm, Addrs, Anomaly, CommandWord, Decimal, Field, FieldRole, Kind, PLAIN_LINKS, Pass,
    QUAKE3, QUAKE3_EXT, Spelling, Tokens, Walk,
};
use protocol::{ExchangeKind, Message, Spec};

static GAMENAME: Field =
    Field::text("gamename", "the game whose servers are asked for").role(FieldRole::Game);
static FILTERS: Field = Field::group("filters", "which servers to leave in");
static KEYWORD: Field = Field::text("keyword", "one word of the filter").values(&[
    ("empty", "also empty servers"),
    ("full", "also full servers"),
    ("demo", "also demo servers"),
    ("dual", "servers with addresses of both families"),
    ("SOF2FULL", "servers of the full Soldier of Fortune 2"),
    ("ffa", "only free for all"),
    ("tourney", "only tournament"),
    ("team", "only team deathmatch"),
    ("ctf", "only capture the flag"),
    ("gametype=0", "only free for all"),
    ("gametype=1", "only tournament"),
    ("gametype=3", "only team deathmatch"),
    ("gametype=4", "only capture the flag"),
    ("ipv4", "servers with an IPv4 address"),
    ("ipv6", "servers with an IPv6 address"),
]);
pub(super) static END: Field =
    Field::separator("end", "says that the list is complete").role(FieldRole::End).values(&[
        ("\\EOT", "end of transmission, as id's master writes it"),
        ("\\EOT\0\0\0", "end of transmission with three NUL, as protocol 48 and dpmaster have it"),
        ("\\EOF", "end of the last packet, as the masters of Raven and Activision write it"),
        ("\\\0", "the end for protocols 43 and 45"),
    ]);

/// Every observed end of a list.
pub(super) static ENDS: [Spelling; 6] = [
    Spelling::new(b"\\EOT\0\0\0"),
    Spelling::new(b"\\EOT"),
    Spelling::new(b"\\EOF"),
    Spelling::new(b"\\\0"),
    Spelling::odd(b"\\", Anomaly::EndMark).last(),
    Spelling::odd(b"", Anomaly::EndMark),
];

/// What ends a packet of Raven's and Activision's masters, of which another one follows.
static MORE: Field = Field::text("more", "says that another packet follows");
static MORES: [Spelling; 2] = [ENDS[0], ENDS[1]];

/// A separator that no record follows; Daemon's clients need it, or an end mark, to read the last
/// record of a packet.
static CLOSE: Field = Field::separator("close", "closes the last record of the packet");
/// The same in the last of the numbered packets.
static LAST: Field =
    Field::text("close", "closes the last record of the list: the packet's number says so")
        .role(FieldRole::End);
static CLOSES: [Spelling; 6] = [
    ENDS[0],
    ENDS[1],
    ENDS[2],
    ENDS[3],
    Spelling::new(b"\\").last(),
    Spelling::odd(b"", Anomaly::EndMark),
];

choices! {
    /// How a packet of Raven's and Activision's masters ends.
    PacketEnd { Last "the list ends", More "another packet follows" }
    |rest| rest == b"\\EOT";
}

/// What follows the word of a request; AlterWare's clients had a line feed. dpmaster answers no
/// request without anything behind the word.
static LEADS: [Spelling; 3] =
    [Spelling::new(b" "), Spelling::new(b"\n"), Spelling::odd(NOTHING.bytes, Anomaly::Missing)];
const NO_LEAD: u8 = 2;
static MAYBE_NOT: [Spelling; 2] =
    [Spelling::new(b" "), Spelling::odd(NOTHING.bytes, Anomaly::Missing)];

static PROTOCOL_TEXT: Field = Field::text(
    "protocol_text",
    "what stands in place of a decimal number: dpmaster reads 0x44 as 68, and answers no request \
     with another word",
);

choices! {
    /// Whether a request names a game: with a number first it is Quake III's own form.
    GameSelector { Numbered "a number first", Named "a game's name first" }
    |rest| !has_number_first(rest);
    /// How the protocol is written.
    ProtocolForm { Number "a decimal number", Text "another text" }
    |rest| !is_number(first_word(rest));
}

/// The bytes up to a blank or a line feed.
fn first_word(rest: &[u8]) -> &[u8] {
    rest.split(|b| matches!(b, b' ' | b'\n')).next().unwrap_or_default()
}

/// Whether a word has only digits and signs.
fn is_number(word: &[u8]) -> bool {
    word.iter().all(|b| b.is_ascii_digit() || *b == b'-')
}

/// Whether the first word is a number, in hex digits too.
fn has_number_first(rest: &[u8]) -> bool {
    let word = first_word(rest);
    let hex = word.strip_prefix(b"0x").filter(|digits| !digits.is_empty());
    is_number(word) || hex.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

messages! {
    { command: CommandWord<'a>, lead: u8, target: GameSelector, gamename: &'a [u8], blank: u8,
      form: ProtocolForm, protocol: Decimal<'a>, protocol_text: &'a [u8], filters: Tokens<'a>,
      newline: u8 }
    |self, p, word: &'static [u8]| {
        oob(p, word, &mut self.command)?;
        p.one_of(&BLANK, &LEADS, &mut self.lead)?;
        p.when(self.lead != NO_LEAD, "with more behind the word", |p| {
            p.choose(&mut self.target, |p, target| match target {
                GameSelector::Numbered => Ok(()),
                GameSelector::Named => {
                    p.text(&GAMENAME, b" \n", &mut self.gamename)?;
                    p.one_of(&BLANK, &MAYBE_NOT, &mut self.blank)
                }
            })?;
            p.when(self.blank == 0, "with a protocol", |p| {
                p.choose(&mut self.form, |p, form| match form {
                    ProtocolForm::Number => p.decimal(&PROTOCOL_NUMBER, &mut self.protocol),
                    ProtocolForm::Text => {
                        p.text(&PROTOCOL_TEXT, b" \n", &mut self.protocol_text)
                    }
                })
            })?;
            p.view(&FILTERS, &KEYWORD, &mut self.filters)
        })?;
        newline(p, &mut self.newline)
    }
    /// A client requests the servers of a protocol from its master.
    GetServers = b"getservers", Spec::new(
        "getservers",
        &["001 1.1.1", "001 8.8", "001 11.5", "000 getservers", "004 4) getservers"],
        C2M,
        b"\xff\xff\xff\xffgetservers 66 empty full demo\n",
    ).exchange(ExchangeKind::List);
    /// The same for servers of both address families; the game is always named. In no document;
    /// known from dpmaster and ioquake3.
    GetServersExt = b"getserversExt", Spec::new(
        "getserversExt",
        &["004 4) getservers"],
        C2M,
        b"\xff\xff\xff\xffgetserversExt Xonotic 3 empty full ipv4 ipv6",
    ).id("getservers-ext").exchange(ExchangeKind::List);
}

static HEAD: Field = Field::new(
    "head",
    Kind::Mark,
    "stands before the records: nothing at most masters, a line feed and NUL at those of Raven and \
     Activision, a blank at AlterWare's, a NUL at those of Tremulous and Unvanquished",
)
.role(FieldRole::Packet);
/// The last begins the number of the packet, and how many there are.
static HEADS: [Spelling; 4] =
    [NOTHING, Spelling::new(b"\n\0"), Spelling::new(b" "), Spelling::new(b"\0")];
/// Raven's and Activision's.
const RAVENS: u8 = 1;
const COUNTED: u8 = 3;
static NUL: Field = Field::terminator("NUL", "ends a number");
static INDEX: Field = Field::number("index", "the packet's number, from 1").role(FieldRole::Packet);
static COUNT: Field =
    Field::number("count", "how many packets the list has").role(FieldRole::Packet);
static LABEL: Field =
    Field::text("label", "what the servers of this packet have in common").role(FieldRole::Free);

messages! {
    { command: CommandWord<'a>, head: u8, index: Decimal<'a>, count: Decimal<'a>, label: &'a [u8],
      servers: Addrs<'a>, packet_end: PacketEnd, end: u8 }
    |self, p, value: (&'static [u8], AddrForm)| {
        oob(p, value.0, &mut self.command)?;
        p.one_of(&HEAD, &HEADS, &mut self.head)?;
        p.when(self.head == COUNTED, "with a number", |p| {
            p.decimal(&INDEX, &mut self.index)?;
            p.lit(&NUL, b"\0")?;
            p.decimal(&COUNT, &mut self.count)?;
            p.lit(&NUL, b"\0")?;
            p.text(&LABEL, b"\\/", &mut self.label)
        })?;
        p.view(&SERVERS, value.1, &mut self.servers)?;
        let is_counted = self.head == COUNTED;
        let is_last = self.index.get() == self.count.get();
        p.when(is_counted && !is_last, "in a packet with a number", |p| {
            p.one_of(&CLOSE, &CLOSES, &mut self.end)
        })?;
        p.when(is_counted && is_last, "in the last packet with a number", |p| {
            p.one_of(&LAST, &CLOSES, &mut self.end)
        })?;
        p.when(self.head == RAVENS, "from Raven's and Activision's masters", |p| {
            p.choose(&mut self.packet_end, |p, packet_end| match packet_end {
                PacketEnd::Last => p.one_of(&END, &ENDS, &mut self.end),
                PacketEnd::More => p.one_of(&MORE, &MORES, &mut self.end),
            })
        })?;
        p.when(!is_counted && self.head != RAVENS, "from other masters", |p| {
            p.one_of(&END, &ENDS, &mut self.end)
        })
    }
    /// A master's list.
    GetServersResponse = (b"getserversResponse", Self::FORM), Spec::new(
        "getserversResponse",
        &["001 1.1.2", "001 11.6", "000 getserversResponse", "004 5) getserversResponse"],
        M2C,
        b"\xff\xff\xff\xffgetserversResponse\\\x7f\0\0\x01\x6d\x38\\EOT\0\0\0",
    ).id("getservers-response").excluded(is_hex).answers(&["getservers"]).has_end_mark();
    /// A master's list with both address families.
    GetServersExtResponse = (b"getserversExtResponse", Self::FORM), Spec::new(
        "getserversExtResponse",
        &["004 5) getserversResponse"],
        M2C,
        b"\xff\xff\xff\xffgetserversExtResponse\\\x01\x02\x03\x04\x08\x00/\
          \x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01\x6d\x38\\EOT\0\0\0",
    ).id("getservers-ext-response").answers(&["getservers-ext"]).has_end_mark();
}

/// Whether a list is Elite Force's, in hex digits.
pub(super) fn is_hex(bytes: &[u8]) -> bool {
    const WORD: usize = b"\xff\xff\xff\xffgetserversResponse".len();
    let behind = bytes.get(WORD..).unwrap_or_default();
    let Some(first) = behind.strip_prefix(b" \\") else { return behind == b" " };
    first.starts_with(b"EO") || first.iter().take(12).all(u8::is_ascii_hexdigit)
}

/// Which addresses are those of one server: a master of Unvanquished sends it beside a list. In no
/// document; known from the client's sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ServerLinks<'a> {
    pub command: CommandWord<'a>,
    pub addresses: Addrs<'a>,
}

static ADDRESSES: Field =
    Field::group("addresses", "the two addresses of each server, the IPv4 one first");

impl<'a> Message<'a> for ServerLinks<'a> {
    const SPEC: Spec = Spec::new(
        "getserversExtResponseLinks",
        &["004 5) getserversResponse"],
        M2C,
        b"\xff\xff\xff\xffgetserversExtResponseLinks\0\xc0\0\x02\x0a\x6d\x38\
          \x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x10\x6d\x38",
    )
    .id("getservers-ext-response-links")
    .one_way()
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getserversExtResponseLinks", &mut self.command)?;
        p.lit(&NUL, b"\0")?;
        p.view(&ADDRESSES, PLAIN_LINKS, &mut self.addresses)
    }
}

impl GetServers<'_> {
    /// The protocol's number; without one, dpmaster gives no answer.
    pub fn number(&self) -> Option<i64> {
        let is_there = self.lead != NO_LEAD && self.blank == 0;
        (is_there && self.form == ProtocolForm::Number).then(|| self.protocol.get())
    }
}

impl GetServersExt<'_> {
    /// The same.
    pub fn number(&self) -> Option<i64> {
        let is_there = self.lead != NO_LEAD && self.blank == 0;
        (is_there && self.form == ProtocolForm::Number).then(|| self.protocol.get())
    }
}

/// The form of a list's records, and the length of what stands before them.
macro_rules! list {
    ($list:ident, $form:expr) => {
        impl $list<'_> {
            /// The form of its records.
            pub const FORM: AddrForm = $form;

            /// Whether its packets are numbered.
            pub fn is_numbered(&self) -> bool {
                self.head == COUNTED
            }

            /// How many bytes stand before the records.
            pub fn offset(&self) -> usize {
                let head = HEADS.get(usize::from(self.head)).map_or(0, |head| head.bytes.len());
                let numbers = [self.index, self.count].map(|n| n.digits().len() + b"\0".len());
                let counted = numbers.iter().sum::<usize>() + self.label.len();
                let words = b"\xff\xff\xff\xff".len() + Self::SPEC.name.len();
                words + head + if self.is_numbered() { counted } else { 0 }
            }
        }
    };
}

list!(GetServersResponse, QUAKE3);
list!(GetServersExtResponse, QUAKE3_EXT);
