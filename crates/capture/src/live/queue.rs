//! The queue between the threads that read devices and the reader of frames: batches, per device,
//! bounded in bytes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};

use super::{Counters, LiveDevice};

/// A few packets of one device, in order.
#[derive(Default)]
pub(super) struct Batch {
    pub bytes: Vec<u8>,
    pub packets: Vec<QueuedPacket>,
}

/// A packet of a batch.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueuedPacket {
    pub time: i64,
    /// The offset of its bytes in the batch.
    pub start: u32,
    pub length: u32,
    pub wire_length: u32,
}

/// The waiting batches, and the counters of all packets.
pub(super) struct Queue {
    pub devices: Vec<LiveDevice>,
    state: Mutex<QueueState>,
    /// Notified when a batch arrives, or a device has been read further.
    changed: Condvar,
    limit: usize,
    /// Whether the reader has more frames in its current batch.
    pub at_hand: AtomicBool,
}

struct QueueState {
    queues: Vec<DeviceQueue>,
    /// Number of notifications so far.
    turn: u64,
    /// Bytes of all waiting batches.
    held: usize,
    /// Empty batches for reuse.
    spare: Vec<Batch>,
}

/// The queue of one device.
struct DeviceQueue {
    batches: VecDeque<Batch>,
    /// All packets before this time have been read.
    read_until: i64,
    has_ended: bool,
    /// The error, if the capture did not end on request.
    failure: Option<String>,
    counters: Counters,
}

/// The result of taking from a device's queue.
pub(super) enum Taken {
    Batch(Batch),
    /// Nothing now, and nothing from before this time later.
    Nothing(i64),
    End(Option<String>),
}

impl Batch {
    /// Limits of a batch: in packets, and in bytes.
    const PACKETS: usize = 4096;
    const BYTES: usize = 1 << 20;

    pub fn is_full(&self) -> bool {
        self.packets.len() >= Self::PACKETS || self.bytes.len() >= Self::BYTES
    }

    pub fn push(&mut self, time: i64, wire_length: u32, bytes: &[u8]) {
        let (start, length) = (self.bytes.len() as u32, bytes.len() as u32);
        self.bytes.extend_from_slice(bytes);
        self.packets.push(QueuedPacket { time, start, length, wire_length });
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.packets.len() * size_of::<QueuedPacket>()
    }
}

impl Queue {
    /// How many empty batches are kept.
    const SPARE: usize = 8;

    pub fn new(devices: Vec<LiveDevice>, limit: usize) -> Self {
        let device = |_| DeviceQueue {
            batches: VecDeque::new(),
            read_until: i64::MIN,
            has_ended: false,
            failure: None,
            counters: Counters::default(),
        };
        let lanes = devices.iter().map(device).collect();
        let state = Mutex::new(QueueState { queues: lanes, turn: 0, held: 0, spare: Vec::new() });
        Self { devices, state, changed: Condvar::new(), limit, at_hand: AtomicBool::new(false) }
    }

    /// Adds a batch, or counts it as dropped if the queue is full; returns an empty one.
    pub fn put(&self, device: usize, batch: Batch) -> Batch {
        let mut state = self.state.lock();
        let QueueState { queues: lanes, turn, held, spare } = &mut *state;
        let Some(device) = lanes.get_mut(device) else { return batch };
        let (packets, size) = (batch.packets.len() as u64, batch.size());
        if *held + size > self.limit {
            device.counters.dropped_by_us += packets;
            return emptied(batch);
        }
        *held += size;
        device.counters.delivered += packets;
        device.batches.push_back(batch);
        *turn += 1;
        self.changed.notify_all();
        spare.pop().unwrap_or_default()
    }

    /// Sets how far a device has been read: no packet from before `time` will come.
    pub fn reach(&self, device: usize, time: i64) {
        let mut state = self.state.lock();
        if let Some(device) = state.queues.get_mut(device) {
            device.read_until = time;
        }
        self.notify(&mut state);
    }

    /// Updates the counters of a device.
    pub fn count(&self, device: usize, change: impl FnOnce(&mut Counters)) {
        if let Some(device) = self.state.lock().queues.get_mut(device) {
            change(&mut device.counters);
        }
    }

    /// Marks a device as ended.
    pub fn end(&self, device: usize, failure: Option<String>) {
        let mut state = self.state.lock();
        if let Some(device) = state.queues.get_mut(device) {
            (device.has_ended, device.failure) = (true, failure);
        }
        self.notify(&mut state);
    }

    /// The next batch of a device; takes back an empty one for reuse.
    pub fn take_batch(&self, device: usize, empty: Option<Batch>) -> Taken {
        let mut state = self.state.lock();
        let QueueState { queues: lanes, held, spare, .. } = &mut *state;
        spare.extend(empty.filter(|_| spare.len() < Self::SPARE).map(emptied));
        let Some(device) = lanes.get_mut(device) else { return Taken::End(None) };
        if let Some(batch) = device.batches.pop_front() {
            *held -= batch.size();
            return Taken::Batch(batch);
        }
        if device.has_ended {
            Taken::End(device.failure.take())
        } else {
            Taken::Nothing(device.read_until)
        }
    }

    /// Number of notifications so far.
    pub fn turn(&self) -> u64 {
        self.state.lock().turn
    }

    /// Waits for a notification after the number `turn`.
    pub fn wait(&self, turn: u64) {
        let mut state = self.state.lock();
        self.changed.wait_while(&mut state, |state| state.turn == turn);
    }

    /// Waits until all devices have ended.
    pub fn wait_for_end(&self) {
        let mut state = self.state.lock();
        while !state.queues.iter().all(|device| device.has_ended) {
            self.changed.wait(&mut state);
        }
    }

    /// How many packets of a device were to be read from the kernel, by its latest count.
    pub fn to_read(&self, device: usize) -> u64 {
        let counters = self.counters().get(device).copied().unwrap_or_default();
        counters.received.saturating_sub(counters.dropped_by_kernel)
    }

    /// How many packets of a device were read.
    pub fn packets_read(&self, device: usize) -> u64 {
        let counters = self.counters().get(device).copied().unwrap_or_default();
        counters.delivered + counters.dropped_by_us
    }

    pub fn is_empty(&self) -> bool {
        !self.at_hand.load(Ordering::Relaxed) && self.state.lock().held == 0
    }

    pub fn counters(&self) -> Vec<Counters> {
        self.state.lock().queues.iter().map(|device| device.counters).collect()
    }

    fn notify(&self, state: &mut QueueState) {
        state.turn += 1;
        self.changed.notify_all();
    }
}

fn emptied(mut batch: Batch) -> Batch {
    batch.bytes.clear();
    batch.packets.clear();
    batch
}
