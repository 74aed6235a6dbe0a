//! The tables of `docs/conformance.md`: a test compares the page with them.

use std::fmt::Write as _;

use super::case::{Case, Proven, Sentence};
use super::cases::{cases, profiles, sentences};
use super::fits;
use crate::proto::games;

/// Each part by the name of its place in the page, in Markdown.
pub fn tables() -> [(&'static str, String); 3] {
    [("profiles", of_profiles()), ("cases", of_cases()), ("sentences", of_sentences())]
}

fn of_profiles() -> String {
    let mut table =
        "| profile | what kind of master | assumed | cases |\n|---|---|---|---|\n".to_owned();
    for profile in profiles() {
        let count = cases().filter(|case| profile.owes(case.id)).count();
        let assumes = code(profile.assumes);
        _ = writeln!(table, "| `{}` | {} | {assumes} | {count} |", profile.name, profile.title);
    }
    table
}

/// A table a section, in the order of the cases.
fn of_cases() -> String {
    let mut text = String::new();
    let mut sections: Vec<&str> = Vec::new();
    for case in cases() {
        if !sections.contains(&case.section()) {
            sections.push(case.section());
        }
    }
    for section in sections {
        _ = writeln!(
            text,
            "\n### {section}\n\n| case | | what is done | what is required | source |"
        );
        _ = writeln!(text, "|---|---|---|---|---|");
        for case in cases().filter(|case| case.section() == section) {
            let name = case.id.rsplit('/').next().unwrap_or(case.id);
            let (title, requires) = (cell(case.title), cell(case.requires));
            let word = words(case);
            _ = writeln!(text, "| `{name}` | {word} | {title} | {requires} | {} |", case.citation);
        }
    }
    text
}

/// Its level, and how it is run.
fn words(case: &Case) -> String {
    let slow = case.slow.map(|setting| format!("waits for `{setting}`"));
    let harsh = case.harsh.then(|| "harsh".to_owned());
    let alone = case.exclusive.then(|| "alone".to_owned());
    let words = [Some(case.level.word().to_owned()), slow, harsh, alone];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A table a game.
fn of_sentences() -> String {
    let mut text = String::new();
    for game in games() {
        let mut of_game = sentences().filter(|sentence| sentence.game == game).peekable();
        if of_game.peek().is_none() {
            continue;
        }
        _ = writeln!(text, "\n### {}\n\n| source | what it says | tested by |", game.title);
        _ = writeln!(text, "|---|---|---|");
        for sentence in of_game {
            let proven = proven(sentence);
            _ = writeln!(text, "| {} | {} | {proven} |", sentence.citation, cell(sentence.says));
        }
    }
    text
}

fn proven(sentence: &Sentence) -> String {
    let patterns = match sentence.proven {
        Proven::Not(why) => return format!("no case: {}", cell(why)),
        Proven::By(patterns) => patterns,
    };
    let named = cases().filter(|case| patterns.iter().any(|pattern| fits(pattern, case.id)));
    named.map(|case| code(case.id)).collect::<Vec<_>>().join(", ")
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

/// Text that does not break out of its cell.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('*', "\\*")
}
