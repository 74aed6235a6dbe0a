//! `fragshark query`: what it sends, what it shows, and how it ends, against simulated servers and
//! reference masters.

mod formats;
mod hostile;
mod interface;
mod manners;
mod masters;
mod pipe;

use std::process::{Command, Output, Stdio};
use std::sync::atomic::Ordering;

use fragshark::codec::FieldRole;
use fragshark::protocol::{Game, Protocol};
use fragshark::protocols::registry;
use serde_json::Value;
use simulate::KnownValue;
use simulate::families::{ServerQuestions, answers, queried};

use crate::answering::answering;
use crate::bench::side_by_side;
use crate::watched::BINARY;

/// What every simulated server says of itself.
const NAME: &str = "a simulated server";
const MAP: &str = "simulated";

/// The query with these arguments.
fn query(arguments: &[&str]) -> Output {
    let mut command = Command::new(BINARY);
    command.arg("query").args(arguments).stdin(Stdio::null());
    command.output().unwrap()
}

/// Its standard output, with this status and nothing on standard error.
fn printed(arguments: &[&str], status: i32) -> String {
    let output = query(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(status), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A server of a game that says its name and its map.
fn server(protocol: &'static Protocol, game: &'static Game) -> impl Fn(&[u8]) -> Vec<Vec<u8>> {
    let value = |role, text: &str| KnownValue { role, key: Vec::new(), text: text.into() };
    let known = vec![value(FieldRole::Host, NAME), value(FieldRole::Map, MAP)];
    move |request| answers(protocol, Some(game), &known, request)
}

/// How many servers are asked at a time, because most of the time is waiting.
const AT_ONCE: usize = 16;

#[test]
fn a_server_of_each_game_is_asked_for_its_state() {
    let games = |query: &'static ServerQuestions| {
        let games = if query.games.is_empty() { query.protocol.games } else { query.games };
        games.iter().map(move |game| (query.protocol, *game))
    };
    // The simulated server of Xash3D answers clients in Source's form alone.
    let is_answered =
        |(protocol, game): &(&Protocol, &Game)| (protocol.id, game.id) != ("half-life", "xash3d");
    let all: Vec<_> = queried().flat_map(games).filter(is_answered).collect();
    assert!(all.len() > 50, "{} servers are asked", all.len());
    side_by_side(&all, AT_ONCE, |(protocol, game)| {
        let (_, out) = answering(server(protocol, game), |at| {
            let target = format!("{}://{at}", protocol.id);
            printed(&[&target, "-p", "-r", "--format", "json"], 0)
        });
        let rows: Value = serde_json::from_str(&out).unwrap();
        let row = &rows[0];
        assert_eq!(row["hostname"], NAME, "{} {}: {row}", protocol.id, game.id);
        assert_eq!(row["map_name"], MAP, "{} {}: {row}", protocol.id, game.id);
    });
}

#[test]
fn a_server_is_shown_as_a_row_with_players_and_settings() {
    let game = registry().game("source").unwrap();
    let (_, out) = answering(server(game.protocol, game), |at| {
        printed(&["-p", "-r", &format!("source://{at}")], 0)
    });
    for part in ["players", "1/24", MAP, NAME, "Player", "12", "mp_timelimit", "sv_gravity"] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
}

#[test]
fn without_a_game_the_protocols_are_tried_until_one_is_answered() {
    let game = registry().game("quakeworld").unwrap();
    let (_, out) = answering(server(game.protocol, game), |at| printed(&[&at.to_string()], 0));
    assert!(out.contains("QuakeWorld") && out.contains(NAME), "{out}");
}

#[test]
fn a_message_of_the_catalogue_is_sent_with_the_values_that_are_given() {
    let game = registry().game("quake3").unwrap();
    let (asked, out) = answering(server(game.protocol, game), |at| {
        printed(&[&at.to_string(), "quake3.getinfo", "challenge=x1"], 0)
    });
    assert_eq!(asked, [b"\xff\xff\xff\xffgetinfo x1"]);
    assert!(out.contains("getinfo") && out.contains("infoResponse"), "{out}");
    let (asked, out) = answering(server(game.protocol, game), |at| {
        printed(&[&at.to_string(), "-v", "--hex", "ff ff ff ff 67 65 74 69 6e 66 6f"], 0)
    });
    assert_eq!(asked, [b"\xff\xff\xff\xffgetinfo"]);
    assert!(out.contains("│ command: infoResponse"), "{out}");
}

#[test]
fn a_message_of_a_capture_is_sent_again() {
    let game = registry().game("quake3").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("asked.pcapng");
    let record = record.to_str().unwrap();
    answering(server(game.protocol, game), |at| {
        printed(&[&format!("quake3://{at}"), "--record", record], 0)
    });
    let (asked, _) = answering(server(game.protocol, game), |at| {
        printed(&[&at.to_string(), "--from", &format!("{record}#1")], 0)
    });
    assert_eq!(asked, [b"\xff\xff\xff\xffgetstatus fragshark"]);
    let output = query(&["127.0.0.1:1", "--from", &format!("{record}#9")]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.ends_with("asked.pcapng has no message in frame 9\n"), "{errors}");
}

#[cfg(unix)]
#[test]
fn a_message_is_edited_before_it_is_sent() {
    use std::os::unix::fs::PermissionsExt as _;

    let game = registry().game("quake3").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let editor = folder.path().join("editor");
    // A new file takes the place of the old one, as many editors do it.
    let script = "#!/bin/sh\nsed \"$1\" \"$2\" > \"$2.new\" && mv \"$2.new\" \"$2\"\n";
    std::fs::write(&editor, script).unwrap();
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let edited = |at: std::net::SocketAddr, words: &str| {
        let mut command = Command::new(BINARY);
        command.args(["query", &at.to_string(), "quake3.getinfo", "challenge=x1", "--edit"]);
        command.env_remove("VISUAL").stdin(Stdio::null());
        command.env("EDITOR", words.replace("EDITOR", editor.to_str().unwrap()));
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for (words, sent, status, error) in [
        ("EDITOR s/x1/y2/", Some("y2"), Some(0), ""),
        ("EDITOR s/^$//", Some("x1"), Some(0), ""),
        ("EDITOR s/.*/nonsense/", None, Some(2), "neither a value that was there nor NAME=VALUE"),
        ("EDITOR s/challenge/chalenge/", None, Some(2), "did you mean challenge?"),
        ("false", None, Some(2), "false failed; nothing was sent"),
    ] {
        let (asked, (found, errors)) =
            answering(server(game.protocol, game), |at| edited(at, words));
        let expected = sent.map(|text| [b"\xff\xff\xff\xffgetinfo ", text.as_bytes()].concat());
        assert_eq!((asked, found), (expected.into_iter().collect(), status), "{words}: {errors}");
        assert!(errors.contains(error), "{words}: {errors}");
    }
}

#[test]
fn an_answer_with_a_fault_is_status_1() {
    let cut = b"\xff\xff\xff\xffI\x11a server\0map".to_vec();
    let (_, output) = answering(
        |_| vec![cut.clone()],
        |at| query(&[&format!("source://{at}"), "--timeout", "100ms"]),
    );
    assert_eq!(output.status.code(), Some(1));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.contains("it sends something that is no answer"), "{out}");
}

#[test]
fn a_series_tells_latency_and_what_changed() {
    let count = std::sync::atomic::AtomicU32::new(0);
    let (_, out) = answering(
        |_| {
            let n = count.fetch_add(1, Ordering::SeqCst);
            let map = if n > 1 { "q3dm6" } else { "q3dm17" };
            let reply = format!("\\challenge\\fragshark\\mapname\\{map}\n");
            vec![[b"\xff\xff\xff\xffstatusResponse\n", reply.as_bytes()].concat()]
        },
        |at| printed(&[&format!("quake3://{at}"), "-c", "3", "--interval", "200ms"], 0),
    );
    assert!(out.contains("mapname q3dm17 → q3dm6"), "{out}");
    assert!(out.contains("3 asked, 3 answered, 0 % lost\nlatency: min "), "{out}");
}
