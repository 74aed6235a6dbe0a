//! Tables of exchanges: whole responses, one order, one game.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("captures")
}

/// The rows of a table.
fn rows(capture: &Path, what: &str) -> Vec<Value> {
    rows_of(Command::new(env!("CARGO_BIN_EXE_fragshark")).arg("export").arg(capture), what)
}

/// The same for a pipe, which is read once.
fn piped_rows(capture: &Path, what: &str) -> Vec<Value> {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let bytes = std::fs::read(capture).unwrap();
    let feeding = std::thread::spawn(move || writer.write_all(&bytes));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let rows = rows_of(command.args(["export", "-"]).stdin(reader), what);
    drop(command);
    feeding.join().unwrap().unwrap();
    rows
}

fn rows_of(command: &mut Command, what: &str) -> Vec<Value> {
    let output = command.args(["--what", what, "--format", "ndjson"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn case(name: &str, what: &str) -> Vec<Value> {
    rows(&root().join("cases").join(name), what)
}

/// Every capture of the repository.
fn captures() -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![root()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "pcap" || end == "pcapng" => found.push(path),
                _ => {}
            }
        }
    }
    assert!(found.len() > 50);
    found.sort();
    found
}

/// A flow's game and protocol are those of its messages, and it has as many.
#[test]
fn a_flow_says_what_its_messages_say() {
    flows_say_what_messages_say(rows);
    // Requests that two protocols share are classified by a response that only one of them has.
    let flows = case("status-then-quakeworld.pcap", "flows");
    assert_eq!((&flows[0]["game"], &flows[0]["messages"]), (&"quakeworld".into(), &4.into()));
}

/// For a pipe too, whose messages are written before all is known.
#[test]
fn a_flow_of_a_pipe_says_what_its_messages_say() {
    flows_say_what_messages_say(piped_rows);
    let flows = piped_rows(&root().join("cases/status-then-quakeworld.pcap"), "flows");
    assert_eq!((&flows[0]["game"], &flows[0]["messages"]), (&"quakeworld".into(), &4.into()));
    let flows = piped_rows(&root().join("darkplaces/shared-words.pcap"), "flows");
    let later = "read once: with what came later it would be darkplaces (certain)";
    assert_eq!((&flows[0]["game"], &flows[0]["reasons"][0]), (&"quake3".into(), &later.into()));
}

fn flows_say_what_messages_say(rows: fn(&Path, &str) -> Vec<Value>) {
    for capture in captures() {
        let mut messages: BTreeMap<u64, (BTreeSet<(String, String)>, u64)> = BTreeMap::new();
        for row in rows(&capture, "messages") {
            let protocol = row["message_id"].as_str().unwrap().split('.').next().unwrap();
            let of = messages.entry(row["flow"].as_u64().unwrap()).or_default();
            of.0.insert((row["game"].as_str().unwrap().to_owned(), protocol.to_owned()));
            of.1 += 1;
        }
        for row in rows(&capture, "flows") {
            let flow = row["flow"].as_u64().unwrap();
            let (games, count) = messages.remove(&flow).unwrap_or_default();
            let name = capture.display();
            assert_eq!(row["messages"], count, "{name}: flow {flow}");
            let game = (row["game"].as_str().unwrap(), row["protocol"].as_str().unwrap());
            let is_one = games.iter().any(|(g, p)| (g.as_str(), p.as_str()) == game);
            assert!(is_one || games.is_empty(), "{name}: flow {flow} is {game:?}, not {games:?}");
            assert!(!games.is_empty() || game.1.is_empty(), "{name}: flow {flow}");
        }
        assert!(messages.is_empty(), "{}", capture.display());
    }
}

/// Soldier of Fortune 2 has a third number before a player's name, other games one after it, and
/// Battlefield 1942 has its own names of keys.
#[test]
fn players_have_plain_names() {
    let expected = [
        ("quake3/third-column.pcap", 2, "^n[^2Alfa", "[Alfa", 36, 50, Some("1")),
        ("quake3/third-column.pcap", 2, "Bravo", "Bravo", 9, 0, Some("2")),
        ("quake3/third-column.pcap", 4, "^6.^~A", ".^~A", 0, 73, None),
        ("quake3/third-column.pcap", 6, "^7Alfa", "Alfa", 1, 34, Some("2")),
        ("quake3/third-column.pcap", 6, "Watcher", "Watcher", -9999, 0, Some("0")),
        ("bf1942/status.pcap", 2, "Alfa", "Alfa", 14, 48, Some("1")),
        ("bf1942/status.pcap", 3, "Two Words ", "Two Words ", 0, 0, Some("2")),
    ];
    for (capture, number, name, plain, score, ping, team) in expected {
        let players = rows(&root().join(capture), "players");
        let row = players.iter().find(|row| row["number"] == number && row["name"] == name);
        let row = row.unwrap_or_else(|| panic!("{capture}: nobody is {name} in {number}"));
        assert_eq!(row["name_plain"], plain, "{row}");
        assert_eq!((&row["score"], &row["ping_ms"]), (&score.into(), &ping.into()), "{row}");
        assert_eq!(row["team"].as_str(), team, "{row}");
    }
}

/// Rows are in the order of the first messages, and the same by both names.
#[test]
fn exchanges_are_in_the_order_of_time() {
    for capture in captures() {
        let sessions = rows(&capture, "sessions");
        for (pair, n) in sessions.windows(2).zip(1..) {
            let name = capture.display();
            assert!(
                pair[0]["start_time"].as_str() <= pair[1]["start_time"].as_str(),
                "{name}: row {n}"
            );
            assert!(pair[0]["exchange"].as_u64() < pair[1]["exchange"].as_u64(), "{name}");
        }
        for row in &sessions {
            let steps = row["steps"].as_array().unwrap();
            assert_eq!(row["messages"], steps.len(), "{row}");
            let numbers: Vec<_> = steps.iter().map(|step| &step["number"]).collect();
            assert_eq!(row["frames"].as_array().unwrap().iter().collect::<Vec<_>>(), numbers);
        }
    }
    let tour = root().join("tour.pcapng");
    assert_eq!(rows(&tour, "sessions"), rows(&tour, "exchanges"));
}

#[test]
fn a_list_is_whole() {
    let sessions = case("list-in-packets.pcap", "sessions");
    let kinds: Vec<_> = sessions.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["query", "list", "query", "query", "query"]);
    let list = &sessions[1];
    let servers = list["reply_fields"]["servers"].as_array().unwrap();
    assert_eq!((servers.len(), &list["servers_listed"]), (15, &15.into()));
    assert_eq!(
        (&servers[0], &servers[14]),
        (&"192.0.2.1:27960".into(), &"192.0.2.25:27960".into())
    );
    assert_eq!((&list["list_packets"], &list["frames"]), (&3.into(), &vec![2, 3, 6, 9].into()));
    let times = [&list["latency_ms"], &list["duration_ms"]];
    assert_eq!(times, [&Value::from(30), &Value::from(101)]);
    let query = &sessions[2];
    for (column, value) in [
        ("hostname", Value::from("One")),
        ("players", 3.into()),
        ("max_players", 8.into()),
        ("challenge", "abc".into()),
        ("challenge_state", "right".into()),
        ("latency_ms", 4.5.into()),
        ("servers_listed", Value::Null),
    ] {
        assert_eq!(query[column], value, "{column}");
    }
}

#[test]
fn every_message_of_a_registration_has_its_number() {
    let sessions = rows(&root().join("tour.pcapng"), "sessions");
    let registration = sessions.iter().find(|row| row["kind"] == "registration").unwrap();
    let steps = registration["steps"].as_array().unwrap();
    let actual: Vec<_> = steps
        .iter()
        .map(|step| (step["turn"].as_str().unwrap(), step["message"].as_str().unwrap()))
        .collect();
    let all = [
        ("request", "quake3.heartbeat"),
        ("query", "quake3.getinfo"),
        ("answer", "quake3.info-response"),
    ];
    assert_eq!(actual, all);
    let connection = sessions.iter().find(|row| row["kind"] == "connection").unwrap();
    assert_eq!(connection["messages"], connection["frames"].as_array().unwrap().len());
    assert_eq!(registration["hostname"], "^3The ^1Longest ^3Yard");
    assert_eq!(registration["hostname_plain"], "The Longest Yard");
    assert_eq!(registration["map_name"], "q3dm17");
    assert_eq!(registration["protocol"], "68");
}

#[test]
fn names_are_text_where_their_bytes_are() {
    let servers = case("names-in-utf8.pcap", "servers");
    let sessions = case("names-in-utf8.pcap", "sessions");
    for (n, (name, plain)) in [
        ("Düsseldorf ^1Арена 東京", "Düsseldorf Арена 東京"),
        ("Düsseldorf", "Düsseldorf"),
        ("a\\u{202e}b\\u{200b}c\\u{feff}\\x1b[31m", "a\\u{202e}b\\u{200b}c\\u{feff}\\x1b[31m"),
        ("＝1+1", "＝1+1"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(
            (&servers[n]["hostname"], &servers[n]["hostname_plain"]),
            (&name.into(), &plain.into())
        );
        let row = &sessions[n];
        assert_eq!((&row["hostname"], &row["hostname_plain"]), (&name.into(), &plain.into()));
    }
    // A truncated name is not cut within a character.
    let long = servers[4]["hostname"].as_str().unwrap();
    assert!(long.chars().all(|c| c == 'д') && long.len() > 200, "{long}");
    let csv = Command::new(env!("CARGO_BIN_EXE_fragshark"))
        .args(["export", "--what", "servers"])
        .arg(root().join("cases/names-in-utf8.pcap"))
        .output()
        .unwrap();
    assert!(String::from_utf8(csv.stdout).unwrap().contains(",'＝1+1,'＝1+1,"));
}

#[test]
fn servers_that_sent_messages_stand_apart_from_those_that_were_only_listed() {
    let address = |row: &Value| row["server"].as_str().unwrap().to_owned();
    let servers = case("spoke-and-listed.pcap", "servers");
    assert_eq!(servers.iter().map(address).collect::<Vec<_>>(), ["192.0.2.1", "192.0.2.2"]);
    let listed = case("spoke-and-listed.pcap", "listed");
    let actual: Vec<_> = listed.iter().map(|row| (address(row), row["has_sent"] == true)).collect();
    let all = [("192.0.2.1", true), ("192.0.2.2", true), ("192.0.2.3", false)];
    assert_eq!(actual, all.map(|(address, spoke)| (address.to_owned(), spoke)));
    assert_eq!(listed[2]["listed_by"], serde_json::json!(["203.0.113.44:27950"]));
}
