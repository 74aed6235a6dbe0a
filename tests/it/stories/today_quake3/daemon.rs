//! Unvanquished and, before it, Tremulous.

use std::net::SocketAddr;

use super::super::{address, connect};
use super::{begin, send_all};
use crate::story::{Format, Story};

const MASTER: &str = "203.0.113.10:27950";
const SERVER: &str = "192.0.2.10:27960";

/// A server registers over both address families; a client gets the list, asks, joins, and commands.
pub fn unvanquished() -> Story {
    let mut story = begin(Format::PcapNg);
    let (server, master) = (address(SERVER), address(MASTER));
    let (server6, master6) = (address("[2001:db8::10]:27960"), address("[2001:db8::1]:27950"));
    send_all(
        &mut story,
        &[
            (server6, master6, b"heartbeat Unvanquished\n"),
            (master6, server6, b"getinfo a8f#kk20"),
            (
                server6,
                master6,
                b"infoResponse\n\\abi\\51\\bots\\3\\challenge\\a8f#kk20\
                  \\clients\\2\\daemonver\\0.56.2\\gamename\\unv\\hostname\\^2Lab ^7Unv\
                  \\mapname\\plat23\\protocol\\86\\serverload\\4\
                  \\stats\\https://stats.example.org/\\sv_maxclients\\24",
            ),
            (server, master, b"heartbeat Unvanquished\n"),
            (master, server, b"getinfo Zk3$pQw81"),
            (
                server,
                master,
                b"infoResponse\n\\abi\\51\\bots\\3\\challenge\\Zk3$pQw81\
                  \\challenge2\\a8f#kk20\\clients\\2\\daemonver\\0.56.2\\gamename\\unv\
                  \\hostname\\^2Lab ^7Unv\\mapname\\plat23\
                  \\protocol\\86\\serverload\\4\\sv_maxclients\\24",
            ),
        ],
    );
    story.note("It sends the other family's challenge too, so the master knows both addresses.");
    let browser = address("198.51.100.10:40010");
    browse(&mut story, server, browser, master);
    command(&mut story, server, browser);
    join(&mut story, server, address("198.51.100.10:27960"));
    send_all(&mut story, &[(server, master, b"heartbeat Unvanquished-dead\n")]);
    story
}

fn browse(story: &mut Story, server: SocketAddr, browser: SocketAddr, master: SocketAddr) {
    send_all(
        story,
        &[
            (browser, master, b"getserversExt UNVANQUISHED 86 dual"),
            (
                master,
                browser,
                b"getserversExtResponse\x001\x002\0\\\xc0\0\x02\x0a\x6d\x38/\x20\x01\x0d\xb8\
                  \0\0\0\0\0\0\0\0\0\0\0\x10\x6d\x38\\",
            ),
            (
                master,
                browser,
                b"getserversExtResponse\x002\x002\0Official\\\xc0\0\x02\x0b\x6d\x38\
                  \\\xc6\x33\x64\x0c\x6d\x39\\",
            ),
            (
                master,
                browser,
                b"getserversExtResponseLinks\0\xc0\0\x02\x0a\x6d\x38\x20\x01\x0d\xb8\
                  \0\0\0\0\0\0\0\0\0\0\0\x10\x6d\x38",
            ),
        ],
    );
    story.note("The first two servers of the list are one, under its IPv4 and its IPv6 address.");
    send_all(
        story,
        &[
            (browser, server, b"getinfo 5d20f1c4"),
            (
                server,
                browser,
                b"infoResponse\n\\abi\\51\\bots\\3\\challenge\\5d20f1c4\\clients\\2\
                  \\daemonver\\0.56.2\\gamename\\unv\\hostname\\^2Lab ^7Unv\\mapname\\plat23\
                  \\protocol\\86\\serverload\\4\\sv_maxclients\\24",
            ),
            (browser, server, b"getstatus"),
            (
                server,
                browser,
                b"statusResponse\n\\mapname\\plat23\\sv_hostname\\^2Lab ^7Unv\\sv_maxclients\\24\
                  \\version\\Unvanquished 0.56.2\\protocol\\86\\fs_game\\unvanquished\n\
                  120 48 \"^2Alfa\"\n64 71 \"Bravo\"\n0 0 \"Bot^7 One\"\n",
            ),
            (browser, server, b"ping"),
            (server, browser, b"ack\n"),
        ],
    );
}

/// The client asks how the server takes commands, and tries all ways.
fn command(story: &mut Story, server: SocketAddr, browser: SocketAddr) {
    send_all(
        story,
        &[
            (browser, server, b"rconinfo"),
            (
                server,
                browser,
                b"rconInfoResponse\n\\challenge\\1\\encryption\\AES256\\key\\SHA256\\secure\\1\
                  \\timeout\\5\n",
            ),
            (browser, server, b"srcon PLAIN uME+f36ljmqk9aq2hvUJtA=="),
            (server, browser, b"print\nmap: plat23\nnum score ping name\n  0   120   48 Alfa\n"),
            (browser, server, b"getchallenge"),
            (server, browser, b"challengeResponse 8d3c5a77e1f04b22"),
            (browser, server, b"srcon CHALLENGE 6eR4jpysmgu4cdUWigt1sos2/NhvUg38gGIwYDRZwZY="),
            (server, browser, b"print\nloading yocto\n"),
            (browser, server, b"rcon hunter3 cvarlist"),
            (server, browser, b"error\nBad password"),
        ],
    );
}

fn join(story: &mut Story, server: SocketAddr, client: SocketAddr) {
    let settings = "\"\\protocol\\86\\qport\\40117\\challenge\\1f9e02c46b7d85a3\\name\\^2Alfa\
        \\pubkey\\c3a5b7d9e1f20416\\rate\\25000\"";
    send_all(
        story,
        &[
            (client, server, b"getchallenge"),
            (server, client, b"challengeResponse 1f9e02c46b7d85a3"),
            (client, server, &connect(settings)[4..]),
            (server, client, b"connectResponse"),
            (server, client, b"disconnect"),
        ],
    );
}

/// The lists of Tremulous 1.1 and of its later version, and a server.
pub fn tremulous() -> Story {
    let mut story = begin(Format::Pcap);
    let (browser, server) = (address("198.51.100.11:40011"), address("192.0.2.12:30720"));
    let (master, later) = (address("203.0.113.11:30710"), address("203.0.113.11:30700"));
    send_all(
        &mut story,
        &[
            (browser, master, b"getservers 69 empty full"),
            (
                master,
                browser,
                b"getserversResponse\x001\x002\0\\\xc0\0\x02\x0c\x78\0\\\xcb\0\x71\x14\x78\0\\",
            ),
            (master, browser, b"getserversResponse\x002\x002\0Featured\\\xc0\0\x02\x0d\x78\x01\\"),
            (browser, later, b"getserversExt Tremulous 70 ipv6 empty full"),
            (
                later,
                browser,
                b"getserversExtResponse\x001\x001\0/\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x12\
                  \x78\0\\",
            ),
            (browser, server, b"getinfo xxx"),
            (
                server,
                browser,
                b"infoResponse\n\\challenge\\xxx\\protocol\\69\\hostname\\^1Lab ^7Trem\
                  \\mapname\\atcs\\clients\\2\\sv_maxclients\\20\\pure\\1",
            ),
            (browser, server, b"getstatus 4e11"),
            (
                server,
                browser,
                b"statusResponse\n\\challenge\\4e11\\version\\tremulous 1.1.0 linux-x86\
                  \\sv_hostname\\^1Lab ^7Trem\\protocol\\69\\mapname\\atcs\\sv_maxclients\\20\
                  \\gamename\\base\n7 62 \"Alfa\"\n3 90 \"^4Bravo\"\n",
            ),
        ],
    );
    story
}
