//! Recordings for tests of replay: masters of both families, restarted ones, truncated captures,
//! connections of one client.

use std::net::{IpAddr, SocketAddr};

use crate::story::{Format, Link, Side, Story};

const SECOND: i64 = 1_000_000;
const MASTER: &str = "203.0.113.1:27950";
const MASTER_6: &str = "[2001:db8::1]:27950";
const SERVERS: [&str; 2] = ["192.0.2.10:27960", "192.0.2.11:27960"];
const SERVERS_6: [&str; 2] = ["[2001:db8:1::10]:27960", "[2001:db8:1::11]:27960"];
const CLIENT: &str = "198.51.100.5:40001";
const CLIENT_6: &str = "[2001:db8:2::5]:40001";

const EXT: &str = "getserversExt Xonotic 3 empty full ipv4 ipv6";
const LIST: &str = "getservers Xonotic 3 empty full";

fn end(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

fn oob(text: &str) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text.as_bytes()].concat()
}

fn story() -> Story {
    Story::new(Link::RawIp, Format::Pcap, 1_700_000_000)
}

/// A server registers with a master.
fn registers(story: &mut Story, server: &str, master: &str, challenge: &str) {
    let (server, master) = (end(server), end(master));
    let info = r"infoResponse\x\gamename\Xonotic\protocol\3\sv_maxclients\8\clients\1\challenge\";
    let info = info.replace(r"\x", "\n") + challenge;
    story.send(server, master, &oob("heartbeat DarkPlaces\n")).after(1_000);
    story.send(master, server, &oob(&format!("getinfo {challenge}"))).after(1_000);
    story.send(server, master, &oob(&info)).after(SECOND);
}

/// A client requests a list, and gets these servers.
fn lists(story: &mut Story, client: &str, master: &str, request: &str, servers: &[&str]) {
    let (client, master) = (end(client), end(master));
    let word = if request == EXT { "getserversExtResponse" } else { "getserversResponse" };
    let mut list = oob(word);
    for server in servers.iter().map(|server| end(server)) {
        match server.ip() {
            IpAddr::V4(ip) => list.extend([b"\\", &ip.octets()[..]].concat()),
            IpAddr::V6(ip) => list.extend([b"/", &ip.octets()[..]].concat()),
        }
        list.extend(server.port().to_be_bytes());
    }
    list.extend(b"\\EOT\0\0\0");
    story.send(client, master, &oob(request)).after(1_000);
    story.send(master, client, &list).after(SECOND);
}

/// Servers and clients of both families, and lists that name all servers.
pub fn both_families() -> Story {
    let mut story = story();
    for (n, server) in SERVERS.iter().enumerate() {
        registers(&mut story, server, MASTER, &format!("A_ch4Lleng{n}"));
    }
    for (n, server) in SERVERS_6.iter().enumerate() {
        registers(&mut story, server, MASTER_6, &format!("B_ch4Lleng{n}"));
    }
    let all = [SERVERS, SERVERS_6].concat();
    lists(&mut story, CLIENT, MASTER, LIST, &SERVERS);
    lists(&mut story, CLIENT, MASTER, EXT, &all);
    lists(&mut story, CLIENT_6, MASTER_6, EXT, &all);
    story
}

/// A master that lists two servers, then none, then the one that has registered again.
pub fn restarted() -> Story {
    let mut story = story();
    for (n, server) in SERVERS.iter().enumerate() {
        registers(&mut story, server, MASTER, &format!("A_ch4Lleng{n}"));
    }
    lists(&mut story, CLIENT, MASTER, LIST, &SERVERS);
    story.after(20 * SECOND);
    lists(&mut story, CLIENT, MASTER, LIST, &[]);
    registers(&mut story, SERVERS[1], MASTER, "A_ch4Lleng9");
    lists(&mut story, CLIENT, MASTER, LIST, &SERVERS[1..]);
    story
}

/// A listed server; before the next request, the master's port is closed for a while.
pub fn down_for_a_while() -> Story {
    let mut story = story();
    registers(&mut story, SERVERS[0], MASTER, "A_ch4Lleng3");
    let (server, master, beat) = (end(SERVERS[1]), end(MASTER), oob("heartbeat DarkPlaces\n"));
    story.send(server, master, &beat).after(1_000);
    story.unreachable(master.ip(), (server, master), &beat);
    story.after(20 * SECOND);
    lists(&mut story, CLIENT, MASTER, LIST, &[]);
    story
}

/// A server of another protocol, which a list leaves out each time.
pub fn left_out() -> Story {
    let mut story = story();
    registers(&mut story, SERVERS[0], MASTER, "A_ch4Lleng3");
    for _ in 0..2 {
        lists(&mut story, CLIENT, MASTER, "getservers Xonotic 4 empty full", &[]);
    }
    story
}

/// A server that registers with a master, but not with another one, which lists no server.
pub fn listed_by_one_of_two(other: &str) -> Story {
    let mut story = story();
    registers(&mut story, SERVERS[0], MASTER, "A_ch4Lleng3");
    registers(&mut story, SERVERS[1], other, "B_ch4Lleng3");
    lists(&mut story, CLIENT, MASTER, LIST, &SERVERS[..1]);
    lists(&mut story, CLIENT, other, LIST, &SERVERS[1..]);
    story
}

/// A server that registers with two masters, of which one does not list it.
pub fn left_out_by_one_of_two(other: &str) -> Story {
    let mut story = story();
    registers(&mut story, SERVERS[0], MASTER, "A_ch4Lleng3");
    registers(&mut story, SERVERS[0], other, "B_ch4Lleng3");
    lists(&mut story, CLIENT, MASTER, LIST, &[]);
    story
}

/// A list without a server, by a master at an address where another port is closed.
pub fn beside_a_dead_master() -> Story {
    let mut story = story();
    let (server, dead, beat) =
        (end(SERVERS[0]), end("203.0.113.1:27955"), oob("heartbeat DarkPlaces\n"));
    registers(&mut story, SERVERS[0], MASTER, "A_ch4Lleng3");
    story.send(server, dead, &beat).after(1_000);
    story.unreachable(dead.ip(), (server, dead), &beat);
    story.after(20 * SECOND);
    lists(&mut story, CLIENT, MASTER, "getservers Xonotic 4 empty full", &[]);
    story
}

/// A Half-Life list in response to `request`, with these records after the one server that
/// registers.
pub fn pieces(request: &[u8], records: &[u8]) -> Story {
    let (master, server) = (end("203.0.113.15:27010"), end("192.0.2.15:27015"));
    let info = br"0/\protocol\46\challenge\7\players\0\max\6\map\undertow/";
    let info: Vec<_> = info.iter().map(|byte| if *byte == b'/' { b'\n' } else { *byte }).collect();
    let list = [b"\xff\xff\xff\xfff\n\xc0\0\x02\x0f\x69\x87", records].concat();
    let mut story = story();
    story.send(server, master, b"q").after(1_000);
    story.send(master, server, b"\xff\xff\xff\xffs\n\x07\0\0\0").after(1_000);
    story.send(server, master, &info).after(SECOND);
    story.send(end(CLIENT), master, request).after(1_000);
    story.send(master, end(CLIENT), &list);
    story
}

/// A list of Quake III in which a record of zeros stands before the end.
pub fn zeros() -> Story {
    let mut story = story();
    registers(&mut story, SERVERS[0], MASTER, "A_ch4Lleng3");
    lists(&mut story, CLIENT, MASTER, LIST, &[SERVERS[0], "0.0.0.0:0"]);
    story
}

/// Thirty listed servers, with frames truncated to this many bytes.
pub fn cut(bytes: usize) -> Story {
    let mut story = story();
    let servers: Vec<_> = (0..30).map(|n| format!("192.0.2.{}:27960", 10 + n)).collect();
    for (n, server) in servers.iter().enumerate() {
        registers(&mut story, server, MASTER, &format!("A_ch4Lle{n:03}"));
    }
    let servers: Vec<_> = servers.iter().map(String::as_str).collect();
    lists(&mut story, CLIENT, MASTER, LIST, &servers);
    story.snap(bytes);
    story
}

/// One client with two connections, for a list with a server and for one without: in parallel, or
/// one after the other from the same port.
pub fn connections(at_once: bool) -> Story {
    let (master, server) = (end("203.0.113.11:28900"), end("192.0.2.7:7778"));
    let register = end("203.0.113.11:27900");
    let hello = &br"\basic\\secure\wookie"[..];
    let proof = &br"\gamename\ut\location\0\validate\2/TYFMRc\final\"[..];
    let mut story = story();
    story.send(server, register, br"\heartbeat\7778\gamename\ut").after(1_000);
    story.send(register, server, hello).after(1_000);
    let info = br"\gamename\ut\gamever\436\location\0\validate\2/TYFMRc\final\\queryid\1.1";
    story.send(server, register, info).after(SECOND);
    let talks = |game: &str, list: &[u8], port: u16, late: i64| {
        let client = SocketAddr::new(end(CLIENT).ip(), port);
        let request = format!(r"\list\\gamename\{game}\final\");
        let messages = [
            (Side::Server, hello),
            (Side::Client, proof),
            (Side::Client, request.as_bytes()),
            (Side::Server, list),
        ];
        let messages = messages.map(|(side, bytes)| (side, bytes.to_vec()));
        (client, messages, late)
    };
    let full = talks("ut", br"\ip\192.0.2.7:7778\final\", 41_100, 0);
    let empty = talks("nosuchgame", br"\final\", if at_once { 41_101 } else { 41_100 }, 300);
    let mut other = story_at(2);
    for (client, messages, late) in [full, empty] {
        let messages: Vec<_> =
            messages.iter().map(|(side, bytes)| (*side, bytes.as_slice())).collect();
        if at_once {
            let mut own = story_at(2);
            own.after(late).converse(client, master, &messages, 1_400);
            other.meanwhile(own);
        } else {
            other.converse(client, master, &messages, 1_400).after(SECOND);
        }
    }
    story.meanwhile(other);
    story
}

fn story_at(seconds: i64) -> Story {
    Story::new(Link::RawIp, Format::Pcap, 1_700_000_000 + seconds)
}

/// A server that returns the challenge FF FF FF FF as this text.
pub fn half_life(text: &str) -> Story {
    let (master, server) = (end("203.0.113.15:27010"), end("192.0.2.15:27015"));
    let info = format!("0\n\\protocol\\46\\challenge\\{text}\\players\\0\\max\\6\\map\\undertow\n");
    let list = b"\xff\xff\xff\xfff\n\xc0\0\x02\x0f\x69\x87\0\0\0\0\0\0";
    let mut story = story();
    story.send(server, master, b"q").after(1_000);
    story.send(master, server, b"\xff\xff\xff\xffs\n\xff\xff\xff\xff").after(1_000);
    story.send(server, master, info.as_bytes()).after(SECOND);
    story.send(end(CLIENT), master, b"e\0\0\0").after(1_000);
    story.send(master, end(CLIENT), list);
    story
}
