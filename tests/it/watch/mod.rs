//! `fragshark watch`: its output, its status, its history after a kill, its pages, and what it
//! sends.

mod awaited;
mod entries;
mod files;
mod kill;
mod tcp;

use std::fs::File;
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use fragshark::protocols::quake3::PROTOCOL;
use masters::Defect;
use serde_json::Value;
use simulate::families::answer;

use crate::process::{PATIENCE, Process, printed, until};
use crate::watched::{BINARY, Registered, free_port, master, page, watch};

/// What it prints in a few rounds, one document for each.
fn rounds(folder: &Path, rounds: u32, arguments: &[&str]) -> Vec<Value> {
    let count = rounds.to_string();
    let usual = ["--every", "50ms", "--timeout", "300ms", "--format", "ndjson", "--rounds", &count];
    let out = printed(&mut watch(folder, &[arguments, &usual].concat()));
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The names of the alerts in a document.
fn alerts(document: &Value) -> Vec<&str> {
    let all = document["alerts"].as_array().unwrap();
    all.iter().map(|alert| alert["alert"].as_str().unwrap()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn one_round_is_one_document() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master("", &[]);
    let _servers = Registered::with(at, 3);
    let target = at.to_string();
    for (profile, source) in [(&["--profile", "quake3"][..], "profile"), (&[], "asked")] {
        let usual = ["--target", &target, "--once", "--format", "json", "--probe", "never"];
        let out = printed(&mut watch(folder.path(), &[&usual[..], profile].concat()));
        let document: Value = serde_json::from_str(&out).unwrap();
        let master = &document["masters"][0];
        for (name, expected) in [
            ("target", Value::from(target.clone())),
            ("kind", "quake3".into()),
            ("kind_from", source.into()),
            ("answered", true.into()),
            ("servers", 3.into()),
            ("probe", Value::Null),
        ] {
            assert_eq!(master[name], expected, "{name}: {out}");
        }
        assert_eq!(master["list"].as_array().unwrap().len(), 3);
        assert!(master["latency_ms"].as_f64().unwrap() > 0.0, "{out}");
    }
    assert!(!folder.path().join("fragshark").exists(), "--once keeps no history");
}

#[test]
fn the_status_of_one_round_says_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let (_good, good) = master("", &[]);
    let (_bad, bad) = master("", &[Defect::ListsNobody]);
    let closed = UdpSocket::bind("127.0.0.1:0").unwrap();
    let history = folder.path().join("history.db");
    let history = history.to_str().unwrap();
    let run = |target: SocketAddr, more: &[&str]| -> Output {
        let target = target.to_string();
        let usual = ["--target", &target, "--profile", "quake3", "--once", "--timeout", "300ms"];
        watch(folder.path(), &[&usual[..], more].concat()).output().unwrap()
    };
    let fine = run(good, &[]);
    assert_eq!(fine.status.code(), Some(0), "{}", text(&fine.stderr));
    assert!(text(&fine.stdout).contains("; the probe is listed"), "{}", text(&fine.stdout));
    let silent = run(closed.local_addr().unwrap(), &[]);
    assert_eq!(silent.status.code(), Some(3), "{}", text(&silent.stdout));
    assert!(text(&silent.stdout).contains(": no answer; "), "{}", text(&silent.stdout));
    // With a history, single rounds are the rounds of one run.
    let statuses = [0, 1, 2].map(|_| run(bad, &["--history", history]).status.code());
    assert_eq!(statuses, [Some(0), Some(0), Some(1)]);
}

#[test]
fn a_server_that_answers_and_is_not_listed_is_alerted() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master("", &[]);
    let registered = Registered::with(at, 1);
    let unlisted = UdpSocket::bind("127.0.0.1:0").unwrap();
    let addresses = [&registered.0[0], &unlisted].map(|server| server.local_addr().unwrap());
    let answering = [registered.0[0].try_clone().unwrap(), unlisted].map(|server| {
        server.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        server
    });
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let servers = std::thread::spawn(move || {
        let mut buffer = [0; 2000];
        while ended.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            for server in &answering {
                let Ok((length, from)) = server.recv_from(&mut buffer) else { continue };
                if let Some(reply) = answer(&PROTOCOL, None, &[], &buffer[..length]) {
                    server.send_to(&reply, from).unwrap();
                }
            }
        }
    });
    let [target, one, other] = [at, addresses[0], addresses[1]].map(|address| address.to_string());
    let arguments =
        ["--target", &target, "--server", &one, "--server", &other, "--profile", "quake3"];
    let all = rounds(folder.path(), 3, &arguments);
    drop(end);
    servers.join().unwrap();
    let last = all.last().unwrap();
    assert_eq!(last["servers"][0]["listed_by"][0], target.as_str(), "{last}");
    assert_eq!(last["servers"][1]["missing_at"][0], target.as_str(), "{last}");
    assert_eq!(alerts(last), ["server-unlisted"]);
    assert_eq!(last["alerts"][0]["subject"], other.as_str());
    // It ends with the server.
    assert_eq!(alerts(&rounds(folder.path(), 1, &arguments)[0]), Vec::<&str>::new());
}

#[test]
fn a_master_that_answers_one_in_two_is_alerted() {
    let folder = tempfile::tempdir().unwrap();
    // It answers every second datagram of a client.
    let half = UdpSocket::bind("127.0.0.1:0").unwrap();
    half.set_read_timeout(Some(PATIENCE)).unwrap();
    let target = half.local_addr().unwrap().to_string();
    let rounds_done = 8;
    let answering = std::thread::spawn(move || {
        for n in 0..rounds_done {
            let (_, from) = half.recv_from(&mut [0; 2000]).unwrap();
            if n % 2 == 0 {
                let list = b"\xff\xff\xff\xffgetserversResponse\\\x7f\0\0\x01\x6d\x38\\EOT\0\0\0";
                half.send_to(list, from).unwrap();
            }
        }
    });
    let probe = ["--probe", "never", "--profile", "quake3", "--target", &target];
    let all = rounds(folder.path(), rounds_done, &probe);
    answering.join().unwrap();
    assert_eq!(alerts(&all[4]), Vec::<&str>::new());
    assert_eq!(alerts(all.last().unwrap()), ["answers-missing"]);
    assert_eq!(all[0]["masters"][0]["list"][0], "127.0.0.1:27960");
}

#[test]
fn pages_say_how_it_is_and_a_signal_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master("", &[]);
    let (target, port) = (at.to_string(), free_port());
    let out = folder.path().join("out");
    let metrics = port.to_string();
    let usual =
        ["--target", &target, "--profile", "rtcw", "--every", "100ms", "--metrics", &metrics];
    let mut command = watch(folder.path(), &usual);
    command.stdout(File::create(&out).unwrap()).stderr(Stdio::null());
    let mut running = Process::start(&mut command);
    let pages = SocketAddr::from(([127, 0, 0, 1], port));
    let listed = format!("fragshark_server_unlisted{{target=\"{target}\",subject=\"probe\"}} 0\n");
    until("the metrics of a round", || {
        assert_eq!(running.ended(), None);
        page(pages, "GET /metrics").filter(|(_, body)| body.contains(&listed))
    });
    for (request, status, body) in [
        ("GET /healthz", "HTTP/1.1 200 OK", "ok\n"),
        ("GET /", "HTTP/1.1 404 Not Found", "the pages are /metrics and /healthz\n"),
        ("POST /metrics", "HTTP/1.1 405 Method Not Allowed", "only GET\n"),
    ] {
        assert_eq!(
            page(pages, request).unwrap(),
            (status.to_owned(), body.to_owned()),
            "{request}"
        );
    }
    let id = running.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let status = until("it to end", || running.ended());
    assert_eq!(status.code(), Some(0), "{status}");
    assert!(std::fs::read_to_string(&out).unwrap().contains("; the probe is listed"));
    // Its probe has left.
    let once = ["--target", &target, "--profile", "rtcw", "--probe", "never", "--once"];
    let after = printed(&mut watch(folder.path(), &[&once[..], &["--format", "json"]].concat()));
    let after: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(after["masters"][0]["servers"], 0, "{after}");
    assert!(folder.path().join("fragshark/watch.db").is_file());
}

#[test]
fn a_program_that_is_started_again_waits_for_its_interval() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master("", &[]);
    let (target, port) = (at.to_string(), free_port());
    let metrics = port.to_string();
    let usual = ["--target", &target, "--profile", "quake3", "--every", "1h"];
    let first = printed(&mut watch(folder.path(), &[&usual[..], &["--rounds", "1"]].concat()));
    assert!(first.contains("; the probe is listed"), "{first}");
    let [out, log] = ["out", "log"].map(|name| folder.path().join(name));
    let mut command = watch(folder.path(), &[&usual[..], &["--metrics", &metrics]].concat());
    command.stdout(File::create(&out).unwrap()).stderr(File::create(&log).unwrap());
    let mut second = Process::start(&mut command);
    let pages = SocketAddr::from(([127, 0, 0, 1], port));
    // What the first one measured is there.
    let listed = format!("fragshark_master_servers{{target=\"{target}\"}} 1\n");
    until("the metrics of the round before", || {
        assert_eq!(second.ended(), None);
        page(pages, "GET /metrics").filter(|(_, body)| body.contains(&listed))
    });
    assert_eq!(page(pages, "GET /healthz").unwrap().1, "ok\n");
    let id = second.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let status = until("it to end", || second.ended());
    assert_eq!(status.code(), Some(0), "{status}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "", "no round was due");
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(
        log.contains("the next round is at ") && log.contains("Z, 1h after the last one"),
        "{log}"
    );
}

#[test]
fn one_history_has_one_program() {
    let folder = tempfile::tempdir().unwrap();
    let (_running, at) = master("", &[]);
    let target = at.to_string();
    let usual = ["--target", &target, "--profile", "quake3", "--every", "100ms"];
    let mut command = watch(folder.path(), &usual);
    let mut first = Process::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
    let lock = folder.path().join("fragshark/watch.db.lock");
    until("the history to be open", || {
        assert_eq!(first.ended(), None);
        let file = File::open(&lock).ok()?;
        file.try_lock().is_err().then_some(())
    });
    let second = watch(folder.path(), &usual).output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    let says = "watch.db: another fragshark uses it; --history names another file\n";
    assert!(text(&second.stderr).ends_with(says), "{}", text(&second.stderr));
}
