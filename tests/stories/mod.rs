//! The stories that the captures in the repository tell.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use fragshark::proto::{Party, quake3};
use fragshark::wire::{Addrs, Coded, Coding, Huffman, Word, encode};

use crate::corpus::{Documented, documented};
use crate::story::{Format, Link, Story};

/// Every capture: its path under `captures/`, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    use Format::{Pcap, PcapNg};
    vec![
        ("quake3/documented.pcapng", told("quake3", 1, Link::Ethernet, PcapNg)),
        ("rtcw/documented.pcap", told("rtcw", 2, Link::Vlan, Pcap)),
        ("enemy-territory/documented.pcap", told("enemy-territory", 3, Link::Sll, Pcap)),
        ("darkplaces/documented.pcapng", told("darkplaces", 4, Link::RawIp, PcapNg)),
        ("q3master/documented.pcap", told("q3master", 5, Link::Ethernet, Pcap)),
        ("darkplaces/getservers-ext.pcapng", both_families()),
        ("quake3/dead-master.pcapng", dead_master()),
        ("quake3/fragments.pcapng", fragments()),
        ("tour.pcapng", tour()),
    ]
}

/// 2003-12-01 20:00:00 UTC, when the documents were written.
const THEN: i64 = 1_070_308_800;

fn address(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

/// Everything that the documents print of one game, in their order, between a server, a client and
/// masters on the documented ports; half a second apart.
fn told(game: &str, host: u8, link: Link, format: Format) -> Story {
    let mut story = Story::new(link, format, THEN);
    for m in documented().into_iter().filter(|m| m.game == game && m.transport == "udp") {
        let [from, to] = ends(&m, host);
        story.after(500_000).send(from, to, &m.bytes).note(&m.id);
    }
    story
}

fn ends(m: &Documented, host: u8) -> [SocketAddr; 2] {
    let end = |party: Option<Party>, port: Option<u16>, far: bool| {
        let (network, free) = match party.unwrap() {
            Party::Server => ([192, 0, 2], 27960),
            Party::Client => ([198, 51, 100], 27960),
            Party::Master => ([203, 0, 113], 27950),
        };
        // One master tells another: they need two addresses.
        let host = if far && m.way.from == m.way.to { host + 100 } else { host };
        let ip = Ipv4Addr::new(network[0], network[1], network[2], host);
        SocketAddr::V4(SocketAddrV4::new(ip, port.unwrap_or(free)))
    };
    [end(m.way.from, m.ports[0], false), end(m.way.to, m.ports[1], true)]
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

/// A server's heartbeats to a master that is gone.
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

/// A status response that is longer than the wire takes at once, in four fragments.
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

fn written<'a>(body: impl fragshark::wire::Body<'a>) -> Vec<u8> {
    let mut out = Vec::new();
    encode(body, &mut out).unwrap();
    out
}

/// A server registers, is challenged and answers; a client lists, queries and connects; in the end
/// the server says that it goes.
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
        // Only the last packet of a list carries the end mark, as dpmaster does it.
        let end = if n == 0 { 5 } else { 0 };
        let servers = Addrs::new(&records);
        let list = quake3::GetServersResponse { command: Word::default(), servers, end };
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
    story.note("and beats twice in a row, which is how Quake III says that it goes.");
    story
}

fn oob(text: &str) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text.as_bytes()].concat()
}

/// `connect` with its settings coded as the game codes them.
fn connect(userinfo: &str) -> Vec<u8> {
    let inside = userinfo.trim_matches('"').as_bytes();
    let body = quake3::UserInfo { info: fragshark::wire::Info::new(inside) };
    let message = quake3::Connect { coded: Coded::new(body), ..Default::default() };
    let bytes = written(message);
    let mut coded = Vec::new();
    Huffman.apply(userinfo.as_bytes(), &mut coded).unwrap();
    assert!(bytes.ends_with(&coded));
    bytes
}
