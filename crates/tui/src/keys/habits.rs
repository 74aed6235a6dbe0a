//! Keys of other programs, and the commands that they have there: who presses one is told ours.

use crate::action::{KeyCommand as Do, Step};

/// A key, the programs that have it, and the command: the defaults of sngrep (`keybinding.c`), htop,
/// vim and the menus of Wireshark. A key that does something else there is not listed.
const HABITS: &[(&str, &str, Do)] = &[
    ("F2", "sngrep", Do::Export),
    ("F3", "sngrep and htop", Do::Search),
    ("F4", "htop", Do::Filter),
    ("F6", "htop", Do::Sort),
    ("F7", "sngrep", Do::Filter),
    ("F9", "sngrep", Do::Names),
    ("F10", "htop", Do::Quit),
    ("Ctrl-e", "Wireshark", Do::Pause),
    ("Ctrl-g", "Wireshark", Do::Position),
    ("Ctrl-n", "Wireshark", Do::SearchAgain(Step::Forward)),
    ("Ctrl-s", "Wireshark", Do::Export),
    ("Ctrl-w", "Wireshark", Do::Quit),
    ("I", "htop", Do::Reverse),
    ("K", "vim", Do::Specification),
    ("V", "vim", Do::Mark),
];

/// What a key does in other programs: their names, and the command here.
pub fn habit(key: &str) -> Option<(&'static str, Do)> {
    HABITS
        .iter()
        .find(|(name, ..)| *name == key)
        .map(|(_, programs, command)| (*programs, *command))
}

#[cfg(test)]
mod tests {
    use super::HABITS;
    use crate::keys::KEYS;

    #[test]
    fn only_keys_without_a_command_are_explained_and_each_command_has_a_key() {
        for (name, _, command) in HABITS {
            let is_bound = KEYS.iter().any(|key| key.keys.split(' ').any(|own| own == *name));
            assert!(!is_bound, "{name} has a command here");
            let own = KEYS.iter().find(|key| key.command == *command);
            assert!(own.is_some_and(|key| !key.keys.is_empty()), "{name}: no key has {command:?}");
        }
    }
}
