//! Damaged captures, and unreadable captures among others: the messages, and the status.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use fragshark::capture::{Frames, Input, write};
use tempfile::TempDir;

const TOUR: &str = "captures/tour.pcapng";

fn fragshark(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap()
}

fn last_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned()
}

/// The tour without its last bytes, in its own directory.
fn cut() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(TOUR)).unwrap();
    let path = folder.path().join("cut.pcapng");
    fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    let name = path.to_str().unwrap().to_owned();
    (folder, name)
}

/// Every command that reads captures and ends by itself, without its captures.
const COMMANDS: &[&[&str]] = &[
    &["decode"],
    &["decode", "--count"],
    &["decode", "--sequence=text"],
    &["decode", "-Y", "exchange.state == answered"],
    &["export"],
    &["export", "--what", "messages"],
    &["export", "--what", "flows", "--format", "ndjson"],
    &["export", "--what", "servers"],
    &["export", "--format", "pcapng", "--redact"],
    &["report"],
    &["check"],
    &["check", "--format", "json"],
    &["explain", "--server", "192.0.2.10"],
    &["replay", "--asap", "--role", "client"],
];

#[test]
fn damage_is_in_the_last_line_and_can_be_a_failure() {
    let (_folder, cut) = cut();
    for arguments in COMMANDS {
        let sound = fragshark(&[arguments, &["--fail-on-damage", TOUR][..]].concat());
        let status = fragshark(&[arguments, &[TOUR][..]].concat()).status.code();
        assert!(matches!(status, Some(0 | 1)), "{arguments:?}");
        assert_eq!(sound.status.code(), status, "{arguments:?}: {}", last_line(&sound));
        assert!(!last_line(&sound).contains("damaged"), "{arguments:?}");

        let output = fragshark(&[arguments, &[cut.as_str()][..]].concat());
        assert_eq!(output.status.code(), status, "{arguments:?}: {}", last_line(&output));
        let line = "fragshark: damaged input: 1 place; the readable part was used";
        assert_eq!(last_line(&output), line, "{arguments:?}");

        let failed = fragshark(&[arguments, &["--fail-on-damage", &cut][..]].concat());
        assert_eq!(failed.status.code(), Some(3), "{arguments:?}");
        assert_eq!(last_line(&failed), line, "{arguments:?}");
    }
}

/// Damage takes precedence over findings: in the missing part there may be more.
#[test]
fn damage_outweighs_findings() {
    let folder = tempfile::tempdir().unwrap();
    let bad = "captures/findings/list.end-missing.pcapng";
    let mut bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(bad)).unwrap();
    bytes.extend([0; 3]);
    let path = folder.path().join("bad.pcapng");
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(fragshark(&["check", path]).status.code(), Some(1));
    assert_eq!(fragshark(&["check", "--fail-on-damage", path]).status.code(), Some(3));
}

/// Missing bytes of a connection are damage too.
#[test]
fn a_gap_in_a_connection_is_damage() {
    let file = "captures/unreal-tournament/documented.pcapng";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    // Segments of Ethernet and IPv4 with payload, to or from the master's port.
    let carries = |bytes: &[u8]| {
        let port = 28_900u16.to_be_bytes();
        bytes.len() > 60 && bytes[23] == 6 && (bytes[34..36] == port || bytes[36..38] == port)
    };
    let input = Input::File(path);
    let mut frames = Frames::open(std::slice::from_ref(&input)).unwrap();
    let mut segments = Vec::new();
    while let Some(frame) = frames.next() {
        if carries(frame.bytes) {
            segments.push(frame.number);
        }
    }
    let lost = segments[segments.len() / 2];
    let mut frames = Frames::open(&[input]).unwrap();
    let mut rest = write::PcapWriter::new(Vec::new(), 1, 0).unwrap();
    while let Some(frame) = frames.next() {
        if frame.number != lost {
            rest.write(&write::FrameRecord { bytes: frame.bytes, ..frame.into() }).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gap.pcap");
    fs::write(&path, rest.finish().unwrap()).unwrap();
    let output = fragshark(&["decode", "--fail-on-damage", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(last_line(&output).starts_with("fragshark: damaged input: 1 place"), "{output:?}");
    let whole = fragshark(&["decode", "--fail-on-damage", file]);
    assert_eq!(whole.status.code(), Some(0));
}

#[test]
fn one_capture_of_many_that_cannot_be_read() {
    let (folder, cut) = cut();
    let text = folder.path().join("text");
    fs::write(&text, "no capture").unwrap();
    let text = text.to_str().unwrap();
    let rows = fragshark(&["export", TOUR]).stdout;
    for unread in [text, "/no/such/capture", "/"] {
        let refused = fragshark(&["export", unread, TOUR]);
        assert_eq!((refused.status.code(), refused.stdout), (Some(2), Vec::new()), "{unread}");
        for files in [[unread, TOUR], [TOUR, unread]] {
            let output = fragshark(&[&["export", "--keep-going"], &files[..]].concat());
            assert_eq!(output.status.code(), Some(3), "{files:?}");
            assert_eq!(output.stdout, rows, "{files:?}");
            let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(complaint.contains("left out: ") && complaint.contains(unread), "{complaint}");
            assert_eq!(last_line(&output), "fragshark: incomplete: 1 capture not read");
        }
    }
    let both = fragshark(&["check", "--keep-going", text, &cut]);
    assert_eq!(both.status.code(), Some(3));
    assert_eq!(
        last_line(&both),
        "fragshark: incomplete: 1 capture not read; damaged input: 1 place; the readable part \
         was used"
    );
    let none = fragshark(&["export", "--keep-going", text, "/no/such/capture"]);
    assert_eq!(none.status.code(), Some(2), "{}", last_line(&none));
    // Options that tolerate damage do not make a correct run fail.
    let sound = fragshark(&["export", "--keep-going", "--fail-on-damage", TOUR]);
    assert_eq!((sound.status.code(), sound.stdout), (Some(0), rows));
}
