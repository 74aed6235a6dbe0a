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
    lanes: Vec<DeviceHead>,
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
        let lanes = queue.tapped.iter().map(|_| DeviceHead::default()).collect();
        Self { queue, lanes, current: None }
    }

    /// Waits for the next frame and returns its time; nothing when all devices are closed.
    #[inline]
    pub fn advance(&mut self, warnings: &mut Vec<Warning>) -> Option<i64> {
        if let Some(lane) = self.current.take().and_then(|lane| self.lanes.get_mut(lane)) {
            lane.next += 1;
        }
        loop {
            let turn = self.queue.turn();
            for index in 0..self.lanes.len() {
                self.refill(index, warnings);
            }
            let ready = self.lanes.iter().enumerate();
            let ready = ready.filter_map(|(at, lane)| Some((lane.packet()?.time, at)));
            if let Some((time, at)) = ready.min() {
                let waits = |lane: &DeviceHead| lane.packet().is_none() && !lane.has_ended;
                if !self.lanes.iter().any(|lane| waits(lane) && lane.read_until <= time) {
                    self.current = Some(at);
                    let more = |(index, lane): (usize, &DeviceHead)| {
                        lane.batch.packets.len() > lane.next + usize::from(index == at)
                    };
                    let at_hand = self.lanes.iter().enumerate().any(more);
                    self.queue.at_hand.store(at_hand, Ordering::Relaxed);
                    return Some(time);
                }
            } else if self.lanes.iter().all(|lane| lane.has_ended) {
                return None;
            }
            self.queue.wait(turn);
        }
    }

    /// The frame that is ready.
    #[inline]
    pub fn frame(&self, number: u64) -> Option<Frame<'_>> {
        let index = self.current?;
        let lane = self.lanes.get(index)?;
        let QueuedPacket { time, start, length, wire_length } = *lane.packet()?;
        let bytes = lane.batch.bytes.get(start as usize..(start + length) as usize)?;
        let (link, interface) = (self.queue.tapped.get(index)?.link, index as u16);
        let wire_length = wire_length.max(length);
        let comments = Comments::default();
        let place = None;
        Some(Frame { number, time, link, fcs: 0, bytes, wire_length, place, comments, interface })
    }

    /// Fetches the next batch of a device when it has used up the last.
    #[inline]
    fn refill(&mut self, index: usize, warnings: &mut Vec<Warning>) {
        let Some(lane) = self.lanes.get_mut(index) else { return };
        if lane.has_ended || lane.packet().is_some() {
            return;
        }
        let empty = std::mem::take(&mut lane.batch);
        lane.next = 0;
        match self.queue.take(index, Some(empty)) {
            Taken::Batch(batch) => lane.batch = batch,
            Taken::Nothing(until) => lane.read_until = until,
            Taken::End(failure) => {
                lane.has_ended = true;
                let input = self.queue.tapped.get(index).map(|t| t.name.clone());
                let input = input.unwrap_or_default();
                let said = |why| Warning { input, offset: 0, damage: Damage::Device(why) };
                warnings.extend(failure.map(said));
            }
        }
    }
}
