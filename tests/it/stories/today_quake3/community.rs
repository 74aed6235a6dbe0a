//! OpenArena, Urban Terror, Warfork and FiveM.

use std::net::SocketAddr;

use super::super::{address, connect};
use super::{TODAY, begin, send_all, send_bare};
use crate::story::{Format, Link, Story};

/// To masters it is Quake III with another number, and its tag that of many games.
pub fn openarena() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, TODAY);
    let (server, master) = (address("192.0.2.70:27960"), address("203.0.113.70:27950"));
    let (browser, client) = (address("198.51.100.70:40070"), address("198.51.100.70:27960"));
    let info = |challenge: &str| {
        format!(
            "infoResponse\n\\challenge\\{challenge}\\voip\\opus\\g_needpass\\0\\pure\\1\
             \\gametype\\0\\sv_maxclients\\16\\g_humanplayers\\1\\clients\\1\\mapname\\oa_dm1\
             \\hostname\\^3Lab ^7OA\\protocol\\71\\gamename\\Quake3Arena"
        )
    };
    let settings = "\"\\challenge\\1804289383\\qport\\5524\\protocol\\71\\name\\Alfa\\rate\\25000\
        \\cl_guid\\0123456789ABCDEF0123456789ABCDEF\\model\\sarge\"";
    send_all(
        &mut story,
        &[
            (browser, server, b"getstatus"),
            (
                server,
                browser,
                b"statusResponse\n\\gamename\\baseoa\\version\\ioq3+oa 1.36_SVN2287 linux-x86_64\
                  \\sv_hostname\\^3Lab ^7OA\\protocol\\71\\mapname\\oa_dm1\\sv_maxclients\\16\
                  \\g_gametype\\0\n5 44 \"Alfa\"\n",
            ),
            (server, master, b"heartbeat DarkPlaces\n"),
            (master, server, b"getinfo q#4Wz_81"),
            (server, master, info("q#4Wz_81").as_bytes()),
            (browser, master, b"getservers Quake3Arena 71 empty full"),
            (
                master,
                browser,
                b"getserversResponse\\\xc0\0\x02\x46\x6d\x38\\\xc0\0\x02\x47\x6d\x39\\EOT\0\0\0",
            ),
            (browser, server, b"getinfo xxx"),
            (server, browser, info("xxx").as_bytes()),
            (client, server, b"getchallenge 96116651 Quake3Arena"),
            (server, client, b"challengeResponse 1804289383 96116651 71"),
            (client, server, &connect(settings)[4..]),
            (server, client, b"connectResponse 96116651"),
            (server, client, b"disconnect"),
        ],
    );
    story
}

/// A server registers; a client gets the list, asks, joins with an account, and an operator recovers
/// a lost password.
pub fn urban_terror() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, TODAY);
    let (server, master) = (address("192.0.2.72:27960"), address("203.0.113.72:27900"));
    let browser = address("198.51.100.72:40072");
    let info = |challenge: &str| {
        format!(
            "infoResponse\n\\challenge\\{challenge}\\protocol\\68\\hostname\\^7Lab UrT\
             \\mapname\\ut4_turnpike\\clients\\1\\bots\\0\\sv_maxclients\\32\\gametype\\7\\pure\\1\
             \\auth\\1\\game\\q3ut4\\modversion\\4.3.4"
        )
    };
    send_all(
        &mut story,
        &[
            (server, master, b"heartbeat QuakeArena-1\n"),
            (master, server, b"getinfo Kf9x_2Zp"),
            (server, master, info("Kf9x_2Zp").as_bytes()),
            (browser, master, b"getservers 68 full empty"),
            (
                master,
                browser,
                b"getserversResponse\\\xc0\0\x02\x48\x6d\x38\\\xc0\0\x02\x49\x6d\x38\\EOT\0\0\0",
            ),
            (browser, server, b"getinfo xxx"),
            (server, browser, info("xxx").as_bytes()),
            (browser, server, b"getstatus"),
            (
                server,
                browser,
                b"statusResponse\n\\gamename\\q3urt43\\sv_allowdownload\\0\\g_matchmode\\0\\g_gametype\\7\
                  \\sv_maxclients\\32\\sv_hostname\\^7Lab UrT\\g_gear\\0\\auth_enable\\1\
                  \\auth_owners\\0\\version\\ioq3-1.35-urt-4.3.4\\protocol\\68\
                  \\mapname\\ut4_turnpike\\g_modversion\\4.3.4\n\
                  28 48 \"Alfa\"\n",
            ),
        ],
    );
    join_urban_terror(&mut story, server);
    send_all(
        &mut story,
        &[
            (browser, server, b"rcon hunter2 cvarlist"),
            (server, browser, b"print\nBad rconpassword.\n"),
            (browser, server, b"rconRecovery hunter3"),
            (server, browser, b"print\nrconPassword swordfish\n"),
        ],
    );
    story
}

fn join_urban_terror(story: &mut Story, server: SocketAddr) {
    let (client, authorize) = (address("198.51.100.72:27960"), address("203.0.113.72:27952"));
    let settings = "\"\\challenge\\1804289383\\qport\\154\\protocol\\68\\name\\Bravo\\rate\\25000\
        \\authl\\bravo\\authc\\0\\cl_guid\\0123456789ABCDEF0123456789ABCDEF\"";
    send_all(
        story,
        &[
            (client, server, b"getchallenge"),
            (server, authorize, b"getIpAuthorize 1804289383 198.51.100.72  0 0"),
            (authorize, server, b"ipAuthorize 1804289383 accept KEY_IS_GOOD"),
            (server, client, b"challengeResponse 1804289383"),
            (client, server, &connect(settings)[4..]),
            (server, client, b"connectResponse"),
            (authorize, server, b"AUTH:SV 1 0 \"text\""),
            (authorize, client, b"AUTH:CL 1 0 \"text\""),
        ],
    );
}

/// A server registers and tells Steam; a client gets the list, asks servers for columns, and joins.
pub fn warfork() -> Story {
    let mut story = begin(Format::Pcap);
    let (server, master) = (address("192.0.2.74:44400"), address("203.0.113.74:27950"));
    let (browser, steam) = (address("198.51.100.74:40074"), address("203.0.113.75:27011"));
    let race = address("192.0.2.75:44400");
    let settings = |challenge: &str| {
        format!(
            "\\challenge\\{challenge}\\version\\2.1 x86_64 Linux\\fs_game\\basewf\\g_instagib\\0\
             \\g_match_score\\ ALPHA: 3 BETA: 14\\g_match_time\\17:13\\g_needpass\\0\
             \\gamename\\Warfork\\mapname\\wfdm5\\protocol\\23\\sv_hostname\\^9Lab ^7Warfork\
             \\sv_maxclients\\16\\gametype\\dm\\bots\\2\\clients\\3"
        )
    };
    send_all(
        &mut story,
        &[
            (browser, server, b"info 23 full empty"),
            (
                server,
                browser,
                b"info\n\\\\n\\\\Lab Warfork\\\\m\\\\  wfdm5\\\\u\\\\ 3/16\\\\g\\\\    dm\\\\s\
                  \\\\1\\\\b\\\\ 2\\\\EOT",
            ),
            (browser, race, b"info 23 full empty"),
            (
                race,
                browser,
                b"info\n\\\\n\\\\Lab Race\\\\m\\\\   coldrun\\\\u\\\\ 0/16\\\\g\\\\  race\\\\mo\
                  \\\\ racemod\\\\ig\\\\1\\\\s\\\\1\\\\p\\\\1\\\\stm\\\\1\\\\r\\\\1\\\\EOT",
            ),
            (browser, server, b"getstatus"),
            (
                server,
                browser,
                &[
                    b"statusResponse\n",
                    settings("").as_bytes(),
                    b"\n1 34 \"^7Alfa\" 2\n4 0 \"Bot\" 3\n-9999 0 \"Watcher\" 0\n",
                ]
                .concat(),
            ),
            (server, master, b"heartbeat DarkPlaces\n"),
            (master, server, b"getinfo abc123XY"),
            (server, master, format!("infoResponse\n{}", settings("abc123XY")).as_bytes()),
            (browser, master, b"getservers Warfork 23 full empty"),
            (
                master,
                browser,
                b"getserversResponse\\\xc0\0\x02\x4a\xad\x70\\\xc0\0\x02\x4b\xad\x70\\EOT\0\0\0",
            ),
        ],
    );
    send_bare(&mut story, (server, steam, b"q"));
    let client = address("198.51.100.74:44401");
    send_all(
        &mut story,
        &[
            (client, server, b"getchallenge\n"),
            (server, client, b"challenge 20817"),
            (client, server, b"connect 23 44401 20817 \"\\name\\Alfa\\password\\hunter2\" 0 0"),
            (server, client, b"reject\n0\n4\nServer is full\n"),
            (client, server, b"getchallenge\n"),
            (server, client, b"challenge 31999"),
            (client, server, b"connect 23 44401 31999 \"\\name\\Alfa\\password\\hunter2\" 0 0"),
            (server, client, b"client_connect\n4bf07a11"),
            (client, server, b"ping"),
            (server, client, b"ack "),
        ],
    );
    story
}

/// The status has an infostring behind its players too.
pub fn fivem() -> Story {
    let mut story = begin(Format::Pcap);
    let (server, browser) = (address("192.0.2.76:30120"), address("198.51.100.76:40076"));
    send_all(
        &mut story,
        &[
            (browser, server, b"getinfo xyz"),
            (
                server,
                browser,
                b"infoResponse\n\\sv_maxclients\\48\\clients\\2\\challenge\\xyz\
                  \\gamename\\CitizenFX\\protocol\\4\\hostname\\Lab FiveM\\gametype\\Freeroam\
                  \\mapname\\Los Santos\\iv\\1923461185",
            ),
            (browser, server, b"getstatus"),
            (
                server,
                browser,
                b"statusResponse\n\\sv_maxclients\\48\\clients\\2\n0 0 \"Alfa\"\n0 0 \"Bravo\"\n\
                  \\gamename\\gta5\\sv_hostname\\Lab FiveM\\mapname\\Los Santos",
            ),
        ],
    );
    story
}
