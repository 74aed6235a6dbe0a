//! The one table of keys, for dispatch and help. The keys of screens are their numbers.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

use super::action::{Action, KeyCommand, Motion, Step};
use super::screens::SCREENS;

/// Keys with their command.
pub struct Binding {
    pub keys: &'static [KeyPress],
    pub command: KeyCommand,
    /// The text in the help.
    pub does: &'static str,
}

/// A key, with or without Ctrl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPress {
    code: KeyCode,
    ctrl: bool,
}

/// Every key but those of the screens, in the order of the help.
pub static KEYS: &[Binding] = &[
    bind(&[code(KeyCode::Up), char('k')], KeyCommand::Move(Motion::Up), "up"),
    bind(&[code(KeyCode::Down), char('j')], KeyCommand::Move(Motion::Down), "down"),
    bind(
        &[code(KeyCode::Left), char('h')],
        KeyCommand::Move(Motion::Left),
        "fold, or to the previous byte",
    ),
    bind(
        &[code(KeyCode::Right), char('l')],
        KeyCommand::Move(Motion::Right),
        "unfold, or to the next byte",
    ),
    bind(&[code(KeyCode::PageUp), ctrl('b')], KeyCommand::Move(Motion::PageUp), "a page up"),
    bind(
        &[code(KeyCode::PageDown), ctrl('f'), char(' ')],
        KeyCommand::Move(Motion::PageDown),
        "a page down",
    ),
    bind(&[ctrl('u')], KeyCommand::Move(Motion::HalfUp), "half a page up"),
    bind(&[ctrl('d')], KeyCommand::Move(Motion::HalfDown), "half a page down"),
    bind(&[char('g'), code(KeyCode::Home)], KeyCommand::Move(Motion::First), "to the first row"),
    bind(
        &[char('G'), code(KeyCode::End)],
        KeyCommand::Move(Motion::Last),
        "to the last row; stays at the end while more messages arrive",
    ),
    bind(&[code(KeyCode::Tab)], KeyCommand::Focus(Step::Forward), "to the next pane"),
    bind(&[code(KeyCode::BackTab)], KeyCommand::Focus(Step::Back), "to the previous pane"),
    bind(
        &[code(KeyCode::Enter)],
        KeyCommand::Enter,
        "open the message, fold a group, show a decoded text, go from bytes to their field; \
         on other screens: show the messages of the row",
    ),
    bind(
        &[code(KeyCode::Esc)],
        KeyCommand::Back,
        "close what is open, then back to the list or the previous screen",
    ),
    bind(
        &[char('L')],
        KeyCommand::Ladder,
        "the sequence diagram of this exchange, or of the row's messages",
    ),
    bind(
        &[char(']')],
        KeyCommand::Related(Step::Forward),
        "next message of this exchange or finding",
    ),
    bind(&[char('[')], KeyCommand::Related(Step::Back), "previous message of it"),
    bind(
        &[char('/')],
        KeyCommand::Search,
        "search the shown text, while you type; #12 finds a message number",
    ),
    bind(&[char('n')], KeyCommand::SearchAgain(Step::Forward), "next match"),
    bind(&[char('N')], KeyCommand::SearchAgain(Step::Back), "previous match"),
    bind(
        &[char('f')],
        KeyCommand::Filter,
        "show only messages that match a display filter; Tab completes names, Esc removes the \
         filter",
    ),
    bind(
        &[char('e')],
        KeyCommand::Export,
        "export what is shown to a file: messages, the table, or packets",
    ),
    bind(&[char('r')], KeyCommand::Reasons, "why this flow was assigned to its game"),
    bind(&[char('s')], KeyCommand::Specification, "the specification of this message"),
    bind(&[char('a')], KeyCommand::Request, "to the request of this response"),
    bind(
        &[char('t')],
        KeyCommand::Times,
        "times: since the first message, UTC, since the previous message",
    ),
    bind(&[char('F')], KeyCommand::Follow, "stay at the last message while more arrive"),
    bind(&[char('z'), char('+')], KeyCommand::Zoom, "maximise this pane"),
    bind(&[char('.')], KeyCommand::Separators, "show or hide separators among the fields"),
    bind(&[char('c')], KeyCommand::Texts, "texts in their colours, or with their colour codes"),
    bind(&[char('y')], KeyCommand::Copy, "copy the value, the marked bytes, or the row"),
    bind(&[char('Y')], KeyCommand::CopyHex, "copy the marked bytes as hex digits"),
    bind(&[char('w')], KeyCommand::Warnings, "warnings"),
    bind(&[ctrl('l')], KeyCommand::Redraw, "redraw the screen"),
    bind(&[char('?'), code(KeyCode::F(1))], KeyCommand::Help, "this help"),
    bind(&[char('q'), ctrl('c')], KeyCommand::Quit, "quit"),
];

/// The text of the help: keys and the mouse, with what they do.
pub fn help() -> impl Iterator<Item = (String, &'static str)> {
    let names = |keys: &[KeyPress]| keys.iter().map(ToString::to_string).collect::<Vec<_>>();
    let keys = KEYS.iter().map(move |binding| (names(binding.keys).join(" "), binding.does));
    let screens =
        SCREENS.iter().zip(1..).map(|(screen, n): (_, usize)| (n.to_string(), screen.help));
    let mouse = [
        ("click".to_owned(), "select a message, a field or a byte"),
        ("wheel".to_owned(), "scroll the pane under the pointer"),
    ];
    screens.chain(keys).chain(mouse)
}

/// The name of a command's first key.
pub fn name(command: KeyCommand) -> Option<String> {
    let binding = KEYS.iter().find(|binding| binding.command == command)?;
    binding.keys.first().map(ToString::to_string)
}

const fn bind(keys: &'static [KeyPress], command: KeyCommand, does: &'static str) -> Binding {
    Binding { keys, command, does }
}

const fn code(code: KeyCode) -> KeyPress {
    KeyPress { code, ctrl: false }
}

const fn char(c: char) -> KeyPress {
    KeyPress { code: KeyCode::Char(c), ctrl: false }
}

const fn ctrl(c: char) -> KeyPress {
    KeyPress { code: KeyCode::Char(c), ctrl: true }
}

/// The action of a key, which differs while a text is typed.
pub fn dispatch(event: KeyEvent, is_typing: bool) -> Action {
    let alt = event.modifiers.contains(KeyModifiers::ALT);
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    if is_typing {
        return typed(event.code, ctrl || alt);
    }
    let key = KeyPress { code: event.code, ctrl };
    if let KeyPress { code: KeyCode::Char(digit @ '1'..='9'), ctrl: false } = key
        && let Some(screen) = screen(digit).filter(|_| !alt)
    {
        return Action::Command(KeyCommand::Show(screen));
    }
    let bound = KEYS.iter().find(|binding| !alt && binding.keys.contains(&key));
    bound.map_or(Action::Unknown, |binding| Action::Command(binding.command))
}

/// The index of the screen with this key.
fn screen(digit: char) -> Option<usize> {
    let index = digit.to_digit(10)?.checked_sub(1)? as usize;
    (index < SCREENS.len()).then_some(index)
}

fn typed(code: KeyCode, with_ctrl: bool) -> Action {
    Action::Type(match (code, with_ctrl) {
        (KeyCode::Enter, _) => return Action::Command(KeyCommand::Enter),
        (KeyCode::Esc, _) | (KeyCode::Char('c' | 'g'), true) => {
            return Action::Command(KeyCommand::Back);
        }
        (KeyCode::Tab, _) => return Action::Command(KeyCommand::Focus(Step::Forward)),
        (KeyCode::BackTab, _) => return Action::Command(KeyCommand::Focus(Step::Back)),
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

impl fmt::Display for KeyPress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        let name = match self.code {
            KeyCode::Up => "↑",
            KeyCode::Down => "↓",
            KeyCode::Left => "←",
            KeyCode::Right => "→",
            KeyCode::PageUp => "PgUp",
            KeyCode::PageDown => "PgDn",
            KeyCode::Home => "Home",
            KeyCode::End => "End",
            KeyCode::Tab => "Tab",
            KeyCode::BackTab => "Shift-Tab",
            KeyCode::Enter => "Enter",
            KeyCode::Esc => "Esc",
            KeyCode::Char(' ') => "Space",
            KeyCode::Char(c) => return write!(f, "{c}"),
            KeyCode::F(n) => return write!(f, "F{n}"),
            other => return write!(f, "{other:?}"),
        };
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_means_one_thing() {
        let all: Vec<_> = KEYS.iter().flat_map(|b| b.keys).collect();
        for (i, key) in all.iter().enumerate() {
            assert!(!all[..i].contains(key), "{key} is bound twice");
        }
    }

    #[test]
    fn every_screen_has_a_key() {
        assert!(SCREENS.len() < 10);
        assert!(
            KEYS.iter()
                .flat_map(|b| b.keys)
                .all(|key| !matches!(key.code, KeyCode::Char('1'..='9')))
        );
    }

    #[test]
    fn every_key_has_a_name_of_its_own() {
        for key in KEYS.iter().flat_map(|b| b.keys) {
            assert!(!key.to_string().contains('('), "{key}");
        }
    }
}
