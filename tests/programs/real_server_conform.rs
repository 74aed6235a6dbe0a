//! `conform --server` and the servers of others: it gives no false failure, also when it judges one
//! process again and again; and a fault that a released server really has is found.

use std::net::{Ipv6Addr, SocketAddr};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::arena::{Arena, MAP, Master};
use crate::needs;
use crate::real_server::RealServer;
use crate::real_teeworlds::{MARK, start, token_request};

const TEST: &str = "tests/programs/real_server_conform.rs";
/// How often the same process is judged.
const RUNS: usize = 3;

/// The verdict of each case of a run, by its id; the exit status and the whole output.
fn judge(
    profile: &str,
    at: SocketAddr,
    cases: &[&str],
) -> (Vec<(String, String)>, Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(["conform", "--server", "--profile", profile, "--format", "ndjson", "--target"]);
    command.arg(at.to_string()).args(cases).stdin(Stdio::null());
    let output = command.output().unwrap();
    let (verdicts, text) = verdicts(&output);
    (verdicts, output.status.code(), text)
}

/// The verdict of each case in a report, and its text.
fn verdicts(output: &Output) -> (Vec<(String, String)>, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases = lines.filter_map(|line| {
        let text = |key: &str| line[key].as_str().map(str::to_owned);
        (line["type"] == "case").then(|| Some((text("id")?, text("verdict")?)))?
    });
    (cases.collect(), text)
}

fn is_good(verdict: &str) -> bool {
    matches!(verdict, "pass" | "info" | "skipped")
}

/// Judges a server so often: nothing fails, at least so many cases pass, and each run is the same.
fn check(profile: &str, at: SocketAddr, cases: &[&str], passes: usize) {
    let mut first = None;
    for run in 1..=RUNS {
        let (verdicts, status, output) = judge(profile, at, cases);
        let bad: Vec<_> = verdicts.iter().filter(|(_, verdict)| !is_good(verdict)).collect();
        assert!(bad.is_empty(), "{profile} at {at}, run {run}: {bad:?}\n{output}");
        assert_eq!(status, Some(0), "{profile} at {at}, run {run}: {output}");
        let passed = verdicts.iter().filter(|(_, verdict)| verdict == "pass").count();
        assert!(passed >= passes, "{profile} at {at}, run {run}: {passed} passed\n{output}");
        let first = first.get_or_insert_with(|| verdicts.clone());
        assert_eq!(*first, verdicts, "{profile} at {at}, run {run}");
    }
}

/// The same address of the other family.
fn over_ipv6(at: SocketAddr) -> SocketAddr {
    (Ipv6Addr::LOCALHOST, at.port()).into()
}

#[test]
fn openarena_passes() {
    let Some([program]) = needs::programs(TEST, ["openarena-server"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let master = Master::open();
    let arena = Arena::start(&program, folder.path(), master.address);
    let server = master.wait_for("infoResponse");
    check("quake3", server, &[], 19);
    arena.quit();
}

/// In a namespace there are IPv6 addresses for clients; elsewhere all share one, which is answered
/// once a second.
#[test]
fn openarena_passes_over_ipv6() {
    let Some([program]) = needs::programs(TEST, ["openarena-server"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(["conform", "--server", "--namespace", "--profile", "quake3"]);
    command.args(["--target", "[::1]:27960", "--format", "ndjson", "--"]).arg(program);
    for (name, value) in [
        ("dedicated", "1"),
        ("net_enabled", "3"),
        ("net_ip6", "::1"),
        ("net_port6", "27960"),
        ("fs_homepath", &home),
    ] {
        command.args(["+set", name, value]);
    }
    command.args(["+map", MAP]).current_dir(&folder).env("HOME", folder.path());
    let output = command.stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("no network namespace can be made") {
        needs::not_run(TEST, "netns", "it is not permitted");
        return;
    }
    let (verdicts, text) = verdicts(&output);
    let passed = verdicts.iter().filter(|(_, verdict)| verdict == "pass").count();
    assert_eq!((output.status.code(), passed), (Some(0), 19), "{text}{errors}");
}

#[test]
fn nexuiz_passes() {
    let Some([program]) = needs::programs(TEST, ["nexuiz-server"]) else {
        return;
    };
    check("quake3", RealServer::nexuiz(&program, &[]).address, &[], 19);
}

#[test]
fn ddnet_passes() {
    let Some([program]) = needs::programs(TEST, ["DDNet-Server"]) else {
        return;
    };
    let server = start(&program, &[], &[&MARK[..], b"gie3\x05"].concat());
    check("teeworlds", server.address, &[], 15);
    check("teeworlds", over_ipv6(server.address), &[], 15);
}

/// Version 0.7.5 ends at a question with the token -1; all other cases pass.
#[test]
fn teeworlds_passes_but_for_a_negative_token() {
    let Some([program]) = needs::programs(TEST, ["teeworlds-server"]) else {
        return;
    };
    let server = start(&program, &["sv_map dm1"], &token_request());
    let others = [
        "teeworlds-7/server/state",
        "teeworlds-7/server/proof",
        "teeworlds-7/server/amplification",
        "teeworlds-7/server/malformed",
        "teeworlds-7/server/repeated",
        "teeworlds-7/server/robust",
        "teeworlds-7/server/flood",
    ];
    check("teeworlds-7", server.address, &others, 17);
    // All clients have one address there, so one case is skipped.
    check("teeworlds-7", over_ipv6(server.address), &others, 16);
    let (verdicts, status, output) = judge("teeworlds-7", server.address, &[]);
    let bad: Vec<_> = verdicts.iter().filter(|(_, verdict)| !is_good(verdict)).collect();
    let case = "teeworlds-7/server/token/negative".to_owned();
    assert_eq!(bad, [&(case, "fail".to_owned())], "{output}");
    assert_eq!((verdicts.len(), status), (19, Some(1)), "{output}");
}
