//! What `fragshark query` sends, counted by the system in a network namespace of its own: every
//! datagram that leaves any socket there.

use std::fs;
use std::process::Stdio;

use crate::needs;
use crate::netns::Net;
use crate::watched::BINARY;

const TEST: &str = "tests/programs/query_manners.rs";

/// The arguments, and how many datagrams they send: to a server that is silent on 27960, to one that
/// answers on 27970, and to ports and addresses where nobody is.
const SENT: &[(&str, u32)] = &[
    ("quake3://127.0.0.1:27960", 3),
    ("quake3://127.0.0.1:27960 --repeats 1", 2),
    ("quake3://127.0.0.1:27960 --repeats 0", 1),
    ("127.0.0.1:27960 quake3.getinfo", 3),
    // It has no answer.
    ("127.0.0.1:27960 quake3.heartbeat", 1),
    ("quake3://127.0.0.1:27970", 1),
    // The state of a server of Quake III has its players and settings.
    ("quake3://127.0.0.1:27970 -p -r", 1),
    ("quake3://127.0.0.1:27970 -c 4 --interval 200ms", 4),
    // Nothing listens there, which the system says at once.
    ("quake3://127.0.0.1:27980", 1),
    ("quake3://255.255.255.255:27960", 0),
    ("quake3://224.0.0.1:27960", 0),
    ("quake3://[ff02::1]:27960", 0),
    ("quake3://0.0.0.0:27960", 0),
    ("quake3://127.0.0.1:0", 0),
    ("--each 127.0.0.1:27950 --rate 51", 0),
    ("192.0.2.1:27950 quake3.heartbeat", 0),
];

/// Runs the program with each line of arguments, and prints how many datagrams left meanwhile.
const COUNTED: &str = r#"
import socket, subprocess, sys, threading
def sent():
    total = 0
    with open("/proc/net/snmp") as file:
        names, values = [line.split() for line in file if line.startswith("Udp:")]
        total += int(values[names.index("OutDatagrams")])
    with open("/proc/net/snmp6") as file:
        total += sum(int(line.split()[1]) for line in file if line.startswith("Udp6OutDatagrams"))
    return total
silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
silent.bind(("127.0.0.1", 27960))
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 27970))
answered = 0
def answer():
    global answered
    while True:
        _, sender = server.recvfrom(4096)
        answered += 1
        server.sendto(b"\xff\xff\xff\xffstatusResponse\n\\challenge\\fragshark\\mapname\\q3dm17\n", sender)
threading.Thread(target=answer, daemon=True).start()
for line in open(sys.argv[2]):
    before, of_server = sent(), answered
    command = [sys.argv[1], "query", "--timeout", "100ms", *line.split()]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(sent() - before - (answered - of_server), flush=True)
"#;

#[test]
fn so_many_datagrams_are_sent_and_no_more() {
    let Some([python]) = needs::programs(TEST, ["python3"]) else {
        return;
    };
    let Some(net) = Net::new(TEST).filter(Net::is_own) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("lines");
    let all: Vec<_> = SENT.iter().map(|(line, _)| *line).collect();
    fs::write(&lines, all.join("\n")).unwrap();
    let mut command = net.command(&python);
    command.args(["-c", COUNTED, BINARY]).arg(&lines).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counts = String::from_utf8(output.stdout).unwrap();
    let counts: Vec<u32> = counts.lines().map(|line| line.parse().unwrap()).collect();
    let found: Vec<_> = SENT.iter().zip(counts).map(|((line, _), count)| (*line, count)).collect();
    assert_eq!(found, SENT);
}
