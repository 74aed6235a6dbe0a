//! Invented replies of each version, because no document shows one.

use super::super::tests::{assert_decodes, decoded_values};
use super::PROTOCOL;
use codec::Scratch;
use protocol::encode;

const HEAD: &[u8] = b"\x07\0\0\0\x01\x02\x03\x04";
const PAIRS: &[u8] = b"si_name\0One\0si_map\0maps/valley.entities\0\0\0";
/// Windows and Linux, ranked, ten seconds, in progress and the return match.
const STATE: &[u8] = b"\x05\0\0\0\x01\x10\x27\0\0\x0a";
const VALUES: [&str; 2] = ["si_name=One", "si_map=maps/valley.entities"];
const STATE_VALUES: [&str; 4] = [
    "system mask=5 (Windows, Linux)",
    "ranked=1 (it counts)",
    "time left=10000",
    "game state=10 (in progress, return match)",
];

fn reply(word: &[u8], minor: u8, inside: &[&[u8]]) -> Vec<u8> {
    let inside = inside.concat();
    let size = u32::try_from(inside.len()).unwrap().to_le_bytes();
    [b"\xff\xff", word, b"\0", HEAD, &[minor, 0, 10, 0], &size, &inside].concat()
}

fn check(word: &[u8], minor: u8, inside: &[&[u8]], players: &[&str], rest: &[&str]) {
    let bytes = reply(word, minor, inside);
    let (_, found) = decoded_values(&PROTOCOL, &bytes);
    let size = bytes.len() - 4 - (2 + word.len() + 1 + 12);
    let mut should = vec![
        "task=7".to_owned(),
        "challenge=67305985".to_owned(),
        format!("protocol={} (10.{minor})", (10 << 16) + u32::from(minor)),
        format!("size={size}"),
    ];
    let inside = VALUES.iter().chain(players).chain(&STATE_VALUES).chain(rest);
    should.extend(inside.map(|s| (*s).to_owned()));
    assert_eq!(found, should);
}

#[test]
fn players_lose_their_rate_and_gain_a_tag_with_the_protocol() {
    let playing: &[&str] = &["server type=0 (people play)", "interested clients=5"];
    check(
        b"infoResponse",
        16,
        &[PAIRS, b"\x03\x30\0\x80\x3e\0\0Icarus\0\x01", b"\x20", STATE, b"\0\x05"],
        &["id=3", "ping=48", "rate=16000", "name=Icarus", "bot=1 (a program)"],
        playing,
    );
    for minor in [17, 18] {
        check(
            b"infoResponse",
            minor,
            &[PAIRS, b"\x03\x30\0\x80\x3e\0\0Icarus\0\x01[x]\0\0", b"\x20", STATE, b"\0\x05"],
            &[
                "id=3",
                "ping=48",
                "rate=16000",
                "name=Icarus",
                "clan tag position=1 (behind the name)",
                "clan tag=[x]",
                "bot=0 (a person)",
            ],
            playing,
        );
    }
    for minor in [19, 20] {
        check(
            b"infoResponse",
            minor,
            &[PAIRS, b"\x03\x30\0Icarus\0\0\0\0", b"\x20", STATE, b"\0\x05"],
            &[
                "id=3",
                "ping=48",
                "name=Icarus",
                "clan tag position=0 (in front of the name)",
                "clan tag=",
                "bot=0 (a person)",
            ],
            playing,
        );
    }
}

#[test]
fn the_longer_reply_tells_what_players_have_done() {
    let deeds = b"\x03\0\0\xc0\x3fgdf\0\x02\0\0\0\x01\0\0\0\x20";
    check(
        b"infoExResponse",
        19,
        &[PAIRS, b"\x20", STATE, b"\x01\x04\0\0\0\x40\0\0\0", deeds],
        &[],
        &[
            "server type=1 (a TV relay)",
            "connected clients=4",
            "maximum clients=64",
            "id=3",
            "experience=1.5",
            "team=gdf",
            "kills=2",
            "deaths=1",
        ],
    );
}

#[test]
fn questions_carry_a_task_and_a_challenge() {
    let values = ["task=7", "challenge=67305985"];
    assert_decodes(&PROTOCOL, &[b"\xff\xffgetInfo\0", HEAD].concat(), "get-info", &values);
    assert_decodes(&PROTOCOL, &[b"\xff\xffGETINFOEX\0", HEAD].concat(), "get-info-ex", &values);
}

#[test]
fn the_writer_counts_the_size() {
    let server = super::ServerDetails { state: 2, ..Default::default() };
    let message = super::InfoResponse { protocol: (10 << 16) + 19, server, ..Default::default() };
    let mut out = Vec::new();
    encode(message, &mut out).unwrap();
    let entry = crate::recognise(
        &PROTOCOL,
        protocol::Carrier::Datagram,
        &out,
        protocol::Direction::default(),
    )
    .unwrap();
    assert_eq!((entry.check)(&out, &mut Scratch::default()), None);
    assert_eq!(out[27..31], 15u32.to_le_bytes());
}
