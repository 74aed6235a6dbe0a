//! Live capture of real servers and clients, in network namespaces: the messages are printed while they
//! come, and tshark counts the same packets.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::arena::Arena;
use crate::live::{Capture, counted, ready};
use crate::netns::Net;
use crate::process::{Process, printed, until};

#[test]
fn what_a_server_and_a_player_say_is_printed_while_they_say_it() {
    let test = "live capture of quakestat";
    let needed = ["quakestat", "tshark", "python3"];
    let Some((net, [quakestat, tshark, _])) = ready(test, needed) else { return };
    // The status of a documented server, sent to any client.
    let reply = "import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('127.0.0.1', 27960))
while True:
    asked, who = s.recvfrom(2048)
    stderr = b'infoResponse\\n\\\\hostname\\\\Loop\\\\mapname\\\\q3dm17\\\\protocol\\\\68' if b'getinfo' in asked else b'statusResponse\\n\\\\sv_hostname\\\\Loop\\\\mapname\\\\q3dm17\\n7 30 \"Fin\"\\n'
    s.sendto(b'\\xff\\xff\\xff\\xff' + stderr, who)
";
    let folder = tempfile::tempdir().unwrap();
    let mut server = net.command("python3");
    let _server = Process::start(server.args(["-c", reply]));
    until("the server to listen", || {
        let listening = printed(net.command("cat").arg("/proc/net/udp"));
        listening.contains(":6D38 ").then_some(())
    });
    let arguments = ["-i", "lo", "-w", "x.pcapng", "--format", "ndjson", "--known-ports"];
    let capture = Capture::start(&net, folder.path(), &arguments);
    let mut ask = net.command(&quakestat);
    let output = printed(ask.args(["-R", "-P", "-q3s", "127.0.0.1:27960", "-json"]));
    assert!(output.contains("q3dm17"), "{output}");
    until("the status", || capture.printed().contains("statusResponse").then_some(()));
    let stderr = capture.end("-INT");
    let file = folder.path().join("x.pcapng");
    let packets = counted(&tshark, &file, "udp.port == 27960");
    assert!(
        stderr.contains(&format!("{packets} packets captured, {packets} messages")),
        "{stderr}"
    );
    let rows = fs::read_to_string(folder.path().join("out")).unwrap();
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.len(), packets);
    assert!(rows.iter().any(|row| row["message"] == "statusResponse"), "{rows:?}");
}

#[test]
fn a_real_server_at_the_reference_master_is_captured_as_tshark_counts_it() {
    let test = "live capture of openarena-server";
    let needed = ["openarena-server", "quakestat", "tshark"];
    let Some((net, [openarena, quakestat, tshark])) = ready(test, needed) else { return };
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["-i", "lo", "-f", "udp", "-w", "x.pcapng", "--format", "ndjson"];
    let capture = Capture::start(&net, folder.path(), &arguments);
    let (_master, address) = master(&net);
    let arena = Arena::run(net.command(&openarena), folder.path(), address);
    wait_listed(&net, &quakestat, address);
    arena.quit();
    let stderr = capture.end("-INT");

    let file = folder.path().join("x.pcapng");
    let rows = fs::read_to_string(folder.path().join("out")).unwrap();
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let packets = counted(&tshark, &file, "udp");
    assert!(
        stderr.contains(&format!("{packets} packets captured, {} messages", rows.len())),
        "{stderr}"
    );
    assert!(stderr.contains(" 0 dropped by the kernel, 0 by us"), "{stderr}");
    let marked = counted(&tshark, &file, "udp.payload[0:4] == ff:ff:ff:ff");
    assert_eq!(rows.len(), marked, "{stderr}");
    for (name, word) in [
        ("heartbeat", "heartbeat "),
        ("getinfo", "getinfo"),
        ("infoResponse", "infoResponse\n"),
        ("getservers", "getservers "),
        ("getserversResponse", "getserversResponse\\"),
    ] {
        let bytes: Vec<_> = word.bytes().map(|byte| format!("{byte:02x}")).collect();
        let filter = format!("udp.payload[4:{}] == {}", bytes.len(), bytes.join(":"));
        let ours = rows.iter().filter(|row| row["message"] == name).count();
        assert_eq!(ours, counted(&tshark, &file, &filter), "{name}");
        assert!(ours > 0, "no {name}");
    }
    assert!(rows.iter().all(|row| row["fault"] == ""), "{rows:?}");
}

/// A reference master on its own port.
fn master(net: &Net) -> (Process, SocketAddr) {
    let mut master = net.command(env!("CARGO_BIN_EXE_fragshark"));
    master.args(["master", "--only", "quake3", "--listen", "127.0.0.1", "--port", "quake3=0"]);
    let mut master = Process::start(master.stdout(Stdio::piped()));
    let mut line = String::new();
    BufReader::new(master.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split_whitespace().find_map(|word| word.parse::<SocketAddr>().ok());
    (master, address.unwrap_or_else(|| panic!("no address in {line}")))
}

/// Waits until a master lists the only server.
fn wait_listed(net: &Net, quakestat: &Path, master: SocketAddr) {
    until("the server to be listed", || {
        let mut ask = net.command(quakestat);
        // Without a limit it waits 8 seconds for more of a list.
        ask.args(["-nnx", "-utf8", "-json", "-timeout", "3", "-retry", "2", "-mi", "0.2"]);
        let ask = ask.args(["-q3m,71,empty,full", &master.to_string()]);
        let output: serde_json::Value = serde_json::from_str(&printed(ask)).ok()?;
        (output[0]["servers"] == 1 && output[1]["status"] == "online").then_some(())
    });
}

#[test]
fn a_real_server_with_three_masters_is_explained_for_each() {
    let test = "openarena-server with three masters";
    let needed = ["openarena-server", "quakestat"];
    let Some((net, [openarena, quakestat])) = ready(test, needed) else { return };
    let folder = tempfile::tempdir().unwrap();
    let capture = Capture::start(&net, folder.path(), &["-i", "lo", "-w", "x.pcapng"]);
    let ((_one, one), (_two, two)) = (master(&net), master(&net));
    // Free a moment ago, and no other program is in the namespace.
    let dead = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let masters = [one, dead, two];
    let arena = Arena::run_with(net.command(&openarena), folder.path(), &masters);
    wait_listed(&net, &quakestat, one);
    wait_listed(&net, &quakestat, two);
    arena.quit();
    capture.end("-INT");

    let file = folder.path().join("x.pcapng");
    let mut explain = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    // A part of its name, without colour codes.
    explain.args(["explain", "--server", "loopb", "--format", "json"]).arg(&file);
    let output = explain.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let output: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.len(), masters.len(), "{output:#?}");
    let steps = ["heartbeat", "challenge", "answer", "proof", "contents", "listing"];
    for (registration, master) in output.iter().zip(masters) {
        assert_eq!(registration["master"], master.to_string(), "{registration:#}");
        for (n, name) in steps.into_iter().enumerate() {
            let step = &registration["steps"][n];
            let state = match n {
                _ if master != dead => "ok",
                0 => "failed",
                _ => "unseen",
            };
            assert_eq!(step["name"], name, "{registration:#}");
            assert_eq!(step["state"], state, "{registration:#}");
        }
        let error =
            if master == dead { "port unreachable".into() } else { serde_json::Value::Null };
        assert_eq!(registration["error"], error, "{registration:#}");
    }
}

/// Asks a server 50 times in 5 seconds, and reads what comes back; the server answers fewer times.
const ASKER: &str = "import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.connect(('127.0.0.1', int(sys.argv[1])))
s.setblocking(False)
count, end = 0, None
for n in range(50):
    s.send(b'\\xff\\xff\\xff\\xffgetstatus %d' % (1000 + n))
    time.sleep(0.1)
    try:
        while True:
            s.recv(65536)
            count += 1
    except BlockingIOError:
        pass
print(count)
";

/// Id's engine answers about ten times at once, then ten times a second for everybody.
#[test]
fn each_answer_of_a_rate_limited_server_finds_its_request() {
    let test = "openarena-server behind its rate limit";
    let Some((net, [openarena, _])) = ready(test, ["openarena-server", "python3"]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let capture = Capture::start(&net, folder.path(), &["-i", "lo", "-w", "x.pcapng"]);
    let (_master, address) = master(&net);
    let arena = Arena::run(net.command(&openarena), folder.path(), address);
    let server = until("a heartbeat", || {
        let printed = capture.printed();
        let line = printed.lines().find(|line| line.contains("heartbeat"))?;
        line.split_whitespace().find_map(|word| word.parse::<SocketAddr>().ok())
    });
    let mut ask = net.command("python3");
    let answered = printed(ask.args(["-c", ASKER, &server.port().to_string()]));
    let answered: usize = answered.trim().parse().unwrap();
    arena.quit();
    capture.end("-INT");

    let mut export = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    export.args(["export", "--what", "sessions", "--format", "ndjson"]);
    let rows = printed(export.arg(folder.path().join("x.pcapng")));
    let rows = rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let rows: Vec<_> = rows.filter(|row| row["request"] == "quake3.getstatus").collect();
    let asked: usize = rows.iter().map(|row| 1 + row["retries"].as_u64().unwrap() as usize).sum();
    assert_eq!((asked, rows.len()), (50, 50), "each is a request of its own");
    let found: Vec<_> =
        rows.iter().filter(|row| row["reply"] == "quake3.status-response").collect();
    assert!(answered > 0 && found.len() >= answered, "{} of {answered}", found.len());
    for row in &found {
        let (sent, back) = (&row["request_fields"]["challenge"], &row["reply_fields"]["info"]);
        assert_eq!((&back["challenge"], &row["state"]), (sent, &"answered".into()), "{row}");
    }
    let dropped = rows.iter().filter(|row| row["state"] == "unanswered").count();
    assert_eq!(dropped, 50 - found.len());
}
