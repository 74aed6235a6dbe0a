//! Xonotic, on DarkPlaces.

use std::net::SocketAddr;

use super::super::address;
use super::{begin, send_all};
use crate::story::{Format, Story};

const SERVER: &str = "192.0.2.40:26000";
/// A second server, which takes clients without keys.
const OPEN: &str = "192.0.2.41:26000";

/// Servers register, a client gets their list, joins both, and commands one.
pub fn session() -> Story {
    let mut story = begin(Format::PcapNg);
    let (server, master) = (address(SERVER), address("203.0.113.40:27950"));
    let (browser, client) = (address("198.51.100.40:40040"), address("198.51.100.40:40041"));
    send_all(
        &mut story,
        &[
            (server, master, b"heartbeat DarkPlaces\n"),
            (master, server, b"getinfo Zk3$pQw81"),
            (server, master, &info("Zk3$pQw81", "infoResponse", "")),
            (browser, master, b"getserversExt Xonotic 3 empty full ipv4 ipv6"),
            (
                master,
                browser,
                b"getserversExtResponse\\\xc0\0\x02\x28\x65\x90/\x20\x01\x0d\xb8\
                  \0\0\0\0\0\0\0\0\0\0\0\x26\x65\x90\\\xc0\0\x02\x29\x65\x90\\EOT\0\0\0",
            ),
            (browser, server, b"getstatus q7Hs01aLz0000018f3a2b4c5d"),
            (
                server,
                browser,
                &info(
                    "q7Hs01aLz0000018f3a2b4c5d",
                    "statusResponse",
                    "\n12 38 1 \"^1Alfa\"\n-666 25 0 \"Watcher\"\n3 0 2 \"[BOT]One\"\n",
                ),
            ),
            (browser, server, b"ping"),
            (server, browser, b"ack"),
        ],
    );
    join_with_keys(&mut story, server, client);
    join_openly(&mut story, address(OPEN), client);
    command(&mut story, server, browser);
    story
}

/// What the server tells, in answer to a challenge.
fn info(challenge: &str, word: &str, behind: &str) -> Vec<u8> {
    format!(
        "{word}\n\\gamename\\Xonotic\\modname\\data\\gameversion\\806\\sv_maxclients\\16\\clients\\3\
         \\bots\\1\\mapname\\afterslime\\hostname\\Lab Xonotic Server\\protocol\\3\
         \\qcstatus\\dm:0.8.6:P806:S13:F1::score!!:frags\\challenge\\{challenge}\
         \\d0_blind_id\\1 AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdEfG=\
         @~Xon//KssdlzGkFKdnnN4sgg8H+koTbBn5JTi37BAW1Q={behind}"
    )
    .into_bytes()
}

/// Client and server agree on keys; the client asks to join, with the protocols that it speaks.
fn join_with_keys(story: &mut Story, server: SocketAddr, client: SocketAddr) {
    send_all(
        story,
        &[
            (client, server, b"getchallenge"),
            (
                server,
                client,
                b"challenge Lp8ZqX0mWv2\0vlen\x5b\0\0\0d0pkAbCdEfGhIjKlMnOpQrStUvWxYz0123456789\
                  abcdEfG=\0\0Xon//KssdlzGkFKdnnN4sgg8H+koTbBn5JTi37BAW1Q=\0",
            ),
            (
                client,
                server,
                b"d0pk\\cnt\\0\\id\\7\\aeslevel\\1\\challenge\\Lp8ZqX0mWv2\0AbCdEfGhIjKlMnOpQrSt\
                  UvWxYz0123456789abcdEfG=\0Xon//KssdlzGkFKdnnN4sgg8H+koTbBn5JTi37BAW1Q=\0\
                  \x0b\x30\x55\x7a\x9f\xc4\xe9\x0e\x33\x58\x7d\xa2\xc7\xec\x11\x36\x5b\x80\xa5",
            ),
            (server, client, b"d0pk\\cnt\\1\\id\\7\\aes\\1\0\xca\xef\x14\x39\x5e\x83\xa8\xcd\xf2"),
            (client, server, b"d0pk\\cnt\\2\\id\\7\0\x17\x3c\x61\x86\xab\xd0\xf5\x1a\x3f\x64"),
            (server, client, b"d0pk\\cnt\\3\\id\\7\0\x89\xae\xd3\xf8\x1d\x42\x67\x8c\xb1\xd6"),
            (client, server, b"d0pk\\cnt\\4\\id\\7\0\xfb\x20\x45\x6a\x8f\xb4\xd9\xfe\x23\x48"),
            (server, client, b"d0pk\\cnt\\5\\id\\7\0\x6d\x92\xb7\xdc\x01\x26\x4b\x70\x95\xba"),
            (client, server, b"d0pk\\cnt\\6\\id\\7\0\xdf\x04\x29\x4e\x73\x98\xbd\xe2\x07\x2c"),
            (server, client, b"challenge "),
            (
                client,
                server,
                b"connect\\protocol\\darkplaces 3\\protocols\\DP8 DP7 DP6 DP5 DP4 DP3 DP2 DP1 \
                  QUAKEDP QUAKE QW NEHAHRAMOVIE NEHAHRABJP NEHAHRABJP2 NEHAHRABJP3\\name\\Alfa\
                  \\color\\4\\rate\\20000\\rate_burstsize\\1024\\_cl_name\\Alfa\
                  \\playermodel\\models/player/erebus.iqm\\challenge\\Lp8ZqX0mWv2",
            ),
            (server, client, b"accept"),
        ],
    );
}

/// Another server is full, and has a place a moment later.
fn join_openly(story: &mut Story, server: SocketAddr, client: SocketAddr) {
    let request = b"connect\\protocol\\darkplaces 3\\protocols\\DP8 DP7\\challenge\\Bq4_vR9sXk7";
    send_all(
        story,
        &[
            (client, server, b"getchallenge"),
            (server, client, b"challenge Bq4_vR9sXk7"),
            (client, server, request),
            (server, client, b"reject Server is full."),
            (client, server, request),
            (server, client, b"accept"),
            (address("198.51.100.42:40042"), client, b"extResponse irc echo 42"),
        ],
    );
}

/// A command with its password, two in one message, and a digest with a time or a challenge.
fn command(story: &mut Story, server: SocketAddr, browser: SocketAddr) {
    send_all(
        story,
        &[
            (browser, server, b"rcon hunter2 cvarlist"),
            (server, browser, b"nhost:     Lab Xonotic Server\nversion:  Xonotic build\n"),
            (browser, server, b"rcon hunter2 cvarlist\0sv_public\0"),
            (server, browser, b"nhost:     Lab Xonotic Server\n\"sv_public\" is \"1\"\n"),
            (
                browser,
                server,
                b"srcon HMAC-MD4 TIME \xf3\x55\x79\xa9\x4f\x33\xd2\xbe\xaa\xf7\x2b\x20\xe1\x88\
                  \x05\x78 1795377602.123456 cvarlist",
            ),
            (server, browser, b"nhost:     Lab Xonotic Server\n"),
            (browser, server, b"getchallenge"),
            (server, browser, b"challenge Wm3Qe8vTz1K"),
            (
                browser,
                server,
                b"srcon HMAC-MD4 CHALLENGE \x9b\xa7\x68\x84\xfc\x6e\xa0\x6c\x28\x29\x0c\x9e\
                  \xfd\x14\xac\x2a Wm3Qe8vTz1K sv_cmd bans",
            ),
            (server, browser, b"n^2Listing all existing active bans: \n"),
        ],
    );
}
