//! `--known`: runs over single files, with what earlier runs over the others learnt, say the same as
//! one run over all.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::story::{Format, Link, Story};
use etherparse::{NetSlice, SlicedPacket};
use fragshark::capture::write::{FrameRecord, PcapNg};
use fragshark::capture::{Frames, Input};
use serde_json::Value;
use tempfile::TempDir;

/// How many files the packets are divided into.
const FILES: usize = 6;
/// Captures of several games; each begins an hour after the one before.
const CAPTURES: [&str; 12] = [
    "quake2",
    "quakeworld",
    "half-life",
    "doom3",
    "darkplaces",
    "unreal-tournament",
    "rtcw",
    "enemy-territory",
    "elite-force",
    "xash3d",
    "gamespy",
    "tour.pcapng",
];
/// What the two ways of reading are compared by: ids and numbers count within one run, and reasons
/// say where something is known from.
const OF_A_RUN: [&str; 11] = [
    "file",
    "number",
    "flow",
    "flow_id",
    "exchange",
    "exchange_id",
    "frames",
    "steps",
    "request_number",
    "reply_number",
    "reasons",
];

fn run(arguments: &[&str], files: &[PathBuf]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(arguments).args(files).output().unwrap()
}

/// The rows of a table, with what is known of earlier runs.
fn rows(table: &str, files: &[PathBuf], known: &[PathBuf]) -> Vec<Value> {
    let mut arguments = vec!["export", "--what", table, "--format", "ndjson"];
    arguments.extend(known.iter().flat_map(|file| ["--known", file.to_str().unwrap()]));
    let output = run(&arguments, files);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// How often each row comes, without what counts within one run.
fn counted(rows: impl IntoIterator<Item = Value>) -> BTreeMap<String, i64> {
    let mut counted = BTreeMap::new();
    for mut row in rows {
        let cells = row.as_object_mut().unwrap();
        cells.retain(|name, _| !OF_A_RUN.contains(&name.as_str()));
        *counted.entry(row.to_string()).or_insert(0) += 1;
    }
    counted
}

/// The rows that only one of both has.
fn differences(table: &str, files: &[PathBuf], known: &[PathBuf]) -> Vec<String> {
    let mut left = counted(rows(table, files, &[]));
    let single = files.iter().flat_map(|file| rows(table, std::slice::from_ref(file), known));
    for (row, count) in counted(single) {
        *left.entry(row).or_insert(0) -= count;
    }
    left.into_iter().filter(|(_, count)| *count != 0).map(|(row, n)| format!("{n} {row}")).collect()
}

/// The tables of single runs over the files, in a format.
fn learnt(folder: &Path, table: &str, format: &str, files: &[PathBuf]) -> Vec<PathBuf> {
    let one = |(at, file): (usize, &PathBuf)| {
        let known = folder.join(format!("{table}-{at}.{format}"));
        let to = known.to_str().unwrap();
        let output = run(&["export", "--what", table, "-o", to], std::slice::from_ref(file));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        known
    };
    files.iter().enumerate().map(one).collect()
}

/// Packets of several captures, divided by the two hosts that they are between.
fn divided(folder: &Path) -> Vec<PathBuf> {
    let captures = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    let mut sources = Vec::new();
    for name in CAPTURES {
        let path = captures.join(name);
        if path.is_file() {
            sources.push(path);
            continue;
        }
        let all = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        sources.extend(all.filter(|f| f.extension().is_some_and(|e| e == "pcap" || e == "pcapng")));
    }
    sources.sort();
    let mut parts: Vec<_> = (0..FILES).map(|_| PcapNg::new(Vec::new()).unwrap()).collect();
    for (hour, source) in (0..).zip(&sources) {
        let mut frames = Frames::open(&[Input::File(source.clone())]).unwrap();
        while let Some(frame) = frames.next() {
            let Some(part) = part_of(frame.link, frame.bytes) else { continue };
            let record = FrameRecord {
                time: frame.time + hour * 3_600_000_000_000,
                link: frame.link,
                fcs: frame.fcs,
                bytes: frame.bytes,
                wire_length: frame.wire_length,
                comment: "",
                interface: 0,
            };
            parts[part].write(&record).unwrap();
        }
    }
    let write = |(at, part): (usize, PcapNg<Vec<u8>>)| {
        let path = folder.join(format!("{at}.pcapng"));
        fs::write(&path, part.finish().unwrap()).unwrap();
        path
    };
    parts.into_iter().enumerate().map(write).collect()
}

/// The part of an Ethernet frame, by its two addresses in either order.
fn part_of(link: u16, bytes: &[u8]) -> Option<usize> {
    let packet = SlicedPacket::from_ethernet(bytes).ok().filter(|_| link == 1)?;
    let mut ends: [Vec<u8>; 2] = match packet.net? {
        NetSlice::Ipv4(ip) => [ip.header().source().into(), ip.header().destination().into()],
        NetSlice::Ipv6(ip) => [ip.header().source().into(), ip.header().destination().into()],
        NetSlice::Arp(_) => return None,
    };
    ends.sort();
    let mut hasher = DefaultHasher::new();
    ends.hash(&mut hasher);
    usize::try_from(hasher.finish() % FILES as u64).ok()
}

#[test]
fn single_runs_say_what_one_run_over_all_says() {
    let folder = TempDir::new().unwrap();
    let files = divided(folder.path());
    let without = differences("messages", &files, &[]);
    assert!(without.len() > 20, "clues lie in other files: {without:#?}");
    let mut known = learnt(folder.path(), "endpoints", "ndjson", &files);
    known.extend(learnt(folder.path(), "servers", "parquet", &files));
    for table in ["messages", "players", "flows", "sessions"] {
        assert_eq!(differences(table, &files, &known), Vec::<String>::new(), "{table}");
    }
}

#[test]
fn what_a_server_sends_in_another_file_is_no_silence() {
    let end = |text: &str| text.parse::<SocketAddr>().unwrap();
    let oob = |text: &[u8]| [b"\xff\xff\xff\xff", text].concat();
    let [server, master] = ["192.0.2.10:27960", "203.0.113.1:27950"].map(end);
    let client = end("198.51.100.20:40002");
    let heartbeat = oob(b"heartbeat QuakeArena-1\n");
    let write = |folder: &TempDir, name: &str, story: Story| {
        let path = folder.path().join(name);
        fs::write(&path, story.file()).unwrap();
        path
    };
    let story = || Story::new(Link::Ethernet, Format::Pcap, 1_790_000_000);
    let kinds = |file: &Path, known: &[PathBuf]| {
        let rows = rows("sessions", &[file.to_owned()], known);
        rows.iter().map(|row| row["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The pair is at 1 s; when the server sends something in another file, and whether the silence
    // is over.
    for (seconds, what, kind) in [
        (3, "answer", "registration"),
        (7, "answer", "shutdown"),
        (3, "heartbeat", "registration"),
        (1, "heartbeat", "shutdown"),
    ] {
        let (folder, second) = (TempDir::new().unwrap(), 1_000_000);
        let mut pair = story();
        pair.after(second).send(server, master, &heartbeat).send(server, master, &heartbeat);
        let pair = write(&folder, "pair.pcap", pair);
        let mut other = story();
        other.after(seconds * second);
        if what == "heartbeat" {
            other.send(server, end("203.0.113.2:27950"), &heartbeat);
        } else {
            other.send(client, server, &oob(b"getinfo 1"));
            other.send(server, client, &oob(b"infoResponse\n\\challenge\\1\\hostname\\a"));
        }
        other.after(10 * second).send(client, end("203.0.113.1:27950"), &oob(b"getservers 68"));
        let other = write(&folder, "other.pcap", other);
        // The capture ends before the silence is long enough.
        assert_eq!(kinds(&pair, &[]), ["registration"], "{what} at {seconds}");
        let known = learnt(folder.path(), "servers", "ndjson", std::slice::from_ref(&other));
        assert_eq!(kinds(&pair, &known), [kind], "{what} at {seconds}");
        let all = rows("sessions", &[pair, other], &[]);
        assert_eq!(all[0]["kind"], kind, "{what} at {seconds}");
    }
}

/// A heartbeat to a master tells the game; a client asks the server on a port that tells nothing.
fn game_in_another_file() -> (TempDir, [PathBuf; 2]) {
    let end = |text: &str| text.parse::<SocketAddr>().unwrap();
    let oob = |text: &[u8]| [b"\xff\xff\xff\xff", text].concat();
    let server = end("192.0.2.10:30000");
    let story = || Story::new(Link::Ethernet, Format::Pcap, 1_790_000_000);
    let (mut first, mut second) = (story(), story());
    first.send(server, end("203.0.113.1:27950"), &oob(b"heartbeat EnemyTerritory-1\n"));
    let client = end("198.51.100.20:40002");
    second.after(10).send(client, server, &oob(b"getinfo 1")).after(10);
    second.send(server, client, &oob(b"infoResponse\n\\challenge\\1\\hostname\\a"));
    let folder = TempDir::new().unwrap();
    let paths = ["a.pcap", "b.pcap"].map(|name| folder.path().join(name));
    fs::write(&paths[0], first.file()).unwrap();
    fs::write(&paths[1], second.file()).unwrap();
    (folder, paths)
}

#[test]
fn a_table_of_servers_names_the_game_in_any_format() {
    let (folder, [a, b]) = game_in_another_file();
    let games = |known: &[PathBuf]| {
        let rows = rows("messages", std::slice::from_ref(&b), known);
        rows.iter().map(|row| row["game"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(games(&[]), ["quake3", "quake3"]);
    for format in ["csv", "ndjson", "parquet"] {
        let known = learnt(folder.path(), "servers", format, std::slice::from_ref(&a));
        // The format is known by the content.
        let renamed = folder.path().join("known.table");
        fs::copy(&known[0], &renamed).unwrap();
        assert_eq!(games(&[renamed]), ["enemy-territory"; 2], "{format}");
    }
    let known = learnt(folder.path(), "servers", "csv", &[a]);
    let flows = rows("flows", &[b], &known);
    assert_eq!(flows[0]["certainty"], "certain");
    let name = known[0].to_str().unwrap();
    let reason =
        format!("known from {name}: 192.0.2.10:30000: heartbeat carries tag=EnemyTerritory-1");
    assert!(flows[0]["reasons"].to_string().contains(&reason), "{}", flows[0]["reasons"]);
}

#[test]
fn what_is_known_has_no_secret_unless_asked_for() {
    let end = |text: &str| text.parse::<SocketAddr>().unwrap();
    let [server, client] = ["192.0.2.10:28910", "198.51.100.20:40002"].map(end);
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_790_000_000);
    story.send(client, server, b"\xff\xff\xff\xffstatus\n").after(10);
    // The evidence is the value, in which the name of a secret's key stands.
    let status = b"\xff\xff\xff\xffprint\n\\gamename\\Heretic2 rcon_password hunter2\\rcon_password\\hunter3\n";
    story.send(server, client, status);
    let folder = TempDir::new().unwrap();
    let capture = folder.path().join("password.pcap");
    fs::write(&capture, story.file()).unwrap();
    let knowledge = |table: &str, options: &[&str]| {
        let arguments = [&["export", "--what", table, "--format", "ndjson"], options].concat();
        let output = run(&arguments, std::slice::from_ref(&capture));
        String::from_utf8(output.stdout).unwrap()
    };
    let spelled = |word: &str| [word.to_owned(), hex::encode(word)];
    for table in ["servers", "endpoints"] {
        let shown = knowledge(table, &["--show-secrets"]);
        assert!(shown.contains(&spelled("hunter2")[1]), "{shown}");
        for options in [&[][..], &["--redact"]] {
            let rows = knowledge(table, options);
            assert_eq!(rows.contains(&spelled("Heretic2")[1]), options.is_empty(), "{rows}");
            for secret in ["hunter2", "hunter3"].map(spelled).as_flattened() {
                assert!(!rows.contains(secret), "{table} {options:?}: {rows}");
            }
            assert!(!options.contains(&"--redact") || rows.contains(r#""knowledge":null"#));
        }
    }
}

#[test]
fn wrong_files_are_refused_with_their_line() {
    let (folder, [a, b]) = game_in_another_file();
    let header = "server,server_port,knowledge\n";
    let good = learnt(folder.path(), "servers", "csv", &[a]);
    let sessions = learnt(folder.path(), "sessions", "csv", std::slice::from_ref(&b));
    let sessions = fs::read_to_string(&sessions[0]).unwrap();
    let other = fs::read_to_string(&good[0]).unwrap().replace("enemy-territory\"\"", "pong\"\"");
    for (text, complaint) in [
        (sessions.as_str(), "line 1: not a table of servers, masters or endpoints"),
        ("server,server_port\n", "line 1: a table with server needs the column knowledge"),
        (&format!("{header}192.0.2.999,1,\n"), "line 2: not an address: \"192.0.2.999\""),
        (&format!("{header}192.0.2.1,1,\n192.0.2.1,99999,\n"), "line 3: not a port: \"99999\""),
        (&format!("{header}192.0.2.1,1,[7]\n"), "line 2: the column knowledge"),
        ("{\"server\":\"192.0.2.1\"}\n", "line 1: not a table of servers"),
        ("{\"server\n", "line 1: it is not JSON"),
        ("PAR1 and no more", "--known"),
        ("", "not a table of servers, masters or endpoints"),
        (&other, "line 2: the column knowledge: there is no game \"pong\""),
    ] {
        let path = folder.path().join("wrong");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let output = run(&["decode", "--known", path], std::slice::from_ref(&b));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(complaint) && stderr.contains(path), "{complaint}: {stderr}");
    }
    let output = run(&["check", "--known", "missing.csv"], &[b]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("missing.csv: cannot open it"));
}
