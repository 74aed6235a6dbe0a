//! The captures of this project, for tests.

use std::path::{Path, PathBuf};

use crate::Input;

/// Every capture in `captures/` and its folders, in the order of their paths.
pub(crate) fn project_captures() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("captures")];
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

/// The same as inputs.
pub(crate) fn project_inputs() -> Vec<Input> {
    project_captures().into_iter().map(Input::File).collect()
}
