//! Which HTTP belongs to a game, its names, and where a message ends.

use super::super::registry;
use super::*;
use protocol::{Carrier, Direction};

const FEED: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n192.0.2.7:27733\n";

fn named(bytes: &[u8], request: Option<&'static str>) -> Option<&'static str> {
    let mut found = registry().recognise_all(Carrier::Stream, bytes, Direction::default());
    found.find(|e| e.protocol.id == "http").map(|e| e.spec.name_of(bytes, request))
}

#[test]
fn only_requests_for_games_are_recognised() {
    for (request, name) in [
        (
            "GET /UpdateServer/utmotd451.html HTTP/1.1\r\nHost: unreal.epicgames.com:80\r\n\r\n",
            Some("HTTP motd request"),
        ),
        (
            "GET /UpdateServer/utmotdfallback.html HTTP/1.1\r\nUser-Agent: Unreal\r\n\r\n",
            Some("HTTP motd fallback request"),
        ),
        (
            "GET /UpdateServer/other.txt HTTP/1.0\nHost: UNREAL.epicgames.com\n\n",
            Some("HTTP update request"),
        ),
        (
            "GET /ipgetter/ HTTP/1.1\r\nHost: etqwdemo-ipgetter.demonware.net\r\n\r\n",
            Some("HTTP ipgetter request"),
        ),
        ("GET /ipgetter/ HTTP/1.1\r\nHost: www.example.com\r\n\r\n", None),
        ("GET /UpdateServer/x HTTP/1.1\r\nHost: www.example.com\r\n\r\n", None),
        ("GET / HTTP/1.1\r\nHost: unreal.epicgames.com\r\n\r\n", None),
        ("POST /ipgetter/ HTTP/1.1\r\nHost: etqw-ipgetter.demonware.net\r\n\r\n", None),
    ] {
        assert_eq!(named(request.as_bytes(), None), name, "{request}");
    }
}

#[test]
fn replies_are_named_by_their_body_or_their_request() {
    assert_eq!(named(FEED, None), Some("HTTP ipgetter reply"));
    // Without a request, a list of servers on other ports is another program's.
    let of = |list: &str| format!("HTTP/1.1 200 OK\r\n\r\n{list}").into_bytes();
    for (list, id) in [
        ("192.0.2.7:27733\n192.0.2.7:27734\n192.0.2.8:40000\n", "server-feed"),
        ("192.0.2.7:27733\r\n198.51.100.9:28000\r\n\r\n", "server-feed"),
        ("192.0.2.7:3128\n198.51.100.9:8080\n", "requested-feed"),
        ("192.0.2.7:27733\n198.51.100.9:8080\n203.0.113.5:3128\n", "requested-feed"),
    ] {
        let list = of(list);
        let found = registry().recognise_all(Carrier::Stream, &list, Direction::default());
        let found: Vec<_> = found.map(|e| (e.spec.id, e.spec.magic)).collect();
        assert_eq!(found[0].0, id);
        let is_alone = found[0].1 != protocol::Magic::AnswerOnly;
        assert_eq!((found.len(), is_alone), (1, id == "server-feed"), "{found:?}");
    }
    let reply = b"HTTP/1.1 200 OK\r\n\r\nWelcome";
    assert_eq!(named(reply, Some("HTTP motd request")), Some("HTTP motd reply"));
    let found =
        registry().recognise_all(Carrier::Stream, reply, Direction::default()).next().unwrap();
    assert_eq!(found.spec.magic, protocol::Magic::AnswerOnly);
}

#[test]
fn messages_end_where_their_length_says() {
    let at = FEED.len();
    for (bytes, expected) in [
        (FEED, FrameBoundary::At(at)),
        (&FEED[..at - 1], FrameBoundary::At(at)),
        (&[FEED, b"HTTP/1.1"].concat(), FrameBoundary::At(at)),
        (b"HTTP/1.1 200 OK\r\n\r\nbody", FrameBoundary::Endless),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nx",
            FrameBoundary::Endless,
        ),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET", FrameBoundary::At(27)),
        (b"GET / HTTP/1.1\nHost: a\n\n", FrameBoundary::At(24)),
        (b"GET / HTTP/1.1\r\nHost", FrameBoundary::Open { searched: 20 }),
        (b"GE", FrameBoundary::Open { searched: 2 }),
        (b"\r\n\r\n", FrameBoundary::Foreign),
        (b"\\basic\\", FrameBoundary::Foreign),
    ] {
        assert_eq!(cut(bytes, 0), expected, "{}", bytes.escape_ascii());
    }
}
