//! A target sends secrets wherever a message has room for one, and no report of `conform`,
//! `fingerprint` and `replay` shows one, in any format.
//!
//! `replay` shows them with `--show-secrets`. `conform` and `fingerprint` have no such option: the
//! recording, with all bytes sent, shows that the secrets came.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::story;
use story::{Format, Link, Story};

/// The prefix of every secret.
const SECRET: &str = "Zq7x";
const OOB: &[u8] = b"\xff\xff\xff\xff";

/// What a target sends after the word of each response, with `%` for a secret: keys of several
/// games and notations.
const TAILS: [&str; 12] = [
    "\\rcon_password\\%",
    "\\rcon\\%",
    "\\password\\%\\final\\",
    "\\cl_guid\\%\\sv_authToken\\%",
    "\n\"rconpassword\" is:\"%^7\" default:\"^7\"\n",
    "\0si_cdkey\0%\0",
    "\\hostname\\x\\g_passwd\\%\n",
    "\\sv_rconPassword2\\%",
    "\\x_auth\\%",
    "rcon_password=%",
    "\\EOT\\admin_pwd\\%",
    "set rconpassword \"%\"\n",
];

/// A master on loopback that answers everything with secrets.
struct Leaky {
    address: SocketAddr,
    answered: Arc<AtomicUsize>,
    ends: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Leaky {
    fn start() -> Self {
        let (listener, socket) = loop {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            // Another program may use the port over UDP.
            if let Ok(socket) = UdpSocket::bind(listener.local_addr().unwrap()) {
                break (listener, socket);
            }
        };
        let address = listener.local_addr().unwrap();
        let (answered, ends) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, over) = (Arc::clone(&answered), Arc::clone(&ends));
        let datagrams = thread::spawn(move || {
            let mut room = vec![0; 65_536];
            while let Ok((len, from)) = socket.recv_from(&mut room) {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let tail = tail(count.fetch_add(1, Ordering::Relaxed));
                for answer in answers(&room[..len], &tail) {
                    _ = socket.send_to(&answer, from);
                }
            }
        });
        let (count, over) = (Arc::clone(&answered), Arc::clone(&ends));
        let connections = thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let tail = tail(count.fetch_add(1, Ordering::Relaxed));
                let (head, end) = (b"\\basic\\\\secure\\".as_slice(), b"\\final\\".as_slice());
                stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
                _ = stream.write_all(&[head, &tail, end].concat());
                _ = stream.read(&mut [0; 2048]);
                _ = stream.write_all(&[&tail, end].concat());
            }
        });
        Self { address, answered, ends, threads: vec![datagrams, connections] }
    }
}

impl Drop for Leaky {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        _ = UdpSocket::bind("127.0.0.1:0").and_then(|own| own.send_to(b"", self.address));
        drop(std::net::TcpStream::connect(self.address));
        for thread in self.threads.drain(..) {
            _ = thread.join();
        }
    }
}

fn tail(number: usize) -> Vec<u8> {
    let secret = format!("{SECRET}{number:05}w");
    TAILS[number % TAILS.len()].replace('%', &secret).into_bytes()
}

/// The responses to a datagram: the fitting messages of every protocol, none of them complete.
fn answers(asked: &[u8], tail: &[u8]) -> Vec<Vec<u8>> {
    let body = asked.strip_prefix(OOB).unwrap_or(asked);
    let with = |heads: &[&[u8]]| heads.iter().map(|head| [head, tail].concat()).collect();
    let oob =
        |words: &[&[u8]]| words.iter().map(|word| [OOB, word, tail].concat()).collect::<Vec<_>>();
    if memchr::memmem::find(body, b"getservers").is_some() {
        let record = b"getserversResponse\\\x7f\0\0\x01\x6d\x38".as_slice();
        let mut all = oob(&[b"getserversResponse", b"getserversExtResponse", record]);
        // More than a report shows of one datagram.
        all.push([OOB, b"getserversResponse", &tail.repeat(150)].concat());
        return all;
    }
    if asked.starts_with(b"\xff\xff") && body.len() == asked.len() {
        return with(&[b"\xff\xffgetInfo\0\x07\0\0\0", b"\xff\xffservers\0", b"\xff\xffprint\0"]);
    }
    match body {
        [b'h', b'e', ..] => {
            oob(&[b"getinfo A_ch4Lle", b"getstatus A_ch4", b"getchallenge ", b"ack", b"print\n"])
        }
        [b'g', b'e', b't', b'm', ..] => oob(&[b"motd ", b"motd \"challenge"]),
        [b'p', b'i', ..] => oob(&[b"ack"]),
        [b'q', b'u', ..] => oob(&[b"servers ", b"servers"]),
        [b'q', ..] => oob(&[b"s\n1234", b"s\n1234abcd"]),
        [b'k' | b'a', ..] => [with(&[b"l"]), oob(&[b"l"])].concat(),
        [b'c', ..] => oob(&[b"d\n"]),
        [b'1' | b'e', ..] => oob(&[b"f\n", b"f\n\x7f\0\0\x01\x69\x87"]),
        [b'\\', ..] => with(&[b"\\secure\\", b"\\basic\\\\secure\\abcdef", b"\\status\\"]),
        _ => oob(&[b"infoResponse\n", b"statusResponse\n", b"print\n"]),
    }
}

/// Asserts that no secret is in a command's output, in letters, hex digits or decimals; returns its
/// output.
fn hides(name: &str, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let hex: Vec<_> = SECRET.bytes().map(|b| format!("{b:02x}")).collect();
    for form in [SECRET.to_owned(), hex.join(" "), hex.concat()] {
        if let Some(at) = text.find(&form) {
            let from = (0..=at.saturating_sub(500)).rev().find(|n| text.is_char_boundary(*n));
            panic!("{name} tells a secret: {}", &text[from.unwrap()..at + form.len()]);
        }
    }
    let status = output.status.code();
    assert!(matches!(status, Some(0 | 1 | 3)), "{name}: {status:?} {text}");
    text
}

/// Asserts that the secrets came: `decode` of a recording shows them if requested, and only then.
fn came(name: &str, recording: &Path) {
    let recording = recording.to_str().unwrap();
    hides(&format!("{name}, recorded"), &["decode", "-v", recording]);
    let decode = ["decode", "-v", "--show-secrets", recording];
    let shown = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(decode).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains(SECRET), "{name}: the target sent no secret");
}

/// A profile for each family of masters.
const PROFILES: [&str; 12] = [
    "quake3",
    "dpmaster",
    "rtcw",
    "elite-force",
    "quake2",
    "heretic2",
    "quakeworld",
    "hexenworld",
    "doom3",
    "half-life",
    "xash3d",
    "gamespy",
];

/// Calls `run` for each profile, four in parallel, each with its own target.
fn for_each_profile(run: impl Fn(&str, &str) + Sync) {
    let profiles = Mutex::new(PROFILES.iter());
    let next = || profiles.lock().unwrap().next();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(profile) = next() {
                    let target = Leaky::start();
                    run(profile, &target.address.to_string());
                    assert!(target.answered.load(Ordering::Relaxed) > 0, "{profile}");
                }
            });
        }
    });
}

#[test]
fn no_report_of_conform_shows_what_a_target_must_not_show() {
    let folder = tempfile::tempdir().unwrap();
    for_each_profile(|profile, target| {
        // Every format has the same texts: two for each profile, all of them among all profiles.
        let at = PROFILES.iter().position(|one| *one == profile).unwrap();
        let formats = ["text", "json", "ndjson", "junit", "tap", "html"];
        for format in formats.iter().copied().cycle().skip(at * 2).take(2) {
            let name = format!("conform {profile} {format}");
            let recording = folder.path().join(format!("{profile}-{format}.pcapng"));
            let run = ["conform", "--target", target, "--profile", profile, "--retries", "0"];
            let quick = ["--timeout", "100ms", "--jobs", "64", "--format", format];
            let kept = ["--record", recording.to_str().unwrap()];
            let report = hides(&name, &[&run[..], &quick, &kept].concat());
            assert!(report.contains("heartbeat") || report.contains(profile), "{name}: {report}");
            came(&name, &recording);
        }
    });
}

/// A server registers with masters of several games, a client queries them; each message gets its
/// kind of response.
fn recording() -> Story {
    let mut story = Story::new(Link::RawIp, Format::Pcap, 1_700_000_000);
    let master = |port: u16| SocketAddr::from(([203, 0, 113, 1], port));
    let exchanges: [(u16, u16, &[u8], &[u8]); 6] = [
        (
            27_960,
            27_950,
            b"\xff\xff\xff\xffheartbeat DarkPlaces\n",
            b"\xff\xff\xff\xffgetinfo A_ch4Lleng3",
        ),
        (
            40_001,
            27_950,
            b"\xff\xff\xff\xffgetservers Xonotic 3 empty full",
            b"\xff\xff\xff\xffgetserversResponse\\\xc0\0\x02\x0a\x6d\x38\\EOT\0\0\0",
        ),
        (
            40_002,
            27_951,
            b"\xff\xff\xff\xffgetmotd \"challenge\\12\"",
            b"\xff\xff\xff\xffmotd \"challenge\\12\\motd\\hello\"",
        ),
        (27_500, 27_000, b"k\0", b"l\0"),
        (40_003, 27_000, b"c\n\0", b"\xff\xff\xff\xffd\n\xc0\0\x02\x0a\x6b\x6c"),
        (27_015, 27_010, b"q", b"\xff\xff\xff\xffs\n1234\0\0"),
    ];
    for (from, port, asked, answered) in exchanges {
        let from = SocketAddr::from(([192, 0, 2, 10], from));
        story.send(from, master(port), asked).after(1_000);
        story.send(master(port), from, answered).after(1_000_000);
    }
    story
}

#[test]
fn no_report_of_replay_shows_what_a_target_must_not_show() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("recording.pcap");
    std::fs::write(&file, recording().file()).unwrap();
    for (format, n) in ["text", "json", "ndjson", "junit"].into_iter().zip(0..) {
        let target = Leaky::start();
        let kept = folder.path().join(format!("{n}.pcapng"));
        let at = target.address.to_string();
        let run = ["replay", file.to_str().unwrap(), "--target", &at, "--asap", "--wait-replies"];
        let more = ["--timeout", "500ms", "--format", format, "--record", kept.to_str().unwrap()];
        let report = hides(&format!("replay {format}"), &[&run[..], &more].concat());
        assert!(report.contains("********"), "nothing was there to be masked: {report}");
        assert!(target.answered.load(Ordering::Relaxed) > 5, "{report}");
        came(&format!("replay {format}"), &kept);
        // Another target, which sends the same again.
        let target = Leaky::start();
        let at = target.address.to_string();
        let run = ["replay", file.to_str().unwrap(), "--target", &at, "--asap", "--wait-replies"];
        let shown = [&run[..], &more[..4], &["--show-secrets"]].concat();
        let shown = Command::new(env!("CARGO_BIN_EXE_fragshark")).args(shown).output().unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.contains(SECRET), "replay {format} --show-secrets shows none: {shown}");
    }
}

#[test]
fn no_fingerprint_shows_what_a_target_must_not_show() {
    for_each_profile(|profile, target| {
        for format in ["text", "json", "ndjson"] {
            let run = ["fingerprint", "--target", target, "--profile", profile];
            let quick = ["--timeout", "100ms", "--format", format];
            let name = format!("fingerprint {profile} {format}");
            let report = hides(&name, &[&run[..], &quick].concat());
            assert!(report.contains(target), "{name}: {report}");
        }
    });
}
