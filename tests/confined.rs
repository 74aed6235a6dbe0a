//! Every command that reads captures or reports has given up its rights before a byte of them is
//! read: its input is a pipe in which nothing comes, and the system tells what the process may do.

#![cfg(target_os = "linux")]

mod needs;
mod process;

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use process::{Process, until};

const TEST: &str = "tests/confined.rs";
const BINARY: &str = env!("CARGO_BIN_EXE_fragshark");

/// A line of what the system tells of a process.
fn status(pid: u32, key: &str) -> Option<String> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    Some(line.trim().to_owned())
}

/// Whether a process waits in a read of a pipe.
fn waits_for_input(pid: u32) -> bool {
    let Ok(call) = fs::read_to_string(format!("/proc/{pid}/syscall")) else {
        return false;
    };
    let number = call.split(' ').next().and_then(|number| number.parse().ok());
    [libc::SYS_read, libc::SYS_readv, libc::SYS_pread64].map(Some).contains(&number)
}

#[test]
fn nothing_is_read_before_rights_are_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    // Open both ways, it has a writer from the beginning, and never an end.
    let open = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let pipe = pipe.to_str().unwrap();
    let out: PathBuf = folder.path().join("out");
    let out = out.to_str().unwrap();
    for arguments in [
        &["decode", pipe][..],
        &["decode", "--count", pipe, "-o", out],
        &["decode", "-Y", "quake3", "-"],
        &["export", pipe],
        &["export", "-", "-o", out],
        &["export", "--format", "pcapng", "--redact", pipe],
        &["check", pipe],
        &["check", "-", "-o", out],
        &["explain", "--server", "192.0.2.10", pipe],
        &["replay", pipe],
        &["replay", "-", "-o", out],
        &["conform", "diff", pipe, pipe],
        &["conform", "--expect-failures", pipe],
    ] {
        let mut command = Command::new(BINARY);
        command.args(arguments).stdin(open.try_clone().unwrap());
        let mut process = Process::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        let pid = process.0.id();
        until(&format!("{arguments:?} to wait for input"), || {
            assert_eq!(process.ended(), None, "{arguments:?}");
            waits_for_input(pid).then_some(())
        });
        assert_eq!(status(pid, "NoNewPrivs").as_deref(), Some("1"), "{arguments:?}");
        if status(pid, "Seccomp").as_deref() != Some("2") {
            return needs::not_run(TEST, "seccomp", "the kernel has no seccomp filters");
        }
        let is_root = status(pid, "Uid").is_some_and(|ids| ids.starts_with("0\t"));
        if is_root {
            let none = Some("0000000000000000");
            assert_eq!(status(pid, "CapBnd").as_deref(), none, "{arguments:?}");
            let may = if arguments.contains(&"-o") { Some("000000000000000f") } else { none };
            assert_eq!(status(pid, "CapEff").as_deref(), may, "{arguments:?}");
        }
    }
}
