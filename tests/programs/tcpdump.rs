//! The tcpdump program, capturing beside a test.

use std::fs::{self, File};
use std::net::{SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{Process, until};

/// A running capture.
pub struct Tcpdump {
    process: Process,
    file: PathBuf,
}

impl Tcpdump {
    /// Captures what `filter` matches on `interface` into a file in `folder`; on failure returns
    /// tcpdump's message. It is capturing when this returns.
    pub fn start(
        program: &Path,
        folder: &Path,
        interface: &str,
        filter: &str,
    ) -> Result<Self, String> {
        let file = folder.join(format!("{interface}.pcap"));
        let log = folder.join(format!("{interface}.log"));
        // On standard output, because tcpdump drops the privileges with which it would open a file.
        let mut command = Command::new(program);
        command.args(["-i", interface, "-n", "-U", "-w", "-", filter]);
        command.stdin(Stdio::null());
        command.stdout(File::create(&file).unwrap()).stderr(File::create(&log).unwrap());
        let mut process = Process::start(&mut command);
        until("tcpdump to listen", || {
            let ended = process.ended().is_some();
            let output = fs::read_to_string(&log).unwrap();
            let listens = output.contains("listening on");
            (listens || ended).then_some(if listens { Ok(()) } else { Err(output) })
        })?;
        Ok(Self { process, file })
    }

    /// Ends the capture when it has everything sent so far; `to` is an address whose datagrams the
    /// filter matches, and gets one that is no message.
    pub fn finish(mut self, to: SocketAddr) -> PathBuf {
        let any = if to.is_ipv4() { "127.0.0.1:0" } else { "[::1]:0" };
        let mark = format!("what was sent before this to {to} has been captured").into_bytes();
        UdpSocket::bind(any).unwrap().send_to(&mark, to).unwrap();
        until("tcpdump to capture the mark", || {
            let captured = fs::read(&self.file).unwrap();
            captured.windows(mark.len()).rfind(|bytes| *bytes == mark).map(|_| ())
        });
        self.process.end();
        self.file
    }
}
