//! A third-party server that runs on loopback while a test asks it.

use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process::{Process, until};

/// How long an answer may take before the request is sent again.
const ANSWER: Duration = Duration::from_millis(300);
/// How long a server may take until it answers, before one on another port is started.
const STARTED: Duration = Duration::from_secs(20);

/// A running server and a client.
pub struct RealServer {
    client: UdpSocket,
    /// Where it answers.
    pub address: SocketAddr,
    _running: Process,
    _folder: tempfile::TempDir,
}

impl RealServer {
    /// Starts the server of a command that has it answer at an address, in a folder of its own, and
    /// waits until it answers this request.
    pub fn start(request: &[u8], command: impl Fn(SocketAddr) -> Command) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (running, address) = until("a server to start", || {
            // The port is free now; if another program takes it first, another one is tried.
            let address = UdpSocket::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
            let mut command = command(address);
            command.current_dir(&folder).env("HOME", folder.path());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let (mut running, begun) = (Process::start(&mut command), Instant::now());
            let answers = until("a server to answer or to end", || match running.ended() {
                Some(_) => Some(false),
                None if begun.elapsed() > STARTED => Some(false),
                None => exchange(&client(), address, request).map(|_| true),
            });
            answers.then_some((running, address))
        });
        Self { client: client(), address, _running: running, _folder: folder }
    }

    /// A Nexuiz server, which DarkPlaces runs: named `^1Loop^7back`, on the map `basement`. It announces
    /// itself to no master, and has these settings.
    pub fn nexuiz(program: &Path, settings: &[&str]) -> Self {
        Self::start(b"\xff\xff\xff\xffgetinfo", |address| {
            let mut command = Command::new(program);
            let (ip, port) = (address.ip().to_string(), address.port().to_string());
            command.args(["-ip", &ip, "-port", &port, "+sv_public", "0"]);
            command.args(["+hostname", "^1Loop^7back"]).args(settings).args(["+map", "basement"]);
            command
        })
    }

    /// Its answer to a request.
    pub fn ask(&self, request: &[u8]) -> Vec<u8> {
        until("an answer", || exchange(&self.client, self.address, request))
    }
}

/// A client to which nothing was sent yet.
fn client() -> UdpSocket {
    let client = UdpSocket::bind("127.0.0.1:0").unwrap();
    client.set_read_timeout(Some(ANSWER)).unwrap();
    client
}

/// The answer to a request, if it comes in time.
fn exchange(client: &UdpSocket, address: SocketAddr, request: &[u8]) -> Option<Vec<u8>> {
    let mut buffer = [0; 2048];
    client.send_to(request, address).ok()?;
    let (length, _) = client.recv_from(&mut buffer).ok()?;
    Some(buffer[..length].to_vec())
}
