//! Every row of the key table does something, and each key does one thing.

use std::collections::BTreeMap;

use super::user::User;
use crate::action::TerminalCommand;
use crate::keys::{KEYS, KeyMap};

/// Keys that lead to where a command does something, and the keys that undo it. A command without a
/// row here is pressed on the list of messages.
const BEFORE: &[(&str, &str)] = &[
    ("up", "jj"),
    ("left", "jj<Tab>jjj"),
    ("right", "jj<Tab>jj"),
    ("page-up", "G"),
    ("half-page-up", "G"),
    ("first", "jj"),
    ("previous-pane", "<Tab>"),
    ("close", "<Tab>"),
    ("back", "2"),
    ("forward", "2<Backspace>"),
    ("previous-related", "jj"),
    ("request", "j"),
    ("next-match", "/getinfo<Enter>"),
    ("previous-match", "/getinfo<Enter>"),
    ("remove-filter", "frtcw<Enter>"),
    ("add-column", "jj<Tab>jjjj"),
    ("reverse", "snumber<Enter>"),
    ("scroll-left", "<Right>"),
    ("compare", "mj"),
    ("messages", "2"),
    ("follow", ""),
    // The tree stands beside the bytes.
    ("narrower", "v"),
    ("wider", "v"),
];

/// Commands that change no screen but give the terminal a command.
const COMMANDS: &[(&str, TerminalCommand)] = &[
    ("redraw", TerminalCommand::Redraw),
    ("suspend", TerminalCommand::Suspend),
    ("quit", TerminalCommand::Quit),
];

#[test]
fn every_key_does_something() {
    let tour: std::sync::Arc<[u8]> =
        include_bytes!("../../../../captures/tour.pcapng").as_slice().into();
    for binding in KEYS {
        for key in binding.keys.split(' ') {
            let mut user = User::on(tour.clone(), (100, 24));
            let before = BEFORE.iter().find(|(id, _)| *id == binding.id).map_or("", |(_, k)| k);
            user.keys(before);
            user.app.take_commands();
            let (screen, marks) = (user.screen(), user.marks());
            let pressed = pressed(key);
            user.keys(&pressed);
            let commands = user.app.take_commands();
            if let Some((_, command)) = COMMANDS.iter().find(|(id, _)| *id == binding.id) {
                assert_eq!(commands, std::slice::from_ref(command), "{key}");
                continue;
            }
            let has_changed = screen != user.screen() || marks != user.marks();
            let is_copied = matches!(&commands[..], [TerminalCommand::Copy(_)]);
            assert!(has_changed || is_copied, "{} ({key}): {}", binding.id, user.screen());
            assert!(!user.screen().contains("does nothing"), "{key}: {}", user.screen());
        }
    }
}

/// A key as the tests write it: `Ctrl-u` is `<C-u>`.
fn pressed(key: &str) -> String {
    let mut letters = key.chars();
    match (letters.next(), letters.next()) {
        (Some(c), None) if c.is_ascii() && c != '<' => c.to_string(),
        _ => format!(
            "<{}>",
            key.replace("Ctrl-", "C-").replace("Alt-", "A-").replace("Shift-", "S-")
        ),
    }
}

#[test]
fn each_key_and_each_name_stands_once() {
    let mut keys = BTreeMap::new();
    let mut ids = BTreeMap::new();
    for binding in KEYS {
        assert_eq!(ids.insert(binding.id, binding.command), None, "{}", binding.id);
        for key in binding.keys.split(' ') {
            assert_eq!(keys.insert(key, binding.id), None, "{key}");
        }
    }
}

#[test]
fn keys_can_be_given_to_other_commands() {
    let mut map = KeyMap::default();
    map.bind("quit", &["x".to_owned(), "Ctrl-q".to_owned()]).unwrap();
    let command = |id: &str| KEYS.iter().find(|key| key.id == id).unwrap().command;
    assert_eq!(map.name(command("quit")), Some("x"));
    assert_eq!(map.name(command("remove-filter")), None);
    for (id, keys, error) in [
        ("quti", "q", "no command is named \"quti\""),
        ("quit", "Hyper-q", "there is no key \"Hyper-q\""),
    ] {
        let wrong = map.bind(id, &[keys.to_owned()]).unwrap_err();
        assert!(wrong.starts_with(error), "{wrong}");
    }
}
