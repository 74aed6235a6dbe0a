//! A third-party master: xash3d-master is judged by its own profile, over IPv4 and IPv6, and
//! passes.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::{needs, process};
use process::{Process, until};
use serde_json::Value;

const TEST: &str = "tests/programs/real_xash3d.rs";
/// The minimum of cases that must pass: all without a long wait, and over IPv6 with at most 14
/// servers at once.
const PASSES: usize = 31;
/// How often the same process is judged.
const RUNS: usize = 2;

/// xash3d-master on a free port of this address, with its default settings but for the number of
/// servers per address; its configuration is in this directory.
fn start(program: &Path, ip: IpAddr, servers: u16, folder: &Path) -> (Process, SocketAddr) {
    let config = folder.join("xash3d-master.toml");
    until("xash3d-master to listen", || {
        // The port is free now; if another program takes it first, another one is tried.
        let at = UdpSocket::bind((ip, 0)).unwrap().local_addr().unwrap();
        let port = at.port();
        let text =
            format!("[server]\nip = \"{ip}\"\nport = {port}\nmax-servers-per-ip = {servers}\n");
        std::fs::write(&config, text).unwrap();
        let mut command = Command::new(program);
        command.arg("--config").arg(&config).args(["--log", "error"]).stdout(Stdio::null());
        let mut process = Process::start(&mut command);
        listens(&mut process, at).then_some((process, at))
    })
}

/// Repeats a heartbeat until it is answered; false if the program has ended.
fn listens(process: &mut Process, at: SocketAddr) -> bool {
    let socket = UdpSocket::bind((at.ip(), 0)).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    until("a heartbeat to be answered", || {
        if process.ended().is_some() {
            return Some(false);
        }
        _ = socket.send_to(b"q\xff\x01\x02\x03\x04", at);
        socket.recv(&mut [0; 64]).is_ok().then_some(true)
    })
}

/// The verdict of each case of a run, by its id, and the exit status.
fn judge(at: SocketAddr, settings: &str) -> (Vec<(String, String)>, Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    command.args(["conform", "--profile", "xash3d", "--format", "ndjson", "--target"]);
    command.arg(at.to_string()).args(["--assume", settings]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases = lines.filter_map(|line| {
        let text = |key: &str| line[key].as_str().map(str::to_owned);
        (line["type"] == "case").then(|| Some((text("id")?, text("verdict")?)))?
    });
    (cases.collect(), output.status.code(), text)
}

#[test]
fn xash3d_master_passes_its_profile() {
    let Some([program]) = needs::programs(TEST, ["xash3d-master"]) else {
        return;
    };
    // Over IPv6 all servers have one address.
    for (ip, servers) in
        [(IpAddr::V4(Ipv4Addr::LOCALHOST), 14), (IpAddr::V6(Ipv6Addr::LOCALHOST), 1000)]
    {
        if UdpSocket::bind((ip, 0)).is_err() {
            needs::not_run(TEST, "ipv6", &format!("{ip} is no address of this machine"));
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let (mut process, at) = start(&program, ip, servers, folder.path());
        let mut first = None;
        for run in 1..=RUNS {
            let (cases, status, output) = judge(at, &format!("max-per-address={servers}"));
            let bad: Vec<_> = cases
                .iter()
                .filter(|(_, verdict)| !matches!(verdict.as_str(), "pass" | "info" | "skipped"))
                .collect();
            assert!(bad.is_empty(), "{at}, run {run}: {bad:?}\n{output}");
            assert_eq!(status, Some(0), "{at}, run {run}: {output}");
            let passed = cases.iter().filter(|(_, verdict)| verdict == "pass").count();
            assert!(passed >= PASSES, "{at}, run {run}: {passed} passed\n{output}");
            let first = first.get_or_insert_with(|| cases.clone());
            assert_eq!(*first, cases, "{at}, run {run}");
        }
        process.end();
    }
}

/// A server that has registered at the master, with this many players.
fn registered(at: SocketAddr, players: u32) -> UdpSocket {
    let server = UdpSocket::bind((at.ip(), 0)).unwrap();
    server.connect(at).unwrap();
    server.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    server.send(&[&b"q\xff"[..], &players.to_le_bytes()].concat()).unwrap();
    let mut answer = [0; 64];
    let length = server.recv(&mut answer).unwrap();
    // The mark, `s` and a line feed, the master's challenge, and the server's.
    let Some([b's', b'\n', a, b, c, d, ..]) = answer[..length].get(4..) else {
        panic!("{:02x?}", &answer[..length])
    };
    let challenge = u32::from_le_bytes([*a, *b, *c, *d]);
    let info = format!(
        "0\n\\protocol\\49\\challenge\\{challenge}\\players\\{players}\\max\\8\\bots\\0\\gamedir\\valve\\\
         map\\crossfire\\type\\d\\password\\0\\os\\l\\secure\\0\\lan\\0\\version\\0.20\\region\\255\\\
         product\\valve\\nat\\0"
    );
    server.send(info.as_bytes()).unwrap();
    server
}

#[test]
fn query_gets_the_list_of_xash3d_master() {
    let Some([program]) = needs::programs(TEST, ["xash3d-master"]) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (mut process, at) = start(&program, Ipv4Addr::LOCALHOST.into(), 14, folder.path());
    let servers: Vec<_> = (0..3).map(|players| registered(at, players)).collect();
    let mut expected: Vec<_> =
        servers.iter().map(|server| server.local_addr().unwrap().to_string()).collect();
    expected.sort();
    // The master has read the last registration when it lists it.
    until("all servers to be listed", || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
        command.args(["query", "--list", &format!("xash3d://{at}")]).stdin(Stdio::null());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let mut listed: Vec<_> = text.lines().map(str::to_owned).collect();
        listed.sort();
        assert!(listed.iter().all(|server| expected.contains(server)), "{listed:?}");
        (listed == expected).then_some(())
    });
    process.end();
}
