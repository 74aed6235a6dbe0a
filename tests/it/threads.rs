//! What is written is the same for any number of threads.

use std::process::Command;

use crate::golden;

/// What a command writes for all captures at once, several batches of messages, with so many
/// threads.
fn written(arguments: &[&str], threads: &str) -> (Vec<u8>, Vec<u8>) {
    let files = golden::captures();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(arguments).args(["--threads", threads]).args(files).output();
    let output = output.unwrap();
    (output.stdout, output.stderr)
}

#[test]
fn every_number_of_threads_writes_the_same() {
    for arguments in [
        &["export", "--what", "sessions", "--format", "csv"][..],
        &["export", "--what", "sessions", "-Y", "exchange.kind == \"list\""],
        &["export", "--what", "messages", "--format", "ndjson"],
        &["export", "--what", "servers"],
        &["export", "--what", "findings"],
        &["export", "--what", "registrations", "-Y", "game == \"quake3\""],
        &["check", "--severity", "note"],
        &["explain", "--server", "192.0.2"],
        &["decode", "--ladder"],
        &["decode", "--count"],
    ] {
        let one = written(arguments, "1");
        assert!(!one.0.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&one.1));
        for threads in ["2", "3", "8", "64"] {
            assert!(written(arguments, threads) == one, "{arguments:?} with {threads} threads");
        }
    }
}
