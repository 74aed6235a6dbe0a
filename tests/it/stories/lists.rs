//! Lists with records that are no servers: cursors, and zeros at the end.

use std::net::SocketAddr;

use super::{THEN, address};
use crate::story::{Format, Link, Story};

/// Every capture of such a list, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![("half-life/pieces.pcapng", pieces()), ("cases/zeros-end-lists.pcapng", zeros())]
}

const CLIENT: &str = "198.51.100.15:40015";
const ZEROS: [u8; 6] = [0; 6];

fn record(server: &str) -> Vec<u8> {
    let SocketAddr::V4(server) = address(server) else {
        panic!("{server} is no IPv4 address");
    };
    [&server.ip().octets()[..], &server.port().to_be_bytes()].concat()
}

/// A client of Half-Life requests from a number on, and the last record is the next number; another
/// one requests from a server on, and the last record is that and a server too; a list without a
/// captured request may be either.
fn pieces() -> Story {
    let (client, master) = (address(CLIENT), address("203.0.113.15:27010"));
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    for (asked, listed) in [
        (&b"e\0\0\0"[..], [record("192.0.2.7:27015"), record("2.0.0.1:513")]),
        (b"e\x02\0\0", [record("192.0.2.8:27015"), ZEROS.to_vec()]),
        (
            b"1\xff0.0.0.0:0\0\\gamedir\\valve\0",
            [record("192.0.2.9:27015"), record("192.0.2.10:27015")],
        ),
        (
            b"1\xff192.0.2.10:27015\0\\gamedir\\valve\0",
            [record("192.0.2.11:27015"), ZEROS.to_vec()],
        ),
    ] {
        story.send(client, master, asked).after(40_000);
        let list = [b"\xff\xff\xff\xfff\n".to_vec(), listed.concat()].concat();
        story.send(master, client, &list).after(9_000_000);
    }
    let list = [b"\xff\xff\xff\xfff\n".to_vec(), record("192.0.2.12:27015"), ZEROS.to_vec()];
    story.send(master, address("198.51.100.16:40016"), &list.concat());
    story
}

/// Masters of several protocols end their lists with a record of zeros.
fn zeros() -> Story {
    let client = address(CLIENT);
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    for (master, asked, head, server, end) in [
        (
            "203.0.113.1:27950",
            &b"\xff\xff\xff\xffgetservers 68 empty full"[..],
            &b"\xff\xff\xff\xffgetserversResponse\\"[..],
            "192.0.2.20:27960",
            &b"\\\0\0\0\0\0\0\\EOT\0\0\0"[..],
        ),
        (
            "203.0.113.7:27900",
            b"query\n\0",
            b"\xff\xff\xff\xffservers ",
            "192.0.2.21:27910",
            &ZEROS,
        ),
        ("203.0.113.9:27000", b"c\n\0", b"\xff\xff\xff\xffd\n", "192.0.2.22:27500", &ZEROS),
    ] {
        story.send(client, address(master), asked).after(30_000);
        let list = [head, &record(server), end].concat();
        story.send(address(master), client, &list).after(4_000_000);
    }
    story
}
