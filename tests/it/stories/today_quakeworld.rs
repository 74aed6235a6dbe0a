//! What MVDSV, qwfwd and their clients say in 2026.

use std::net::SocketAddr;

use super::address;
use crate::story::{Format, Link, Story};

/// The captures and their stories.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("quakeworld/today.pcapng", server_and_clients()),
        ("quakeworld/today-proxy.pcapng", proxy()),
        ("hexenworld/marks.pcapng", marks()),
    ]
}

/// 2026-11-22 20:00:00 UTC.
const TODAY: i64 = 1_795_377_600;
const MASTER: &str = "203.0.113.20:27000";
const SERVER: &str = "192.0.2.20:27500";

type Turn<'a> = (SocketAddr, SocketAddr, &'a [u8]);

fn send_all(story: &mut Story, turns: &[Turn<'_>]) {
    for (from, to, payload) in turns {
        story.after(45_000).send(*from, *to, payload);
    }
}

/// `FF FF FF FF` and a text.
fn oob(text: &[u8]) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text].concat()
}

/// A client finds a server, asks for all that it tells, joins, and commands it.
fn server_and_clients() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (server, master) = (address(SERVER), address(MASTER));
    let (browser, client) = (address("198.51.100.20:40020"), address("198.51.100.20:27001"));
    send_all(
        &mut story,
        &[
            (server, master, b"a\n42\n3\n"),
            (browser, master, b"c\n\0"),
            (master, browser, b"\xff\xff\xff\xffd\n\xc0\0\x02\x14\x6b\x6c"),
            (browser, server, b"\xff\xff\xff\xffping\n"),
            (server, browser, b"l"),
        ],
    );
    let settings = br"n\maxfps\77\*version\MVDSV 1.11-dev\*admin\Ops <ops@example.org>\ktxver\1.42\*gamedir\qw\mode\2on2\hostname\Lab QW\map\dm3\maxclients\4";
    let status = |asked: &str, lines: &[u8]| {
        (
            oob(format!("status {asked}\n").as_bytes()),
            [&oob(settings)[..], b"\n", lines, b"\0"].concat(),
        )
    };
    let many = (0..8).fold(String::new(), |text, n| {
        text + &format!("{n} {} 9 38 \"player {n}\" \"base\" 4 13 \"red\"\n", 8 - n)
    });
    let (first, rest) = many.as_bytes().split_at(170);
    for (request, reply) in [
        status("23", b"7 12 9 38 \"Alfa\" \"base\" 4 13 \"red\"\n9 8 9 25 \"\xc2\xf2\xe1\xf6\xef\" \"\" 13 4 \"blue\"\n11 -9999 3 -25 \"\\s\\Watcher\" \"\" 0 0 \"\"\n"),
        status("191", b"7 12 9 38 \"Alfa\" \"base\" 4 13 \"red\" \"h\"\n12 S 3 25 \"Watcher\" \"\" 0 0 \"\" \"h\"\nqtv 1 \"Lab QTV\" \"2@qtv.example.org:28000\" 3\nqtv 2 \"Second QTV\" \"\" 0\n"),
        status("215", b"7 12 9 38 \"Alfa\" \"base\" 4 13 \"red\" \"none\" \"h\"\n12 0 9 10 \"Bot One\" \"\" 1 1 \"blue\" \"\" \"b\"\n"),
    ] {
        send_all(&mut story, &[(browser, server, &request), (server, browser, &reply)]);
    }
    send_all(&mut story, &[
        (browser, server, b"\xff\xff\xff\xffstatus 18\n"),
        (server, browser, b"\xff\xff\xff\xffn7 12 9 38 \"Alfa\" \"base\" 4 13 \"red\"\n\0"),
        (browser, server, b"\xff\xff\xff\xffstatus 32\n"),
        (server, browser, b"\xff\xff\xff\xffnqtv 1 \"Lab QTV\" \"2@qtv.example.org:28000\" 3\n\0"),
        (browser, server, b"\xff\xff\xff\xffstatus 32\n"),
        (server, browser, b"\xff\xff\xff\xffn\0"),
        (browser, server, b"\xff\xff\xff\xffqtvusers\n"),
        (server, browser, b"\xff\xff\xff\xffnqtvusers 1 \"Ulla\" \"\xd6\xe9\xf4\xef\"\nqtvusers 2\n\0"),
        (browser, server, b"\xff\xff\xff\xfflastscores 2\n"),
        (server, browser, b"\xff\xff\xff\xffnList of 2 last demos:\n41. \xf2\xe5\xe4 \xb2\xb1\xb4\n42. (empty)\n\0"),
        (browser, server, b"\xff\xff\xff\xfflaststats 1\n"),
        (server, browser, b"\xff\xff\xff\xffnlaststats 1\n[\n{\"map\": \"dm6\", \"players\": [{\"name\": \0"),
        (server, browser, b"\xff\xff\xff\xffn\"Alfa\"}]}\n]\n\0"),
        (browser, server, b"\xff\xff\xff\xffdlist dm3\n"),
        (server, browser, b"\xff\xff\xff\xffn   1: 2on2_red_vs_blue[dm3].mvd (2048k)\n*   2: duel[dm3].mvd (12k)\n\ndirectory size: 2.0MB\n\0"),
        (browser, server, b"\xff\xff\xff\xfflog 12\n"),
        (server, browser, b"stdlog 13\n\\Alfa\\Bravo\\\n\0"),
        (browser, server, b"\xff\xff\xff\xfflog 13\n"),
        (server, browser, b"m"),
    ]);
    // A text that is too long for one datagram is cut anywhere.
    let (request, begun) = status("23", first);
    let more = [&oob(b"n")[..], rest, b"\0"].concat();
    send_all(&mut story, &[
        (browser, server, &request),
        (server, browser, &begun),
        (server, browser, &more),
        (client, server, b"\xff\xff\xff\xffgetchallenge\n"),
        (server, client, b"\xff\xff\xff\xffc-1550966999\0FTEX\x08\xf2\xc0\x21MVD1\x1f\0\0\0"),
        (client, server, b"\xff\xff\xff\xffconnect 28 32187 -1550966999 \"\\*client\\ezQuake 7190\\name\\Alfa\\team\\red\\topcolor\\4\\password\\hunter2\"\n0x58455446 0x21c0f208\n0x3144564d 31\n"),
        (server, client, b"\xff\xff\xff\xffn\nserver requires a password\n\n"),
        (client, server, b"\xff\xff\xff\xffgetchallenge\n"),
        (server, client, b"\xff\xff\xff\xffc1804289383\0"),
        (client, server, b"\xff\xff\xff\xffconnect 28 32187 1804289383 \"\\name\\Alfa\"\n"),
        (server, client, b"\xff\xff\xff\xffj"),
        (browser, server, b"\xff\xff\xff\xffrcon 806AF53D9A399C1E9D2192FF5D188059B71086598030026B00000000 status\n"),
        (server, browser, b"\xff\xff\xff\xffnBad rcon_password.\n\0"),
        (address("192.0.2.21:51234"), server, b"\xff\xff\xff\xffbroadcast \\hostport\\192.0.2.21:27500\\port\\27500\\name\\Bravo\\players\\1\\maxplayers\\4\\message\\need one more\n"),
        (server, master, b"C\n"),
    ]);
    story
}

/// A proxy registers, measures how far servers are, and lets a client through.
fn proxy() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (proxy, server, master) = (address("192.0.2.30:30000"), address(SERVER), address(MASTER));
    let (browser, client) = (address("198.51.100.30:40030"), address("198.51.100.30:27001"));
    send_all(&mut story, &[
        (proxy, master, b"a\n1\n0\n"),
        (proxy, master, b"c\n\0"),
        (master, proxy, b"\xff\xff\xff\xffd\n\xc0\0\x02\x14\x6b\x6c\xc0\0\x02\x1e\x75\x30"),
        (proxy, server, b"\xff\xff\xff\xffk\n"),
        (server, proxy, b"l"),
        (browser, proxy, b"\xff\xff\xff\xffpingstatus\n"),
        (proxy, browser, b"\xff\xff\xff\xffn\xc0\0\x02\x14lk\x1a\0\xc6\x33\x64\x14Uo\xff\xff"),
        (client, proxy, b"\xff\xff\xff\xffgetchallenge\n"),
        (proxy, client, b"\xff\xff\xff\xffc719885386\0"),
        (client, proxy, b"\xff\xff\xff\xffconnect 28 4711 719885386 \"\\name\\Alfa\\prx\\192.0.2.20:27500\"\n"),
        (proxy, client, b"\xff\xff\xff\xffn\nproxy@Lab Proxy is full\n\n"),
        (client, server, b"\xff\xff\xff\xffip 3 913472\n"),
    ]);
    story
}

/// HexenWorld puts one FF before a letter that it does not compress, and five before the rest.
fn marks() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (server, master) = (address("192.0.2.13:26950"), address("203.0.113.13:26900"));
    let client = address("198.51.100.13:40013");
    send_all(&mut story, &[
        (server, master, b"\xffa\n1\n0\n"),
        (server, master, b"\xffk\0"),
        (master, server, b"\xff\xff\xff\xff\xffl\0"),
        (client, master, b"\xffc\0"),
        (master, client, b"\xff\xff\xff\xff\xffd\n\xc0\0\x02\x0d\x69\x46"),
        (client, server, b"\xff\xff\xff\xff\xffstatus\n"),
        (server, client, b"\xff\xff\xff\xff\xffn\\hostname\\Lab HW\\*version\\0.15\\map\\hwdm1\\maxclients\\8\n3 1 2 55 \"Alfa\" \"\" 0 0\n\0"),
        (server, master, b"\xffC\n"),
    ]);
    story
}
