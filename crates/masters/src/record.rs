//! Records a master's own traffic as a capture: received and sent messages as raw IP packets, as on
//! the wire.

use std::io::{self, Write};
use std::net::{SocketAddr, UdpSocket};
use std::time::{SystemTime, UNIX_EPOCH};

use capture::write::{FrameRecord, PcapNg};
use net::compose::{self, Dialogue};

/// Writes a pcapng file while the master runs. The first error ends the file, not the master.
pub struct MasterRecorder {
    out: Result<PcapNg<Box<dyn Write + Send>>, io::Error>,
}

impl MasterRecorder {
    /// Starts a file.
    ///
    /// # Errors
    /// If its header cannot be written.
    pub fn new(out: impl Write + Send + 'static) -> io::Result<Self> {
        Ok(Self { out: Ok(PcapNg::new(Box::new(out) as Box<dyn Write + Send>)?) })
    }

    /// Writes a datagram. One that is too long for IP was never sent, and is left out.
    pub(crate) fn datagram(&mut self, from: SocketAddr, to: SocketAddr, payload: &[u8]) {
        let (from, to) = (local(from, to), local(to, from));
        if let Some(frame) = compose::datagram(from, to, payload) {
            self.frame(&frame);
        }
    }

    pub(crate) fn opened(&mut self, client: SocketAddr, server: SocketAddr) -> Dialogue {
        Dialogue::open(client, server, &mut |frame| self.frame(frame))
    }

    pub(crate) fn record_bytes(&mut self, dialogue: &mut Dialogue, from: SocketAddr, bytes: &[u8]) {
        dialogue.send(from, bytes, &mut |frame| self.frame(frame));
    }

    pub(crate) fn closed(&mut self, dialogue: Dialogue) {
        dialogue.close(&mut |frame| self.frame(frame));
    }

    /// Writes out what is buffered.
    ///
    /// # Errors
    /// The first error since the start.
    pub fn finish(self) -> io::Result<()> {
        self.out?.finish().map(drop)
    }

    fn frame(&mut self, bytes: &[u8]) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        let written = self.out.as_mut().map(|out| out.write(&FrameRecord::ip(time, bytes, "")));
        if let Ok(Err(error)) = written {
            self.out = Err(error);
        }
    }
}

/// The local address of a socket that is bound to all addresses: the one that the route to the
/// other endpoint uses.
fn local(end: SocketAddr, other: SocketAddr) -> SocketAddr {
    if !end.ip().is_unspecified() {
        return end;
    }
    let probe = UdpSocket::bind((end.ip(), 0)).and_then(|probe| {
        // Nothing is sent: this only asks for the route.
        probe.connect(other)?;
        probe.local_addr()
    });
    probe.map_or(end, |probe| (probe.ip(), end.port()).into())
}
