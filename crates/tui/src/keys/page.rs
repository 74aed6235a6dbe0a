//! The keys and the mouse as tables in Markdown, for the documents.

use std::fmt::Write as _;

use super::{KEYS, KeyGroup, MOUSE};

/// All keys, a table for each group.
pub fn key_page() -> String {
    let mut out = String::new();
    for group in KeyGroup::ALL {
        _ = writeln!(out, "\n**{group}**\n\n| key | what it does | name |\n|---|---|---|");
        for key in KEYS.iter().filter(|key| key.group == group) {
            let keys: Vec<_> = key.keys.split(' ').map(code).collect();
            _ = writeln!(out, "| {} | {} | `{}` |", keys.join(" "), key.help, key.id);
        }
    }
    out.push('\n');
    out
}

/// What the mouse does.
pub fn mouse_page() -> String {
    let mut out = "\n| mouse | what it does |\n|---|---|\n".to_owned();
    for (gesture, what) in MOUSE {
        _ = writeln!(out, "| {gesture} | {what} |");
    }
    out.push('\n');
    out
}

fn code(key: &str) -> String {
    format!("`{}`", key.replace('|', "\\|"))
}
