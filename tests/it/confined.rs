//! Every command that reads captures or reports has dropped its privileges before it reads a byte:
//! its input is an empty pipe, and the system shows what the process may do.

#![cfg(target_os = "linux")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::net::UdpSocket;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{needs, process};
use process::{Process, until};

const TEST: &str = "tests/confined.rs";
/// No capabilities, and those for writing files in other users' directories.
const NONE: &str = "0000000000000000";
const FILES_OF_OTHERS: &str = "000000000000000f";
const BINARY: &str = env!("CARGO_BIN_EXE_fragshark");

/// A line of a process's status in `/proc`.
fn status(pid: u32, key: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    Some(line.trim().to_owned())
}

/// Whether a thread of a process waits in a read of `input`.
fn waits_for_input(pid: u32, input: &Path) -> bool {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    threads.filter_map(|thread| fs::read_to_string(thread.path().join("syscall")).ok()).any(
        |call| {
            let mut words = call.split(' ');
            let number = words.next().and_then(|number| number.parse().ok());
            let file = words.next().and_then(|file| file.strip_prefix("0x"));
            let file = file.and_then(|file| u32::from_str_radix(file, 16).ok());
            let name = file.and_then(|file| fs::read_link(format!("/proc/{pid}/fd/{file}")).ok());
            [libc::SYS_read, libc::SYS_readv, libc::SYS_pread64].map(Some).contains(&number)
                && name.as_deref() == Some(input)
        },
    )
}

/// Asserts that a process has only the privileges it needs; `may` is the capabilities that root
/// keeps. Reports it and returns false if the kernel cannot show them.
fn is_confined(pid: u32, what: &[&str], may: &str) -> bool {
    assert_eq!(status(pid, "NoNewPrivs").as_deref(), Some("1"), "{what:?}");
    if status(pid, "Seccomp").as_deref() != Some("2") {
        needs::not_run(TEST, "seccomp", "the kernel has no seccomp filters");
        return false;
    }
    if status(pid, "Uid").is_some_and(|ids| ids.starts_with("0\t")) {
        assert_eq!(status(pid, "CapBnd").as_deref(), Some(NONE), "{what:?}");
        assert_eq!(status(pid, "CapEff").as_deref(), Some(may), "{what:?}");
    }
    true
}

#[test]
fn nothing_is_read_before_rights_are_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Opened for reading and writing, it has a writer from the beginning, and never ends.
    let open = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let pipe = pipe.to_str().unwrap();
    let out: PathBuf = folder.path().join("out");
    let out = out.to_str().unwrap();
    let tables = folder.path().join("tables");
    let tables = tables.to_str().unwrap();
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/captures/tour.pcapng");
    for arguments in [
        &["decode", pipe][..],
        &["decode", "--count", pipe, "-o", out],
        &["decode", "-Y", "quake3", "-"],
        &["export", pipe],
        &["export", "-", "-o", out],
        &["export", "--format", "pcapng", "--redact", pipe],
        &["report", pipe],
        &["report", "-", "-o", out],
        &["check", pipe],
        &["check", "-", "-o", out],
        &["explain", "--server", "192.0.2.10", pipe],
        &["replay", pipe],
        &["replay", "-", "-o", out],
        &["conform", "diff", pipe, pipe],
        &["conform", "--expect-failures", pipe],
        &["decode", "--count", "-Y", "quake3", pipe],
        &["export", "--format", "parquet", "-"],
        &["export", "--format", "arrow", "-"],
        &["check", "--fail-on-damage", pipe],
        &["explain", "--server", "192.0.2.10", "--format", "json", "-"],
        &["export", "--what", "all", pipe, "-o", tables],
        &["export", "--each", "--redact", "-", "-o", tables],
        &["decode", "--known", pipe, tour],
        &["export", "--what", "all", "--known", pipe, tour, "-o", tables],
    ] {
        let mut command = Command::new(BINARY);
        command.args(arguments).stdin(open.try_clone().unwrap());
        let mut process = Process::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        let pid = process.0.id();
        until(&format!("{arguments:?} to wait for input"), || {
            assert_eq!(process.ended(), None, "{arguments:?}");
            waits_for_input(pid, Path::new(pipe)).then_some(())
        });
        let may = if arguments.contains(&"-o") { FILES_OF_OTHERS } else { NONE };
        if !is_confined(pid, arguments, may) {
            return;
        }
    }
}

#[test]
fn the_interface_reads_nothing_before_rights_are_given_up() {
    let Some([script]) = needs::programs(TEST, ["script"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let _open = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let line = format!("exec '{BINARY}' open '{}'", pipe.display());
    let mut terminal = Command::new(script);
    terminal.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder.path());
    terminal.env("XDG_CONFIG_HOME", folder.path()).env("XDG_STATE_HOME", folder.path());
    let mut terminal = Process::start(terminal.stdin(Stdio::piped()).stdout(Stdio::null()));
    let id = terminal.0.id();
    let pid = until("the interface to wait for input", || {
        assert_eq!(terminal.ended(), None);
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).ok()?;
        let pid = children.split_whitespace().next()?.parse().ok()?;
        waits_for_input(pid, &pipe).then_some(pid)
    });
    is_confined(pid, &["open"], FILES_OF_OTHERS);
    let asks = thread(pid, "query").expect("the thread that asks");
    is_confined(asks, &["open", "the thread that asks"], FILES_OF_OTHERS);
}

/// The thread of a process with this name.
fn thread(pid: u32, name: &str) -> Option<u32> {
    let mut threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    let is_it = |path: &Path| {
        fs::read_to_string(path.join("comm")).is_ok_and(|text| text.trim_end() == name)
    };
    let found = threads.find(|thread| is_it(&thread.path()))?;
    found.file_name().to_str()?.parse().ok()
}

/// A question goes out of the interface, whose other threads may open no sockets.
#[test]
fn the_interface_asks_with_the_rights_that_it_keeps() {
    let Some([script]) = needs::programs(TEST, ["script"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    server.set_read_timeout(Some(process::PATIENCE)).unwrap();
    let target = format!("quake3://{}", server.local_addr().unwrap());
    let record = folder.path().join("asked.pcapng");
    let mut command = Command::new(BINARY);
    command.args(["query", &target, "--repeats", "0", "--timeout", "50ms", "--record"]);
    command.arg(&record).stdin(Stdio::null()).output().unwrap();
    let mut buffer = [0; 64];
    let (length, _) = server.recv_from(&mut buffer).unwrap();
    let asked = buffer[..length].to_vec();
    let line = format!("stty cols 80 rows 24; exec '{BINARY}' open '{}'", record.display());
    let mut terminal = Command::new(script);
    terminal.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder.path());
    terminal.env("XDG_CONFIG_HOME", folder.path()).env("XDG_STATE_HOME", folder.path());
    let mut terminal = Process::start(terminal.stdin(Stdio::piped()).stdout(Stdio::null()));
    let mut keys = terminal.0.stdin.take().unwrap();
    // Until the capture has been read, the key finds no message.
    let begun = std::time::Instant::now();
    server.set_read_timeout(Some(std::time::Duration::from_millis(500))).unwrap();
    let again = loop {
        keys.write_all(b"Q\r").unwrap();
        keys.flush().unwrap();
        match server.recv_from(&mut buffer) {
            Ok((length, _)) => break buffer[..length].to_vec(),
            Err(_) => assert!(begun.elapsed() < process::PATIENCE, "nothing was sent"),
        }
    };
    assert_eq!(again, asked);
}

#[test]
fn nothing_of_a_live_target_is_read_before_rights_are_given_up() {
    let replayed = "captures/findings/challenge.repeated.healthy.pcapng";
    for arguments in [
        &["conform", "quake3/getservers/line-feed"][..],
        &["conform", "gamespy/heartbeat/asked"],
        &["fingerprint", "--profile", "quake3"],
        #[cfg(feature = "watch")]
        &["watch", "--profile", "quake3", "--once"],
        &["replay", replayed],
    ] {
        let target = UdpSocket::bind("127.0.0.1:0").unwrap();
        target.set_read_timeout(Some(process::PATIENCE)).unwrap();
        let at = target.local_addr().unwrap().to_string();
        let mut command = Command::new(BINARY);
        command.args(arguments).args(["--target", &at]).stdin(Stdio::null());
        command.current_dir(env!("CARGO_MANIFEST_DIR"));
        let process = Process::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        // The program has read no answer yet.
        target.recv(&mut [0; 2000]).unwrap_or_else(|why| panic!("{arguments:?}: {why}"));
        if !is_confined(process.0.id(), arguments, NONE) {
            return;
        }
    }
}
