//! The names of the language as the tables of `docs/reference/filter-names.md`.

use std::fmt::Write as _;

use super::names::{ValueType, page_sections};

/// Every name with its type and meaning, a section for each kind of names.
pub fn page() -> String {
    let mut page = String::new();
    for section in page_sections() {
        _ = writeln!(page, "\n## {}\n\n{}\n", section.title, section.about);
        page.push_str("| name | type | meaning |\n|---|---|---|\n");
        for name in &section.names {
            _ = write!(page, "| `{}` | {} | {}", cell(&name.name), name.holds, cell(&name.meaning));
            if matches!(name.kind, ValueType::Choice | ValueType::Rank) && name.name != "message.id"
            {
                let choices = name.source.choices();
                let choices: Vec<_> = choices.iter().map(|c| format!("`{c}`")).collect();
                _ = write!(page, ": {}", choices.join(", "));
            }
            page.push_str(" |\n");
        }
    }
    page
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
