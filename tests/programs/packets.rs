//! Packets that `export` writes, in Wireshark: the comments are there, and the checksums are right.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fragshark::capture::{Frames, Input};

use crate::sharkd::in_each;
use crate::{golden, needs};

const WRITTEN: [&str; 2] = ["--format", "pcapng"];
const REDACTED: [&str; 5] = ["--format", "pcapng", "--redact", "--redact-key", "a key"];

/// What stays the same in packets that are written and redacted.
const SAME: [&str; 10] = [
    "frame.time_epoch",
    "frame.len",
    "frame.cap_len",
    "frame.encap_type",
    "ip.checksum.status",
    "udp.checksum.status",
    "tcp.checksum.status",
    "icmp.checksum.status",
    "icmpv6.checksum.status",
    "udp.length",
];

/// Writes what `export` gives for a capture.
fn export(capture: &Path, options: &[&str], to: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.arg("export").arg(capture).args(options).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {complaint}", capture.display());
    fs::write(to, output.stdout).unwrap();
}

/// The comments of each frame as Wireshark shows them, joined by commas.
fn comments(file: &Path) -> Vec<String> {
    let mut frames = Frames::open(&[Input::from_argument(file.as_os_str())]).unwrap();
    let mut all = Vec::new();
    while let Some(frame) = frames.next() {
        let text = |text: &[u8]| String::from_utf8(text.to_vec()).unwrap();
        all.push(
            frame.comments.iter().map(text).collect::<Vec<_>>().join(",").replace('\n', "\\n"),
        );
    }
    all
}

#[test]
fn wireshark_finds_the_comments_and_right_checksums() {
    const TEST: &str = "wireshark_finds_the_comments_and_right_checksums";
    let Some([sharkd]) = needs::programs(TEST, ["sharkd"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let [written, redacted] = ["written", "redacted"].map(|name| folder.path().join(name));
    // Those of findings have the same link type.
    let mut captures: Vec<PathBuf> = golden::captures();
    captures.retain(|capture| !capture.parent().unwrap().ends_with("findings"));
    in_each(&sharkd, None, &captures, |sharkd, capture| {
        for preference in ["ip.check_checksum", "udp.check_checksum", "tcp.check_checksum"] {
            sharkd.set(preference, "TRUE");
        }
        sharkd.set("ip.defragment", "FALSE");
        let name = capture.display();
        sharkd.load(capture);
        let before = sharkd.frames(&SAME);
        export(capture, &WRITTEN, &written);
        sharkd.load(&written);
        let mut both = sharkd.frames(&[&SAME[..], &["frame.comment"]].concat());
        let seen: Vec<_> = both.iter_mut().map(|(_, cells)| cells.pop().unwrap()).collect();
        assert_eq!(seen, comments(&written), "{name}");
        assert_eq!(both, before, "{name}");
        export(capture, &REDACTED, &redacted);
        sharkd.load(&redacted);
        assert_eq!(sharkd.frames(&SAME), before, "{name}");
    });
}
