//! No output contains a secret unless requested, for every protocol and every place in a message.
//! Each output is also shown to contain values that are no secrets, and the secrets if requested,
//! so that none passes because it is empty.

use fragshark::protocols::registry;
use std::collections::BTreeSet;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::{marked, story};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use export::TABLES;
use fragshark::analysis::{Prepared, Session};
use fragshark::capture::{Frames, Input};
use fragshark::codec::{FieldRole, OutlinePart};
use fragshark::render::Colour;
use fragshark::text::Secrets;
use marked::{Marked, PLAIN, SECRET};
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use story::{Format, Link, Story};
use tui::{App, Options, Saves};

/// The output of a program and what it complains of, whatever its status.
fn run(arguments: &[&str]) -> [Vec<u8>; 2] {
    let output = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    let found_wanting = output.status.code() == Some(1);
    assert!(output.status.success() || found_wanting, "{arguments:?}: {complaint}");
    assert!(!complaint.contains(SECRET), "{arguments:?} complains of a secret: {complaint}");
    [output.stdout, output.stderr]
}

/// The same as text; Parquet is unpacked, and of packets only the comments are read.
fn text_of(arguments: &[&str]) -> String {
    let [bytes, complaint] = run(arguments);
    if arguments.contains(&"parquet") {
        return parquet_text(bytes);
    }
    if arguments.contains(&"pcapng") {
        return comments(bytes);
    }
    if arguments.contains(&"arrow") {
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    String::from_utf8([bytes, complaint].concat()).unwrap()
}

/// The rows of a file, as text.
#[cfg(feature = "parquet")]
pub fn parquet_text(bytes: Vec<u8>) -> String {
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

/// Messages that no longer decode as such with more keys or with another value, with the place:
/// then they are not shown.
const CHANGED: [&str; 3] = [
    "gamespy.server-list ",
    "gamespy.report-reply a value that is quoted",
    // The value is shorter than a proof.
    "half-life.admin a field",
];

/// Outputs that cannot contain any free value of a message, and why. Nothing is seen in them with
/// `--show-secrets` either, which is tested too.
const NO_VALUES: [(&str, &str); 9] = [
    ("decode --count", "names of messages and of games, and numbers"),
    ("export --what listed", "addresses, the games that are known, and times"),
    ("export --what masters", "addresses, the games that are known, and numbers"),
    ("export --what registrations", "the same, and times"),
    ("export --what endpoints", "addresses, roles, and what tells games, in hex digits"),
    ("the screen of masters", "the same"),
    ("the screen of statistics", "addresses, the games that are known, and numbers"),
    ("the screen of the catalogue", "the specification"),
    ("the screen of the ladder", "texts are cut to the lanes of hosts"),
];

/// Whether an output is one that has no values.
fn has_no_values(output: &str) -> bool {
    NO_VALUES.iter().any(|(name, _)| output.starts_with(name))
}

/// The outputs, and whether each shows all values of all messages.
fn outputs() -> Vec<(Vec<&'static str>, bool)> {
    let mut all = vec![
        (vec!["decode"], false),
        (vec!["decode", "-v"], true),
        (vec!["decode", "--format", "ndjson"], true),
        (vec!["decode", "--count"], false),
        (vec!["decode", "--count", "--format", "json"], false),
        (vec!["export", "--format", "pcapng"], false),
        (vec!["report", "--messages", "100000"], false),
    ];
    for format in ["text", "json", "ndjson", "junit"] {
        all.push((vec!["check", "--severity", "note", "--format", format], false));
    }
    for format in ["text", "json"] {
        all.push((vec!["explain", "--server", "192.0.2", "--format", format], false));
    }
    let formats: &[&str] = if cfg!(feature = "parquet") {
        &["csv", "ndjson", "parquet", "arrow"]
    } else {
        &["csv", "ndjson"]
    };
    for table in TABLES {
        for format in formats {
            let is_all = ["messages", "sessions"].contains(&table.name);
            all.push((vec!["export", "--what", table.name, "--format", format], is_all));
        }
    }
    all
}

/// Traffic that is judged, listed and reported, each with a secret in a quoted part.
fn judged() -> Story {
    let end = |text: &str| text.parse::<SocketAddr>().unwrap();
    let (quake3, master) = (end("192.0.2.10:27960"), end("203.0.113.1:27950"));
    let (xonotic, client) = (end("192.0.2.11:26000"), end("203.0.113.7:40000"));
    let (quake2, unreal) = (end("192.0.2.12:27910"), end("192.0.2.13:7778"));
    let datagrams: [(SocketAddr, SocketAddr, &[u8]); 11] = [
        (quake3, master, b"\xff\xff\xff\xffheartbeat QuakeArena-1\n"),
        (master, quake3, b"\xff\xff\xff\xffgetinfo A\\rcon_password\\Zq7xJ1"),
        (xonotic, master, b"\xff\xff\xff\xffheartbeat DarkPlaces\n"),
        (master, xonotic, b"\xff\xff\xff\xffgetinfo abcdefgh"),
        (
            xonotic,
            master,
            b"\xff\xff\xff\xffinfoResponse\n\\gamename\\Xonotic\\protocol\\3\\clients\\1\
            \\sv_maxclients\\8\\hostname\\x\0password\0Zq7xJ2\\challenge\\abcdefgh",
        ),
        (client, master, b"\xff\xff\xff\xffgetservers Xonotic 3 empty full"),
        (master, client, b"\xff\xff\xff\xffgetserversResponse\\\xc0\0\x02\x0b\x65\x90\\EOT\0\0\0"),
        (client, quake2, b"\xff\xff\xff\xffstatus\n"),
        (
            quake2,
            client,
            b"\xff\xff\xff\xffprint\n\\version\\R1Q2 rcon_password=Zq7xJ3\\mapname\\q2dm1\n",
        ),
        (client, unreal, b"\\status\\"),
        (
            unreal,
            client,
            b"\\gamename\\ut\\player_0\\Bob\\frags_0\\1\\guid_0\\Zq7xJ4\\queryid\\1.1\\final\\",
        ),
    ];
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, 1_070_308_800);
    for (from, to, payload) in datagrams {
        story.after(1_000_000).send(from, to, payload);
    }
    story
}

#[test]
fn no_output_shows_a_secret_that_is_not_asked_for() {
    let messages = marked::messages();
    assert!(messages.len() > 200, "{} messages", messages.len());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("marked.pcapng");
    let mut story = marked::story(&messages);
    story.meanwhile(judged());
    fs::write(&file, story.file()).unwrap();
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
        let (shown_secrets, lacks) = count(&shown, secrets());
        println!(
            "{name}: {plains} of {}, {shown_secrets} of {}",
            plain().count(),
            secrets().count()
        );
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
                    .map(|m| format!("{:?} {}", m.entry, m.place))
                    .filter(|m| !CHANGED.iter().any(|changed| m.starts_with(changed)))
                    .collect()
            };
            let (plain, secret) = (of(lacks_plain), of(lacks));
            assert!(plain.is_empty() && secret.is_empty(), "{name} lacks {plain:#?}, {secret:#?}");
        }
        // The test detects secrets: the same output shows them if requested.
        assert_eq!(shown.contains(SECRET), !has_no_values(&name), "{name}: {shown}");
        if is_all {
            assert!(shown_secrets > 9, "{name} has {shown_secrets} secrets to hide");
        }
    }
}

#[test]
fn no_ladder_shows_a_secret_that_is_not_asked_for() {
    let all = marked::messages();
    let short = |m: &&Marked| m.place == "a field" || m.place.starts_with("rcon %");
    let messages: Vec<_> = all.iter().filter(short).collect();
    let folder = tempfile::tempdir().unwrap();
    for form in ["--sequence", "--sequence=svg", "--sequence=mermaid"] {
        let mut shown_secrets = 0;
        for marked in &messages {
            let file = folder.path().join("one.pcapng");
            fs::write(&file, marked::capture(std::slice::from_ref(marked))).unwrap();
            let file = file.to_str().unwrap();
            hides(&text_of(&["decode", form, file]), &all, form);
            let shown = text_of(&["decode", form, "--show-secrets", file]);
            shown_secrets += usize::from(shown.contains(SECRET));
        }
        assert!(
            shown_secrets > messages.len() / 2,
            "{form} shows {shown_secrets} of {} secrets",
            messages.len()
        );
    }
}

/// The screens of the interface, by the keys that lead to them, and rows enough for what they show of
/// a message.
const SCREENS: [(char, &str, u16); 8] = [
    ('1', "the screen of messages", 100),
    ('2', "the screen of exchanges", 70),
    ('3', "the screen of servers", 70),
    ('4', "the screen of masters", 70),
    ('5', "the screen of findings", 70),
    ('6', "the screen of the ladder", 70),
    ('7', "the screen of flows", 70),
    ('8', "the screen of statistics", 70),
];

/// The screen that is the same for all captures.
const CATALOGUE: (char, &str, u16) = ('9', "the screen of the catalogue", 70);

/// Every screen, every row of it, its details and bytes.
fn screens(
    file: &Path,
    secrets: Secrets,
    screens: &[(char, &'static str, u16)],
) -> Vec<(&'static str, String)> {
    let prepared = Prepared::new(vec![Input::File(file.into())]).shows(secrets);
    let (session, loader) = Session::begin(prepared, Vec::new()).unwrap();
    let session = Arc::new(Mutex::new(session));
    loader.run(&session);
    let saves = Saves { folder: std::env::temp_dir(), stem: "t".to_owned(), inputs: Vec::new() };
    let options = Options { secrets, ..Options::new("marked", saves).coloured(Colour::Plain) };
    let mut stage = App::new(session, options);
    let mut terminal = Terminal::new(TestBackend::new(200, 100)).unwrap();
    let mut press = |code: KeyCode, rows: u16, seen: &mut String| {
        terminal.backend_mut().resize(200, rows);
        stage.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        while stage.tick() {}
        terminal.draw(|frame| stage.draw(frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let mut screen = String::new();
        for row in buffer.content.chunks(usize::from(buffer.area.width)) {
            screen.extend(row.iter().map(ratatui::buffer::Cell::symbol));
            screen.push('\n');
        }
        seen.push_str(&screen);
        screen
    };
    let of_screen = |(key, name, rows): &(char, &'static str, u16)| {
        let mut seen = String::new();
        let mut last = press(KeyCode::Char(*key), *rows, &mut seen);
        for _ in 0..60 {
            let next = press(KeyCode::Down, *rows, &mut seen);
            // There is no row below the last one.
            if next == last {
                break;
            }
            last = next;
        }
        press(KeyCode::End, *rows, &mut seen);
        (*name, seen)
    };
    screens.iter().map(of_screen).collect()
}

#[test]
fn no_screen_shows_a_secret_that_is_not_asked_for() {
    let all = marked::messages();
    let folder = tempfile::tempdir().unwrap();
    for (n, part) in all.chunks(40).enumerate() {
        let file = folder.path().join(format!("{n}.pcapng"));
        fs::write(&file, marked::capture(part)).unwrap();
        for (screen, seen) in screens(&file, Secrets::Masked, &SCREENS) {
            hides(&seen, part, screen);
        }
        if n == 0 {
            let shown: String =
                screens(&file, Secrets::Shown, &SCREENS).into_iter().map(|(_, s)| s).collect();
            assert!(shown.contains(SECRET) && shown.contains(PLAIN), "{shown}");
        }
    }
    let file = folder.path().join("judged.pcapng");
    fs::write(&file, judged().file()).unwrap();
    let all = [&SCREENS[..], &[CATALOGUE]].concat();
    for (screen, seen) in screens(&file, Secrets::Masked, &all) {
        hides(&seen, &[], screen);
    }
    for (screen, seen) in screens(&file, Secrets::Shown, &all) {
        assert_eq!(seen.contains(SECRET), !has_no_values(screen), "{screen}: {seen}");
    }
}

#[test]
fn keys_that_are_listed_and_hold_secrets_say_so() {
    for entry in registry().entries() {
        for line in entry.outline().lines {
            let OutlinePart::View(_, _, fields) = line.what else { continue };
            for field in fields {
                let is_secret = fragshark::codec::is_secret_key(field.name.as_bytes());
                let is_secret = is_secret && !field.name.starts_with("ngsecret");
                let says_so = field.role == FieldRole::Secret;
                assert!(says_so || !is_secret, "{entry:?}: {}", field.name);
            }
        }
    }
}
