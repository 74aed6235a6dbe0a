//! The columns by which rows of several runs, and of other programs, join: `file`, `community_id`,
//! `flow_id`, `exchange_id`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::needs;
use crate::story::{Format, Link, Side, Story};
use serde_json::Value;
use tempfile::TempDir;

const START: i64 = 1_790_000_000;
const CLIENT: &str = "198.51.100.20:40002";
const OTHER_CLIENT: &str = "198.51.100.21:40002";
const SERVER: &str = "192.0.2.10:27960";
const MASTER: &str = "203.0.113.1:27950";

fn end(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

fn oob(text: &[u8]) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text].concat()
}

fn program(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.current_dir(folder).args(arguments).stderr(Stdio::null());
    command
}

fn parsed(text: &[u8]) -> Vec<Value> {
    let text = str::from_utf8(text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows of a table.
fn rows(folder: &Path, table: &str, files: &[&str]) -> Vec<Value> {
    let mut command = program(folder, &["export", "--what", table, "--format", "ndjson"]);
    parsed(&command.args(files).output().unwrap().stdout)
}

fn column<'a>(rows: &'a [Value], name: &str) -> Vec<&'a str> {
    rows.iter().map(|row| row[name].as_str().unwrap_or("null")).collect()
}

/// The number of an id, and the digits of the inputs.
fn parts(id: &str) -> (&str, u64) {
    let (inputs, number) = id.split_once('-').unwrap();
    assert!(inputs.len() == 16 && inputs.bytes().all(|b| b.is_ascii_hexdigit()), "{id}");
    (inputs, number.parse().unwrap())
}

fn story(second: i64) -> Story {
    Story::new(Link::Ethernet, Format::Pcap, START + second)
}

/// A client asks a server in both files, and in the second a master lists it with port 0.
fn two_files() -> TempDir {
    let folder = TempDir::new().unwrap();
    let (client, server, master) = (end(CLIENT), end(SERVER), end(MASTER));
    let answer = oob(b"infoResponse\n\\hostname\\a");
    let mut first = story(0);
    first.send(client, server, &oob(b"getinfo")).after(10).send(server, client, &answer);
    let mut second = story(2);
    second.send(end(OTHER_CLIENT), server, &oob(b"getinfo")).after(10);
    second.send(server, end(OTHER_CLIENT), &answer).after(10);
    second.send(client, server, &oob(b"getinfo")).after(10);
    second.send(end(OTHER_CLIENT), master, &oob(b"getservers 68 empty full")).after(10);
    let list = oob(b"getserversResponse\\\xc0\x00\x02\x0a\x00\x00\\EOT\0\0\0");
    second.send(master, end(OTHER_CLIENT), &list);
    fs::write(folder.path().join("a.pcap"), first.file()).unwrap();
    fs::write(folder.path().join("b.pcap"), second.file()).unwrap();
    folder
}

#[test]
fn every_row_names_its_file() {
    let folder = two_files();
    let rows = |table| rows(folder.path(), table, &["b.pcap", "./a.pcap"]);
    let file = |table| column(&rows(table), "file").join(" ");
    assert_eq!(file("messages"), "./a.pcap ./a.pcap b.pcap b.pcap b.pcap b.pcap b.pcap");
    assert_eq!(file("flows"), "./a.pcap b.pcap b.pcap", "of the first packet");
    assert_eq!(file("sessions"), "./a.pcap b.pcap b.pcap b.pcap");
    let both = serde_json::json!(["b.pcap", "./a.pcap"]);
    let files = |table| rows(table).iter().map(|row| row["file"].clone()).collect::<Vec<_>>();
    assert_eq!(files("servers"), [both], "in the order of the command line");
    assert_eq!(files("masters"), [serde_json::json!(["b.pcap"])]);
    assert_eq!(files("listed"), [serde_json::json!(["b.pcap"])]);
    for finding in rows("findings") {
        assert_eq!(finding["file"], "b.pcap", "{finding}");
        assert_eq!(finding["community_id"], rows("flows")[2]["community_id"], "{finding}");
    }
    assert!(!rows("findings").is_empty());
}

#[test]
fn a_path_is_escaped_and_standard_input_is_a_dash() {
    let folder = two_files();
    let bytes = fs::read(folder.path().join("a.pcap")).unwrap();
    let odd = "odd\u{1b}[31m \"name\".pcap";
    fs::write(folder.path().join(odd), &bytes).unwrap();
    let named = rows(folder.path(), "messages", &[odd]);
    assert_eq!(column(&named, "file"), ["odd\\x1b[31m \"name\".pcap"; 2]);
    let mut command = program(folder.path(), &["decode", "--format", "ndjson", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let piped = parsed(&child.wait_with_output().unwrap().stdout);
    assert_eq!(column(&piped, "file"), ["-"; 2]);
    assert_ne!(parts(column(&piped, "flow_id")[0]).0, "0000000000000000");
}

#[test]
fn redacted_rows_name_no_file_and_no_flow_of_the_capture() {
    let folder = two_files();
    let plain = rows(folder.path(), "messages", &["a.pcap"]);
    for table in ["messages", "sessions", "flows", "servers"] {
        let mut command = program(folder.path(), &["export", "--what", table, "a.pcap"]);
        let output = command.args(["--format", "ndjson", "--redact"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().count() > 0 && !text.contains("a.pcap"), "{text}");
        let id = plain[0]["community_id"].as_str().unwrap();
        assert!(!text.contains(id), "an id tells the addresses: {text}");
    }
}

#[test]
fn ids_are_those_of_the_run_and_its_captures() {
    let folder = two_files();
    let ids = |table, column_name: &str, files: &[&str]| {
        let rows = rows(folder.path(), table, files);
        column(&rows, column_name).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let flows = ids("flows", "flow_id", &["a.pcap", "b.pcap"]);
    let numbers: Vec<_> = flows.iter().map(|id| parts(id).1).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let messages = ids("messages", "flow_id", &["a.pcap", "b.pcap"]);
    let known: BTreeSet<_> = flows.iter().collect();
    assert!(messages.iter().all(|id| known.contains(id)), "{messages:?} {flows:?}");
    let exchanges = ids("sessions", "exchange_id", &["a.pcap", "b.pcap"]);
    assert_eq!(parts(&exchanges[3]), (parts(&flows[0]).0, 4));
    // The same content has the same ids under another name; other content, or another order, not.
    fs::copy(folder.path().join("a.pcap"), folder.path().join("copy.pcap")).unwrap();
    let inputs = |files: &[&str]| parts(&ids("flows", "flow_id", files)[0]).0.to_owned();
    assert_eq!(inputs(&["a.pcap"]), inputs(&["copy.pcap"]));
    let all = [&["a.pcap"][..], &["b.pcap"], &["a.pcap", "b.pcap"], &["b.pcap", "a.pcap"]];
    let different: BTreeSet<_> = all.iter().map(|files| inputs(files)).collect();
    assert_eq!(different.len(), all.len());
}

#[test]
fn large_captures_differ_by_their_ends_and_lengths() {
    let folder = TempDir::new().unwrap();
    let inputs = |packets: usize, last: &[u8]| {
        let mut story = story(0);
        let server = end(SERVER);
        for _ in 0..packets {
            story.send(end(CLIENT), server, &oob(&[b'x'; 1300])).after(10);
        }
        story.send(end(CLIENT), server, &oob(last));
        fs::write(folder.path().join("large.pcap"), story.file()).unwrap();
        let rows = rows(folder.path(), "messages", &["large.pcap"]);
        parts(column(&rows, "flow_id")[0]).0.to_owned()
    };
    // 200 packets are more than twice 64 KiB.
    let all: BTreeSet<_> = [(200, b"getinfo 1"), (200, b"getinfo 2"), (201, b"getinfo 1")]
        .into_iter()
        .map(|(packets, last)| inputs(packets, last))
        .collect();
    assert_eq!(all.len(), 3);
}

#[test]
fn community_ids_are_those_of_tshark() {
    let Some([tshark]) = needs::programs("community_ids_are_those_of_tshark", ["tshark"]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let mut story = story(0);
    let request = b"\\gamename\\unreal\\gamever\\1\\location\\0\\validate\\abcdefgh\\final\\";
    for (client, server) in [
        (CLIENT, "203.0.113.2:28900"),
        ("[2001:db8::20]:40002", "[2001:db8::2]:28900"),
        // The server has the lower address.
        ("[2001:db8::20]:40002", "[2001:db8::1]:28900"),
    ] {
        let messages = [(Side::Server, &b"\\basic\\\\secure\\abcdef"[..]), (Side::Client, request)];
        story.converse(end(client), end(server), &messages, 1400).after(10);
        story.send(end(client), end(server), &oob(b"getinfo")).after(10);
        story.send(end(server), end(client), &oob(b"infoResponse\n\\hostname\\a")).after(10);
    }
    let file: PathBuf = folder.path().join("flows.pcap");
    fs::write(&file, story.file()).unwrap();
    let mut command = Command::new(tshark);
    command.args(["--enable-protocol", "communityid", "-T", "fields", "-e", "frame.number"]);
    let output = command.args(["-e", "communityid", "-r"]).arg(&file).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let theirs: Vec<(u64, &str)> = text
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(number, id)| (number.parse().unwrap(), id))
        .collect();
    let ours = rows(folder.path(), "messages", &["flows.pcap"]);
    assert!(ours.len() >= 12, "{} messages", ours.len());
    for row in &ours {
        let number = row["number"].as_u64().unwrap();
        let (_, id) = theirs.iter().find(|(theirs, _)| *theirs == number).unwrap();
        assert_eq!(row["community_id"], *id, "{row}");
    }
    // Both transports, and a filter by the same text.
    let transports: BTreeSet<_> = column(&ours, "transport").into_iter().collect();
    assert_eq!(transports.len(), 2);
    let filter = format!("communityid == \"{}\"", theirs[0].1);
    let selected = rows(folder.path(), "messages", &["flows.pcap", "-Y", &filter]);
    assert!(!selected.is_empty() && selected.len() < ours.len());
}
