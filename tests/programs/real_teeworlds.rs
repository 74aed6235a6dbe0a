//! Third-party servers: Teeworlds' of version 0.7 and DDNet's, on loopback. They are asked in every
//! form that their clients use, and what they answer has to decode to its last byte.

use std::path::Path;
use std::process::Command;

use fragshark::codec::{Kind, Node};
use fragshark::protocol::{Carrier, Direction, Reading, Role};
use fragshark::protocols::teeworlds::PROTOCOL;

use crate::needs;
use crate::real_server::RealServer;

const TEST: &str = "tests/programs/real_teeworlds.rs";
pub const NAME: &str = "Lab Teeworlds";
/// What a client of version 0.6 or 0.5 sends before a command.
pub const MARK: [u8; 10] = [0xff; 10];
/// The token of the client, as a client of version 0.7.
const TOKEN: [u8; 4] = [1, 2, 3, 4];

#[test]
fn what_a_server_of_version_7_answers_decodes_to_its_last_byte() {
    let Some([program]) = needs::programs(TEST, ["teeworlds-server"]) else {
        return;
    };
    let request = token_request();
    let server = start(&program, &["sv_map dm1", "sv_skill_level 2"], &request);
    let (given, read) = asked(&server, &request);
    assert_eq!(read, format!("token: packet token 16909060, given token {}", number(&given)));
    let head = [b"\x21", &given[8..], &TOKEN, b"\xff\xff\xff\xff"].concat();
    // A number of one byte and one of two.
    for (token, shown) in [(&b"\x05"[..], 5), (b"\x85\x01", 69)] {
        let (_, read) = asked(&server, &[&head, &b"gie3"[..], token].concat());
        let (begin, rest) = read.split_once("version 0.7.").unwrap();
        let tokens = format!("packet token 16909060, response token {}", number(&given));
        assert_eq!(begin, format!("info-7: {tokens}, token {shown}, "));
        let (_, rest) = rest.split_once(", ").unwrap();
        assert_eq!(
            rest,
            "name Lab Teeworlds, host , map dm1, game type DM, flags 0, skill level 2, players 0, \
             max players 8, clients 0, max clients 8"
        );
    }
}

#[test]
fn what_a_server_of_ddnet_answers_decodes_to_its_last_byte() {
    let Some([program]) = needs::programs(TEST, ["DDNet-Server"]) else {
        return;
    };
    let plain = |command: &[u8]| [&MARK[..], command].concat();
    let server = start(&program, &[], &plain(b"gie3\x05"));
    let extended = b"xe\x01\x02\0\0\xff\xff\xff\xffgie3\x05".to_vec();
    for (request, id, token, clients) in [
        (plain(b"gie3\x05"), "info", 5, 16),
        (plain(b"fstd\x07"), "info-64", 7, 64),
        (extended, "info-extended", 66_053, 64),
    ] {
        let (_, read) = asked(&server, &request);
        let is_named = read.starts_with(&format!("{id}: token {token}, version 0.6.4"));
        assert!(is_named && read.contains("map Tutorial, "), "{read}");
        assert!(read.contains(&format!("clients 0, max clients {clients}")), "{read}");
        assert!(read.contains(&format!("name {NAME}")), "{read}");
    }
}

/// A server that registers with no master, when it answers this request.
pub fn start(program: &Path, commands: &[&str], request: &[u8]) -> RealServer {
    RealServer::start(request, |address| {
        let mut command = Command::new(program);
        command.args([format!("sv_name {NAME}"), format!("sv_port {}", address.port())]);
        command.arg("sv_register 0").args(commands);
        command
    })
}

/// The request of a client of version 0.7 for the server's token.
pub fn token_request() -> Vec<u8> {
    [&b"\x04\0\0\xff\xff\xff\xff\x05"[..], &TOKEN, &[0; 508]].concat()
}

/// A server's answer to a request, and what it is and has in it.
fn asked(server: &RealServer, request: &[u8]) -> (Vec<u8>, String) {
    let answer = server.ask(request);
    let read = read(&answer);
    (answer, read)
}

/// The id of a message, and each value in it: every byte has to belong to one.
fn read(answer: &[u8]) -> String {
    let answers = Direction { from: Some(Role::Server), to: Some(Role::Client) };
    let entry =
        fragshark::protocols::recognise(&PROTOCOL, Carrier::Datagram, answer, answers).unwrap();
    let mut reading = Reading::default();
    reading.read_message(entry, answer);
    assert_eq!(reading.fault(), None, "{}", answer.escape_ascii());
    let leaves = reading.spans().all.iter().filter(|span| span.node == Node::Leaf);
    let values = leaves.filter(|span| {
        assert_ne!(span.field.name, "unparsed", "{}", answer.escape_ascii());
        matches!(span.field.kind, Kind::Number | Kind::Text)
    });
    let values: Vec<_> = values
        .map(|span| {
            let text = span.shape.text(reading.bytes(answer, span));
            format!("{} {}", span.field.name, text.escape_ascii())
        })
        .collect();
    format!("{}: {}", entry.spec.id, values.join(", "))
}

/// The number that the last four bytes are.
fn number(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(*bytes.last_chunk().unwrap())
}
