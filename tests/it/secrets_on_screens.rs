//! What the interface's commands could tell of a masked value: filters and columns made of a field,
//! orders, searches, differences, the history. Each is also shown to tell it once secrets are shown.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::marked::SECRET;
use crate::story::{Format, Link, Story};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use fragshark::analysis::{Prepared, Session};
use fragshark::capture::Input;
use fragshark::render::Colour;
use fragshark::text::Secrets;
use parking_lot::Mutex;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use tui::{App, HistoryFile, Options, Saves};

/// What stands behind the beginning of each secret: not in the order of the messages.
const ORDER: [u32; 4] = [3, 1, 4, 2];

/// Players connect, each with an identifier.
fn story() -> Vec<u8> {
    let server: SocketAddr = "192.0.2.10:27960".parse().unwrap();
    let mut story = Story::new(Link::Ethernet, Format::PcapNg, 1_070_308_800);
    for (port, n) in (40_000..).zip(ORDER) {
        let client = SocketAddr::from(([203, 0, 113, 7], port));
        let text = format!("connect \"\\protocol\\68\\name\\p{n}\\cl_guid\\{SECRET}{n}\"");
        let payload = [b"\xff\xff\xff\xff", text.as_bytes()].concat();
        story.after(1_000_000).send(client, server, &payload);
    }
    story.file()
}

/// The interface, and everything that it has shown since it was asked last.
struct User {
    app: App,
    terminal: Terminal<TestBackend>,
    shown: String,
    folder: tempfile::TempDir,
}

impl User {
    fn new(secrets: Secrets) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let input = Input::Memory { name: "story".to_owned(), bytes: story().into() };
        let prepared = Prepared::new(vec![input]).shows(secrets);
        let (session, loader) = Session::begin(prepared, Vec::new()).unwrap();
        let session = Arc::new(Mutex::new(session));
        loader.run(&session);
        let saves =
            Saves { folder: folder.path().into(), stem: "t".to_owned(), inputs: Vec::new() };
        let history = HistoryFile::open(folder.path(), |_| Ok(()));
        let options = Options { secrets, history, ..Options::new("story", saves) };
        let app = App::new(session, options.coloured(Colour::Plain));
        let terminal = Terminal::new(TestBackend::new(160, 40)).unwrap();
        Self { app, terminal, shown: String::new(), folder }
    }

    /// Presses keys, `\n` for Enter, `\t` for Tab and `\x1b` for Esc; the last screen.
    fn keys(&mut self, keys: &str) -> String {
        let mut screen = String::new();
        for key in keys.chars() {
            let code = match key {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '\x1b' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            self.app.event(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
            while self.app.tick() || self.app.next_work().is_some() {
                std::thread::yield_now();
            }
            self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
            screen = self.terminal.backend().to_string();
            self.shown.push_str(&screen);
        }
        screen
    }

    /// What was shown since the last call.
    fn shown(&mut self) -> String {
        std::mem::take(&mut self.shown)
    }
}

/// Whether a text has a secret, in letters or as bytes.
fn tells(text: &str) -> bool {
    let hex: Vec<_> = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    text.contains(SECRET) || text.contains(&hex.join(" ")) || text.contains(&hex.concat())
}

/// The field with the identifier.
const FIELD: &str = "1g\n/cl_guid\n";

#[test]
fn what_is_made_of_a_masked_field_does_not_have_its_value() {
    // What is done, and what is on the screen then.
    for (what, keys, masked) in [
        ("a filter by it", "=", "field.cl_guid"),
        ("its exclusion", "-", "not field.cl_guid"),
        ("a filter of its conversation", "O", "flow == 1"),
        ("a column", "|", "********"),
        ("a difference", "\x1bmjmd", "********"),
        ("its flow", "ofj", "203.0.113.7:40001"),
        ("its exchange", "oejj", "203.0.113.7"),
        ("the diagram", "Ljj", "connect"),
        ("the reasons", "r", "68"),
        ("the statistics", "8\t\t\t\t", "connect"),
        ("a filter of a search", "/\t\t\tfield.cl_guid\n", "connect"),
    ] {
        let mut user = User::new(Secrets::Masked);
        let screen = user.keys(&format!("{FIELD}{keys}"));
        if what != "the statistics" {
            assert!(screen.contains(masked), "{what}: {masked}\n{screen}");
        }
        let shown = user.shown();
        assert!(!tells(&shown), "{what}: {shown}");
        let history = user.folder.path().join("history.toml");
        let kept = fs::read_to_string(&history).unwrap_or_default();
        assert!(kept.contains("cl_guid") && !tells(&kept), "{what}: {kept}");
    }
    // The test sees secrets.
    for (what, keys) in [("a filter", "="), ("a column", "|"), ("a difference", "\x1bmjmd")] {
        let mut user = User::new(Secrets::Shown);
        let screen = user.keys(&format!("{FIELD}{keys}"));
        assert!(tells(&screen), "{what}: {screen}");
    }
}

/// The names of the players in the list, from top to bottom.
fn players(screen: &str) -> Vec<u32> {
    let of = |line: &str| line.split(", protocol 68").next()?.chars().next_back();
    screen.lines().filter_map(of).filter_map(|digit| digit.to_digit(10)).collect()
}

#[test]
fn the_order_of_masked_values_tells_nothing() {
    for (secrets, up, down) in
        [(Secrets::Masked, ORDER, ORDER), (Secrets::Shown, [1, 2, 3, 4], [4, 3, 2, 1])]
    {
        let mut user = User::new(secrets);
        let screen = user.keys(&format!("{FIELD}|\x1bsfield.cl_guid\n"));
        assert!(screen.contains("▲"), "{screen}");
        assert_eq!(players(&screen), up, "{screen}");
        let screen = user.keys("S");
        assert!(screen.contains("▼"), "{screen}");
        assert_eq!(players(&screen), down, "{screen}");
    }
}

/// Whoever guesses a secret is not told so by a search or a filter.
#[test]
fn a_guess_is_not_confirmed() {
    let guess = format!("{SECRET}{}", ORDER[2]);
    let hex = hex::encode(&guess);
    for (what, keys) in [
        ("text", format!("/{guess}\n")),
        ("a regular expression", format!("/\t{guess}\n")),
        ("bytes", format!("/\t\t{hex}\n")),
        ("a display filter", format!("/\t\t\t\tfield.cl_guid == \"{guess}\"\n")),
        ("bytes of the payload", format!("/\t\t\t\tpayload contains \"{guess}\"\n")),
        ("any field", format!("/\t\t\t\tany contains \"{guess}\"\n")),
    ] {
        for (secrets, position) in [(Secrets::Masked, "1 of 4"), (Secrets::Shown, "3 of 4")] {
            let mut user = User::new(secrets);
            let screen = user.keys(&keys);
            assert!(screen.contains(position), "{what}: {screen}");
            assert_eq!(
                screen.contains("not found"),
                secrets == Secrets::Masked,
                "{what}: {screen}"
            );
        }
    }
    for (filter, masked, shown) in [
        (format!("field.cl_guid == \"{guess}\""), "0 of 4 messages", "1 of 4 messages"),
        (format!("not field.cl_guid == \"{guess}\""), "4 of 4 messages", "3 of 4 messages"),
        (format!("field.cl_guid contains \"{SECRET}\""), "0 of 4 messages", "4 of 4 messages"),
    ] {
        for (secrets, count) in [(Secrets::Masked, masked), (Secrets::Shown, shown)] {
            let screen = User::new(secrets).keys(&format!("f{filter}\n"));
            assert!(screen.contains(count), "{filter}: {screen}");
        }
    }
}

/// Secrets that were shown for a while are masked again everywhere.
#[test]
fn what_was_shown_is_masked_again() {
    let mut user = User::new(Secrets::Masked);
    let screen = user.keys(&format!("{FIELD}|U"));
    assert!(screen.contains("SECRETS SHOWN") && tells(&screen), "{screen}");
    user.keys("U");
    user.shown();
    for keys in
        ["jk", "\x1bjkg", "mjmd", "\x1b", "2", "3", "4", "5", "6", "7", "8", "9", "1", "/x\n"]
    {
        user.keys(keys);
    }
    let shown = user.shown();
    assert!(!tells(&shown) && shown.contains("********"), "{shown}");
}
