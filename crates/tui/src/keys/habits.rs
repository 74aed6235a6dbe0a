//! Keys of other programs, and the commands that they have there: who presses one is told ours.

use crate::action::{KeyCommand as Do, Motion, Refine};

/// A key, the programs that have it, and the command.
const HABITS: &[(&str, &str, Do)] = &[
    ("F2", "sngrep", Do::Export),
    ("F3", "sngrep and htop", Do::Search),
    ("F4", "htop", Do::Filter),
    ("F5", "sngrep", Do::RemoveFilter),
    ("F6", "htop", Do::Sort),
    ("F7", "sngrep", Do::Filter),
    ("F8", "sngrep", Do::Columns),
    ("F9", "Wireshark", Do::Reverse),
    ("F10", "sngrep and htop", Do::Quit),
    ("Ctrl-e", "Wireshark", Do::Pause),
    ("Ctrl-g", "Wireshark", Do::Position),
    ("Ctrl-k", "Wireshark", Do::Pause),
    ("Ctrl-m", "Wireshark", Do::Mark),
    ("Ctrl-n", "Wireshark", Do::SearchAgain(crate::action::Step::Forward)),
    ("Ctrl-s", "Wireshark", Do::Export),
    ("Ctrl-w", "Wireshark", Do::Quit),
    ("Ctrl-x", "vim", Do::Compare),
    ("B", "sngrep", Do::Move(Motion::First)),
    ("I", "htop", Do::Reverse),
    ("K", "vim", Do::Specification),
    ("V", "vim", Do::Mark),
    ("W", "vim", Do::Move(Motion::Right)),
    ("*", "vim", Do::Refine(Refine::Only)),
    ("#", "vim", Do::Position),
    ("$", "vim", Do::Move(Motion::Last)),
    ("^", "vim", Do::Move(Motion::First)),
    ("b", "vim", Do::Move(Motion::PageUp)),
];

/// What a key does in other programs: their names, and the command here.
pub fn habit(key: &str) -> Option<(&'static str, Do)> {
    HABITS
        .iter()
        .find(|(name, ..)| *name == key)
        .map(|(_, programs, command)| (*programs, *command))
}
