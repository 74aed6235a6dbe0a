//! What was sent and what came, as a capture.

use std::io;
use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

use capture::write::{FrameRecord, PcapNg};
use net::compose::{self, Dialogue};

/// The maximum bytes of a recording; what is sent and comes later is counted, and not in it.
const LONGEST: usize = 1 << 26;

/// Records the traffic of questions in memory, as a pcapng file whose packets have comments.
#[derive(Debug)]
pub struct TrafficRecorder(Mutex<TrafficRecording>);

struct TrafficRecording {
    out: PcapNg<Vec<u8>>,
    /// How many connections were opened.
    connections: u32,
    left_out: u64,
}

impl std::fmt::Debug for TrafficRecording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { connections, left_out, .. } = self;
        let mut text = f.debug_struct("TrafficRecording");
        text.field("connections", connections).field("left_out", left_out).finish_non_exhaustive()
    }
}

impl TrafficRecorder {
    /// An empty recording.
    ///
    /// # Errors
    /// If its header cannot be written.
    pub fn new() -> io::Result<Self> {
        let out = PcapNg::new(Vec::new())?;
        Ok(Self(Mutex::new(TrafficRecording { out, connections: 0, left_out: 0 })))
    }

    /// Adds a datagram that was sent or has come just now.
    pub fn datagram(&self, from: SocketAddr, to: SocketAddr, payload: &[u8], comment: &str) {
        let mut recording = self.0.lock();
        if let Some(frame) = compose::datagram(from, to, payload) {
            recording.add_frame(&frame, comment);
        }
    }

    /// A connection that was opened just now; its bytes are added by [`StreamRecord`].
    pub fn stream(&self, client: SocketAddr, server: SocketAddr) -> StreamRecord<'_> {
        let mut recording = self.0.lock();
        recording.connections = recording.connections.wrapping_add(1);
        // Far from the numbers of every other connection.
        let sequence = recording.connections.wrapping_mul(0x9e37_79b1);
        let dialogue = Dialogue::open_at(sequence, client, server, &mut |frame| {
            recording.add_frame(frame, "query: connects");
        });
        StreamRecord { recorder: self, dialogue: Some(dialogue), ends: [client, server] }
    }

    /// The bytes of the capture, and how many packets it lacks because it is too long.
    pub fn finish(self) -> (Vec<u8>, u64) {
        let recording = self.0.into_inner();
        (recording.out.into_inner(), recording.left_out)
    }
}

impl TrafficRecording {
    fn add_frame(&mut self, bytes: &[u8], comment: &str) {
        let is_full = self.out.get_ref().len() + bytes.len() > LONGEST;
        if is_full || self.out.write(&FrameRecord::ip(now(), bytes, comment)).is_err() {
            self.left_out += 1;
        }
    }
}

/// A connection of a recording; its end is recorded when it is dropped.
#[derive(Debug)]
pub struct StreamRecord<'a> {
    recorder: &'a TrafficRecorder,
    dialogue: Option<Dialogue>,
    ends: [SocketAddr; 2],
}

impl StreamRecord<'_> {
    /// Adds bytes that the client has sent.
    pub fn sent(&mut self, bytes: &[u8]) {
        let [client, _] = self.ends;
        self.add(client, bytes, "query: sends");
    }

    /// Adds bytes that have come.
    pub fn received(&mut self, bytes: &[u8]) {
        let [_, server] = self.ends;
        self.add(server, bytes, "target: sends");
    }

    fn add(&mut self, from: SocketAddr, bytes: &[u8], comment: &str) {
        let mut recording = self.recorder.0.lock();
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.send(from, bytes, &mut |frame| recording.add_frame(frame, comment));
        }
    }
}

impl Drop for StreamRecord<'_> {
    fn drop(&mut self) {
        let mut recording = self.recorder.0.lock();
        if let Some(dialogue) = self.dialogue.take() {
            dialogue.close(&mut |frame| recording.add_frame(frame, ""));
        }
    }
}

/// Nanoseconds since the Unix epoch.
fn now() -> i64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}
