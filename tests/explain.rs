//! Why a server is not listed: each step at which a registration can stop, on captures in which it
//! does.

use assert_cmd::Command;

/// What `explain` says of a server, and its status.
fn explain(capture: &str, server: &str) -> (String, Option<i32>) {
    let mut command = Command::cargo_bin("fragshark").unwrap();
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let path = format!("captures/{capture}.pcapng");
    let output = command.args(["explain", &path, "--server", server]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{capture}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn the_step_that_failed_is_named() {
    for (capture, server, says, status) in [
        ("tour", "192.0.2.10", "it is listed\n", 0),
        ("tour", "192.0.2.10:27960", "it said goodbye in frame 34", 0),
        ("tour", "192.0.2.11", "unseen  heartbeat", 0),
        ("tour", "192.0.2.10:1", "there are 192.0.2.10:27960", 1),
        ("tour", "192.0.2.99", "no heartbeat of 192.0.2.99 was captured", 1),
        ("quake3/dead-master", "192.0.2.10", "it failed at the arrival", 1),
        ("quake3/documented", "192.0.2.1", "it failed at the challenge", 1),
        ("findings/challenge.changed", "192.0.2.15", "it failed at the proof", 1),
        ("findings/challenge.missing", "192.0.2.10", "it failed at the proof", 1),
        ("findings/info.key-missing", "192.0.2.10", "it failed at the contents", 1),
    ] {
        let (text, code) = explain(capture, server);
        assert!(text.contains(says), "{capture}, {server}:\n{text}");
        assert_eq!(code, Some(status), "{capture}, {server}:\n{text}");
    }
}

#[test]
fn a_registration_is_told_step_by_step() {
    insta::assert_snapshot!(explain("tour", "192.0.2.10").0);
}

#[test]
fn what_is_no_address_is_refused() {
    let mut command = Command::cargo_bin("fragshark").unwrap();
    command.args(["explain", "captures/tour.pcapng", "--server", "example.org"]);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
}
