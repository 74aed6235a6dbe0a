//! The program as users and other programs run it: arguments, output, exit status.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use crate::{corpus, documents, golden, story};
use assert_cmd::Command;
use export::{MessageRow, Row, TABLES, Table};
use fragshark::capture::{Frames, Input, write};
use fragshark::codec::{Coding as _, Huffman};
use regex::Regex;
use serde_json::Value;
use story::{Format, Link, Story};
use tempfile::TempDir;

const CLIENT: &str = "198.51.100.20:40002";
const SERVER: &str = "192.0.2.10:27960";
const MASTER: &str = "203.0.113.1:27950";

/// A text that must stay hidden.
const SECRET: &str = "topsecret";

fn fragshark(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("fragshark").unwrap();
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("NO_COLOR");
    command
}

/// Standard output of a run that succeeds without any complaint.
fn done(arguments: &[&str]) -> String {
    let output = fragshark(arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// Standard error of a run that must fail.
fn refused(arguments: &[&str]) -> String {
    let output = fragshark(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let complaint = String::from_utf8(output.stderr).unwrap();
    let rest = complaint.strip_prefix("fragshark: ");
    let rest = rest.unwrap_or_else(|| panic!("{arguments:?}: {complaint}"));
    rest.strip_suffix('\n').unwrap().to_owned()
}

fn oob(text: &[u8]) -> Vec<u8> {
    [b"\xff\xff\xff\xff", text].concat()
}

fn end(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

/// A directory with captures.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Messages of every form of value, with text that is dangerous on a terminal or in a spreadsheet.
fn odd_messages() -> Story {
    let [client, server, master] = [CLIENT, SERVER, MASTER].map(end);
    let mut connect = b"connect ".to_vec();
    let settings = format!(r#""\challenge\1\cl_guid\{SECRET}\name\^1x\rate\5\rate\6""#);
    Huffman.apply(settings.as_bytes(), &mut connect).unwrap();
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_795_248_000);
    story
        .send(client, master, &oob(b"getservers 68 empty full"))
        .after(1)
        .send(master, client, &oob(b"getserversResponse\\\xc0\0\x02\x5c\x6d\x38\\EOT\0\0\0"))
        .send(server, client, &oob(b"infoResponse\n\\hostname\\=cmd()\\game\\\\game\\b\\x"))
        .send(
            server,
            client,
            &oob(b"statusResponse\n\\mapname\\q3dm6\n12 50 \"a \"b\" c\"\n-3 0 \"\xf6\"\n"),
        )
        .send(client, server, &oob(&connect))
        .send(server, client, &oob(b"print\n\x1b[31m\x9b0mred\x07\xc2\x9b,\"\xe2\x80\xae\r\n"))
        .send(server, client, &oob(b"print\n@SUM(A1)"))
        .send(client, master, &oob(format!("getKeyAuthorize 0 {SECRET}").as_bytes()))
        .send(client, master, &oob(b"getservers 68x full"))
        .send(server, client, b"no message at all");
    story
}

#[test]
fn rows_of_every_form_of_value() {
    let folder = Folder::new();
    let file = folder.write("odd.pcap", &odd_messages().file());
    let rows = done(&["export", &file, "--what", "messages", "--format", "csv"]);
    insta::assert_snapshot!(rows.replace(&file, "odd.pcap"));
}

#[test]
fn lines_for_people() {
    let folder = Folder::new();
    let file = folder.write("odd.pcap", &odd_messages().file());
    insta::assert_snapshot!(done(&["decode", &file]));
    let coloured = done(&["decode", "--color", "always", &file]);
    let ansi: usize = coloured.matches("\x1b[").count();
    // A game and a name on each line, and the player's name in the colour of its code.
    assert_eq!(ansi, 9 * 4 + 2, "{coloured}");
    assert!(coloured.contains("\x1b[91mx\x1b[0m") && !coloured.contains("^1x"), "{coloured}");
    assert_eq!(done(&["--color", "never", "decode", &file]), done(&["decode", &file]));
}

#[test]
fn dumps_are_the_golden_transcripts() {
    for capture in ["captures/tour.pcapng", "captures/quake3/fragments.pcapng"] {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join(capture).with_extension("dump");
        let golden = std::fs::read_to_string(golden).unwrap();
        let dump = done(&["decode", "-v", capture]);
        // The classification of flows follows the messages.
        assert!(golden.strip_prefix(&dump).unwrap().starts_with("flow 1 "), "{capture}");
    }
}

/// A row's cells in CSV.
fn cells(row: &Value) -> Vec<String> {
    let cell = |value: &Value| match value {
        Value::String(text) if text.starts_with(['=', '+', '-', '@']) => format!("'{text}"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    MessageRow::COLUMNS.iter().map(|column| cell(&row[column.name])).collect()
}

#[test]
fn ndjson_says_what_csv_says() {
    let folder = Folder::new();
    let story = folder.write("odd.pcap", &odd_messages().file());
    let tour = "captures/tour.pcapng".to_owned();
    for file in [story, tour] {
        let csv = done(&["export", "--what", "messages", &file]);
        let mut csv = csv::Reader::from_reader(csv.as_bytes());
        let names: Vec<_> = MessageRow::COLUMNS.iter().map(|c| c.name).collect();
        assert_eq!(csv.headers().unwrap(), names);
        let ndjson = done(&["decode", "--format", "ndjson", &file]);
        assert_eq!(ndjson, done(&["export", "--what", "messages", "--format", "ndjson", &file]));
        let mut lines = ndjson.lines();
        for record in csv.records() {
            let record = record.unwrap();
            let row: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
            let keys = row.as_object().unwrap().len();
            assert_eq!(keys, names.len());
            let fields: Value = serde_json::from_str(&record[names.len() - 1]).unwrap();
            assert_eq!(fields, row["fields"]);
            let [csv, json]: [Vec<_>; 2] =
                [record.iter().map(str::to_owned).collect(), cells(&row)];
            assert_eq!(csv[..names.len() - 1], json[..names.len() - 1]);
        }
        assert_eq!(lines.next(), None);
    }
}

#[test]
fn every_documented_message_has_its_row() {
    let mut story = Story::new(Link::RawIp, Format::PcapNg, 1_795_248_000);
    let games: Vec<_> = fragshark::protocols::registry().games().map(|g| g.id).collect();
    let documented: Vec<_> = corpus::documented();
    let documented: Vec<_> = documented
        .iter()
        .filter(|m| games.contains(&m.game.as_str()) && m.transport == "udp")
        .collect();
    for (n, message) in documented.iter().enumerate() {
        let host = u8::try_from(n + 1).unwrap();
        let end = |port: Option<u16>, net: [u8; 3]| {
            SocketAddr::from(([net[0], net[1], net[2], host], port.unwrap_or(40_000)))
        };
        let [from, to] = message.ports;
        story.after(1000).send(end(from, [192, 0, 2]), end(to, [203, 0, 113]), &message.bytes);
    }
    let folder = Folder::new();
    let file = folder.write("all.pcapng", &story.file());
    let rows = done(&["decode", "--format", "ndjson", &file]);
    let rows: Vec<Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.len(), documented.len());
    for (row, message) in rows.iter().zip(documented) {
        // The second part of a status has players alone, and here nothing identifies it.
        let is_part = message.id == "unreal-tournament/5.3/3";
        let name = if is_part { "players" } else { message.name.as_str() };
        assert_eq!(row["message"], name, "{}", message.id);
        assert_eq!(row["fault"], "", "{}", message.id);
        let way = message.way.to_string();
        let roles = row["direction"].as_str().unwrap().split("-to-").zip(way.split("-to-"));
        roles.for_each(|(is, should)| assert!([should, "unknown"].contains(&is), "{}", message.id));
        assert_eq!(row["length_bytes"], message.bytes.len(), "{}", message.id);
    }
}

#[test]
fn nothing_that_a_terminal_obeys_gets_out() {
    let folder = Folder::new();
    let [client, server] = [CLIENT, SERVER].map(end);
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_795_248_000);
    let every: Vec<u8> = (0..=255).collect();
    let hidden = "\u{7f}\u{80}\u{9b}\u{9f}\u{ad}\u{200b}\u{202e}\u{2028}\u{2066}\u{feff}\u{e0041}";
    for text in [&every[..], hidden.as_bytes()] {
        let key: Vec<u8> = text.iter().copied().filter(|b| !b"\\\"\n".contains(b)).collect();
        for (from, to, parts) in [
            (server, client, [b"print\n", text]),
            (server, client, [b"infoResponse\n\\hostname\\", text]),
            (server, client, [b"infoResponse\n\\", &key]),
            (server, client, [b"statusResponse\n\\a\\1\n1 2 \"", &key]),
            (client, server, [b"getservers ", text]),
            (client, server, [b"getinfo ", text]),
            (client, server, [b"connect \"\\name\\", &key]),
        ] {
            story.send(from, to, &oob(&parts.concat()));
        }
    }
    let file = folder.write("hostile.pcap", &story.file());
    for arguments in [
        &["decode"][..],
        &["decode", "-v"],
        &["decode", "--format", "ndjson"],
        &["decode", "--count"],
        &["export", "--what", "messages"],
    ] {
        let out = done(&[arguments, &[&file]].concat());
        let bad = out.chars().find(|c| *c != '\n' && fragshark::text::is_hidden(*c));
        assert_eq!(bad, None, "{arguments:?}");
    }
}

#[test]
fn secrets_are_shown_to_those_who_ask() {
    let folder = Folder::new();
    let file = folder.write("odd.pcap", &odd_messages().file());
    let hex = hex::encode(SECRET);
    for arguments in [
        &["decode"][..],
        &["decode", "-v"],
        &["decode", "--format", "ndjson"],
        &["export", "--what", "messages"],
    ] {
        let tells = |out: String| out.contains(SECRET) || out.replace(' ', "").contains(&hex);
        assert!(!tells(done(&[arguments, &[&file]].concat())), "{arguments:?}");
        let shown = [arguments, &["--show-secrets", &file]].concat();
        assert!(tells(done(&shown)), "{arguments:?}");
    }
}

#[test]
fn standard_input_is_a_file_or_a_pipe() {
    let folder = Folder::new();
    let bytes = odd_messages().file();
    let file = folder.write("odd.pcap", &bytes);
    let piped = |command: &mut Command| {
        let output = command.write_stdin(bytes.clone()).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    // With one pass or two: in this capture later packets change nothing before them.
    let rows = done(&["export", "--what", "messages", &file]);
    // Of a file its first and last bytes identify it, of a pipe its first packet.
    let inputs = Regex::new(r",[0-9a-f]{16}-").unwrap();
    let of_pipe = piped(&mut fragshark(&["export", "--what", "messages", "-"]));
    let rows = inputs.replace_all(&rows, ",").replace(&format!("\n{file},"), "\n-,");
    assert_eq!(inputs.replace_all(&of_pipe, ","), rows);
    assert_eq!(piped(&mut fragshark(&["decode", "-v", "-"])), done(&["decode", "-v", &file]));
    let counts = done(&["decode", "--count", &file]);
    assert_eq!(piped(&mut fragshark(&["decode", "--count", "-"])), counts);
    let redirected = fragshark(&["decode", "--count", "-"]).pipe_stdin(&file).unwrap().output();
    assert_eq!(String::from_utf8(redirected.unwrap().stdout).unwrap(), counts);
}

#[test]
fn counts_in_both_forms() {
    let folder = Folder::new();
    let file = folder.write("odd.pcap", &odd_messages().file());
    insta::assert_snapshot!(done(&["decode", "--count", &file]));
    let json: Value =
        serde_json::from_str(&done(&["decode", "--count", "--format", "json", &file])).unwrap();
    assert_eq!(json["packets"], 10);
    assert_eq!(json["messages"]["quake3"]["print"], 2);
}

#[test]
fn a_flow_is_decoded_as_the_user_says() {
    let folder = Folder::new();
    let file = folder.write("odd.pcap", &odd_messages().file());
    for (documented, rows) in
        [("1=rtcw", 4), (&format!("{SERVER}=rtcw"), 5), (&format!("{CLIENT}=rtcw"), 9)]
    {
        let out = done(&["export", "--what", "messages", "--decode-as", documented, &file]);
        assert_eq!(out.matches(",rtcw,").count(), rows, "{documented}:\n{out}");
    }
}

#[test]
fn what_can_not_be_run_says_why() {
    let folder = Folder::new();
    let file = folder.write("odd.pcap", &odd_messages().file());
    let text = folder.write("text", b"#!/bin/sh\n\x1b[31m");
    let empty = folder.write("empty", b"");
    for (arguments, why) in [
        (&["decode", "/no/such/file"][..], "cannot open /no/such/file: "),
        (&["decode", &text], " is no capture"),
        (&["decode", &empty], " is empty"),
        (&["decode", &file, &text], " is no capture"),
        (&["decode"], "standard input is empty"),
        (&["decode", "--bogus"], "unexpected argument '--bogus'"),
        (&["decode", "--count", "--format", "ndjson", &file], "not ndjson"),
        (&["decode", "-v", "--format", "ndjson", &file], "not ndjson"),
        (&["decode", "--format", "json", &file], "needs --count"),
        (&["decode", "--decode-as", "1=pong", &file], "unknown game pong; the games are quake3"),
        (&["--show-secrets", "decode", &file], "follow the command"),
        (&["export", "--format", "pcapng", "--what", "messages", &file], "--what selects a table"),
        (&["export", "--redact-key", "x", "--what", "messages", &file], "--redact"),
        (&["export", "--what", "messages", &file, "-o", "/no/such/folder/x"], "cannot write"),
        (&[], "needs a terminal"),
        (&[&file], "needs a terminal"),
        (&["open", &file], "needs a terminal"),
        (&["open", "-Y", "gmae == rtcw", &file], "column 1: no name is gmae; did you mean game?"),
        (&["-i", "lo", "-Y", "udp port 27960"], "a capture filter is given with -f"),
        (&["open", "--screen", "severs"], "no screen is named \"severs\"; did you mean servers?"),
        (&["open", "--screen", "0"], "no screen is named \"0\"; the screens are messages, "),
        (&["open", "--sort", "time:down"], "\"down\" is no direction; give asc or desc"),
        (&["open", "--config", "no/such"], "needs a terminal"),
        (&["config", "--config", "no/such"], "cannot read no/such: "),
        (&["--screen", "servers", "decode", &file], "arguments must follow the command"),
    ] {
        let complaint = refused(arguments);
        assert!(complaint.contains(why), "{arguments:?}: {complaint}");
        let first = complaint.chars().next().unwrap();
        assert!(
            !first.is_uppercase() && !complaint.trim_end_matches("...").ends_with('.'),
            "{complaint}"
        );
        assert!(!complaint.contains('\x1b'), "{complaint}");
    }
    assert_eq!(refused(&["decode", &text]).lines().count(), 1);
    assert!(refused(&[]).contains("Usage: fragshark"));
}

#[test]
fn damage_is_a_warning() {
    let folder = Folder::new();
    let mut bytes = odd_messages().file();
    bytes.truncate(bytes.len() - 5);
    let file = folder.write("cut.pcap", &bytes);
    let output = fragshark(&["decode", &file]).output().unwrap();
    assert!(output.status.success());
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.starts_with("fragshark: warning: ") && warning.contains("cut.pcap: byte "));
    assert_eq!(warning.lines().count(), 2);
    assert!(warning.ends_with("damaged input: 1 place; the readable part was used\n"));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 9);
}

#[test]
fn a_frame_that_was_cut_says_so() {
    let folder = Folder::new();
    let [client, server] = [CLIENT, SERVER].map(end);
    let mut story = Story::new(Link::RawIp, Format::Pcap, 1_795_248_000);
    story.send(server, client, &oob(b"infoResponse\n\\hostname\\a long name\\mapname\\q3dm17"));
    let whole = Input::Memory { name: "whole".to_owned(), bytes: story.file().into() };
    let mut frames = Frames::open(&[whole]).unwrap();
    let frame = frames.next().unwrap();
    let mut cut = write::PcapWriter::new(Vec::new(), frame.link, 0).unwrap();
    let bytes = &frame.bytes[..frame.bytes.len() - 6];
    cut.write(&write::FrameRecord { bytes, ..frame.into() }).unwrap();
    let file = folder.write("cut.pcap", &cut.finish().unwrap());
    let row: Value = serde_json::from_str(&done(&["decode", "--format", "ndjson", &file])).unwrap();
    assert_eq!(row["fault"], "6 bytes were not captured");
    assert_eq!(row["fields"]["info"]["mapname"], "");
    assert!(done(&["decode", &file]).ends_with(" ! 6 bytes were not captured\n"));
}

#[test]
fn a_file_appears_when_it_is_whole() {
    let folder = Folder::new();
    let bytes = odd_messages().file();
    let file = folder.write("odd.pcap", &bytes);
    let rows = done(&["export", "--what", "messages", &file]);
    let target = folder.path("rows.csv");
    let target = target.to_str().unwrap();
    for _ in 0..2 {
        assert_eq!(done(&["export", "--what", "messages", &file, "-o", target]), "");
        assert_eq!(std::fs::read_to_string(target).unwrap(), rows);
    }
    assert_eq!(folder.names(), ["odd.pcap", "rows.csv"]);

    // An input must not be the output, by any name.
    std::os::unix::fs::symlink(&file, folder.path("link")).unwrap();
    let link = folder.path("link");
    for output in [file.as_str(), link.to_str().unwrap()] {
        let complaint = refused(&["export", "--what", "messages", &file, "-o", output]);
        assert!(complaint.contains("is an input"), "{complaint}");
    }
    let mut redirected = std::process::Command::new(assert_cmd::cargo::cargo_bin("fragshark"));
    redirected.args(["export", "--what", "messages", "-", "-o", &file]);
    redirected.stdin(std::fs::File::open(&file).unwrap());
    assert_eq!(redirected.output().unwrap().status.code(), Some(2));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);

    // A failed run keeps the existing file.
    let before = folder.names();
    refused(&["export", "--what", "messages", "/no/such/file", "-o", target]);
    assert_eq!(std::fs::read_to_string(target).unwrap(), rows);
    assert_eq!(folder.names(), before);
    assert_eq!(done(&["export", "--what", "messages", &file, "-o", "/dev/null"]), "");
    assert_eq!(done(&["export", "--what", "messages", &file, "-o", "-"]), rows);
}

/// Every command can write its output to a file, with the same contents.
#[test]
fn every_report_can_go_to_a_file() {
    let folder = Folder::new();
    let bad = "captures/findings/list.end-missing.pcapng";
    for (arguments, status) in [
        (&["decode", bad][..], 0),
        (&["decode", "--count", "--format", "json", bad], 0),
        (&["decode", "--sequence=svg", bad], 0),
        (&["check", bad], 1),
        (&["check", "--format", "json", bad], 1),
        (&["check", "--format", "ndjson", bad], 1),
        (&["check", "--format", "junit", bad], 1),
        (&["explain", "--server", "192.0.2.10", "captures/tour.pcapng"], 0),
        (&["explain", "--server", "192.0.2.10", "--format", "json", "captures/tour.pcapng"], 0),
        (&["catalogue"], 0),
        (&["catalogue", "--format", "json"], 0),
        (&["catalogue", "--format", "markdown"], 0),
        (&["conform", "--list"], 0),
    ] {
        let printed = fragshark(arguments).output().unwrap();
        assert!(!printed.stdout.is_empty(), "{arguments:?}");
        let path = folder.path("report");
        let to = [arguments, &["-o", path.to_str().unwrap(), "--color", "always"]].concat();
        let written = fragshark(&to).output().unwrap();
        assert_eq!((written.status.code(), &*written.stdout), (Some(status), &b""[..]), "{to:?}");
        assert_eq!(printed.status.code(), Some(status), "{arguments:?}");
        assert!(std::fs::read(&path).unwrap() == printed.stdout, "{arguments:?}");
    }
    assert_eq!(folder.names(), ["report"]);
}

#[test]
fn a_report_does_not_replace_what_it_is_about() {
    let folder = Folder::new();
    let file = folder.write("odd.pcap", &odd_messages().file());
    for arguments in [
        &["decode", &file, "-o", &file][..],
        &["check", &file, "-o", &file],
        &["explain", "--server", "192.0.2.10", &file, "-o", &file],
        &["replay", &file, "-o", &file],
        &["conform", "diff", &file, &file, "-o", &file],
    ] {
        let output = fragshark(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(std::fs::read(&file).unwrap() == odd_messages().file(), "{arguments:?}");
    }
}

/// A registration has the same content in JSON and as text.
#[test]
fn steps_of_a_registration_are_objects_too() {
    let base = ["explain", "--server", "192.0.2.10", "captures/tour.pcapng"];
    let all: Vec<Value> =
        serde_json::from_str(&done(&[&base[..], &["--format", "json"]].concat())).unwrap();
    let text = done(&base);
    assert!(!all.is_empty());
    for one in all {
        let master = one["master"].as_str().unwrap();
        assert!(text.contains(&format!("at master {master}\n")), "{text}");
        for step in one["steps"].as_array().unwrap() {
            assert!(text.contains(step["text"].as_str().unwrap()), "{step}");
        }
        assert!(text.contains(one["verdict"].as_str().unwrap()), "{text}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::new();
    let [client, server] = [CLIENT, SERVER].map(end);
    let mut story = Story::new(Link::RawIp, Format::Pcap, 1_795_248_000);
    for _ in 0..20_000 {
        story.after(10).send(client, server, &oob(b"getinfo xxx"));
    }
    let file = folder.write("long.pcap", &story.file());
    for arguments in [
        &["decode", &file][..],
        &["decode", "--format", "ndjson", &file],
        &["decode", "-v", &file],
        &["export", "--what", "messages", &file],
        &["export", "--what", "messages", "--format", "arrow", &file],
    ] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_fragshark"))
            .args(arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
    }
}

/// `docs/export.md` shows the output of commands. `UPDATE=1` writes it again.
#[test]
fn the_page_tells_what_is_written() {
    let is = std::fs::read_to_string(golden::path("docs/export.md")).unwrap();
    golden::check("docs/export.md", page(&is));
}

/// Every column of every table, and its names in other programs.
#[test]
fn the_page_of_columns_is_what_the_code_says() {
    let sections: String = TABLES.iter().map(section).collect();
    documents::check_reference("export-columns.md", &(sections + &names_elsewhere()));
}

/// The page with the output of its commands generated again.
fn page(text: &str) -> String {
    let mut parts = text.split("```console\n$ fragshark ");
    let mut page = parts.next().unwrap().to_owned();
    for part in parts {
        let (command, rest) = part.split_once('\n').unwrap();
        let (_, rest) = rest.split_once("```\n").unwrap_or(("", rest));
        let out = printed(command);
        page += &["```console\n$ fragshark ", command, "\n", &out, "```\n", rest].concat();
    }
    page
}

/// What columns are called in other programs, as a section.
fn names_elsewhere() -> String {
    let row = |names: &export::ColumnNames| {
        let of = if names.table.is_empty() { "" } else { " of " };
        let column = ["`", names.column, "`", of, names.table];
        let others =
            [names.zeek, names.suricata, &names.ecs.join(", "), names.tshark].map(|name| {
                let name = name.replace(", ", "`, `").replace(" (", "` (");
                let end = if name.ends_with(')') { "" } else { "`" };
                if name.is_empty() { String::new() } else { format!("`{name}{end} ") }
            });
        let has_any = others.iter().any(|name| !name.is_empty());
        let row = format!("| {} | {}|\n", column.concat(), others.join("| "));
        if has_any { row } else { String::new() }
    };
    let rows: String = export::COLUMN_NAMES.iter().map(row).collect();
    let head = "| column | Zeek | Suricata | ECS | tshark |\n|---|---|---|---|---|\n";
    let explained = "[Export](../export.md#names-elsewhere) explains where values differ.";
    format!("## Names elsewhere\n\n{explained}\n\n{head}{rows}")
}

/// A table as a section.
fn section(table: &Table) -> String {
    let row = |c: &export::Column| {
        let unit = if c.unit.is_empty() { String::new() } else { format!("{} ", c.unit) };
        let none = if c.optional { ", or nothing" } else { "" };
        format!("| `{}` | {}{none} | {unit}| {} |\n", c.name, c.kind, c.meaning)
    };
    let rows: String = table.columns.iter().map(row).collect();
    let Table { name, row, alias, .. } = table;
    let or = alias.map(|alias| format!(" `--what {alias}` is the same.")).unwrap_or_default();
    let head = "| column | type | unit | meaning |\n|---|---|---|---|\n";
    format!("## `--what {name}`\n\nOne row per {row}.{or}\n\n{head}{rows}\n")
}

/// The output of a command, or those of its lines that `| sed -n '1p;4p'` names.
fn printed(command: &str) -> String {
    let (command, lines) = command.split_once(" | sed -n ").unwrap_or((command, ""));
    let out = done(&command.split(' ').collect::<Vec<_>>());
    let number = |line: &str| line.trim_end_matches('p').parse::<usize>().unwrap();
    let wanted: Vec<_> = lines.trim_matches('\'').split(';').filter(|l| !l.is_empty()).collect();
    let all = out.split_inclusive('\n');
    match wanted.as_slice() {
        [] => out.clone(),
        wanted => wanted.iter().map(|line| all.clone().nth(number(line) - 1).unwrap()).collect(),
    }
}
