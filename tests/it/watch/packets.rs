//! Every packet that `watch` sends, counted in a network namespace of its own.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use super::BINARY;
use crate::needs;
use crate::netns::Net;
use crate::process::{Process, printed, until};

/// The rounds of each run.
const ROUNDS: usize = 3;

/// A namespace with a master, and what captures there.
struct Arena {
    net: Net,
    tcpdump: std::path::PathBuf,
    folder: tempfile::TempDir,
    _master: Process,
}

/// How many datagrams were sent from and to the master, by the master's side and the other address;
/// every other packet has its own line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counted {
    to_master: usize,
    from_master: usize,
    others: BTreeMap<String, usize>,
}

impl Arena {
    fn new(test: &str, address: &str) -> Option<Self> {
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
        command.args(["master", "--listen", address, "--only", "quake3", "--allow-loopback"]);
        let out = folder.path().join("master");
        command.stdin(Stdio::null()).stdout(File::create(&out).unwrap());
        let master = Process::start(&mut command);
        until("the master to listen", || {
            std::fs::read_to_string(&out).unwrap().contains("27950").then_some(())
        });
        Some(Self { net, tcpdump, folder, _master: master })
    }

    /// `watch` with these arguments; its status, and all packets meanwhile.
    fn watch(&self, master: &str, arguments: &[&str]) -> (Option<i32>, Counted) {
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
        let target = format!("{master}:27950");
        let mut command = self.net.command(BINARY);
        command.args(["watch", "--target", &target, "--timeout", "300ms"]);
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

    fn counted(&self, file: &Path, master: &str) -> Counted {
        let filter = "not port 9 and not icmp";
        let read = ["-n", "-t", "-q", "-r", file.to_str().unwrap(), filter];
        let mut counted = Counted::default();
        for line in printed(Command::new(&self.tcpdump).args(read)).lines() {
            let ends = line.trim_start_matches("IP ").split_once(": ").unwrap().0;
            let (from, to) = ends.split_once(" > ").unwrap();
            if to == master {
                counted.to_master += 1;
            } else if from == master {
                counted.from_master += 1;
            } else {
                *counted.others.entry(to.to_owned()).or_default() += 1;
            }
        }
        counted
    }
}

fn only(to_master: usize, from_master: usize) -> Counted {
    Counted { to_master, from_master, others: BTreeMap::new() }
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
