//! Third-party servers: Teeworlds' of version 0.7 and DDNet's, on loopback. They are asked in every
//! form that their clients use, and what they answer has to decode to its last byte.

use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fragshark::codec::{Kind, Node};
use fragshark::protocol::{Carrier, Direction, Reading, Role};
use fragshark::protocols::teeworlds::PROTOCOL;

use crate::needs;
use crate::process::{Process, until};

const TEST: &str = "tests/programs/real_teeworlds.rs";
pub const NAME: &str = "Lab Teeworlds";
/// How long an answer may take before the request is sent again.
const ANSWER: Duration = Duration::from_millis(300);
/// How long a server may take until it answers, before one on another port is started.
const STARTED: Duration = Duration::from_secs(10);
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
    let server = Server::start(&program, &["sv_map dm1", "sv_skill_level 2"], &request);
    let (given, read) = server.ask(&request);
    assert_eq!(read, format!("token: packet token 16909060, given token {}", number(&given)));
    let head = [b"\x21", &given[8..], &TOKEN, b"\xff\xff\xff\xff"].concat();
    // A number of one byte and one of two.
    for (token, shown) in [(&b"\x05"[..], 5), (b"\x85\x01", 69)] {
        let (_, read) = server.ask(&[&head, &b"gie3"[..], token].concat());
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
    let server = Server::start(&program, &[], &plain(b"gie3\x05"));
    let extended = b"xe\x01\x02\0\0\xff\xff\xff\xffgie3\x05".to_vec();
    for (request, id, token, clients) in [
        (plain(b"gie3\x05"), "info", 5, 16),
        (plain(b"fstd\x07"), "info-64", 7, 64),
        (extended, "info-extended", 66_053, 64),
    ] {
        let (_, read) = server.ask(&request);
        let is_named = read.starts_with(&format!("{id}: token {token}, version 0.6.4"));
        assert!(is_named && read.contains("map Tutorial, "), "{read}");
        assert!(read.contains(&format!("clients 0, max clients {clients}")), "{read}");
        assert!(read.contains(&format!("name {NAME}")), "{read}");
    }
}

/// A running server and a client.
pub struct Server {
    client: UdpSocket,
    pub address: SocketAddr,
    _running: Process,
    _folder: tempfile::TempDir,
}

impl Server {
    /// A server that registers with no master, on a free port, when it answers this request.
    pub fn start(program: &Path, commands: &[&str], request: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (running, address) = until("a server to start", || {
            // The port is free now; if another program takes it first, another one is tried.
            let address = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
            let mut command = Command::new(program);
            command.args([format!("sv_name {NAME}"), format!("sv_port {}", address.port())]);
            command.arg("sv_register 0").args(commands);
            command.current_dir(&folder).env("HOME", folder.path());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let (mut running, begun) = (Process::start(&mut command), Instant::now());
            let answers = until("a server to answer or to end", || match running.ended() {
                Some(_) => Some(false),
                None if begun.elapsed() > STARTED => Some(false),
                None => exchange(&client(), address, request).map(|_| true),
            });
            answers.then_some((running, address))
        });
        Self { client: client(), address, _running: running, _folder: folder }
    }

    /// Its answer to a request, and what it is and has in it.
    fn ask(&self, request: &[u8]) -> (Vec<u8>, String) {
        let answer = until("an answer", || exchange(&self.client, self.address, request));
        let read = read(&answer);
        (answer, read)
    }
}

/// The request of a client of version 0.7 for the server's token.
pub fn token_request() -> Vec<u8> {
    [&b"\x04\0\0\xff\xff\xff\xff\x05"[..], &TOKEN, &[0; 508]].concat()
}

/// A client to which nothing was sent yet.
fn client() -> UdpSocket {
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.set_read_timeout(Some(ANSWER)).unwrap();
    client
}

/// The answer to a request, if it comes in time.
fn exchange(client: &UdpSocket, address: SocketAddr, request: &[u8]) -> Option<Vec<u8>> {
    let mut buffer = [0; 2048];
    client.send_to(request, address).ok()?;
    let (length, _) = client.recv_from(&mut buffer).ok()?;
    Some(buffer[..length].to_vec())
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
