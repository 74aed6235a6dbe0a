//! Masters that do with a connection what no master should: a round says so, and ends.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use super::super::{
    MasterReport, PlannedMaster, ProbeUse, RoundLimits, RoundReport, WatchHistory, WatchPlan,
    Watcher,
};
use query::ListFailure;
use simulate::families::{ListMessages, ListSelection, MasterMessages, master_kinds};
use simulate::{Consent, Target};

/// What a broken master does with each connection, after it has read what has come.
#[derive(Debug, Clone, Copy)]
enum Broken {
    /// Nothing.
    Silent,
    /// It closes it at once.
    Closes,
    /// It closes it when the client has sent something.
    ClosesWhenAsked,
    /// It sends this once.
    Sends(&'static [u8]),
    /// It sends the second again and again, behind the first.
    Repeats(&'static [u8], &'static [u8]),
    /// It sends the first, each other one when the client has sent something, and closes.
    Steps(&'static [&'static [u8]]),
    /// It sends one byte at a time, and never stops.
    Trickles(u8),
}

/// A challenge of GameSpy's, and a frame with one of Unreal Tournament 2004's.
const SECURE: &[u8] = br"\basic\\secure\wookie";
const CHALLENGE: &[u8] = b"\x08\0\0\0\x07123456\0";

/// Verdicts of Unreal Tournament 2004's.
const APPROVED: &[u8] = b"\x0a\0\0\0\x09APPROVED\0";
const VERIFIED: &[u8] = b"\x0a\0\0\0\x09VERIFIED\0";
/// Two servers, of which none follows.
const TWO: &[u8] = b"\x05\0\0\0\x02\0\0\0\x01";
/// The header of a list of qr2's, and too little behind it.
const HEADER: &[u8] =
    b"\xe4\0\0\x31\x41\x59\x26\x53\x58\xe0\x9b\x07\xe3\x44\x12\xfa\x60\x2d\x81\x5c\x6e";

/// Runs until the sender is dropped.
fn broken(behaviour: Broken) -> (SocketAddr, Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    listener.set_nonblocking(true).unwrap();
    let (end, ended) = mpsc::channel();
    thread::spawn(move || {
        let mut open = Vec::new();
        while ended.try_recv() == Err(mpsc::TryRecvError::Empty) {
            match listener.accept() {
                Ok((stream, _)) => open.push(thread::spawn(move || serve(behaviour, stream))),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
    });
    (at, end)
}

/// Serves a connection until the client closes it.
fn serve(behaviour: Broken, mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    let mut buffer = [0; 4096];
    match behaviour {
        Broken::Silent => {}
        Broken::Closes => return Ok(()),
        Broken::ClosesWhenAsked => return stream.read(&mut buffer).map(drop),
        Broken::Sends(bytes) => stream.write_all(bytes)?,
        Broken::Repeats(first, next) => {
            stream.write_all(first)?;
            if !first.is_empty() {
                stream.read_exact(&mut buffer[..1])?;
            }
            let many = next.repeat(4096);
            loop {
                stream.write_all(&many)?;
            }
        }
        Broken::Steps(steps) => {
            for (n, bytes) in steps.iter().enumerate() {
                if n > 0 && stream.read(&mut buffer)? == 0 {
                    return Ok(());
                }
                stream.write_all(bytes)?;
            }
            return Ok(());
        }
        Broken::Trickles(byte) => loop {
            stream.write_all(&[byte])?;
            thread::sleep(Duration::from_millis(5));
        },
    }
    while stream.read(&mut buffer)? > 0 {}
    Ok(())
}

fn kind_named(name: &str) -> &'static MasterMessages {
    master_kinds().find(|kind| kind.profile == name).unwrap()
}

/// The report of one round.
fn round(kind: &'static MasterMessages, at: SocketAddr) -> (MasterReport, RoundReport) {
    let target = Target::new(&at.to_string(), at, Consent::default()).unwrap();
    let limits = RoundLimits {
        timeout: Duration::from_millis(200),
        entries: 0,
        consent: Consent::default(),
    };
    let plan = WatchPlan {
        masters: vec![PlannedMaster {
            name: target.to_string(),
            target: Some(target),
            kind: Some(kind),
        }],
        needs_all: true,
        servers: Vec::new(),
        selection: ListSelection::default(),
        probe: ProbeUse::Never,
        heartbeat_port: None,
        limits,
    };
    let history = WatchHistory::in_memory(Duration::from_hours(1)).unwrap();
    let mut watcher = Watcher::new(plan, history, 0).unwrap();
    let report = watcher.round(1).unwrap();
    (report.masters[0].clone(), report)
}

#[test]
fn a_broken_master_ends_a_round_and_its_sample_says_why() {
    let all = ["gamespy", "qr2", "ut2004"];
    let web: &[u8] = b"HTTP/1.1 400 Bad Request\r\n\r\n";
    let rows = [
        (Broken::Silent, &all[..], ListFailure::Silent),
        (Broken::Closes, &["gamespy", "ut2004"], ListFailure::Closed),
        (Broken::ClosesWhenAsked, &["qr2"], ListFailure::Closed),
        (Broken::Sends(web), &all, ListFailure::OtherBytes),
        (Broken::Sends(SECURE), &["ut2004", "qr2"], ListFailure::OtherBytes),
        (Broken::Sends(CHALLENGE), &["gamespy", "qr2"], ListFailure::OtherBytes),
        // The right beginning, and nothing behind it.
        (Broken::Sends(SECURE), &["gamespy"], ListFailure::Silent),
        (Broken::Sends(CHALLENGE), &["ut2004"], ListFailure::Silent),
        (Broken::Repeats(b"", b"x"), &all, ListFailure::TooLong),
        (Broken::Repeats(SECURE, b"\xff\xfe"), &["gamespy"], ListFailure::TooLong),
        (Broken::Trickles(b'x'), &all, ListFailure::OtherBytes),
        (Broken::Repeats(SECURE, br"\echo\no\final\"), &["gamespy"], ListFailure::Refused),
        (Broken::Repeats(CHALLENGE, b"\x08\0\0\0\x07DENIED\0"), &["ut2004"], ListFailure::Refused),
    ];
    // Side by side, because most of them take as long as is waited.
    thread::scope(|scope| {
        for (behaviour, kinds, failure) in rows {
            scope.spawn(move || check_broken(behaviour, kinds, failure));
        }
    });
}

/// A round with a broken master of each kind has this failure.
fn check_broken(behaviour: Broken, kinds: &[&str], failure: ListFailure) {
    let (at, _end) = broken(behaviour);
    for name in kinds {
        let (master, report) = round(kind_named(name), at);
        let found = master.failure.unwrap();
        // How much comes in time depends on the machine.
        let is_late = failure == ListFailure::TooLong && found == ListFailure::OtherBytes;
        assert!(found == failure || is_late, "{name} {behaviour:?}: {found:?}");
        assert!(!master.answered && master.error.is_none() && master.servers.is_none());
        let line = &report.lines()[0];
        assert!(line.ends_with(found.text()), "{line}");
    }
}

#[test]
fn a_list_without_its_end_is_an_answer_and_no_list() {
    for (name, behaviour) in [
        // It never stops.
        ("gamespy", Broken::Repeats(SECURE, br"\ip\192.0.2.7:7778")),
        // It closes the connection in the middle.
        ("gamespy", Broken::Steps(&[SECURE, br"\ip\192.0.2.7:7778\ip\192.0"])),
        ("qr2", Broken::Steps(&[b"", HEADER])),
        ("ut2004", Broken::Steps(&[CHALLENGE, APPROVED, VERIFIED, TWO])),
    ] {
        let (at, _end) = broken(behaviour);
        let (master, report) = round(kind_named(name), at);
        assert!(master.answered && master.servers.is_none(), "{name} {behaviour:?}: {master:?}");
        assert!(master.failure.is_none() && master.latency_ms.is_some());
        assert!(report.lines()[0].ends_with("the list did not come to its end"));
    }
}

#[test]
fn a_port_without_a_listener_accepts_no_connection() {
    // A port at which nothing listens once the listener is dropped, and an address of no other test.
    let at = TcpListener::bind("127.1.1.3:0").unwrap().local_addr().unwrap();
    for kind in master_kinds().filter(|kind| matches!(kind.list, ListMessages::Connection(_))) {
        let (master, _) = round(kind, at);
        assert_eq!(master.failure, Some(ListFailure::NoConnection), "{}", kind.profile);
    }
}
