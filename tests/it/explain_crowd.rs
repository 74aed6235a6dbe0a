//! A server is explained correctly in a capture with more servers than tables can hold.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;

use fragshark::capture::write::{FrameRecord, PcapNg};
use fragshark::net::compose;
use serde_json::Value;

/// More than the limits for servers, registrations and findings.
const CROWD: u32 = 66_000;
/// Nanoseconds since the Unix epoch.
const BEGIN: i64 = 1_070_308_800_000_000_000;
const MILLISECOND: i64 = 1_000_000;

struct Capture {
    out: PcapNg<Vec<u8>>,
    time: i64,
}

impl Capture {
    fn send(&mut self, from: SocketAddr, to: SocketAddr, payload: &[u8]) {
        let bytes = compose::datagram(from, to, payload).unwrap();
        self.time += MILLISECOND;
        let record = FrameRecord {
            time: self.time,
            link: compose::LINK_RAW,
            fcs: 0,
            bytes: &bytes,
            wire_length: u32::try_from(bytes.len()).unwrap(),
            comment: "",
            interface: 0,
        };
        self.out.write(&record).unwrap();
    }
}

#[test]
fn one_server_of_many_is_explained() {
    let [server, master] =
        ["192.0.2.10:27960", "203.0.113.1:27950"].map(|end| end.parse::<SocketAddr>().unwrap());
    let beat = b"\xff\xff\xff\xffheartbeat QuakeArena-1\n";
    let mut capture = Capture { out: PcapNg::new(Vec::new()).unwrap(), time: BEGIN };
    let first = u32::from(Ipv4Addr::new(198, 18, 0, 0));
    for other in 0..CROWD {
        let other = SocketAddr::from((Ipv4Addr::from(first + other), 27960));
        capture.send(other, master, beat);
    }
    capture.send(server, master, beat);
    capture.send(master, server, b"\xff\xff\xff\xffgetinfo Kf9x_2Zp1q");
    let answer = b"\xff\xff\xff\xffinfoResponse\n\\challenge\\Kf9x_2Zp1q\\protocol\\68\\clients\\1";
    capture.send(server, master, answer);
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("crowd.pcapng");
    std::fs::write(&file, capture.out.finish().unwrap()).unwrap();

    for wanted in ["192.0.2.10", "192.0.2.10:27960", "192.0.2"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
        command.args(["explain", "--format", "json", "--server", wanted]).arg(&file);
        let output = command.output().unwrap();
        let registrations: Value = serde_json::from_slice(&output.stdout).unwrap();
        let steps = registrations[0]["steps"].as_array().unwrap();
        let states: Vec<_> = steps.iter().map(|step| step["state"].as_str().unwrap()).collect();
        assert_eq!(
            states,
            ["ok", "ok", "ok", "ok", "failed", "unseen"],
            "{wanted}: {registrations:#}"
        );
        assert_eq!(registrations[0]["server"], "192.0.2.10:27960");
        // A warning tells what the limits dropped of others.
        let warnings = String::from_utf8(output.stderr).unwrap();
        assert!(warnings.contains("were not kept"), "{warnings}");
    }
}
