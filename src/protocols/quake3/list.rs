//! A client requests servers from its master, and gets a list, in one datagram or several.

use super::super::declare::{choices, messages};
use super::super::{BLANK, C2M, M2C, SERVERS, newline, oob};
use super::PROTOCOL_NUMBER;
use crate::codec::{
    AddrForm, Addrs, Anomaly, CommandWord, Decimal, Field, FieldRole, QUAKE3, QUAKE3_EXT, Spelling,
    Tokens,
};
use crate::protocol::{ExchangeKind, Spec};

static GAMENAME: Field =
    Field::text("gamename", "the game whose servers are asked for").role(FieldRole::Game);
static FILTERS: Field = Field::group("filters", "which servers to leave in");
static KEYWORD: Field = Field::text("keyword", "one word of the filter").values(&[
    ("empty", "also empty servers"),
    ("full", "also full servers"),
    ("demo", "also demo servers"),
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
        ("\\EOF", "written by some masters for EOT"),
        ("\\\0", "the end for protocols 43 and 45"),
    ]);

/// Every observed end of a list.
pub(super) static ENDS: [Spelling; 6] = [
    Spelling::of(b"\\EOT\0\0\0"),
    Spelling::of(b"\\EOT"),
    Spelling::odd(b"\\EOF", Anomaly::EndMark),
    Spelling::of(b"\\\0"),
    Spelling::odd(b"\\", Anomaly::EndMark).last(),
    Spelling::odd(b"", Anomaly::EndMark),
];

choices! {
    /// Whether a request names a game: with a number first it is Quake III's own form.
    GameSelector { Numbered "a number first", Named "a game's name first" }
    |rest| !has_number_first(rest);
}

/// Whether the first word has only digits and signs.
fn has_number_first(rest: &[u8]) -> bool {
    let word = rest.split(|b| matches!(b, b' ' | b'\n')).next();
    word.is_some_and(|w| w.iter().all(|b| b.is_ascii_digit() || *b == b'-'))
}

messages! {
    { command: CommandWord<'a>, target: GameSelector, gamename: &'a [u8], protocol: Decimal<'a>,
      filters: Tokens<'a>, newline: u8 }
    |self, p, word: &'static [u8]| {
        oob(p, word, &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.choose(&mut self.target, |p, target| match target {
            GameSelector::Numbered => Ok(()),
            GameSelector::Named => {
                p.text(&GAMENAME, b" \n", &mut self.gamename)?;
                p.lit(&BLANK, b" ")
            }
        })?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.view(&FILTERS, &KEYWORD, &mut self.filters)?;
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

messages! {
    { command: CommandWord<'a>, servers: Addrs<'a>, end: u8 }
    |self, p, value: (&'static [u8], AddrForm)| {
        oob(p, value.0, &mut self.command)?;
        p.view(&SERVERS, value.1, &mut self.servers)?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
    /// A master's list.
    GetServersResponse = (b"getserversResponse", Self::FORM), Spec::new(
        "getserversResponse",
        &["001 1.1.2", "001 11.6", "000 getserversResponse", "004 5) getserversResponse"],
        M2C,
        b"\xff\xff\xff\xffgetserversResponse\\\x7f\0\0\x01\x6d\x38\\EOT\0\0\0",
    ).id("getservers-response").answers(&["getservers"]).has_end_mark();
    /// A master's list with both address families.
    GetServersExtResponse = (b"getserversExtResponse", Self::FORM), Spec::new(
        "getserversExtResponse",
        &["004 5) getserversResponse"],
        M2C,
        b"\xff\xff\xff\xffgetserversExtResponse\\\x01\x02\x03\x04\x08\x00/\
          \x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01\x6d\x38\\EOT\0\0\0",
    ).id("getservers-ext-response").answers(&["getservers-ext"]).has_end_mark();
}

impl GetServersResponse<'_> {
    /// The form of its records.
    pub const FORM: AddrForm = QUAKE3;
}

impl GetServersExtResponse<'_> {
    /// The form of its records.
    pub const FORM: AddrForm = QUAKE3_EXT;
}
