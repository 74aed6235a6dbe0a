//! The law of secrets: no output holds one unless it is asked for, whatever protocol it came in
//! and wherever in a message it stands. Each output is also shown to hold what is no secret, and
//! the secrets when they are asked for, so that none passes because it says nothing.

mod marked;
mod story;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use fragshark::capture::{Frames, Input};
use fragshark::dump::{Colour, Secrets};
use fragshark::export::TABLES;
use fragshark::proto::entries;
use fragshark::session::Session;
use fragshark::tui::{Saves, Stage};
use fragshark::wire::{Role, What};
use marked::{Marked, PLAIN, SECRET};
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// What a program writes, whatever its status.
fn run(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    let found_wanting = output.status.code() == Some(1);
    assert!(output.status.success() || found_wanting, "{arguments:?}: {complaint}");
    assert!(!complaint.contains(SECRET), "{arguments:?} complains of a secret: {complaint}");
    [output.stdout, output.stderr].concat()
}

/// The same as text; what Parquet packs is unpacked, of packets only the comments are looked at.
fn text_of(arguments: &[&str]) -> String {
    let bytes = run(arguments);
    if arguments.contains(&"parquet") {
        return parquet_text(bytes);
    }
    if arguments.contains(&"pcapng") {
        return comments(bytes);
    }
    String::from_utf8(bytes).unwrap()
}

#[cfg(feature = "parquet")]
fn parquet_text(bytes: Vec<u8>) -> String {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.parquet");
    fs::write(&file, bytes).unwrap();
    let reader = SerializedFileReader::new(fs::File::open(&file).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().to_string() + "\n").collect()
}

#[cfg(not(feature = "parquet"))]
fn parquet_text(_: Vec<u8>) -> String {
    String::new()
}

fn comments(bytes: Vec<u8>) -> String {
    let input = Input::Memory { name: "comments".to_owned(), bytes: bytes.into() };
    let mut frames = Frames::open(&[input]).unwrap();
    let mut text = String::new();
    while let Some(frame) = frames.next() {
        for comment in frame.comments.iter() {
            text += str::from_utf8(comment).unwrap();
            text.push('\n');
        }
    }
    text
}

/// Asserts that none of the secrets is in a text, in letters or hex digits.
fn hides(text: &str, messages: &[Marked], output: &str) {
    if let Some(at) = text.find(SECRET) {
        let digits = text[at + SECRET.len()..].chars().take(4).collect::<String>();
        let of = digits.parse::<usize>().ok().and_then(|n| messages.get(n));
        let of = of.map(|m| (m.entry, &m.place, m.bytes.escape_ascii().to_string()));
        let line = text[..at].lines().last().unwrap_or_default().to_owned()
            + text[at..].lines().next().unwrap_or_default();
        panic!("{output} shows the secret of {of:?}: {line}");
    }
    let hex: Vec<_> = SECRET.bytes().map(|b| format!("{b:02x}")).collect();
    for form in [hex.join(" "), hex.concat()] {
        assert!(!text.contains(&form), "{output} shows a secret's bytes");
    }
}

/// How many of the markers a text holds.
fn count<'a>(text: &str, markers: impl Iterator<Item = &'a str>) -> (usize, Vec<&'a str>) {
    let (found, missing): (Vec<&str>, Vec<&str>) = markers.partition(|m| text.contains(m));
    (found.len(), missing)
}

/// Messages that are no longer read as what they are when keys are added: then they are not shown.
const KEYS_CHANGE_IT: [&str; 1] = ["gamespy.server-list"];

/// The outputs, and whether each shows all values of all messages.
fn outputs() -> Vec<(Vec<&'static str>, bool)> {
    let mut all = vec![
        (vec!["decode"], false),
        (vec!["decode", "-v"], true),
        (vec!["decode", "--format", "ndjson"], true),
        (vec!["export", "--format", "pcapng"], false),
    ];
    let formats: &[&str] =
        if cfg!(feature = "parquet") { &["csv", "ndjson", "parquet"] } else { &["csv", "ndjson"] };
    for table in TABLES {
        for format in formats {
            let is_all = ["messages", "sessions"].contains(&table.name);
            all.push((vec!["export", "--what", table.name, "--format", format], is_all));
        }
    }
    all
}

#[test]
fn no_output_shows_a_secret_that_is_not_asked_for() {
    let messages = marked::messages();
    assert!(messages.len() > 200, "{} messages", messages.len());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("marked.pcapng");
    fs::write(&file, marked::capture(&messages)).unwrap();
    let file = file.to_str().unwrap();
    for (output, is_all) in outputs() {
        let name = output.join(" ");
        let masked = text_of(&[&output[..], &[file]].concat());
        hides(&masked, &messages, &name);
        let shown = text_of(&[&output[..], &["--show-secrets", file]].concat());
        let plain = || messages.iter().filter_map(|m| m.plain.as_deref());
        let secrets = || messages.iter().filter(|m| !m.place.starts_with("torn"));
        let secrets = || secrets().flat_map(|m| m.secrets.iter().map(String::as_str));
        let (plains, lacks_plain) = count(&masked, plain());
        let (told, lacks) = count(&shown, secrets());
        println!("{name}: {plains} of {}, {told} of {}", plain().count(), secrets().count());
        if is_all && output[2..].first() != Some(&"sessions") {
            let of = |lacks: Vec<&str>| -> BTreeSet<String> {
                let is_in = |m: &&Marked| {
                    lacks
                        .iter()
                        .any(|l| m.secrets.iter().any(|s| s == l) || Some(*l) == m.plain.as_deref())
                };
                messages
                    .iter()
                    .filter(is_in)
                    .filter(|m| !KEYS_CHANGE_IT.contains(&format!("{:?}", m.entry).as_str()))
                    .map(|m| format!("{:?} {}", m.entry, m.place))
                    .collect()
            };
            let (plain, secret) = (of(lacks_plain), of(lacks));
            assert!(plain.is_empty() && secret.is_empty(), "{name} lacks {plain:#?}, {secret:#?}");
        }
        if output.first() == Some(&"decode") || is_all {
            assert!(told > 9, "{name} has {told} secrets to hide");
        }
    }
    for judged in [
        &["check"][..],
        &["check", "--severity", "note", "--format", "json"],
        &["check", "--severity", "note", "--format", "junit"],
        &["explain", "--server", "198.19.0.1"],
        &["explain", "--server", "198.19.0.1", "--format", "json"],
        &["decode", "--count"],
        &["decode", "--count", "--format", "json"],
    ] {
        hides(&text_of(&[judged, &[file]].concat()), &messages, &judged.join(" "));
    }
}

#[test]
fn no_ladder_shows_a_secret_that_is_not_asked_for() {
    let all = marked::messages();
    let short = |m: &&Marked| m.place == "a field" || m.place.starts_with("rcon %");
    let messages: Vec<_> = all.iter().filter(short).collect();
    let folder = tempfile::tempdir().unwrap();
    for form in ["--ladder", "--ladder=svg", "--ladder=mermaid"] {
        let mut told = 0;
        for marked in &messages {
            let file = folder.path().join("one.pcapng");
            fs::write(&file, marked::capture(std::slice::from_ref(marked))).unwrap();
            let file = file.to_str().unwrap();
            hides(&text_of(&["decode", form, file]), &all, form);
            let shown = text_of(&["decode", form, "--show-secrets", file]);
            told += usize::from(shown.contains(SECRET));
        }
        assert!(told > messages.len() / 2, "{form} shows {told} of {} secrets", messages.len());
    }
}

/// Every screen, every row of it, its details and bytes.
fn screens(file: &Path, secrets: Secrets) -> String {
    let (session, loader) = Session::open(&[Input::File(file.into())], Vec::new()).unwrap();
    let session = Arc::new(Mutex::new(session));
    loader.run(&session);
    let saves = Saves { folder: std::env::temp_dir(), stem: "t".to_owned(), inputs: Vec::new() };
    let title = "marked".to_owned();
    let mut stage = Stage::new(session, title, secrets, Colour::Plain, saves);
    let mut terminal = Terminal::new(TestBackend::new(200, 100)).unwrap();
    let mut seen = String::new();
    let mut press = |code: KeyCode| {
        stage.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        while stage.tick() {}
        terminal.draw(|frame| stage.draw(frame)).unwrap();
        let buffer = terminal.backend().buffer();
        for row in buffer.content.chunks(usize::from(buffer.area.width)) {
            seen.extend(row.iter().map(ratatui::buffer::Cell::symbol));
            seen.push('\n');
        }
    };
    for sheet in '1'..='6' {
        press(KeyCode::Char(sheet));
        for _ in 0..60 {
            press(KeyCode::Down);
        }
        press(KeyCode::End);
    }
    seen
}

#[test]
fn no_screen_shows_a_secret_that_is_not_asked_for() {
    let all = marked::messages();
    let folder = tempfile::tempdir().unwrap();
    for (n, part) in all.chunks(40).enumerate() {
        let file = folder.path().join(format!("{n}.pcapng"));
        fs::write(&file, marked::capture(part)).unwrap();
        hides(&screens(&file, Secrets::Masked), part, "the interface");
        if n == 0 {
            let shown = screens(&file, Secrets::Shown);
            assert!(shown.contains(SECRET) && shown.contains(PLAIN), "{shown}");
        }
    }
}

#[test]
fn keys_that_are_listed_and_hold_secrets_say_so() {
    for entry in entries() {
        for line in (entry.outline)().lines {
            let What::View(_, fields) = line.what else { continue };
            for field in fields {
                let is_secret = fragshark::wire::is_secret_key(field.name.as_bytes());
                let is_secret = is_secret && !field.name.starts_with("ngsecret");
                let says_so = field.role == Role::Secret;
                assert!(says_so || !is_secret, "{entry:?}: {}", field.name);
            }
        }
    }
}
