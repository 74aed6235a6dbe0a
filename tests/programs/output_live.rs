//! Standard output of `capture` that is closed, full, or without a reader, while packets arrive.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{needs, netns, process};
use netns::Net;
use process::{Process, until};

const TEST: &str = "tests/programs/output_live.rs";
const BINARY: &str = env!("CARGO_BIN_EXE_fragshark");

/// Sends a request repeatedly, up to the time limit of tests.
const SENDER: &str = r"
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(750):
    s.sendto(b'\xff\xff\xff\xffgetstatus', ('127.0.0.1', 27960))
    time.sleep(0.02)
";

/// Runs a capture to its end; returns its status and messages.
fn captured(net: &Net, folder: &Path, command: &mut Command) -> (Option<i32>, String) {
    let log = folder.join("err");
    command.stdin(Stdio::null()).stderr(File::create(&log).unwrap());
    let mut process = Process::start(command);
    let sender = net.command("python3").args(["-c", SENDER]).spawn().unwrap();
    let _sender = Process(sender);
    let status = until("the end", || process.ended());
    (status.code(), fs::read_to_string(log).unwrap())
}

#[test]
fn a_capture_whose_output_goes_nowhere_ends() {
    let Some([_]) = needs::programs(TEST, ["python3"]) else { return };
    let Some(net) = Net::for_capture(TEST) else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = folder.join("x.pcapng");
    let file = file.to_str().unwrap();
    for more in [&[][..], &["--format", "ndjson"], &["-w", file]] {
        let arguments = [&["capture", "-i", "lo", "-f", "udp port 27960"][..], more].concat();

        let mut closed = net.command("sh");
        closed.args(["-c", r#"exec "$0" "$@" >&-"#, BINARY]).args(&arguments);
        let (status, stderr) = captured(&net, folder, &mut closed);
        assert_eq!(status, Some(2), "{arguments:?}: {stderr}");
        assert_eq!(stderr, "fragshark: cannot write standard output: it is closed\n");
        assert!(!Path::new(file).exists(), "nothing was begun");

        let mut full = net.command(BINARY);
        full.args(&arguments).stdout(File::options().write(true).open("/dev/full").unwrap());
        let (status, stderr) = captured(&net, folder, &mut full);
        assert_eq!(status, Some(2), "{arguments:?}: {stderr}");
        let last = stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("fragshark: cannot write"), "{arguments:?}: {stderr}");
        assert!(last.contains("No space left on device"), "{arguments:?}: {stderr}");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut nobody = net.command(BINARY);
        nobody.args(&arguments).stdout(writer);
        let (status, stderr) = captured(&net, folder, &mut nobody);
        assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("cannot"), "{arguments:?}: {stderr}");
        _ = fs::remove_file(file);
    }
}
