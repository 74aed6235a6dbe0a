//! Jedi Academy and Soldier of Fortune II.

use super::super::{address, connect};
use super::{begin, send_all};
use crate::story::{Format, Story};

/// A server registers as this game's master asks it; a client gets the list, asks, and joins.
pub fn jedi_academy() -> Story {
    let mut story = begin(Format::Pcap);
    let (server, master) = (address("192.0.2.60:29070"), address("203.0.113.60:29060"));
    let (browser, client) = (address("198.51.100.60:40060"), address("198.51.100.60:29070"));
    let status = |challenge: &str| {
        format!(
            "statusResponse\n\\challenge\\{challenge}\
             \\version\\JAmp: v1.0.1.0 linux-i386 Jul 30 2017\\sv_hostname\\^5Lab ^2JKA\
             \\protocol\\26\\mapname\\mp/ffa3\\gamename\\basejka\\sv_maxclients\\32\
             \\g_gametype\\0\n4 36 \"Alfa\"\n10 48 \"^5Bravo\"\n"
        )
    };
    let settings = "\"\\challenge\\1804289383\\qport\\9921\\protocol\\26\\name\\Alfa\\rate\\25000\
        \\snaps\\40\\model\\kyle/default\\forcepowers\\7-1-032330000000001333\"";
    send_all(
        &mut story,
        &[
            (server, master, b"heartbeat QuakeArena-1\n"),
            (master, server, b"getstatus 3838062790"),
            (server, master, status("3838062790").as_bytes()),
            (browser, master, b"getservers 26"),
            (
                master,
                browser,
                b"getserversResponse\n\0\\\xc0\0\x02\x3c\x71\x8e\\\xc0\0\x02\x2f\x71\x8f\\EOT",
            ),
            (master, browser, b"getserversResponse\n\0\\\xc6\x33\x64\x3e\x71\x8e\\EOF"),
            (browser, master, b"getservers 25"),
            (master, browser, b"getserversResponse\n\0\\EOF"),
            (browser, server, b"getinfo xxx"),
            (
                server,
                browser,
                b"infoResponse\n\\challenge\\xxx\\protocol\\26\\hostname\\^5Lab ^2JKA\
                  \\mapname\\mp/ffa3\\clients\\2\\g_humanplayers\\2\\sv_maxclients\\32\
                  \\gametype\\0\\needpass\\0\\truejedi\\0\\wdisable\\524279\\fdisable\\163837\
                  \\autodemo\\0",
            ),
            (browser, server, b"getstatus 77"),
            (server, browser, status("77").as_bytes()),
            (client, server, b"getchallenge 96116651"),
            (server, client, b"challengeResponse 1804289383 96116651"),
            (client, server, &connect(settings)[4..]),
            (server, client, b"connectResponse"),
            (client, server, b"rcon hunter2 sv_fps"),
            (server, client, b"print\n\"sv_fps\" is:\"40^7\" default:\"20^7\"\n"),
            (server, client, b"disconnect"),
        ],
    );
    story
}

/// Full and reduced versions have lists of their own; players have a team.
pub fn soldier_of_fortune_2() -> Story {
    let mut story = begin(Format::Pcap);
    let (server, master) = (address("192.0.2.62:20100"), address("203.0.113.62:20110"));
    let browser = address("198.51.100.62:40062");
    send_all(
        &mut story,
        &[
            (browser, master, b"getservers 2004 SOF2FULL"),
            (master, browser, b"getserversResponse\n\0\\\xc0\0\x02\x3e\x4e\x84\\EOF"),
            (browser, server, b"getstatus"),
            (
                server,
                browser,
                b"statusResponse\n\\game_version\\sof2mp-1.02\\sv_keywords\\SOF2FULL \
                  \\sv_maxclients\\22\\g_gametype\\CTF\\sv_hostname\\^1Lab ^3SoF2\
                  \\version\\SOF2MP V1.03 linux-i386\\protocol\\2004\\mapname\\mp_shop\
                  \\gamename\\sof2mp\n36 50 1 \"^n[^2Alfa\"\n9 0 2 \"Bravo\"\n\
                  0 106 0 \"            \"\n",
            ),
        ],
    );
    story
}
