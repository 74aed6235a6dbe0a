//! `conform --server`: the command, on simulated servers in memory and on sockets.

use std::net::{SocketAddr, UdpSocket};
use std::process::Command;

use crate::answering::answering;
use fragshark::codec::FieldRole;
use fragshark::protocols::{quake3, teeworlds};
use simulate::KnownValue;
use simulate::families::answers;

/// The command with these arguments: its status, its output and its complaints.
fn conform(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(["conform", "--server"]).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn simulated_servers_pass_without_a_target() {
    let (status, stdout, stderr) = conform(&[]);
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "{stdout}");
    assert!(stdout.contains("\n    challenge\n      pass    echoed  "), "{stdout}");
    assert!(
        stdout.contains("\n              50 of 64 questions at once were answered\n"),
        "{stdout}"
    );
    let (status, stdout, _) = conform(&["--profile", "teeworlds-7", "--list"]);
    assert_eq!(status, Some(0));
    let are_own = stdout.lines().all(|line| line.starts_with("teeworlds-7/server/"));
    assert!(are_own && stdout.contains("proof/wrong") && stdout.contains("(harsh)"), "{stdout}");
}

/// What the servers say of themselves.
fn known() -> Vec<KnownValue> {
    let value = |role, text: &str| KnownValue { role, key: Vec::new(), text: text.into() };
    vec![value(FieldRole::Host, "a server"), value(FieldRole::Map, "simulated")]
}

/// The cases that need no state of the server, of one that answers so. Without a profile its kind is
/// found out.
fn judged(
    profile: &[&str],
    answer: impl Fn(&[u8]) -> Vec<Vec<u8>> + Send,
) -> (Option<i32>, String) {
    let (_, (status, stdout, stderr)) = answering(answer, |at: SocketAddr| {
        let target = at.to_string();
        let cases = ["*/server/state/*", "*/server/challenge/*", "*/server/malformed/*"];
        conform(&[&["--target", &*target, "--format", "ndjson"], profile, &cases[..]].concat())
    });
    assert_eq!(stderr, "");
    (status, stdout)
}

#[test]
fn a_server_is_judged_as_what_it_is() {
    for (protocol, profile) in [(&quake3::PROTOCOL, "quake3"), (&teeworlds::PROTOCOL, "teeworlds")]
    {
        let known = known();
        let (status, stdout) = judged(&[], |request| answers(protocol, None, &known, request));
        assert_eq!(status, Some(0), "{profile}: {stdout}");
        assert!(stdout.contains(&format!("\"profile\":\"{profile}\"")), "{profile}: {stdout}");
        assert!(stdout.contains(&format!("{profile}/server/challenge/echoed")), "{stdout}");
    }
}

#[test]
fn a_wrong_challenge_is_a_failure_that_names_it() {
    let (status, stdout) = judged(&["--profile", "quake3"], |request| {
        let mut all = answers(&quake3::PROTOCOL, None, &known(), request);
        for answer in &mut all {
            let key = b"\\challenge\\";
            if let Some(at) = answer.windows(key.len()).position(|part| part == key) {
                answer[at + key.len()] = b'x';
            }
        }
        all
    });
    assert_eq!(status, Some(1), "{stdout}");
    let failed = stdout.lines().find(|line| line.contains("\"quake3/server/challenge/echoed\""));
    let failed = failed.unwrap_or_default();
    assert!(failed.contains("\"verdict\":\"fail\""), "{stdout}");
    assert!(failed.contains("the challenge of its getstatus"), "{failed}");
    assert!(failed.contains("→ the server") && !failed.contains("the master"), "{failed}");
}

#[test]
fn what_is_no_server_is_refused() {
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    for (arguments, stderr) in [
        (
            &["--profile", "dpmaster"][..],
            "dpmaster is a kind of master; those of servers are quake3,",
        ),
        (&["--profile", "none"], "unknown profile; the profiles are quake3, dpmaster,"),
        (&["--assume", "max-servers=1"], "--assume: what is assumed is of masters"),
        (&["--target", &closed], "nothing listens there"),
        (&["--target", &closed, "--also", "[::1]:9"], "--also: a server is tested at one address"),
        (
            &["--target", "127.0.0.1:9", "--target", "127.0.0.2:9", "--format", "html"],
            "several servers need --profile",
        ),
        (&["dpmaster/getinfo"], "no case matches dpmaster/getinfo"),
    ] {
        let (status, stdout, complaint) = conform(arguments);
        assert_eq!((status, stdout.as_str()), (Some(2), ""), "{arguments:?}: {complaint}");
        assert!(complaint.contains(stderr), "{arguments:?}: {complaint}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.args(["conform", "--profile", "teeworlds-7"]).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint.contains("conform --server --profile teeworlds-7"), "{complaint}");
}
