//! The one table of keys, for dispatch, footer and help. The keys of screens are their numbers.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

use super::action::{Action, KeyCommand as Do, Motion as To, Step};
use super::screens::SCREENS;

/// The names of keys, their command, and the text in the help; in the order of the help.
static KEYS: &[(&str, Do, &str)] = &[
    ("↑ k", Do::Move(To::Up), "up"),
    ("↓ j", Do::Move(To::Down), "down"),
    ("← h", Do::Move(To::Left), "fold, or to the previous byte"),
    ("→ l", Do::Move(To::Right), "unfold, or to the next byte"),
    ("PgUp Ctrl-b", Do::Move(To::PageUp), "a page up"),
    ("PgDn Ctrl-f Space", Do::Move(To::PageDown), "a page down"),
    ("Ctrl-u", Do::Move(To::HalfUp), "half a page up"),
    ("Ctrl-d", Do::Move(To::HalfDown), "half a page down"),
    ("g Home", Do::Move(To::First), "to the first row"),
    ("G End", Do::Move(To::Last), "to the last row; stays at the end while more messages arrive"),
    ("Tab", Do::Focus(Step::Forward), "to the next pane"),
    ("Shift-Tab", Do::Focus(Step::Back), "to the previous pane"),
    (
        "Enter",
        Do::Enter,
        "open the message, fold a group, show a decoded text, go from bytes to their field; \
         on other screens: show the messages of the row",
    ),
    ("Esc", Do::Back, "close what is open, then back to the list or the previous screen"),
    ("L", Do::Ladder, "the sequence diagram of this exchange, or of the row's messages"),
    ("]", Do::Related(Step::Forward), "next message of this exchange or finding"),
    ("[", Do::Related(Step::Back), "previous message of it"),
    ("/", Do::Search, "search the shown text, while you type; #12 finds a message number"),
    ("n", Do::SearchAgain(Step::Forward), "next match"),
    ("N", Do::SearchAgain(Step::Back), "previous match"),
    (
        "f",
        Do::Filter,
        "show only messages that match a display filter; Tab completes names, Esc removes the \
         filter",
    ),
    ("e", Do::Export, "export what is shown to a file: messages, the table, or packets"),
    ("r", Do::Reasons, "why this flow was assigned to its game"),
    ("s", Do::Specification, "the specification of this message"),
    ("a", Do::Request, "to the request of this response"),
    ("t", Do::Times, "times: since the first message, UTC, since the previous message"),
    ("F", Do::Follow, "stay at the last message while more arrive"),
    ("z +", Do::Zoom, "maximise this pane"),
    (".", Do::Separators, "show or hide separators among the fields"),
    ("c", Do::Texts, "texts in their colours, or with their colour codes"),
    ("y", Do::Copy, "copy the value, the marked bytes, or the row"),
    ("Y", Do::CopyHex, "copy the marked bytes as hex digits"),
    ("w", Do::Warnings, "warnings"),
    ("Ctrl-l", Do::Redraw, "redraw the screen"),
    ("? F1", Do::Help, "this help"),
    ("q Ctrl-c", Do::Quit, "quit"),
];

/// The text of the help: keys and the mouse, with what they do.
pub fn help() -> impl Iterator<Item = (String, &'static str)> {
    let screens = (1..).zip(SCREENS).map(|(n, screen): (usize, _)| (n.to_string(), screen.help));
    let keys = KEYS.iter().map(|(keys, _, does)| ((*keys).to_owned(), *does));
    let mouse = [
        ("click".to_owned(), "select a message, a field or a byte"),
        ("wheel".to_owned(), "scroll the pane under the pointer"),
    ];
    screens.chain(keys).chain(mouse)
}

/// The name of a command's first key.
pub fn name(command: Do) -> Option<&'static str> {
    let (keys, ..) = KEYS.iter().find(|(_, bound, _)| *bound == command)?;
    keys.split(' ').next()
}

/// The action of a key, which differs while a text is typed.
pub fn dispatch(event: KeyEvent, is_typing: bool) -> Action {
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    if is_typing {
        return typed(event.code, ctrl || alt);
    }
    let key = name_of(event.code, ctrl);
    let screen = (1..=SCREENS.len()).find(|n| key == n.to_string()).map(|n| Do::Show(n - 1));
    let bound = || KEYS.iter().find(|(keys, ..)| keys.split(' ').any(|name| name == key));
    let command = screen.or_else(|| bound().map(|(_, command, _)| *command));
    command.filter(|_| !alt).map_or(Action::Unknown, Action::Command)
}

fn typed(code: KeyCode, with_ctrl: bool) -> Action {
    Action::Type(match (code, with_ctrl) {
        (KeyCode::Enter, _) => return Action::Command(Do::Enter),
        (KeyCode::Esc, _) | (KeyCode::Char('c' | 'g'), true) => {
            return Action::Command(Do::Back);
        }
        (KeyCode::Tab, _) => return Action::Command(Do::Focus(Step::Forward)),
        (KeyCode::BackTab, _) => return Action::Command(Do::Focus(Step::Back)),
        (KeyCode::Backspace, false) | (KeyCode::Char('h'), true) => InputRequest::DeletePrevChar,
        (KeyCode::Backspace | KeyCode::Char('w'), true) => InputRequest::DeletePrevWord,
        (KeyCode::Delete, _) => InputRequest::DeleteNextChar,
        (KeyCode::Left, false) | (KeyCode::Char('b'), true) => InputRequest::GoToPrevChar,
        (KeyCode::Right, false) | (KeyCode::Char('f'), true) => InputRequest::GoToNextChar,
        (KeyCode::Left, true) => InputRequest::GoToPrevWord,
        (KeyCode::Right, true) => InputRequest::GoToNextWord,
        (KeyCode::Home, _) | (KeyCode::Char('a'), true) => InputRequest::GoToStart,
        (KeyCode::End, _) | (KeyCode::Char('e'), true) => InputRequest::GoToEnd,
        (KeyCode::Char('u'), true) => InputRequest::DeleteLine,
        (KeyCode::Char(c), false) => InputRequest::InsertChar(c),
        _ => return Action::Unknown,
    })
}

/// The name of a key: `k`, `Ctrl-u`, `PgUp`.
fn name_of(code: KeyCode, ctrl: bool) -> String {
    let name = match code {
        KeyCode::Up => "↑",
        KeyCode::Down => "↓",
        KeyCode::Left => "←",
        KeyCode::Right => "→",
        KeyCode::PageUp => "PgUp",
        KeyCode::PageDown => "PgDn",
        KeyCode::BackTab => "Shift-Tab",
        KeyCode::Char(' ') => "Space",
        KeyCode::Char(c) => &c.to_string(),
        KeyCode::F(n) => &format!("F{n}"),
        other => &format!("{other:?}"),
    };
    format!("{}{name}", if ctrl { "Ctrl-" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> impl Iterator<Item = &'static str> {
        KEYS.iter().flat_map(|(keys, ..)| keys.split(' '))
    }

    #[test]
    fn every_key_means_one_thing() {
        let all: Vec<_> = names().collect();
        for (i, key) in all.iter().enumerate() {
            assert!(!all[..i].contains(key), "{key} is bound twice");
            assert!(key.parse::<usize>().is_err(), "{key} is the key of a screen");
        }
        assert!(SCREENS.len() < 10);
    }

    #[test]
    fn every_name_is_that_of_a_key() {
        let codes = [
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::F(1),
        ];
        let codes = codes.into_iter().chain((b' '..=b'~').map(|c| KeyCode::Char(c.into())));
        let keys: Vec<_> =
            codes.flat_map(|code| [name_of(code, false), name_of(code, true)]).collect();
        for name in names() {
            assert!(keys.iter().any(|key| key == name), "{name}");
        }
    }
}
