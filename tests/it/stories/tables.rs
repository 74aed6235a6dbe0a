//! Captures for which tables were wrong in earlier versions.

use super::{THEN, address};
use crate::story::{Format, Link, Story};

/// Each with its path under `captures/cases/`.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("cases/status-then-quakeworld.pcap", renamed()),
        ("cases/names-in-utf8.pcap", names()),
        ("cases/list-in-packets.pcap", list()),
        ("cases/spoke-and-listed.pcap", spoke()),
    ]
}

/// Three requests that two protocols share, then a response that only the other one has.
fn renamed() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, THEN);
    let (client, server) = (address("198.51.100.41:40041"), address("192.0.2.41:30000"));
    for _ in 0..3 {
        story.after(1_000_000).send(client, server, &oob(b"status\n"));
    }
    let answer =
        b"n\\hostname\\The Tower\\map\\dm4\\*version\\MVDSV 0.30\n1 2 3 4 \"a\" \"b\" 0 0\n";
    story.after(20_000).send(server, client, &oob(answer));
    story
}

/// Names in UTF-8, in Latin-1, with colours, with control characters, and with what a spreadsheet
/// would evaluate.
fn names() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, THEN);
    let client = address("198.51.100.42:40042");
    let long = "д".repeat(200);
    for (n, name) in [
        "Düsseldorf ^1Арена 東京".as_bytes(),
        b"D\xfcsseldorf",
        "a\u{202e}b\u{200b}c\u{feff}\x1b[31m".as_bytes(),
        "＝1+1".as_bytes(),
        long.as_bytes(),
    ]
    .into_iter()
    .enumerate()
    {
        let server = address(&format!("192.0.2.42:{}", 27_960 + n));
        story.after(1_000_000).send(client, server, &oob(b"getinfo xyz"));
        let answer = [b"infoResponse\n\\challenge\\xyz\\hostname\\", name, b"\\protocol\\68"];
        story.after(20_000).send(server, client, &oob(&answer.concat()));
    }
    story
}

/// A list of three packets, during which other exchanges begin and end; and an exchange that gets
/// its response at once while an older one waits in vain.
fn list() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, THEN);
    let (client, master) = (address("198.51.100.43:40043"), address("203.0.113.43:27950"));
    let dead = address("192.0.2.99:27960");
    story.send(client, dead, &oob(b"getstatus nobody"));
    story.after(1_000).send(client, master, &oob(b"getservers 68 empty full"));
    for packet in 0..3u8 {
        let mut list = oob(b"getserversResponse");
        for host in 1..=5 {
            list.extend([b'\\', 192, 0, 2, 10 * packet + host, 0x6d, 0x38]);
        }
        list.extend(if packet < 2 { &b"\\"[..] } else { b"\\EOT\0\0\0" });
        story.after(30_000).send(master, client, &list);
        let server = address(&format!("192.0.2.{}:27960", 10 * packet + 1));
        story.after(1_000).send(client, server, &oob(b"getinfo abc"));
        let info = b"infoResponse\n\\challenge\\abc\\hostname\\One\\clients\\3\\sv_maxclients\\8";
        story.after(4_500).send(server, client, &oob(info));
    }
    story
}

/// A list of three servers: one sends heartbeats, one responds, one does neither.
fn spoke() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, THEN);
    let (client, master) = (address("198.51.100.44:40044"), address("203.0.113.44:27950"));
    let server = |n| address(&format!("192.0.2.{n}:27960"));
    story.send(server(1), master, &oob(b"heartbeat QuakeArena-1\n"));
    story.after(10_000).send(client, master, &oob(b"getservers 68 empty full"));
    let mut list = oob(b"getserversResponse");
    for host in 1..=3 {
        list.extend([b'\\', 192, 0, 2, host, 0x6d, 0x38]);
    }
    list.extend(b"\\EOT\0\0\0");
    story.after(10_000).send(master, client, &list);
    story.after(10_000).send(client, server(2), &oob(b"getinfo abc"));
    story.after(10_000).send(
        server(2),
        client,
        &oob(b"infoResponse\n\\challenge\\abc\\hostname\\^2Two\\mapname\\q3dm1\\clients\\0"),
    );
    story.after(10_000).send(client, server(3), &oob(b"getinfo abc"));
    story
}

fn oob(text: &[u8]) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text].concat()
}
