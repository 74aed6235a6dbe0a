//! Programs that a test needs besides the compiler, and what happens if they are missing.
//!
//! Such a test passes, but reports it: it prints `NOT RUN` on standard error and appends the line
//! to the file that `FRAGSHARK_NOT_RUN` names, else to `not-run.txt` in the target directory.
//! `FRAGSHARK_REQUIRE=all`, or a list like `tmux,tcpdump`, makes it fail instead.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::env;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where Debian has programs that a normal user's PATH may lack.
const BEYOND_PATH: [&str; 4] = ["/usr/games", "/usr/sbin", "/sbin", "/usr/local/sbin"];

/// The paths of all `programs`; `None`, with a message, if `test` cannot run without one.
pub fn programs<const N: usize>(test: &str, programs: [&str; N]) -> Option<[PathBuf; N]> {
    let found = programs.map(program);
    for (name, path) in programs.iter().zip(&found) {
        if path.is_none() {
            not_run(test, name, &format!("{name} is not installed"));
            return None;
        }
    }
    Some(found.map(Option::unwrap_or_default))
}

/// Reports that `test` did not run and why; fails if the missing `what` is required.
pub fn not_run(test: &str, what: &str, why: &str) {
    let line = format!("NOT RUN: {test}: {why}\n");
    // Not `eprint`, which the test harness captures while a test passes.
    let _ = std::io::stderr().write_all(line.as_bytes());
    let file = OpenOptions::new().create(true).append(true).open(record());
    file.and_then(|mut file| file.write_all(line.as_bytes())).unwrap();
    let required = env::var("FRAGSHARK_REQUIRE").unwrap_or_default();
    let mut required = required.split(',').map(str::trim);
    assert!(!required.any(|name| name == "all" || name == what), "{test} is required: {why}");
}

/// The path of a program.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&path).chain(BEYOND_PATH.map(PathBuf::from));
    places.find_map(|place| Some(place.join(name)).filter(|file| file.is_file()))
}

fn record() -> PathBuf {
    let named = env::var_os("FRAGSHARK_NOT_RUN").map(PathBuf::from);
    named.unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("not-run.txt"))
}
