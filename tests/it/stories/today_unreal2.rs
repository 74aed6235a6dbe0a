//! Unreal Tournament 2004's master: a server that stays connected, and clients that log in, ask and
//! are sent away.

use fragshark::codec::{CountedText, Records};
use fragshark::protocol::Message;
use fragshark::protocol::encode;
use fragshark::protocols::unreal2::{
    ApprovedResponse, DetectedPorts, HasGraphics, Heartbeat, ListCount, ListRecord, Login,
    MasterChallenge, MasterListRequest, MotdRequest, NumberFrame, PackagesVersion, RecordEnd,
    Statistics, TextFrame, Uplink, Verified,
};

use super::address;
use crate::story::{Format, Link, Side, Story};

/// Every capture of this protocol, and its story.
pub fn all() -> Vec<(&'static str, Story)> {
    vec![("ut2004/master.pcapng", master())]
}

/// 2026-11-23 20:00:00 UTC.
const TODAY: i64 = 1_795_464_000;
const SECOND: i64 = 1_000_000;
const MASTER: &str = "203.0.113.45:28902";
const LAB: &str = "A server";
const ANOTHER: &str = "Another server";
const MAP: &str = "DM-Rankin";
const GAME_TYPE: &str = "xDeathMatch";

fn frame<'a>(message: impl Message<'a>) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(message, &mut bytes).unwrap();
    bytes
}

fn text(text: &str) -> CountedText<'_> {
    CountedText::new(text.as_bytes())
}

fn challenge() -> Vec<u8> {
    frame(MasterChallenge { challenge: text("48151623"), ..MasterChallenge::default() })
}

fn login(program: &str, graphics: HasGraphics) -> Vec<u8> {
    frame(Login {
        key_hash: text("5f4dcc3b5aa765d61d8327deb882cf99"),
        response: text("0d107d09f5bbe40cade3de5c71e9e9b7"),
        program: text(program),
        version: 3369,
        system: 6,
        language: text("int"),
        has_more: true,
        graphics,
        number: if graphics == HasGraphics::Yes { 0x1081 } else { 0 },
        vendor: 0x10de,
        cycles: 3000,
        processor: 1,
        ..Login::default()
    })
}

fn verdict(verdict: &str, number: Option<u32>) -> Vec<u8> {
    frame(Verified {
        verdict: text(verdict),
        has_number: number.is_some(),
        number: number.unwrap_or_default(),
        ..Verified::default()
    })
}

/// A heartbeat with these players, each with two pings in front of what it has won.
fn heartbeat(name: &str, players: &[(u32, &str, u32, u32)]) -> Vec<u8> {
    let settings = b"\x04\x0bServerMode\0\x0adedicated\0\x0dGamePassword\0\x06False\0\
        \x0aGameStats\0\x05True\0\x08mutator\0\x0cMutInstaGib\0";
    let player = |(id, name, ping, score): &(u32, &str, u32, u32)| {
        let name = [&[u8::try_from(name.len()).unwrap() + 1][..], name.as_bytes(), b"\0"].concat();
        let numbers = [*ping, *score, 0].map(u32::to_le_bytes).concat();
        [id.to_le_bytes().to_vec(), name, numbers].concat()
    };
    let list: Vec<u8> = players.iter().flat_map(player).collect();
    let count = u8::try_from(players.len()).unwrap();
    frame(Heartbeat {
        address_count: count,
        addresses: Records::new(&b"\x14198.51.100.45:41045\0"[..].repeat(count.into())),
        port: 7777,
        query_port: 7778,
        name: text(name),
        map: text(MAP),
        game_type: text(GAME_TYPE),
        players: count.into(),
        max_players: 16,
        skill: text("2"),
        settings: Records::new(settings),
        player_count: count,
        player_list: Records::new(&list),
        ..Heartbeat::default()
    })
}

/// How a server logs in.
fn server_begins() -> Vec<(i64, Side, Vec<u8>)> {
    vec![
        (0, Side::Server, challenge()),
        (0, Side::Client, login("UT2K4SERVER", HasGraphics::No)),
        (0, Side::Server, verdict("APPROVED", None)),
        (0, Side::Client, frame(Uplink { gamespy: 1, ..Uplink::default() })),
        (
            0,
            Side::Server,
            frame(DetectedPorts {
                number: 120,
                query_port: 7778,
                port: 7777,
                gamespy_port: 7787,
                ..DetectedPorts::default()
            }),
        ),
    ]
}

/// What a server and the master tell each other after that, until the server disconnects.
fn server(address_of: &str, then: Vec<(i64, Side, Vec<u8>)>) -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let turns = [server_begins(), then].concat();
    let turns: Vec<_> = turns.iter().map(|(pause, side, b)| (*pause, *side, &b[..])).collect();
    story.converse_slowly(address(address_of), address(MASTER), &turns, 1460);
    story
}

/// A server that is empty at first.
fn first_server() -> Story {
    let version = frame(PackagesVersion { version: 7, ..PackagesVersion::default() });
    let number = frame(NumberFrame { number: 1234, ..NumberFrame::default() });
    let statistics = frame(Statistics { statistics: text("0\tNG\t0"), ..Statistics::default() });
    let turns = vec![
        (0, Side::Client, version),
        (0, Side::Server, number),
        (SECOND, Side::Client, heartbeat(LAB, &[])),
        (60 * SECOND, Side::Client, heartbeat(LAB, &[(19, "Alfa", 40, 2), (20, "Bravo", 52, 0)])),
        (30 * SECOND, Side::Client, statistics),
        (30 * SECOND, Side::Client, heartbeat(LAB, &[(19, "Alfa", 40, 5)])),
    ];
    server("192.0.2.45:1045", turns)
}

/// A server with two players.
fn second_server() -> Story {
    let players = [(7, "Charlie", 61, 0), (8, "Delta", 62, 1)];
    let turns = vec![
        (20 * SECOND, Side::Client, heartbeat(ANOTHER, &players)),
        (70 * SECOND, Side::Client, heartbeat(ANOTHER, &players)),
    ];
    server("192.0.2.46:1046", turns)
}

/// A client asks for the message of the day, then for the list, in segments of 100 bytes; another
/// program is denied.
fn master() -> Story {
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, TODAY);
    let master = address(MASTER);
    let response = frame(ApprovedResponse {
        response: text("00000000000000000000000000000000"),
        ..ApprovedResponse::default()
    });
    let begins = [
        (Side::Server, challenge()),
        (Side::Client, login("UT2K4CLIENT", HasGraphics::Yes)),
        (Side::Server, verdict("APPROVED", Some(3))),
        (Side::Client, response),
        (Side::Server, verdict("VERIFIED", None)),
    ];
    let mut ask = |after: i64, client: &str, turns: &[(Side, Vec<u8>)], size: usize| {
        let turns: Vec<_> = turns.iter().map(|(side, bytes)| (*side, &bytes[..])).collect();
        story.after(after).converse(address(client), master, &turns, size);
    };
    let news = [
        (Side::Client, frame(MotdRequest::default())),
        (
            Side::Server,
            frame(TextFrame { text: text("News"), has_number: true, ..TextFrame::default() }),
        ),
    ];
    ask(70 * SECOND, "198.51.100.45:41045", &[&begins[..], &news[..]].concat(), 1460);
    let filters = b"\x09gametype\0\x0cxDeathMatch\0\0\x0fcurrentplayers\0\x020\0\x04";
    let wanted = frame(MasterListRequest {
        count: 2,
        filters: Records::new(filters),
        ..MasterListRequest::default()
    });
    let record = |host: u8, name: &'static str, flags: u32| {
        frame(ListRecord {
            address: [192, 0, 2, host],
            port: 7777,
            query_port: 7778,
            name: text(name),
            map: text(MAP),
            game_type: text(GAME_TYPE),
            players: 2,
            max_players: 16,
            has_more: true,
            end: RecordEnd::Long,
            flags,
            skill: text("2"),
            ..ListRecord::default()
        })
    };
    let listed = [
        (Side::Client, wanted),
        (Side::Server, frame(ListCount { count: 2, ..ListCount::default() })),
        (Side::Server, [record(45, LAB, 0x32), record(46, ANOTHER, 0x32)].concat()),
    ];
    ask(SECOND, "198.51.100.45:41046", &[&begins[..], &listed[..]].concat(), 100);
    let denied = [
        (Side::Server, challenge()),
        (Side::Client, login("OTHERCLIENT", HasGraphics::Yes)),
        (Side::Server, verdict("DENIED", None)),
    ];
    ask(SECOND, "198.51.100.46:41047", &denied, 1460);
    story.meanwhile(first_server()).meanwhile(second_server());
    story
}
