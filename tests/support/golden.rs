//! Files of the repository that follow from the code. `UPDATE=1` writes them; read the difference
//! before you commit it.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the repository.
pub fn path(name: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Every capture of the repository.
pub fn captures() -> Vec<PathBuf> {
    let mut folders = vec![path("captures")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(|e| e.to_str()) {
                None => folders.push(path),
                Some("pcap" | "pcapng") => found.push(path),
                Some(_) => {}
            }
        }
    }
    found.sort();
    assert!(found.len() > 100);
    found
}

/// Compares a file of the repository with what it should be, or writes it.
pub fn check(name: impl AsRef<Path>, should: impl AsRef<[u8]>) {
    let (path, should) = (path(name), should.as_ref());
    if is_updating() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, should).unwrap();
        return;
    }
    let is = fs::read(&path).unwrap_or_default();
    assert!(
        is == should,
        "{} is stale: run with UPDATE=1\n{}",
        path.display(),
        difference(&is, should)
    );
}

/// The same for the parts of a page between `<!-- NAME -->` and `<!-- end -->`.
pub fn check_parts<'a>(name: &str, parts: impl IntoIterator<Item = (&'a str, String)>) {
    let mut page = fs::read_to_string(path(name)).unwrap();
    for (part, text) in parts {
        let begin = format!("<!-- {part} -->\n");
        let at = page.find(&begin).unwrap_or_else(|| panic!("{name} has no {part}")) + begin.len();
        let end = at + page[at..].find("<!-- end -->").unwrap();
        page.replace_range(at..end, &text);
    }
    check(name, page);
}

/// The first line that differs, as it is and as it should be.
fn difference(is: &[u8], should: &[u8]) -> String {
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
    };
    let (is, should) = (lines(is), lines(should));
    let at = is.iter().zip(&should).take_while(|(is, should)| is == should).count();
    let line = |lines: &[String]| lines.get(at).map_or("(no line)".to_owned(), Clone::clone);
    format!("line {}\n      is: {}\nshould be: {}", at + 1, line(&is), line(&should))
}

/// Whether the files are written.
pub fn is_updating() -> bool {
    std::env::var_os("UPDATE").is_some()
}
