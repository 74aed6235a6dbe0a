//! `fragshark watch` and masters whose lists come over TCP.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use masters::families::services;
use masters::{Config, RunningMaster, Settings};
use serde_json::Value;
use watch::{SampleSubject, Series, WatchHistory};

use super::{text, watch};
use crate::needs;
use crate::process::{Process, printed, until};

/// A master with these services and settings, and the address of each.
fn master(names: &[&str], settings: &str) -> (RunningMaster, Vec<SocketAddr>) {
    let mut known = Settings::default();
    known.set_all(settings).unwrap();
    let mut config = Config { settings: known, ..Config::new(services()).anywhere() };
    config.services.retain(|(service, _)| names.contains(&service.name));
    let running = RunningMaster::start(config).unwrap();
    let all = running.addresses();
    let find = |name: &&str| {
        let found = all.iter().find(|one| one.service.name == *name && one.address.is_ipv4());
        found.unwrap().address
    };
    let found = names.iter().map(find).collect();
    (running, found)
}

/// One round as a document.
fn once(folder: &Path, arguments: &[&str]) -> Value {
    let usual = ["--once", "--format", "json"];
    let out = printed(&mut watch(folder, &[&usual[..], arguments].concat()));
    serde_json::from_str::<Value>(&out).unwrap()["masters"][0].clone()
}

#[test]
fn the_kind_is_known_by_asking_and_the_probe_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    for (names, kind) in [
        (&["gamespy-list", "gamespy"][..], "gamespy"),
        (&["qr2-list", "qr2"], "qr2"),
        (&["ut2004"], "ut2004"),
    ] {
        let (_running, at) = master(names, "flood=0");
        let target = at[0].to_string();
        let port = at.last().unwrap().port().to_string();
        let mut arguments = vec!["--target", &target];
        if at.len() > 1 {
            arguments.extend(["--heartbeat-port", &port]);
        }
        let report = until("the probe to be listed", || {
            let report = once(folder.path(), &arguments);
            (report["probe"]["listed"] == true).then_some(report)
        });
        assert_eq!((&report["kind"], &report["kind_from"]), (&kind.into(), &"asked".into()));
        assert_eq!((&report["answered"], &report["failure"]), (&true.into(), &Value::Null));
        assert!(report["latency_ms"].as_f64().unwrap() > 0.0, "{report}");
    }
}

#[test]
fn a_master_that_accepts_and_says_nothing_has_the_status_of_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    // The system accepts connections, and nobody reads.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let target = silent.local_addr().unwrap().to_string();
    for kind in ["gamespy", "qr2", "ut2004"] {
        let usual = ["--target", &target, "--once", "--probe", "never", "--timeout", "200ms"];
        let out = watch(folder.path(), &[&usual[..], &["--profile", kind]].concat());
        let out = { out }.output().unwrap();
        let lines = text(&out.stdout);
        assert_eq!(out.status.code(), Some(3), "{lines}");
        assert!(lines.ends_with(": it accepts a connection and sends nothing\n"), "{lines}");
    }
}

#[test]
fn a_master_with_another_port_for_servers_has_no_probe_unless_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master(&["gamespy-list", "gamespy"], "flood=0");
    let target = at[0].to_string();
    let usual = ["--target", &target, "--profile", "gamespy", "--once"];
    let out = watch(folder.path(), &usual).output().unwrap();
    let says = "masters of gamespy have another port for servers; --heartbeat-port names it\n";
    assert!(text(&out.stderr).ends_with(says), "{}", text(&out.stderr));
    assert_eq!(out.status.code(), Some(0));
    let out =
        watch(folder.path(), &[&usual[..], &["--probe", "always"]].concat()).output().unwrap();
    assert!(text(&out.stderr).ends_with(says), "{}", text(&out.stderr));
    assert_eq!(out.status.code(), Some(2));
}

/// `watch` in rounds that end when it is killed.
fn running(folder: &Path, out: &Path, arguments: &[&str]) -> Process {
    let usual = ["--every", "50ms", "--format", "ndjson"];
    let mut command = watch(folder, &[&usual[..], arguments].concat());
    Process::start(command.stdout(File::create(out).unwrap()).stderr(Stdio::null()))
}

/// The rounds in a file, without one that is being written.
fn documents(out: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(out).unwrap();
    let whole = lines.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    whole.map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_killed_program_is_forgotten_and_goes_on_with_the_same_probe() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master(&["ut2004"], "flood=0");
    let target = at[0].to_string();
    let history = folder.path().join("history.db");
    let usual =
        ["--target", &target, "--profile", "ut2004", "--history", history.to_str().unwrap()];
    let mut probes = Vec::new();
    for part in ["killed", "whole"] {
        let out = folder.path().join(part);
        let mut program = running(folder.path(), &out, &usual);
        until("some rounds", || {
            assert_eq!(program.ended(), None);
            (documents(&out).len() >= 10).then_some(())
        });
        program.end();
        for document in documents(&out) {
            let probe = &document["masters"][0]["probe"];
            assert_eq!(probe["listed"], true, "{document}");
            probes.push(probe["address"].clone());
        }
        // Its connection ends with it, and the master forgets it.
        let asking = ["--target", &target, "--profile", "ut2004", "--probe", "never"];
        until("an empty list", || (once(folder.path(), &asking)["servers"] == 0).then_some(()));
    }
    let rounds = probes.len() as u64;
    probes.dedup();
    assert_eq!(probes.len(), 1, "{probes:?}");
    let history = WatchHistory::open(&history, Duration::from_hours(24)).unwrap();
    let kept = history.rounds().unwrap();
    assert!(kept >= rounds, "{kept} of {rounds} rounds");
    for name in ["answered", "servers", "latency"] {
        let about = SampleSubject::of_target(&target);
        let samples = history.samples(Series::named(name).unwrap(), &about).unwrap();
        assert_eq!(samples.len() as u64, kept, "{name}: each round is whole");
    }
}

#[test]
fn quakestat_finds_the_probe_in_the_same_list() {
    let test = "watch::tcp::quakestat_finds_the_probe_in_the_same_list";
    let Some([quakestat]) = needs::programs(test, ["quakestat"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    // quakestat has no key, and makes its proof up.
    let (_running, at) = master(&["gamespy-list", "gamespy"], "flood=0,list-proof=off");
    let [target, port] = [at[0].to_string(), at[1].port().to_string()];
    let out = folder.path().join("out");
    let arguments = ["--target", &target, "--profile", "gamespy", "--heartbeat-port", &port];
    let mut program = running(folder.path(), &out, &arguments);
    let probe = until("the probe to be listed", || {
        assert_eq!(program.ended(), None);
        let last = documents(&out).pop()?["masters"][0].clone();
        (last["probe"]["listed"] == true).then(|| last["probe"]["address"].clone())
    });
    let mut ask = Command::new(quakestat);
    ask.args(["-raw", ",", "-retry", "30", "-gsm,ut", &target]).stdin(Stdio::null());
    let seen = text(&ask.output().unwrap().stdout);
    // It asks the probe too, which answers as a server does.
    let line = format!("GPS,{},fragshark probe,", probe.as_str().unwrap());
    assert!(seen.lines().any(|seen| seen.starts_with(&line)), "{seen}");
}
