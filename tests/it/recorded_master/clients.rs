//! The command on loopback, and live clients: sockets of this test, and quakestat.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::path::Path;
use std::process::{ChildStderr, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use masters::families::services;
use masters::{Config, RunningMaster};
use replay::PlayOptions;

use super::{capture, list, master_of, story};
use crate::needs;
use crate::process::{PATIENCE, Process, printed, until};

const TEST: &str = "tests/recorded_master.rs";
const REQUEST: &[u8] = b"\xff\xff\xff\xffgetservers 68 empty full";

/// A running command.
struct Played {
    process: Process,
    /// Where each recorded endpoint is.
    ends: Vec<(SocketAddr, SocketAddr)>,
    stderr: BufReader<ChildStderr>,
}

impl Played {
    /// Plays a capture on free ports of 127.0.0.1; `ports` are all the recorded ones.
    fn start(path: &Path, ports: &[u16], arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
        command.args(["master", "--listen", "127.0.0.1", "--from"]).arg(path).args(arguments);
        command.args(ports.iter().flat_map(|port| ["--port".to_owned(), format!("{port}=0")]));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process::start(&mut command);
        let stderr = BufReader::new(process.0.stderr.take().unwrap());
        let lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
        let ends = lines.map(|line| {
            let line = line.unwrap();
            let words: Vec<_> = line.split(' ').collect();
            let [_, "udp" | "tcp", address, "as", recorded] = words[..] else { panic!("{line}") };
            (recorded.parse().unwrap(), address.parse().unwrap())
        });
        let ends: Vec<_> = ends.take(ports.len()).collect();
        let mut played = Self { process, ends, stderr };
        assert!(played.ends.len() == ports.len(), "{}: {}", path.display(), played.rest());
        played
    }

    /// The address that stands for a recorded port.
    fn at(&self, port: u16) -> SocketAddr {
        self.ends.iter().find(|(recorded, _)| recorded.port() == port).unwrap().1
    }

    /// The next line on standard error.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stderr.read_line(&mut line).unwrap();
        line
    }

    fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.stderr.read_to_string(&mut rest).unwrap();
        rest
    }

    /// Ends it by a signal: its status, and what is left of standard error.
    fn end(mut self) -> (Option<i32>, String) {
        let id = self.process.0.id().to_string();
        assert!(Command::new("kill").arg(id).status().unwrap().success());
        let status = until("the master to end", || self.process.ended());
        (status.code(), self.rest())
    }
}

fn client() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket
}

/// So many datagrams that come from this address.
fn received(socket: &UdpSocket, from: SocketAddr, count: usize) -> Vec<Vec<u8>> {
    let mut buffer = vec![0; 65_536];
    let datagrams = (0..count).map(|_| {
        let (length, sender) = socket.recv_from(&mut buffer).unwrap();
        assert_eq!(sender, from);
        buffer[..length].to_vec()
    });
    datagrams.collect()
}

#[test]
fn the_command_answers_as_recorded_until_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.pcapng");
    let arguments = ["-v", "--map-others", "127.0.0.0/8", "--record", record.to_str().unwrap()];
    let ports = [27950, 27951, 27952];
    let mut played = Played::start(&capture("tour.pcapng"), &ports, &arguments);
    let (socket, master) = (client(), played.at(27950));
    let from = socket.local_addr().unwrap();
    socket.send_to(REQUEST, master).unwrap();
    let packets = received(&socket, master, 2);
    assert!(packets[0].starts_with(b"\xff\xff\xff\xffgetserversResponse\\\x7f\0\x02\x0a\x6d\x38"));
    assert!(packets[1].ends_with(b"\\EOT\0\0\0"));
    assert_eq!(
        played.line(),
        format!("fragshark: {from}: getservers: 2 datagrams as for frame 6\n")
    );
    socket.send_to(b"\xff\xff\xff\xffgetservers 66 empty full", master).unwrap();
    assert_eq!(
        played.line(),
        format!(
            "fragshark: no answer to {from}: getservers: the nearest recorded one, frame 6, has \
             protocol 68, and this one has protocol 66\n"
        )
    );
    // The message of the day comes from another port, and has the challenge of this client.
    let motd = played.at(27951);
    let request = br#"getmotd "\challenge\99\renderer\x\version\Q3 1.32b linux-i386 Nov 14 2002""#;
    socket.send_to(&[&[0xff; 4][..], request, b"\n"].concat(), motd).unwrap();
    let answer = &received(&socket, motd, 1)[0];
    let text = String::from_utf8_lossy(answer).into_owned();
    assert!(text.contains(r#"motd "challenge\99\motd\Welcome to the arena"#), "{text}");
    let (status, _) = played.end();
    assert_eq!(status, Some(0));
    let mut decode = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let decoded = printed(decode.arg("decode").arg(&record));
    for word in ["getservers ", "getserversResponse", "getmotd", "motd"] {
        assert!(decoded.contains(word), "{word}: {decoded}");
    }
}

#[test]
fn a_port_in_use_can_be_changed() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(["master", "--listen", "127.0.0.1", "--from"]);
    command.arg(capture("unreal-tournament/documented.pcapng"));
    let output = command.args(["--port", &format!("28900={port}")]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(
        line.starts_with(&format!("fragshark: cannot listen on 127.0.0.1:{port} for ")),
        "{line}"
    );
    assert!(line.ends_with("; --port 28900=PORT listens on another port\n"), "{line}");
}

#[test]
fn an_answer_is_not_sent_before_its_time() {
    let recorded = ("203.0.113.1:27950", "198.51.100.1:27960");
    let file = story(&[
        (0, recorded.1, recorded.0, REQUEST),
        (60_000, recorded.0, recorded.1, &list(&["192.0.2.1:27960"])),
    ]);
    let played = Played::start(file.path(), &[27950], &["--speed", "1"]);
    let (socket, master) = (client(), played.at(27950));
    let start = Instant::now();
    socket.send_to(REQUEST, master).unwrap();
    received(&socket, master, 1);
    assert!(start.elapsed() >= Duration::from_millis(60), "{:?}", start.elapsed());
    assert_eq!(played.end(), (Some(0), String::new()));
}

#[test]
fn the_limits_of_the_reference_master_hold() {
    for (settings, answered, flooded, withheld) in [
        ("flood=1,flood-burst=4,flood-loopback=on", 3, true, false),
        ("list-rate=1,list-burst=1,flood-loopback=on", 1, false, true),
        ("flood=1,flood-burst=4", 20, false, false),
    ] {
        let (recorded, _) = master_of(
            &capture("tour.pcapng"),
            &PlayOptions {
                ports: vec![(27950, 0), (27951, 0), (27952, 0)],
                ..PlayOptions::default()
            },
        );
        let mut config = Config::new(services());
        config.settings.set_all(settings).unwrap();
        config.listen_if_there.clear();
        config.recorded = Some(Box::new(recorded));
        let running = RunningMaster::start(config).unwrap();
        let ends = running.recorded();
        let master = ends.iter().find(|(port, _)| port.recorded.port() == 27950).unwrap().1;
        let socket = client();
        for _ in 0..20 {
            socket.send_to(REQUEST, master).unwrap();
        }
        // All answers have two datagrams.
        received(&socket, master, 2 * answered);
        running.stopper().stop();
        let counts = running.join().counts;
        // A slow machine lets more through.
        assert!(counts.sent >= 2 * answered as u64, "{settings}: {counts:?}");
        let limited = (counts.flooded > 0, counts.lists_withheld > 0);
        assert_eq!(limited, (flooded, withheld), "{settings}: {counts:?}");
    }
}

/// Captures, all their recorded ports, options of quakestat, the port that is asked, and how many
/// servers it finds in the list.
const ASKED: &[(&str, &[u16], &str, u16, &str)] = &[
    ("tour.pcapng", &[27950, 27951, 27952], "-q3m,68", 27950, "5 servers"),
    ("quakeworld/today.pcapng", &[27000], "-qwm", 27000, "1 servers"),
    ("quake2/today.pcapng", &[27900], "-q2m", 27900, "1 servers"),
    ("doom3/documented.pcapng", &[27650], "-dm3m,1.33", 27650, "41 servers"),
    ("quake4/list.pcap", &[27650], "-q4m", 27650, "1 servers"),
    ("teeworlds/session.pcapng", &[8300, 8301], "-teem", 8300, "2 servers"),
    // The list has two parts; the second is asked for behind a mapped address.
    ("source/steam-master.pcapng", &[27011], "-stma2s,game=tf,status=notempty", 27011, "4 servers"),
    ("enemy-territory/documented.pcap", &[27950, 27951, 27960], "-woetm,82", 27950, "2 servers"),
    ("elite-force/documented.pcapng", &[27951, 27953], "-efm,24", 27953, "5 servers"),
    ("soldier-of-fortune-2/status.pcap", &[20110], "-sof2m", 20110, "1 servers"),
    ("tribes/session.pcapng", &[28000], "-tbm", 28000, "2 servers"),
    ("jedi-academy/session.pcap", &[29060], "-jk3m,26", 29060, "3 servers"),
    ("call-of-duty-4/session.pcapng", &[20800, 20810], "-cod4m,6", 20810, "3 servers"),
    ("tremulous/list.pcap", &[30700, 30710], "-tremulousm,69", 30710, "3 servers"),
    ("urban-terror/session.pcap", &[27900, 27952], "-iourtm,68", 27900, "2 servers"),
    // Over TCP.
    ("cases/lists-from-another-port.pcapng", &[27900, 28900], "-gsm,ut", 28900, "1 servers"),
];

#[test]
fn quakestat_gets_the_recorded_lists() {
    let Some([quakestat]) = needs::programs(TEST, ["quakestat"]) else {
        return;
    };
    thread::scope(|scope| {
        for (name, ports, option, port, expected) in ASKED {
            let quakestat = &quakestat;
            scope.spawn(move || {
                let arguments = ["--map-others", "127.0.0.0/8"];
                let played = Played::start(&capture(name), ports, &arguments);
                let master = played.at(*port).to_string();
                let mut command = Command::new(quakestat);
                command.args(["-nh", option, &master, "-retry", "5", "-mi", "0.3"]);
                let output = printed(&mut command);
                let mut lines = output.lines().filter(|line| line.contains(&master));
                let found = lines.next().unwrap_or_default();
                assert!(found.contains(&format!(" {expected} ")), "{name} {option}: {output}");
                assert_eq!(played.end().0, Some(0));
            });
        }
    });
}
