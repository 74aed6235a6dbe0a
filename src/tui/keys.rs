//! The one table of keys, for dispatch, footer and help.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

use super::action::{Action, KeyCommand, Motion, Toggle};
use super::model::Pane;
use super::sheet::Tab;

/// Keys with their command.
pub struct Binding {
    pub keys: &'static [KeyPress],
    pub command: KeyCommand,
    /// The text in the help.
    pub does: &'static str,
    /// The word in the footer, and the panes where it is shown.
    pub footer: Option<(&'static str, &'static [Pane])>,
    /// The same in the other tabs than the messages.
    pub beside: Option<(&'static str, &'static [Tab])>,
}

/// A key, with or without Ctrl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPress {
    code: KeyCode,
    ctrl: bool,
}

const ANYWHERE: &[Pane] = &Pane::ALL;
const BESIDE: &[Tab] = &[Tab::Exchanges, Tab::Servers, Tab::Masters, Tab::Findings, Tab::Ladder];
const INSIDE: &[Pane] = &[Pane::Fields, Pane::Bytes, Pane::Coded];

/// Every key, in the order of the help.
pub static KEYS: &[Binding] = &[
    bind(&[code(KeyCode::Up), char('k')], KeyCommand::Move(Motion::Up), "up"),
    bind(&[code(KeyCode::Down), char('j')], KeyCommand::Move(Motion::Down), "down"),
    bind(
        &[code(KeyCode::Left), char('h')],
        KeyCommand::Move(Motion::Left),
        "fold, or to the byte before",
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
    bind(&[char('g'), code(KeyCode::Home)], KeyCommand::Move(Motion::First), "to the first"),
    bind(
        &[char('G'), code(KeyCode::End)],
        KeyCommand::Move(Motion::Last),
        "to the last, and stay there while more come",
    ),
    bind(&[code(KeyCode::Tab)], KeyCommand::Focus(Toggle::Forward), "to the next pane")
        .footer("pane", ANYWHERE)
        .beside("details", Tab::TABLES),
    bind(&[code(KeyCode::BackTab)], KeyCommand::Focus(Toggle::Back), "to the pane before"),
    bind(
        &[code(KeyCode::Enter)],
        KeyCommand::Enter,
        "into the message, fold a group, into a coded text, from bytes to their field; \
         from other screens to the messages",
    )
    .footer("open", &[Pane::List])
    .beside("messages", BESIDE),
    bind(
        &[code(KeyCode::Esc)],
        KeyCommand::Back,
        "close what is open, back to the list, or to where one came from",
    )
    .footer("list", INSIDE)
    .beside("back", BESIDE),
    bind(&[char('1')], KeyCommand::Show(Tab::Messages), "the messages"),
    bind(
        &[char('2')],
        KeyCommand::Show(Tab::Exchanges),
        "exchanges: who asked whom, what came of it",
    ),
    bind(
        &[char('3')],
        KeyCommand::Show(Tab::Servers),
        "servers: what they are, and who lists them",
    ),
    bind(&[char('4')], KeyCommand::Show(Tab::Masters), "masters, and how large their lists are"),
    bind(&[char('5')], KeyCommand::Show(Tab::Findings), "findings: what is wrong"),
    bind(&[char('6')], KeyCommand::Show(Tab::Ladder), "the ladder of the whole capture"),
    bind(&[char('L')], KeyCommand::Ladder, "the ladder of this exchange, or of the row's messages")
        .footer("ladder", &[Pane::List])
        .beside("ladder", Tab::TABLES),
    bind(
        &[char(']')],
        KeyCommand::Marked(Toggle::Forward),
        "next message of this exchange or finding",
    ),
    bind(&[char('[')], KeyCommand::Marked(Toggle::Back), "the one before"),
    bind(
        &[char('/')],
        KeyCommand::Search,
        "search what is shown, while you type; #12 finds a number",
    )
    .footer("search", ANYWHERE),
    bind(&[char('n')], KeyCommand::Again(Toggle::Forward), "next match"),
    bind(&[char('N')], KeyCommand::Again(Toggle::Back), "match before"),
    bind(
        &[char('f')],
        KeyCommand::Filter,
        "show only what a display filter means; Tab completes its names, Esc shows all again",
    )
    .footer("filter", &[Pane::List]),
    bind(
        &[char('e')],
        KeyCommand::Save,
        "write what is shown to a file: messages, the table, or their packets",
    )
    .footer("export", &[Pane::List])
    .beside("export", BESIDE),
    bind(&[char('r')], KeyCommand::Why, "why this flow is of this game")
        .footer("reasons", &[Pane::List]),
    bind(&[char('s')], KeyCommand::Specification, "the specification of this message"),
    bind(&[char('a')], KeyCommand::Request, "to the request that this message answers"),
    bind(&[char('t')], KeyCommand::Clock, "times: relative, UTC, since the message before")
        .footer("times", &[Pane::List])
        .beside("times", Tab::TABLES),
    bind(&[char('F')], KeyCommand::Follow, "stay at the last message while more come"),
    bind(&[char('z'), char('+')], KeyCommand::Zoom, "give this pane the whole screen")
        .footer("zoom", ANYWHERE)
        .beside("zoom", Tab::TABLES),
    bind(&[char('.')], KeyCommand::Separators, "show or hide separators among the fields"),
    bind(&[char('c')], KeyCommand::Texts, "texts in their colours, or as they were sent"),
    bind(&[char('y')], KeyCommand::Copy, "copy the value, the marked bytes, or the row")
        .footer("copy", INSIDE)
        .beside("copy", Tab::TABLES),
    bind(&[char('Y')], KeyCommand::CopyHex, "copy the marked bytes as hex digits"),
    bind(&[char('w')], KeyCommand::Warnings, "warnings"),
    bind(&[ctrl('l')], KeyCommand::Redraw, "draw the screen anew"),
    bind(&[char('?'), code(KeyCode::F(1))], KeyCommand::Help, "this help")
        .footer("help", ANYWHERE)
        .beside("help", BESIDE),
    bind(&[char('q'), ctrl('c')], KeyCommand::Quit, "quit")
        .footer("quit", ANYWHERE)
        .beside("quit", BESIDE),
];

const fn bind(keys: &'static [KeyPress], command: KeyCommand, does: &'static str) -> Binding {
    Binding { keys, command, does, footer: None, beside: None }
}

impl Binding {
    const fn footer(mut self, word: &'static str, panes: &'static [Pane]) -> Self {
        self.footer = Some((word, panes));
        self
    }

    const fn beside(mut self, word: &'static str, sheets: &'static [Tab]) -> Self {
        self.beside = Some((word, sheets));
        self
    }
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
    let bound = KEYS.iter().find(|binding| !alt && binding.keys.contains(&key));
    bound.map_or(Action::Unknown, |binding| Action::Command(binding.command))
}

fn typed(code: KeyCode, with_ctrl: bool) -> Action {
    Action::Type(match (code, with_ctrl) {
        (KeyCode::Enter, _) => return Action::Command(KeyCommand::Enter),
        (KeyCode::Esc, _) | (KeyCode::Char('c' | 'g'), true) => {
            return Action::Command(KeyCommand::Back);
        }
        (KeyCode::Tab, _) => return Action::Command(KeyCommand::Focus(Toggle::Forward)),
        (KeyCode::BackTab, _) => return Action::Command(KeyCommand::Focus(Toggle::Back)),
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
    fn every_key_has_a_name_of_its_own() {
        for key in KEYS.iter().flat_map(|b| b.keys) {
            assert!(!key.to_string().contains('('), "{key}");
        }
    }
}
