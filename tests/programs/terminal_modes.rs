//! What only a real terminal does: the mouse, pasted text, other sizes, suspension, and that it is
//! given back as it was.

use std::fs;
use std::process::Command;

use crate::needs;
use crate::terminal::Tmux;

const TEST: &str = "tests/programs/terminal_modes.rs";

/// The left button, and what tmux adds for a movement; the wheel.
const LEFT: u8 = 0;
const MOVED: u8 = 32;
const WHEEL_UP: u8 = 64;
const WHEEL_DOWN: u8 = 65;

/// A column and a row, counted from 1, as terminals report them.
type Place = (usize, usize);

/// What a terminal sends for the mouse.
fn event(button: u8, (column, row): Place, is_release: bool) -> String {
    format!("\x1b[<{button};{column};{row}{}", if is_release { 'm' } else { 'M' })
}

fn click(place: Place) -> String {
    event(LEFT, place, false) + &event(LEFT, place, true)
}

fn drag(from: Place, to: Place) -> String {
    event(LEFT, from, false) + &event(LEFT | MOVED, to, false) + &event(LEFT, to, true)
}

impl Tmux {
    /// Sends bytes as they are.
    fn send(&self, bytes: &str) {
        let bytes: Vec<_> = bytes.bytes().map(|byte| format!("{byte:02x}")).collect();
        let bytes = bytes.iter().map(String::as_str);
        self.run(&["send-keys", "-H"].into_iter().chain(bytes).collect::<Vec<_>>());
    }

    /// Where a text is, as soon as it appears.
    fn place(&self, text: &str) -> Place {
        place_in(&self.shows(&[text]), text).unwrap()
    }

    /// Pastes as terminals do, in brackets if the program has requested them.
    fn paste(&self, text: &str) {
        self.run(&["set-buffer", "-b", "pasted", text]);
        self.run(&["paste-buffer", "-p", "-b", "pasted"]);
    }

    fn state(&self, format: &str) -> String {
        self.run(&["display-message", "-p", format]).trim().to_owned()
    }
}

fn place_in(screen: &str, text: &str) -> Option<Place> {
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text))?;
    let column = line.split(text).next()?.chars().count();
    Some((column + 1, row + 1))
}

/// The first word of a line, counted from 1.
fn first_word(screen: &str, row: usize) -> &str {
    screen.lines().nth(row - 1).and_then(|line| line.split_whitespace().next()).unwrap_or("")
}

#[test]
fn the_mouse_selects_sorts_scrolls_and_drags() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let tmux = Tmux::start(program, (100, 30), &format!("'{fragshark}'; echo status $?"));
    tmux.shows(&["1 of 27 messages", "─ annotated bytes ─", "? help"]);
    tmux.keys(&["v"]);
    tmux.shows(&["1 of 27 messages", "─ fields ─"]);

    // The wheel scrolls the pane under it; the selected row stays the same.
    let list = tmux.place("getinfo");
    tmux.send(&event(WHEEL_DOWN, list, false));
    tmux.until("a scrolled list", |screen| first_word(screen, 4) > "1");
    tmux.shows(&["1 of 27 messages"]);
    tmux.send(&event(WHEEL_UP, list, false));
    tmux.until("the first row", |screen| first_word(screen, 4) == "1");

    // The lines between panes.
    let (column, row) = tmux.place("─ fields ─");
    tmux.send(&drag((column + 12, row), (column + 12, row + 4)));
    tmux.until("a lower line", |screen| place_in(screen, "─ fields ─") == Some((column, row + 4)));
    let (column, row) = tmux.place("┬─ bytes ─");
    tmux.send(&drag((column, row + 2), (column - 9, row + 2)));
    tmux.until("a line further left", |screen| {
        place_in(screen, "┬─ bytes ─") == Some((column - 9, row))
    });

    // A row, a tab, a heading.
    tmux.send(&click(tmux.place("infoResponse")));
    tmux.shows(&["3 of 27 messages", "protocol: 68"]);
    tmux.send(&click(tmux.place("3 servers")));
    tmux.shows(&["1 of 6 servers"]);
    tmux.send(&click(tmux.place("192.0.2.12:27961")));
    tmux.shows(&["3 of 6 servers"]);
    tmux.until("the first server", |screen| first_word(screen, 4) == "192.0.2.10:27960");
    let heading = tmux.place("heartbeats");
    tmux.send(&click(heading));
    tmux.until("the order of heartbeats", |screen| {
        screen.contains("▼heartbeats") && first_word(screen, 4) == "192.0.2.10:27960"
    });
    tmux.send(&click(tmux.place("heartbeats")));
    tmux.until("the other order", |screen| {
        screen.contains("▲heartbeats") && first_word(screen, 4) == "192.0.2.11:27960"
    });

    // Two clicks at one place, in one piece, are a double click: as Enter.
    tmux.send(&click(tmux.place("2 exchang")));
    let motd = tmux.place(" motd ");
    tmux.send(&click(motd).repeat(2));
    tmux.shows(&["4 of 27 messages", "1 messages"]);
    tmux.keys(&["q"]);
    tmux.shows(&["status 0"]);
}

#[test]
fn pasted_text_is_never_keys() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let tmux = Tmux::start(program, (80, 24), &format!("'{fragshark}'; echo status $?"));
    tmux.shows(&["1 of 27 messages"]);
    // On a list: each character would do something.
    tmux.paste("3jq\nq");
    tmux.shows(&["pasted text was ignored", "1 of 27 messages"]);
    // In a menu it is what is looked for, and nothing is chosen.
    tmux.keys(&["s"]);
    tmux.shows(&["Enter sorts"]);
    tmux.paste("3jq\nq");
    tmux.shows(&["sort by: 3jqq", "nothing contains this text", "1 of 27 messages"]);
    tmux.keys(&["Escape"]);
    tmux.until("no menu", |screen| !screen.contains("Enter sorts"));
    // Into the line of a filter and a search: as one line of text.
    tmux.keys(&["f"]);
    tmux.shows(&["filter:"]);
    tmux.paste("quake3.getinfo\nor quake3.getservers\t\n");
    tmux.shows(&["filter: quake3.getinfo or quake3.getservers", "Enter applies it"]);
    tmux.keys(&["Enter"]);
    tmux.shows(&["6 of 27 messages"]);
    tmux.keys(&["/"]);
    tmux.shows(&["Tab: "]);
    tmux.paste("getservers\nq");
    tmux.shows(&["/getservers q", "not found"]);
    tmux.keys(&["Escape"]);
    tmux.until("no line", |screen| !screen.contains("/getservers q"));
    tmux.keys(&["q"]);
    tmux.shows(&["status 0"]);
}

/// The screens, and a text on each, wherever it is wide enough.
const SHOWN: [(&str, &str, &str); 9] = [
    ("1", "messages", "QuakeArena-1"),
    ("2", "exchanges", "registration"),
    ("3", "servers", "heartbeats"),
    ("4", "masters", "203.0.113.1:27950"),
    ("5", "findings", "server.unreachable"),
    ("6", "sequence", "heartbeat"),
    ("7", "flows", "quake3"),
    ("8", "statistics", "messages"),
    ("9", "catalogue", "getservers"),
];

#[test]
fn every_screen_follows_the_size_of_the_terminal() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let tmux = Tmux::start(program, (100, 30), &format!("'{fragshark}'; echo status $?"));
    tmux.shows(&["1 of 27 messages"]);
    let resize = |columns: usize, rows: usize| {
        tmux.run(&["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
        let size = format!("{columns}x{rows}");
        tmux.until(&size, |screen| {
            let has_width = |line: Option<&str>| {
                // The header ends one column before the edge.
                line.is_some_and(|line| line.chars().count() == columns - 1)
            };
            screen.contains(&format!("it has {size}"))
                || has_width(screen.lines().next()) && screen.lines().count() == rows
        })
    };
    for (key, name, text) in SHOWN {
        let tab = format!("{key} {name}");
        resize(100, 30);
        tmux.keys(&[key]);
        tmux.shows(&[&tab, text]);
        for (columns, rows) in [(200, 60), (80, 24), (30, 8), (100, 30)] {
            let screen = resize(columns, rows);
            if columns == 30 {
                assert!(screen.contains("the terminal is too small"), "{screen}");
                continue;
            }
            tmux.until(&format!("{tab}, {text}, {columns}x{rows}"), |screen| {
                let has_footer = screen.lines().last().is_some_and(|last| last.contains("q quit"));
                screen.contains(&tab) && screen.contains(text) && has_footer
            });
        }
    }
    tmux.keys(&["q"]);
    tmux.shows(&["status 0"]);
}

#[test]
fn a_suspended_interface_continues_as_it_was() {
    let Some([program, bash]) = needs::programs(TEST, ["tmux", "bash"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let shell = format!("exec env PS1='shell: ' '{}' --norc", bash.display());
    let tmux = Tmux::start(program, (100, 30), &shell);
    tmux.shows(&["shell:"]);
    tmux.keys(&[&format!("'{fragshark}'"), "Enter"]);
    tmux.shows(&["1 of 27 messages"]);
    tmux.keys(&["j", "j"]);
    let before = tmux.shows(&["3 of 27 messages · 8 flows", "protocol: 68"]);
    // Twice, the second time while a text is typed.
    for typed in [None, Some("f")] {
        tmux.keys(&typed.into_iter().chain(["C-z"]).collect::<Vec<_>>());
        tmux.shows(&["Stopped"]);
        assert_eq!(tmux.state("#{alternate_on} #{mouse_any_flag} #{cursor_flag}"), "0 0 1");
        let modes = "clear; stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e echo -e isig";
        tmux.keys(&[modes, "Enter"]);
        tmux.shows(&["isig\nicanon\necho\n"]);
        tmux.keys(&["fg", "Enter"]);
        let shown = match typed {
            None => tmux.until("the screen as it was", |screen| screen == before),
            Some(_) => tmux.shows(&["3 of 27 messages", "filter:"]),
        };
        assert_eq!(tmux.state("#{alternate_on} #{mouse_any_flag}"), "1 1", "{shown}");
    }
    // It takes keys and the mouse again.
    tmux.keys(&["Escape"]);
    tmux.shows(&["? help"]);
    tmux.send(&click(tmux.place("getmotd")));
    tmux.shows(&["4 of 27 messages"]);
    tmux.keys(&["q"]);
    tmux.shows(&["shell:"]);
}

/// What is switched on when the interface begins, and off when it ends.
const MODES: [&str; 5] = ["1049", "2004", "1000", "1002", "1006"];

#[test]
fn the_terminal_is_given_back_as_it_was() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    for end in ["q", "C-c", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let [id, script, raw] = ["id", "script", "raw"].map(|name| folder.path().join(name));
        let text = format!("echo before\necho $$ >'{}'\nexec '{fragshark}'\n", id.display());
        fs::write(&script, text).unwrap();
        let line = format!("clear; sh '{}'; echo status $?", script.display());
        let tmux = Tmux::start(program.clone(), (80, 24), "");
        tmux.run(&["pipe-pane", &format!("cat >'{}'", raw.display())]);
        tmux.keys(&[&line, "Enter"]);
        let screen = tmux.shows(&["1 of 27 messages"]);
        assert!(!screen.contains("before"), "{screen}");
        if end.starts_with('-') {
            let id = fs::read_to_string(&id).unwrap();
            assert!(Command::new("kill").args([end, id.trim()]).status().unwrap().success());
        } else {
            tmux.keys(&[end]);
        }
        let screen = tmux.shows(&["status 0", "before"]);
        assert!(!screen.contains("messages"), "{end}: {screen}");
        let state =
            tmux.state("#{alternate_on} #{mouse_any_flag} #{mouse_sgr_flag} #{cursor_flag}");
        assert_eq!(state, "0 0 0 1", "{end}");
        let raw = String::from_utf8_lossy(&fs::read(&raw).unwrap()).into_owned();
        for mode in MODES {
            let last = |state: char| raw.rfind(&format!("\x1b[?{mode}{state}"));
            assert!(last('h').is_some() && last('h') < last('l'), "{end} {mode}");
        }
    }
}
