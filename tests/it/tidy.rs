//! The project's own rules, checked on its sources: which module may use which, how long a file may
//! be, and that only `protocols/` knows games by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the lowest layer up, and what each may use. `docs/ARCHITECTURE.md` has the same
/// table in words.
const LAYERS: &[(&str, &str)] = &[
    ("random", ""),
    ("text", ""),
    ("codec", "text"),
    ("protocol", "codec text"),
    ("protocols", "protocol codec"),
    ("net", ""),
    ("capture", ""),
    ("sandbox", ""),
    ("flow", "net protocols protocol codec text"),
    ("analysis", "capture net flow protocols protocol codec text"),
    ("render", "codec protocol text"),
    ("html", "text"),
    ("report", "html render text"),
    ("filter", "analysis flow net render protocols protocol codec text"),
    ("export", "filter analysis capture flow net render protocols protocol codec text random"),
    (
        "capture_report",
        "html export filter analysis capture flow net render protocols protocol codec text",
    ),
    ("master", "capture net protocol codec text random"),
    ("simulate", "net protocol codec random"),
    ("conform", "simulate report master render capture net protocols protocol codec text random"),
    ("families", "conform simulate master render protocols protocol codec text"),
    (
        "replay",
        "families simulate master filter render report analysis capture flow net protocols protocol codec text",
    ),
    ("watch", "families simulate text"),
    ("tui", "watch export filter analysis capture flow net render protocols protocol codec text"),
    ("wireshark", "protocols protocol codec"),
    (
        "cli",
        "wireshark tui watch conform replay families simulate sandbox master capture_report report html export filter analysis capture flow net render protocols protocol codec text",
    ),
];

/// A longer file must be split.
const LINES: usize = 400;

/// Whether a source holds tests only.
fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
                found.push((path.strip_prefix(root).unwrap().to_owned(), text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 40, "only {} sources were found", found.len());
    found
}

fn module_of(path: &Path) -> Option<String> {
    let first = path.components().next()?.as_os_str().to_str()?;
    (!path.ends_with(first)).then(|| first.to_owned())
}

/// The modules that a source names by `crate::module`, its tests aside.
fn used(text: &str) -> Vec<(usize, String)> {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let mut used = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or(line);
        for rest in code.split("crate::").skip(1) {
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
            used.push((n + 1, name.to_owned()));
        }
    }
    used
}

#[test]
fn modules_use_only_the_layers_below() {
    let table: BTreeMap<_, _> = LAYERS.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(module) = module_of(&path) else {
            continue;
        };
        let Some(allowed) = table.get(module.as_str()) else {
            panic!("{module} stands in no layer of tests/it/tidy.rs");
        };
        if is_test(&path) {
            continue;
        }
        for (line, name) in used(&text) {
            let is_module = table.contains_key(name.as_str());
            if is_module && name != module && !allowed.split(' ').any(|a| a == name) {
                wrong.push(format!("{}:{line}: {module} uses {name}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The cases judge any master: they must not know how the reference master of their family works.
#[test]
fn cases_do_not_use_the_master_of_a_family() {
    let cases = |path: &Path| path.components().any(|c| c.as_os_str() == "cases");
    let files: Vec<_> = sources().into_iter().filter(|(path, _)| cases(path)).collect();
    assert!(files.len() > 40, "only {} files have cases", files.len());
    for (path, text) in files {
        for (n, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or(line);
            let rest = code.replace("crate::master", "");
            assert!(!rest.contains("master::"), "{}:{}: {code}", path.display(), n + 1);
        }
    }
}

/// A protocol is a folder and two lines in `protocols/mod.rs`, a family a folder and two lines in
/// `families/mod.rs`: nothing else in `src/` outside of these folders names one.
#[test]
fn a_protocol_or_a_family_is_a_folder_and_two_lines() {
    let mut all = sources();
    all.retain(|(path, _)| !is_test(path));
    let folder = |path: &Path| {
        let parts: Vec<_> = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        match &parts[..] {
            [module, folder, _, ..] if module == "protocols" || module == "families" => {
                Some((module.clone(), folder.clone()))
            }
            _ => None,
        }
    };
    let folders: BTreeSet<_> = all.iter().filter_map(|(path, _)| folder(path)).collect();
    let folders: Vec<_> = folders.into_iter().filter(|(_, name)| name != "tests").collect();
    assert!(folders.len() > 12, "{folders:?}");
    for (module, name) in folders {
        let mut lines = Vec::new();
        for (path, text) in all.iter().filter(|(path, _)| folder(path).is_none()) {
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
            let code = text.lines().map(|line| line.split("//").next().unwrap_or(line));
            let is_named = |line: &&str| {
                if !line.contains(name.as_str()) {
                    return false;
                }
                let words: Vec<_> =
                    line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                let within = path.starts_with(&module) || words.contains(&module.as_str());
                within && words.contains(&name.as_str())
            };
            lines.extend(code.filter(is_named).map(|line| (path.clone(), line.to_owned())));
        }
        let registered = Path::new(&module).join("mod.rs");
        let is_there = lines.iter().all(|(path, _)| *path == registered);
        assert!(is_there && lines.len() == 2, "{module}/{name}: {lines:#?}");
    }
}

#[test]
fn files_stay_short() {
    let long = sources().into_iter().map(|(path, text)| (path, text.lines().count()));
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
    for (path, text) in sources() {
        if path.starts_with("protocols") || is_test(&path) {
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
const RAW_ALLOWED: [(&str, &str, &str); 6] = [
    ("replay/values.rs", "escape_ascii", "asks before whether the value is a secret"),
    ("replay/fields.rs", "from_utf8_lossy", "a key; stars stand for one that is a secret"),
    ("families/gamespy/messages.rs", "from_utf8_lossy", "is sent back, not shown"),
    ("families/gamespy/cases/validate.rs", "from_utf8_lossy", "is sent, not shown"),
    ("analysis/input_set.rs", "text::escaped", "the path of a capture, not from the net"),
    ("analysis/session/comments.rs", "from_utf8_lossy", "a comment in the file, not from the net"),
];

#[test]
fn reports_quote_bytes_only_where_secrets_are_looked_for() {
    let mut found = BTreeSet::new();
    for (path, text) in sources() {
        let judges = ["conform", "families", "replay", "analysis", "flow"]
            .iter()
            .any(|at| path.starts_with(at));
        let is_test = path.components().any(|c| c.as_os_str() == "tests")
            || path.file_name().is_some_and(|name| name == "tests.rs");
        if !judges || is_test {
            continue;
        }
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&text);
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
    let imports = code.contains("use crate::text");
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
        ("let text = crate::text::shown(&bytes);", "text::shown"),
        ("use crate::text::{MASK, shown};", "text::shown"),
        ("    String::from_utf8_lossy(key)", "from_utf8_lossy"),
    ] {
        assert_eq!(raw_in(code).collect::<Vec<_>>(), [raw], "{code}");
    }
    for code in ["use crate::text::{MASK, width};", "has_shown(&mut reading)"] {
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
