//! Scripted masters without a challenge, modelled on real ones and with faults: the verdicts of
//! `conform`. Each is a function of its state, a datagram, and the source.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::needs;

use conform::families::{profiles, suites};
use conform::{Assumed, CaseSelection, RunOutcome, RunPlan, TargetEnv, fingerprint, run};
use masters::families::services;
use report::CaseVerdict;
use simulate::{Consent, Target};

/// A master's record of a server.
struct Entry {
    server: SocketAddr,
    is_listed: bool,
    has_left: bool,
}

/// How a master handles a datagram: it may send one back.
type Rules = fn(&mut Vec<Entry>, &[u8], SocketAddr) -> Option<Vec<u8>>;

const MARK: &[u8] = b"\xff\xff\xff\xff";
/// Ends the thread of a master.
const STOP: &[u8] = b"stop this master";

/// A master in a thread of this process.
struct Master {
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Master {
    fn start(rules: Rules, ip: IpAddr) -> Self {
        let socket = UdpSocket::bind((ip, 0)).unwrap();
        let address = socket.local_addr().unwrap();
        let thread = std::thread::spawn(move || {
            let (mut entries, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
            loop {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
                if buffer[..length] == *STOP {
                    return;
                }
                if let Some(answer) = rules(&mut entries, &buffer[..length], from) {
                    // The client may be gone.
                    _ = socket.send_to(&answer, from);
                }
            }
        });
        Self { address, thread: Some(thread) }
    }

    fn env(&self) -> TargetEnv {
        let target = Target::new("a master", self.address, Consent::default()).unwrap();
        let mut env = TargetEnv::new(target, services(), Assumed::default()).unwrap();
        env.timeout = Duration::from_secs(1);
        env
    }

    fn judge(&self, profile: &str, words: &[&str]) -> RunOutcome {
        let profile = profiles().find(|known| known.name == profile);
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let cases = CaseSelection::new(suites(), profile, &words).unwrap().cases;
        run(&RunPlan { cases, strict: true, ..RunPlan::default() }, &self.env(), &|_| {})
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        let any: IpAddr = match self.address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        };
        let stopped = UdpSocket::bind((any, 0)).and_then(|s| s.send_to(STOP, self.address));
        if let (Ok(_), Some(thread)) = (stopped, self.thread.take()) {
            _ = thread.join();
        }
    }
}

/// A list of the listed servers, in records of this many bytes.
fn list(entries: &[Entry], head: &[u8], step: usize) -> Vec<u8> {
    let mut bytes = head.to_vec();
    for entry in entries.iter().filter(|entry| entry.is_listed && !entry.has_left) {
        let SocketAddr::V4(server) = entry.server else { continue };
        let mut record = server.ip().octets().to_vec();
        record.extend(server.port().to_be_bytes());
        record.resize(step, 0);
        bytes.extend(record);
    }
    bytes
}

fn add(entries: &mut Vec<Entry>, server: SocketAddr, is_listed: bool) {
    entries.retain(|entry| entry.server != server);
    entries.push(Entry { server, is_listed, has_left: false });
}

/// A message of Quake 2 after its mark, with the rest of the datagram.
fn word(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or_default()
}

/// Like q2master: a ping, or a first heartbeat, makes a server known; a heartbeat of a known one
/// lists it; only a ping undoes a shutdown; a known one's ping gets no response.
fn q2master(entries: &mut Vec<Entry>, bytes: &[u8], from: SocketAddr) -> Option<Vec<u8>> {
    if bytes.starts_with(b"query") {
        return Some(list(entries, b"\xff\xff\xff\xffservers ", 6));
    }
    let known = entries.iter_mut().find(|entry| entry.server == from);
    let ack = Some([MARK, b"ack"].concat());
    match (word(bytes), known) {
        (word, Some(known)) if word.starts_with(b"ping") && !known.has_left => None,
        (word, _) if word.starts_with(b"ping") => {
            add(entries, from, false);
            ack
        }
        (word, Some(known)) if word.starts_with(b"heartbeat") => {
            known.is_listed = true;
            ack
        }
        (word, None) if word.starts_with(b"heartbeat") => {
            add(entries, from, false);
            None
        }
        (word, Some(known)) if word.starts_with(b"shutdown") => {
            known.has_left = true;
            Some([MARK, b"ping"].concat())
        }
        _ => None,
    }
}

/// A Quake 2 master that lists at the ping, and writes a line feed after `servers`.
fn lists_at_ping(entries: &mut Vec<Entry>, bytes: &[u8], from: SocketAddr) -> Option<Vec<u8>> {
    if bytes == b"query\n\0" {
        return Some(list(entries, b"\xff\xff\xff\xffservers\n", 6));
    }
    match word(bytes) {
        b"ping" => {
            add(entries, from, true);
            Some([MARK, b"ack"].concat())
        }
        b"shutdown" => {
            entries.retain(|entry| entry.server != from);
            None
        }
        _ => None,
    }
}

/// Answers list requests and pings, but lists no server.
fn lists_nobody(_: &mut Vec<Entry>, bytes: &[u8], _: SocketAddr) -> Option<Vec<u8>> {
    match bytes {
        b"query\n\0" => Some([MARK, b"servers "].concat()),
        b"\xff\xff\xff\xffping" => Some([MARK, b"ack"].concat()),
        b"c\n\0" => Some([MARK, b"d\n"].concat()),
        b"k\0" => Some([MARK, b"l\0"].concat()),
        _ => None,
    }
}

/// Records of 10 bytes, and nothing else wrong.
fn wide_records(entries: &mut Vec<Entry>, bytes: &[u8], from: SocketAddr) -> Option<Vec<u8>> {
    match bytes {
        b"query\n\0" => Some(list(entries, b"\xff\xff\xff\xffservers ", 10)),
        _ => lists_at_ping(entries, bytes, from),
    }
}

fn silent(_: &mut Vec<Entry>, _: &[u8], _: SocketAddr) -> Option<Vec<u8>> {
    None
}

/// Like the masterserver of document 001's author: a word is its first letter, `l` has no end.
fn of_quakeworld(entries: &mut Vec<Entry>, bytes: &[u8], from: SocketAddr) -> Option<Vec<u8>> {
    match bytes.first()? {
        b'a' => add(entries, from, true),
        b'C' => entries.retain(|entry| entry.server != from),
        b'c' => return Some(list(entries, b"\xff\xff\xff\xffd\n", 6)),
        b'k' => return Some([MARK, b"l"].concat()),
        _ => {}
    }
    None
}

/// Like uHexen2's: the letter is the second byte, a ping lists, and none gets a response.
fn of_hexenworld(entries: &mut Vec<Entry>, bytes: &[u8], from: SocketAddr) -> Option<Vec<u8>> {
    match bytes.get(1)? {
        b'a' | b'k' => add(entries, from, true),
        b'C' => entries.retain(|entry| entry.server != from),
        b'c' => return Some(list(entries, b"\xff\xff\xff\xff\xffd\n", 6)),
        _ => {}
    }
    None
}

/// A master, its profile, the cases that fail, and the unmet preconditions.
type Row = (&'static str, Rules, &'static str, &'static [&'static str], &'static [&'static str]);

static MASTERS: &[Row] = &[
    ("q2master", q2master, "quake2", &[], &[]),
    ("q2master", q2master, "heretic2", &[], &[]),
    ("lists at the ping", lists_at_ping, "quake2", &[], &[]),
    ("masterserver", of_quakeworld, "quakeworld", &[], &[]),
    ("hwmaster", of_hexenworld, "hexenworld", &[], &[]),
    ("lists nobody", lists_nobody, "quake2", &["quake2/heartbeat/registers"], &["quake2/listed"]),
    (
        "lists nobody",
        lists_nobody,
        "quakeworld",
        &["quakeworld/a/registers"],
        &["quakeworld/listed"],
    ),
    ("wide records", wide_records, "quake2", &["quake2/servers/whole-records"], &["quake2/listed"]),
    ("silent", silent, "quake2", &[], &["quake2/answers"]),
    ("silent", silent, "quakeworld", &[], &["quakeworld/answers"]),
    ("silent", silent, "hexenworld", &[], &["hexenworld/answers"]),
];

#[test]
fn masters_fail_for_what_they_do_wrong_and_for_nothing_else() {
    std::thread::scope(|scope| {
        for (name, rules, profile, fails, causes) in MASTERS {
            scope.spawn(move || {
                let master = Master::start(*rules, Ipv4Addr::LOCALHOST.into());
                let outcome = master.judge(profile, &[]);
                let of = |verdict| {
                    let judged = outcome.judged.iter().filter(move |j| j.verdict == verdict);
                    judged.map(|judged| judged.case.id).collect::<BTreeSet<_>>()
                };
                let listed = |ids: &BTreeSet<_>| {
                    let judged = outcome.judged.iter().filter(|j| ids.contains(j.case.id));
                    judged.map(|j| format!("{}: {}", j.case.id, j.text)).collect::<Vec<_>>()
                };
                let failed = of(CaseVerdict::Fail);
                let expected: BTreeSet<_> = fails.iter().copied().collect();
                assert_eq!(failed, expected, "{name}, {profile}: {:?}", listed(&failed));
                let found: Vec<_> = outcome.causes.iter().map(|cause| cause.id).collect();
                assert_eq!(found, *causes, "{name}, {profile}");
                assert_eq!(of(CaseVerdict::Error), BTreeSet::new(), "{name}, {profile}");
                if causes.is_empty() && fails.is_empty() {
                    let blocked = of(CaseVerdict::Blocked);
                    assert!(blocked.is_empty(), "{name}, {profile}: {:?}", listed(&blocked));
                }
            });
        }
    });
}

#[test]
fn nothing_is_tried_over_ipv6() {
    let Ok(probe) = UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)) else {
        return needs::not_run("tests/no_challenge.rs", "ipv6", "there is no address ::1");
    };
    drop(probe);
    let master = Master::start(q2master, Ipv6Addr::LOCALHOST.into());
    for profile in ["quake2", "heretic2", "quakeworld", "hexenworld"] {
        let outcome = master.judge(profile, &[]);
        assert!(outcome.causes.is_empty(), "{profile}: {:?}", outcome.causes);
        for judged in &outcome.judged {
            let (id, text) = (judged.case.id, &judged.text);
            assert_eq!(judged.verdict, CaseVerdict::Skipped, "{id}: {text}");
            let is_slow = judged.case.slow.is_some();
            assert!(text.contains("IPv6") || is_slow, "{id}: {text}");
        }
    }
}

/// The traits of masters, as `fingerprint` prints them.
#[test]
fn traits_tell_masters_apart() {
    for (rules, profile, expected) in [
        (
            q2master as Rules,
            "quake2",
            "\
reply to pings: an acknowledgement, then silence
spelling of ack: ack
reply to heartbeats without a ping: silence, then an acknowledgement
a ping alone: not listed
heartbeats without a ping: listed after heartbeat 2
reply to a shutdown: ping
heartbeats after a shutdown: not listed after 3 heartbeats
order of servers: as they registered
whitespace in a list: a blank
requests for a list that are answered: query LF NUL, query",
        ),
        (
            lists_at_ping,
            "quake2",
            "\
reply to pings: an acknowledgement, then an acknowledgement
spelling of ack: ack
reply to heartbeats without a ping: silence, then silence
a ping alone: listed
heartbeats without a ping: not listed after 3 heartbeats
reply to a shutdown: silence
heartbeats after a shutdown: not listed after 3 heartbeats
order of servers: as they registered
whitespace in a list: a line feed
requests for a list that are answered: query LF NUL",
        ),
        (
            of_quakeworld,
            "quakeworld",
            "\
end of l: \"\"
reply to pings: an acknowledgement, then an acknowledgement
reply to heartbeats without a ping: silence, then silence
a ping alone: not listed
heartbeats without a ping: listed after heartbeat 1
reply to a shutdown: silence
heartbeats after a shutdown: listed after heartbeat 1
order of servers: as they registered
requests for a list that are answered: c LF NUL, c LF, c",
        ),
        (
            of_hexenworld,
            "hexenworld",
            "\
end of l: silence
reply to pings: silence, then silence
reply to heartbeats without a ping: silence, then silence
a ping alone: listed
heartbeats without a ping: listed after heartbeat 1
reply to a shutdown: silence
heartbeats after a shutdown: listed after heartbeat 1
order of servers: as they registered
requests for a list that are answered: FF c NUL, FF c LF NUL, FF c",
        ),
    ] {
        let master = Master::start(rules, Ipv4Addr::LOCALHOST.into());
        let seen = fingerprint(suites(), &mut master.env(), Some(profile));
        let seen: Vec<_> = seen
            .iter()
            .map(|seen| format!("{}: {}", seen.name, seen.value.as_deref().unwrap_or("not seen")))
            .collect();
        assert_eq!(seen.join("\n"), expected, "{profile}");
    }
}
