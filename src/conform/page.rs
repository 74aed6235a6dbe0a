//! The tables of `docs/conformance.md`: a test compares the page with them.

use std::fmt::Write as _;

use super::case::{Case, Proven, Sentence};
use super::cases::{FAMILIES, cases, profiles, sentences};
use super::fingerprint::Implementation;
use super::fits;
use super::precondition::Precondition;
use crate::protocols::registry;

/// Each part by its name in the page, in Markdown.
pub fn tables() -> [(&'static str, String); 5] {
    [
        ("profiles", of_profiles()),
        ("preconditions", of_preconditions()),
        ("cases", of_cases()),
        ("sentences", of_sentences()),
        ("implementations", of_implementations()),
    ]
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

/// The preconditions in the order of their checks, and how many cases depend on each.
fn of_preconditions() -> String {
    let mut table = "| precondition | otherwise | needs | cases |\n|---|---|---|---|\n".to_owned();
    let mut known: Vec<&str> = Vec::new();
    for case in cases() {
        for one in Precondition::all_of(case.all_needs()) {
            if known.contains(&one.id) {
                continue;
            }
            known.push(one.id);
            let rests = |case: &&'static Case| {
                Precondition::all_of(case.all_needs()).iter().any(|need| need.id == one.id)
            };
            let (needs, count) = (ids(one.needs), cases().filter(rests).count());
            _ = writeln!(table, "| `{}` | {} | {needs} | {count} |", one.id, cell(one.otherwise));
        }
    }
    table
}

/// The ids of preconditions.
fn ids(needs: &[&Precondition]) -> String {
    needs.iter().map(|need| code(need.id)).collect::<Vec<_>>().join(", ")
}

/// The traits of known implementations, one table per family.
fn of_implementations() -> String {
    let mut text = String::new();
    for family in FAMILIES.iter().filter(|family| !family.implementations.is_empty()) {
        let names = family.implementations.iter().map(|one| one.name);
        let heads: Vec<_> = names.collect();
        let kind = family.profiles.first().map_or("", |profile| profile.name);
        _ = writeln!(text, "\n### {kind}\n\n| trait | {} |", heads.join(" | "));
        _ = writeln!(text, "|---|{}", "---|".repeat(heads.len()));
        for one in family.traits {
            let value = |of: &Implementation| {
                let found = of.values.iter().find(|(name, _)| *name == one.name);
                found.map_or_else(String::new, |(_, value)| cell(value))
            };
            let values: Vec<_> = family.implementations.iter().map(value).collect();
            _ = writeln!(text, "| {} | {} |", one.name, values.join(" | "));
        }
        let sources: Vec<_> = family.implementations.iter().map(|one| cell(one.source)).collect();
        _ = writeln!(text, "| *source* | {} |", sources.join(" | "));
    }
    text
}

/// A table per section, in the order of the cases.
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
            "\n### {section}\n\n| case | | what is done | what is required | source | needs |"
        );
        _ = writeln!(text, "|---|---|---|---|---|---|");
        for case in cases().filter(|case| case.section() == section) {
            let name = case.id.rsplit('/').next().unwrap_or(case.id);
            let (title, requires) = (cell(case.title), cell(case.requires));
            let word = words(case);
            let (citation, needs) = (case.citation, ids(case.all_needs()));
            _ = writeln!(
                text,
                "| `{name}` | {word} | {title} | {requires} | {citation} | {needs} |"
            );
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

/// A table per game.
fn of_sentences() -> String {
    let mut text = String::new();
    for game in registry().games() {
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
