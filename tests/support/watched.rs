//! Masters that `fragshark watch` watches, the servers that are registered with them, and its pages.
#![allow(dead_code, reason = "each test program uses the part that it needs")]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};

use fragshark::protocols::quake3::PROTOCOL;
use masters::families::services;
use masters::{Config, Defect, RunningMaster, Settings};
use simulate::families::{answer, quake3::messages};

use crate::process::PATIENCE;

pub const BINARY: &str = env!("CARGO_BIN_EXE_fragshark");

/// A master of Quake III with these settings and defects, and its address.
pub fn master(settings: &str, defects: &[Defect]) -> (RunningMaster, SocketAddr) {
    let mut known = Settings::default();
    known.set_all("max-per-address=4096,flood=0").unwrap();
    if !settings.is_empty() {
        known.set_all(settings).unwrap();
    }
    let defects = defects.iter().copied().collect();
    let mut config = Config { settings: known, defects, ..Config::new(services()).anywhere() };
    config.services.retain(|(service, _)| service.port == 27950);
    let running = RunningMaster::start(config).unwrap();
    let address = running.addresses().iter().find(|one| one.address.is_ipv4()).unwrap().address;
    (running, address)
}

/// Servers that are registered with a master.
pub struct Registered(pub Vec<UdpSocket>);

impl Registered {
    /// Registers this many.
    pub fn with(master: SocketAddr, count: usize) -> Self {
        let servers = (0..count).map(|_| {
            let server = UdpSocket::bind("127.0.0.1:0").unwrap();
            server.set_read_timeout(Some(PATIENCE)).unwrap();
            server.send_to(&messages::heartbeat(messages::QUAKE), master).unwrap();
            let mut buffer = [0; 2000];
            let (length, from) = server.recv_from(&mut buffer).unwrap();
            let reply = answer(&PROTOCOL, None, &[], &buffer[..length]).unwrap();
            server.send_to(&reply, from).unwrap();
            server
        });
        Self(servers.collect())
    }
}

/// `watch` with these arguments; what it keeps is in the folder.
pub fn watch(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.arg("watch").args(arguments).env("XDG_STATE_HOME", folder).stdin(Stdio::null());
    command
}

/// A port that is free now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// The status line and the body of a page; `None` if nobody listens yet.
pub fn page(at: SocketAddr, request: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(at).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!("{request} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    Some((head.lines().next()?.to_owned(), body.to_owned()))
}
