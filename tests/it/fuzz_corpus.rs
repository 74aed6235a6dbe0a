//! Runs the corpus of `fuzz/` through the oracles of libFuzzer's targets: a regression test.
//! docs/fuzzing.md describes how the corpus is made.

#[path = "../../fuzz/src/lib.rs"]
pub mod fuzz;

use std::fs;
use std::path::{Path, PathBuf};

/// The maximum size of the whole corpus, in bytes.
const CORPUS: u64 = 1 << 20;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus")
}

/// Runs a target on its files, and on empty input.
fn replay(target: &str) {
    fuzz::run(target, b"");
    let files = fs::read_dir(folder().join(target)).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 10, "{target} has {} files", files.len());
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let ran = std::panic::catch_unwind(|| fuzz::run(target, &bytes));
        assert!(ran.is_ok(), "{} fails", file.display());
    }
}

/// A test per target, so that they run in parallel.
macro_rules! targets {
    ($($target:ident),*) => {
        $(#[test]
        fn $target() {
            replay(stringify!($target));
        })*

        #[test]
        fn every_target_is_replayed() {
            let here = [$(stringify!($target)),*];
            let known: Vec<_> = fuzz::TARGETS.iter().map(|(name, _)| *name).collect();
            assert_eq!(known, here);
            for name in known {
                let program = folder().with_file_name("fuzz_targets").join(name);
                assert!(program.with_extension("rs").is_file(), "{name} has no program");
            }
        }
    };
}

targets!(conversation, file, filter, http, master, message, redaction, replay_plan, stream);

#[test]
fn the_corpus_is_small() {
    let mut bytes = 0;
    for folder in fs::read_dir(folder()).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            bytes += file.unwrap().metadata().unwrap().len();
        }
    }
    assert!(bytes < CORPUS, "{bytes} bytes");
}
