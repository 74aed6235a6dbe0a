//! The stories of the captures in the repository.

mod challenges;
mod daily;
mod findings;
mod identifiers;
mod links;
mod lists;
mod masters;
mod others;
mod secrets;
mod silence;
mod tables;
mod today_gamespy;
mod today_half_life;
mod today_quake2;
mod today_quake3;
mod today_quakeworld;
mod today_source;
mod today_unreal2;
mod unmarked;

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use fragshark::codec::{Addrs, Coded, Coding, Huffman};
use fragshark::protocol::Role;
use fragshark::protocol::encode;
use fragshark::protocols::quake3;
use random::SeededRandom;

use crate::corpus::{Documented, documented};
use crate::story::{Format, Link, Side, Story};

/// Every capture: its path under `captures/`, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    use Format::{Pcap, PcapNg};
    let mut all = vec![
        ("quake3/documented.pcapng", documented_messages("quake3", 1, Link::Ethernet, PcapNg)),
        ("rtcw/documented.pcap", documented_messages("rtcw", 2, Link::Vlan, Pcap)),
        (
            "enemy-territory/documented.pcap",
            documented_messages("enemy-territory", 3, Link::Sll, Pcap),
        ),
        ("darkplaces/documented.pcapng", documented_messages("darkplaces", 4, Link::RawIp, PcapNg)),
        ("q3master/documented.pcap", documented_messages("q3master", 5, Link::Ethernet, Pcap)),
        (
            "elite-force/documented.pcapng",
            documented_messages("elite-force", 6, Link::Ethernet, PcapNg),
        ),
        ("quake2/documented.pcap", documented_messages("quake2", 7, Link::Ethernet, Pcap)),
        ("heretic2/documented.pcap", documented_messages("heretic2", 8, Link::Vlan, Pcap)),
        ("quakeworld/documented.pcap", documented_messages("quakeworld", 9, Link::RawIp, Pcap)),
        ("doom3/documented.pcapng", documented_messages("doom3", 10, Link::Ethernet, PcapNg)),
        ("half-life/documented.pcap", documented_messages("half-life", 15, Link::Sll, Pcap)),
        ("gamespy/documented.pcapng", documented_messages("gamespy", 16, Link::Ethernet, PcapNg)),
        ("unreal-tournament/documented.pcapng", unreal()),
        ("etqw/feed.pcapng", quake_wars()),
        ("hexenworld/session.pcap", hexenworld()),
        ("quake4/query.pcap", quake4()),
        ("noise.pcapng", noise()),
        ("darkplaces/getservers-ext.pcapng", both_families()),
        ("quake3/dead-master.pcapng", dead_master()),
        ("quake3/fragments.pcapng", fragments()),
        ("tour.pcapng", tour()),
    ];
    all.extend(findings::all());
    all.extend(lists::all());
    all.extend(secrets::all());
    all.extend(challenges::all());
    all.extend(silence::all());
    all.extend(tables::all());
    all.extend(links::all());
    all.extend(daily::all());
    all.extend(masters::all());
    all.extend(identifiers::all());
    all.extend(today_gamespy::all());
    all.extend(today_half_life::all());
    all.extend(today_quakeworld::all());
    all.extend(today_quake2::all());
    all.extend(today_quake3::all());
    all.extend(today_source::all());
    all.extend(today_unreal2::all());
    all.extend(unmarked::all());
    all.extend(others::all());
    all
}

/// 2003-12-01 20:00:00 UTC, when the documents were written.
const THEN: i64 = 1_070_308_800;

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

/// All of the documents' messages of one game, in their order, between a server, a client and
/// masters on the documented ports; half a second apart.
fn documented_messages(game: &str, host: u8, link: Link, format: Format) -> Story {
    let mut story = Story::new(link, format, THEN);
    for m in documented().into_iter().filter(|m| m.game == game && m.transport == "udp") {
        let [from, to] = ends(&m, host);
        story.after(500_000).send(from, to, &m.bytes).note(&m.id);
    }
    story
}

fn ends(m: &Documented, host: u8) -> [SocketAddr; 2] {
    let end = |party: Option<Role>, port: Option<u16>, far: bool| {
        let network = match party.unwrap() {
            Role::Server => [192, 0, 2],
            Role::Client => [198, 51, 100],
            Role::Master => [203, 0, 113],
        };
        // Messages between masters need two addresses.
        let host = if far && m.way.from == m.way.to { host + 100 } else { host };
        let ip = Ipv4Addr::new(network[0], network[1], network[2], host);
        // An endpoint without a documented port is a client, or handled like one.
        SocketAddr::V4(SocketAddrV4::new(ip, port.unwrap_or(40_000 + u16::from(host))))
    };
    [end(m.way.from, m.ports[0], false), end(m.way.to, m.ports[1], true)]
}

/// The documents' messages of Unreal Tournament: its datagrams, then its TCP connections to
/// masters, whose segments split messages anywhere.
fn unreal() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let documented: Vec<_> =
        documented().into_iter().filter(|m| m.game == "unreal-tournament").collect();
    for m in documented.iter().filter(|m| m.transport == "udp") {
        let [from, to] = ends(m, 11);
        story.after(500_000).send(from, to, &m.bytes).note(&m.id);
    }
    let (client, web) = ("198.51.100.11", address("203.0.113.11:80"));
    for (n, m) in (0u16..).zip(documented.iter().filter(|m| m.name.starts_with("HTTP"))) {
        let from = address(&format!("{client}:{}", 41_000 + n));
        story.after(500_000).converse(from, web, &[(Side::Client, &m.bytes)], 50);
    }
    let stream: Vec<_> = documented.iter().filter(|m| m.name.starts_with("TCP")).collect();
    let side = |m: &Documented| match m.way.from {
        Some(Role::Client) => Side::Client,
        _ => Side::Server,
    };
    let messages: Vec<(Side, &[u8])> = stream.iter().map(|m| (side(m), &m.bytes[..])).collect();
    let (from, to) = (address(&format!("{client}:41100")), address("203.0.113.11:28900"));
    story.after(500_000).converse(from, to, &messages, 7);
    story
}

/// Quake Wars fetches its list over HTTP, and queries a server.
fn quake_wars() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let feed: Vec<_> = documented().into_iter().filter(|m| m.game == "etqw").collect();
    let messages = [(Side::Client, &feed[0].bytes[..]), (Side::Server, &feed[1].bytes[..])];
    let (client, web) = (address("198.51.100.12:41200"), address("203.0.113.12:80"));
    story.converse(client, web, &messages, 40);
    let (asks, server) = (address("198.51.100.12:41201"), address("192.0.2.7:27733"));
    for entry in fragshark::protocols::etqw::PROTOCOL.messages {
        let is_answer = !entry.spec.answers.is_empty();
        let (from, to) = if is_answer { (server, asks) } else { (asks, server) };
        story.after(30_000).send(from, to, entry.spec.example);
    }
    story
}

/// HexenWorld's messages are QuakeWorld's, on its own ports and with a fifth FF.
fn hexenworld() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let (server, master) = (address("192.0.2.13:26950"), address("203.0.113.13:26900"));
    let client = address("198.51.100.13:40013");
    for (from, to, payload) in [
        (server, master, &b"a\n1\n0\n"[..]),
        (client, master, b"c\n\0"),
        (master, client, b"\xff\xff\xff\xff\xffd\n\xc0\x00\x02\x0d\x69\x46"),
        (client, server, b"\xff\xff\xff\xff\xffstatus\n"),
        (server, client, b"\xff\xff\xff\xff\xffn\\hostname\\The Tower\\map\\hexn1\n\0"),
        (server, master, b"k\0"),
        (master, server, b"\xff\xff\xff\xff\xffl\0"),
        (server, master, b"C\n"),
    ] {
        story.after(400_000).send(from, to, payload);
    }
    story
}

/// Quake 4 uses Doom 3's protocol; bit 31 of its number marks another game.
fn quake4() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let (server, client) = (address("192.0.2.14:28004"), address("198.51.100.14:40014"));
    story.send(client, server, b"\xff\xffgetInfo\0\x2a\0\0\0").after(20_000);
    let reply = b"\xff\xffinfoResponse\0\x2a\0\0\0\x55\0\x02\x80si_map\0mp/q4dm1\0si_name\0\
                  Stroggos\0\0\0\0\x30\0\x10\x27\0\0Kane\0Rhino\0\x20\x01\0\0\0\0\0\0\0\0";
    story.send(server, client, reply);
    story
}

/// Other traffic of a busy machine: DNS, voice, random bytes, and unsupported games.
fn noise() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let us = "198.51.100.99";
    let mut seeded = SeededRandom::new(0x2545_f491_4f6c_dd1d);
    let mut random = |len: usize| -> Vec<u8> { (0..len).map(|_| seeded.byte()).collect() };
    for n in 0..400u16 {
        let here = address(&format!("{us}:{}", 30_000 + n));
        let (port, payload) = match n % 8 {
            // DNS: a query for a name.
            0 => (
                53,
                [
                    &n.to_be_bytes()[..],
                    b"\x01\0\0\x01\0\0\0\0\0\0\x06status\x07example\0\0\x01\0\x01",
                ]
                .concat(),
            ),
            // QUIC: a long header of version 1.
            1 => (443, [&[0xc3, 0, 0, 0, 1, 8][..], &random(60)].concat()),
            // RTP: version 2, payload type 0, sequence.
            2 => (5004, [&[0x80, 0][..], &n.to_be_bytes(), &random(168)].concat()),
            // Steam's clients look for others; what RakNet's clients and servers begin with.
            3 => (27015, b"\xff\xff\xff\xff\x21\x4c\x5f\xa0\x05\0\0\0\x08\xd2\x09\x10\0".to_vec()),
            4 => (27015, [&b"\xfe\xff\xff\xff\0\x07"[..], &random(12)].concat()),
            5 => (27015, [&b"\xff\xff\xff\xff\x06\x15"[..], &random(8)].concat()),
            // Random bytes.
            _ => (49_000 + n, random(usize::from(n) % 300 + 1)),
        };
        let there = address(&format!("203.0.113.99:{port}"));
        let (from, to) = if n % 8 == 4 || n % 8 == 5 { (there, here) } else { (here, there) };
        story.after(3_000).send(from, to, &payload);
    }
    story
}

/// A list of both address families, over IPv6.
fn both_families() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let (client, master) = (address("[2001:db8::c]:40001"), address("[2001:db8::1]:27950"));
    story.send(client, master, b"\xff\xff\xff\xffgetserversExt Xonotic 3 empty full ipv4 ipv6");
    let mut servers = Vec::new();
    for server in ["192.0.2.40:26000", "[2001:db8::2f5c]:26000", "192.0.2.92:23644"] {
        Addrs::push(quake3::GetServersExtResponse::FORM, address(server), &mut servers);
    }
    let servers = Addrs::new(&servers);
    let list = quake3::GetServersExtResponse { servers, ..Default::default() };
    story.after(31_000).send(master, client, &written(list));
    story
}

/// A server's heartbeats to a master that is down.
fn dead_master() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let (server, master) = (address("192.0.2.10:27960"), address("203.0.113.1:27950"));
    let heartbeat = b"\xff\xff\xff\xffheartbeat QuakeArena-1\n";
    for _ in 0..3 {
        story.send(server, master, heartbeat);
        story.after(24_000).unreachable(master.ip(), (server, master), heartbeat);
        story.after(299_976_000);
    }
    story
}

/// A status response that exceeds the MTU, in four fragments.
fn fragments() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let (server, client) = (address("192.0.2.10:27960"), address("198.51.100.20:40002"));
    story.send(client, server, b"\xff\xff\xff\xffgetstatus 5f3a").after(18_000);
    let mut status =
        b"\xff\xff\xff\xffstatusResponse\n\\challenge\\5f3a\\version\\Q3 1.32b linux-i386\
        \\sv_hostname\\The Long Corridor\\mapname\\q3dm6\\sv_maxclients\\96\\protocol\\68\n"
            .to_vec();
    for n in 0..80 {
        status.extend_from_slice(
            format!("{} {} \"^{}Player {n}\"\n", 80 - n, 20 + n, n % 8).as_bytes(),
        );
    }
    story.send_in_fragments(server, client, &status, 512);
    story
}

fn written<'a>(body: impl fragshark::protocol::Message<'a>) -> Vec<u8> {
    let mut out = Vec::new();
    encode(body, &mut out).unwrap();
    out
}

/// A server registers, is challenged and answers; a client lists, queries and connects; in the end
/// the server sends its shutdown.
fn tour() -> Story {
    let server = address("192.0.2.10:27960");
    let gone = address("192.0.2.11:27960");
    let silent = address("192.0.2.12:27961");
    let client = address("198.51.100.23:27960");
    let master = address("203.0.113.1:27950");
    let motd = address("203.0.113.1:27951");
    let authorize = address("203.0.113.1:27952");
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);

    let info = "\\protocol\\68\\hostname\\^3The ^1Longest ^3Yard\\mapname\\q3dm17\\clients\\2\
                \\sv_maxclients\\12\\gametype\\0\\pure\\1\\punkbuster\\0";
    let heartbeat = b"\xff\xff\xff\xffheartbeat QuakeArena-1\n";

    story.send(server, master, heartbeat).note("The server tells the master that it is there.");
    story.after(31_200).send(master, server, b"\xff\xff\xff\xffgetinfo Kf9x_2Zp1q");
    story.note("The master challenges: only the real server will get this, and can send it back.");
    let answer = format!("infoResponse\n\\challenge\\Kf9x_2Zp1q{info}");
    story.after(28_900).send(server, master, &oob(&answer));
    story.note("The server answers with the challenge, and is listed from now on.");

    story.after(7_200_000).send(client, motd, &oob(
        "getmotd \"\\challenge\\14985\\renderer\\GeForce4\\version\\Q3 1.32b linux-i386 Nov 14 2002\"\n",
    ));
    story.note("A player starts the game, which asks for the message of the day.");
    story.after(40_100);
    story.send(motd, client, &oob("motd \"challenge\\14985\\motd\\Welcome to the arena\\\""));

    story.after(9_400_000).send(client, master, &oob("getservers 68 empty full"));
    story.note("The player opens the server browser.");
    let lists: [&[&str]; 2] = [
        &["192.0.2.10:27960", "192.0.2.11:27960", "192.0.2.12:27961", "192.0.2.92:23644"],
        &["192.0.2.13:27960", "192.0.2.14:27962"],
    ];
    for (n, list) in (0..).zip(lists) {
        let mut records = Vec::new();
        for server in list {
            Addrs::push(quake3::GetServersResponse::FORM, address(server), &mut records);
        }
        // Only the last packet of a list has the end mark, as with dpmaster.
        let end = if n == 0 { 5 } else { 0 };
        let servers = Addrs::new(&records);
        let list =
            quake3::GetServersResponse { servers, end, ..quake3::GetServersResponse::default() };
        story.after(26_000 + 400 * n).send(master, client, &written(list));
    }
    story.note(
        "The list took two packets; 0x5C, the separator, stands inside one of the addresses.",
    );

    for (n, to) in (0..).zip([server, gone, silent]) {
        story.after(1_500 + n).send(client, to, &oob("getinfo xxx"));
    }
    story.note("The browser asks each server for itself.");
    story.after(22_000).send(
        server,
        client,
        &oob(&format!("infoResponse\n\\challenge\\xxx{info}")),
    );
    story.after(3_100).unreachable(gone.ip(), (client, gone), &oob("getinfo xxx"));
    story.note("Nobody listens there any more; the third server never answers.");

    story.after(4_800_000).send(client, server, &oob("getstatus 5f3a11"));
    let status = "statusResponse\n\\challenge\\5f3a11\\version\\Q3 1.32b linux-i386 Nov 14 2002\
        \\sv_hostname\\^3The ^1Longest ^3Yard\\mapname\\q3dm17\\fraglimit\\30\\timelimit\\0\
        \\sv_maxclients\\12\\protocol\\68\\g_needpass\\0\\gamename\\baseq3\n\
        18 46 \"^1Sarge\"\n11 62 \"An ^4Ony ^7Mous\"\n";
    story.after(24_500).send(server, client, &oob(status));
    story.note("Settings, and a line for each player.");

    story.after(2_000_000).send(client, authorize, &oob("getKeyAuthorize 0 abcd3fghjlpqrst2"));
    story.note("The player's CD key: masked unless you ask for it.");
    story.after(500).send(client, server, &oob("getchallenge"));
    story.after(23_000).send(server, client, &oob("challengeResponse 96116651"));
    let userinfo = "\"\\challenge\\96116651\\qport\\154\\protocol\\68\
        \\cl_guid\\0123456789ABCDEF0123456789ABCDEF\\name\\^2New^7comer\\rate\\25000\\snaps\\20\
        \\model\\sarge/default\\handicap\\100\\sex\\male\\cl_anonymous\\0\"";
    story.after(900).send(client, server, &connect(userinfo));
    story.note("The settings of the player, Huffman coded: look at the decoded layer.");
    story.after(700).send(
        server,
        authorize,
        &oob("getIpAuthorize 96116651 198.51.100.23 baseq3 0 1"),
    );
    story.after(35_000).send(authorize, server, &oob("ipAuthorize 96116651 accept KEY_IS_GOOD"));
    story.after(1_000).send(server, client, &oob("connectResponse"));
    story.note("The player is in. What follows is the game itself, which nobody decodes here.");
    for sequence in 1..=3u32 {
        let there = [&sequence.to_le_bytes()[..], &154u16.to_le_bytes(), &[0x51; 24]].concat();
        story.after(25_000).send(client, server, &there);
        let back = [&sequence.to_le_bytes()[..], &[0x37; 90]].concat();
        story.after(12_000).send(server, client, &back);
    }

    story.after(240_000_000).send(server, master, heartbeat);
    story.note("The server's regular heartbeat, and the master makes sure again.");
    story.after(30_800).send(master, server, &oob("getinfo w7Yc]0#mL"));
    let answer = format!("infoResponse\n\\challenge\\w7Yc]0#mL{info}");
    story.after(29_000).send(server, master, &oob(&answer));

    story.after(95_000_000).send(server, client, &oob("disconnect"));
    story.note("The server goes down: it throws its players out,");
    story.after(200).send(server, master, heartbeat);
    story.after(300).send(server, master, heartbeat);
    story.note("and sends two heartbeats in a row, which is Quake III's shutdown.");
    let late = [&4u32.to_le_bytes()[..], &154u16.to_le_bytes(), &[0x51; 24]].concat();
    story.after(6_000_000).send(client, server, &late);
    story.note("Nobody answers any more.");
    story
}

fn oob(text: &str) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text.as_bytes()].concat()
}

/// `connect` with its settings encoded as in the game.
fn connect(userinfo: &str) -> Vec<u8> {
    let inside = userinfo.trim_matches('"').as_bytes();
    let body = quake3::UserInfo { info: fragshark::codec::Info::new(inside) };
    let message = quake3::Connect { coded: Coded::new(body), ..Default::default() };
    let bytes = written(message);
    let mut coded = Vec::new();
    Huffman.apply(userinfo.as_bytes(), &mut coded).unwrap();
    assert!(bytes.ends_with(&coded));
    bytes
}
