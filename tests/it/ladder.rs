//! The tour as a ladder: a text in a snapshot, a picture in `docs/`. `UPDATE=1` draws the picture
//! again.

use std::path::Path;
use std::{env, fs};

use crate::golden;

use assert_cmd::Command;

fn ladder(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("fragshark").unwrap();
    command.arg("decode").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_story_of_the_tour_reads_right() {
    insta::assert_snapshot!(ladder(&["--sequence", "captures/tour.pcapng"]));
    let same = ladder(&["--ladder=text", "captures/tour.pcapng"]);
    assert_eq!(same, ladder(&["--sequence", "captures/tour.pcapng"]));
}

#[test]
fn the_tour_is_a_diagram_for_documents() {
    insta::assert_snapshot!(ladder(&["--sequence=mermaid", "captures/tour.pcapng"]));
    let same = ladder(&["--sequence", "mermaid", "captures/tour.pcapng"]);
    assert_eq!(same, ladder(&["--sequence=mermaid", "captures/tour.pcapng"]));
}

#[test]
fn the_picture_in_the_documents_is_what_the_program_draws() {
    let picture = ladder(&["--sequence=svg", "captures/tour.pcapng"]);
    golden::check("docs/sequence.svg", picture);
}

#[test]
fn a_pipe_is_drawn_while_it_is_read() {
    let tour = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng"));
    let mut command = Command::cargo_bin("fragshark").unwrap();
    let output = command.args(["decode", "--sequence", "-"]).write_stdin(tour.unwrap());
    let text = String::from_utf8(output.output().unwrap().stdout).unwrap();
    assert_eq!(text.matches("getserversResponse").count(), 2, "{text}");
    assert!(!text.contains("no answer"), "a pipe may still bring it:\n{text}");
}

#[test]
fn a_ladder_is_no_other_form() {
    for other in [&["-v"][..], &["--count"], &["--format", "ndjson"]] {
        let mut command = Command::cargo_bin("fragshark").unwrap();
        command.args(["decode", "--sequence", "captures/tour.pcapng"]).args(other);
        assert_eq!(command.output().unwrap().status.code(), Some(2), "{other:?}");
    }
}
