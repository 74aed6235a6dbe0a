//! Live capture: the built program in network namespaces, if permitted, else on the loopback
//! device. Its output and files are compared with what was sent, and with what tshark reads in the
//! files.

#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{needs, netns, process};
use fragshark::capture::{Frames, Input};
use netns::Net;
use process::{Process, printed, until};

const TEST: &str = "tests/programs/live.rs";

/// Sends UDP payloads, read as lines of hex, from one address to another; the second form sends
/// whole frames on a device.
const SENDER: &str = "
import socket, sys
how, to = sys.argv[1], sys.argv[2]
if how == 'frames':
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    s.bind((to, 0))
    for line in sys.stdin: s.send(bytes.fromhex(line))
else:
    s = socket.socket(socket.AF_INET6 if ':' in to else socket.AF_INET, socket.SOCK_DGRAM)
    for line in sys.stdin: s.sendto(bytes.fromhex(line), (to, int(sys.argv[3])))
";

/// A running capture.
pub struct Capture {
    process: Process,
    folder: PathBuf,
}

impl Capture {
    /// Starts it, and waits until it captures.
    pub fn start(net: &Net, folder: &Path, arguments: &[&str]) -> Self {
        let mut command = net.command(env!("CARGO_BIN_EXE_fragshark"));
        command.arg("capture").args(arguments).current_dir(folder).stdin(Stdio::null());
        command.stdout(File::create(folder.join("out")).unwrap());
        command.stderr(File::create(folder.join("err")).unwrap());
        let mut process = Process::start(&mut command);
        let folder = folder.to_owned();
        until("the capture to begin", || {
            let stderr = fs::read_to_string(folder.join("err")).unwrap();
            assert_eq!(process.ended(), None, "{stderr}");
            stderr.contains("rights: ").then_some(())
        });
        Self { process, folder }
    }

    pub fn printed(&self) -> String {
        fs::read_to_string(self.folder.join("out")).unwrap()
    }

    fn stderr(&self) -> String {
        fs::read_to_string(self.folder.join("err")).unwrap()
    }

    /// Waits until this many messages were printed.
    fn wait_for(&self, messages: usize) {
        until("messages", || (self.printed().lines().count() >= messages).then_some(()));
    }

    /// Sends it a signal, and waits for its end; returns its messages.
    pub fn end(mut self, signal: &str) -> String {
        let id = self.process.0.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = until("the end", || self.process.ended());
        assert_eq!(status.code(), Some(0), "{}", self.stderr());
        self.stderr()
    }
}

/// A namespace, python3 and the programs that a test needs; without them `None`, with a message.
pub fn ready<const N: usize>(test: &str, programs: [&str; N]) -> Option<(Net, [PathBuf; N])> {
    let found = needs::programs(test, programs)?;
    let net = Net::for_capture(test)?;
    Some((net, found))
}

/// Sends payloads to a port, or frames to a device, within the namespace.
fn send(net: &Net, to: &[&str], payloads: &[Vec<u8>]) {
    let mut command = net.command("python3");
    command.args(["-c", SENDER]).args(to).stdin(Stdio::piped());
    let mut process = Process::start(&mut command);
    let mut lines = process.0.stdin.take().unwrap();
    for payload in payloads {
        writeln!(lines, "{}", hex::encode(payload)).unwrap();
    }
    drop(lines);
    assert!(process.0.wait().unwrap().success());
}

/// Requests that are all different.
fn requests(count: usize) -> Vec<Vec<u8>> {
    let request = |n| [b"\xff\xff\xff\xffgetstatus ", format!("nonce{n}").as_bytes()].concat();
    (0..count).map(request).collect()
}

/// How many packets of a file match a filter in tshark.
pub fn counted(tshark: &Path, file: &Path, filter: &str) -> usize {
    let mut command = Command::new(tshark);
    command.args(["-n", "-r"]).arg(file).args(["-Y", filter, "-T", "fields", "-e", "frame.number"]);
    printed(&mut command).lines().count()
}

/// An Ethernet frame with a VLAN tag, IPv4 and UDP, to port 27960.
fn tagged(payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![0xff; 6];
    frame.extend([2, 0, 0, 0, 0, 1, 0x81, 0, 0, 5, 8, 0]);
    let length = |header: usize| ((payload.len() + header) as u16).to_be_bytes();
    let [high, low] = length(28);
    frame.extend([0x45, 0, high, low, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]);
    let [high, low] = length(8);
    frame.extend([0x6d, 0x38, 0x6d, 0x38, high, low, 0, 0]);
    frame.extend(payload);
    frame
}

#[test]
fn what_is_sent_is_printed_and_written_as_tshark_counts_it() {
    let test = "live capture against tshark";
    let Some((net, [tshark, _])) = ready(test, ["tshark", "python3"]) else { return };
    let sent = requests(50);
    // Device, destination, and tshark's name of the link type.
    for (device, to, link) in [
        ("lo", ["udp", "127.0.0.1", "27960"], "frame.encap_type == 1"),
        ("lo", ["udp", "::1", "27960"], "ipv6"),
        ("any", ["udp", "127.0.0.1", "27960"], "sll"),
        ("any", ["udp", "::1", "27960"], "sll and ipv6"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["-i", device, "-w", "x.pcapng", "--annotate", "-f", "udp port 27960"];
        let capture = Capture::start(&net, folder.path(), &arguments);
        send(&net, &to, &sent);
        capture.wait_for(sent.len());
        let lines = capture.printed();
        for n in 0..sent.len() {
            assert_eq!(lines.matches(&format!("nonce{n}\n")).count(), 1, "{device}: {lines}");
        }
        let stderr = capture.end("-INT");
        let received = format!("{device}: 50 packets received, 0 dropped by the kernel, 0 by us\n");
        assert!(stderr.contains(&received), "{stderr}");
        assert!(stderr.contains("50 packets captured, 50 messages"), "{stderr}");
        let file = folder.path().join("x.pcapng");
        assert_eq!(counted(&tshark, &file, &format!("udp and ({link})")), 50, "{device}");
        assert_eq!(counted(&tshark, &file, "frame.comment contains \"getstatus nonce49\""), 1);
        let names = format!("frame.interface_name == \"{device}\"");
        assert_eq!(counted(&tshark, &file, &names), 50, "{device}");
    }
}

#[test]
fn tags_of_vlans_are_read_past() {
    let test = "live capture of a VLAN";
    let Some((net, [tshark, _])) = ready(test, ["tshark", "python3"]) else { return };
    let Some([near, far]) = net.pair() else { return };
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["-i", &far, "-i", &near, "-w", "x.pcapng"];
    let capture = Capture::start(&net, folder.path(), &arguments);
    let frames: Vec<_> = requests(20).iter().map(|payload| tagged(payload)).collect();
    send(&net, &["frames", &near], &frames);
    // Received frames; sent ones still have their tag before the bytes that the filter reads.
    capture.wait_for(20);
    let stderr = capture.end("-TERM");
    assert!(stderr.contains("messages"), "{stderr}");
    let file = folder.path().join("x.pcapng");
    let arrived = format!("vlan.id == 5 and frame.interface_name == \"{far}\"");
    assert_eq!(counted(&tshark, &file, &arrived), 20);
}

#[test]
fn errors_of_icmp_are_taken_without_being_asked_for() {
    let test = "live capture of ICMP errors";
    let Some((net, [tshark, _])) = ready(test, ["tshark", "python3"]) else { return };
    let beat = [b"\xff\xff\xff\xffheartbeat QuakeArena-1\n".to_vec()];
    for arguments in [&["-i", "lo", "-w", "x.pcapng"][..], &["-i", "any", "-w", "x.pcapng"]] {
        for more in [&[][..], &["--known-ports"]] {
            let folder = tempfile::tempdir().unwrap();
            let arguments = [arguments, more].concat();
            let capture = Capture::start(&net, folder.path(), &arguments);
            for to in ["127.0.0.1", "::1"] {
                send(&net, &["udp", to, "27950"], &beat);
            }
            capture.wait_for(2);
            let file = folder.path().join("x.pcapng");
            until("the errors", || {
                let errors = counted(&tshark, &file, "icmp.type == 3 or icmpv6.type == 1");
                (errors >= 2).then_some(())
            });
            capture.end("-INT");
            assert_eq!(counted(&tshark, &file, "icmp.code == 3 and udp.dstport == 27950"), 1);
            assert_eq!(counted(&tshark, &file, "icmpv6.code == 4 and udp.dstport == 27950"), 1);
            let mut explain = Command::new(env!("CARGO_BIN_EXE_fragshark"));
            explain.args(["explain", "--server", "1", "--format", "json"]).arg(&file);
            let explained = String::from_utf8(explain.output().unwrap().stdout).unwrap();
            let explained: serde_json::Value = serde_json::from_str(&explained).unwrap();
            for registration in explained.as_array().unwrap() {
                assert_eq!(registration["failed"], "heartbeat", "{explained}");
                assert_eq!(registration["error"], "port unreachable", "{explained}");
            }
            assert_eq!(explained.as_array().unwrap().len(), 2, "{explained}");
        }
    }
}

#[test]
fn a_file_of_a_killed_process_opens_up_to_its_last_block() {
    let test = "live capture, killed";
    let Some((net, [_])) = ready(test, ["python3"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    // The port is closed, which ICMP would report.
    let arguments = ["-i", "lo", "-f", "udp", "-w", "x.pcapng"];
    let mut capture = Capture::start(&net, folder.path(), &arguments);
    let count = 2000;
    send(&net, &["udp", "127.0.0.1", "27960"], &requests(count));
    capture.wait_for(count);
    capture.process.end();
    let file = Input::File(folder.path().join("x.pcapng"));
    let mut frames = Frames::open(&[file]).unwrap();
    let mut read = 0;
    while frames.next().is_some() {
        read += 1;
    }
    assert_eq!((read, frames.warnings()), (count, Vec::new()));
}

#[test]
fn files_rotate_and_the_oldest_go() {
    let test = "live capture, rotating";
    let Some((net, [_])) = ready(test, ["python3"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x-00002.pcapng"), "somebody's").unwrap();
    let arguments = ["-i", "lo", "-w", "x.pcapng", "--rotate-size", "5k", "--rotate-keep", "3"];
    let capture = Capture::start(&net, folder.path(), &[&arguments[..], &["-c", "300"]].concat());
    send(&net, &["udp", "127.0.0.1", "27960"], &requests(300));
    let mut process = capture.process;
    assert!(until("the last packet", || process.ended()).success());
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
    names.retain(|name| name.extension().is_some_and(|e| e == "pcapng"));
    names.sort();
    let foreign = names.remove(0);
    assert_eq!(fs::read_to_string(foreign).unwrap(), "somebody's");
    assert_eq!(names.len(), 3, "{names:?}");
    let inputs: Vec<_> = names.iter().cloned().map(Input::File).collect();
    for name in &names {
        let size = fs::metadata(name).unwrap().len();
        assert!((1000..5500).contains(&size), "{}: {size}", name.display());
    }
    let mut frames = Frames::open(&inputs).unwrap();
    let mut last = 0;
    while let Some(frame) = frames.next() {
        last = frame.number;
    }
    assert!((40..300).contains(&last), "{last}");
    assert_eq!(frames.warnings(), []);
}

#[test]
fn packets_on_standard_output_are_a_capture() {
    let test = "live capture on standard output";
    let Some((net, [_, tshark])) = ready(test, ["python3", "tshark"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut capture = Capture::start(&net, folder.path(), &["-i", "lo", "-w", "-", "-c", "20"]);
    send(&net, &["udp", "127.0.0.1", "27960"], &requests(30));
    assert!(until("the last packet", || capture.process.ended()).success());
    let out = folder.path().join("out");
    let shown = Command::new(tshark).arg("-r").arg(out).output().unwrap();
    assert_eq!(String::from_utf8(shown.stdout).unwrap().lines().count(), 20);
}

#[test]
fn rights_are_gone_while_it_captures_and_while_it_reads() {
    let test = "rights given up";
    let Some((net, [_])) = ready(test, ["python3"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let capture = Capture::start(&net, folder.path(), &["-i", "lo", "-w", "x.pcapng"]);
    confined(capture.process.0.id(), &capture.stderr());
    capture.end("-INT");
    // A file, through a pipe that stays open.
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(["decode", "-"]).arg("--log").arg(folder.path().join("log"));
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut process = Process::start(&mut command);
    let capture = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng"));
    process.0.stdin.as_mut().unwrap().write_all(&capture.unwrap()).unwrap();
    until("the log", || {
        let log = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
        log.contains("rights: ").then_some(())
    });
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    confined(process.0.id(), &log);
}

/// A running program has no capability, gains none, and is filtered; it says what it dropped.
fn confined(id: u32, stderr: &str) {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in {status}")).trim().to_owned()
    };
    for set in ["CapEff:", "CapPrm:", "CapInh:", "CapAmb:"] {
        assert_eq!(field(set), "0000000000000000", "{set}");
    }
    assert_eq!(field("NoNewPrivs:"), "1");
    if stderr.contains("no new sockets") {
        assert_eq!(field("Seccomp:"), "2");
    } else {
        needs::not_run(TEST, "seccomp", stderr);
    }
    assert!(stderr.contains("no capabilities"), "{stderr}");
}

#[test]
fn a_finding_writes_the_packets_before_and_after_it() {
    let test = "live capture on a finding";
    let Some((net, [_])) = ready(test, ["python3"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["-i", "lo", "-f", "udp", "-w", "x.pcapng", "--keep", "10m"];
    let arguments = [&arguments[..], &["--on", "message.faulty", "--after", "1h"]].concat();
    let capture = Capture::start(&net, folder.path(), &arguments);
    let to = ["udp", "127.0.0.1", "27950"];
    send(&net, &to, &requests(3));
    capture.wait_for(3);
    let files = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        names.filter(|name| name.extension().is_some_and(|e| e == "pcapng")).collect::<Vec<_>>()
    };
    assert_eq!(files(), [""; 0].map(PathBuf::from));
    // The temporary file has no name.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "out and err");
    let faulty = b"\xff\xff\xff\xffgetservers 40000000000000000000".to_vec();
    send(&net, &to, &[faulty]);
    until("the file", || (!files().is_empty()).then_some(()));
    send(&net, &to, &requests(2));
    capture.wait_for(6);
    let stderr = capture.end("-INT");
    assert!(stderr.contains("-message.faulty.pcapng: message.faulty (warning): "), "{stderr}");
    assert!(stderr.contains("files written for findings: 1\n"), "{stderr}");
    let files = files();
    let [file] = files.as_slice() else { panic!("{files:?}") };
    let mut frames = Frames::open(&[Input::File(file.clone())]).unwrap();
    let mut comments = Vec::new();
    while let Some(frame) = frames.next() {
        comments.push(frame.comments.iter().map(String::from_utf8_lossy).collect::<String>());
    }
    assert_eq!(frames.warnings(), Vec::new());
    let with: Vec<_> = comments.iter().map(|text| text.starts_with("message.faulty ")).collect();
    assert_eq!(with, [false, false, false, true, false, false], "{comments:?}");
}

#[test]
fn what_cannot_be_captured_is_refused_with_a_reason() {
    let test = "live capture refused";
    let Some((net, [])) = ready(test, []) else { return };
    for (arguments, why) in [
        (&["-i", "nosuchdevice"][..], "cannot capture on nosuchdevice: "),
        (&["-i", "lo", "-f", "udp prot 27960"], "the filter is wrong at column 5, \"prot\": "),
        (
            &["-i", "lo", "--capture-filter", "udp port"],
            "the filter is wrong at column 9, its end: ",
        ),
        (&["-i", "lo", "-w", "no/such/folder/x"], "cannot write no/such/folder/x: "),
        (&["-i", "lo", "-w", "x", "--rotate-keep", "2"], "--rotate-keep needs "),
        (&["-i", "lo", "-w", "-", "--rotate-size", "1k"], "standard output is one file"),
        (
            &["-i", "lo", "-w", "-", "--keep", "1m", "--on", "any"],
            "--on writes several files: name them with -w FILE.pcapng",
        ),
        (&["-i", "lo", "-w", "no/such/folder/x", "--keep", "1m", "--on", "any"], "no/such/folder"),
        (&["-i", "lo", "--duration", "1w"], "expected a duration"),
        (&[], "name a device with -i"),
        (&["-i", "lo", "--filter", "udp"], "a capture filter is given with -f or --capture-filter"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = net.command(env!("CARGO_BIN_EXE_fragshark"));
        command.arg("capture").args(arguments).current_dir(folder.path());
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(why), "{arguments:?}: {stderr}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
