//! Connections in segments of every size, and messages without an end.

use super::super::registry;
use Side::{Here, There};
use protocol::{FrameBoundary, FramedMessage, Framer, Side, StreamStart};

/// Maximum number of bytes kept of one message.
const LONGEST: usize = 64 << 10;
/// Capacity that an empty buffer keeps, in bytes.
const SPARE: usize = 4 << 10;

/// Every message with its side, in order, and its missing bytes.
fn cut(sent: &[(Side, &[u8])]) -> Vec<(Side, String, u64)> {
    let mut found = Vec::new();
    let mut framer = Framer::new(registry(), StreamStart::Beginning);
    let mut out = |m: FramedMessage<'_, usize>| {
        assert!(m.first <= m.last);
        found.push((m.side, m.bytes.escape_ascii().to_string(), m.missing));
    };
    for (at, (side, bytes)) in sent.iter().enumerate() {
        match bytes {
            [] => framer.lose(*side, 10, at),
            bytes => framer.push(*side, bytes, at, &mut out),
        }
    }
    framer.end(Here, &mut out);
    framer.end(There, &mut out);
    found
}

const SESSION: [(Side, &[u8]); 4] = [
    (There, br"\basic\\secure\wookie"),
    (Here, br"\gamename\ut\location\0\validate\2/TYFMRc\final\"),
    (Here, br"\list\\gamename\ut\final\"),
    (There, br"\ip\192.0.2.7:7778\ip\198.51.100.9:8789\final\"),
];

#[test]
fn messages_do_not_depend_on_segments() {
    let whole: Vec<_> =
        SESSION.iter().map(|(side, m)| (*side, m.escape_ascii().to_string(), 0)).collect();
    for size in [1, 2, 3, 7, 20, 1000] {
        let sent: Vec<_> =
            SESSION.iter().flat_map(|(side, m)| m.chunks(size).map(|part| (*side, part))).collect();
        assert_eq!(cut(&sent), whole, "in pieces of {size}");
    }
    let client = [SESSION[1].1, SESSION[2].1].concat();
    assert_eq!(cut(&[SESSION[0], (Here, &client), SESSION[3]]), whole, "two in one segment");
}

#[test]
fn http_is_cut_by_its_length_or_its_end() {
    let request = b"GET /UpdateServer/utmotd451.html HTTP/1.1\r\nHost: a\r\n\r\n";
    let reply = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
    let two = [&reply[..], b"HTTP/1.1 200 OK\r\n\r\nrest"].concat();
    let found = cut(&[(Here, request), (There, &two)]);
    let texts: Vec<_> = found.iter().map(|(_, text, _)| text.as_str()).collect();
    assert_eq!(texts.len(), 3);
    assert!(texts[1].ends_with("hi") && texts[2].ends_with("rest"), "{texts:?}");
}

#[test]
fn the_end_of_another_protocol_ends_no_request() {
    let request = b"GET /UpdateServer/\\final\\utmotd451.html HTTP/1.1\r\nHost: a\r\n\r\n";
    let whole = [(Here, request.escape_ascii().to_string(), 0)];
    for size in [1, 24, 1000] {
        let parts: Vec<_> = request.chunks(size).map(|part| (Here, part)).collect();
        assert_eq!(cut(&parts), whole, "in pieces of {size}");
    }
}

#[test]
fn what_is_lost_behind_a_message_is_missing_in_the_next() {
    // The backslash may begin a `\queryid\`, so the end of the first is not known yet.
    let sent: [(Side, &[u8]); 3] =
        [(There, br"\a\b\final\\"), (There, b""), (There, br"list\\x\y\final\")];
    let found: Vec<_> = cut(&sent).into_iter().map(|(_, text, lost)| (text, lost)).collect();
    let texts = [br"\a\b\final\".as_slice(), br"\list\\x\y\final\"];
    let [first, second] = texts.map(|text| text.escape_ascii().to_string());
    assert_eq!(found, [(first, 0), (second, 10)]);
}

#[test]
fn what_no_protocol_knows_is_let_go() {
    let mut framer = Framer::new(registry(), StreamStart::Beginning);
    let mut out = |m: FramedMessage<'_, ()>| panic!("{m:?}");
    for _ in 0..1000 {
        framer.push(Here, b"\x16\x03\x01", (), &mut out);
        framer.push(There, b"SSH-2.0\r\n", (), &mut out);
        framer.lose(There, 9, ());
    }
    assert_eq!(framer.protocol().map(|p| p.id), None);
    assert!(framer.weight() < 4000);
}

#[test]
fn a_message_is_bounded_and_says_what_is_missing() {
    let long = [b"\\ip\\1".as_slice(), &vec![b'1'; 3 * LONGEST]].concat();
    let found = cut(&[(There, &long), (There, br"\final\")]);
    assert_eq!((found.len(), found[0].1.len()), (1, (LONGEST - 5) + r"\\ip\\1".len()));
    assert_eq!(found[0].2, (2 * LONGEST + 5 + 7) as u64);
    let found = cut(&[(There, br"\ip\1.2.3.4:5"), (There, b""), (There, br"\final\")]);
    assert_eq!(found, [(There, r"\\ip\\1.2.3.4:5\\final\\".to_owned(), 10)]);
}

#[test]
fn a_compressed_list_ends_too() {
    let list = b"\xc0\0\x02\x07\x1e\x62\xc6\x33\x64\x09\x22\x55\\final\\";
    let sent = [SESSION[0], SESSION[1], (Here, br"\list\cmp\gamename\ut\final\"), (There, list)];
    let found = cut(&sent);
    assert_eq!(found.last().unwrap().1, list.escape_ascii().to_string());
}

#[test]
fn a_search_goes_on_where_it_ended() {
    let reply: &[u8] = b"HTTP/1.1 200 OK\r\nA: b\nContent-Length: 3\n\r\nabc";
    for (message, protocol) in [
        (reply, "http"),
        (b"GET / HTTP/1.1\r\nHost: a\r\n\n", "http"),
        (br"\gamename\ut\location\0\validate\2/TYFMRc\final\", "gamespy"),
    ] {
        let protocol = registry().protocol(protocol).unwrap();
        let mut searched = 0;
        for length in 1..message.len() {
            let begun = &message[..length];
            match (protocol.cut)(begun, searched) {
                FrameBoundary::Open { searched: further } => {
                    assert!((searched..=length).contains(&further));
                    searched = further;
                }
                cut => {
                    assert_eq!(cut, FrameBoundary::At(message.len()), "{}", begun.escape_ascii());
                }
            }
        }
        assert!(searched > message.len() / 2, "{searched} of {}", message.escape_ascii());
        assert_eq!((protocol.cut)(message, searched), FrameBoundary::At(message.len()));
    }
}

#[test]
fn replies_of_http_do_not_depend_on_segments() {
    let replies = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.0 404 No\n\nrest";
    for size in 1..replies.len() {
        let sent: Vec<_> = replies.chunks(size).map(|part| (There, part)).collect();
        let texts: Vec<_> = cut(&sent).into_iter().map(|(_, text, _)| text).collect();
        assert_eq!(texts.len(), 2, "in pieces of {size}");
        assert!(texts[0].ends_with("hi") && texts[1].ends_with("rest"), "{texts:?}");
    }
}

#[test]
fn many_messages_in_one_segment_are_cut_apart() {
    let one: &[u8] = br"\list\\gamename\ut\final\";
    let many = [one.repeat(2_000), one[..9].to_vec()].concat();
    let found = cut(&[(Here, &many)]);
    assert_eq!(found.len(), 2_001);
    assert_eq!(found[2_000].1.len(), one[..9].escape_ascii().count());
}

#[test]
fn what_is_forgotten_is_no_message() {
    let mut framer = Framer::new(registry(), StreamStart::Beginning);
    framer.push(There, br"\basic\\secure\woo", (), &mut |m| panic!("{m:?}"));
    assert!(framer.forget(There) && !framer.forget(Here));
    framer.end(There, &mut |m| panic!("{m:?}"));
    let long = [b"\\ip\\".as_slice(), &vec![b'1'; LONGEST]].concat();
    framer.push(There, &long, (), &mut |m| panic!("{m:?}"));
    assert!(framer.weight() >= LONGEST);
    framer.end(There, &mut |_| {});
    assert!(framer.weight() < 4 * SPARE, "what was long once takes no room for ever");
}
