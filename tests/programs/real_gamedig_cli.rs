//! The program of gamedig's crate, a client of other authors than gamedig for node, against simulated
//! servers on loopback: it has to read what they answer, and what it asks has to decode.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use fragshark::protocols::registry;
use serde_json::Value;

use crate::bench::side_by_side;
use crate::needs;
use crate::simulated::{MAP, NAME, game_named, queried_in};

const TEST: &str = "tests/programs/real_gamedig_cli.rs";

/// Its name of a game, the protocol and the game of the server, and what it asks.
const ASKED: &[(&str, &str, &str, &[&str])] = &[
    ("teamfortress2", "source", "team-fortress-2", &["A2S_INFO", "A2S_PLAYER", "A2S_RULES"]),
    ("rust", "source", "rust", &["A2S_INFO", "A2S_PLAYER", "A2S_RULES"]),
    ("valheim", "source", "valheim", &["A2S_INFO", "A2S_PLAYER"]),
    ("counterstrike", "source", "counter-strike", &["A2S_INFO", "A2S_PLAYER", "A2S_RULES"]),
    ("quake1", "quakeworld", "quakeworld", &["status"]),
    ("quake2", "quake2", "quake2", &["status"]),
    ("q3a", "quake3", "quake3", &["getstatus"]),
    ("warsow", "quake3", "warsow", &["getstatus"]),
    ("unrealtournament", "gamespy", "unreal-tournament", &["status"]),
    ("battlefield1942", "gamespy", "bf1942", &["status"]),
    ("hce", "gamespy2", "halo", &["query"]),
    ("crysiswars", "gamespy3", "crysis", &["challenge request", "query"]),
    ("unrealtournament2003", "unreal2", "ut2003", &["query"]),
    ("unrealtournament2004", "unreal2", "ut2004", &["query"]),
    ("killingfloor", "unreal2", "killing-floor", &["query"]),
];

#[test]
fn the_program_of_the_crate_reads_what_simulated_servers_answer() {
    let Some([program]) = needs::programs(TEST, ["gamedig_cli"]) else {
        return;
    };
    let all_wrong = Mutex::new(Vec::new());
    side_by_side(ASKED, 2, |(name, protocol, game, asked)| {
        let protocol = registry().protocol(protocol).unwrap();
        let (names, printed) =
            queried_in(protocol, game_named(game), |address| query(&program, name, address));
        let wrong = wrong(&names, asked, &printed);
        all_wrong.lock().unwrap().extend(wrong.map(|wrong| format!("{name} of {game} {wrong}")));
    });
    let all_wrong = all_wrong.into_inner().unwrap();
    assert!(all_wrong.is_empty(), "{}", all_wrong.join("\n"));
}

/// What the program prints of a server.
fn query(program: &Path, name: &str, server: SocketAddr) -> String {
    let (host, port) = (server.ip().to_string(), server.port().to_string());
    let mut command = Command::new(program);
    command.args(["query", "--game", name, "--ip", &host, "--port", &port, "--format", "json"]);
    // In seconds: a machine that runs many tests is slow.
    let printed = command.args(["--read-timeout", "20"]).stdin(Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&[printed.stdout, printed.stderr].concat()).into_owned()
}

/// What is wrong with what it asks, or with what it reads.
fn wrong(names: &BTreeSet<String>, asked: &[&str], printed: &str) -> Option<String> {
    if *names != asked.iter().map(|name| (*name).to_owned()).collect() {
        return Some(format!("asks {names:?}, not {asked:?}, and prints {printed}"));
    }
    let Ok(read) = serde_json::from_str::<Value>(printed) else {
        return Some(format!("prints {printed:?}"));
    };
    let shown = [read["name"].as_str(), read["map"].as_str()].map(Option::unwrap_or_default);
    (shown != [NAME, MAP]).then(|| format!("gives {shown:?} in {printed}"))
}
