//! Replay of what a real server and the reference master said to each other.

use std::fs;
use std::net::UdpSocket;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use masters::families::{service, services};
use masters::{Config, MasterRecorder, RunningMaster};
use serde_json::Value;

use crate::arena::Arena;
use crate::needs;
use crate::process::{printed, until};

const TEST: &str = "tests/programs/real_replay.rs";

/// A recorder's output, for the test to read.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_real_servers_recorded_registration_plays() {
    let Some([openarena]) = needs::programs(TEST, ["openarena-server"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let kept = Kept::default();
    let recorder = Some(MasterRecorder::new(kept.clone()).unwrap());
    let config = Config { recorder, ..Config::new(services()).anywhere() };
    let running = RunningMaster::start(config).unwrap();
    let at = running.address(service("quake3").unwrap()).unwrap();
    let arena = Arena::start(&openarena, folder.path(), at);
    let client = UdpSocket::bind((at.ip(), 0)).unwrap();
    client.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    until("the server to be listed", || {
        client.send_to(b"\xff\xff\xff\xffgetservers 71 empty full", at).unwrap();
        let mut list = [0; 2000];
        let length = client.recv(&mut list).ok()?;
        (length > b"....getserversResponse\\EOT\0\0\0".len()).then_some(())
    });
    arena.quit();
    running.stopper().stop();
    drop(running.join());
    let file = folder.path().join("openarena.pcapng");
    fs::write(&file, &*kept.0.lock().unwrap()).unwrap();
    let mut replay = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    replay.arg("replay").arg(&file).args(["--role", "both", "--asap", "--wait-replies"]);
    let report = printed(replay.args(["--timeout", "2s", "--format", "ndjson"]));
    let entries: Vec<Value> =
        report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let heartbeats = entries.iter().find(|entry| entry["id"] == "quake3/heartbeat");
    assert_eq!(heartbeats.map(|entry| &entry["verdict"]), Some(&"pass".into()), "{entries:#?}");
    assert!(!fs::read_to_string(folder.path().join("server.log")).unwrap().is_empty());
}
