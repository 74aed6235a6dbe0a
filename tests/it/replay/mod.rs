//! Replay: every capture of the project against the reference master, masters with defects, and
//! masters that are down.

mod both_families;
mod cases;
mod runs;
mod targets;

use std::fs;
use std::net::{IpAddr, Ipv4Addr, TcpListener, UdpSocket};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crate::bench::side_by_side;
use crate::{golden, needs, netns, process, recordings, story};
use fragshark::analysis::{Pipeline, Session};
use fragshark::capture::Input;
use masters::families::{service, services};
use masters::{Config, DEFECTS, Defect, RunningMaster};
use serde_json::Value;
use story::Story;
use tempfile::TempDir;

const TEST: &str = "tests/replay.rs";
/// Most of the time of a replay is waiting.
const AT_ONCE: usize = 8;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn capture(name: &str) -> PathBuf {
    root().join("captures").join(name)
}

/// The command.
fn command(file: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.arg("replay").arg(file).args(arguments).env_remove("NO_COLOR");
    command
}

fn run(file: &Path, arguments: &[&str]) -> Output {
    command(file, arguments).output().unwrap()
}

fn outcome(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// As fast as responses come, with the report as objects.
const QUICK: [&str; 6] = ["--asap", "--wait-replies", "--timeout", "2s", "--format", "ndjson"];

/// The status, and every entry of the report.
fn quick(file: &Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let (status, out, err) = outcome(&run(file, &[&QUICK[..], arguments].concat()));
    let read =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
    (status, out.lines().map(read).collect())
}

/// The ids of what failed.
fn failed(entries: &[Value]) -> Vec<&str> {
    let fails = entries.iter().filter(|entry| entry["verdict"] == "fail");
    fails.map(|entry| entry["id"].as_str().unwrap()).collect()
}

/// A loopback address of one test alone.
fn address() -> Ipv4Addr {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let own = std::process::id() % (1 << 13);
    Ipv4Addr::from_bits(0x7fff_0000 - (own << 10) + GIVEN.fetch_add(1, Ordering::Relaxed))
}

/// Runs a test of masters on their documented ports.
fn on_documented_ports(test: impl FnOnce() + Send) {
    let is_free = || {
        let ip = address();
        services().all(|service| {
            UdpSocket::bind((ip, service.port)).is_ok()
                && TcpListener::bind((ip, service.port)).is_ok()
        })
    };
    netns::where_ports_are_free(TEST, is_free, test);
}

/// A master with these defects on its documented ports, at its own address.
fn master(defects: &[Defect]) -> (RunningMaster, String) {
    let ip = address();
    let defects = defects.iter().copied().collect();
    let services = services().map(|service| (service, service.port)).collect();
    let config = Config {
        listen: vec![IpAddr::V4(ip)],
        listen_if_there: Vec::new(),
        services,
        defects,
        ..Config::new(masters::families::services())
    };
    (RunningMaster::start(config).unwrap(), ip.to_string())
}

/// A temporary recording in its own directory.
fn recording(story: &Story) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recording.pcap");
    fs::write(&file, story.file()).unwrap();
    (folder, file)
}

/// Whether an entry with this id and verdict has this text, in its title or its text.
fn says(entries: &[Value], (id, verdict, part): &(&str, &str, &str)) -> bool {
    entries.iter().any(|entry| {
        let text = format!("{}: {}", entry["title"], entry["text"]);
        entry["id"] == *id && entry["verdict"] == *verdict && text.contains(part)
    })
}
