//! What is sent: to whom, how much, how often.

use std::collections::BTreeSet;
use std::net::UdpSocket;
use std::time::{Duration, Instant};

use fragshark::capture::{Frames, Input};

use super::{answering, query};
use crate::watched::{Registered, master};

fn refused(arguments: &[&str]) -> String {
    let output = query(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn what_is_no_single_machine_is_not_asked() {
    for target in ["255.255.255.255:27960", "224.0.0.1:27960", "[ff02::1]:27960", "0.0.0.0:27960"] {
        let error = refused(&[target]);
        assert!(error.ends_with("is not the address of one machine\n"), "{target}: {error}");
    }
    assert!(refused(&["127.0.0.1:0"]).contains("not a target"));
}

#[test]
fn silence_is_asked_three_times() {
    let (asked, output) =
        answering(|_| Vec::new(), |at| query(&[&format!("quake3://{at}"), "--timeout", "50ms"]));
    assert_eq!((asked.len(), output.status.code()), (3, Some(3)));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("no answer; it was asked as a server or master of"), "{errors}");
    let (asked, _) = answering(
        |_| Vec::new(),
        |at| query(&[&format!("quake3://{at}"), "--timeout", "50ms", "--repeats", "0"]),
    );
    assert_eq!(asked.len(), 1);
    assert!(refused(&["127.0.0.1:1", "--repeats", "3"]).contains("3 is not in 0..=2"));
}

#[test]
fn messages_of_servers_need_an_operator_who_agrees() {
    let error = refused(&["192.0.2.1:27950", "quake3.heartbeat"]);
    assert!(
        error.contains("--authorized says that whoever runs 192.0.2.1:27950 agrees"),
        "{error}"
    );
    let (asked, output) = answering(
        |_| Vec::new(),
        |at| query(&[&at.to_string(), "quake3.heartbeat", "--timeout", "50ms"]),
    );
    // It has no answer, and is not sent again.
    assert_eq!((asked.len(), output.status.code()), (1, Some(0)));
}

#[test]
fn fast_questions_need_an_operator_who_agrees() {
    let error = refused(&["--each", "127.0.0.1:27950", "--rate", "51"]);
    assert!(error.contains("more than 50 questions per second need --authorized"), "{error}");
    assert!(refused(&["127.0.0.1:27950", "--rate", "201"]).contains("201 is not in 1..=200"));
    assert!(refused(&["127.0.0.1:1", "-c", "5", "--interval", "10ms"]).contains("--interval"));
}

#[test]
fn each_server_is_asked_once_and_at_the_rate() {
    let (_running, at) = master("", &[]);
    let servers = Registered::with(at, 10);
    let begun = Instant::now();
    let output = query(&[
        "--each",
        &format!("quake3://{at}"),
        "--rate",
        "20",
        "--timeout",
        "50ms",
        "--repeats",
        "0",
    ]);
    assert!(begun.elapsed() >= Duration::from_millis(450), "ten at 20 a second");
    assert_eq!(output.status.code(), Some(1), "none of them answers");
    for server in &servers.0 {
        assert_eq!(requests(server), 1, "{server:?}");
    }
}

#[test]
fn silent_servers_are_asked_again_when_all_others_were_asked() {
    let (_running, at) = master("", &[]);
    let _servers = Registered::with(at, 10);
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("asked.pcapng");
    let target = format!("quake3://{at}");
    let usual = ["--each", &target, "--rate", "40", "--timeout", "50ms", "--repeats", "1"];
    // The first one has been silent for long when the last one is asked for the first time.
    let output = query(&[&usual[..], &["--record", record.to_str().unwrap()]].concat());
    assert_eq!(output.status.code(), Some(1), "none of them answers");
    let mut frames = Frames::open(&[Input::File(record)]).unwrap();
    let mut asked = Vec::new();
    while let Some(frame) = frames.next() {
        let at = frame.bytes.windows(9).position(|part| part == b"getstatus");
        // The destination's port stands in front of length, checksum, and the mark.
        asked.extend(at.and_then(|at| frame.bytes.get(at - 10..at - 8)).map(<[u8]>::to_vec));
    }
    let distinct = |asked: &[Vec<u8>]| asked.iter().collect::<BTreeSet<_>>().len();
    assert_eq!((asked.len(), distinct(&asked[..10]), distinct(&asked[10..])), (20, 10, 10));
}

/// How many getstatus have come.
fn requests(server: &UdpSocket) -> usize {
    server.set_nonblocking(true).unwrap();
    let (mut count, mut buffer) = (0, [0; 2000]);
    while let Ok((length, _)) = server.recv_from(&mut buffer) {
        count += usize::from(buffer[..length].starts_with(b"\xff\xff\xff\xffgetstatus"));
    }
    count
}
