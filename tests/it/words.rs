//! Names in the code are the field's: words that are not used any more, and type names that are
//! defined once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sources::{is_test, sources, without_tests};

use regex::Regex;

/// Words that no identifier has, and what is said instead.
const RETIRED: &[(&str, &str)] = &[
    ("affair", "kind, of an exchange"),
    ("beats", "heartbeats"),
    ("books", "index"),
    ("clue", "signature"),
    ("company", "batch"),
    ("dealings", "registration statistics"),
    ("desk", "state"),
    ("farewell", "shutdown"),
    ("hear", "receive, observe"),
    ("heard", "received"),
    ("keeper", "builder"),
    ("ledger", "analyzer"),
    ("looks", "content match"),
    ("meant", "matched, selected"),
    ("mouth", "sender"),
    ("outlook", "annotations, index"),
    ("pen", "painter, writer"),
    ("persona", "server info"),
    ("recall", "reclassify"),
    ("repertoire", "recorded replies"),
    ("rung", "arrow"),
    ("said", "payload, sent, text"),
    ("seldom", "rare directions"),
    ("shelf", "payload store"),
    ("sheet", "table, tab"),
    ("sieve", "filter"),
    ("stray", "unparsed"),
    ("talk", "flow state, connection"),
    ("told", "reported, notes, output, one-way"),
    ("voice", "messages"),
    ("whom", "target, destination"),
    ("witness", "frame hook"),
];

/// Identifiers with such a word that stay, and why.
const STAY: &[(&str, &str)] = &[];

/// Modules in which a word is still to be replaced. An entry whose word is gone has to go too.
const TO_DO: &[(&str, &str)] = &[];

/// Type names that are defined more than once, and why. Messages in `protocols/` have the names
/// that their documents give them, and may recur there.
const DEFINED_AGAIN: &[(&str, &str)] = &[];

/// The code of a source: comments and texts blanked, but not what stands in braces in them.
fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            'r' if rest.starts_with("r#\"") => rest.find("\"#").map_or(rest.len(), |at| at + 2),
            '"' => end_of_text(rest),
            '\'' if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") => {
                rest[1..].find('\'').unwrap() + 2
            }
            c => {
                out.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        out.push(' ');
        rest = &rest[skipped..];
    }
    out
}

/// The length of a quoted text.
fn end_of_text(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The identifiers of a source.
fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The words of an identifier, in lower case: `FlowTalk` and `flow_talk` have two.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in identifier.chars() {
        if c == '_' || c.is_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if let (Some(word), true) = (words.last_mut(), c != '_') {
            word.extend(c.to_lowercase());
        }
    }
    words
}

/// `crates/replay`, `tests/it`.
fn module(path: &Path) -> String {
    let parts: Vec<_> = path.iter().take(2).map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

#[test]
fn retired_words_are_in_no_identifier() {
    let (mut wrong, mut to_do, mut stay) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (path, text) in sources(&["src", "crates", "tests", "examples"]) {
        if path.ends_with("words.rs") {
            continue;
        }
        let (module, code) = (module(&path), code(&text));
        for identifier in identifiers(&code) {
            for word in words(identifier) {
                let Some((retired, better)) = RETIRED.iter().find(|(retired, _)| *retired == word)
                else {
                    continue;
                };
                if STAY.iter().any(|(stays, _)| *stays == identifier) {
                    stay.insert(identifier.to_owned());
                } else if TO_DO.contains(&(*retired, module.as_str())) {
                    to_do.insert((*retired, module.clone()));
                } else {
                    let path = path.display();
                    wrong.insert(format!("{path}: {identifier}: {word} is {better}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
    for (word, module) in TO_DO {
        assert!(to_do.contains(&(*word, (*module).to_owned())), "{module} has no {word} any more");
    }
    for (identifier, _) in STAY {
        assert!(stay.contains(*identifier), "{identifier} is gone");
    }
}

#[test]
fn type_names_are_defined_once() {
    let mut defined: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for (path, text) in sources(&["src", "crates"]) {
        if is_test(&path) {
            continue;
        }
        let text = without_tests(&text);
        for name in text.lines().filter_map(type_name) {
            // The messages of all protocols count as one definition.
            let place =
                if path.starts_with("crates/protocols") { PathBuf::new() } else { path.clone() };
            defined.entry(name.to_owned()).or_default().insert(place);
        }
    }
    let again: BTreeMap<_, _> = defined.into_iter().filter(|(_, paths)| paths.len() > 1).collect();
    let is_known = |name: &str| DEFINED_AGAIN.iter().any(|(known, _)| *known == name);
    let new: Vec<_> = again.iter().filter(|(name, _)| !is_known(name)).collect();
    assert!(new.is_empty(), "defined again: {new:#?}");
    for (name, _) in DEFINED_AGAIN {
        assert!(again.contains_key(*name), "{name} is defined once");
    }
    assert!(DEFINED_AGAIN.len() <= 15);
}

/// The type that a line at the margin defines.
fn type_name(line: &str) -> Option<&str> {
    let line = ["pub(crate) ", "pub(super) ", "pub(in ", "pub "]
        .iter()
        .find_map(|prefix| line.strip_prefix(prefix))
        .unwrap_or(line);
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// Names in code spans of the documents for developers, such as `Flows::prefetch`, are in the code.
#[test]
fn documents_name_what_is_in_the_code() {
    let code = sources(&["src", "crates", "tests", "examples", "fuzz/src"]);
    let known: BTreeSet<_> = code.iter().flat_map(|(_, text)| identifiers(text)).collect();
    let mut unknown = Vec::new();
    for page in ["docs/ARCHITECTURE.md", "docs/STYLE.md"] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
        let spans = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
        let names = spans.filter(|span| {
            let is_name = |c: char| c.is_alphanumeric() || "_:.".contains(c);
            span.starts_with(char::is_uppercase) && span.chars().all(is_name)
        });
        for name in names.filter(|name| !is_file(name)) {
            let parts = name.split([':', '.']).filter(|part| !part.is_empty());
            unknown.extend(
                parts.filter(|part| !known.contains(part)).map(|part| (page, part.to_owned())),
            );
        }
    }
    assert!(unknown.is_empty(), "not in the code: {unknown:?}");
}

fn is_file(name: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists()
        || name.chars().all(char::is_uppercase)
}

#[test]
fn code_and_words_are_separated() {
    let source = "let a_b = \"c \\\" d\"; // e\nlet f = '\"'; g(r#\"h \" i\"#)";
    assert_eq!(identifiers(&code(source)).collect::<Vec<_>>(), ["let", "a_b", "let", "f", "g"]);
    assert_eq!(words("FlowTalk"), ["flow", "talk"]);
    assert_eq!(words("flow_talk2_B"), ["flow", "talk2", "b"]);
    assert_eq!(type_name("pub(crate) struct Flow<'a> {"), Some("Flow"));
    assert_eq!(type_name("    type Item = u8;"), None);
}

/// Words and phrases of earlier versions that nothing for users has: a pattern for each.
const RETIRED_PHRASES: &[&str] = &[
    r"\b(room|voice|persona|desk|seat|realm|stray|strays|beats|stumps)\b",
    r"looks? again\b",
    r"that is for messages",
    r"\bsaid so\b",
    r"\bdemanded\b",
    r"does not keep to",
    r"say again to",
    r"what should be for what has to be",
    r"\ba row an exchange\b",
    r"display filter means",
    r"\bno tape\b",
    r"nobody listens",
    r"\bstates told\b",
];

/// Names of games.
const NAMES: [&str; 2] = ["No More Room in Hell", "no-more-room-in-hell"];

/// What a command prints.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Every text that users read, with its name: pages, help, manual pages, listings.
fn user_texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut texts, mut folders) = (Vec::new(), vec![root.join("docs")]);
    let mut pages: Vec<_> =
        ["README.md", "SECURITY.md", "CONTRIBUTING.md"].map(PathBuf::from).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                None => folders.push(path),
                Some(end) if end == "md" => pages.push(path.strip_prefix(root).unwrap().into()),
                Some(_) => {}
            }
        }
    }
    for page in pages {
        texts.push((page.display().to_string(), fs::read_to_string(root.join(page)).unwrap()));
    }
    let help = printed(&["help"]);
    let listed = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for command in commands.filter(|command| !command.is_empty() && *command != "help") {
        for arguments in [["help", command], ["man", command]] {
            texts.push((arguments.join(" "), printed(&arguments)));
        }
    }
    for arguments in [&["help"][..], &["man"], &["catalogue"], &["conform", "--list"], &["config"]]
    {
        texts.push((arguments.join(" "), printed(arguments)));
    }
    texts
}

#[test]
fn retired_phrases_are_in_nothing_that_users_read() {
    let texts = user_texts();
    assert!(texts.len() > 60, "{}", texts.len());
    let mut found = Vec::new();
    for pattern in RETIRED_PHRASES {
        let pattern = Regex::new(&format!("(?i){pattern}")).unwrap();
        for (name, text) in &texts {
            let text = NAMES.iter().fold(text.clone(), |text, name| text.replace(name, ""));
            for line in text.lines().filter(|line| pattern.is_match(line)).take(3) {
                found.push(format!("{name}: {line}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
