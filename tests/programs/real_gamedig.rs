//! gamedig, the library by which most web pages query game servers, against simulated servers on
//! loopback: it has to read what they answer, and what it asks has to decode.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use fragshark::protocol::Game;
use serde_json::Value;

use crate::bench::side_by_side;
use crate::needs;
use crate::simulated::{MAP, NAME, game_named, queried};

const TEST: &str = "tests/programs/real_gamedig.rs";
/// Most of the time of gamedig is waiting.
const AT_ONCE: usize = 8;

/// gamedig's name of a protocol, the game that answers, and what gamedig asks it.
const ASKED: &[(&str, &str, &[&str])] = &[
    ("protocol-quake3", "quake3", &["getstatus"]),
    ("protocol-quake3", "openarena", &["getstatus"]),
    ("protocol-quake2", "quake2", &["status"]),
    ("protocol-quake1", "quakeworld", &["status"]),
    ("protocol-hexen2", "hexenworld", &["status"]),
    ("protocol-doom3", "doom3", &["getInfo"]),
    ("protocol-gamespy1", "unreal-tournament", &["status"]),
    ("protocol-valve", "source", &["A2S_INFO", "A2S_PLAYER"]),
    ("protocol-ase", "mta-san-andreas", &["s"]),
    ("protocol-tribes1", "tribes", &["status query"]),
    ("protocol-unreal2", "ut2004", &["query"]),
    ("protocol-gamespy2", "halo", &["query"]),
    ("protocol-gamespy3", "battlefield2", &["challenge request", "query"]),
    ("protocol-gamespy3", "crysis", &["challenge request", "query"]),
];

#[test]
fn gamedig_reads_what_simulated_servers_answer() {
    let Some([gamedig]) = needs::programs(TEST, ["gamedig"]) else {
        return;
    };
    let all_wrong = Mutex::new(Vec::new());
    side_by_side(ASKED, AT_ONCE, |(kind, game, asked)| {
        let wrong = wrong(&gamedig, kind, game_named(game), asked);
        all_wrong.lock().unwrap().extend(wrong);
    });
    let all_wrong = all_wrong.into_inner().unwrap();
    assert!(all_wrong.is_empty(), "{}", all_wrong.join("\n"));
}

/// What is wrong with what gamedig asks, or with what it reads.
fn wrong(gamedig: &Path, kind: &str, game: &'static Game, asked: &[&str]) -> Option<String> {
    let (names, printed) = query(gamedig, kind, game);
    let of = format!("{kind} of {}", game.id);
    if names != asked.iter().map(|name| (*name).to_owned()).collect() {
        return Some(format!("{of} asks {names:?}, not {asked:?}"));
    }
    let Ok(read) = serde_json::from_str::<Value>(&printed) else {
        return Some(format!("{of}: gamedig prints {printed:?}"));
    };
    // Of QuakeWorld it has the map among the raw values alone.
    let map = read["map"].as_str().filter(|map| !map.is_empty());
    let shown = [read["name"].as_str(), map.or(read["raw"]["map"].as_str())];
    let shown = shown.map(Option::unwrap_or_default);
    (shown != [NAME, MAP]).then(|| format!("{of}: gamedig reads {shown:?} in {printed}"))
}

/// What gamedig asks a server of this game, and what it prints.
fn query(gamedig: &Path, kind: &str, game: &'static Game) -> (BTreeSet<String>, String) {
    queried(game, |address| {
        let mut command = Command::new(gamedig);
        command.args(["--type", kind, "--givenPortOnly"]);
        // In milliseconds: a machine that runs many tests is slow.
        command.args(["--socketTimeout", "4000", "--attemptTimeout", "60000"]);
        let printed = command.arg(address.to_string()).stdin(Stdio::null()).output();
        String::from_utf8_lossy(&printed.unwrap().stdout).into_owned()
    })
}
