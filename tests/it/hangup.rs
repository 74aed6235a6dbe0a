//! The interface ends where its terminal goes away, also while keys come.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{needs, process};
use process::{Process, until};

const TEST: &str = "tests/hangup.rs";
/// How often it is tried: the terminal goes away at another moment each time.
const ROUNDS: usize = 8;
/// Enough keys for the interface to be still reading them when the terminal goes away.
const KEYS: usize = 400;

#[test]
fn the_interface_ends_with_its_terminal_while_keys_come() {
    let Some([script]) = needs::programs(TEST, ["script"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let tour = concat!(env!("CARGO_MANIFEST_DIR"), "/captures/tour.pcapng");
    let line =
        format!("stty cols 80 rows 24; exec '{}' open '{tour}'", env!("CARGO_BIN_EXE_fragshark"));
    for round in 0..ROUNDS {
        let mut terminal = Command::new(&script);
        terminal.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder.path());
        terminal.env("XDG_CONFIG_HOME", folder.path()).env("XDG_STATE_HOME", folder.path());
        let mut terminal = Process::start(terminal.stdin(Stdio::piped()).stdout(Stdio::null()));
        let id = terminal.0.id();
        let interface = until("the interface to run", || {
            assert_eq!(terminal.ended(), None);
            let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).ok()?;
            let pid: u32 = children.split_whitespace().next()?.parse().ok()?;
            runs_the_program(pid).then_some(pid)
        });
        let mut keys = terminal.0.stdin.take().unwrap();
        for _ in 0..round * KEYS / ROUNDS {
            keys.write_all(b"jk").unwrap();
        }
        terminal.end();
        until(&format!("the interface to end in round {round}"), || {
            (!runs_the_program(interface)).then_some(())
        });
    }
}

/// Whether this process runs, and is the program.
fn runs_the_program(pid: u32) -> bool {
    let program = fs::read_link(format!("/proc/{pid}/exe"));
    program.is_ok_and(|program| program == Path::new(env!("CARGO_BIN_EXE_fragshark")))
}
