//! The glossary has the titles of the documents as the program prints them, and the words that the
//! screens, tables and reports use.

use fragshark::protocol::DOCUMENTS;

const PAGE: &str = include_str!("../../docs/glossary.md");

/// The first cells of the rows of its tables, several words apart.
fn words() -> Vec<&'static str> {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    cells.flat_map(|cell| cell.split([',', '(', '`', ')'])).map(str::trim).collect()
}

#[test]
fn documents_have_one_title() {
    let (_, documents) = PAGE.split_once("\n## Documents\n").unwrap();
    let rows: Vec<_> = documents.lines().filter(|line| line.starts_with("| 0")).collect();
    assert_eq!(rows.len(), DOCUMENTS.len());
    for (row, (number, title)) in rows.iter().zip(DOCUMENTS) {
        assert!(row.starts_with(&format!("| {number} | {title} | ")), "{row}: {title}");
        assert!(row.len() > 100, "{row} does not say what it is");
    }
}

#[test]
fn the_words_of_the_screens_are_explained() {
    let words = words();
    for word in [
        "exchange",
        "session",
        "finding",
        "role",
        "flow",
        "heartbeat",
        "one-way",
        "incomplete",
        "unparsed",
        "profile",
        "defect",
    ] {
        assert!(words.contains(&word), "the glossary lacks {word}");
    }
}
