//! What servers of Source, of GoldSrc and of other games on Steam say, and Steam's master.

use std::net::SocketAddr;

use super::{THEN, address};
use crate::story::{Format, Link, Story};

/// Every capture of Source's queries, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("a2s/queries.pcapng", source()),
        ("a2s/goldsrc.pcap", goldsrc()),
        ("source/steam-master.pcapng", steam_master()),
    ]
}

fn send_all(story: &mut Story, messages: &[(SocketAddr, SocketAddr, &[u8])]) {
    for (from, to, payload) in messages {
        story.after(40_000).send(*from, *to, payload);
    }
}

const QUERY: &[u8] = b"\xff\xff\xff\xffTSource Engine Query\0";
const CHALLENGED: &[u8] = b"\xff\xff\xff\xffTSource Engine Query\0\xa7\xf1\xd2\x4b";
const CHALLENGE: &[u8] = b"\xff\xff\xff\xffA\xa7\xf1\xd2\x4b";

/// A reply with so many settings.
fn rules(count: u16) -> Vec<u8> {
    let mut reply = [&b"\xff\xff\xff\xffE"[..], &count.to_le_bytes()].concat();
    reply.extend(b"sv_tags\0alltalk,increased_maxplayers\0sv_password\x001\0");
    for n in 2..count {
        reply.extend(format!("sv_lab_rule_{n:02}\0value number {n}\0").bytes());
    }
    reply
}

/// A client asks a server of Team Fortress 2 everything: each reply needs a challenge, and that with
/// the settings takes three datagrams. Then it asks servers of other games.
fn source() -> Story {
    let mut story = Story::new(Link::RawIp, Format::PcapNg, THEN);
    let (server, client) = (address("192.0.2.60:27015"), address("198.51.100.60:40060"));
    send_all(
        &mut story,
        &[
            (client, server, QUERY),
            (server, client, CHALLENGE),
            (client, server, CHALLENGED),
            (
                server,
                client,
                b"\xff\xff\xff\xffI\x11The Lab\0ctf_2fort\0tf\0Team Fortress\0\xb8\x01\x05\x18\x01dl\0\
                  \x019876543\0\xf1\x87\x69\0\0\0\0\0\0\x40\x01\x8c\x69The Lab TV\0\
                  alltalk,increased_maxplayers\0\xb8\x01\0\0\0\0\0\0",
            ),
            (client, server, b"\xff\xff\xff\xffU\xff\xff\xff\xff"),
            (server, client, CHALLENGE),
            (client, server, b"\xff\xff\xff\xffU\xa7\xf1\xd2\x4b"),
            (
                server,
                client,
                b"\xff\xff\xff\xffD\x03\0Alfa\0\x0c\0\0\0\0\xc0\xa0\x43\
                  \0Br\xc3\xa4vo\0\0\0\0\0\0\0\x8a\x41\0\0\xfd\xff\xff\xff\0\0\x80\x3f",
            ),
            (client, server, b"\xff\xff\xff\xffV\0\0\0\0"),
            (server, client, CHALLENGE),
            (client, server, b"\xff\xff\xff\xffV\xa7\xf1\xd2\x4b"),
        ],
    );
    story.note("The reply is split; python-a2s sends 0 first, most others -1.");
    let reply = rules(90);
    let parts: Vec<_> = reply.chunks(1248).collect();
    for (number, part) in (0_u8..).zip(&parts) {
        let total = u8::try_from(parts.len()).unwrap();
        let head = [&b"\xfe\xff\xff\xff\x2a\0\0\0"[..], &[total, number, 0xe0, 0x04]].concat();
        story.after(300).send(server, client, &[&head, *part].concat());
    }
    let (live, ship) = (address("192.0.2.61:27960"), address("192.0.2.62:27015"));
    let (elsewhere, binary) = (address("192.0.2.63:2303"), address("192.0.2.68:27015"));
    send_all(
        &mut story,
        &[
            (client, server, b"\xff\xff\xff\xffi"),
            (server, client, b"\xff\xff\xff\xffj00000000000000\0"),
            (client, server, b"\xff\xff\xff\xffW"),
            (server, client, CHALLENGE),
            (client, live, QUERY),
            (
                live,
                client,
                b"\xff\xff\xff\xffI\x11Live Lab\0campgrounds\0baseq3\0Duel\0\0\0\x02\x10\0dl\0\x01\
                  1069\0\xb1\x38\x6d\x02\0\0\0\0\0\0\x40\x01minqlx,duel\0\x48\x4f\x04\0\0\0\0\0",
            ),
            (client, ship, QUERY),
            (
                ship,
                client,
                b"\xff\xff\xff\xffI\x07Lab Ship\0batavier\0ship\0The Ship\0\x60\x09\x02\x05\0dw\0\0\
                  \x01\x02\x031.0.0.4\0\x80\x87\x69",
            ),
            (client, ship, b"\xff\xff\xff\xffU\xff\xff\xff\xff"),
            (
                ship,
                client,
                b"\xff\xff\xff\xffD\x02\0Alfa\0\x01\0\0\0\0\0\x80\x3f\0Bravo\0\x02\0\0\0\0\0\0\x40\
                  \x03\0\0\0\xc4\x09\0\0\x01\0\0\0\x64\0\0\0",
            ),
            (client, elsewhere, QUERY),
            (elsewhere, client, CHALLENGE),
            (client, elsewhere, CHALLENGED),
            (
                elsewhere,
                client,
                b"\xff\xff\xff\xffI\x11Lab Altis\0Altis\0Arma3\0Coop\0\0\0\x04\x20\0dw\x01\x01\
                  2.18.152405\0\xb1\xfe\x08\0\0\0\0\0\0\x40\x01bt,r218,n0\0\x92\xa3\x01\0\0\0\0\0",
            ),
            (client, binary, b"\xff\xff\xff\xffV\xff\xff\xff\xff"),
            (binary, client, CHALLENGE),
            (client, binary, b"\xff\xff\xff\xffV\xa7\xf1\xd2\x4b"),
            (binary, client, b"\xff\xff\xff\xffE\x01\0\x01\x01\0\x02\x01\x02\x04\x03\0"),
        ],
    );
    story
}

/// Servers on GoldSrc: one replies in two forms at once, and counts its players; one splits its
/// settings, another cuts them. And a server of Xash3D.
fn goldsrc() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, THEN);
    let (server, client) = (address("192.0.2.64:27015"), address("198.51.100.64:40064"));
    let (cut, xash) = (address("192.0.2.65:27015"), address("192.0.2.66:27015"));
    send_all(
        &mut story,
        &[
            (client, server, QUERY),
            (
                server,
                client,
                b"\xff\xff\xff\xffm192.0.2.64:27015\0Sector F\0de_dust2\0cstrike\0Counter-Strike\0\
                  \x02\x10\x2fdl\0\x01www.example.org\0\0\0\x01\0\0\0\0\0\0\0\0\x01\x01\0",
            ),
            (
                server,
                client,
                b"\xff\xff\xff\xffI\x30Sector F\0de_dust2\0cstrike\0Counter-Strike\0\x0a\0\x02\x10\0dl\0\
                  \x011.1.2.7/Stdio\0\x80\x87\x69",
            ),
            (client, server, b"\xff\xff\xff\xffU\xff\xff\xff\xff"),
            (server, client, CHALLENGE),
            (client, server, b"\xff\xff\xff\xffU\xa7\xf1\xd2\x4b"),
            (
                server,
                client,
                b"\xff\xff\xff\xffD\x02\x01Alfa\0\x0c\0\0\0\0\xc0\xa0\x43\
                  \x02Bravo\0\xff\xff\xff\xff\0\0\x8a\x41",
            ),
            (client, server, b"\xff\xff\xff\xffV\xff\xff\xff\xff"),
            (server, client, CHALLENGE),
            (client, server, b"\xff\xff\xff\xffV\xa7\xf1\xd2\x4b"),
        ],
    );
    let reply = rules(80);
    let parts: Vec<_> = reply.chunks(1391).collect();
    for (number, part) in (0_u8..).zip(&parts) {
        let both = number << 4 | u8::try_from(parts.len()).unwrap();
        let head = [&b"\xfe\xff\xff\xff\x51\0\0\0"[..], &[both]].concat();
        story.after(300).send(server, client, &[&head, *part].concat());
    }
    let whole = rules(40);
    send_all(
        &mut story,
        &[
            (client, server, b"\xff\xff\xff\xffi"),
            (server, client, b"\xff\xff\xff\xffj\0"),
            (client, cut, b"\xff\xff\xff\xffV\xff\xff\xff\xff"),
            (cut, client, CHALLENGE),
            (client, cut, b"\xff\xff\xff\xffV\xa7\xf1\xd2\x4b"),
            (cut, client, &whole[..800]),
            (client, xash, QUERY),
            (
                xash,
                client,
                b"\xff\xff\xff\xffI\x31Lab Xash\0crossfire\0valve\0Half-Life\0\0\0\x03\x10\x01dl\0\0\
                  0.21.1\0",
            ),
        ],
    );
    story
}

/// A client gets the list of Steam's master in two parts, each after a request that names the last
/// server of the part before; then a server registers.
fn steam_master() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let (server, master) = (address("192.0.2.67:27015"), address("203.0.113.67:27011"));
    let client = address("198.51.100.67:40067");
    send_all(
        &mut story,
        &[
            (client, master, b"1\xff0.0.0.0:0\0\\gamedir\\tf\\empty\\1\0"),
            (
                master,
                client,
                b"\xff\xff\xff\xfff\n\xc0\0\x02\x45\x69\x87\xc0\0\x02\x46\x69\x87\
                  \xc6\x33\x64\x5c\x69\x88",
            ),
            (client, master, b"1\xff198.51.100.92:27016\0\\gamedir\\tf\\empty\\1\0"),
            (master, client, b"\xff\xff\xff\xfff\n\xcb\0\x71\x0f\x69\x87\0\0\0\0\0\0"),
            (
                client,
                master,
                b"1\x030.0.0.0:0\0\\appid\\440\\nor\\2\\map\\ctf_2fort\
                  \\gametype\\friendlyfire,alltalk\\secure\\1\\nand\\2\\full\\1\\password\\0\
                  \\name_match\\*lab*\0",
            ),
            (master, client, b"\xff\xff\xff\xfff\n\0\0\0\0\0\0"),
            (server, master, b"q"),
            (master, server, b"\xff\xff\xff\xffs\n\x4d\xe6\x40\xbb"),
            (
                server,
                master,
                b"0\n\\protocol\\7\\challenge\\3141592653\\players\\5\\max\\24\\bots\\1\
                  \\gamedir\\tf\\map\\ctf_2fort\\password\\0\\os\\l\\lan\\0\\region\\255\
                  \\gametype\\alltalk\\type\\d\\secure\\1\\version\\1.0.1.2\\product\\tf\n",
            ),
            (server, master, b"b\n"),
        ],
    );
    story
}
