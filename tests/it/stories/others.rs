//! Queries of Multi Theft Auto, Tribes, Tribes 2 and Killing Floor, and replies that servers split.

use std::io::Write as _;
use std::net::SocketAddr;

use bzip2::Compression;
use bzip2::write::BzEncoder;

use super::address;
use crate::story::{Format, Link, Story};

/// Every capture of these, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("mta-san-andreas/query.pcap", mta()),
        ("eye/query.pcap", eye()),
        ("tribes/session.pcapng", tribes()),
        ("tribes2/session.pcap", tribes2()),
        ("killing-floor/query.pcapng", killing_floor()),
        ("a2s/splits.pcapng", splits()),
    ]
}

/// 2026-11-23 21:00:00 UTC.
const TODAY: i64 = 1_795_467_600;

fn send_all(story: &mut Story, messages: &[(SocketAddr, SocketAddr, &[u8])]) {
    for (from, to, payload) in messages {
        story.after(45_000).send(*from, *to, payload);
    }
}

/// A reply of All-Seeing Eye: what the server is, its settings, and its players with the flags of
/// what is told of each. The length of each text counts itself.
fn eye_reply(server: &[&str], settings: &[&str], players: &[(u8, &[&str])]) -> Vec<u8> {
    let text = |text: &&str| [&[u8::try_from(text.len() + 1).unwrap()], text.as_bytes()].concat();
    let mut reply = b"EYE1".to_vec();
    reply.extend(server.iter().chain(settings).flat_map(text));
    reply.push(1);
    for (flags, texts) in players {
        reply.push(*flags);
        reply.extend(texts.iter().flat_map(text));
    }
    reply
}

/// A server of Multi Theft Auto with players of which it tells different things; queries go to the
/// port 123 above that of the game.
fn mta() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, TODAY);
    let (server, client) = (address("192.0.2.70:22126"), address("198.51.100.70:40070"));
    send_all(
        &mut story,
        &[
            (client, server, b"s"),
            (
                server,
                client,
                &eye_reply(
                    &["mta", "22003", "Lab MTA", "MTA:SA", "Las Lab", "1.6", "0", "3", "64"],
                    &["version", "1.6.0-9", "Passworded", "n"],
                    &[
                        (0x3f, &["Alfa", "", "", "12", "35", ""]),
                        (0x31, &["Bravo", "48", "900"]),
                        (0x01, &["Charlie"]),
                    ],
                ),
            ),
        ],
    );
    story
}

/// A server of a game that has no name here.
fn eye() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, TODAY);
    let (server, client) = (address("192.0.2.71:23196"), address("198.51.100.71:40071"));
    send_all(
        &mut story,
        &[
            (client, server, b"s"),
            (
                server,
                client,
                &eye_reply(
                    &["soldat", "23073", "Lab So", "CTF", "ctf_Lab", "1.7.1", "1", "0", "32"],
                    &[],
                    &[],
                ),
            ),
        ],
    );
    story
}

/// A client finds servers at a master of Tribes, and asks one of them.
fn tribes() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (master, server) = (address("203.0.113.72:28000"), address("192.0.2.72:28001"));
    let client = address("198.51.100.72:40072");
    send_all(
        &mut story,
        &[
            (client, master, b"\x10\x03\xff\0\x02"),
            (
                master,
                client,
                b"\x10\x06\x01\x01\x02\0\0f\x0aLab Master\x07Welcome\0\x02\
                  \x06\xc0\0\x02\x48\x61\x6d\x06\xc6\x33\x64\x49\x62\x6d",
            ),
            (client, server, b"b**"),
            (
                server,
                client,
                b"c**b\x06Tribes\x041.11\x0aLab Tribes\x01\0\x02 (\n\x04base\x10Capture the Flag\
                  \x09Raindance\x1eAdmin: Ops\nEmail: ops@lab.test\x02\
                  \x10Team Name\t\xd6Score\x1ePlayer Name\tTeam\tScore\tPing\tPL\
                  \x0bBlood Eagle\x04%t\t3\x0dDiamond Sword\x04%t\t5\
                  \x0c\0\0\x04Alfa\x12%n\t0x50%t\t12\t%p\t%l\
                  \x14\x01\x01\x05Bravo\x11%n\t0x50%t\t7\t%p\t%l",
            ),
        ],
    );
    story
}

/// A client asks a server of Tribes 2 for its name and for the rest; an older one answers too.
fn tribes2() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, TODAY);
    let (server, old) = (address("192.0.2.74:28000"), address("192.0.2.75:28000"));
    let (client, master) = (address("198.51.100.74:40074"), address("203.0.113.74:28002"));
    send_all(
        &mut story,
        &[
            (client, server, b"\x0e\x02\x11\x22\x33\x44"),
            (
                server,
                client,
                b"\x10\x02\x11\x22\x33\x44\x04VER5\x34\0\0\0\x33\0\0\0\xca\x61\0\0\x06Lab T2",
            ),
            (client, server, b"\x12\x02\x55\x66\x77\x08"),
            (
                server,
                client,
                b"\x14\x02\x55\x66\x77\x08\x04base\x03CTF\x08Katabati\x21\x01\x20\0\xb8\x0b\
                  \x07Welcome\x2a\x002\nStorm\t100\nInferno\t200\n1\n\x10Alfa\x11\tStorm\t12\n",
            ),
            (client, old, b"\x0e\x02\x11\x22\x33\x45"),
            (old, client, b"\x10\x02\x11\x22\x33\x45\x04VER3\x33\0\0\0\x59\x5a\0\0\x07Lab Old"),
            (client, master, b"\x02\0\x01\x02\x03\x04"),
            (
                master,
                client,
                b"\x04\0\x01\x02\x03\x04\x02\x04base\x07Classic\x03\x03CTF\x0aDeathmatch\x05Siege",
            ),
            (
                client,
                master,
                b"\x06\x80\x0b\x0c\x0d\x0e\xff\x03any\x03CTF\x01\xff\x20\0\0\0\0\0\0\0\x02\xff\0\0\x01\
                  \x39\x30\0\0",
            ),
            (master, client, b"\x08\0\x0b\x0c\x0d\x0e\0\x02\x01\0\xc0\0\x02\x4a\x60\x6d"),
            (master, client, b"\x08\0\x0b\x0c\x0d\x0e\x01\x02\x01\0\xc0\0\x02\x4b\x60\x6d"),
        ],
    );
    story
}

/// Killing Floor: the reply about the server counts waves before the ping, and the length of the name
/// has two bytes.
fn killing_floor() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (server, client) = (address("192.0.2.76:7708"), address("198.51.100.76:40076"));
    send_all(
        &mut story,
        &[
            (client, server, b"\x79\0\0\0\0"),
            (
                server,
                client,
                b"\x80\0\0\0\0\0\0\0\0\0\x1b\x1e\0\0\x1c\x1e\0\0\x45\x01\
                  Lab KF: a name longer than 63 bytes, so that its length has 2 bytes.\0\
                  \x0cKF-BioticsL\0\x0bKFGameType\0\x03\0\0\0\x06\0\0\0\x04\0\0\0\x07\0\0\0\
                  \x2d\0\0\0\0\0\0\0\x022\0\0\0",
            ),
            (client, server, b"\x79\0\0\0\x02"),
            (server, client, b"\x80\0\0\0\x02\x01\0\0\0\x05Alfa\0\x30\0\0\0\x96\0\0\0\0\0\0\0"),
        ],
    );
    story
}

/// A reply with so many settings.
fn rules(count: u16) -> Vec<u8> {
    let mut reply = [&b"\xff\xff\xff\xffE"[..], &count.to_le_bytes()].concat();
    for n in 0..count {
        reply.extend(format!("sv_lab_rule_{n:03}\0{}\0", u32::from(n) * 7919 % 1009).bytes());
    }
    reply
}

/// The datagrams of a message that Source split, with these sizes.
fn split(id: u32, message: &[u8], size: u16) -> Vec<Vec<u8>> {
    let parts: Vec<_> = message.chunks(size.into()).collect();
    let total = u8::try_from(parts.len()).unwrap();
    let datagram = |(number, part): (u8, &&[u8])| {
        let head = [&b"\xfe\xff\xff\xff"[..], &id.to_le_bytes(), &[total, number]].concat();
        [&head, &size.to_le_bytes()[..], *part].concat()
    };
    (0..).zip(&parts).map(datagram).collect()
}

/// A message as Source compresses it: its length and its checksum precede what bzip2 gives.
pub(super) fn compressed(message: &[u8]) -> Vec<u8> {
    let mut coder = BzEncoder::new(Vec::new(), Compression::best());
    coder.write_all(message).unwrap();
    let length = u32::try_from(message.len()).unwrap().to_le_bytes();
    [&length[..], &crc32fast::hash(message).to_le_bytes(), &coder.finish().unwrap()].concat()
}

/// Split replies: in the wrong order, one datagram twice; two at once; compressed ones; one that
/// lacks its second datagram; one whose checksum is wrong.
fn splits() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let server = address("192.0.2.78:27015");
    let clients = [address("198.51.100.78:40078"), address("198.51.100.79:40079")];
    let mut ask = |client| {
        let challenge = b"\xff\xff\xff\xffA\x10\x32\x54\x76";
        send_all(
            &mut story,
            &[
                (client, server, b"\xff\xff\xff\xffV\xff\xff\xff\xff"),
                (server, client, challenge),
                (client, server, b"\xff\xff\xff\xffV\x10\x32\x54\x76"),
            ],
        );
    };
    clients.into_iter().for_each(&mut ask);
    let packed = |id: u32, size| split(id | 1 << 31, &compressed(&rules(300)), size);
    let plain = split(1, &rules(180), 1248);
    let [first, second] = clients;
    for (client, part) in [
        (first, &plain[2]),
        (second, &split(2, &rules(120), 1248)[1]),
        (first, &plain[0]),
        (first, &plain[0]),
        (second, &split(2, &rules(120), 1248)[0]),
        (first, &plain[1]),
    ] {
        story.after(300).send(server, client, part);
    }
    let turns = [(first, packed(3, 1248)), (second, packed(4, 200))];
    let mut gap = split(5, &rules(180), 1248);
    gap.remove(1);
    let mut wrong = packed(6, 1248);
    wrong[0][16] ^= 1;
    for (client, parts) in turns.into_iter().chain([(first, gap), (second, wrong)]) {
        story.after(45_000).send(client, server, b"\xff\xff\xff\xffV\x10\x32\x54\x76");
        for part in parts {
            story.after(300).send(server, client, &part);
        }
    }
    story.note("The checksum of this reply is wrong.");
    story
}
