//! Call of Duty 4, IW4x, and Medal of Honor.

use std::net::SocketAddr;

use fragshark::codec::{Coded, Info};
use fragshark::protocols::quake3::{Connect, UserInfo};

use super::super::{address, written};
use super::{begin, send_all, send_bare};
use crate::story::{Format, Story};

/// A server with CoD4x registers; a client gets the list, is refused, joins, and the server leaves.
pub fn call_of_duty_4() -> Story {
    let mut story = begin(Format::PcapNg);
    let (server, master) = (address("192.0.2.50:28960"), address("203.0.113.50:20810"));
    let (browser, client) = (address("198.51.100.50:40050"), address("198.51.100.50:28960"));
    let status = |challenge: &str| {
        format!(
            "statusResponse\n{challenge}\\g_gametype\\war\\gamename\\Call of Duty 4\
             \\mapname\\mp_crash\\protocol\\6\\shortversion\\1.7a\\build\\3325\
             \\sv_hostname\\^2Lab ^7CoD4\\sv_maxclients\\50\\sv_pure\\1\\sv_voice\\0\\type\\0\
             \\version\\CoD4 X - linux-i386 build 3325\\pswrd\\0\\mod\\0\n30 119 \"Alfa\"\n\
             0 999 \"^1Bravo\"\n4 61 \"\"\n"
        )
    };
    send_all(
        &mut story,
        &[
            (server, master, b"heartbeat COD-4\n"),
            (master, server, b"getstatus 1930273645"),
            (server, master, status("\\challenge\\1930273645").as_bytes()),
            (browser, master, b"getservers 6 full empty"),
            (
                master,
                browser,
                b"getserversResponse\n\0\\\xc0\0\x02\x32\x71\x20\\\xc0\0\x02\x33\x71\x20\\EOT",
            ),
            (master, browser, b"getserversResponse\n\0\\\xc6\x33\x64\x5c\x71\x21\\EOF"),
            (browser, server, b"getstatus"),
            (server, browser, status("").as_bytes()),
            (browser, server, b"getinfo xxx"),
            (
                server,
                browser,
                b"infoResponse\n\\challenge\\xxx\\protocol\\6\\hostname\\^2Lab ^7CoD4\
                  \\mapname\\mp_crash\\clients\\2\\sv_maxclients\\50\\gametype\\war\\pure\\1\
                  \\gamename\\Call of Duty 4\\build\\3325\\shortversion\\1.7a\\type\\0",
            ),
        ],
    );
    join_call_of_duty_4(&mut story, server, client);
    send_all(&mut story, &[(server, master, b"heartbeat flatline\n")]);
    story
}

fn join_call_of_duty_4(story: &mut Story, server: SocketAddr, client: SocketAddr) {
    let authorize = address("203.0.113.51:20800");
    let settings = b"connect \"\\protocol\\6\\challenge\\1804289383\\qport\\21411\\name\\Charlie\
        \\cl_guid\\d41d8cd98f00b204e9800998ecf8427e\\rate\\25000\\snaps\\30\"";
    send_all(
        story,
        &[
            (client, server, b"getchallenge 118219347 \"d41d8cd98f00b204e9800998ecf8427e\""),
            (server, authorize, b"getIpAuthorize 1804289383 198.51.100.50 \"\" 0"),
            (authorize, server, b"ipAuthorize 1804289383 accept KEY_IS_GOOD"),
            (server, client, b"challengeResponse 1804289383 118219347 0 xproto 18"),
            (client, server, settings),
            (server, client, b"error\nServer is full. 3 players wait before you.\n"),
            (client, server, settings),
            (server, client, b"statResponse 4"),
            (server, client, b"connectResponse mods/lab"),
            (server, client, b"disconnect"),
        ],
    );
}

/// A server registers with AlterWare's master; clients ask for servers in both forms, and for bots.
pub fn iw4x() -> Story {
    let mut story = begin(Format::Pcap);
    let (server, master) = (address("192.0.2.52:28960"), address("203.0.113.52:20810"));
    let browser = address("198.51.100.52:40052");
    let list = b"getserversResponse \\\xc0\0\x02\x34\x71\x20\\\xcb\0\x71\x2f\x71\x21\\EOT\0\0\0";
    let info = |challenge: &str| {
        format!(
            "infoResponse\n\\challenge\\{challenge}\\gamename\\IW4\\hostname\\Lab IW4x\
             \\gametype\\war\\fs_game\\\\xuid\\110000112345678\\clients\\3\\bots\\1\\protocol\\150\
             \\shortversion\\0.7.1\\sv_maxclients\\18\\mapname\\mp_terminal\\isPrivate\\0\
             \\checksum\\FA3F6549"
        )
    };
    send_all(
        &mut story,
        &[
            (server, master, b"heartbeat IW4\n"),
            (master, server, b"getinfo 8c41f09a"),
            (server, master, info("8c41f09a").as_bytes()),
            (browser, master, b"getservers IW4 150 full empty"),
            (master, browser, list),
            (browser, master, b"getservers\nIW4 150 full empty"),
            (master, browser, list),
            (browser, master, b"getbots"),
            (master, browser, b"getbotsResponse Alfa\nBravo\nCharlie\n"),
            (browser, server, b"getinfo 31c0f7"),
            (server, browser, info("31c0f7").as_bytes()),
            (browser, server, b"getstatus"),
            (
                server,
                browser,
                b"statusResponse\n\\challenge\\\\checksum\\FA3F6549\\g_gametype\\war\
                  \\gamename\\IW4\\mapname\\mp_terminal\\matchtype\\2\\protocol\\150\
                  \\shortversion\\0.7.1\\sv_hostname\\^:Lab IW4x\\sv_maxclients\\18\
                  \\sv_securityLevel\\23\n1440 37 \"Alfa\"\n2100 80 \"Bravo\"\n\n",
            ),
        ],
    );
    story
}

/// Behind the four `FF` stands who sends: 1 a server, 2 a client.
pub fn medal_of_honor() -> Story {
    let mut story = begin(Format::Pcap);
    let (server, queries) = (address("192.0.2.54:12203"), address("192.0.2.54:12300"));
    let (browser, client) = (address("198.51.100.54:40054"), address("198.51.100.54:12203"));
    let master = address("203.0.113.54:27900");
    send_bare(&mut story, (queries, master, br"\heartbeat\12300\gamename\mohaa"));
    let info = b"\x01infoResponse\n\\challenge\\xxx\\protocol\\8\\hostname\\Lab MOHAA\
        \\mapname\\dm/mohdm6\\clients\\1\\sv_maxclients\\20\\gametype\\1\\pure\\1";
    let info_of_body = UserInfo {
        info: Info::new(
            b"\\challenge\\1804289383\\qport\\3115\\protocol\\8\\name\\Alfa\\rate\\25000\
              \\dm_playermodel\\american_army\\password\\hunter2",
        ),
    };
    let connect = Connect { mark: 2, coded: Coded::new(info_of_body), ..Connect::default() };
    send_all(
        &mut story,
        &[
            (browser, server, b"\x02getinfo xxx"),
            (server, browser, info),
            (browser, server, b"\x02\x02getinfo xxx"),
            (server, browser, info),
            (browser, server, b"\x02getstatus"),
            (
                server,
                browser,
                b"\x01statusResponse\n\\sv_hostname\\Lab MOHAA\\protocol\\8\\mapname\\dm/mohdm6\
                  \\version\\Medal of Honor Allied Assault 1.11 linux-i386\\sv_maxclients\\20\
                  \\g_gametypestring\\Free-For-All\n27 200 \"Alfa\"\n",
            ),
            (client, server, b"\x02getchallenge"),
            (server, client, b"\x01getKey qwertzui"),
            (client, server, b"\x02authorizeThis 3d1c0a5f8e9b7c6d5a4f3e2d1c0b9a8f1122334455667788"),
            (server, client, b"\x01challengeResponse 1804289383"),
            (client, server, &written(connect)[4..]),
            (server, client, b"\x01connectResponse"),
            (client, server, b"\x02rcon hunter2 cvarlist"),
            (server, client, b"\x01print\nmap: dm/mohdm6\n"),
            (server, client, b"\x01disconnect"),
            (client, server, b"\x02getchallenge"),
            (server, client, b"\x01getKey asdfghjk"),
            (client, server, b"\x02authorizeThis 4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d0011223344556677"),
            (server, client, b"\x01droperror\nServer rejected connection:\nInvalid CD Key"),
            (client, server, b"\x02getchallenge"),
            (server, client, b"\x01wrongver 1.11"),
        ],
    );
    send_bare(&mut story, (queries, master, br"\heartbeat\12300\gamename\mohaa\statechanged\"));
    story
}
