//! Every packet that `watch` sends, counted in a network namespace of its own.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use simulate::families::{ListMessages, MasterMessages, master_kinds};

use crate::needs;
use crate::netns::Net;
use crate::process::{Process, printed, until};
use crate::watched::BINARY;

/// The rounds of each run.
const ROUNDS: usize = 3;

/// A namespace with a master, and what captures there.
struct Arena {
    net: Net,
    tcpdump: std::path::PathBuf,
    folder: tempfile::TempDir,
    /// The master's addresses and ports, as tcpdump writes them.
    ends: Vec<String>,
    _master: Process,
}

/// How many datagrams were sent from and to the master, and what was sent to it over TCP; every other
/// packet has its own line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counted {
    to_master: usize,
    from_master: usize,
    /// Connections that were opened to it.
    connections: usize,
    /// Segments with data to it.
    segments: usize,
    others: BTreeMap<String, usize>,
}

impl Arena {
    fn new(test: &str, address: &str) -> Option<Self> {
        Self::with(test, address, &[("quake3", 27950)])
    }

    /// A master with these services, at their documented ports.
    fn with(test: &str, address: &str, services: &[(&str, u16)]) -> Option<Self> {
        let [tcpdump, ip, _] = needs::programs(test, ["tcpdump", "ip", "bash"])?;
        let net = Net::new(test)?;
        if !net.is_own() {
            return None;
        }
        if !address.starts_with("127.") {
            let address = format!("{address}/32");
            printed(net.command(&ip).args(["addr", "add", &address, "dev", "lo"]));
        }
        let folder = tempfile::tempdir().unwrap();
        let mut command = net.command(BINARY);
        let names: Vec<_> = services.iter().map(|(name, _)| *name).collect();
        let names = names.join(",");
        command.args(["master", "--listen", address, "--only", &names, "--allow-loopback"]);
        let out = folder.path().join("master");
        command.stdin(Stdio::null()).stdout(File::create(&out).unwrap());
        let master = Process::start(&mut command);
        until("the master to listen", || {
            let lines = std::fs::read_to_string(&out).unwrap();
            services.iter().all(|(_, port)| lines.contains(&port.to_string())).then_some(())
        });
        let ends = services.iter().map(|(_, port)| format!("{address}.{port}")).collect();
        Some(Self { net, tcpdump, folder, ends, _master: master })
    }

    /// `watch` with these arguments; its status, and all packets meanwhile.
    fn watch(&self, master: &str, arguments: &[&str]) -> (Option<i32>, Counted) {
        self.watch_target(&format!("{master}:27950"), arguments)
    }

    /// The same with a target.
    fn watch_target(&self, target: &str, arguments: &[&str]) -> (Option<i32>, Counted) {
        let file = self.folder.path().join("all.pcap");
        let log = self.folder.path().join("tcpdump.log");
        let mut command = self.net.command(&self.tcpdump);
        command.args(["-i", "lo", "-n", "-U", "-w", "-"]).stdin(Stdio::null());
        command.stdout(File::create(&file).unwrap()).stderr(File::create(&log).unwrap());
        let mut capturing = Process::start(&mut command);
        until("tcpdump to listen", || {
            assert_eq!(capturing.ended(), None);
            std::fs::read_to_string(&log).unwrap().contains("listening on").then_some(())
        });
        let mut command = self.net.command(BINARY);
        command.args(["watch", "--target", target, "--timeout", "300ms"]);
        command.args(arguments).env("XDG_STATE_HOME", self.folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().unwrap().code();
        let mark = "all that was sent before is captured";
        let send = format!("echo '{mark}' > /dev/udp/127.0.0.1/9");
        printed(self.net.command("bash").args(["-c", &send]));
        until("tcpdump to capture the mark", || {
            let captured = std::fs::read(&file).unwrap();
            captured.windows(mark.len()).rfind(|bytes| *bytes == mark.as_bytes()).map(|_| ())
        });
        capturing.end();
        (status, self.counted(&file, &target.replace(':', ".")))
    }

    /// The packets in a file; the target is one of the master's ends, even if nothing listens there.
    fn counted(&self, file: &Path, target: &str) -> Counted {
        let is_master = |end: &str| end == target || self.ends.iter().any(|one| one == end);
        let filter = "not port 9 and not icmp";
        let read = ["-n", "-t", "-q", "-r", file.to_str().unwrap(), filter];
        let mut counted = Counted::default();
        for line in printed(Command::new(&self.tcpdump).args(read)).lines() {
            let (ends, rest) = line.trim_start_matches("IP ").split_once(": ").unwrap();
            let (from, to) = ends.split_once(" > ").unwrap();
            let length = rest.strip_prefix("tcp ").map(|length| length.parse::<usize>().unwrap());
            match length {
                Some(length) if is_master(to) => counted.segments += usize::from(length > 0),
                None if is_master(to) => counted.to_master += 1,
                // An answer on a connection that was opened to it, or a datagram.
                Some(_) if is_master(from) => {}
                None if is_master(from) => counted.from_master += 1,
                _ => *counted.others.entry(to.to_owned()).or_default() += 1,
            }
        }
        let opening = "tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn";
        let read = ["-n", "-t", "-q", "-r", file.to_str().unwrap(), opening];
        counted.connections = printed(Command::new(&self.tcpdump).args(read)).lines().count();
        counted
    }
}

fn only(to_master: usize, from_master: usize) -> Counted {
    Counted { to_master, from_master, ..Counted::default() }
}

#[test]
fn masters_over_tcp_get_one_connection_for_each_list() {
    let test = "watch::packets::masters_over_tcp_get_one_connection_for_each_list";
    let rounds = ROUNDS.to_string();
    for (services, target, expected) in [
        (
            &[("gamespy", 27900), ("gamespy-list", 28900)][..],
            "127.0.0.1:28900",
            // In a round a heartbeat, a query and its answer, in the end its shutdown message and
            // the same, and on each connection the proof with the request.
            Counted { connections: ROUNDS, segments: ROUNDS, ..only(2 * ROUNDS + 2, ROUNDS + 1) },
        ),
        (
            &[("qr2", 27900), ("qr2-list", 28910)],
            "127.0.0.1:28910",
            // A heartbeat, a challenge, its answer, and that it is registered; a request.
            Counted { connections: ROUNDS, segments: ROUNDS, ..only(2 * ROUNDS + 1, 2 * ROUNDS) },
        ),
        (
            &[("ut2004", 28902)],
            "127.0.0.1:28902",
            // A server that stays connected, with two messages and a heartbeat in each round, and
            // clients with three messages each.
            Counted { connections: ROUNDS + 1, segments: 3 * ROUNDS + 2 + ROUNDS, ..only(0, 0) },
        ),
    ] {
        let Some(arena) = Arena::with(test, "127.0.0.1", services) else { return };
        let kind = services[0].0;
        let fast = ["--profile", kind, "--every", "50ms", "--rounds", &rounds];
        assert_eq!(arena.watch_target(target, &fast), (Some(0), expected), "{kind}");
        let quiet = [&fast[..], &["--probe", "never"]].concat();
        let (status, counted) = arena.watch_target(target, &quiet);
        assert_eq!((status, counted.connections), (Some(0), ROUNDS), "{kind}");
        assert_eq!((counted.to_master, counted.others.len()), (0, 0), "{kind}: {counted:?}");
    }
}

#[test]
fn a_master_of_an_unknown_kind_gets_one_request_of_each_kind() {
    let test = "watch::packets::a_master_of_an_unknown_kind_gets_one_request_of_each_kind";
    let Some(arena) = Arena::with(test, "127.0.0.1", &[("ut2004", 28902)]) else { return };
    let kinds = || master_kinds().filter(|kind| kind.variant_of.is_none());
    let is_datagrams = |kind: &&MasterMessages| matches!(kind.list, ListMessages::Datagrams { .. });
    let datagrams = kinds().filter(is_datagrams).count();
    // Nothing listens there: each datagram, and one connection that is not accepted.
    let expected = Counted { connections: 1, ..only(datagrams, 0) };
    assert_eq!(arena.watch_target("127.0.0.1:9999", &["--once"]), (Some(2), expected));
    // Without a port, each kind is asked at its own, and the last one is found.
    let (status, counted) = arena.watch_target("127.0.0.1", &["--once", "--probe", "never"]);
    assert_eq!(status, Some(0), "{counted:?}");
    let asked: usize = counted.others.values().sum();
    let connections = kinds().count() - datagrams;
    assert_eq!(counted.connections, connections + 1, "and one for the list: {counted:?}");
    // Each refused connection has a packet back to the client.
    assert_eq!(asked, datagrams + 2 * (connections - 1), "{counted:?}");
}

#[test]
fn only_the_named_master_gets_packets_and_each_is_counted() {
    let test = "watch::packets::only_the_named_master_gets_packets_and_each_is_counted";
    let Some(arena) = Arena::new(test, "127.0.0.1") else { return };
    let rounds = ROUNDS.to_string();
    let fast = ["--every", "50ms", "--rounds", &rounds];
    // In a round: a heartbeat, a getinfo and its answer, a getservers and the list.
    let (status, counted) = arena.watch("127.0.0.1", &fast);
    assert_eq!((status, counted), (Some(0), only(3 * ROUNDS, 2 * ROUNDS)));
    // Without a probe: a getservers and the list. Its list has the server of before.
    let quiet = [&fast[..], &["--probe", "never"]].concat();
    let (status, counted) = arena.watch("127.0.0.1", &quiet);
    assert_eq!((status, counted), (Some(0), only(ROUNDS, ROUNDS)));
    // That one is asked only if the user wants it: once a round.
    let asking = [&quiet[..], &["--check-entries", "8"]].concat();
    let (status, counted) = arena.watch("127.0.0.1", &asking);
    assert_eq!((status, counted.to_master, counted.from_master), (Some(0), ROUNDS, ROUNDS));
    assert_eq!(counted.others.values().collect::<Vec<_>>(), [&ROUNDS], "{counted:?}");
}

#[test]
fn a_far_master_gets_nothing_without_consent_and_no_probe() {
    let test = "watch::packets::a_far_master_gets_nothing_without_consent_and_no_probe";
    // An address for documents, so beyond loopback and private networks.
    let far = "192.0.2.1";
    let Some(arena) = Arena::new(test, far) else { return };
    for (arguments, status, expected) in [
        (&["--rounds", "2"][..], 2, only(0, 0)),
        // More often than is polite.
        (&["--authorized", "--rounds", "2", "--every", "9s"], 2, only(0, 0)),
        // A getservers and the list.
        (&["--authorized", "--once"], 0, only(1, 1)),
        // The user wants a probe.
        (&["--authorized", "--once", "--probe", "always"], 0, only(3, 2)),
    ] {
        assert_eq!(arena.watch(far, arguments), (Some(status), expected), "{arguments:?}");
    }
}
