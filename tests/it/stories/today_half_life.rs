//! What servers of Half-Life and Xash3D, of GameSpy's games and of Quake 4 say today.

use std::net::SocketAddr;

use fragshark::codec::Endpoints;
use fragshark::protocol::encode;
use fragshark::protocols::gamespy::{EncryptedList, EncryptedText, ListForm, PairList, answer};

use super::{THEN, address};
use crate::story::{Format, Link, Side, Story};

/// Every capture of today's messages, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("xash3d/session.pcapng", xash3d()),
        ("half-life/queries.pcap", half_life()),
        ("mohaa/status.pcap", medal_of_honor()),
        ("descent3/status.pcap", descent()),
        ("gamespy/encrypted-list.pcapng", encrypted_list()),
        ("quake4/text-challenge.pcap", quake4()),
    ]
}

fn send_all(story: &mut Story, messages: &[(SocketAddr, SocketAddr, &[u8])]) {
    for (from, to, payload) in messages {
        story.after(40_000).send(*from, *to, payload);
    }
}

const XASH_INFO: &[u8] = b"\xff\xff\xff\xffinfo\n\\p\\49\\map\\crossfire\\dm\\1\\team\\0\\coop\\0\
    \\numcl\\3\\maxcl\\16\\gamedir\\valve\\password\\0\\host\\The Lambda Lab";

/// A server registers; a client gets a list, asks, joins, and is refused by another server.
fn xash3d() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let server = address("192.0.2.20:27015");
    let (old, full) = (address("192.0.2.21:27015"), address("192.0.2.22:27016"));
    let (master, hidden) = (address("203.0.113.20:27010"), address("192.0.2.23:27015"));
    let (client, game) = (address("198.51.100.20:40020"), address("198.51.100.20:27005"));
    let information = b"0\n\\protocol\\49\\challenge\\2208251839\\players\\3\\max\\16\\bots\\1\
        \\gamedir\\valve\\map\\crossfire\\type\\d\\password\\0\\os\\w\\secure\\0\\lan\\0\
        \\version\\0.21.1\\region\\255\\product\\valve\\nat\\0";
    send_all(
        &mut story,
        &[
            (server, master, b"q\xff\x01\x7f\x3a\x5c"),
            (master, server, b"\xff\xff\xff\xffs\n\xbf\x3f\x9f\x83\x01\x7f\x3a\x5c"),
            (server, master, information),
        ],
    );
    story.note("Each side has sent back the other's number, and the server is listed.");
    send_all(
        &mut story,
        &[
            (
                client,
                master,
                b"1\xff0.0.0.0:0\0\\gamedir\\valve\\clver\\0.21.1\\nat\\1\\commit\\abc1234\
                  \\branch\\master\\os\\linux\\arch\\amd64\\buildnum\\4100\\key\\deadbeef",
            ),
            (
                master,
                client,
                b"\xff\xff\xff\xfff\n\x7f\xef\xbe\xad\xde\x08\xc0\0\x02\x14\x69\x87\
                  \xc0\0\x02\x15\x69\x87\0\0\0\0\0\0",
            ),
            (master, hidden, b"\xff\xff\xff\xffc 198.51.100.20:40020"),
            (hidden, client, XASH_INFO),
        ],
    );
    story.note("A server behind NAT: the master lets it send its description by itself.");
    send_all(
        &mut story,
        &[
            (client, server, b"\xff\xff\xff\xffinfo 49"),
            (server, client, XASH_INFO),
            (client, old, b"\xff\xff\xff\xffinfo 48"),
            (
                old,
                client,
                b"\xff\xff\xff\xffinfo\n\\host\\Old Lab\\map\\de_dust2\\dm\\0\\team\\1\\coop\\0\
                  \\numcl\\0\\maxcl\\32\\gamedir\\cstrike",
            ),
            (client, old, b"\xff\xff\xff\xffnetinfo 48 7 4"),
            (
                old,
                client,
                b"\xff\xff\xff\xffnetinfo 7 4 \\hostname\\Old Lab\\gamedir\\cstrike\\current\\0\
                  \\max\\32\\map\\de_dust2\n",
            ),
            (client, old, b"\xff\xff\xff\xffnetinfo 48 8 1"),
            (old, client, b"\xff\xff\xff\xffnetinfo 8 1 \n"),
            (game, server, b"\xff\xff\xff\xffgetchallenge steam\n"),
            (server, game, b"\xff\xff\xff\xffchallenge 1804289383 1"),
            (game, server, b"\xff\xff\xff\xffbandwidth 49 1400 1804289383\n"),
            (server, game, b"\xff\xff\xff\xfftestpacket\0\xef\xbe\xad\xdeWAD3"),
            (
                game,
                server,
                b"\xff\xff\xff\xffconnect 49 1804289383 \"\\d\\1\\v\\0.21.1\\b\\4100\\o\\win32\
                  \\a\\i386\\uuid\\00112233445566778899aabbccddeeff\\qport\\1234\\ext\\3\
                  \\cookie\\0011223344556677\" \
                  \"\\name\\Gordon\\model\\gordon\\rate\\25000\\password\\blackmesa\"\n",
            ),
            (server, game, b"\xff\xff\xff\xffclient_connect \\ext\\3\\cheats\\0"),
            (game, server, b"\xff\xff\xff\xffrcon swordfish \"changelevel\" \"crossfire\" "),
            (server, game, b"\xff\xff\xff\xffprint\nchanged\n"),
            (game, server, b"\xff\xff\xff\xffping"),
            (server, game, b"\xff\xff\xff\xffack"),
            (game, full, b"\xff\xff\xff\xffgetchallenge steam\n"),
            (full, game, b"\xff\xff\xff\xffchallenge 7 0"),
            (
                game,
                full,
                b"\xff\xff\xff\xffconnect 49 7 \"\\v\\0.21.1\\qport\\1234\" \"\\name\\Gordon\"\n",
            ),
            (full, game, b"\xff\xff\xff\xfferrormsg\nserver is full\n"),
            (full, game, b"\xff\xff\xff\xffprint\nserver is full\n"),
            (full, game, b"\xff\xff\xff\xffdisconnect\n"),
        ],
    );
    story.after(40_000).send(server, master, b"b\n");
    story
}

/// A client asks a server of Half-Life all that it can be asked, and sends it a command.
fn half_life() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let (server, client) = (address("192.0.2.23:27015"), address("198.51.100.23:40023"));
    send_all(
        &mut story,
        &[
            (client, server, b"\xff\xff\xff\xffping\0"),
            (server, client, b"\xff\xff\xff\xffj"),
            (client, server, b"\xff\xff\xff\xffinfo\0"),
            (
                server,
                client,
                b"\xff\xff\xff\xffC192.0.2.23:27015\0Sector E\0crossfire\0valve\0Half-Life\0\
                  \x02\x10\x2e",
            ),
            (client, server, b"\xff\xff\xff\xffdetails\0"),
            (
                server,
                client,
                b"\xff\xff\xff\xffm192.0.2.23:27015\0Sector E\0de_dust2\0cstrike\0Counter-Strike\0\
                  \x02\x10\x2edl\0\x01www.example.org\0dl.example.org\0\0\x01\0\0\0\0\x9e\xf7\x0a\
                  \0\x01\0\x02",
            ),
            (client, server, b"\xff\xff\xff\xffplayers"),
            (
                server,
                client,
                b"\xff\xff\xff\xffD\x02\x01Alfa\0\x0c\0\0\0\0\xc0\xa0\x43\
                  \x02Bravo\0\xff\xff\xff\xff\0\0\x8a\x41",
            ),
            (client, server, b"\xff\xff\xff\xffrules\0"),
            (
                server,
                client,
                b"\xff\xff\xff\xffE\x03\0mp_timelimit\x0030\0sv_gravity\x00800\0sv_password\x001\0",
            ),
            (client, server, b"\xff\xff\xff\xffinfostring\0"),
            (
                server,
                client,
                b"\xff\xff\xff\xffinfostringresponse\0\\protocol\\46\\address\\192.0.2.23:27015\
                  \\players\\2\\proxytarget\\0\\lan\\0\\max\\16\\bots\\0\\gamedir\\cstrike\
                  \\description\\Counter-Strike\\hostname\\Sector E\\map\\de_dust2\\type\\d\
                  \\password\\0\\os\\l\\secure\\0",
            ),
            (client, server, b"\xff\xff\xff\xffchallenge rcon\n"),
            (server, client, b"\xff\xff\xff\xffchallenge rcon 3141592653\n"),
            (client, server, b"\xff\xff\xff\xffrcon 3141592653 \"swordfish\" status"),
            (server, client, b"\xff\xff\xff\xffprint\nBad rcon_password.\n\0"),
        ],
    );
    story
}

/// Medal of Honor's reply ends in a part of its own; the numbers of its players have gaps.
fn medal_of_honor() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let (server, client) = (address("192.0.2.24:12300"), address("198.51.100.24:40024"));
    send_all(
        &mut story,
        &[
            (client, server, br"\status\"),
            (
                server,
                client,
                br"\location\1\gamever\1.11\gamename\mohaa\gamemode\openplaying\maxplayers\45\numplayers\2\gametype\Team-Match\mapname\m5l1b\hostport\12203\hostname\Omaha\player_5\Alfa\frags_5\27\deaths_5\22\ping_5\200\player_39\Bravo\frags_39\0\deaths_39\0\ping_39\116\queryid\4396.1",
            ),
            (server, client, br"\final\\queryid\4396.2"),
            (client, server, br"\packets\"),
            (client, server, br"\echo\test"),
            (server, client, br"\echo_reply\test\queryid\4397.1\final\"),
        ],
    );
    story
}

/// Descent 3's end mark has no value, stands in every part, and a NUL ends each datagram.
fn descent() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let (server, client) = (address("192.0.2.25:20142"), address("198.51.100.25:40025"));
    send_all(
        &mut story,
        &[
            (client, server, br"\status\"),
            (
                server,
                client,
                b"\\gamename\\descent3\\gamever\\1.4.0\\hostname\\Mine\\hostport\\2092\
                  \\mapname\\Polaris\\numplayers\\1\\maxplayers\\8\\final\\queryid\\7.1\0",
            ),
            (
                server,
                client,
                b"\\player_0\\Alfa\\frags_0\\3\\deaths_0\\1\\ping_0\\60\\final\\queryid\\7.2\0",
            ),
        ],
    );
    story
}

/// A client gets its list encrypted with type 2; another one proves nothing and is refused.
fn encrypted_list() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, THEN);
    let master = address("203.0.113.26:28900");
    let text = EncryptedText {
        form: ListForm::Pairs,
        servers: Endpoints::new(br"\ip\192.0.2.7:7778\ip\198.51.100.9:8789"),
        pairs: PairList::new(br"\final\"),
        padding: b"\0\0\0\0\0\0",
        ..EncryptedText::default()
    };
    let header = [0x31, 0x41, 0x59, 0x26, 0x53, 0x58, 0x97, 0x93, 0x23, 0x84, 0x62, 0x64, 0x33];
    let mut encrypted = Vec::new();
    encode(EncryptedList::new(b"gmtest", &header, text).unwrap(), &mut encrypted).unwrap();
    let proof = answer(b"HA6zkS", b"LBCHAL");
    let validate = format!(
        r"\gamename\gmtest\gamever\2\location\0\enctype\2\validate\{proof}\final\\queryid\1.1\"
    );
    let messages = [
        (Side::Server, &br"\basic\\secure\LBCHAL"[..]),
        (Side::Client, validate.as_bytes()),
        (Side::Client, br"\list\\gamename\gmtest\where\\final\"),
        (Side::Server, &encrypted),
    ];
    story.after(500_000).converse(address("198.51.100.26:41260"), master, &messages, 40);
    let messages = [
        (Side::Server, &br"\basic\\secure\LBCHAL\final\"[..]),
        (Side::Client, br"\gamename\gmtest\location\0\validate\xxxxxxxx\final\"),
        (Side::Server, br"\echo\You failed to authenticate.\final\"),
    ];
    story.after(500_000).converse(address("198.51.100.26:41261"), master, &messages, 1460);
    story
}

/// Some browsers send a text where servers read a number.
fn quake4() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::Pcap, THEN);
    let (server, client) = (address("192.0.2.27:28004"), address("198.51.100.27:40027"));
    send_all(
        &mut story,
        &[
            (client, server, b"\xff\xffgetInfo\0PiNGPoNG\0"),
            (
                server,
                client,
                b"\xff\xffinfoResponse\0PiNG\x55\0\x02\0si_version\0Quake4  V1.4.2 linux-x86\0\
                  fs_game\0q4mp\0si_maxPlayers\x0012\0si_map\0mp/q4dm10\0si_name\0Stroggos\0\0\0\
                  \0\x1a\0\0\x64\0\0^1Alfa\0LAB\0\x01\x38\0\x74\x73\0\0Bravo\0^2Clan\0\
                  \x20\x07\0\0\0\x2e\x6d\0\0\x01",
            ),
        ],
    );
    story
}
