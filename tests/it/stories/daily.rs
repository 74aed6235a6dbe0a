//! Common messages of the games' programs that no document has: captures of single errors that were
//! found in real traffic, each the smallest that shows it.

use std::net::SocketAddr;

use super::{THEN, address, oob};
use crate::story::{Format, Link, Story};

/// Their paths under `captures/`, and their stories.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("quake4/live.pcap", quake4_live()),
        ("quake4/list.pcap", quake4_list()),
        ("doom3/impossible-players.pcap", impossible_players()),
        ("etqw/impossible-player.pcap", impossible_etqw()),
        ("quake2/q2pro.pcap", q2pro()),
        ("kingpin/status.pcap", kingpin()),
        ("quakeworld/gold.pcap", gold()),
        ("quakeworld/handshake-elsewhere.pcap", handshake_elsewhere()),
        ("quake3/getchallenge-from-27960.pcap", getchallenge_from_27960()),
        ("quake3/third-column.pcap", third_column()),
        ("quake3/cut.pcap", cut()),
        ("darkplaces/shared-words.pcap", shared_words()),
        ("bf1942/status.pcap", battlefield()),
    ]
}

/// Datagrams 20 ms apart.
fn datagrams_of(link: Link, datagrams: &[(SocketAddr, SocketAddr, &[u8])]) -> Story {
    let mut story = Story::new(link, Format::Pcap, THEN);
    for (from, to, payload) in datagrams {
        story.after(20_000).send(*from, *to, payload);
    }
    story
}

/// A reply of Quake 4 1.4.2 as live servers send it: bit 31 of the protocol is clear.
fn quake4_live() -> Story {
    let (server, client) = (address("192.0.2.14:28004"), address("198.51.100.14:40014"));
    let reply =
        b"\xff\xffinfoResponse\0\x2a\0\0\0\x55\0\x02\0si_version\0Quake4  V1.4.2 linux-x86\0\
        fs_game\0q4mp\0si_map\0mp/q4dm10\0si_maxPlayers\x0012\0\0\0\
        \0\x1a\0\0\x64\0\0^1Alfa\0LAB\0\x01\x38\0\x74\x73\0\0Bravo\0^2Clan\0\
        \x04\x80\0\x80\x3e\0\0Charlie\0\0\x20\x07\0\0\0\0\0\0\0\x01";
    let empty = b"\xff\xffinfoResponse\0\x2a\0\0\0\x55\0\x02\0si_map\0mp/q4dm10\0\0\0\
        \x20\x07\0\0\0\x2e\x6d\0\0\x01";
    let asks = b"\xff\xffgetInfo\0\x2a\0\0\0";
    datagrams_of(
        Link::Ethernet,
        &[
            (client, server, asks),
            (server, client, reply),
            (client, server, asks),
            (server, client, empty),
        ],
    )
}

/// Quake 4's clients send their master a player and a clan too; quakestat sends neither.
fn quake4_list() -> Story {
    let (master, client) = (address("203.0.113.14:27650"), address("198.51.100.14:40014"));
    let asks = b"\xff\xffgetServers\0\x55\0\x02\x80q4max\0Alfa\0LAB\0\x0a";
    datagrams_of(
        Link::Ethernet,
        &[
            (client, master, b"\xff\xffgetServers\0\0\0\0\0\0\0\0\0"),
            (master, client, b"\xff\xffservers\0\xc0\0\x02\x0e\x64\x6d"),
            (client, master, asks),
            (master, client, b"\xff\xffservers\0\xc0\0\x02\x0e\x64\x6d"),
        ],
    )
}

/// Players whose numbers the engine cannot have: an index, a round trip, a rate, a name.
fn impossible_players() -> Story {
    let (server, client) = (address("192.0.2.10:27666"), address("198.51.100.10:40010"));
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let long = [b"\x01\x30\0\x80\x3e\0\0".as_slice(), &[b'x'; 1024], b"\0"].concat();
    for player in [
        b"\x21\x30\0\x80\x3e\0\0Alfa\0".as_slice(),
        b"\xff\x30\0\x80\x3e\0\0Alfa\0",
        b"\x01\x40\x9c\x80\x3e\0\0Alfa\0",
        b"\x01\x30\0\xff\xff\xff\xffAlfa\0",
        &long,
    ] {
        story.after(20_000).send(client, server, b"\xff\xffgetInfo\0\x2a\0\0\0");
        let head = b"\xff\xffinfoResponse\0\x2a\0\0\0\x29\0\x01\0si_map\0game/mp/d3dm1\0\0\0";
        let first = b"\0\x30\0\x80\x3e\0\0Kevin\0";
        let reply = [head.as_slice(), first, player, b"\x20\x07\0\0\0"].concat();
        story.after(20_000).send(server, client, &reply);
    }
    story
}

/// The same for Quake Wars.
fn impossible_etqw() -> Story {
    let (server, client) = (address("192.0.2.7:27733"), address("198.51.100.12:41201"));
    let inside = b"si_map\0valley\0\0\0\x40\x30\0Strogg\0\x01xx\0\0\x20\x01\0\0\0\x01\x10\x27\0\0\
        \x0a\0\x05";
    let head = b"\xff\xffinfoResponse\0\x07\0\0\0\x01\x02\x03\x04\x13\0\x0a\0";
    let size = u32::try_from(inside.len()).unwrap().to_le_bytes();
    let reply = [head.as_slice(), &size, inside].concat();
    datagrams_of(
        Link::Ethernet,
        &[
            (client, server, b"\xff\xffgetInfo\0\x07\0\0\0\x01\x02\x03\x04"),
            (server, client, &reply),
        ],
    )
}

/// Q2PRO's server and the browsers that query it.
fn q2pro() -> Story {
    let (server, client) = (address("192.0.2.7:27910"), address("198.51.100.7:27901"));
    let status =
        oob("print\n\\version\\q2pro r3600 Linux x86_64\\gamename\\baseq2\\mapname\\q2dm1\
        \\hostname\\Lab Q2\\maxclients\\16\\protocol\\34\n12 38 \"Alfa\"\n");
    datagrams_of(
        Link::Ethernet,
        &[
            (client, server, &oob("status 23\n")),
            (server, client, &status),
            (client, server, &oob("status\0")),
            (server, client, &status),
            (client, server, &oob("getchallenge\n")),
            (server, client, &oob("challenge 1804289383 p=34,35,36")),
            (client, server, &oob("ping")),
            (server, client, &oob("ack")),
            (client, server, &oob("rcon \"hunter2\" status")),
            (server, client, &oob("print\nBad rcon_password.\n")),
        ],
    )
}

/// Kingpin is a Quake 2 on its own port.
fn kingpin() -> Story {
    let (server, client) = (address("192.0.2.7:31510"), address("198.51.100.7:40007"));
    let status = oob("print\n\\mapname\\kpdm3\\gamename\\Botmatch\\hostname\\Lab KP\\protocol\\32\
        \\version\\kpded 2.1 x86\\maxclients\\20\n17 59 \"Alfa\"\n");
    datagrams_of(
        Link::Ethernet,
        &[
            (client, server, &oob("status\0")),
            (server, client, &status),
            (client, server, &oob("status 23\n")),
            (server, client, &status),
        ],
    )
}

/// Golden letters and digits, brackets, brown blocks, and a byte that is no letter.
fn gold() -> Story {
    let (server, client) = (address("192.0.2.9:27500"), address("198.51.100.9:27001"));
    let reply = b"\xff\xff\xff\xffn\\hostname\\\xcc\xe1\xe2 QW\\map\\dm3\\maxclients\\4\n\
        7 12 9 38 \"\x10\xe1\xec\xe6\xe1\x11\" \"base\" 4 13\n\
        9 8 9 25 \"\xc2\xf2\xe1\xf6\xef\x9d\x9e\x9f\x92\x9b\" \"\" 13 4\n\
        10 0 1 13 \"\x03odd\x8d\" \"\" 0 0\n\0";
    datagrams_of(
        Link::Ethernet,
        &[(client, server, b"\xff\xff\xff\xffstatus 23\n"), (server, client, reply)],
    )
}

/// A handshake on unknown ports: only the responses identify it.
fn handshake_elsewhere() -> Story {
    let (server, client) = (address("192.0.2.9:30123"), address("198.51.100.9:27910"));
    datagrams_of(
        Link::Ethernet,
        &[
            (client, server, &oob("getchallenge\n")),
            (server, client, &oob("c1804289383\0")),
            (client, server, &oob("connect 28 810 1804289383 \"\\name\\Alfa\"\n")),
            (server, client, &oob("j\0")),
            (client, server, &oob("rcon secret status")),
            (client, server, &oob("status\n")),
            (server, client, &oob("n\\map\\dm3\n\0")),
        ],
    )
}

/// Quake III's clients use their servers' ports.
fn getchallenge_from_27960() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    for (client, server) in [
        ("192.0.2.77:27960", "198.51.100.9:27960"),
        ("192.0.2.77:27961", "198.51.100.9:27961"),
        ("192.0.2.77:27960", "198.51.100.9:30000"),
    ] {
        let (client, server) = (address(client), address(server));
        story.after(20_000).send(client, server, &oob("getchallenge"));
        story.after(50_000).send(server, client, &oob("challengeResponse 12345"));
    }
    story
}

/// Soldier of Fortune 2 has the team before the name, Warsow after it; a name may be blank.
fn third_column() -> Story {
    let (server, client) = (address("192.0.2.20:27960"), address("198.51.100.20:40020"));
    let reply = |players: &str| {
        oob(&format!(
            "statusResponse\n\\version\\Q3 1.32\\sv_maxclients\\22\\mapname\\mp_shop\n{players}"
        ))
    };
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    for players in [
        "36 50 1 \"^n[^2Alfa\"\n9 0 2 \"Bravo\"\n",
        "0 106 \"            \"\n0 73 \"^6.^~A\"\n",
        "1 34 \"^7Alfa\" 2\n-9999 0 \"Watcher\" 0\n",
        "3 40 7 \"Say \"hi\" 2\"\n4 20 \"1 2 \"3\"\"\n",
        "3 40 x \"Alfa\"\n3 40 2 Alfa\n3 40 \"Alfa\" x\n",
    ] {
        story.after(20_000).send(client, server, &oob("getstatus"));
        story.after(20_000).send(server, client, &reply(players));
    }
    story
}

/// A capture with a snap length: words are complete, ends are missing.
fn cut() -> Story {
    let mut story = super::tour();
    story.snap(96);
    story
}

/// DarkPlaces shares words with Quake 2; its heartbeat identifies it, not a port.
fn shared_words() -> Story {
    let (server, master) = (address("192.0.2.30:27910"), address("203.0.113.30:27950"));
    let clients = ["198.51.100.30:27500", "198.51.100.30:27910", "198.51.100.30:27901"];
    let info = oob("infoResponse\n\\challenge\\A_ch4Lleng3\\gamename\\Xonotic\\protocol\\3\
        \\clients\\0\\sv_maxclients\\8\\hostname\\Lab Xonotic\\mapname\\stormkeep");
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let mut asked = |client: SocketAddr| {
        for (forth, back) in [
            ("ping", "ack"),
            ("getchallenge", "challenge 8Xq_2ZpLk1w"),
            ("rcon secret status", "print\nBad rcon_password.\n"),
        ] {
            story.after(20_000).send(client, server, &oob(forth));
            story.after(20_000).send(server, client, &oob(back));
        }
    };
    asked(address(clients[0]));
    asked(address(clients[1]));
    story.after(20_000).send(server, master, &oob("heartbeat DarkPlaces\n"));
    story.after(20_000).send(master, server, &oob("getinfo A_ch4Lleng3"));
    story.after(20_000).send(server, master, &info);
    let client = address(clients[2]);
    for forth in ["ping", "getchallenge", "rcon secret status"] {
        story.after(20_000).send(client, server, &oob(forth));
    }
    story
}

/// Battlefield 1942 names the values of players otherwise than the document.
fn battlefield() -> Story {
    let (server, client) = (address("192.0.2.42:23000"), address("198.51.100.42:40042"));
    datagrams_of(
        Link::Ethernet,
        &[
            (client, server, br"\status\"),
            (
                server,
                client,
                br"\gamename\bfield1942\hostname\Lab BF1942\hostport\14567\mapname\berlin\maxplayers\36\numplayers\2\deaths_0\1\kills_0\4\ping_0\48\playername_0\Alfa\score_0\14\team_0\1\queryid\1142.1",
            ),
            (
                server,
                client,
                br"\deaths_1\0\kills_1\0\ping_1\0\playername_1\Two Words \score_1\0\team_1\2\teamname_0\axis\teamname_1\allied\final\\queryid\1142.2",
            ),
        ],
    )
}
