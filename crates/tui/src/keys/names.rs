//! The names of keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Keys that are not a character, and their names; the first name of each is shown.
const NAMED: &[(&str, KeyCode)] = &[
    ("↑", KeyCode::Up),
    ("Up", KeyCode::Up),
    ("↓", KeyCode::Down),
    ("Down", KeyCode::Down),
    ("←", KeyCode::Left),
    ("Left", KeyCode::Left),
    ("→", KeyCode::Right),
    ("Right", KeyCode::Right),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("Tab", KeyCode::Tab),
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Insert", KeyCode::Insert),
    ("Space", KeyCode::Char(' ')),
];

/// The prefixes of keys that are pressed with others.
const MODIFIERS: [(&str, KeyModifiers); 3] = [
    ("Ctrl-", KeyModifiers::CONTROL),
    ("Alt-", KeyModifiers::ALT),
    ("Shift-", KeyModifiers::SHIFT),
];

/// The name of a key: `k`, `Ctrl-u`, `PgUp`, `Shift-Tab`.
pub fn name_of(event: KeyEvent) -> String {
    let KeyEvent { code, mut modifiers, .. } = event;
    let name = match code {
        KeyCode::BackTab => {
            modifiers |= KeyModifiers::SHIFT;
            "Tab".to_owned()
        }
        KeyCode::F(n) => format!("F{n}"),
        code => match (NAMED.iter().find(|(_, named)| *named == code), code) {
            (Some((name, _)), _) => (*name).to_owned(),
            (None, KeyCode::Char(c)) => {
                // A capital letter already says that Shift was pressed.
                modifiers -= KeyModifiers::SHIFT;
                c.to_string()
            }
            (None, other) => format!("{other:?}"),
        },
    };
    let pressed = MODIFIERS.iter().filter(|(_, of)| modifiers.contains(*of));
    let prefix: String = pressed.map(|(prefix, _)| *prefix).collect();
    format!("{prefix}{name}")
}

/// The shown name of a key that was written in the configuration; nothing if there is no such key.
pub fn is_key(written: &str) -> Option<String> {
    let mut modifiers = KeyModifiers::NONE;
    let mut left = written;
    while let Some((rest, of)) = MODIFIERS.iter().find_map(|(prefix, of)| {
        left.strip_prefix(prefix).filter(|rest| !rest.is_empty()).map(|rest| (rest, *of))
    }) {
        modifiers |= of;
        left = rest;
    }
    let mut letters = left.chars();
    let code = match (letters.next()?, letters.next()) {
        (c, None) if c != ' ' && !NAMED.iter().any(|(name, _)| *name == left) => KeyCode::Char(c),
        ('F', Some(_)) => KeyCode::F(left.get(1..)?.parse().ok().filter(|n| (1..=24).contains(n))?),
        _ => NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(left))?.1,
    };
    Some(name_of(KeyEvent::new(code, modifiers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_keys_have_one_name() {
        for (written, name) in [
            ("f", Some("f")),
            ("Up", Some("↑")),
            ("↑", Some("↑")),
            ("Ctrl-u", Some("Ctrl-u")),
            ("Alt-Left", Some("Alt-←")),
            ("Shift-Tab", Some("Shift-Tab")),
            ("pgup", Some("PgUp")),
            ("F12", Some("F12")),
            ("-", Some("-")),
            ("Ctrl--", Some("Ctrl--")),
            ("F", Some("F")),
            ("F0", None),
            ("", None),
            (" ", None),
            ("Ctrl-", None),
            ("Hyper-x", None),
        ] {
            assert_eq!(is_key(written).as_deref(), name, "{written:?}");
        }
    }
}
