//! What unit tests of several crates read: the project's captures and the documented messages. No
//! crate uses it outside of tests.
#![allow(clippy::missing_panics_doc, reason = "a test fails if its data cannot be read")]

use std::path::{Path, PathBuf};

/// A file of the project, by its path from the top.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A file in `captures/`.
pub fn capture(name: &str) -> PathBuf {
    project("captures").join(name)
}

/// Every capture in `captures/` and its folders, in the order of their paths.
pub fn captures() -> Vec<PathBuf> {
    let mut folders = vec![project("captures")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|of| of == "pcap" || of == "pcapng") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 100);
    found
}

/// A message that the documents give byte by byte.
pub struct DocumentedMessage {
    /// `quake3/1.2.4/2`: protocol, section and number.
    pub id: String,
    /// The id of the game that sends it.
    pub game: String,
    /// Its bytes.
    pub payload: Vec<u8>,
}

/// Every documented message, from `tests/data/messages.jsonl`.
pub fn documented() -> Vec<DocumentedMessage> {
    let text = std::fs::read_to_string(project("tests/data/messages.jsonl")).unwrap();
    let message = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        let of = |key: &str| message[key].as_str().unwrap().to_owned();
        let payload = hex::decode(of("hex")).unwrap();
        DocumentedMessage { id: of("id"), game: of("game"), payload }
    };
    text.lines().map(message).collect()
}
