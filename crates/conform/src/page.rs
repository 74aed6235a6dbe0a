//! The tables of `docs/conformance.md` and of pages in `docs/reference`: a test compares them.

use std::fmt::Write as _;

use super::suite::{SuiteCase, TestSuite};

use super::csv_table::CsvTable;
use super::precondition::Precondition;
use super::requirement::Requirement;
use super::traits::Implementation;

/// Each table by its name, in Markdown.
pub fn tables(suites: &'static [&'static TestSuite]) -> [(&'static str, String); 5] {
    let cases: Vec<_> = suites.iter().flat_map(|suite| suite.cases()).collect();
    [
        ("profiles", of_profiles(suites, &cases)),
        ("preconditions", of_preconditions(&cases)),
        ("cases", of_cases(&cases)),
        ("requirements", of_requirements(suites, &cases)),
        ("implementations", of_implementations(suites)),
    ]
}

fn of_profiles(suites: &[&TestSuite], cases: &[SuiteCase]) -> String {
    let mut table = "| profile | what it is | assumed | cases |
|---|---|---|---|
"
    .to_owned();
    for profile in suites.iter().flat_map(|suite| suite.profiles) {
        let count = cases.iter().filter(|case| profile.includes(case.id)).count();
        let assumes = code(profile.assumes);
        _ = writeln!(table, "| `{}` | {} | {assumes} | {count} |", profile.name, profile.title);
    }
    table
}

/// The preconditions in the order of their checks, and how many cases depend on each.
fn of_preconditions(cases: &[SuiteCase]) -> String {
    let mut table = "| precondition | otherwise | needs | cases |
|---|---|---|---|
"
    .to_owned();
    let mut known: Vec<&str> = Vec::new();
    let all_of = |case: &SuiteCase| Precondition::all_of(case.preconditions());
    for one in cases.iter().flat_map(all_of) {
        if known.contains(&one.id) {
            continue;
        }
        known.push(one.id);
        let rests = |case: &&SuiteCase| all_of(case).iter().any(|need| need.id == one.id);
        let (needs, count) = (ids(one.needs), cases.iter().filter(rests).count());
        _ = writeln!(table, "| `{}` | {} | {needs} | {count} |", one.id, cell(one.otherwise));
    }
    table
}

/// The ids of preconditions.
fn ids(needs: &[&Precondition]) -> String {
    needs.iter().map(|need| code(need.id)).collect::<Vec<_>>().join(", ")
}

/// The traits of known implementations, one table per suite.
fn of_implementations(suites: &[&TestSuite]) -> String {
    let mut text = String::new();
    for suite in suites {
        let implementations = suite.implementations.rows();
        if implementations.is_empty() {
            continue;
        }
        let heads: Vec<_> = implementations.iter().map(|one| one.name.as_str()).collect();
        let kind = suite.profiles.first().map_or("", |profile| profile.name);
        _ = writeln!(text, "\n## {kind}\n\n| trait | {} |", heads.join(" | "));
        _ = writeln!(text, "|---|{}", "---|".repeat(heads.len()));
        for one in suite.traits {
            let value = |of: &Implementation| {
                let found = of.values.iter().find(|(name, _)| *name == one.name);
                found.map_or_else(String::new, |(_, value)| cell(value))
            };
            let values: Vec<_> = implementations.iter().map(value).collect();
            _ = writeln!(text, "| {} | {} |", one.name, values.join(" | "));
        }
        let sources: Vec<_> = implementations.iter().map(|one| cell(&one.source)).collect();
        _ = writeln!(text, "| *source* | {} |", sources.join(" | "));
    }
    text
}

/// A table per section, in the order of the cases.
fn of_cases(cases: &[SuiteCase]) -> String {
    let mut text = String::new();
    for section in each_once(cases.iter().map(|case| case.section())) {
        _ = writeln!(
            text,
            "\n### {section}\n\n| case | level | what is done | requirement | preconditions |"
        );
        _ = writeln!(text, "|---|---|---|---|---|");
        for case in cases.iter().filter(|case| case.section() == section) {
            let name = case.id.rsplit('/').next().unwrap_or(case.id);
            let (word, title) = (words(*case), cell(case.title));
            let (required, needs) = (code(&case.requirement.id), ids(case.preconditions()));
            _ = writeln!(text, "| `{name}` | {word} | {title} | {required} | {needs} |");
        }
    }
    text
}

/// These words in their order, each once.
fn each_once<'w>(words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    let mut known = Vec::new();
    for word in words {
        if !known.contains(&word) {
            known.push(word);
        }
    }
    known
}

/// Its level, and how it is run.
fn words(case: SuiteCase) -> String {
    let slow = case.slow.map(|setting| format!("waits for `{setting}`"));
    let harsh = case.harsh.then(|| "harsh".to_owned());
    let alone = case.exclusive.then(|| "alone".to_owned());
    let words = [Some(case.level.word().to_owned()), slow, harsh, alone];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A table per game.
fn of_requirements(suites: &[&'static TestSuite], cases: &[SuiteCase]) -> String {
    let all = requirements(suites);
    let mut text = String::new();
    for game in each_once(all.iter().map(|requirement| requirement.game())) {
        _ = writeln!(text, "\n## Requirements of {game}\n");
        _ = writeln!(text, "| requirement | source | what is required | tested by |");
        _ = writeln!(text, "|---|---|---|---|");
        for one in all.iter().filter(|requirement| requirement.game() == game) {
            let Requirement { id, source, .. } = one;
            let (required, tested) = (cell(&one.text), tests(one, cases));
            _ = writeln!(text, "| `{id}` | {source} | {required} | {tested} |");
        }
    }
    text
}

/// The requirements of all suites; several may share one table.
pub fn requirements(suites: &[&'static TestSuite]) -> Vec<&'static Requirement> {
    let mut tables: Vec<&'static CsvTable<Requirement>> = Vec::new();
    for suite in suites {
        if !tables.iter().any(|known| std::ptr::eq(*known, suite.requirements)) {
            tables.push(suite.requirements);
        }
    }
    tables.into_iter().flat_map(CsvTable::rows).collect()
}

/// The level of a requirement and its cases, or why there is none.
fn tests(requirement: &Requirement, cases: &[SuiteCase]) -> String {
    match &requirement.level {
        Err(why) => format!("no case: {}", cell(why)),
        Ok(level) => {
            let of = cases.iter().filter(|case| std::ptr::eq(case.requirement, requirement));
            let ids: Vec<_> = of.map(|case| code(case.id)).collect();
            format!("{}: {}", level.word(), ids.join(", "))
        }
    }
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

/// Text that does not break out of its cell.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('*', "\\*")
}
