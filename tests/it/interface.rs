//! The interface on a test backend: the picture in the README, which it draws itself (the test
//! fails when the picture is stale; `UPDATE=1` draws it again), and its exports compared with those
//! of the command line.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::interface_screens::user::{User, file};
use crate::svg::moving::{self, MovingFrame};
use crate::{golden, svg};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use fragshark::analysis::Session;
use fragshark::capture::Input;
use fragshark::render::Colour;
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tui::{App, Options, Saves};

/// The tour's exports from the interface, compared with those of `export`.
#[test]
fn exports_from_inside_are_those_of_the_command_line() {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng");
    let folder = tempfile::tempdir().unwrap();
    let (session, loader) = Session::open(&[Input::File(tour.clone())], Vec::new()).unwrap();
    let session = Arc::new(Mutex::new(session));
    loader.run(&session);
    let saves = Saves { folder: folder.path().into(), stem: "t".to_owned(), inputs: Vec::new() };
    let options = Options::new("the tour", saves).coloured(Colour::Plain);
    let mut stage = App::new(session, options);
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut type_in = |keys: &str| {
        for key in keys.chars() {
            let code = match key {
                '\n' => KeyCode::Enter,
                '\x7f' => KeyCode::Backspace,
                c => KeyCode::Char(c),
            };
            stage.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
            while stage.tick() || stage.is_saving() {}
            terminal.draw(|frame| stage.draw(frame)).unwrap();
        }
    };
    for (screen, name, what) in [
        ("1", "messages", &["--what", "messages"][..]),
        ("2", "exchanges", &["--what", "exchanges"]),
        ("3", "servers", &["--what", "servers"]),
        ("4", "masters", &["--what", "masters"]),
        ("5", "findings", &["--what", "findings"]),
        ("1", "packets", &[]),
        ("1fquake3.getservers or quake3.getinfo or quake3.info-response\n", "filtered", &["-Y"]),
    ] {
        let formats: &[&str] = match what {
            [] => &["pcapng"],
            ["-Y"] => &["csv", "pcapng"],
            _ if cfg!(feature = "parquet") => &["csv", "ndjson", "parquet"],
            _ => &["csv", "ndjson"],
        };
        type_in(screen);
        for format in formats {
            let rub_out = "\x7f".repeat("t-exchanges.csv".len());
            type_in(&format!("e{rub_out}{name}.{format}\n"));
            let mut export = Command::new(env!("CARGO_BIN_EXE_fragshark"));
            export.arg("export").arg(&tour).args(["--format", format]);
            match what {
                ["-Y"] => {
                    export.args([
                        "-Y",
                        "quake3.getservers or quake3.getinfo or quake3.info-response",
                    ]);
                    let is_table = *format != "pcapng";
                    export.args(
                        is_table
                            .then_some("--what")
                            .into_iter()
                            .chain(is_table.then_some("messages")),
                    );
                }
                _ => {
                    export.args(what);
                }
            }
            let exported = export.output().unwrap();
            let stderr = String::from_utf8_lossy(&exported.stderr);
            assert!(exported.status.success(), "{stderr}");
            let written = fs::read(folder.path().join(format!("{name}.{format}"))).unwrap();
            #[cfg(feature = "parquet")]
            if *format == "parquet" {
                // The footer of the command line's has the input.
                let [is, should] = [written, exported.stdout].map(crate::secrets::parquet_text);
                assert_eq!(is, should, "{name}");
                continue;
            }
            assert!(written == exported.stdout, "{name}.{format}: {stderr}");
        }
    }
}

/// What the moving picture in the README shows: keys, the line below the screen, and for how many
/// milliseconds the last of them is seen. Each key before it is seen for 120.
const STORY: &[(&str, &str, u32)] = &[
    ("", "fragshark tour.pcapng: every message of the capture", 2400),
    ("jj", "j: the next message", 1400),
    ("<Tab>jjjj", "Tab: into its fields; the bytes of each field are marked", 2600),
    ("<Tab><Tab>fquake3.info-response", "f: a display filter", 900),
    ("<Enter>", "it holds for all screens", 2000),
    ("<Esc>2", "2: exchanges, with what was requested and how it ended", 2600),
    ("3", "3: servers", 2200),
    ("5", "5: findings: what breaks a rule, with its source", 2400),
    ("6", "6: the sequence diagram", 2600),
    ("8", "8: statistics", 2600),
];

#[test]
fn the_moving_picture_in_the_readme_is_what_the_interface_shows() {
    let input = [Input::File(file("tour.pcapng"))];
    let mut user = User::unread(&input, "tour.pcapng", (114, 28), "dark");
    user.load(usize::MAX);
    let mut frames: Vec<MovingFrame> = Vec::new();
    for (keys, caption, shown) in STORY {
        let first = frames.len();
        for key in split(keys) {
            let buffer = user.keys(key).buffer().clone();
            frames.push(MovingFrame { buffer, caption: (*caption).to_owned(), shown: 120 });
        }
        assert!(frames.len() > first, "{caption}");
        frames.last_mut().unwrap().shown = *shown;
    }
    golden::check("docs/img/interface.svg", moving::draw(&frames, &svg::palette::README));
}

/// Keys one by one; of none, one that does nothing.
fn split(keys: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut left = keys;
    while !left.is_empty() {
        let end = if left.starts_with('<') { left.find('>').unwrap() } else { 0 };
        let (key, rest) = left.split_at(end + 1);
        all.push(key);
        left = rest;
    }
    if all.is_empty() { vec![""] } else { all }
}
