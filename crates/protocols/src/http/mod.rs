//! As much HTTP as two games need: Unreal Tournament's files of the day (document 001, section
//! 5.5) and the list of Enemy Territory: Quake Wars servers (document 002, Server Feed).
//!
//! Most HTTP has nothing to do with games. A request belongs to one by its path and its host; a
//! reply by a body with servers on the game's ports, or as the answer to such a request, and by
//! nothing else. Headers and their syntax: RFC 9110, RFC 9112.

use std::ops::Range;

use super::declare::messages;
use super::etqw::ETQW;
use super::gamespy::UNREAL_TOURNAMENT;
use super::{BLANK, C2M, COMMAND, M2C};
use codec::{Decimal, Endpoints, Field, FieldRole, Headers, Keys, LINES, Pass, Spelling, Walk};
use protocol::protocol;
use protocol::{ExchangeKind, FrameBoundary, Game, Message, Spec};

protocol! {
    /// One message of the HTTP that games use.
    Http: "http", "HTTP of games", GAMES,
    [HttpRequest, ServerFeed, RequestedFeed, HttpReply], cut: cut
}

/// Games that use HTTP; each is declared with its own protocol.
static GAMES: &[&Game] = &[&UNREAL_TOURNAMENT, &ETQW];

/// The files, by the beginning of their path, with the names of request and reply. The first match
/// counts.
static FETCHED: [(&str, &str, &str); 6] = [
    ("/UpdateServer/utmotdfallback", "HTTP motd fallback request", "HTTP motd fallback reply"),
    ("/UpdateServer/utmotd", "HTTP motd request", "HTTP motd reply"),
    (
        "/UpdateServer/utmasterserver",
        "HTTP masterserver.txt request",
        "HTTP masterserver.txt reply",
    ),
    ("/UpdateServer/utircserver", "HTTP utircserver.txt request", "HTTP utircserver.txt reply"),
    ("/UpdateServer/", "HTTP update request", "HTTP update reply"),
    ("/ipgetter/", "HTTP ipgetter request", "HTTP ipgetter reply"),
];

/// The hosts of the files and the programs that request them, by the beginning of the path.
static REQUESTERS: [(&str, &str, &str); 4] = [
    ("/UpdateServer/", "Host", "unreal.epicgames.com"),
    ("/UpdateServer/", "User-Agent", "Unreal"),
    ("/ipgetter/", "Host", "etqw-ipgetter.demonware.net"),
    ("/ipgetter/", "Host", "etqwdemo-ipgetter.demonware.net"),
];

static PATH: Field = Field::text("path", "what is asked for");
static VERSION: Field = Field::text("version", "the version of HTTP");
static STATUS: Field = Field::number("status", "how the request went").values(&[
    ("200", "here it is"),
    ("301", "it has moved for good"),
    ("302", "it is elsewhere for now"),
    ("304", "it has not changed"),
    ("403", "it may not be had"),
    ("404", "there is nothing of that name"),
    ("5##", "the server failed"),
]);
static REASON: Field = Field::text("reason", "the status in words");
static HEADERS: Field = Field::group("headers", "names and values, a line each");
static EOL: Field = Field::separator("end of line", "ends a line");
static SERVERS: Field = Field::group("servers", "servers, a line each");
static BODY: Field = Field::text("body", "what was asked for").role(FieldRole::Free);

static EOLS: [Spelling; 2] = [Spelling::new(b"\r\n"), Spelling::new(b"\n")];

/// The headers of these programs, and private ones.
pub static KEYS: Keys = Keys::new(
    &[
        Field::text("Authorization", "who asks, and a proof").role(FieldRole::Secret),
        Field::text("Connection", "whether the connection is kept"),
        Field::number("Content-Length", "bytes of the body"),
        Field::text("Content-Type", "what the body is"),
        Field::text("Cookie", "what the host wants to be told again").role(FieldRole::Secret),
        Field::text("Date", "when the reply was made"),
        Field::text("Host", "who is asked, by name"),
        Field::text("Location", "where to ask instead").role(FieldRole::Free),
        Field::text("Proxy-Authorization", "who asks, and a proof").role(FieldRole::Secret),
        Field::text("Server", "the program that answers").role(FieldRole::Free),
        Field::text("Set-Cookie", "what the host wants to be told again").role(FieldRole::Secret),
        Field::text("Transfer-Encoding", "how the body is cut into pieces"),
        Field::text("User-Agent", "the program that asks"),
    ],
    &[],
);

/// A client requests a file.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HttpRequest<'a> {
    pub path: &'a [u8],
    pub version: &'a [u8],
    pub eol: u8,
    pub headers: Headers<'a>,
    pub blank: u8,
    pub body: &'a [u8],
}

impl<'a> Message<'a> for HttpRequest<'a> {
    const SPEC: Spec = Spec::new(
        "HTTP request",
        &["001 5.5", "002 Server Feed"],
        C2M,
        b"GET /ipgetter/ HTTP/1.1\r\nHost: etqw-ipgetter.demonware.net\r\n\r\n",
    )
    .id("request")
    .stream()
    .content_match(b"G", is_for_game)
    .named(|bytes, _| fetched(bytes).map_or("HTTP request", |(_, name, _)| name))
    .exchange(ExchangeKind::Motd);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"GET")?;
        p.lit(&BLANK, b" ")?;
        p.text(&PATH, b" \n", &mut self.path)?;
        p.lit(&BLANK, b" ")?;
        p.text(&VERSION, b"\r\n", &mut self.version)?;
        p.one_of(&EOL, &EOLS, &mut self.eol)?;
        p.view(&HEADERS, &KEYS, &mut self.headers)?;
        p.one_of(&EOL, &EOLS, &mut self.blank)?;
        p.text(&BODY, b"", &mut self.body)
    }
}

/// The first line and the headers of every reply.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ResponseHead<'a> {
    pub version: &'a [u8],
    pub status: Decimal<'a>,
    pub reason: &'a [u8],
    pub eol: u8,
    pub headers: Headers<'a>,
    pub blank: u8,
}

impl<'a> ResponseHead<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"HTTP/")?;
        p.text(&VERSION, b" \n", &mut self.version)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&STATUS, &mut self.status)?;
        p.text(&REASON, b"\r\n", &mut self.reason)?;
        p.one_of(&EOL, &EOLS, &mut self.eol)?;
        p.view(&HEADERS, &KEYS, &mut self.headers)?;
        p.one_of(&EOL, &EOLS, &mut self.blank)
    }
}

messages! {
    {
        head: ResponseHead<'a>,
        servers: Endpoints<'a>,
        more: bool,
        body: &'a [u8],
    }
    |self, p, why: &'static str| {
        self.head.walk(p)?;
        p.view(&SERVERS, LINES, &mut self.servers)?;
        p.more(&mut self.more, why, |p| p.text(&BODY, b"", &mut self.body))
    }
    /// The feed of Enemy Territory: Quake Wars servers, one `ADDRESS:PORT` per line, and the rest from
    /// the first line on that is no server.
    ServerFeed = "behind the servers", Spec::new(
        "HTTP ipgetter reply",
        &["002 Server Feed"],
        M2C,
        b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n192.0.2.7:27733\n",
    )
    .id("server-feed")
    .stream()
    .content_match(b"H", is_usual_feed)
    .answers(&["request"])
    .exchange(ExchangeKind::List);

    /// The same as the answer to its request, whatever ports its servers have.
    RequestedFeed = "behind the servers", Spec::new(
        "HTTP ipgetter reply",
        &["002 Server Feed"],
        M2C,
        b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n192.0.2.7:28000\n",
    )
    .id("requested-feed")
    .stream()
    .answer_only()
    .content_match(b"H", |bytes| is_feed(bytes) && !is_usual_feed(bytes))
    .answers(&["request"])
    .exchange(ExchangeKind::List);
}

/// Any other answer to such a request.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HttpReply<'a> {
    pub head: ResponseHead<'a>,
    pub body: &'a [u8],
}

impl<'a> Message<'a> for HttpReply<'a> {
    const SPEC: Spec = Spec::new(
        "HTTP reply",
        &["001 5.5"],
        M2C,
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>Welcome</html>",
    )
    .id("reply")
    .stream()
    .answer_only()
    .content_match(b"H", |bytes| bytes.starts_with(b"HTTP/") && !is_feed(bytes))
    .named(|_, request| {
        let file = FETCHED.iter().find(|(_, name, _)| request == Some(name));
        file.map_or("HTTP reply", |(_, _, reply)| reply)
    })
    .answers(&["request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        self.head.walk(p)?;
        p.text(&BODY, b"", &mut self.body)
    }
}

/// The path of a request and its headers, as far as they have come.
fn request(bytes: &[u8]) -> Option<(&[u8], Headers<'_>)> {
    let line = bytes.strip_prefix(b"GET ")?;
    let path = line.split(|b| matches!(b, b' ' | b'\r' | b'\n')).next()?;
    Some((path, headers(bytes)))
}

/// The header lines after the first line.
fn headers(bytes: &[u8]) -> Headers<'_> {
    let first = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    Headers::new(bytes.get(first..).unwrap_or_default())
}

fn fetched(bytes: &[u8]) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let (path, _) = request(bytes)?;
    FETCHED.iter().find(|(begin, ..)| path.starts_with(begin.as_bytes()))
}

fn is_for_game(bytes: &[u8]) -> bool {
    request(bytes).is_some_and(|(path, headers)| {
        REQUESTERS.iter().any(|(begin, name, whose)| {
            let value = headers.get(name.as_bytes()).and_then(|v| v.get(..whose.len()));
            path.starts_with(begin.as_bytes())
                && value.is_some_and(|v| v.eq_ignore_ascii_case(whose.as_bytes()))
        })
    })
}

/// A reply whose body begins with a server.
fn is_feed(bytes: &[u8]) -> bool {
    let body = head_len(bytes, 0).ok().and_then(|len| bytes.get(len..));
    bytes.starts_with(b"HTTP/") && body.is_some_and(|body| Endpoints::begins(body, LINES))
}

/// The ports of Quake Wars' servers: the usual one, and the next ones of several on one host.
const PORTS: Range<u16> = 27733..27753;
/// How many lines of a list are looked at.
const LINES_SEEN: usize = 64;

/// A list in which half of the servers or more have a usual port. Lists of other programs have the
/// same form: proxies, nodes.
fn is_usual_feed(bytes: &[u8]) -> bool {
    let body = head_len(bytes, 0).ok().and_then(|len| bytes.get(len..)).unwrap_or_default();
    let is_usual = |line: &[u8]| {
        let port = line.trim_ascii_end().rsplit(|byte| *byte == b':').next();
        let port = port.and_then(|port| std::str::from_utf8(port).ok()?.parse().ok());
        port.is_some_and(|port| PORTS.contains(&port))
    };
    let lines = body.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let (mut usual, mut all) = (0, 0);
    for line in lines.take(LINES_SEEN) {
        (usual, all) = (usual + usize::from(is_usual(line)), all + 1);
    }
    is_feed(bytes) && 2 * usual >= all
}

/// The length of the first line and the headers, with the empty line after them; else the position
/// up to which there is none.
fn head_len(bytes: &[u8], searched: usize) -> Result<usize, usize> {
    for line in memchr::memchr_iter(b'\n', bytes.get(searched..).unwrap_or_default()) {
        let end = searched + line + 1;
        match bytes.get(end..).unwrap_or_default() {
            [b'\n', ..] => return Ok(end + 1),
            [b'\r', b'\n', ..] => return Ok(end + 2),
            [] | [b'\r'] => return Err(end - 1),
            _ => {}
        }
    }
    Err(bytes.len())
}

/// A request ends with its headers, a reply at its length; without one, with the stream.
fn cut(bytes: &[u8], searched: usize) -> FrameBoundary {
    let begins = |word: &[u8]| bytes.starts_with(word) || word.starts_with(bytes);
    let is_request = begins(b"GET ");
    if !is_request && !begins(b"HTTP/") {
        return FrameBoundary::Foreign;
    }
    let head = match head_len(bytes, searched) {
        Ok(head) => head,
        Err(searched) => return FrameBoundary::Open { searched },
    };
    match headers(bytes).get(b"Content-Length").and_then(number) {
        Some(length) => FrameBoundary::At(head.saturating_add(length)),
        None if is_request => FrameBoundary::At(head),
        None => FrameBoundary::Endless,
    }
}

fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits).ok()?.trim_ascii_end().parse().ok()
}

#[cfg(test)]
mod tests;
