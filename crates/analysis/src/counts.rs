//! Counters of a pass over the frames.

use std::collections::BTreeMap;

use flow::Flows;

/// Counters of processed frames.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FrameCounts {
    pub packets: u64,
    pub datagrams: u64,
    pub segments: u64,
}

/// Totals of a capture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionCounts {
    /// Frames of the capture.
    pub packets: u64,
    /// UDP datagrams, reassembled if they were fragmented.
    pub datagrams: u64,
    /// TCP segments.
    pub segments: u64,
    /// Flows of either transport.
    pub flows: u64,
    /// Messages by game and name.
    pub messages: BTreeMap<(&'static str, &'static str), u64>,
    /// Datagrams of running games, by game: between a known server and its players, not decoded.
    pub in_game: BTreeMap<&'static str, u64>,
}

impl SessionCounts {
    pub(super) fn new(counts: FrameCounts, flows: &Flows) -> Self {
        let FrameCounts { packets, datagrams, segments } = counts;
        let (messages, in_game) = (flows.messages(), flows.in_game());
        Self { packets, datagrams, segments, flows: flows.len() as u64, messages, in_game }
    }
}
