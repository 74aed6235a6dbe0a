//! For every rule a story that violates it, and a similar one that does not.

use fragshark::codec::{AddrForm, Addrs};
use fragshark::protocols::{doom3, quake2, quake3, quakeworld};

use super::others::compressed;
use super::{THEN, address, oob, written};
use crate::story::{Format, Link, Side, Story};

/// By rule: a violation, and a correct variant.
macro_rules! stories {
    ($($id:literal: $wrong:expr, $right:expr;)+) => {
        vec![$(
            (concat!("findings/", $id, ".pcapng"), $wrong),
            (concat!("findings/", $id, ".healthy.pcapng"), $right),
        )+]
    };
}

/// Every capture of a finding, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    let two = [&SERVERS[..2], &SERVERS[2..]];
    stories! {
        "message.faulty": asks("getservers 40000000000000000000"), asks("getservers 68 empty full");
        "message.nonstandard": asks("getservers"), asks("getservers 68 empty full");
        "list.end-missing": list(&[(two[0], NONE), (two[1], NONE)]),
            list(&[(two[0], NONE), (two[1], EOT_NUL)]);
        "list.end-bare": list(&[(two[0], BARE)]), list(&[(two[0], EOT)]);
        "list.end-early": list(&[(two[0], EOT), (two[1], EOT)]),
            list(&[(two[0], NONE), (two[1], EOT)]);
        "packet.over-810": long(&[113]), long(&[112]);
        "packet.over-1400": long(&[200]), long(&[100, 100]);
        "packet.over-1536": long(&[220]), long(&[110, 110]);
        "list.entry-short": quakeworld_list(b"\xc0\0\x02\x09"),
            quakeworld_list(b"\xc0\0\x02\x09\x6b\x6c");
        "list.entry-doubled": quake2_list(&["192.0.2.10:27910", "192.0.2.10:27910"]),
            quake2_list(&["192.0.2.10:27910", "192.0.2.10:27911"]);
        "list.port-zero": unreal_list(br"\ip\192.0.2.7:7778\ip\192.0.2.8:0\final\"),
            unreal_list(br"\ip\192.0.2.7:7778\ip\192.0.2.8:7778\final\");
        "list.address-local": doom3_list("198.51.100.10:27669"), doom3_list("192.168.0.3:27669");
        "list.unverified": newcomer(false), newcomer(true);
        "list.unproven": listed_after(r"\challenge\u3Bz-77aQe", 68),
            listed_after(r"\challenge\Kf9x_2Zp1q", 68);
        "list.protocol-other": listed_after(r"\challenge\Kf9x_2Zp1q", 71),
            listed_after(r"\challenge\Kf9x_2Zp1q", 68);
        "list.port-swapped": doom3_server("192.0.2.10:4716"), doom3_server("192.0.2.10:27666");
        "challenge.missing": registration(ET, "w7Yc]0#mL", ""),
            registration(ET, "w7Yc]0#mL", r"\challenge\w7Yc]0#mL");
        "challenge.changed": half_life(2_100_453_448), half_life(2_100_453_449);
        "challenge.forbidden": registration(QUAKE3, "Kf9x;2Zp1q", r"\challenge\Kf9x;2Zp1q"),
            registration(QUAKE3, "Kf9x_2Zp1q", r"\challenge\Kf9x_2Zp1q");
        "challenge.repeated": two_servers(["Kf9x_2Zp1q", "Kf9x_2Zp1q"]),
            two_servers(["Kf9x_2Zp1q", "u3Bz-77aQe"]);
        "info.key-missing": registration(XONOTIC, "A_ch4Lleng3", r"\challenge\A_ch4Lleng3"),
            registration(XONOTIC, "A_ch4Lleng3", r"\challenge\A_ch4Lleng3\gamename\Xonotic");
        "info.no-places": places(0, 0), places(0, 8);
        "info.overfull": places(9, 8), places(8, 8);
        "heartbeat.late": heartbeats(2, 400, ET_BEAT), heartbeats(2, 300, ET_BEAT);
        "heartbeat.rare": heartbeats(2, 700, QUAKE2_BEAT), heartbeats(2, 600, QUAKE2_BEAT);
        "heartbeat.frequent": heartbeats(10, 5, ELITE_FORCE_BEAT), heartbeats(10, 30, ELITE_FORCE_BEAT);
        "registration.value-changed": xash3d(0x2222_2222), xash3d(0x1111_1111);
        "query.unanswered": queries(None), queries(Some(r"\challenge\xxx"));
        "answer.fragments-lost": fragments(1), fragments(usize::MAX);
        "answer.checksum-wrong": packed(1), packed(0);
        "challenge.endless": challenges(4), challenges(1);
        "answer.other-port": query("192.0.2.10:27961"), query("192.0.2.10:27960");
        "answer.part-missing": status(&[PARTS[0], PARTS[2]]),
            status(&[PARTS[0], PARTS[2], PARTS[1]]);
        "validate.wrong": proof("2/TYFMRd"), proof("2/TYFMRc");
    }
}

const SERVERS: [&str; 3] = ["192.0.2.10:27960", "192.0.2.11:27960", "192.0.2.12:27961"];
const MASTER: &str = "203.0.113.1:27950";
const SERVER: &str = "192.0.2.10:27960";
const CLIENT: &str = "198.51.100.20:27960";

/// The end marks of Quake III's lists, by the number of their spelling.
const EOT_NUL: u8 = 0;
const EOT: u8 = 1;
const BARE: u8 = 4;
const NONE: u8 = 5;

/// A game's heartbeat and its servers' values.
type Announcement = (&'static str, &'static str);
const QUAKE3: Announcement =
    ("QuakeArena-1", r"\protocol\68\hostname\The Longest Yard\clients\2\sv_maxclients\12");
const ET: Announcement = (
    "EnemyTerritory-1",
    r"\protocol\84\hostname\The Longest Day\serverload\0\clients\2\sv_maxclients\20",
);
const XONOTIC: Announcement =
    ("DarkPlaces", r"\protocol\3\hostname\Afterslime\clients\1\sv_maxclients\16");

type Beat = (&'static str, &'static str, &'static [u8]);
const ET_BEAT: Beat = (SERVER, MASTER, b"\xff\xff\xff\xffheartbeat EnemyTerritory-1\n");
const QUAKE2_BEAT: Beat = (
    "192.0.2.10:27910",
    "203.0.113.7:27900",
    b"\xff\xff\xff\xffheartbeat\n\\mapname\\q2dm1\\protocol\\34\\maxclients\\8\n",
);
const ELITE_FORCE_BEAT: Beat = (
    "192.0.2.6:27960",
    "203.0.113.6:27953",
    b"\xff\xff\xff\xff\\heartbeat\\27960\\gamename\\STEF1\\",
);

/// A GameSpy server's response to `\status\`, in three parts.
const PARTS: [&[u8]; 3] = [
    br"\gamename\gmtest\gamever\2.00\hostname\A server\numplayers\1\maxplayers\8\queryid\10.1",
    br"\fraglimit\20\timelimit\15\queryid\10.2",
    br"\player_0\Visor\frags_0\3\queryid\10.3\final\",
];

fn begun() -> Story {
    Story::new(Link::Ethernet, Format::PcapNg, THEN)
}

fn records(form: AddrForm, servers: &[&str]) -> Vec<u8> {
    let mut records = Vec::new();
    for server in servers {
        Addrs::push(form, address(server), &mut records);
    }
    records
}

fn quake3_list(servers: &[&str], end: u8) -> Vec<u8> {
    let records = records(quake3::GetServersResponse::FORM, servers);
    let servers = Addrs::new(&records);
    written(quake3::GetServersResponse { servers, end, ..quake3::GetServersResponse::default() })
}

/// A client requests a list and gets these packets.
fn list(packets: &[(&[&str], u8)]) -> Story {
    let (client, master) = (address(CLIENT), address(MASTER));
    let mut story = begun();
    story.send(client, master, &oob("getservers 68 empty full")).after(25_000);
    for (servers, end) in packets {
        story.send(master, client, &quake3_list(servers, *end)).after(400);
    }
    story
}

/// A list in packets of these numbers of servers.
fn long(packets: &[usize]) -> Story {
    let (client, master) = (address(CLIENT), address(MASTER));
    let mut story = begun();
    story.send(client, master, &oob("getservers 68 empty full")).after(25_000);
    let mut servers = (0..).map(|n| format!("192.0.2.{}:{}", n % 250 + 1, 27_960 + n / 250));
    for (n, count) in (1..).zip(packets) {
        let servers: Vec<_> = servers.by_ref().take(*count).collect();
        let servers: Vec<_> = servers.iter().map(String::as_str).collect();
        let end = if n == packets.len() { EOT } else { NONE };
        let packet = quake3_list(&servers, end);
        if packet.len() > 1_472 {
            story.send_in_fragments(master, client, &packet, 1_480);
        } else {
            story.send(master, client, &packet).after(400);
        }
    }
    story
}

fn quakeworld_list(last: &[u8]) -> Story {
    let (client, master) = (address("198.51.100.9:40009"), address("203.0.113.9:27000"));
    let first = records(quakeworld::Servers::FORM, &["192.0.2.8:27500"]);
    let mut story = begun();
    story.send(client, master, b"c\n\0").after(25_000);
    story.send(master, client, &[b"\xff\xff\xff\xffd\n", &first[..], last].concat());
    story
}

fn quake2_list(servers: &[&str]) -> Story {
    let (client, master) = (address("198.51.100.7:27901"), address("203.0.113.7:27900"));
    let listed = records(quake2::Servers::FORM, servers);
    let mut story = begun();
    story.send(client, master, b"query\n\0").after(25_000);
    story.send(master, client, &[b"\xff\xff\xff\xffservers ", &listed[..]].concat());
    story
}

fn unreal_list(listed: &[u8]) -> Story {
    let (client, master) = (address("198.51.100.11:41100"), address("203.0.113.11:28900"));
    let messages: [(Side, &[u8]); 4] = [
        (Side::Server, br"\basic\\secure\wookie"),
        (Side::Client, br"\gamename\ut\location\0\validate\2/TYFMRc\final\"),
        (Side::Client, br"\list\\gamename\ut\final\"),
        (Side::Server, listed),
    ];
    let mut story = begun();
    story.converse(client, master, &messages, 1_000);
    story
}

fn doom3_servers(servers: &[&str]) -> Vec<u8> {
    [b"\xff\xffservers\0", &records(doom3::Servers::FORM, servers)[..]].concat()
}

const DOOM3_ASKS: &[u8] = b"\xff\xffgetServers\0\x21\0\x01\0\0\0";

/// A master of a home network lists a server of its network.
fn doom3_list(client: &str) -> Story {
    let (client, master) = (address(client), address("192.168.0.1:27650"));
    let mut story = begun();
    story.send(client, master, DOOM3_ASKS).after(2_000);
    story.send(master, client, &doom3_servers(&["192.168.0.2:27666"]));
    story
}

/// A server on port 27666 sends a heartbeat, and is listed with these bytes.
fn doom3_server(listed: &str) -> Story {
    let (server, client) = (address("192.0.2.10:27666"), address("198.51.100.10:27669"));
    let master = address("203.0.113.10:27650");
    let mut story = begun();
    story.send(server, master, b"\xff\xffheartbeat\0").after(4_000_000);
    story.send(client, master, DOOM3_ASKS).after(25_000);
    story.send(master, client, &doom3_servers(&[listed]));
    story
}

/// A server without messages for 16 minutes registers and is listed.
fn newcomer(answers: bool) -> Story {
    let (server, client, master) = (address(SERVER), address(CLIENT), address(MASTER));
    let (tag, values) = QUAKE3;
    let ask = oob("getservers 68 empty full");
    let mut story = begun();
    story.send(client, master, &ask).after(25_000);
    story.send(master, client, &quake3_list(&SERVERS[1..], EOT)).after(960_000_000);
    story.send(server, master, &oob(&format!("heartbeat {tag}\n"))).after(30_000);
    story.send(master, server, &oob("getinfo Kf9x_2Zp1q")).after(30_000);
    if answers {
        story.send(server, master, &oob(&format!("infoResponse\n\\challenge\\Kf9x_2Zp1q{values}")));
    }
    story.after(8_000_000).send(client, master, &ask).after(25_000);
    story.send(master, client, &quake3_list(&SERVERS, EOT));
    story
}

/// A client sends a request to a master, which lists a server.
fn asks(request: &str) -> Story {
    let (client, master) = (address(CLIENT), address(MASTER));
    let mut story = begun();
    story.send(client, master, &oob(request)).after(25_000);
    story.send(master, client, &quake3_list(&SERVERS[..1], EOT));
    story
}

/// A server registers with this challenge, and is listed for a protocol two seconds later.
fn listed_after(back: &str, protocol: u8) -> Story {
    let mut story = registration(QUAKE3, "Kf9x_2Zp1q", back);
    let (client, master) = (address(CLIENT), address(MASTER));
    let ask = oob(&format!("getservers {protocol} empty full"));
    story.after(2_000_000).send(client, master, &ask).after(25_000);
    story.send(master, client, &quake3_list(&SERVERS[..1], EOT));
    story
}

/// A server sends a heartbeat, is challenged, and answers.
fn registration((tag, values): Announcement, challenge: &str, back: &str) -> Story {
    let mut story = begun();
    registers(&mut story, SERVER, tag, challenge, &format!("{back}{values}"));
    story
}

fn registers(story: &mut Story, server: &str, tag: &str, challenge: &str, values: &str) {
    let (server, master) = (address(server), address(MASTER));
    story.send(server, master, &oob(&format!("heartbeat {tag}\n"))).after(31_000);
    story.send(master, server, &oob(&format!("getinfo {challenge}"))).after(29_000);
    story.send(server, master, &oob(&format!("infoResponse\n{values}")));
}

fn two_servers(challenges: [&str; 2]) -> Story {
    let (tag, values) = XONOTIC;
    let mut story = begun();
    for (server, challenge) in SERVERS.into_iter().zip(challenges) {
        let values = format!(r"\challenge\{challenge}\gamename\Xonotic{values}");
        registers(&mut story, server, tag, challenge, &values);
        story.after(12_000_000);
    }
    story
}

/// A server of Return to Castle Wolfenstein with these numbers of clients and places.
fn places(clients: u8, places: u8) -> Story {
    let mut story = begun();
    let values = format!(
        r"\challenge\pT4nnz0Qe\protocol\60\hostname\Beach\clients\{clients}\sv_maxclients\{places}"
    );
    registers(&mut story, SERVER, "Wolfenstein-1", "pT4nnz0Qe", &values);
    story
}

fn half_life(back: i32) -> Story {
    let (server, master) = (address("192.0.2.15:27015"), address("203.0.113.15:27010"));
    let challenge = [b"\xff\xff\xff\xffs\n", &2_100_453_449_i32.to_le_bytes()[..]].concat();
    let values = format!(
        "0\n\\protocol\\46\\challenge\\{back}\\players\\0\\max\\6\\map\\undertow\\gamedir\\valve\n"
    );
    let mut story = begun();
    story.send(server, master, b"q").after(31_000);
    story.send(master, server, &challenge).after(29_000);
    story.send(server, master, values.as_bytes());
    story
}

/// Heartbeats at this interval in seconds, to masters that send a challenge.
fn heartbeats(count: u8, seconds: i64, (server, master, payload): Beat) -> Story {
    let (server, master) = (address(server), address(master));
    let mut story = begun();
    for n in 0..count {
        story.send(server, master, payload);
        if payload != QUAKE2_BEAT.2 {
            let challenge = format!("Kf9x_2Zp{n}");
            let values = format!("infoResponse\n\\challenge\\{challenge}{}", QUAKE3.1);
            story.after(30_000).send(master, server, &oob(&format!("getinfo {challenge}")));
            story.after(30_000).send(server, master, &oob(&values)).after(-60_000);
        }
        story.after(seconds * 1_000_000);
    }
    story
}

/// A client queries a server on port 27960, and gets a response from this address.
fn query(answers: &str) -> Story {
    let (client, server) = (address(CLIENT), address(SERVER));
    let mut story = begun();
    story.send(client, server, &oob("getinfo xxx")).after(22_000);
    let values = format!("infoResponse\n\\challenge\\xxx{}", QUAKE3.1);
    story.send(address(answers), client, &oob(&values));
    story
}

/// A client queries a server three times; it answers the last time with these values, or never.
fn queries(values: Option<&str>) -> Story {
    let (client, server) = (address("198.51.100.20:40020"), address(SERVER));
    let mut story = begun();
    for _ in 0..3 {
        story.send(client, server, &oob("getinfo xxx")).after(2_000_000);
    }
    if let Some(values) = values {
        story.after(22_000).send(
            server,
            client,
            &oob(&format!("infoResponse\n{values}{}", QUAKE3.1)),
        );
    }
    story.after(60_000_000).send(client, address("192.0.2.99:27960"), &oob("getinfo yyy"));
    story
}

/// A server's status in two fragments, of which so many arrive.
fn fragments(count: usize) -> Story {
    let (client, server) = (address("198.51.100.20:40020"), address(SERVER));
    let mut story = begun();
    let players = "0 50 \"Sarge\"\n".repeat(150);
    for challenge in ["11", "22"] {
        let values = format!("statusResponse\n\\challenge\\{challenge}{}\n{players}", QUAKE3.1);
        story.send(client, server, &oob(&format!("getstatus {challenge}"))).after(22_000);
        story.send_some_fragments(server, client, (&oob(&values), 1480), count).after(4_000_000);
    }
    story
}

/// A server's settings, compressed and split, with a checksum that is wrong by so much.
fn packed(wrong: u8) -> Story {
    let (client, server) = (address("198.51.100.78:40078"), address("192.0.2.78:27015"));
    let settings: Vec<u8> =
        (0..60_u8).flat_map(|n| format!("sv_setting_{n}\0{n}\0").into_bytes()).collect();
    let reply = [&b"\xff\xff\xff\xffE\x3c\0"[..], &settings].concat();
    let mut body = compressed(&reply);
    // Behind the length.
    body[4] = body[4].wrapping_add(wrong);
    let (one, two) = body.split_at(body.len() / 2);
    let head = |number: u8| [&b"\xfe\xff\xff\xff\x07\0\0\x80\x02"[..], &[number, 0xe0, 4]].concat();
    let mut story = begun();
    story.send(client, server, b"\xff\xff\xff\xffV\xa7\xf1\xd2\x4b").after(22_000);
    story.send(server, client, &[&head(0)[..], one].concat()).after(300);
    story.send(server, client, &[&head(1)[..], two].concat());
    story
}

/// A client asks for a server's players, and gets so many challenges before the answer; of four or
/// more it gets none.
fn challenges(count: u8) -> Story {
    let (client, server) = (address("198.51.100.79:40079"), address("192.0.2.79:27015"));
    let ask = |challenge: [u8; 4]| [&b"\xff\xff\xff\xffU"[..], &challenge].concat();
    let mut story = begun();
    story.send(client, server, &ask([0xff; 4])).after(22_000);
    for n in 1..=count {
        let challenge = [n, 2, 3, 4];
        story.send(server, client, &[&b"\xff\xff\xff\xffA"[..], &challenge].concat()).after(900);
        story.send(client, server, &ask(challenge)).after(22_000);
    }
    if count < 4 {
        story.send(server, client, b"\xff\xff\xff\xffD\x01\0Alfa\0\x0c\0\0\0\0\xc0\xa0\x43");
    }
    story
}

/// The master of a Xash3D server brings back this number for the server's own.
fn xash3d(returned: u32) -> Story {
    let (server, master) = (address("192.0.2.20:27015"), address("203.0.113.20:27010"));
    let challenge = [b"\xff\xff\xff\xffs\n\x41\x42\x0f\0", &returned.to_le_bytes()[..]].concat();
    let mut story = begun();
    story.send(server, master, b"q\xff\x11\x11\x11\x11").after(31_000);
    story.send(master, server, &challenge).after(29_000);
    if returned == 0x1111_1111 {
        story.send(
            server,
            master,
            b"0\n\\protocol\\49\\challenge\\1000001\\players\\0\\max\\12\\map\\undertow\\gamedir\\valve",
        );
    }
    story.after(60_000_000).send(master, address("198.51.100.20:40020"), &oob("f\n\0\0\0\0\0\0"));
    story
}

fn status(parts: &[&[u8]]) -> Story {
    let (client, server) = (address("198.51.100.16:40016"), address("192.0.2.16:8777"));
    let mut story = begun();
    story.send(client, server, br"\status\").after(22_000);
    for part in parts {
        story.send(server, client, part).after(600);
    }
    story
}

/// A server sends its master a proof for Unreal Tournament.
fn proof(validate: &str) -> Story {
    let (server, master) = (address("192.0.2.11:7778"), address("203.0.113.11:27900"));
    let values = format!(r"\gamename\ut\gamever\451\validate\{validate}\final\\queryid\2.1");
    let mut story = begun();
    story.send(server, master, br"\heartbeat\7778\gamename\ut").after(31_000);
    story.send(master, server, br"\basic\\secure\wookie").after(29_000);
    story.send(server, master, values.as_bytes());
    story
}
