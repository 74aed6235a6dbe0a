//! What a process without privileges cannot do any more: the test program runs itself again, and
//! the child process tries.

#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::needs;
use sandbox::{Needs, confine};

const TEST: &str = "tests/rights.rs";
/// Where the child may write, and where not.
const FOLDERS: &str = "FRAGSHARK_TEST_FOLDERS";

/// Runs one of these tests again, as a child process that reports by its status.
fn again(name: &str, folders: &[&Path], sudo: Option<&str>) {
    let folders = std::env::join_paths(folders).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    let (_, module) = module_path!().split_once("::").unwrap();
    command.args([&format!("{module}::{name}"), "--exact", "--nocapture"]).env(FOLDERS, folders);
    command.env_remove("SUDO_UID").env_remove("SUDO_GID");
    if let Some(id) = sudo {
        command.env("SUDO_UID", id).env("SUDO_GID", id);
    }
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    // The child has printed what its kernel does not support.
    for line in stderr.lines().filter_map(|line| line.strip_prefix("missing: ")) {
        needs::not_run(TEST, "rights", line);
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("1 passed"), "{printed}");
}

/// The directories for the child; `None` in the parent process.
fn folders() -> Option<Vec<PathBuf>> {
    Some(std::env::split_paths(&std::env::var_os(FOLDERS)?).collect())
}

#[test]
fn writing_elsewhere_and_sockets_are_refused() {
    let Some(folders) = folders() else {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("there"), "old").unwrap();
        again("writing_elsewhere_and_sockets_are_refused", &[inside.path(), outside.path()], None);
        assert_eq!(fs::read_to_string(inside.path().join("renamed")).unwrap(), "new");
        assert_eq!(fs::read_to_string(outside.path().join("there")).unwrap(), "old");
        return;
    };
    let [inside, outside] = &folders[..] else { panic!("two folders are wanted") };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut open = OpenOptions::new().append(true).open(outside.join("open"));
    if open.is_err() {
        open = File::create(outside.join("open"));
    }

    let needs = Needs { writable: vec![inside.clone()], ..Needs::default() };
    let confined = confine(&needs).unwrap();
    for missing in &confined.missing {
        eprintln!("missing: {missing}");
    }
    let has = |what: &str| confined.applied.iter().any(|applied| applied.starts_with(what));

    // An open or named file can be written.
    std::io::Write::write_all(&mut open.unwrap(), b"still").unwrap();
    fs::write(inside.join("new"), "new").unwrap();
    fs::rename(inside.join("new"), inside.join("renamed")).unwrap();
    assert_eq!(fs::read_to_string(outside.join("there")).unwrap(), "old");
    if has("files written") {
        let there = outside.join("there");
        let refused = [
            fs::write(outside.join("new"), "new"),
            fs::write(&there, "new"),
            fs::remove_file(&there),
            fs::rename(&there, inside.join("stolen")),
            fs::create_dir(outside.join("folder")),
            OpenOptions::new().append(true).open(&there).map(|_| ()),
            OpenOptions::new().write(true).open(&there).map(|_| ()),
        ];
        for (n, done) in refused.into_iter().enumerate() {
            let error = done.expect_err(&format!("attempt {n}"));
            assert!(
                matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::CrossesDevices),
                "attempt {n}: {error}"
            );
        }
    }
    if has("no new sockets") {
        let refused = [
            UdpSocket::bind("127.0.0.1:0").map(|_| ()),
            UdpSocket::bind("[::1]:0").map(|_| ()),
            TcpStream::connect(address).map(|_| ()),
            TcpListener::bind("127.0.0.1:0").map(|_| ()),
            UnixStream::connect("/run/nothing").map(|_| ()),
            listener.accept().map(|_| ()),
        ];
        for (n, done) in refused.into_iter().enumerate() {
            let error = done.expect_err(&format!("attempt {n}"));
            assert_eq!(error.kind(), ErrorKind::PermissionDenied, "attempt {n}: {error}");
        }
        // The terminal code uses such a pair internally.
        UnixStream::pair().unwrap();
    }
    assert!(has("no capabilities") && has("no new privileges"), "{confined}");
    // A thread that starts now has no more privileges.
    let thread = std::thread::spawn(move || UdpSocket::bind("127.0.0.1:0").is_err());
    assert_eq!(thread.join().unwrap(), has("no new sockets"));
}

#[test]
fn other_programs_and_signals_to_others_are_refused() {
    let name = "other_programs_and_signals_to_others_are_refused";
    if folders().is_none() {
        let folder = tempfile::tempdir().unwrap();
        return again(name, &[folder.path()], None);
    }
    let parent = rustix::process::getppid().unwrap();
    // A command with network traffic keeps its sockets, and gets nothing else.
    let confined = confine(&Needs { sockets: true, ..Needs::default() }).unwrap();
    for missing in &confined.missing {
        eprintln!("missing: {missing}");
    }
    UdpSocket::bind("127.0.0.1:0").unwrap();
    TcpListener::bind("127.0.0.1:0").unwrap();
    let has = |what: &str| confined.applied.iter().any(|applied| applied.starts_with(what));
    if !has("no other programs") {
        return;
    }
    let error = Command::new("/bin/true").output().expect_err("a program was started");
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    let refused = rustix::process::test_kill_process(parent);
    assert_eq!(refused, Err(rustix::io::Errno::PERM));
    // The abort function sends a signal to the process itself.
    signal_hook::low_level::raise(signal_hook::consts::SIGCHLD).unwrap();
}

#[test]
fn root_becomes_who_called_sudo() {
    let Some(folders) = folders() else {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        if !status.contains("Uid:\t0\t0\t0\t0") {
            return needs::not_run(TEST, "root", "only root can become somebody else");
        }
        let folder = tempfile::tempdir().unwrap();
        return again("root_becomes_who_called_sudo", &[folder.path()], Some("65534"));
    };
    let confined = confine(&Needs::default()).unwrap();
    assert!(confined.applied.contains(&"user 65534, group 65534".to_owned()), "{confined}");
    let status = fs::read_to_string("/proc/thread-self/status").unwrap();
    for ids in ["Uid", "Gid"] {
        let line = format!("{ids}:\t65534\t65534\t65534\t65534");
        assert!(status.contains(&line), "{status}");
    }
    for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
        assert!(status.contains(&format!("{set}:\t0000000000000000")), "{status}");
    }
    assert!(fs::write(folders[0].join("new"), "new").is_err());
}
