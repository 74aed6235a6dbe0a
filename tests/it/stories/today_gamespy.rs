//! GameSpy's later protocols: queries of the second and the third, and a server that registers, is
//! listed and queried.

use std::net::SocketAddr;

use fragshark::protocols::gamespy::{answer, key_of};
use fragshark::protocols::gamespy_list::{Cipher, session_key};

use super::address;
use crate::story::{Format, Link, Side, Story};

/// Every capture of these protocols, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("halo/queries.pcap", halo()),
        ("swat4/tables.pcap", swat()),
        ("battlefield2/replies.pcapng", replies()),
        ("minecraft/query.pcapng", minecraft()),
        ("battlefield2/master.pcapng", registered()),
    ]
}

/// 2026-11-22 20:00:00 UTC.
const TODAY: i64 = 1_795_377_600;

/// Who sends to whom, and what.
type Turn<'a> = (SocketAddr, SocketAddr, &'a [u8]);

fn send_all(story: &mut Story, turns: &[Turn<'_>]) {
    for (from, to, payload) in turns {
        story.after(45_000).send(*from, *to, payload);
    }
}

/// A client asks for everything, for settings, and for keys by their numbers.
fn halo() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, TODAY);
    let (client, halo) = (address("198.51.100.80:40080"), address("192.0.2.80:2302"));
    let settings = b"hostname\0Lab Halo\0gamever\x0001.00.10.0621\0hostport\x002302\0\
        maxplayers\x0016\0password\x000\0mapname\0bloodgulch\0dedicated\x001\0\
        gamemode\0openplaying\0game_classic\x000\0numplayers\x002\0gametype\0CTF\0\
        teamplay\x001\0gamevariant\0CTF\0fraglimit\x003\0\0";
    let tables =
        b"\0\x02player_\0score_\0ping_\0team_\0\0Alfa\x002\x0031\x000\0Bravo\0-1\x0047\x001\0\
        \0\x02team_t\0score_t\0\0Red\x002\0Blue\x009\0";
    send_all(
        &mut story,
        &[
            (client, halo, b"\xfe\xfd\0\x10\x20\x30\x40\xff\xff\xff"),
            (halo, client, &[b"\0\x10\x20\x30\x40", &settings[..], tables].concat()),
            (client, halo, b"\xfe\xfd\0\x10\x20\x30\x41\xff\0\0"),
            (halo, client, &[b"\0\x10\x20\x30\x41", &settings[..]].concat()),
            (client, halo, b"\xfe\xfd\0\x10\x20\x30\x42\x03\x01\x03\x05\0\0"),
            (halo, client, b"\0\x10\x20\x30\x42Lab Halo\x0001.00.10.0621\0bloodgulch\0"),
        ],
    );
    story.note("The query has asked for three keys by their numbers: the reply has no names.");
    story
}

/// A client asks for players and teams.
fn swat() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, TODAY);
    let (client, server) = (address("198.51.100.80:40081"), address("192.0.2.81:10481"));
    send_all(
        &mut story,
        &[
            (client, server, b"\xfe\xfd\0CORX\0\xff\xff"),
            (
                server,
                client,
                b"\0CORX\0\x02player_\0score_\0ping_\0\0Alfa\x002\x0031\0Bravo\0-2\x00299\0\0\0\0",
            ),
        ],
    );
    story
}

/// The parts of a reply with this key.
fn parts(key: [u8; 4]) -> [Vec<u8>; 3] {
    let begin = |number: u8| [&b"\0"[..], &key, b"splitnum\0", &[number]].concat();
    [
        [&begin(0)[..], SETTINGS, b"\x01player_\0\0Alfa\0Bravo\0Cha\0"].concat(),
        [&begin(1)[..], b"\x01player_\0\x02Charlie\0Delta\0\0score_\0\x0012\x003\0"].concat(),
        [
            &begin(0x82)[..],
            b"\x01score_\0\x02-1\x0040\0\0ping_\0\x0031\x0047\x00119\x0065\0\0team_\0\0",
            b"1\x002\x001\x002\0\0\0\x02team_t\0\0MEC\0US\0\0score_t\0\x000\x000\0\0\0",
        ]
        .concat(),
    ]
}

const SETTINGS: &[u8] = b"\0hostname\0Lab BF2\0gamename\0battlefield2\0gamever\x001.5.3153-802.0\0\
    mapname\0Strike At Karkand\0gametype\0gpm_cq\0gamevariant\0bf2\0numplayers\x004\0maxplayers\x0064\0\
    gamemode\0openplaying\0password\x000\0timelimit\x000\0roundtime\x003\0hostport\x0016567\0\
    bf2_dedicated\x001\0bf2_ranked\x000\0\0";

/// A challenge, and replies in several datagrams: in another order, and with one that is lost.
fn replies() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (client, server) = (address("198.51.100.82:40082"), address("192.0.2.82:29900"));
    let key = *b"\x04\x05\x06\x07";
    let [first, second, last] = parts(key);
    send_all(
        &mut story,
        &[
            (client, server, b"\xfe\xfd\x09\x04\x05\x06\x07"),
            (server, client, b"\x09\x04\x05\x06\x07-1186829541\0"),
            (client, server, b"\xfe\xfd\0\x04\x05\x06\x07\xb9\x42\x77\x1b\xff\xff\xff\x01"),
            (server, client, &first),
            (server, client, &last),
            (server, client, &second),
        ],
    );
    story.note("The third part of the reply has overtaken the second.");
    let [first, _, last] = parts(*b"\x04\x05\x06\x08");
    send_all(
        &mut story,
        &[
            (client, server, b"\xfe\xfd\0\x04\x05\x06\x08\xff\xff\xff\x01"),
            (server, client, &first),
            (server, client, &last),
        ],
    );
    story.note("The second part of this reply is lost.");
    let [first, second, last] = parts(key);
    send_all(
        &mut story,
        &[
            (client, server, b"\xfe\xfd\0\x04\x05\x06\x07\xff\xff\xff\x01"),
            (server, client, &first),
            (server, client, &second),
            (server, client, &last),
        ],
    );
    story.note("The key is that of the first query.");
    story
}

/// The long reply and the short one.
fn minecraft() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (player, craft) = (address("198.51.100.83:40083"), address("192.0.2.83:25565"));
    send_all(
        &mut story,
        &[
            (player, craft, b"\xfe\xfd\x09\0\0\0\x01"),
            (craft, player, b"\x09\0\0\0\x019513307\0"),
            (player, craft, b"\xfe\xfd\0\0\0\0\x01\0\x91\x29\x5b\0\0\0\0"),
            (
                craft,
                player,
                b"\0\0\0\0\x01splitnum\0\x80\0hostname\0Lab Minecraft\0gametype\0SMP\0\
                  game_id\0MINECRAFT\0version\x001.21.4\0plugins\0\0map\0world\0numplayers\x002\0\
                  maxplayers\x0020\0hostport\x0025565\0hostip\x00192.0.2.83\0\0\
                  \x01player_\0\0Alfa\0Bravo\0\0",
            ),
            (player, craft, b"\xfe\xfd\0\0\0\0\x01\0\x91\x29\x5b"),
            (
                craft,
                player,
                b"\0\0\0\0\x01Lab Minecraft\0SMP\0world\x002\x0020\0\xdd\x63192.0.2.83\0",
            ),
        ],
    );
    story
}

/// The random part of the master's challenge, and how it sees the server: no options,
/// 192.0.2.84:29900.
const CHALLENGE: &[u8] = b"q7Xw2ZpL00C000025474CC";

/// A server registers at a master, is listed, reached and queried, and leaves.
fn registered() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let (server, master) = (address("192.0.2.84:29900"), address("203.0.113.84:27900"));
    let (client, browser) = (address("198.51.100.84:40084"), address("198.51.100.84:41084"));
    let key = key_of(b"battlefield2").unwrap();
    let response = [b"\x01\x5a\x11\xc0\xde", answer(key, CHALLENGE).as_bytes(), b"\0"].concat();
    let keys = |state: &str| {
        let mut keys =
            b"\x03\x5a\x11\xc0\xdelocalip0\x00192.0.2.84\0localport\x0029900\0natneg\x001\0"
                .to_vec();
        if !state.is_empty() {
            keys.extend([b"statechanged\0", state.as_bytes(), b"\0"].concat());
        }
        keys.extend(b"gamename\0battlefield2\0");
        keys
    };
    let about = b"publicip\x001409417408\0publicport\x0029900\0hostname\0Lab BF2\0\
        mapname\0Strike At Karkand\0numplayers\x001\0maxplayers\x0064\0\0\
        \0\x01player_\0score_\0\0Alfa\x0012\0\0\0team_t\0\0";
    let heartbeat = |state: &str| [&keys(state)[..], about].concat();
    let challenge = [b"\xfe\xfd\x01\x5a\x11\xc0\xde", CHALLENGE, b"\0"].concat();
    send_all(
        &mut story,
        &[
            (server, master, &heartbeat("3")),
            (master, server, &challenge),
            (server, master, &response),
            (master, server, b"\xfe\xfd\x0a\x5a\x11\xc0\xde"),
        ],
    );
    story.after(20_000_000);
    send_all(
        &mut story,
        &[
            (server, master, b"\x08\x5a\x11\xc0\xde"),
            (master, server, b"\xfe\xfd\x08\x5a\x11\xc0\xde\x14\x25\x03\x6b"),
            (client, master, b"\x09\0\0\0\0battlefield2\0"),
            (master, client, b"\xfe\xfd\x09\0\0\0\0"),
        ],
    );
    let (request, list) = listed();
    let lists = address("203.0.113.84:28910");
    story.after(45_000).converse(
        browser,
        lists,
        &[(Side::Client, &request), (Side::Server, &list)],
        60,
    );
    story.note("The list is enciphered with the key of the asking game.");
    let [first, second, last] = parts(*b"\x04\x05\x06\x07");
    send_all(
        &mut story,
        &[
            (
                master,
                server,
                b"\xfe\xfd\x06\x5a\x11\xc0\xde\0\0\0\x07\xfd\xfc\x1e\x66\x6a\xb2\0\0\x12\x34",
            ),
            (server, master, b"\x07\x5a\x11\xc0\xde\0\0\0\x07"),
            (client, server, b"\xfe\xfd\0\x04\x05\x06\x07\xff\xff\xff\x01"),
            (server, client, &first),
            (server, client, &second),
            (server, client, &last),
        ],
    );
    story.after(40_000_000);
    send_all(&mut story, &[(server, master, &heartbeat(""))]);
    let leaving = [&keys("2")[..], b"\0"].concat();
    story.after(15_000_000);
    send_all(&mut story, &[(server, master, &leaving)]);
    story
}

/// A request for Battlefield 2's servers, and the list.
fn listed() -> (Vec<u8>, Vec<u8>) {
    let client = *b"a1B2c3D4";
    let behind = [
        &b"\0\x01\x03\0\0\0\0battlefield2\0battlefield2\0"[..],
        &client,
        b"numplayers > 0\0\\hostname\\numplayers\\mapname\0\0\0\0\x80\x32\0\0\0",
    ]
    .concat();
    let length = u16::try_from(2 + behind.len()).unwrap();
    let request = [&length.to_be_bytes()[..], &behind].concat();
    let half = b"\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c";
    let header = [&b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0"[..], half].concat();
    let mut list = b"\xc6\x33\x64\x54\x74\xcc\x03\0hostname\0\x01numplayers\0\0mapname\0\
        \x01Strike At Karkand\0\
        \x51\xc0\0\x02\x54\x74\xcc\xffLab BF2\0\x01\0\
        \x77\xcb\0\x71\x54\x74\xcd\x0a\0\0\x07\x74\xcd\xffLab Two\0\x0b\xffGulf of Oman\0\
        \0\xff\xff\xff\xff"
        .to_vec();
    let key = session_key(key_of(b"battlefield2").unwrap(), client, half);
    Cipher::new(key).encipher(&mut list);
    (request, [header, list].concat())
}
