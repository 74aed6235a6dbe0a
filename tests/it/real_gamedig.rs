//! gamedig, the library by which most web pages query game servers, against simulated servers on
//! loopback: it has to read what they answer, and what it asks has to decode.

use std::collections::BTreeSet;
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use fragshark::codec::FieldRole;
use fragshark::families;
use fragshark::protocol::{Carrier, Direction, Game, Protocol, Reading, Role};
use fragshark::protocols::registry;
use fragshark::simulate::KnownValue;
use serde_json::Value;

use crate::needs;

const TEST: &str = "tests/real_gamedig.rs";

/// gamedig's name of a protocol, the game that answers, and what gamedig asks it.
const ASKED: &[(&str, &str, &[&str])] = &[
    ("protocol-quake3", "quake3", &["getstatus"]),
    ("protocol-quake3", "openarena", &["getstatus"]),
    ("protocol-quake2", "quake2", &["status"]),
    ("protocol-quake1", "quakeworld", &["status"]),
    ("protocol-hexen2", "hexenworld", &["status"]),
    ("protocol-doom3", "doom3", &["getInfo"]),
    ("protocol-gamespy1", "unreal-tournament", &["status"]),
];

const NAME: &str = "a simulated server";
const MAP: &str = "simulated";

#[test]
fn gamedig_reads_what_simulated_servers_answer() {
    let Some([gamedig]) = needs::programs(TEST, ["gamedig"]) else {
        return;
    };
    let wrong: Vec<_> = thread::scope(|scope| {
        let all = ASKED.iter().map(|(kind, game, asked)| {
            let gamedig = &gamedig;
            scope.spawn(move || wrong(gamedig, kind, game_named(game), asked))
        });
        let all: Vec<_> = all.collect();
        all.into_iter().filter_map(|one| one.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn game_named(id: &str) -> &'static Game {
    registry().games().find(|game| game.id == id).unwrap()
}

/// What is wrong with what gamedig asks, or with what it reads.
fn wrong(gamedig: &Path, kind: &str, game: &'static Game, asked: &[&str]) -> Option<String> {
    let (names, printed) = query(gamedig, kind, game);
    let of = format!("{kind} of {}", game.id);
    if names != asked.iter().map(|name| (*name).to_owned()).collect() {
        return Some(format!("{of} asks {names:?}, not {asked:?}"));
    }
    let Ok(said) = serde_json::from_str::<Value>(&printed) else {
        return Some(format!("{of}: gamedig prints {printed:?}"));
    };
    // Of QuakeWorld it has the map among the raw values alone.
    let map = said["map"].as_str().filter(|map| !map.is_empty());
    let read = [said["name"].as_str(), map.or(said["raw"]["map"].as_str())];
    let read = read.map(Option::unwrap_or_default);
    (read != [NAME, MAP]).then(|| format!("{of}: gamedig reads {read:?} in {printed}"))
}

/// What gamedig asks a server of this game, and what it prints.
fn query(gamedig: &Path, kind: &str, game: &'static Game) -> (BTreeSet<String>, String) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    socket.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let over = Arc::new(AtomicBool::new(false));
    thread::scope(|scope| {
        let ended = Arc::clone(&over);
        let answering = scope.spawn(move || {
            let (mut names, mut buffer) = (BTreeSet::new(), [0; 2048]);
            loop {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else {
                    if ended.load(Ordering::SeqCst) {
                        return names;
                    }
                    continue;
                };
                let request = &buffer[..length];
                names.extend(name(game.protocol, request));
                if let Some(answer) = families::answer(game.protocol, Some(game), &known(), request)
                {
                    socket.send_to(&answer, from).unwrap();
                }
            }
        });
        let mut command = Command::new(gamedig);
        command.args(["--type", kind, "--givenPortOnly", "--attemptTimeout", "5000"]);
        command.arg(format!("127.0.0.1:{port}")).stdin(Stdio::null());
        let printed = command.output();
        over.store(true, Ordering::SeqCst);
        let names = answering.join().unwrap();
        (names, String::from_utf8_lossy(&printed.unwrap().stdout).into_owned())
    })
}

/// The name of a request that decodes to its last byte.
fn name(protocol: &Protocol, request: &[u8]) -> Option<String> {
    let direction = Direction { from: Some(Role::Client), to: Some(Role::Server) };
    let entry = protocol.recognise(Carrier::Datagram, request, direction)?;
    let mut reading = Reading::default();
    let whole = reading.takes_all(entry, request);
    let name = entry.spec.name_of(request, None);
    Some(if whole { name.to_owned() } else { format!("{name}, not whole") })
}

fn known() -> Vec<KnownValue> {
    let value = |role, text: &str| KnownValue { role, key: Vec::new(), text: text.into() };
    vec![value(FieldRole::Host, NAME), value(FieldRole::Map, MAP)]
}
