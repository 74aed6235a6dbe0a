//! Replay: every capture of the project against the reference master, masters with defects, and
//! masters that are down.

use std::fs;
use std::io::Read as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::{arena, needs, netns, process, recordings, story};
use arena::Arena;
use fragshark::analysis::Session;
use fragshark::capture::Input;
use fragshark::families::{self, service, services};
use fragshark::master::{Config, DEFECTS, Defect, MasterRecorder, RunningMaster, Settings};
use process::until;
use serde_json::Value;
use story::Story;
use tempfile::TempDir;

const TEST: &str = "tests/replay.rs";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn capture(name: &str) -> PathBuf {
    root().join("captures").join(name)
}

/// Every capture of the project.
fn captures() -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![capture("")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_capture = path.extension().is_some_and(|e| e == "pcap" || e == "pcapng");
            if path.is_dir() {
                folders.push(path);
            } else if is_capture {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 60, "only {} captures were found", found.len());
    found
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

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// As fast as responses come, with the report as objects.
const QUICK: [&str; 6] = ["--asap", "--wait-replies", "--timeout", "2s", "--format", "ndjson"];

/// The status, and every entry of the report.
fn quick(file: &Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let (status, out, err) = said(&run(file, &[&QUICK[..], arguments].concat()));
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

/// A master with these defects on its documented ports, at its own address.
fn master(defects: &[Defect], recorder: Option<MasterRecorder>) -> (RunningMaster, String) {
    let ip = address();
    let mut settings = Settings::default();
    for defect in defects {
        settings.defects = settings.defects.with(*defect);
    }
    let services = services().map(|service| (service, service.port)).collect();
    let config = Config {
        listen: vec![IpAddr::V4(ip)],
        listen_if_there: Vec::new(),
        services,
        settings,
        recorder,
        ..Config::new(families::services())
    };
    (RunningMaster::start(config).unwrap(), ip.to_string())
}

#[test]
fn the_tour_plays_as_it_stands() {
    let (status, out, err) = said(&run(&capture("tour.pcapng"), &[]));
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
    for part in [
        "pass     quake3/heartbeat",
        "set up as recorded: motd=Welcome to the arena",
        "silences shortened, by 5m54s in all",
        "8 messages of",
        "the reference master lists",
    ] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
}

#[test]
fn every_capture_plays_and_nothing_differs_unexpectedly() {
    // Most of these recordings cannot be reproduced by a master: they are truncated, broken, or by
    // a master that refused.
    let is_no_measure = |file: &Path| {
        let cases =
            ["findings/registration.refused", "findings/message.faulty", "cases/challenge-cut-off"];
        cases.iter().any(|case| file.ends_with(format!("{case}.pcapng")))
    };
    let left = Arc::new(Mutex::new(captures()));
    let next = move || left.lock().unwrap().pop();
    let workers = (0..4).map(|_| {
        let next = next.clone();
        thread::spawn(move || {
            let mut wrong = Vec::new();
            while let Some(file) = next() {
                let (status, entries) = quick(&file, &[]);
                let due = if is_no_measure(&file) { 3 } else { 0 };
                if status != Some(due) || !failed(&entries).is_empty() || entries.is_empty() {
                    wrong.push(format!("{}: {status:?} {entries:#?}", file.display()));
                }
            }
            wrong
        })
    });
    let workers: Vec<_> = workers.collect();
    let wrong: Vec<_> = workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A capture in which a server registers, the service, and the request for its list.
static REGISTRATIONS: &[(&str, &str, &[u8])] = &[
    (
        "findings/challenge.forbidden.healthy.pcapng",
        "quake3",
        b"\xff\xff\xff\xffgetservers 68 empty full",
    ),
    (
        "findings/challenge.missing.healthy.pcapng",
        "quake3",
        b"\xff\xff\xff\xffgetservers 84 empty full",
    ),
    (
        "findings/info.key-missing.healthy.pcapng",
        "quake3",
        b"\xff\xff\xff\xffgetservers Xonotic 3 empty full",
    ),
    (
        "findings/heartbeat.frequent.healthy.pcapng",
        "elite-force",
        b"\xff\xff\xff\xffgetservers 68 empty full",
    ),
    ("findings/heartbeat.rare.healthy.pcapng", "quake2", b"query\n\0"),
    ("findings/challenge.changed.healthy.pcapng", "half-life", b"e\0\0\0"),
    ("findings/list.port-swapped.healthy.pcapng", "doom3", b"\xff\xffgetServers\0\x21\0\x01\0\0\0"),
];

#[test]
fn recorded_servers_end_up_listed() {
    for (name, service, request) in REGISTRATIONS {
        let (running, target) = master(&[], None);
        let (status, entries) = quick(&capture(name), &["--target", &target]);
        assert_eq!(status, Some(0), "{name}: {entries:#?}");
        let at = running.address(families::service(service).unwrap()).unwrap();
        let client = UdpSocket::bind((target.parse::<IpAddr>().unwrap(), 0)).unwrap();
        client.set_read_timeout(Some(process::PATIENCE)).unwrap();
        client.send_to(request, at).unwrap();
        let mut list = [0; 2000];
        let length = client.recv(&mut list).unwrap();
        // Its address is in 127.0.0.0/8, as bytes or as hex digits.
        let list = &list[..length];
        let listed = list.contains(&127) || list.windows(3).any(|three| three == br"\7f");
        assert!(listed, "{name}: {}", list.escape_ascii());
    }
}

/// A capture, a defect that its recorded responses can show, and the reported difference.
static SHOWN: &[(&str, &str, &str)] = &[
    ("findings/list.end-missing.healthy.pcapng", "no-end-mark", "quake3/getservers/end"),
    ("findings/list.port-swapped.healthy.pcapng", "swapped-port", "doom3/get-servers/missing"),
    ("findings/list.port-swapped.healthy.pcapng", "doubled-entries", "doom3/get-servers/doubled"),
    ("findings/list.port-zero.healthy.pcapng", "no-final", "gamespy/list-request/missing"),
    (
        "findings/challenge.repeated.healthy.pcapng",
        "constant-challenge",
        "findings/challenge.repeated",
    ),
    (
        "findings/challenge.forbidden.healthy.pcapng",
        "forbidden-characters",
        "findings/challenge.forbidden",
    ),
    ("findings/heartbeat.rare.healthy.pcapng", "crashes-on-long-key", ""),
    ("tour.pcapng", "other-port", "findings/answer.other-port"),
    ("tour.pcapng", "wrong-motd-challenge", "quake3/getmotd/challenge"),
    ("rtcw/documented.pcap", "accepts-any-key", "quake3/get-ip-authorize/verdict"),
    ("hexenworld/session.pcap", "four-bytes-mark", "quakeworld/get-servers/mark"),
    ("hexenworld/session.pcap", "never-acknowledges", "quakeworld/server-ping/missing"),
    ("quakeworld/documented.pcap", "never-acknowledges", "quakeworld/server-ping/missing"),
    ("quake2/documented.pcap", "never-acknowledges", "quake2/ping/missing"),
    ("doom3/documented.pcapng", "old-versions-are-new", "doom3/version-check/missing"),
];

#[test]
fn broken_masters_are_told_from_sound_ones() {
    for (name, defect, id) in SHOWN {
        let defect =
            Defect::named(defect).unwrap_or_else(|| panic!("{defect} is none of {DEFECTS:?}"));
        let (_running, target) = master(&[defect], None);
        let (status, entries) = quick(&capture(name), &["--target", &target]);
        let failed = failed(&entries);
        let is_shown = if id.is_empty() { failed.is_empty() } else { failed.contains(id) };
        assert!(is_shown, "{name} {}: {failed:?} {entries:#?}", defect.name());
        assert_eq!(status, Some(i32::from(!id.is_empty())), "{name} {}", defect.name());
    }
}

#[test]
fn a_port_that_was_named_does_not_hide_another() {
    let file = capture("findings/list.end-missing.healthy.pcapng");
    for (defects, id) in
        [(&[][..], None), (&[Defect::OtherPort], Some("findings/answer.other-port"))]
    {
        let (_running, target) = master(defects, None);
        let target = format!("{target}:27950");
        let (status, entries) = quick(&file, &["--target", &target]);
        let failed = failed(&entries);
        assert_eq!(status, Some(i32::from(id.is_some())), "{failed:?} {entries:#?}");
        assert!(id.is_none_or(|id| failed.contains(&id)), "{failed:?} {entries:#?}");
        assert!(entries.iter().any(|entry| entry["id"] == "quake3/getservers"), "{entries:#?}");
    }
}

#[test]
fn fields_can_be_left_out() {
    let (_running, target) = master(&[Defect::WrongMotdChallenge], None);
    let file = capture("tour.pcapng");
    let arguments = ["--target", &target, "-Y", "quake3.getmotd", "--ignore", "challenge"];
    let (status, entries) = quick(&file, &[&arguments[..], &["--ignore", "chalenge"]].concat());
    assert_eq!(status, Some(0), "{entries:#?}");
    let idle = entries.iter().filter(|e| e["id"] == "replay/ignore").collect::<Vec<_>>();
    assert_eq!(idle.len(), 1, "{entries:#?}");
    assert!(idle[0].to_string().contains("--ignore chalenge"), "{idle:#?}");
    assert_eq!(entries.iter().filter(|e| e["id"] == "quake3/getmotd").count(), 1, "{entries:#?}");
    assert!(!entries.iter().any(|e| e["id"] == "quake3/heartbeat"), "{entries:#?}");
}

#[test]
fn roles_are_played_alone() {
    for (role, played, other) in [
        ("server", "quake3/heartbeat", "quake3/getservers"),
        ("client", "quake3/getservers", "quake3/heartbeat"),
    ] {
        let (status, entries) = quick(&capture("tour.pcapng"), &["--role", role]);
        let has = |id: &str| entries.iter().any(|entry| entry["id"] == id);
        assert_eq!((status, has(played), has(other)), (Some(0), true, false), "{role}");
    }
}

#[test]
fn rounds_are_played_again() {
    let file = capture("findings/list.port-swapped.healthy.pcapng");
    let (status, entries) = quick(&file, &["--loop", "20"]);
    assert_eq!(status, Some(0), "{entries:#?}");
    let pacing = entries.iter().find(|entry| entry["id"] == "replay/pacing").unwrap();
    assert_eq!((&pacing["messages"], &pacing["answers"]), (&40.into(), &20.into()), "{pacing}");
}

#[test]
fn a_run_is_kept_with_both_sides_marked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.pcapng");
    let name = file.display().to_string();
    let (_running, target) = master(&[], None);
    let (status, entries) =
        quick(&capture("tour.pcapng"), &["--target", &target, "--record", &name]);
    assert_eq!(status, Some(0), "{entries:#?}");
    let bytes = fs::read(&file).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    for comment in [
        "replay: plays frame 1 as 192.0.2.10:27960",
        "replay: answers as 192.0.2.10:27960",
        "target: says",
    ] {
        assert!(holds(comment), "{comment}");
    }
    // The interface shows them with the messages.
    let (mut session, mut loader) =
        Session::open(&[Input::File(file.clone())], Vec::new()).unwrap();
    while loader.load(&mut session, 64) {}
    let beside = |frame| session.comment(frame).unwrap_or_default();
    assert_eq!(beside(1), "replay: plays frame 1 as 192.0.2.10:27960");
    assert_eq!(beside(2), "target: says");
    let decoded = Command::new(env!("CARGO_BIN_EXE_fragshark")).arg("decode").arg(&file).output();
    let decoded = String::from_utf8(decoded.unwrap().stdout).unwrap();
    for word in ["heartbeat", "getinfo", "infoResponse", "getserversResponse", "motd", &target] {
        assert!(decoded.contains(word), "{word}: {decoded}");
    }
    let (status, _, complaint) = said(&run(&file, &["--record", &name]));
    assert_eq!(status, Some(2), "{complaint}");
    assert!(complaint.contains("is an input, and is not overwritten"), "{complaint}");
    // The recording of a run is a capture like any other.
    let (status, entries) = quick(&file, &[]);
    assert_eq!(status, Some(0), "{entries:#?}");
}

#[test]
fn reports_have_three_forms() {
    let file = capture("findings/list.end-missing.healthy.pcapng");
    let (_running, target) = master(&[Defect::NoEndMark], None);
    let arguments = ["--target", &target, "--asap"];
    let (status, text, _) = said(&run(&file, &arguments));
    assert_eq!(status, Some(1));
    assert!(text.contains("fail     quake3/getservers/end"), "{text}");
    let (status, xml, _) = said(&run(&file, &[&arguments[..], &["--format", "junit"]].concat()));
    assert_eq!(status, Some(1));
    assert!(xml.contains("<testsuite name=\"fragshark replay\""), "{xml}");
    assert!(xml.contains("<failure") && xml.contains("does not say that it is complete"), "{xml}");
}

#[test]
fn a_port_where_nobody_listens_is_told_of() {
    let ip = address();
    let port = UdpSocket::bind((ip, 0)).unwrap().local_addr().unwrap();
    let target = port.to_string();
    let file = capture("findings/heartbeat.frequent.healthy.pcapng");
    for more in [&["--asap"][..], &["--asap", "--wait-replies"]] {
        let (status, _, err) = said(&run(&file, &[&["--target", &target], more].concat()));
        assert_eq!(status, Some(3), "{err}");
        assert!(err.contains("connection refused: nobody listens there"), "{err}");
    }
    let stream = TcpListener::bind((ip, 0)).unwrap().local_addr().unwrap().to_string();
    let file = capture("findings/list.port-zero.healthy.pcapng");
    let junit = ["--target", &stream, "--asap", "--format", "junit"];
    let (status, out, err) = said(&run(&file, &junit));
    assert_eq!(status, Some(3), "{err}");
    assert!(err.contains("refused"), "{err}");
    assert!(out.contains("nobody listens there") && out.contains("</testsuites>"), "{out}");
}

#[test]
fn a_master_that_says_nothing_is_waited_for_and_told_of() {
    let silent = UdpSocket::bind((address(), 0)).unwrap();
    let target = silent.local_addr().unwrap().to_string();
    let file = capture("findings/list.end-missing.healthy.pcapng");
    for more in [&["--asap"][..], &["--asap", "--wait-replies"]] {
        let short = ["--target", &target, "--timeout", "100ms"];
        let (status, out, err) = said(&run(&file, &[&short[..], more].concat()));
        assert_eq!(status, Some(3), "{out}{err}");
        assert!(out.contains("quake3/getservers/missing"), "{out}");
        assert!(out.contains("not compared: the target answered nothing"), "{out}");
        assert_eq!(err, format!("fragshark: {target} answered nothing\n"));
    }
}

#[test]
fn a_master_that_dies_in_the_middle_is_told_of() {
    let dying = UdpSocket::bind((address(), 0)).unwrap();
    dying.set_read_timeout(Some(process::PATIENCE)).unwrap();
    let target = dying.local_addr().unwrap().to_string();
    let answering = thread::spawn(move || {
        let mut buffer = [0; 2000];
        let (_, from) = dying.recv_from(&mut buffer).unwrap();
        dying.send_to(b"\xff\xff\xff\xffgetinfo A_ch4Lleng3", from).unwrap();
        let (length, _) = dying.recv_from(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    });
    let file = capture("findings/challenge.repeated.healthy.pcapng");
    let arguments =
        ["--target", &target, "--asap", "--wait-replies", "--timeout", "200ms", "--loop", "3"];
    let (status, out, err) = said(&run(&file, &arguments));
    assert!(answering.join().unwrap().contains(r"\challenge\A_ch4Lleng3"));
    assert_eq!(status, Some(1), "{out}{err}");
    assert!(out.contains("getinfo did not come"), "{out}");
    assert!(out.contains("messages met nobody who listens"), "{out}");
}

#[test]
fn a_capture_that_is_cut_is_played_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(capture("tour.pcapng")).unwrap();
    let file = folder.path().join("cut.pcapng");
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let (status, entries) = quick(&file, &[]);
    assert_eq!(status, Some(0), "{entries:#?}");
    let warned = entries.iter().any(|entry| entry["id"] == "replay/capture");
    assert!(warned, "{entries:#?}");
    assert!(entries.iter().any(|entry| entry["id"] == "quake3/heartbeat"), "{entries:#?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let tour = capture("tour.pcapng");
    for (arguments, complaint) in [
        (&["--target", "192.0.2.1:27950"][..], "192.0.2.1 is neither on this machine"),
        (&["--target", "0.0.0.0"], "0.0.0.0 is not the address of one machine"),
        (&["--also", "[::1]:27950"], "--target"),
        (
            &["--target", "127.0.0.1:27950", "--also", "127.0.0.2:27950"],
            "127.0.0.1 and 127.0.0.2 are addresses of one family",
        ),
        (
            &["--target", "127.0.0.1:27950", "--also", "[2001:db8::1]:27950"],
            "2001:db8::1 is neither on this machine",
        ),
        (&["--speed", "0"], "a number from 0.1 to 1000 is wanted"),
        (&["--rate", "5", "--asap"], "cannot be used with"),
        (&["--loop", "0"], "0 is not in 1..=1000000"),
        (&["--max-gap", "soon"], "expected a duration"),
        (&["--map", "192.0.2.1"], "OLD=NEW is wanted"),
        (&["--record", "/nowhere/run.pcapng"], "cannot write /nowhere/run.pcapng"),
        (&["-Y", "nothing.at.all"], "filter"),
    ] {
        let (status, _, err) = said(&run(&tour, arguments));
        assert_eq!(status, Some(2), "{arguments:?}: {err}");
        assert!(err.contains(complaint), "{arguments:?}: {err}");
    }
    let (status, _, err) = said(&run(Path::new("/nowhere/capture.pcapng"), &[]));
    assert_eq!(status, Some(2), "{err}");
    let (status, _, err) = said(&run(&capture("noise.pcapng"), &["--asap"]));
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("nothing to play"), "{err}");
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

/// The id of an entry, its verdict, and its text.
type Expected = (&'static str, &'static str, &'static str);

/// A recording, a defect of the target, the status, and the expected entries.
type Tried = (&'static str, fn() -> Story, Option<&'static str>, i32, &'static [Expected]);

const WITH_ANOTHER: &str = "it was registered with another master in the recording";

static RECORDINGS: &[Tried] = &[
    (
        "restarted",
        recordings::restarted,
        None,
        0,
        &[
            (
                "quake3/getservers/extra",
                "skipped",
                "not compared: the recorded master was restarted",
            ),
            ("quake3/getservers", "pass", "1 answered as recorded, 2 not all compared"),
            ("replay/restart", "info", "had forgotten its servers between frames 7 and 9"),
        ],
    ),
    (
        "restarted",
        recordings::restarted,
        Some("no-end-mark"),
        1,
        &[("quake3/getservers/end", "fail", "does not say that it is complete")],
    ),
    (
        "down for a while",
        recordings::down_for_a_while,
        None,
        0,
        &[
            (
                "quake3/getservers/extra",
                "skipped",
                "not compared: the recorded master was restarted",
            ),
            ("replay/restart", "info", "nobody listened at 203.0.113.1:27950 (frame 5)"),
        ],
    ),
    // Without a sign of a restart, a server that is listed only in the run is a difference.
    (
        "left out",
        recordings::left_out,
        Some("ignores-protocol"),
        1,
        &[("quake3/getservers/extra", "fail", "192.0.2.10:27960 is listed")],
    ),
    // The last record of a list in parts is the next cursor, or the server to continue after.
    (
        "a cursor with a port",
        || recordings::pieces(b"e\0\0\0", b"\x02\0\0\x01\x02\x01"),
        None,
        0,
        &[("half-life/get-servers", "pass", "1 answered as recorded")],
    ),
    (
        "a server to go on behind",
        || recordings::pieces(b"1\xff0.0.0.0:0\0\0", b"\xc0\0\x02\x10\x69\x87"),
        None,
        0,
        &[("half-life/get-region/missing", "info", "192.0.2.16:27015 is not listed")],
    ),
    (
        "zeros within a list",
        recordings::zeros,
        None,
        0,
        &[("quake3/getservers", "pass", "1 answered as recorded")],
    ),
    ("left out", recordings::left_out, None, 0, &[("quake3/getservers", "pass", "2 answered")]),
    (
        "cut in the list",
        || recordings::cut(200),
        None,
        0,
        &[
            ("quake3/getservers", "skipped", "1 not all compared"),
            ("quake3/getservers/extra", "skipped", "not compared: the recording was cut"),
            ("quake3/getservers/end", "skipped", "not compared: the recording was cut"),
        ],
    ),
    (
        "cut in the list",
        || recordings::cut(200),
        Some("doubled-entries"),
        1,
        &[("quake3/getservers/doubled", "fail", "is listed 2 times")],
    ),
    (
        "cut in what servers answered",
        || recordings::cut(100),
        None,
        0,
        &[
            ("quake3/getservers/missing", "skipped", "what it told its master was cut"),
            ("replay/answers", "info", "made up"),
        ],
    ),
    // The capture has only a part of requests and of heartbeats.
    (
        "cut in what was asked",
        || recordings::cut(46),
        None,
        3,
        &[("replay/cut", "info", "of which the capture has only a part are not played")],
    ),
    (
        "two connections at once",
        || recordings::connections(true),
        None,
        0,
        &[("gamespy/list-request", "pass", "2 answered as recorded")],
    ),
    (
        "two connections from one port",
        || recordings::connections(false),
        None,
        0,
        &[("gamespy/list-request", "pass", "2 answered as recorded")],
    ),
    (
        "two connections at once",
        || recordings::connections(true),
        Some("no-final"),
        1,
        &[("gamespy/list-request/missing", "fail", "did not come")],
    ),
    (
        "a challenge above 2147483647",
        || recordings::half_life("4294967295"),
        None,
        0,
        &[("half-life/get-servers", "pass", "1 answered as recorded")],
    ),
    (
        "a challenge with a sign",
        || recordings::half_life("-1"),
        None,
        0,
        &[("half-life/get-servers", "pass", "1 answered as recorded")],
    ),
];

/// Recordings of masters at one address, and at several: each has its own servers.
static MASTERS: &[Tried] = &[
    (
        "two masters",
        || recordings::listed_by_one_of_two("203.0.113.2:27950"),
        None,
        0,
        &[("quake3/getservers/extra", "info", WITH_ANOTHER)],
    ),
    (
        "two masters at one address",
        || recordings::listed_by_one_of_two("203.0.113.1:27955"),
        None,
        0,
        &[("quake3/getservers/extra", "info", WITH_ANOTHER)],
    ),
    (
        "left out by one of two masters",
        || recordings::left_out_by_one_of_two("203.0.113.1:27955"),
        None,
        0,
        &[("quake3/getservers/extra", "info", "is at fault: registration.unlisted")],
    ),
    // A closed port of an address says nothing about the master at another one.
    (
        "beside a dead master",
        recordings::beside_a_dead_master,
        Some("ignores-protocol"),
        1,
        &[("quake3/getservers/extra", "fail", "192.0.2.10:27960 is listed")],
    ),
    ("beside a dead master", recordings::beside_a_dead_master, None, 0, &[]),
];

#[test]
fn a_recording_is_a_measure_where_it_is_one() {
    tries(RECORDINGS, "");
}

#[test]
fn every_recorded_master_knows_its_own_servers() {
    tries(MASTERS, ":27950");
}

/// Replays recordings to a reference master: to the recorded ports, or to the given one.
fn tries(recordings: &[Tried], port: &str) {
    for (name, story, defect, expected, parts) in recordings {
        let (_folder, file) = recording(&story());
        let defects: Vec<_> = defect.iter().map(|name| Defect::named(name).unwrap()).collect();
        let (_running, target) = master(&defects, None);
        let target = target + port;
        let (status, entries) = quick(&file, &["--target", &target]);
        assert_eq!(status, Some(*expected), "{name} {defect:?}: {entries:#?}");
        for part in *parts {
            assert!(says(&entries, part), "{name} {defect:?}: {part:?} is not in {entries:#?}");
        }
    }
}

#[test]
fn rounds_of_connections_are_all_compared() {
    let (_folder, file) = recording(&recordings::connections(false));
    let (status, entries) = quick(&file, &["--loop", "3"]);
    assert_eq!(status, Some(0), "{entries:#?}");
    assert!(says(&entries, &("gamespy/list-request", "pass", "6 answered")), "{entries:#?}");
}

/// A master on free ports of both families, and its arguments for `--target` and `--also`; `None`
/// if the machine has no IPv6.
fn master_of_both(defects: &[Defect]) -> Option<(RunningMaster, [String; 2])> {
    let mut settings = Settings::default();
    for defect in defects {
        settings.defects = settings.defects.with(*defect);
    }
    let running =
        RunningMaster::start(Config { settings, ..Config::new(families::services()) }.anywhere())
            .unwrap();
    let service = service("quake3").unwrap();
    let of = |six: bool| {
        let mut all = running.addresses().iter().filter(|a| a.service == service);
        all.find(|a| a.address.is_ipv6() == six).map(|a| a.address.to_string())
    };
    let ends = [of(false).unwrap(), of(true)?];
    Some((running, ends))
}

#[test]
fn ends_are_played_from_addresses_of_their_own_family() {
    let (_folder, file) = recording(&recordings::both_families());
    let pass = |id| (id, "pass", "answered as recorded");
    let crossed = "it is played from an address of the other family";
    for (defects, status, named, parts) in [
        (&[][..], 0, &[0, 1][..], vec![pass("quake3/getservers"), pass("quake3/getservers-ext")]),
        (&[], 0, &[1, 0], vec![pass("quake3/getservers"), pass("quake3/getservers-ext")]),
        // Listed servers are found, whatever family they have in the replay.
        (
            &[],
            0,
            &[0],
            vec![
                pass("quake3/getservers-ext"),
                ("quake3/getservers/extra", "skipped", crossed),
                ("replay/family", "info", "3 hosts that were recorded over IPv6 speak over IPv4"),
            ],
        ),
        (
            &[],
            0,
            &[1],
            vec![
                pass("quake3/getservers-ext"),
                ("quake3/getservers/missing", "skipped", crossed),
                ("replay/family", "info", "3 hosts that were recorded over IPv4 speak over IPv6"),
            ],
        ),
        (
            &[Defect::named("swapped-port").unwrap()],
            1,
            &[0, 1],
            vec![("quake3/getservers-ext/missing", "fail", "27960 is not listed")],
        ),
    ] {
        let Some((_running, ends)) = master_of_both(defects) else {
            needs::not_run(TEST, "ipv6", "there is no address ::1");
            return;
        };
        let mut arguments = Vec::new();
        for (option, at) in ["--target", "--also"].iter().zip(named) {
            arguments.extend([*option, ends[*at].as_str()]);
        }
        let (is, entries) = quick(&file, &arguments);
        assert_eq!(is, Some(status), "{named:?}: {entries:#?}");
        for part in parts {
            assert!(says(&entries, &part), "{named:?}: {part:?} is not in {entries:#?}");
        }
    }
}

#[test]
fn hosts_have_the_addresses_that_the_loopback_interface_has() {
    let Some(net) = netns::Net::new(TEST).filter(netns::Net::is_own) else {
        return;
    };
    for n in 2..=4 {
        let mut add = net.command("ip");
        add.args(["address", "add", &format!("fd00::{n}/128"), "dev", "lo"]);
        assert!(add.status().unwrap().success());
    }
    let (folder, file) = recording(&recordings::both_families());
    let kept = folder.path().join("run.pcapng");
    let program = env!("CARGO_BIN_EXE_fragshark");
    let mut replay = net.command(program);
    let replay = replay.arg("replay").arg(&file).args(QUICK).arg("--record").arg(&kept);
    let (status, out, err) = said(&replay.output().unwrap());
    assert_eq!(status, Some(0), "{out}{err}");
    let decoded = Command::new(program).arg("decode").arg(&kept).output().unwrap();
    let decoded = String::from_utf8(decoded.stdout).unwrap();
    for n in 2..=4 {
        let count = decoded.matches(&format!("[fd00::{n}]:")).count();
        assert!(count > 0, "nobody speaks from fd00::{n}: {decoded}");
    }
}

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
    let (running, _) = master(&[], Some(MasterRecorder::new(kept.clone()).unwrap()));
    let at: SocketAddr = running.address(service("quake3").unwrap()).unwrap();
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
    let (status, entries) = quick(&file, &["--role", "both"]);
    assert_eq!(status, Some(0), "{entries:#?}");
    let beats = entries.iter().find(|entry| entry["id"] == "quake3/heartbeat");
    assert_eq!(beats.map(|entry| &entry["verdict"]), Some(&"pass".into()), "{entries:#?}");
    let mut text = String::new();
    fs::File::open(folder.path().join("server.log")).unwrap().read_to_string(&mut text).unwrap();
    assert!(!text.is_empty());
}
