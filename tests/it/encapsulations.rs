//! Captures of encapsulations that other programs made (`tests/data/encapsulations.py`): their messages
//! are read, what is not read is told by name, and no address of hardware inside of them is left after
//! redaction.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;

use fragshark::analysis::Pipeline;
use fragshark::capture::Input;

const TABLE: &str = include_str!("../data/encapsulations.csv");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encapsulations");

/// A capture, and what is in it.
struct Capture {
    file: PathBuf,
    datagrams: u64,
    segments: u64,
    /// The name of what is not read.
    unread: String,
}

fn captures() -> impl Iterator<Item = Capture> {
    TABLE.lines().skip(1).map(|row| {
        let [name, _link, datagrams, segments, _, _, unread, _] =
            row.splitn(8, ',').collect::<Vec<_>>().try_into().unwrap();
        let file = PathBuf::from(format!("{FOLDER}/{name}.pcap"));
        let [datagrams, segments] = [datagrams, segments].map(|count| count.parse().unwrap());
        Capture { file, datagrams, segments, unread: unread.to_owned() }
    })
}

#[test]
fn the_messages_in_every_encapsulation_are_read() {
    let mut count = 0;
    for Capture { file, datagrams, segments, unread } in captures() {
        let mut pipeline = Pipeline::open(vec![Input::File(file.clone())], Vec::new()).unwrap();
        let mut names = Vec::new();
        let done = pipeline.messages(|message| {
            names.push(message.header.name);
            ControlFlow::<()>::Continue(())
        });
        assert!(done.unwrap().is_none());
        let expected = &["getinfo", "infoResponse"][..usize::try_from(datagrams).unwrap()];
        assert_eq!(names, expected, "{}", file.display());
        let mut pipeline = Pipeline::open(vec![Input::File(file.clone())], Vec::new()).unwrap();
        let counts = pipeline.count().unwrap();
        if unread.is_empty() {
            let counted = (counts.datagrams, counts.segments);
            assert_eq!(counted, (datagrams, segments), "{}", file.display());
        }
        let warnings = pipeline.warnings();
        let named = format!("1 frame has a packet in {unread}, which is not read");
        let expected = if unread.is_empty() { Vec::new() } else { vec![named] };
        assert_eq!(warnings, expected, "{}", file.display());
        count += 1;
    }
    assert_eq!(count, fs::read_dir(FOLDER).unwrap().count());
}

#[test]
fn no_address_of_hardware_is_left_in_an_encapsulation() {
    for Capture { file, datagrams, .. } in captures() {
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
        let messages: u64 = pipeline.count().unwrap().messages.values().sum();
        assert_eq!(messages, datagrams, "{}", file.display());
    }
}
