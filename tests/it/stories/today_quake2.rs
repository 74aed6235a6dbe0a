//! What Q2PRO, R1Q2, Yamagi Quake II, kpded, q2master and their clients say in 2026.

use std::net::SocketAddr;

use super::address;
use crate::story::{Format, Link, Story};

/// The captures and their stories.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![("quake2/today.pcapng", quake2()), ("kingpin/today.pcapng", kingpin())]
}

/// 2026-11-22 21:00:00 UTC.
const TODAY: i64 = 1_795_381_200;
const MASTER: &str = "203.0.113.40:27900";
const STATUS: &str = r"\cheats\0\deathmatch\1\version\q2pro r3600~abc1234 Jul 21 2026 Linux x86_64\gamename\baseq2\mapname\q2dm1\hostname\Lab Q2\maxclients\16\port\27910\protocol\34\uptime\3 days, 4 hours";

fn send_all(story: &mut Story, turns: &[(SocketAddr, SocketAddr, &str)]) {
    for (from, to, text) in turns {
        let payload = [b"\xff\xff\xff\xff", text.as_bytes()].concat();
        story.after(45_000).send(*from, *to, &payload);
    }
}

/// A server registers with q2master; clients ask for the list in each form, and join with each
/// protocol.
fn quake2() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (server, master) = (address("192.0.2.40:27910"), address(MASTER));
    let client = address("198.51.100.40:27901");
    let heartbeat = format!("heartbeat\n{STATUS}\n12 38 \"Alfa\"\n");
    let status = format!("print\n{STATUS}\n12 38 \"Alfa\"\n-2 0 \"Bravo [B]\"\n");
    send_all(
        &mut story,
        &[
            (server, master, "ping"),
            (master, server, "ack"),
            (server, master, &heartbeat),
            (master, server, "ack"),
        ],
    );
    for (port, query) in
        [(40041, &b"query"[..]), (40042, b"query\n\0"), (40044, b"\xff\xff\xff\xffgetservers")]
    {
        let browser = SocketAddr::new(client.ip(), port);
        let list = b"\xff\xff\xff\xffservers \xc0\0\x02\x28\x6d\x06";
        story.after(45_000).send(browser, master, query);
        story.after(45_000).send(master, browser, list);
    }
    let userinfo = r#""\name\Alfa\skin\male/grunt\password\hunter2""#;
    let connect = |rest: &str| format!("connect {rest}\n");
    send_all(
        &mut story,
        &[
            (client, server, "status"),
            (server, client, &status),
            (client, server, "status 23\n"),
            (server, client, &status),
            (client, server, "info 34"),
            (server, client, "info\n          Lab Q2    q2dm1  2/16\n"),
            (client, server, "info 35\n"),
            (server, client, "info\nLab Q2: wrong version\n"),
            (client, server, "getchallenge\n"),
            (server, client, "challenge 1804289383 p=34,35,36"),
            (client, server, &connect(&format!("36 177 1804289383 {userinfo} 0 1 1 1026"))),
            (server, client, "client_connect nc=1 map=q2dm1"),
            (client, server, "getchallenge\n"),
            (server, client, "challenge 40517289 p=34,35"),
            (client, server, &connect(&format!("35 177 40517289 {userinfo} 1390 1905"))),
            (server, client, "client_connect dlserver=http://dl.example.org/q2 ac=1"),
            (client, server, "getchallenge\n"),
            (server, client, "challenge 29042"),
            (client, server, &connect(&format!("34 177 29042 {userinfo}"))),
            (server, client, "print\nBad challenge.\n"),
            (server, client, "passive_connect\n"),
            (client, server, "rcon \"hunter2\" status"),
            (server, client, "print\nBad rcon_password.\n"),
            (server, master, "shutdown"),
        ],
    );
    story
}

/// A server of Kingpin registers, and is asked.
fn kingpin() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (server, master) = (address("192.0.2.41:31510"), address(MASTER));
    let client = address("198.51.100.41:40041");
    let status = r"\mapname\kpdm3\gamename\Botmatch.v39.2\hostname\Lab KP\protocol\32\version\kpded 2.1 x86 Nov 17 2019 Win32 RELEASE\game\botmatch\maxclients\20";
    send_all(
        &mut story,
        &[
            (server, master, "ping"),
            (master, server, "ack"),
            (server, master, &format!("heartbeat\n{status}\n")),
            (client, server, "status\0"),
            (server, client, &format!("print\n{status}\n17 59 \"Alfa\"\n")),
            (client, server, "info 32"),
            (server, client, "info\n          Lab KP    kpdm3  1/20\n"),
        ],
    );
    story
}
