//! The queues of all devices merged in time order.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::super::warning::{Damage, Warning};
use super::super::{Comments, Frame};
use super::queue::{Batch, Queue, QueuedPacket, Taken};

/// The frames of all devices, in the order of their times.
///
/// A frame is returned when no other device can have an earlier one. Times are the kernel's; if its
/// clock is set back, frames keep the order of their arrival.
pub(in super::super) struct LiveSource {
    queue: Arc<Queue>,
    heads: Vec<DeviceHead>,
    /// The device whose frame is ready.
    current: Option<usize>,
}

/// The current batch of one device.
#[derive(Default)]
struct DeviceHead {
    batch: Batch,
    /// The next packet of the batch.
    next: usize,
    has_ended: bool,
    /// All packets before this time have been read.
    read_until: i64,
}

impl DeviceHead {
    fn packet(&self) -> Option<&QueuedPacket> {
        self.batch.packets.get(self.next)
    }
}

impl LiveSource {
    pub(super) fn new(queue: Arc<Queue>) -> Self {
        let heads = queue.devices.iter().map(|_| DeviceHead::default()).collect();
        Self { queue, heads, current: None }
    }

    /// Waits for the next frame and returns its time; nothing when all devices are closed.
    #[inline]
    pub fn advance(&mut self, warnings: &mut Vec<Warning>) -> Option<i64> {
        if let Some(device) = self.current.take().and_then(|device| self.heads.get_mut(device)) {
            device.next += 1;
        }
        loop {
            let turn = self.queue.turn();
            for index in 0..self.heads.len() {
                self.refill(index, warnings);
            }
            let ready = self.heads.iter().enumerate();
            let ready = ready.filter_map(|(at, device)| Some((device.packet()?.time, at)));
            if let Some((time, at)) = ready.min() {
                let waits = |device: &DeviceHead| device.packet().is_none() && !device.has_ended;
                if !self.heads.iter().any(|device| waits(device) && device.read_until <= time) {
                    self.current = Some(at);
                    let more = |(index, device): (usize, &DeviceHead)| {
                        device.batch.packets.len() > device.next + usize::from(index == at)
                    };
                    let at_hand = self.heads.iter().enumerate().any(more);
                    self.queue.at_hand.store(at_hand, Ordering::Relaxed);
                    return Some(time);
                }
            } else if self.heads.iter().all(|device| device.has_ended) {
                return None;
            }
            self.queue.wait(turn);
        }
    }

    /// The frame that is ready.
    #[inline]
    pub fn frame(&self, number: u64, input: usize) -> Option<Frame<'_>> {
        let index = self.current?;
        let device = self.heads.get(index)?;
        let QueuedPacket { time, start, length, wire_length } = *device.packet()?;
        let bytes = device.batch.bytes.get(start as usize..(start + length) as usize)?;
        let (link, interface) = (self.queue.devices.get(index)?.link, index as u16);
        let wire_length = wire_length.max(length);
        let comments = Comments::default();
        let byte_range = None;
        Some(Frame {
            number,
            time,
            link,
            fcs: 0,
            bytes,
            wire_length,
            byte_range,
            comments,
            interface,
            input: input as u16,
        })
    }

    /// Fetches the next batch of a device when it has used up the last.
    #[inline]
    fn refill(&mut self, index: usize, warnings: &mut Vec<Warning>) {
        let Some(device) = self.heads.get_mut(index) else { return };
        if device.has_ended || device.packet().is_some() {
            return;
        }
        let empty = std::mem::take(&mut device.batch);
        device.next = 0;
        match self.queue.take_batch(index, Some(empty)) {
            Taken::Batch(batch) => device.batch = batch,
            Taken::Nothing(until) => device.read_until = until,
            Taken::End(failure) => {
                device.has_ended = true;
                let input = self.queue.devices.get(index).map(|t| t.name.clone());
                let input = input.unwrap_or_default();
                let statistics = |why| Warning { input, offset: 0, damage: Damage::Device(why) };
                warnings.extend(failure.map(statistics));
            }
        }
    }
}
