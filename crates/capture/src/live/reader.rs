//! The thread that moves a device's packets into the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::layout::PcapStats;
use super::libpcap::Handle;
use super::queue::{Batch, Queue};

/// How long to wait for a packet before the stop conditions are checked, in milliseconds.
const PATIENCE: u32 = 50;
/// How often the kernel's counters are read.
const COUNT_EVERY: Duration = Duration::from_secs(1);
/// How long after its end a capture may take to empty the kernel's buffer.
const LAST: Duration = Duration::from_secs(2);

/// Reads one device.
pub(super) struct DeviceReader {
    pub device: usize,
    pub handle: Handle,
    pub queue: Arc<Queue>,
    pub stop: Arc<AtomicBool>,
    pub until: Option<Instant>,
    /// How long the kernel may collect packets, in milliseconds.
    pub timeout: u32,
}

/// The result of one read loop.
enum ReadResult {
    /// More packets may be available.
    Full,
    /// No more packets are available.
    Drained,
    Failed(String),
}

impl DeviceReader {
    /// Reads until a stop is requested, time is up, or the device fails.
    pub fn run(mut self) {
        let mut batch = Batch::default();
        // The kernel's counts from before the filter was set are ignored.
        let mut tally = self.handle.tally().unwrap_or_default();
        let mut counted = Instant::now();
        let failure = loop {
            let begun = now();
            let round = self.fill(&mut batch);
            if !batch.packets.is_empty() {
                batch = self.queue.put(self.device, batch);
            }
            if counted.elapsed() >= COUNT_EVERY {
                (counted, tally) = (Instant::now(), self.count(tally));
            }
            if self.is_over() {
                break None;
            }
            match round {
                ReadResult::Full => {}
                ReadResult::Drained => {
                    // Earlier packets may be in a block that the kernel has not delivered yet.
                    let gathering = 2 * i64::from(self.timeout) + 1;
                    self.queue.reach(self.device, begun - gathering * 1_000_000);
                    self.handle.wait(PATIENCE.min(self.left()));
                }
                ReadResult::Failed(why) => break Some(why),
            }
        };
        self.finish(batch, tally, failure);
    }

    /// Reads the packets that arrived before the end, so that every packet is accounted for.
    fn finish(mut self, mut batch: Batch, tally: PcapStats, failure: Option<String>) {
        let tally = self.count(tally);
        let (end, limit) = (self.queue.to_read(self.device), Instant::now() + LAST);
        while failure.is_none()
            && self.queue.packets_read(self.device) < end
            && Instant::now() < limit
        {
            if let ReadResult::Failed(_) = self.fill(&mut batch) {
                break;
            }
            if batch.packets.is_empty() {
                self.handle.wait(self.timeout);
            } else {
                batch = self.queue.put(self.device, batch);
            }
        }
        self.count(tally);
        self.queue.end(self.device, failure);
    }

    fn fill(&mut self, batch: &mut Batch) -> ReadResult {
        while !batch.is_full() {
            match self.handle.next() {
                Ok(Some(packet)) => batch.push(packet.time, packet.wire_length, packet.bytes),
                Ok(None) => return ReadResult::Drained,
                Err(why) => return ReadResult::Failed(why),
            }
        }
        ReadResult::Full
    }

    /// Adds what the kernel has counted since; its counters wrap.
    fn count(&mut self, before: PcapStats) -> PcapStats {
        let Some(now) = self.handle.tally() else { return before };
        self.queue.count(self.device, |counters| {
            counters.received += u64::from(now.received.wrapping_sub(before.received));
            counters.dropped_by_kernel += u64::from(now.dropped.wrapping_sub(before.dropped));
            counters.dropped_by_interface +=
                u64::from(now.dropped_by_interface.wrapping_sub(before.dropped_by_interface));
        });
        now
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Milliseconds until time is up.
    fn left(&self) -> u32 {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        left.map_or(u32::MAX, |left| u32::try_from(left.as_millis()).unwrap_or(u32::MAX).max(1))
    }
}

/// Nanoseconds since the Unix epoch, by the clock of the kernel's packet timestamps.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
