//! Hexdumps are read as captures: of the programs that print them, and what users paste.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::needs;

/// A request whose letters look like hex digits.
const REQUEST: &[u8] = b"\xff\xff\xff\xffgetinfo cafe babe 0123\n";

/// A request and a reply in which rows repeat, so that dumps leave them out.
const REPETITIVE: [&[u8]; 2] = [
    b"\xff\xff\xff\xffgetinfo \
      aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa0123456789abcdef0123456789\n",
    b"\xff\xff\xff\xffprint\n\
      ====================================================================================\
      ================Server is full, come back later please\n",
];

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
fn rows_that_dumps_leave_out_are_restored_or_refused() {
    let test = "rows_that_dumps_leave_out_are_restored_or_refused";
    let Some([xxd, hexdump, od]) = needs::programs(test, ["xxd", "hexdump", "od"]) else { return };
    let dumped = |program, arguments: &[&str], message: &[u8]| {
        let mut dump = Command::new(program);
        dump.args(arguments);
        piped(dump, message).stdout
    };
    for (program, arguments) in [
        (&od, &[][..]),
        (&od, &["-A", "d", "-t", "x1"]),
        (&od, &["-A", "x", "-t", "x1z"]),
        (&od, &["-t", "x4"]),
        (&od, &["-t", "x8"]),
        (&hexdump, &[]),
        (&hexdump, &["-C"]),
        (&hexdump, &["-x"]),
        (&hexdump, &["-b"]),
        (&hexdump, &["-d"]),
        (&hexdump, &["-o"]),
        (&xxd, &["-e"]),
        (&xxd, &["-e", "-g", "2"]),
        (&xxd, &["-o", "256"]),
        (&xxd, &["-g", "4"]),
        (&xxd, &["-d"]),
    ] {
        for message in REPETITIVE {
            let text = dumped(program, arguments, message);
            let shown = decoded(&["decode", "-v"], &text);
            let bytes = shown.lines().nth(1).unwrap().split(',').next().unwrap();
            let expected = format!("  {} bytes", message.len());
            assert_eq!(bytes, expected, "{arguments:?}:\n{}", String::from_utf8_lossy(&text));
        }
    }
    let equal = [b'='; 96];
    for (program, arguments, message, complaint) in [
        (&od, &["-A", "n", "-t", "x1"][..], REPETITIVE[1], "without offsets nothing says how many"),
        (&od, &[], &equal, "its offsets may be octal, decimal or hexadecimal"),
        (&hexdump, &[], &equal, "its offsets may be octal, decimal or hexadecimal"),
        (&od, &["-c"], REPETITIVE[0], "is no capture"),
        (&od, &["-t", "u1"], REPETITIVE[0], "is no capture"),
    ] {
        let came = refused(&["decode"], &dumped(program, arguments, message));
        assert!(came.contains(complaint) && came.lines().count() == 1, "{arguments:?}: {came}");
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
    // Cut packets, tunnels, other link layers; then streams, and payloads alone.
    for (capture, program, arguments) in [
        ("quake3/cut.pcap", &tcpdump, &["-x"][..]),
        ("cases/challenge-cut-off.pcapng", &tshark, &["-x"]),
        ("links/pppoe.pcap", &tshark, &["-x"]),
        ("links/gre.pcap", &tshark, &["-x"]),
        ("links/6in4.pcap", &tshark, &["-x"]),
        ("links/ip-in-ip.pcap", &tshark, &["-x"]),
    ] {
        let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures").join(capture);
        let capture = capture.to_str().unwrap();
        let text = Command::new(program).args(["-nr", capture]).args(arguments).output().unwrap();
        let mut whole = Command::new(env!("CARGO_BIN_EXE_fragshark"));
        whole.args(["decode", capture]);
        let read = String::from_utf8(piped(whole, b"").stdout).unwrap();
        let mut dumped = Command::new(env!("CARGO_BIN_EXE_fragshark"));
        dumped.args(["decode", "-"]);
        let from_text = String::from_utf8(piped(dumped, &text.stdout).stdout).unwrap();
        assert_eq!(rows(&from_text), rows(&read), "{capture}");
    }
    let names = |text: &str| -> Vec<String> {
        rows(text).iter().map(|row| row.split_whitespace().nth(4).unwrap().to_owned()).collect()
    };
    let stream = ["-nr", capture, "-q", "-z", "follow,udp,hex,0"];
    let payloads = ["-nr", capture, "-Y", "udp.stream == 0", "-T", "fields", "-e", "udp.payload"];
    let first = names(&decoded(&["decode", "-Y", "flow == 1", capture], b""));
    assert_eq!(first.len(), 8);
    for arguments in [&stream[..], &payloads] {
        let text = Command::new(&tshark).args(arguments).output().unwrap().stdout;
        assert_eq!(names(&decoded(&["decode", "-"], &text)), first, "{arguments:?}");
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
