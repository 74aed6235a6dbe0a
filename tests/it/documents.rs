//! The pages of `docs/`: which of them tests make, that one page leads to all others, and that
//! every link leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::golden;

/// The folder of the pages that tests make.
const REFERENCE: &str = "docs/reference";

/// A page in `docs/reference`.
struct ReferencePage {
    file: &'static str,
    title: &'static str,
    readers: &'static str,
    about: &'static str,
    /// Where people wrote about it.
    see: &'static str,
    /// The test that makes it, as `cargo test --test it` takes it.
    test: &'static str,
}

const PAGES: &[ReferencePage] = &[
    ReferencePage {
        file: "catalogue.md",
        title: "Catalogue",
        readers: "people who look for a message by its name",
        about: "Every message that fragshark decodes, with its fields.",
        see: "",
        test: "catalogue",
    },
    ReferencePage {
        file: "filter-names.md",
        title: "Names of display filters",
        readers: "users who write a display filter and look for a name",
        about: "Every name that a display filter can have, with its type and its meaning.",
        see: "[Display filters](../filters.md) explains the language.",
        test: "filter",
    },
    ReferencePage {
        file: "export-columns.md",
        title: "Columns of the tables",
        readers: "people who process the tables of `export` with other programs",
        about: "Every column of every table, and its names in other programs.",
        see: "[Export](../export.md) explains the tables and the types.",
        test: "cli",
    },
    ReferencePage {
        file: "findings.md",
        title: "Findings",
        readers: "admins who want to know what a finding of `check` means",
        about: "Every rule that `fragshark check` tests, with its source and its impact.",
        see: "The [glossary](../glossary.md#documents) lists the documents.",
        test: "findings",
    },
    ReferencePage {
        file: "conformance-cases.md",
        title: "Conformance cases",
        readers: "people who test a master and look for a case",
        about: "Every case of `fragshark conform`, and every precondition of the cases.",
        see: "[Conformance](../conformance.md) explains how a case is judged.",
        test: "conform",
    },
    ReferencePage {
        file: "conformance-requirements.md",
        title: "Requirements of masters",
        readers: "people who write a master",
        about: "What the documents require of a master, and the cases that test it.",
        see: "[Conformance](../conformance.md) explains how a case is judged.",
        test: "conform",
    },
    ReferencePage {
        file: "defects.md",
        title: "Defects of the reference master",
        readers: "people who want to know which defects of a master `conform` finds",
        about: "Every defect of `fragshark master --defect`, and the conformance cases that find it.",
        see: "[The reference master](../master.md#defects) and \
              [Conformance](../conformance.md#defects) explain what defects are for.",
        test: "conform",
    },
    ReferencePage {
        file: "server-cases.md",
        title: "Conformance cases for servers",
        readers: "people who test a game server and look for a case",
        about: "Every case of `fragshark conform --server`, and every precondition of the cases.",
        see: "[Conformance](../conformance.md#game-servers) explains how a server is judged.",
        test: "conform",
    },
    ReferencePage {
        file: "server-requirements.md",
        title: "Requirements of servers",
        readers: "people who write a game server",
        about: "What the documents require of a game server that is asked, and the cases that test it.",
        see: "[Conformance](../conformance.md#game-servers) explains how a server is judged.",
        test: "conform",
    },
    ReferencePage {
        file: "server-defects.md",
        title: "Defects of simulated servers",
        readers: "people who want to know which defects of a server `conform --server` finds",
        about: "Every defect that a simulated server can have, and the conformance cases that find it.",
        see: "[Conformance](../conformance.md#game-servers) explains what they are for.",
        test: "conform",
    },
    ReferencePage {
        file: "mutants.md",
        title: "Mutants of the reference masters",
        readers: "people who change conformance cases or reference masters",
        about: "Every comparison, condition, limit and text of the reference masters was changed, \
                one at a time, and judged by all cases: how many of these mutants a case fails, warns \
                of or reports, which survive or are not reached, and why.",
        see: "[Conformance](../conformance.md#mutants) explains it.",
        test: "master_mutants",
    },
    ReferencePage {
        file: "implementations.md",
        title: "Known masters",
        readers: "people who want to know which program a master is",
        about: "The traits of known masters, which `fragshark fingerprint` compares.",
        see: "[Conformance](../conformance.md#fingerprint) explains what a trait is.",
        test: "conform",
    },
    ReferencePage {
        file: "keys.md",
        title: "Keys of the interface",
        readers: "users of the interface",
        about: "Every key, what it does, and the name of its command.",
        see: "[The interface](../interface.md) explains the screens, \
              [Configuration](../configuration.md#settings) how to change the keys.",
        test: "interface_page",
    },
    ReferencePage {
        file: "coverage.md",
        title: "Coverage",
        readers: "people who compare the decoders with the documents",
        about: "Every example that the documents print or define, and what fragshark makes of it.",
        see: "The [glossary](../glossary.md#documents) lists the documents.",
        test: "expected",
    },
    ReferencePage {
        file: "today.md",
        title: "Messages of today",
        readers: "people who change a decoder",
        about: "Examples of what engines, clients and masters send today, and what fragshark makes of them.",
        see: "[Protocols](../protocols/README.md) has the specifications.",
        test: "today",
    },
];

/// The line with which a page begins that a test makes.
fn made_by(test: &str) -> String {
    format!(
        "`UPDATE=1 cargo test --test it {test}` makes this page. A test fails if it is out of date."
    )
}

/// Compares a page in `docs/reference` with its head and this text, or writes it.
pub fn check_reference(file: &str, text: &str) {
    let page = PAGES.iter().find(|page| page.file == file);
    let ReferencePage { title, readers, about, see, test, .. } =
        page.unwrap_or_else(|| panic!("{file} is missing in PAGES"));
    let head = format!("# {title}\n\nFor {readers}.\n\n{about} {see} {}", made_by(test));
    golden::check(format!("{REFERENCE}/{file}"), format!("{head}\n\n{}\n", text.trim()));
}

#[test]
fn the_index_of_the_reference_is_up_to_date() {
    let mut index = format!(
        "# Reference\n\nFor readers who look for one name, column, rule or case.\n\nTests make \
         these pages from the program. People write the other pages: [Documents](../README.md). {}\n\n\
         | page | what it has |\n|---|---|\n",
        made_by("documents")
    );
    for ReferencePage { file, title, about, .. } in PAGES {
        writeln!(index, "| [{title}]({file}) | {about} |").unwrap();
    }
    golden::check(format!("{REFERENCE}/README.md"), index);
}

/// No page there is written by hand: each is in the list above, and one test compares it.
#[test]
fn tests_make_every_page_of_the_reference() {
    if golden::is_updating() {
        return; // other tests are writing pages
    }
    let found = pages_in(Path::new(REFERENCE));
    let listed = PAGES.iter().map(|page| page.file).chain(["README.md"]);
    let listed: BTreeSet<_> = listed.map(|file| Path::new(REFERENCE).join(file)).collect();
    assert_eq!(found, listed, "the pages of the folder, and those that tests make");
    let tests: String = sources("tests/it").into_iter().collect();
    let tests: String = tests.split_whitespace().collect();
    for ReferencePage { file, title, readers, .. } in PAGES {
        let calls =
            [format!("check_reference(\"{file}\""), format!("check(\"{REFERENCE}/{file}\"")];
        let count: usize = calls.iter().map(|call| tests.matches(call.as_str()).count()).sum();
        assert_eq!(count, 1, "tests that make {file}");
        let page = fs::read_to_string(golden::path(REFERENCE).join(file)).unwrap();
        let head = format!("# {title}\n\nFor {readers}.\n\n");
        assert!(page.starts_with(&head), "{file} does not begin so:\n{head}");
    }
}

/// `docs/README.md` leads to every page: by a link, or by one to the index of the page's folder.
#[test]
fn the_index_leads_to_every_page() {
    if golden::is_updating() {
        return; // other tests are writing pages
    }
    let index = |folder: &str| -> BTreeSet<PathBuf> {
        let page = fs::read_to_string(golden::path(folder).join("README.md")).unwrap();
        links(&page).map(|link| linked(folder, link).0).collect()
    };
    let mut reached = index("docs");
    for folder in ["docs/howto", "docs/protocols", REFERENCE] {
        assert!(reached.contains(&Path::new(folder).join("README.md")), "{folder}");
        reached.extend(index(folder));
    }
    reached.insert("docs/README.md".into());
    let missing: Vec<_> = pages_in(Path::new("docs")).difference(&reached).cloned().collect();
    assert!(missing.is_empty(), "docs/README.md does not lead to {missing:?}");
}

/// Links within the repository, and to the headings and anchors of its pages.
#[test]
fn links_lead_somewhere() {
    if golden::is_updating() {
        return; // other tests are writing pages
    }
    let mut pages = pages_in(Path::new("docs"));
    pages.extend(["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].map(Into::into));
    pages.insert("python/README.md".into());
    let text = |path: &PathBuf| fs::read_to_string(golden::path(path)).unwrap();
    let places: BTreeMap<_, _> = pages.iter().map(|path| (path, anchors(&text(path)))).collect();
    let mut wrong = Vec::new();
    for path in &pages {
        let folder = path.parent().unwrap().to_str().unwrap();
        for link in links(&text(path)) {
            let (target, place) = match link.strip_prefix('#') {
                Some(place) => (path.clone(), place),
                None => linked(folder, link),
            };
            let has_place = || places.get(&target).is_some_and(|places| places.contains(place));
            if !golden::path(&target).exists() {
                wrong.push(format!("{} links to {link}, which is not there", path.display()));
            } else if !place.is_empty() && !has_place() {
                wrong.push(format!("{} links to {link}: no such heading", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Documents that the program and its sources name exist.
#[test]
fn named_documents_exist() {
    let mut wrong = BTreeSet::new();
    let folders = ["src", "tests", "examples", "benches", "fuzz/src", "python"];
    for text in folders.into_iter().flat_map(sources) {
        for rest in text.split("docs/").skip(1) {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
            let name = rest.split(|c| !is_part(c)).next().unwrap_or_default();
            let name = name.trim_end_matches('.');
            let is_page = Path::new(name).extension().is_some_and(|is| is == "md");
            if is_page && !golden::path("docs").join(name).exists() {
                wrong.insert(name.to_owned());
            }
        }
    }
    assert!(wrong.is_empty(), "documents that are not there: {wrong:?}");
}

/// The pages in a folder of the repository and in those below it.
fn pages_in(folder: &Path) -> BTreeSet<PathBuf> {
    files(folder, &["md"]).into_iter().collect()
}

/// The sources in a folder of the repository.
fn sources(folder: &str) -> Vec<String> {
    let found = files(Path::new(folder), &["rs", "py", "sh"]);
    found.iter().map(|path| fs::read_to_string(golden::path(path)).unwrap()).collect()
}

/// The files with one of these extensions in a folder of the repository and in those below it.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(golden::path(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&path, extensions));
        } else if path.extension().is_some_and(|is| extensions.iter().any(|one| is == *one)) {
            found.push(path);
        }
    }
    found
}

/// The targets of the links of a page, other sites aside.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|link| !link.contains("://") && !link.starts_with("mailto:"))
}

/// The file that a link from a page of this folder leads to, and the place in it.
fn linked<'l>(folder: &str, link: &'l str) -> (PathBuf, &'l str) {
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let mut path = PathBuf::from(folder);
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            part => path.push(part),
        }
    }
    (path, place)
}

/// The places of a page: its headings as links name them, and its own anchors.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#')).map(anchor);
    let own = page.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next());
    headings.chain(own.map(str::to_owned)).collect()
}

/// The name of a heading in links: small letters, without punctuation, with `-` for blanks.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
