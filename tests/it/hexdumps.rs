//! Hexdumps are read as captures: of the programs that print them, and what users paste.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::needs;

/// A request whose letters look like hex digits.
const REQUEST: &[u8] = b"\xff\xff\xff\xffgetinfo cafe babe 0123\n";

/// What a program makes of standard input.
fn piped(mut program: Command, input: &[u8]) -> Output {
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = program.spawn().unwrap();
    // A program that refuses its arguments reads nothing.
    _ = running.stdin.take().unwrap().write_all(input);
    running.wait_with_output().unwrap()
}

/// What fragshark prints for this input.
fn decoded(arguments: &[&str], input: &[u8]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    program.args(arguments);
    let Output { status, stdout, stderr } = piped(program, input);
    let complaint = String::from_utf8(stderr).unwrap();
    assert!(status.success() && complaint.is_empty(), "{arguments:?}: {complaint}");
    String::from_utf8(stdout).unwrap()
}

fn refused(arguments: &[&str], input: &[u8]) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    program.args(arguments);
    let output = piped(program, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn hexdumps_of_programs_are_decoded() {
    let test = "hexdumps_of_programs_are_decoded";
    let Some([xxd, hexdump, od]) = needs::programs(test, ["xxd", "hexdump", "od"]) else { return };
    for (program, arguments) in [
        (&xxd, &[][..]),
        (&xxd, &["-p"]),
        (&xxd, &["-c", "8", "-g", "1"]),
        (&xxd, &["-u"]),
        (&xxd, &["-i"]),
        (&hexdump, &["-C"]),
        (&hexdump, &[]),
        (&od, &["-A", "x", "-t", "x1z"]),
        (&od, &["-A", "x", "-t", "x2"]),
        (&od, &["-A", "n", "-t", "x1"]),
        (&od, &["-t", "x1"]),
        (&od, &["-A", "d", "-t", "x1"]),
        (&od, &["-x"]),
        (&od, &[]),
        (&xxd, &["-b"]),
    ] {
        let mut dump = Command::new(program);
        dump.args(arguments);
        let text = piped(dump, REQUEST).stdout;
        let shown = decoded(&["decode"], &text);
        let is_whole =
            shown.lines().count() == 1 && shown.ends_with("getinfo             cafe babe 0123\n");
        assert!(is_whole, "{program:?} {arguments:?}:\n{}{shown}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn packets_that_tcpdump_and_tshark_print_are_decoded_as_they_were() {
    let test = "packets_that_tcpdump_and_tshark_print_are_decoded_as_they_were";
    let Some([tcpdump, tshark]) = needs::programs(test, ["tcpdump", "tshark"]) else { return };
    let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng");
    let capture = capture.to_str().unwrap();
    // Without times, which no hexdump has, and without the padding of lists.
    let rows = |text: &str| -> Vec<String> {
        let row = |line: &str| line.split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
        text.lines().map(row).collect()
    };
    let read = rows(&decoded(&["decode", capture], b""));
    assert!(read.len() > 20);
    for (program, arguments) in [
        (&tcpdump, &["-nr", capture, "-x"][..]),
        (&tcpdump, &["-nr", capture, "-X"]),
        (&tcpdump, &["-nr", capture, "-xx"]),
        (&tshark, &["-nr", capture, "-x"]),
    ] {
        let text = Command::new(program).args(arguments).output().unwrap().stdout;
        assert_eq!(rows(&decoded(&["decode", "-"], &text)), read, "{arguments:?}");
    }
    let transcript = decoded(&["decode", "-v", capture, "-c", "3"], b"");
    assert_eq!(rows(&decoded(&["decode"], transcript.as_bytes())).len(), 3);
}

#[test]
fn ports_or_a_message_decide_what_bytes_do_not_tell() {
    let status = b"ff ff ff ff 73 74 61 74 75 73 0a\n";
    for (ports, game) in [("40000,27500", " quakeworld "), ("40000,27910", " quake2 ")] {
        assert!(decoded(&["decode", "--ports", ports], status).contains(game), "{ports}");
    }
    let shown = decoded(&["decode", "--as", "quakeworld.status"], status);
    assert!(
        shown.starts_with("#1  quakeworld status, 11 bytes\n") && shown.contains("command: status")
    );
    for (arguments, complaint) in [
        (&["decode", "--as", "quake3.getinf"][..], "did you mean quake3.getinfo?"),
        (&["decode", "--as", "n"], "several protocols have it: "),
        (&["decode", "--ports", "7"], "expected two ports, such as 27950,27960"),
        (&["decode", "--as", "quake3.getinfo", "--count"], "cannot be used with"),
    ] {
        let came = refused(arguments, status);
        assert!(came.contains(complaint), "{arguments:?}: {came}");
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    program.arg("decode");
    let notice = String::from_utf8(piped(program, b"ff ff ff ff 01\n").stderr).unwrap();
    assert!(notice.contains("--ports FROM,TO or --as MESSAGE"), "{notice}");
    let complaint = refused(&["decode", "--as", "quake3.getinfo"], b"hello\n");
    assert!(complaint.contains("standard input has no hexdump"), "{complaint}");
    assert!(refused(&["decode"], b"hello world, no hexdump\n").contains("is no capture"));
}
