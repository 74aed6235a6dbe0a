//! Servers that send heartbeats to several masters, and other cases in which it is hard to say why
//! a server is not listed.

use fragshark::codec::Addrs;
use fragshark::protocols::quake3;

use super::{THEN, address, oob, written};
use crate::story::{Format, Link, Side, Story};

/// Every such capture, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("cases/two-masters.pcapng", two_masters("203.0.113.2:27950")),
        ("cases/two-masters-one-address.pcapng", two_masters("203.0.113.1:27955")),
        ("cases/two-masters-two-families.pcapng", two_families()),
        ("cases/master-asks-from-another-port.pcapng", from_another_port()),
        ("cases/challenge-to-another-master.pcapng", astray()),
        ("cases/two-masters-half-life.pcapng", half_life()),
        ("cases/two-masters-quake2.pcapng", quake2()),
        ("cases/lists-from-another-port.pcapng", gamespy()),
        ("cases/three-masters-doom3.pcapng", three_doom3()),
        ("cases/three-masters-quakeworld.pcapng", three_quakeworld()),
        ("cases/three-masters-gamespy.pcapng", three_gamespy()),
        ("cases/three-masters-half-life.pcapng", three_half_life()),
        ("cases/master-unreachable-behind-tags.pcapng", behind_tags()),
        ("cases/heartbeats-close.pcapng", close(true)),
        ("cases/heartbeats-close-unanswered.pcapng", close(false)),
        ("cases/heartbeats-to-a-dead-master.pcapng", dead()),
        ("cases/heartbeats-of-unreal.pcapng", every_minute()),
        ("cases/shutdown-two-masters.pcapng", shutdown(6_000_000)),
        ("cases/shutdown-cut.pcapng", shutdown(2_000_000)),
        ("cases/lists-of-other-games.pcapng", lists(&OTHERS)),
        ("cases/not-listed.pcapng", lists(&["getservers 68 empty full"])),
    ]
}

const SERVER: &str = "192.0.2.10:27960";
const MASTER: &str = "203.0.113.1:27950";
const CLIENT: &str = "198.51.100.20:27961";
const BEAT: &[u8] = b"\xff\xff\xff\xffheartbeat QuakeArena-1\n";
/// List requests that a Quake III server without players does not match.
const OTHERS: [&str; 6] = [
    "getservers 57 empty full",
    "getservers 68 full",
    "getservers 68 empty full ctf",
    "getservers 66 empty full",
    "getserversExt Quake3Arena 68 empty full ipv6",
    "getserversExt Xonotic 3 empty full",
];

fn begun() -> Story {
    Story::new(Link::Ethernet, Format::PcapNg, THEN)
}

fn info(challenge: &str) -> Vec<u8> {
    oob(&format!(
        "infoResponse\n\\challenge\\{challenge}\\protocol\\68\\hostname\\^3The ^1Longest ^3Yard\
         \\mapname\\q3dm17\\clients\\0\\sv_maxclients\\12"
    ))
}

/// A client requests a list and gets this one server, or none.
fn list(story: &mut Story, master: &str, request: &str, server: Option<&str>) {
    let (client, master) = (address(CLIENT), address(master));
    let mut records = Vec::new();
    if let Some(server) = server {
        Addrs::push(quake3::GetServersResponse::FORM, address(server), &mut records);
    }
    let servers = Addrs::new(&records);
    let list = quake3::GetServersResponse { servers, ..quake3::GetServersResponse::default() };
    let list = if request.starts_with("getserversExt") {
        b"\xff\xff\xff\xffgetserversExtResponse\\EOT\0\0\0".to_vec()
    } else {
        written(list)
    };
    story.after(1_000_000).send(client, master, &oob(request));
    story.after(25_000).send(master, client, &list);
}

/// A master sends a challenge from a port, and the server answers it.
fn challenged(story: &mut Story, server: &str, master: &str, challenge: &str) {
    let [server, master] = [server, master].map(address);
    story.after(20_000).send(master, server, &oob(&format!("getinfo {challenge}")));
    story.after(20_000).send(server, master, &info(challenge));
}

/// Both get heartbeats, both challenge and list.
fn two_masters(other: &str) -> Story {
    let mut story = begun();
    story.send(address(SERVER), address(MASTER), BEAT);
    story.after(50).send(address(SERVER), address(other), BEAT);
    challenged(&mut story, SERVER, other, "8hJ2-qqW1");
    challenged(&mut story, SERVER, MASTER, "Kf9x_2Zp1q");
    for master in [MASTER, other] {
        list(&mut story, master, "getservers 68 empty full", Some(SERVER));
    }
    story
}

/// One master at two addresses, of which the IPv4 one does not respond.
fn two_families() -> Story {
    let mut story = begun();
    let (server, master) = ("[2001:db8::10]:27960", "[2001:db8::1]:27950");
    story.send(address(SERVER), address(MASTER), BEAT);
    story.after(50).send(address(server), address(master), BEAT);
    challenged(&mut story, server, master, "8hJ2-qqW1");
    let client = "[2001:db8::c]:40001";
    story.after(31_000_000);
    story.send(address(client), address(server), &oob("getinfo xxx"));
    story.after(20_000).send(address(server), address(client), &info("xxx"));
    story
}

/// Two masters at one address: one challenges from another port, the other is down.
fn from_another_port() -> Story {
    let (server, master) = (address(SERVER), address(MASTER));
    let dead = address("203.0.113.1:27955");
    let mut story = begun();
    story.send(server, master, BEAT);
    story.after(50).send(server, dead, BEAT);
    story.after(900).unreachable(dead.ip(), (server, dead), BEAT);
    challenged(&mut story, SERVER, "203.0.113.1:41000", "Kf9x_2Zp1q");
    list(&mut story, MASTER, "getservers 68 empty full", Some(SERVER));
    story
}

/// The server sends each master the other one's challenge, and a third nothing.
fn astray() -> Story {
    let server = address(SERVER);
    let [one, two, three] = [MASTER, "203.0.113.2:27950", "203.0.113.3:27950"].map(address);
    let mut story = begun();
    for master in [one, two, three] {
        story.after(50).send(server, master, BEAT);
    }
    story.after(20_000).send(one, server, &oob("getinfo Kf9x_2Zp1q"));
    story.after(50).send(two, server, &oob("getinfo 8hJ2-qqW1"));
    story.after(20_000).send(server, two, &info("Kf9x_2Zp1q"));
    // Further traffic shows that no more came.
    list(&mut story, MASTER, "getservers 68 empty full", None);
    story.after(31_000_000).send(address(CLIENT), server, &oob("getinfo xxx"));
    story.after(20_000).send(server, address(CLIENT), &info("xxx"));
    story
}

fn half_life() -> Story {
    let server = address("192.0.2.15:27015");
    let [one, two] = ["203.0.113.15:27010", "203.0.113.16:27010"].map(address);
    let mut story = begun();
    story.send(server, one, b"q").after(50).send(server, two, b"q");
    for (n, master) in (1_i32..).zip([two, one]) {
        let challenge = [b"\xff\xff\xff\xffs\n", &n.to_le_bytes()[..]].concat();
        let payload = format!(
            "0\n\\protocol\\46\\challenge\\{n}\\players\\0\\max\\6\\map\\undertow\\gamedir\\valve\n"
        );
        story.after(31_000).send(master, server, &challenge);
        story.after(29_000).send(server, master, payload.as_bytes());
    }
    story
}

/// A server has three masters: one that challenges and gets an answer, one at the same address that
/// does not respond, and one that is down. The capture continues for half a minute.
fn three(server: &str, port: u16, beat: &[u8], challenge: [&[u8]; 2]) -> Story {
    let server = address(server);
    let [one, silent] = [port, port + 1].map(|port| format!("203.0.113.15:{port}"));
    let gone = address(&format!("203.0.113.16:{port}"));
    let mut story = begun();
    for master in [address(&one), address(&silent), gone] {
        story.after(50).send(server, master, beat);
    }
    story.after(900).unreachable(gone.ip(), (server, gone), beat);
    let [question, answer] = challenge;
    if !question.is_empty() {
        story.after(20_000).send(address(&one), server, question);
        story.after(20_000).send(server, address(&one), answer);
    }
    let (client, other) = (address(CLIENT), address("192.0.2.40:27960"));
    story.after(31_000_000).send(client, other, &oob("getinfo xxx"));
    story.after(20_000).send(other, client, &info("xxx"));
    story
}

fn three_doom3() -> Story {
    let question = b"\xff\xffgetInfo\0\x01\x02\x03\x04";
    let answer = b"\xff\xffinfoResponse\0\x01\x02\x03\x04\x21\0\x01\0si_name\0Mars City\0\
                   si_map\0game/mp/d3dm1\0si_maxPlayers\x004\0\0\0\x20\x0e\0\0\0";
    three("192.0.2.10:27666", 27650, b"\xff\xffheartbeat\0", [question, answer])
}

fn three_quakeworld() -> Story {
    three("192.0.2.9:27500", 27000, b"a\n1\n0\n", [b"", b""])
}

fn three_gamespy() -> Story {
    let answer = br"\gamename\ut\gamever\451\validate\2/TYFMRc\final\\queryid\2.1";
    let challenge = [&br"\basic\\secure\wookie"[..], answer];
    three("192.0.2.11:7778", 27900, br"\heartbeat\7778\gamename\ut", challenge)
}

fn three_half_life() -> Story {
    let question = b"\xff\xff\xff\xffs\n\x07\0\0\0";
    let answer =
        b"0\n\\protocol\\46\\challenge\\7\\players\\0\\max\\6\\map\\undertow\\gamedir\\valve\n";
    three("192.0.2.15:27015", 27010, b"q", [question, answer])
}

/// A master that is down, behind two VLAN tags.
fn behind_tags() -> Story {
    let tags = |packet: &[u8]| {
        let ends = [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
        let tags = [0x88, 0xa8, 0, 7, 0x81, 0, 0, 42, 8, 0];
        [&ends[..], &tags, packet].concat()
    };
    let (server, master) = (address(SERVER), address(MASTER));
    let mut story = Story::new(Link::Other(1, tags), Format::PcapNg, THEN);
    for _ in 0..2 {
        story.after(1_000_000).send(server, master, BEAT);
        story.after(100).unreachable(master.ip(), (server, master), BEAT);
    }
    story
}

/// A Quake 2 server gets no challenge; one master lists it, the other one is down.
fn quake2() -> Story {
    let (server, client) = (address("192.0.2.10:27910"), address("198.51.100.7:27901"));
    let [one, dead] = ["203.0.113.7:27900", "203.0.113.8:27900"].map(address);
    let beat = b"\xff\xff\xff\xffheartbeat\n\\mapname\\q2dm1\\protocol\\34\\maxclients\\8\n";
    let mut story = begun();
    story.send(server, one, beat).after(50).send(server, dead, beat);
    story.after(900).unreachable(dead.ip(), (server, dead), beat);
    story.after(1_000_000).send(client, one, b"query\n\0");
    story.after(20_000).send(one, client, b"\xff\xff\xff\xffservers \xc0\0\x02\x0a\x6d\x06");
    story
}

/// GameSpy's master receives heartbeats on one port over UDP, and lists on another over TCP.
fn gamespy() -> Story {
    let (server, client) = (address("192.0.2.11:7778"), address("198.51.100.11:41100"));
    let [master, lists] = ["203.0.113.11:27900", "203.0.113.11:28900"].map(address);
    let messages: [(Side, &[u8]); 4] = [
        (Side::Server, br"\basic\\secure\wookie"),
        (Side::Client, br"\gamename\ut\location\0\validate\2/TYFMRc\final\"),
        (Side::Client, br"\list\\gamename\ut\final\"),
        (Side::Server, br"\ip\192.0.2.11:7778\final\"),
    ];
    let answer = br"\gamename\ut\gamever\451\validate\2/TYFMRc\final\\queryid\2.1";
    let mut story = begun();
    story.converse(client, lists, &messages, 1_000).after(1_000_000);
    story.send(server, master, br"\heartbeat\7778\gamename\ut").after(31_000);
    story.send(master, server, br"\basic\\secure\wookie").after(29_000);
    story.send(server, master, answer).after(1_000_000);
    story.converse(client, lists, &messages, 1_000);
    story
}

/// Two heartbeats 0.3 s apart, because two players joined, and perhaps one challenge for both.
fn close(answered: bool) -> Story {
    let (server, master, client) = (address(SERVER), address(MASTER), address(CLIENT));
    let mut story = begun();
    story.send(server, master, BEAT).after(300_000).send(server, master, BEAT);
    if answered {
        challenged(&mut story, SERVER, MASTER, "Kf9x_2Zp1q");
        list(&mut story, MASTER, "getservers 68 empty full", Some(SERVER));
    }
    story.after(60_000_000).send(client, server, &oob("getinfo xxx"));
    story.after(20_000).send(server, client, &info("xxx"));
    story
}

/// Repeated heartbeats of a server to a master that is down.
fn dead() -> Story {
    let (server, master) = (address(SERVER), address(MASTER));
    let mut story = begun();
    for gap in [300, 300_000, 1_000_000, 60_000_000] {
        story.send(server, master, BEAT);
        story.after(100).unreachable(master.ip(), (server, master), BEAT);
        story.after(gap);
    }
    story
}

/// Heartbeats of Unreal Tournament, which are documented every minute: the last is late.
fn every_minute() -> Story {
    let (server, master) = (address("192.0.2.10:7778"), address("203.0.113.7:27900"));
    let mut story = begun();
    for gap in [60_000_000, 62_000_000, 100_000_000, 40_000_000] {
        story.send(server, master, br"\heartbeat\7778\gamename\ut").after(gap);
    }
    story
}

/// A server registers with two masters and shuts down; the capture continues for `goes_on` µs.
fn shutdown(goes_on: i64) -> Story {
    let (server, client) = (address(SERVER), address(CLIENT));
    let masters = [MASTER, "203.0.113.2:27950"];
    let mut story = two_masters(masters[1]);
    story.after(100_000_000);
    for _ in 0..2 {
        for master in masters {
            story.after(20).send(server, address(master), BEAT);
        }
    }
    for master in masters {
        story.after(10_000).send(address(master), server, &oob("getinfo u3Bz-77aQe"));
    }
    story.after(goes_on).send(client, address(MASTER), &oob("getservers 68 empty full"));
    story
}

/// A server registers, and clients request lists, none of which has it.
fn lists(requests: &[&str]) -> Story {
    let mut story = begun();
    story.send(address(SERVER), address(MASTER), BEAT);
    challenged(&mut story, SERVER, MASTER, "Kf9x_2Zp1q");
    for request in requests {
        list(&mut story, MASTER, request, None);
    }
    story
}
