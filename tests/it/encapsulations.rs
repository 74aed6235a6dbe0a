//! Captures of encapsulations that other programs made (`tests/data/encapsulations.py`): their messages
//! are read, and no address of hardware inside of them is left after redaction.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;

use fragshark::analysis::Pipeline;
use fragshark::capture::Input;

const TABLE: &str = include_str!("../data/encapsulations.csv");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encapsulations");

/// The captures, and how many messages each has.
fn captures() -> impl Iterator<Item = (PathBuf, usize)> {
    TABLE.lines().skip(1).map(|row| {
        let mut cells = row.split(',');
        let name = cells.next().unwrap();
        (PathBuf::from(format!("{FOLDER}/{name}.pcap")), cells.nth(1).unwrap().parse().unwrap())
    })
}

#[test]
fn the_messages_in_every_encapsulation_are_read() {
    let mut count = 0;
    for (file, expected) in captures() {
        let mut pipeline = Pipeline::open(vec![Input::File(file.clone())], Vec::new()).unwrap();
        let mut names = Vec::new();
        let done = pipeline.messages(|message| {
            names.push(message.header.name);
            ControlFlow::<()>::Continue(())
        });
        assert!(done.unwrap().is_none());
        assert_eq!(names, ["getinfo", "infoResponse"][..expected], "{}", file.display());
        count += 1;
    }
    assert_eq!(count, fs::read_dir(FOLDER).unwrap().count());
}

#[test]
fn no_address_of_hardware_is_left_in_an_encapsulation() {
    for (file, expected) in captures() {
        let ran = Command::new(env!("CARGO_BIN_EXE_fragshark"))
            .args(["export", "--format", "pcapng", "--redact", "-o", "-"])
            .arg(&file)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        for address in [b"\x02\0\0\0\0\x01", b"\x02\0\0\0\0\x02"] {
            let is_there = ran.stdout.windows(address.len()).any(|bytes| bytes == address);
            assert!(!is_there, "{} has {address:02x?}", file.display());
        }
        let input = Input::Memory { name: "redacted".to_owned(), bytes: ran.stdout.into() };
        let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
        let counts = pipeline.count().unwrap();
        let messages: u64 = counts.messages.values().sum();
        assert_eq!(messages, expected as u64, "{}", file.display());
    }
}
