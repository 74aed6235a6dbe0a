//! Runs the corpus of `fuzz/` through the oracles of libFuzzer's targets: a regression test.
//! docs/fuzzing.md describes how the corpus is made.

#[path = "../../fuzz/src/lib.rs"]
pub mod fuzz;

use std::collections::{BTreeMap, BTreeSet};
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

/// The dependencies of the packages of a lock file, by package.
fn locked(file: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let mut packages = BTreeMap::<String, BTreeSet<String>>::new();
    for package in text.split("[[package]]").skip(1) {
        let quoted: Vec<_> = package.split('"').skip(1).step_by(2).collect();
        let listed = package.split_once("dependencies = [").map_or("", |(_, listed)| listed);
        // `name`, or `name version` where there are several versions.
        let listed = listed.split('"').skip(1).step_by(2);
        let names = listed.map(|entry| entry.split(' ').next().unwrap().to_owned());
        packages.entry(quoted[0].to_owned()).or_default().extend(names);
    }
    packages
}

/// The fuzzing targets are a workspace with a lock file of its own, which `cargo update --workspace`
/// in `fuzz/` brings up to date.
#[test]
fn the_lock_file_of_the_targets_follows_the_crates() {
    let locked = locked("fuzz/Cargo.lock");
    let ours = locked.iter().filter(|(name, _)| name.starts_with("fragshark-"));
    let mut checked = 0;
    for (name, listed) in ours.filter(|(name, _)| *name != "fragshark-fuzz") {
        let manifest = format!("crates/{}/Cargo.toml", &name["fragshark-".len()..]);
        let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest));
        let manifest = manifest.unwrap();
        let (_, needed) = manifest.split_once("\n[dependencies]\n").unwrap_or_default();
        for line in needed.split("\n[").next().unwrap().lines() {
            let Some((dependency, version)) = line.split_once([' ', '.']) else { continue };
            if dependency.starts_with('#') || version.contains("optional") {
                continue;
            }
            let ours = format!("fragshark-{}", dependency.replace('_', "-"));
            let packages = [dependency.to_owned(), ours];
            let is_listed = packages.iter().any(|package| listed.contains(package));
            assert!(is_listed, "fuzz/Cargo.lock lacks {dependency} of {name}");
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked} dependencies were compared");
}
