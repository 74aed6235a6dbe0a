//! The project's own rules, checked on its sources: how long a file may be, that a protocol or a
//! family is a folder, and that only `protocols` knows games by name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{is_test, sources, without_tests};

/// A longer file must be split.
const LINES: usize = 400;

/// All sources of the program and of its crates.
fn all() -> Vec<(PathBuf, String)> {
    sources(&["src", "crates"])
}

/// The crates that have a file or a folder for each protocol or each family, and the file that
/// registers them.
const REGISTERED: [(&str, &str); 4] = [
    ("crates/protocols/src", "lib.rs"),
    ("crates/simulate/src/families", "mod.rs"),
    ("crates/masters/src/families", "mod.rs"),
    ("crates/conform/src/families", "mod.rs"),
];

/// A protocol is a folder and two lines in `crates/protocols/src/lib.rs`; a family is a folder and
/// two lines in each crate in which it has a role. Some have two suites of cases, a line each.
#[test]
fn a_protocol_or_a_family_is_a_folder_and_two_lines() {
    for (folder, file) in REGISTERED {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut folders: Vec<_> = fs::read_dir(&root).unwrap().map(|one| one.unwrap()).collect();
        folders.retain(|one| one.path().is_dir() && one.file_name() != "tests");
        assert!(folders.len() >= 4, "{folder}: {folders:?}");
        let text = fs::read_to_string(root.join(file)).unwrap();
        for name in folders.iter().map(|one| one.file_name().into_string().unwrap()) {
            let is_named = |line: &&str| {
                let code = line.split("//").next().unwrap_or(line);
                code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
            };
            let lines: Vec<_> = text.lines().filter(is_named).collect();
            let (modules, entries): (Vec<_>, Vec<_>) =
                lines.iter().partition(|line| line.ends_with(&format!("mod {name};")));
            let registers =
                |line: &&&str| line.trim_start().trim_start_matches('&').starts_with(&name);
            assert_eq!(modules.len(), 1, "{folder}/{name}: {lines:#?}");
            assert!(
                !entries.is_empty() && entries.iter().all(|line| registers(&line)),
                "{lines:#?}"
            );
        }
    }
}

#[test]
fn files_stay_short() {
    let long = all().into_iter().map(|(path, text)| (path, text.lines().count()));
    let long: Vec<_> = long.filter(|(_, lines)| *lines > LINES).collect();
    assert!(long.is_empty(), "past {LINES} lines: {long:?}");
}

/// A game's id that is a word of this program too: who sent a message.
const WORDS: [&str; 1] = ["source"];

#[test]
fn only_protocols_know_games_by_name() {
    let games = fragshark::protocols::registry().games();
    let games = games.filter(|game| !WORDS.contains(&game.id));
    let known: Vec<_> = games.map(|game| format!("\"{}\"", game.id)).collect();
    let mut named = Vec::new();
    for (path, text) in all() {
        if path.starts_with("crates/protocols") || is_test(&path) {
            continue;
        }
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (n, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or(line);
            if !code.contains('"') {
                continue;
            }
            for game in known.iter().filter(|game| code.contains(game.as_str())) {
                named.push(format!("{}:{}: {game}", path.display(), n + 1));
            }
        }
    }
    assert!(named.is_empty(), "{}", named.join("\n"));
}

/// Ways to write bytes from the network without a check for secrets.
const RAW: [&str; 7] = [
    "escape_ascii",
    "escape_debug",
    "escape_default",
    "from_utf8_lossy",
    "text::shown",
    "text::escaped",
    "text::latin",
];

/// Where they are allowed, and why.
const RAW_ALLOWED: [(&str, &str, &str); 5] = [
    ("crates/replay/src/values.rs", "escape_ascii", "asks before whether the value is a secret"),
    (
        "crates/simulate/src/families/gamespy/messages.rs",
        "from_utf8_lossy",
        "is sent back, not shown",
    ),
    ("crates/conform/src/families/gamespy/validate.rs", "from_utf8_lossy", "is sent, not shown"),
    (
        "crates/analysis/src/input_set.rs",
        "text::escaped",
        "the path of a capture, not from the net",
    ),
    (
        "crates/analysis/src/session/comments.rs",
        "from_utf8_lossy",
        "a comment in the file, not from the net",
    ),
];

#[test]
fn reports_quote_bytes_only_where_secrets_are_looked_for() {
    let mut found = BTreeSet::new();
    for (path, text) in all() {
        let judges = ["conform", "simulate", "masters", "replay", "analysis", "flow"]
            .iter()
            .any(|at| path.starts_with(Path::new("crates").join(at)));
        if !judges || is_test(&path) {
            continue;
        }
        let text = without_tests(&text);
        for (n, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or(line);
            for raw in raw_in(code) {
                let at = path.to_str().unwrap().to_owned();
                let is_allowed =
                    RAW_ALLOWED.iter().any(|(file, what, _)| at == *file && raw == *what);
                assert!(
                    is_allowed,
                    "{at}:{}: {raw}: take render::quoted or protocol::harmless",
                    n + 1
                );
                found.insert((at, raw));
            }
        }
    }
    for (file, raw, _) in RAW_ALLOWED {
        assert!(found.contains(&(file.to_owned(), raw)), "{file} has no {raw} any more");
    }
}

/// The raw ways to write bytes in a line of code, also where one is imported by name.
fn raw_in(code: &str) -> impl Iterator<Item = &'static str> {
    let words: Vec<_> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let imports = code.contains("use text::");
    let is_in = move |raw: &str| match raw.strip_prefix("text::") {
        Some(name) if imports => words.contains(&name),
        Some(_) => code.contains(raw),
        None => words.contains(&raw),
    };
    let found: Vec<_> = RAW.into_iter().filter(|raw| is_in(raw)).collect();
    found.into_iter()
}

#[test]
fn raw_quotes_are_seen_in_any_form() {
    for (code, raw) in [
        ("format!(\"{}\", bytes.escape_ascii())", "escape_ascii"),
        ("let text = text::shown(&bytes);", "text::shown"),
        ("use text::{MASK, shown};", "text::shown"),
        ("    String::from_utf8_lossy(key)", "from_utf8_lossy"),
    ] {
        assert_eq!(raw_in(code).collect::<Vec<_>>(), [raw], "{code}");
    }
    for code in ["use text::{MASK, width};", "has_shown(&mut reading)"] {
        assert_eq!(raw_in(code).next(), None, "{code}");
    }
}

#[test]
fn messages_have_their_section_in_the_protocol_page() {
    for protocol in fragshark::protocols::registry().protocols() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = root.join("docs/protocols").join(protocol.id).with_extension("md");
        let page = fs::read_to_string(&page).unwrap_or_else(|e| panic!("{}: {e}", page.display()));
        for entry in protocol.messages {
            let anchor = format!("<a id=\"{}\"></a>", entry.spec.id);
            assert!(page.contains(&anchor), "{entry:?} has no anchor in its page");
        }
    }
}
