//! Quake before QuakeWorld, Teeworlds, Unreal's second engine: messages without the mark of Quake's
//! later games.

use std::net::SocketAddr;

use super::address;
use crate::story::{Format, Link, Story};

/// Every capture of these protocols, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("netquake/session.pcap", netquake()),
        ("teeworlds/session.pcapng", teeworlds()),
        ("teeworlds/version-7.pcapng", teeworlds_7()),
        ("ut2004/query.pcap", ut2004()),
    ]
}

/// 2026-11-23 20:00:00 UTC.
const TODAY: i64 = 1_795_464_000;

fn send_all(story: &mut Story, messages: &[(SocketAddr, SocketAddr, &[u8])]) {
    for (from, to, payload) in messages {
        story.after(35_000).send(*from, *to, payload);
    }
}

/// A client asks for everything, joins, and commands; another one is refused.
fn netquake() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, TODAY);
    let (server, full) = (address("192.0.2.26:26000"), address("192.0.2.27:26000"));
    let (client, late) = (address("198.51.100.26:50026"), address("198.51.100.27:50027"));
    send_all(
        &mut story,
        &[
            (client, server, b"\x80\0\0\x0c\x02QUAKE\0\x03"),
            (server, client, b"\x80\0\0\x25\x83192.0.2.26:26000\0Lab NQ\0e1m1\0\x02\x08\x03"),
            (client, server, b"\x80\0\0\x06\x03\0"),
            (
                server,
                client,
                b"\x80\0\0\x2b\x84\0Alfa\0\x4d\0\0\0\x0c\0\0\0\x41\x01\0\x00198.51.100.28:50028\0",
            ),
            (client, server, b"\x80\0\0\x06\x03\x01"),
            (
                server,
                client,
                b"\x80\0\0\x20\x84\x01Bravo\0\x04\0\0\0\xfe\xff\xff\xff\x0a\0\0\0private\0",
            ),
            (client, server, b"\x80\0\0\x06\x04\0"),
            (server, client, b"\x80\0\0\x14\x85sv_gravity\x00800\0"),
            (client, server, b"\x80\0\0\x10\x04sv_gravity\0"),
            (server, client, b"\x80\0\0\x05\x85"),
            (client, server, b"\x80\0\0\x0c\x01QUAKE\0\x03"),
            (server, client, b"\x80\0\0\x09\x81\x91\x65\0\0"),
            (client, server, b"\x80\0\0\x14\x05hunter2\0status\0"),
            (server, client, b"\x80\0\0\x15\x86host:    Lab NQ\0"),
            (late, full, b"\x80\0\0\x13\x01QUAKE\0\x03\x01\x22\0\0\0\0\0"),
            (full, late, b"\x80\0\0\x16\x82Server is full.\n\0"),
        ],
    );
    story
}

const FF: &[u8] = &[0xff; 10];

/// A server registers, after a check from the master's second port; a client gets lists and asks in
/// every form.
fn teeworlds() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (server, big) = (address("192.0.2.30:8303"), address("192.0.2.31:8304"));
    let (master, checker) = (address("203.0.113.30:8300"), address("203.0.113.30:8301"));
    let client = address("198.51.100.30:40030");
    let turn = |story: &mut Story, from, to, text: &[u8]| {
        story.after(35_000).send(from, to, &[FF, text].concat());
    };
    for (from, port) in [(server, b"\x20\x6f"), (big, b"\x20\x70")] {
        turn(&mut story, from, master, &[&b"bea2"[..], port].concat());
        turn(&mut story, checker, from, b"fw??");
        turn(&mut story, from, checker, b"fw!!");
        story.note("The check comes from the port above that of the master.");
        turn(&mut story, master, from, b"fwok");
    }
    turn(&mut story, client, master, b"cou2");
    turn(&mut story, master, client, b"siz2\0\x02");
    turn(&mut story, client, master, b"req2");
    let mapped = b"\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\x02\x1e\x20\x6f";
    let other = b"\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\x02\x1f\x20\x70";
    turn(&mut story, master, client, &[&b"lis2"[..], mapped, other].concat());
    turn(&mut story, client, server, b"gie3\x05");
    turn(
        &mut story,
        server,
        client,
        b"inf35\x000.6.5\0Lab TW\0dm1\0DM\x000\x002\0\
          16\x002\x0016\0Alfa\0LAB\x00276\x0012\x001\0Bravo\0\0-1\x000\x000\0",
    );
    story.after(35_000).send(client, big, b"xe\x01\x02\0\0\xff\xff\xff\xffgie3\x06");
    turn(
        &mut story,
        big,
        client,
        b"iext66054\x000.6.4, 18.9\0Lab DDNet\0Sunny Side Up\0-1234567\x00523456\0\
          DDraceNetwork\x000\x002\x0064\x003\x0064\0\0Alfa\0LAB\x00276\0-9999\x001\0\0",
    );
    turn(
        &mut story,
        big,
        client,
        b"iex+66054\x001\0\0Charlie\0\0-1\x00321\x001\0\0Delta\0\0-1\x000\x000\0\0",
    );
    turn(&mut story, client, big, b"fstd\x07");
    turn(
        &mut story,
        big,
        client,
        b"dtsf7\x000.6.5\0Lab 64\0ctf5\0CTF\x000\x001\x0064\x001\x0064\0\0Alfa\0LAB\x00276\x00\
          12\x001\0",
    );
    story
}

/// A server of version 0.7 registers and a client asks; each exchanges tokens first, as the released
/// programs do.
fn teeworlds_7() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let server = address("192.0.2.32:8303");
    let (master, checker) = (address("203.0.113.32:8283"), address("203.0.113.32:8284"));
    let client = address("198.51.100.32:40032");
    let tokens =
        |story: &mut Story, (from, mine): (SocketAddr, u32), (to, theirs): (SocketAddr, u32)| {
            let request = [&b"\x04\0\0\xff\xff\xff\xff\x05"[..], &mine.to_be_bytes(), &[0; 508]];
            story.after(35_000).send(from, to, &request.concat());
            let reply = [b"\x04\0\0", &mine.to_be_bytes()[..], b"\x05", &theirs.to_be_bytes()];
            story.after(35_000).send(to, from, &reply.concat());
        };
    let turn = |story: &mut Story, from, to, tokens: [u32; 2], text: &[u8]| {
        let [packet, response] = tokens.map(u32::to_be_bytes);
        let parts = [b"\x21", &packet[..], &response, &[0xff; 4], text];
        story.after(35_000).send(from, to, &parts.concat());
    };
    let (s, m, c, k) = (0x5eed_0001, 0x3a57_0002, 0xc11e_0003, 0xc4ec_0004);
    tokens(&mut story, (server, s), (master, m));
    turn(&mut story, server, master, [m, s], b"bea2\x20\x6f");
    tokens(&mut story, (checker, k), (server, s));
    turn(&mut story, checker, server, [s, k], b"fw??");
    turn(&mut story, server, checker, [k, s], b"fw!!");
    turn(&mut story, master, server, [s, m], b"fwok");
    tokens(&mut story, (client, c), (master, m));
    turn(&mut story, client, master, [m, c], b"cou2");
    turn(&mut story, master, client, [c, m], b"siz2\0\x01");
    turn(&mut story, client, master, [m, c], b"req2");
    let list = b"lis2\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\0\x02\x20\x20\x6f";
    turn(&mut story, master, client, [c, m], list);
    tokens(&mut story, (client, c), (server, s));
    turn(&mut story, client, server, [s, c], b"gie3\x85\x01");
    story.note("A token of more than six bits: the number has two bytes.");
    turn(
        &mut story,
        server,
        client,
        [c, s],
        b"inf3\x85\x010.7.5\0Lab seven\0\0dm1\0DM\0\x01\x02\x02\x08\x03\x88\x01Alfa\0LAB\0\x94\x04\x8c\x01\0\
          Bravo\0\0\x40\x41\0Charlie\0\0\x40\0\x01",
    );
    story
}

/// A client asks for what a server is, its rules, its players, one with a name in UTF-16.
fn ut2004() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, TODAY);
    let (server, client) = (address("192.0.2.40:7778"), address("198.51.100.40:40040"));
    send_all(
        &mut story,
        &[
            (client, server, b"\x79\0\0\0\0"),
            (
                server,
                client,
                b"\x80\0\0\0\0\0\0\0\0\0\x61\x1e\0\0\x62\x1e\0\0\x13\x1b\xf8@@Lab \x1b@@\xf8UT2004\0\
                  \x0aDM-Rankin\0\x0cxDeathMatch\0\x02\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\x022\0",
            ),
            (client, server, b"\x79\0\0\0\x01"),
            (
                server,
                client,
                b"\x80\0\0\0\x01\x0bServerMode\0\x0adedicated\0\x0aAdminName\0\x04Ops\0\
                  \x0eServerVersion\0\x053369\0\x08Mutator\0\x0aDMMutator\0\
                  \x08Mutator\0\x0bXCamperMut\0",
            ),
            (server, client, b"\x80\0\0\0\x01\x0dGamePassword\0\x06false\0"),
            (client, server, b"\x79\0\0\0\x02"),
            (
                server,
                client,
                b"\x80\0\0\0\x02\x13\0\0\0\x05Alfa\0\xc0\0\0\0\x01\0\0\0\0\0\0\0\
                  \x03\0\0\0\x84\xdc\0n\0f\0\0\0\x28\0\0\0\x02\0\0\0\0\0\0\0\
                  \0\0\0\0\x09Red Team\0\0\0\0\0\x05\0\0\0\0\0\0\0",
            ),
        ],
    );
    story
}
