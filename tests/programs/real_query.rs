//! `fragshark query` and quakestat ask the same servers, simulated and real ones: what both show has
//! to be equal, field by field. And a list with 500 servers in a network namespace, of which some are
//! dead and some are slow.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use regex::Regex;
use serde_json::Value;

use crate::arena::{Arena, HOSTNAME, MAP, Master};
use crate::bench::side_by_side;
use crate::process::until;
use crate::real_quakestat::{SIMULATED, below};
use crate::real_server::RealServer;
use crate::real_teeworlds;
use crate::simulated::{game_named, queried};
use crate::{needs, watched};

const TEST: &str = "tests/programs/real_query.rs";

/// The fields: quakestat's name in XML, and the column of the table of servers.
const FIELDS: [(&str, &str); 4] = [
    ("name", "hostname_plain"),
    ("map", "map_name"),
    ("numplayers", "players"),
    ("maxplayers", "max_players"),
];

/// Options whose XML has none of the fields here, though quakestat reads the server:
/// `real_quakestat.rs` tests that by its JSON.
const WITHOUT_FIELDS: [&str; 2] = ["-gs3", "-gs4"];

/// What one of them shows of a server, by quakestat's names.
type ShownServer = BTreeMap<&'static str, String>;

fn by_quakestat(quakestat: &Path, option: &str, at: SocketAddr) -> ShownServer {
    let mut command = Command::new(quakestat);
    command.args(["-xml", "-timeout", "30", "-retry", "10", "-mi", "0.1"]);
    let output = command.args([option, &*below(at, option)]).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let value = |field: &str| {
        let pattern = Regex::new(&format!("<{field}>([^<]*)</{field}>")).unwrap();
        pattern.captures(&text).map(|found| found[1].to_owned()).unwrap_or_default()
    };
    FIELDS.iter().map(|(field, _)| (*field, value(field))).collect()
}

fn by_query(target: &str) -> ShownServer {
    let mut command = Command::new(watched::BINARY);
    command.args(["query", target, "--timeout", "10s", "--format", "json", "-p", "-r"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    // Without an answer all values are empty, and differ.
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    FIELDS.iter().map(|(field, column)| (*field, text(&rows[0][*column]))).collect()
}

/// The fields that differ and should not.
fn differences(
    of: &str,
    quakestat: &ShownServer,
    query: &ShownServer,
) -> impl Iterator<Item = String> {
    let has_fields = !WITHOUT_FIELDS.contains(&of);
    let differ = FIELDS.iter().filter(|(field, _)| quakestat[field] != query[field]);
    let differ = differ.filter(|_| has_fields);
    // An answer without a line of a player has no number of players.
    let is_nobody = |field: &str| quakestat[field] == "0" && query[field].is_empty();
    let differ = differ.filter(|(field, _)| *field != "numplayers" || !is_nobody(field));
    let lines = differ.map(|(field, _)| {
        format!("{of}: {field}: quakestat {:?}, query {:?}", quakestat[field], query[field])
    });
    lines.collect::<Vec<_>>().into_iter()
}

#[test]
fn query_and_quakestat_show_the_same_of_simulated_servers() {
    let Some([quakestat]) = needs::programs(TEST, ["quakestat"]) else {
        return;
    };
    let wrong = Mutex::new(Vec::new());
    side_by_side(SIMULATED, 4, |(option, game)| {
        let game = game_named(game);
        let (_, (theirs, ours)) = queried(game, |at| {
            let target = format!("{}://{at}", game.protocol.id);
            (by_quakestat(&quakestat, option, at), by_query(&target))
        });
        wrong.lock().unwrap().extend(differences(option, &theirs, &ours));
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn query_and_quakestat_show_the_same_of_openarena() {
    let Some([openarena, quakestat]) = needs::programs(TEST, ["openarena-server", "quakestat"])
    else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let master = Master::open();
    let arena = Arena::start(&openarena, folder.path(), master.address);
    let server = master.wait_for("infoResponse");
    let theirs = by_quakestat(&quakestat, "-q3s", server);
    let ours = by_query(&format!("quake3://{server}"));
    let wrong: Vec<_> = differences("-q3s", &theirs, &ours).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((ours["map"].as_str(), ours["numplayers"].as_str()), (MAP, "2"));
    assert_eq!(ours["name"], HOSTNAME.replace("^1", "").replace("^7", ""));
    arena.quit();
}

/// A server's settings, and its players with their scores and pings.
type Details = (BTreeMap<String, String>, Vec<(String, i64, i64)>);

/// The keys that are no settings: they stand in the fields of a server, or belong to the question.
const NO_RULES: [&str; 5] = ["challenge", "hostname", "mapname", "clients", "sv_maxclients"];

fn rows_of(target: &str, arguments: &[&str]) -> Vec<Value> {
    let mut command = Command::new(watched::BINARY);
    command.args(["query", target, "--timeout", "10s", "--format", "json"]).args(arguments);
    let output = command.stdin(Stdio::null()).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The pairs of the last message with some, among those that came.
fn pairs_of(target: &str, arguments: &[&str]) -> BTreeMap<String, String> {
    let rows = rows_of(target, &[arguments, &["--what", "messages"]].concat());
    let info = rows.iter().rev().find_map(|row| row["fields"]["info"].as_object()).unwrap();
    info.iter().map(|(key, value)| (key.clone(), value.as_str().unwrap().to_owned())).collect()
}

fn players_of(target: &str) -> Vec<(String, i64, i64)> {
    let player = |row: &Value| {
        let name = row["name_plain"].as_str().unwrap().to_owned();
        (name, row["score"].as_i64().unwrap(), row["ping_ms"].as_i64().unwrap())
    };
    rows_of(target, &["-p", "--what", "players"]).iter().map(player).collect()
}

/// What both say while nobody scores: theirs between two equal ones of ours.
fn meanwhile<T>(ours: impl Fn() -> Details, theirs: impl Fn() -> T) -> (Details, T) {
    until("a moment without a score", || {
        let (before, other) = (ours(), theirs());
        (ours() == before).then_some((before, other))
    })
}

#[test]
fn settings_and_players_of_openarena_are_those_of_quakestat_and_gamedig() {
    let programs = ["openarena-server", "quakestat", "gamedig"];
    let Some([openarena, quakestat, gamedig]) = needs::programs(TEST, programs) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let master = Master::open();
    let arena = Arena::start(&openarena, folder.path(), master.address);
    let server = master.wait_for("infoResponse");
    let target = format!("quake3://{server}");
    let status = || {
        let mut pairs = pairs_of(&target, &["getstatus"]);
        pairs.remove("challenge");
        pairs
    };
    // quakestat asks getinfo and getstatus, and has the keys of both among its rules.
    let both = || {
        let mut pairs = status();
        pairs.extend(pairs_of(&target, &["getinfo"]));
        pairs.retain(|key, _| !NO_RULES.contains(&key.as_str()));
        (pairs, players_of(&target))
    };
    let theirs = || details_by_quakestat(&quakestat, "-q3s", server);
    let (ours, theirs) = meanwhile(both, theirs);
    assert_eq!(ours, theirs, "quakestat");
    // gamedig asks getstatus, and shows values without their colours.
    let uncoloured = || {
        let colour = Regex::new(r"\^[0-9]").unwrap();
        let plain = |(key, value): (String, String)| (key, colour.replace_all(&value, "").into());
        (status().into_iter().map(plain).collect(), players_of(&target))
    };
    let (ours, theirs) = meanwhile(uncoloured, || details_by_gamedig(&gamedig, server));
    assert_eq!(ours, theirs, "gamedig");
    arena.quit();
}

#[test]
fn query_quakestat_and_gamedig_show_the_same_of_nexuiz() {
    let programs = ["nexuiz-server", "quakestat", "gamedig"];
    let Some([nexuiz, quakestat, gamedig]) = needs::programs(TEST, programs) else {
        return;
    };
    // It answers one address several times a second.
    let settings = ["+net_getstatusfloodblockingtimeout", "0"];
    let server = RealServer::nexuiz(&nexuiz, &settings);
    let target = format!("darkplaces://{}", server.address);
    let ours = by_query(&target);
    let theirs = by_quakestat(&quakestat, "-nexuizs", server.address);
    let wrong: Vec<_> = differences("-nexuizs", &theirs, &ours).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((ours["map"].as_str(), ours["name"].as_str()), ("basement", "Loopback"));
    let mut settings = pairs_of(&target, &["getstatus"]);
    settings.remove("challenge");
    let (theirs, _) = details_by_gamedig(&gamedig, server.address);
    let plain = settings
        .iter()
        .map(|(key, value)| (key.clone(), value.replace("^1", "").replace("^7", "")));
    assert_eq!(plain.collect::<BTreeMap<_, _>>(), theirs, "gamedig");
    settings.retain(|key, _| !NO_RULES.contains(&key.as_str()));
    let (mut theirs, _) = details_by_quakestat(&quakestat, "-nexuizs", server.address);
    theirs.retain(|key, _| !NO_RULES.contains(&key.as_str()));
    assert_eq!(settings, theirs, "quakestat");
}

fn details_by_quakestat(quakestat: &Path, option: &str, at: SocketAddr) -> Details {
    let mut command = Command::new(quakestat);
    command.args(["-xml", "-R", "-P", "-timeout", "30", "-retry", "10", "-mi", "0.1", option]);
    let output = command.arg(at.to_string()).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rule = Regex::new(r#"<rule name="([^"]*)">([^<]*)</rule>"#).unwrap();
    let rules = rule.captures_iter(&text).map(|rule| (rule[1].to_owned(), rule[2].to_owned()));
    let player = r"<player>\s*<name>([^<]*)</name>\s*<score>(-?\d+)</score>\s*<ping>(\d+)</ping>";
    let players = Regex::new(player).unwrap();
    let players = players.captures_iter(&text);
    let players = players.map(|p| (p[1].to_owned(), p[2].parse().unwrap(), p[3].parse().unwrap()));
    (rules.collect(), players.collect())
}

fn details_by_gamedig(gamedig: &Path, at: SocketAddr) -> Details {
    let mut command = Command::new(gamedig);
    command.args(["--type", "protocol-quake3", "--givenPortOnly"]);
    command.args(["--socketTimeout", "4000", "--attemptTimeout", "60000"]);
    let output = command.arg(at.to_string()).stdin(Stdio::null()).output().unwrap();
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    let raw = read["raw"].as_object().unwrap().iter();
    let rules = raw.map(|(key, value)| (key.clone(), value.as_str().unwrap_or_default().into()));
    // Who has no ping is a bot to it.
    let players = ["players", "bots"].into_iter().flat_map(|key| read[key].as_array().unwrap());
    let player = |player: &Value| {
        let number = |key: &str| player["raw"][key].as_i64().unwrap();
        (player["name"].as_str().unwrap().to_owned(), number("frags"), number("ping"))
    };
    (rules.collect(), players.map(player).collect())
}

/// gamedig's names of protocols, and the games whose simulated servers are asked.
const BY_GAMEDIG: &[(&str, &str)] = &[
    ("protocol-quake3", "quake3"),
    ("protocol-quake2", "quake2"),
    ("protocol-doom3", "doom3"),
    ("protocol-gamespy1", "unreal-tournament"),
    ("protocol-valve", "source"),
    ("protocol-ase", "mta-san-andreas"),
    ("protocol-unreal2", "ut2004"),
    ("protocol-gamespy2", "halo"),
    ("protocol-gamespy3", "battlefield2"),
    ("protocol-tribes1", "tribes"),
];

/// Those of which gamedig gives the number of players that the answer names, whatever number it has.
const COUNTED_BY_GAMEDIG: &[&str] =
    &["protocol-quake3", "protocol-quake2", "protocol-doom3", "protocol-gamespy1"];

#[test]
fn query_and_gamedig_show_the_same_of_simulated_servers() {
    let Some([gamedig]) = needs::programs(TEST, ["gamedig"]) else {
        return;
    };
    let wrong = Mutex::new(Vec::new());
    side_by_side(BY_GAMEDIG, 4, |(kind, game)| {
        let game = game_named(game);
        let (_, (theirs, ours)) = queried(game, |at| {
            let target = format!("{}://{at}", game.protocol.id);
            let mut ours = by_query(&target);
            if COUNTED_BY_GAMEDIG.contains(kind) {
                let players = rows_of(&target, &["-p", "-r", "--what", "players"]);
                ours.insert("numplayers", players.len().to_string());
            }
            (by_gamedig(&gamedig, kind, at), ours)
        });
        for (field, _) in FIELDS.iter().filter(|(field, _)| theirs[field] != ours[field]) {
            let line =
                format!("{kind}: {field}: gamedig {:?}, query {:?}", theirs[field], ours[field]);
            wrong.lock().unwrap().push(line);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn by_gamedig(gamedig: &Path, kind: &str, at: SocketAddr) -> ShownServer {
    let mut command = Command::new(gamedig);
    command.args(["--type", kind, "--givenPortOnly"]);
    command.args(["--socketTimeout", "4000", "--attemptTimeout", "60000"]);
    let output = command.arg(at.to_string()).stdin(Stdio::null()).output().unwrap();
    let read: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    FIELDS.iter().map(|(field, _)| (*field, text(&read[*field]))).collect()
}

#[test]
fn both_versions_of_teeworlds_are_asked() {
    let Some([teeworlds, ddnet]) = needs::programs(TEST, ["teeworlds-server", "DDNet-Server"])
    else {
        return;
    };
    let token = [&b"\x04\0\0\xff\xff\xff\xff\x05\x01\x02\x03\x04"[..], &[0; 508]].concat();
    let seven = real_teeworlds::start(&teeworlds, &["sv_map dm1"], &token);
    let ours = by_query(&format!("teeworlds://{}", seven.address));
    assert_eq!((ours["name"].as_str(), ours["map"].as_str()), (real_teeworlds::NAME, "dm1"));
    let six = [&real_teeworlds::MARK[..], b"gie3\x05"].concat();
    let ddnet = real_teeworlds::start(&ddnet, &[], &six);
    let ours = by_query(&format!("teeworlds://{}", ddnet.address));
    assert_eq!((ours["name"].as_str(), ours["map"].as_str()), (real_teeworlds::NAME, "Tutorial"));
    assert_eq!(ours["maxplayers"], "64");
}
