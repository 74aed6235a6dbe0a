//! The last line of `fragshark check`, and its status.

use assert_cmd::Command;

/// The output of `check` for a capture, and its status.
fn check(arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::cargo_bin("fragshark").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("check").args(arguments);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn the_last_line_says_what_was_looked_at() {
    let late = "captures/findings/heartbeat.late.pcapng";
    for (arguments, last, status) in [
        (&["captures/noise.pcapng"][..], "no findings in 0 messages of 0 games, 400 packets", 0),
        (
            &["captures/half-life/documented.pcap"],
            "no findings in 3 messages of 1 game, 3 packets",
            0,
        ),
        (
            &["captures/findings/message.faulty.pcapng"],
            "1 finding: 1 warning in 2 messages of 1 game, 2 packets",
            1,
        ),
        (
            &[late],
            "1 finding: 1 note (--severity note shows them) in 6 messages of 1 game, 6 packets",
            0,
        ),
        (&["--severity", "note", late], "1 finding: 1 note in 6 messages of 1 game, 6 packets", 1),
        (
            &["-Y", "frame.number == 1", "captures/findings/list.end-missing.pcapng"],
            "no findings in 1 message of 1 game, 3 packets",
            0,
        ),
    ] {
        let (text, code) = check(arguments);
        assert_eq!((text.lines().last().unwrap_or_default(), code), (last, Some(status)), "{text}");
    }
}

#[test]
fn other_forms_have_entries_alone() {
    let file = "captures/half-life/documented.pcap";
    for (form, whole) in [("json", "[]\n"), ("ndjson", "")] {
        assert_eq!(check(&["--format", form, file]), (whole.to_owned(), Some(0)));
    }
}
