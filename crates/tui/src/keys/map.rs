//! The keys in force: those of the table, unless the configuration has others.

use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::InputRequest;

use super::{KEYS, KeyBinding, is_key, name_of};
use crate::action::{Action, KeyCommand as Do, Motion, Step};
use text::nearest;

/// The keys in force.
#[derive(Debug, Clone)]
pub struct KeyMap {
    commands: HashMap<String, Do>,
    /// The keys of each command, in the order of [`KEYS`].
    names: Vec<Vec<String>>,
    /// The commands that were given other keys, by their indices.
    bound: Vec<usize>,
}

/// The key that always quits.
const QUITS: &str = "Ctrl-c";

impl Default for KeyMap {
    fn default() -> Self {
        let names = KEYS.iter().map(|key| key.keys.split(' ').map(str::to_owned).collect());
        Self::new(names.collect(), Vec::new())
    }
}

impl KeyMap {
    fn new(names: Vec<Vec<String>>, bound: Vec<usize>) -> Self {
        let of_each = KEYS.iter().zip(&names);
        let pairs = of_each.flat_map(|(key, names)| names.iter().map(|n| (n.clone(), key.command)));
        Self { commands: pairs.collect(), names, bound }
    }

    /// Gives a command other keys, which no other command has then.
    ///
    /// # Errors
    ///
    /// In words, if there is no such command or no such key, if a key was given to another command
    /// before, or if the program could not be quit.
    pub fn bind(&mut self, command: &str, keys: &[String]) -> Result<(), String> {
        let Some(at) = KEYS.iter().position(|key| key.id == command) else {
            let similar =
                nearest(command, KEYS.iter().map(|key| key.id), (command.len() / 3).max(1));
            let hint = similar.map_or_else(
                || "`fragshark config` prints all".to_owned(),
                |similar| format!("did you mean {similar}?"),
            );
            return Err(format!("no command is named {command:?}; {hint}"));
        };
        let names = keys.iter().map(|key| {
            is_key(key)
                .ok_or_else(|| format!("there is no key {key:?}; keys are named as in the help"))
        });
        let names: Vec<_> = names.collect::<Result<_, _>>()?;
        let quits = KEYS.get(at).is_some_and(|key| key.command == Do::Quit);
        if quits && names.is_empty() {
            return Err("a key is needed to quit".to_owned());
        }
        if !quits && names.iter().any(|name| name == QUITS) {
            return Err(format!("{QUITS} always quits"));
        }
        for other in self.bound.iter().filter(|other| **other != at) {
            let its = self.names.get(*other).map(Vec::as_slice).unwrap_or_default();
            if let Some(key) = names.iter().find(|name| its.contains(name)) {
                let of = KEYS.get(*other).map_or("", |key| key.id);
                return Err(format!("\"{key}\" is the key of {of} already"));
            }
        }
        let mut all = std::mem::take(&mut self.names);
        for others in &mut all {
            others.retain(|name| !names.contains(name));
        }
        if let Some(own) = all.get_mut(at) {
            *own = names;
        }
        let mut bound = std::mem::take(&mut self.bound);
        bound.push(at);
        *self = Self::new(all, bound);
        Ok(())
    }

    /// The first key of a command.
    pub fn name(&self, command: Do) -> Option<&str> {
        let at = KEYS.iter().position(|key| key.command == command)?;
        self.names.get(at)?.first().map(String::as_str)
    }

    /// All commands with their keys, in the order of the help.
    pub fn bindings(&self) -> impl Iterator<Item = (&'static KeyBinding, &[String])> {
        KEYS.iter().zip(self.names.iter().map(Vec::as_slice))
    }

    /// The action of a key, while no text is typed.
    pub fn dispatch(&self, event: KeyEvent) -> Action {
        let name = name_of(event);
        match self.commands.get(&name) {
            Some(command) => Action::Command(*command),
            None if name == QUITS => Action::Command(Do::Quit),
            None => Action::Unknown(name),
        }
    }
}

/// The action of a key while a text is typed.
pub fn typed(event: KeyEvent) -> Action {
    let modifiers = event.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::CONTROL);
    Action::Type(match (event.code, modifiers) {
        (KeyCode::Enter, _) => return Action::Command(Do::Enter),
        (KeyCode::Esc, _) | (KeyCode::Char('c' | 'g'), true) => {
            return Action::Command(Do::Close);
        }
        (KeyCode::Tab, _) => return Action::Command(Do::Focus(Step::Forward)),
        (KeyCode::BackTab, _) => return Action::Command(Do::Focus(Step::Back)),
        (KeyCode::PageUp, _) => return Action::Command(Do::Move(Motion::PageUp)),
        (KeyCode::PageDown, _) => return Action::Command(Do::Move(Motion::PageDown)),
        (KeyCode::Char('z'), true) => return Action::Command(Do::Suspend),
        (KeyCode::Char('l'), true) => return Action::Command(Do::Redraw),
        (KeyCode::Up, _) | (KeyCode::Char('p'), true) => {
            return Action::Command(Do::History(Step::Back));
        }
        (KeyCode::Down, _) | (KeyCode::Char('n'), true) => {
            return Action::Command(Do::History(Step::Forward));
        }
        (KeyCode::Char('r'), true) => return Action::Command(Do::Links),
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
        (KeyCode::Char('k'), true) => InputRequest::DeleteTillEnd,
        (KeyCode::Char(c), false) => InputRequest::InsertChar(c),
        _ => return Action::Unknown(name_of(event)),
    })
}
