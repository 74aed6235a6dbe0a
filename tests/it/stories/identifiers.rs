//! Requests and answers that name each other, and registrations seen from one side of a router.

use fragshark::codec::Addrs;
use fragshark::protocols::quake3;

use super::{THEN, address, oob, written};
use crate::story::{Format, Link, Story};

/// Every such capture, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![
        ("cases/answers-by-challenge.pcapng", by_challenge()),
        ("cases/answers-by-key.pcapng", by_key()),
        ("cases/status-answered-by-info.pcapng", by_info()),
        ("cases/quake2-master-pings.pcapng", master_pings()),
        ("cases/quake2-ping-alone.pcapng", ping_alone()),
        ("cases/router-same-port.pcapng", router(false)),
        ("cases/router-same-name.pcapng", router(true)),
        ("cases/list-of-own-folder.pcapng", folder("cstrike")),
        ("cases/list-of-other-folder.pcapng", folder("valve")),
        ("cases/teeworlds-check-unanswered.pcapng", check_unanswered()),
    ]
}

const SERVER: &str = "192.0.2.10:27960";
const CLIENT: &str = "198.51.100.20:40020";

fn begun() -> Story {
    Story::new(Link::Ethernet, Format::PcapNg, THEN)
}

fn info(challenge: &str, name: &str) -> Vec<u8> {
    oob(&format!(
        "infoResponse\n\\challenge\\{challenge}\\protocol\\68\\hostname\\{name}\\mapname\\q3dm6\
         \\clients\\0\\sv_maxclients\\8"
    ))
}

/// A client asks three times; the first is not answered, and the answers overtake each other. Then
/// an answer comes to a request that was not captured.
fn by_challenge() -> Story {
    let (client, server) = (address(CLIENT), address(SERVER));
    let status = |challenge: &str| {
        oob(&format!("statusResponse\n\\challenge\\{challenge}\\sv_hostname\\A server\n"))
    };
    let mut story = begun();
    for challenge in ["11", "22", "33"] {
        story.send(client, server, &oob(&format!("getstatus {challenge}"))).after(4_000);
    }
    for challenge in ["33", "22"] {
        story.after(9_000).send(server, client, &status(challenge));
    }
    story.after(9_000).send(server, client, &status("99"));
    // The capture goes on.
    story.after(40_000_000).send(client, server, &oob("getstatus 44"));
    story.after(9_000).send(server, client, &status("44"));
    story
}

/// The same with GameSpy 2's keys, and Teeworlds' tokens.
fn by_key() -> Story {
    let client = address(CLIENT);
    let (gamespy, teeworlds) = (address("192.0.2.11:23000"), address("192.0.2.12:8303"));
    let ask = |key: u8| [b"\xfe\xfd\0", &[0, 0, 0, key][..], b"\xff\xff\xff"].concat();
    let say = |key: u8| {
        let rest = b"hostname\0A server\0mapname\0bloodgulch\0numplayers\x000\0\0\0\0\0\0";
        [&[0, 0, 0, 0, key][..], rest].concat()
    };
    let mark = [0xff; 10];
    let token = |token: u8| [&mark[..], b"gie3", &[token]].concat();
    let answer = |token: u8| {
        let rest = b"\x000.6.5\0A server\0dm1\0DM\x000\x000\x0016\x000\x0016\0";
        [&mark[..], b"inf3", token.to_string().as_bytes(), rest].concat()
    };
    let mut story = begun();
    for key in [1, 2] {
        story.send(client, gamespy, &ask(key)).after(2_000);
        story.send(client, teeworlds, &token(key)).after(2_000);
    }
    story.after(9_000).send(gamespy, client, &say(2));
    story.after(9_000).send(teeworlds, client, &answer(2));
    story.after(40_000_000).send(client, gamespy, &ask(3));
    story
}

/// DarkPlaces answers a status that does not fit by its short description.
fn by_info() -> Story {
    let (client, server) = (address(CLIENT), address("192.0.2.13:27960"));
    let mut story = begun();
    story.send(client, server, &oob("getstatus abc")).after(2_000);
    story.send(client, server, &oob("getinfo def")).after(9_000);
    story.send(server, client, &info("def", "Full house")).after(900);
    story.send(server, client, &info("abc", "Full house"));
    story
}

const BEAT: &[u8] =
    b"\xff\xff\xff\xffheartbeat\n\\hostname\\A server\\mapname\\q2dm1\\protocol\\34\\maxclients\\8\n";

/// A Quake II server sends a heartbeat, and answers when its master pings it.
fn master_pings() -> Story {
    let (server, master) = (address("192.0.2.30:27910"), address("203.0.113.31:27900"));
    let mut story = begun();
    story.send(server, master, BEAT).after(20_000);
    story.send(master, server, &oob("ping")).after(10_000);
    story.send(server, master, &oob("ack"));
    story
}

/// A client pings a server of Quake II, and another one answers on a port that nobody documents.
fn ping_alone() -> Story {
    let client = address("198.51.100.7:40000");
    let mut story = begun();
    story.send(client, address("192.0.2.30:27910"), &oob("ping")).after(90_000);
    let other = address("192.0.2.31:40001");
    story.send(client, other, &oob("ping")).after(9_000).send(other, client, &oob("ack"));
    story
}

/// A server behind a router: the list has the router's address. A client behind the same router may
/// ask there.
fn router(asks: bool) -> Story {
    let (server, master) = (address("192.168.0.10:27960"), address("203.0.113.1:27950"));
    let (client, outside) = (address("192.168.0.11:27961"), address("198.51.100.77:27960"));
    let mut story = begun();
    story.send(server, master, &oob("heartbeat QuakeArena-1\n")).after(50_000);
    story.send(master, server, &oob("getinfo Kf9x_2Zp")).after(9_000);
    story.send(server, master, &info("Kf9x_2Zp", "Home server")).after(5_000_000);
    story.send(client, master, &oob("getservers 68 empty full")).after(50_000);
    let mut records = Vec::new();
    Addrs::push(quake3::GetServersResponse::FORM, outside, &mut records);
    let list = quake3::GetServersResponse {
        servers: Addrs::new(&records),
        ..quake3::GetServersResponse::default()
    };
    story.send(master, client, &written(list)).after(50_000);
    if asks {
        story.send(client, outside, &oob("getinfo xxx")).after(9_000);
        story.send(outside, client, &info("xxx", "Home server"));
    }
    story
}

/// A server of Xash3D says its folder, and a client asks for the servers of one; the list is empty.
fn folder(asked: &str) -> Story {
    let (server, master) = (address("192.0.2.20:27015"), address("203.0.113.20:27010"));
    let client = address(CLIENT);
    let mut story = begun();
    story.send(server, master, b"q\xff\x11\x11\x11\x11").after(30_000);
    story.send(master, server, b"\xff\xff\xff\xffs\n\x41\x42\x0f\0\x11\x11\x11\x11").after(9_000);
    let values =
        b"0\n\\protocol\\49\\challenge\\1000001\\players\\0\\max\\12\\bots\\0\\gamedir\\cstrike\
        \\map\\de_dust2\\type\\d\\password\\0\\os\\l\\secure\\0\\lan\\0\\version\\0.21\\region\\255\
        \\product\\valve\\nat\\0";
    story.send(server, master, values).after(9_000_000);
    let request = format!(
        "1\u{7f}0.0.0.0:0\0\\gamedir\\{asked}\\clver\\0.21\\nat\\0\\protocol\\49\\key\\1a2b3c4d"
    );
    let mut request = request.into_bytes();
    request[1] = 0xff;
    story.send(client, master, &request).after(20_000);
    let empty = b"\xff\xff\xff\xfff\n\x7f\x4d\x3c\x2b\x1a\x08\0\0\0\0\0\0";
    story.send(master, client, empty);
    story
}

/// A Teeworlds server does not answer its master's checks, and is refused.
fn check_unanswered() -> Story {
    let (server, master) = (address("192.0.2.50:8303"), address("203.0.113.50:8300"));
    let mark = [0xff; 10];
    let mut story = begun();
    story.send(server, master, &[&mark[..], b"bea2\x20\x6f"].concat()).after(30_000);
    for _ in 0..5 {
        story.send(master, server, &[&mark[..], b"fw??"].concat()).after(1_000_000);
    }
    story.send(master, server, &[&mark[..], b"fwer"].concat()).after(75_000_000);
    story.send(address("192.0.2.1:1024"), address("192.0.2.2:1024"), b"x");
    story
}
