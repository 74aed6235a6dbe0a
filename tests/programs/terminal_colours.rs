//! The colours that reach terminals which have 8, 16, 256 or all of them, or none, as escape
//! sequences.

use std::collections::BTreeSet;
use std::fs;

use crate::needs;
use crate::terminal::Tmux;

const TEST: &str = "tests/programs/terminal_colours.rs";

/// How a colour is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    /// `31`, `41`.
    Eight,
    /// `91`, `101`.
    Bright,
    /// `38;5;202`, for a colour that is not one of the sixteen.
    Indexed,
    /// `38;2;255;175;95`.
    True,
    /// One of the sixteen as `38;5;1`: not every terminal that has the colour knows this.
    Unknown,
}

use Written::{Bright, Eight, Indexed, True};

/// The environment of the program, the theme, and how all colours on its screens are written.
const TERMINALS: [(&str, &str, &[Written]); 11] = [
    ("TERM=linux", "16-colours", &[Eight]),
    ("TERM=linux", "dark", &[Eight]),
    ("TERM=xterm", "16-colours", &[Eight]),
    ("TERM=xterm", "dark", &[Eight, Bright]),
    ("TERM=xterm-16color", "dark", &[Eight, Bright]),
    ("TERM=xterm-256color", "16-colours", &[Eight]),
    ("TERM=xterm-256color", "dark", &[Indexed]),
    ("TERM=xterm-256color COLORTERM=truecolor", "16-colours", &[Eight]),
    ("TERM=xterm-256color COLORTERM=truecolor", "dark", &[True]),
    ("TERM=xterm NO_COLOR=1", "dark", &[]),
    ("TERM=xterm-256color COLORTERM=truecolor NO_COLOR=1", "dark", &[]),
];

/// How the colours in what a program has written are written, and whether it has bold text.
fn colours(raw: &str) -> (BTreeSet<Written>, bool) {
    let (mut found, mut is_bold) = (BTreeSet::new(), false);
    for sequence in raw.split("\x1b[").skip(1) {
        let Some(end) = sequence.find(|c: char| !c.is_ascii_digit() && c != ';') else { continue };
        if !sequence[end..].starts_with('m') {
            continue;
        }
        let mut numbers = sequence[..end].split(';').map(|number| number.parse().unwrap_or(0));
        while let Some(number) = numbers.next() {
            is_bold |= number == 1;
            found.extend(match number {
                30..38 | 40..48 => Some(Eight),
                90..98 | 100..108 => Some(Bright),
                38 | 48 => match (numbers.next(), numbers.next()) {
                    (Some(2), Some(_)) => numbers.nth(1).map(|_| True),
                    (Some(5), Some(16..256)) => Some(Indexed),
                    _ => Some(Written::Unknown),
                },
                _ => None,
            });
        }
    }
    (found, is_bold)
}

#[test]
fn a_terminal_gets_colours_that_it_has() {
    let Some([program]) = needs::programs(TEST, ["tmux"]) else {
        return;
    };
    let fragshark = env!("CARGO_BIN_EXE_fragshark");
    let folder = tempfile::tempdir().unwrap();
    let [config, raw] = ["config.toml", "raw"].map(|name| folder.path().join(name));
    let tmux = Tmux::start(program, (120, 40), "");
    for (environment, theme, written) in TERMINALS {
        fs::write(&config, format!("theme = '{theme}'\n")).unwrap();
        tmux.run(&["pipe-pane", &format!("cat >'{}'", raw.display())]);
        let config = config.display();
        let command = format!("env -u COLORTERM -u NO_COLOR {environment} '{fragshark}'");
        tmux.keys(&[
            &format!("clear; {command} open --config '{config}'; echo status $?"),
            "Enter",
        ]);
        tmux.shows(&["1 of 27 messages"]);
        // Fields and bytes under a cursor, bars, headings, an error in a filter, the help.
        for (keys, shown) in [
            (&["j", "j", "Tab", "j", "j"][..], "3 of 27 messages"),
            (&["8"], "8 statistics"),
            (&["9"], "9 catalogue"),
            (&["5"], "1 of 1 finding"),
            (&["f", "="], "filter: ="),
            (&["Escape"], "? help"),
            (&["?"], "─ keys"),
            // The first closes the help.
            (&["q", "q"], "status 0"),
        ] {
            tmux.keys(keys);
            tmux.shows(&[shown]);
        }
        tmux.run(&["pipe-pane"]);
        let raw = String::from_utf8_lossy(&fs::read(&raw).unwrap()).into_owned();
        let (found, is_bold) = colours(&raw);
        let expected = written.iter().copied().collect();
        assert_eq!(found, expected, "{environment}, {theme}");
        assert!(is_bold, "{environment}, {theme}: nothing is bold");
    }
}
