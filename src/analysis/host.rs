//! What is known of one server, and of one master.

use std::net::SocketAddr;

use super::dealings::{Moment, RegistrationStats};
use super::facts::TextValue;
use crate::flow::Verdict;

/// A server, by the address at which it is asked.
#[derive(Debug, Clone)]
pub struct ServerHost {
    pub address: SocketAddr,
    /// The game of what it said or was asked; nothing where it was only listed.
    pub verdict: Option<Verdict>,
    /// What it said of itself, the last of each.
    pub name: Option<TextValue>,
    pub map: Option<TextValue>,
    pub protocol: Option<TextValue>,
    /// The game's name, as it told a master: `Quake3Arena`, `Xonotic`.
    pub gamename: Option<TextValue>,
    pub players: Option<i64>,
    pub places: Option<i64>,
    /// When it was first seen, by whatever.
    pub seen: Moment,
    /// When it first answered anybody.
    pub answered: Option<Moment>,
    /// Its dealings with masters, the first 16; two masters of one address are two.
    pub dealings: Vec<RegistrationStats>,
    /// When it said that it goes.
    pub goodbye: Option<Moment>,
    /// How many bytes of memory it took when it was last weighed.
    pub(super) weight: u32,
    /// There is no room for more that is known of it.
    pub(super) full: bool,
}

/// A master, by the address at which it is asked.
#[derive(Debug, Clone)]
pub struct MasterHost {
    pub address: SocketAddr,
    pub verdict: Verdict,
    pub seen: Moment,
    pub heartbeats: u64,
    /// How many lists it was asked for, and how many it gave.
    pub asked: u64,
    pub lists: u64,
    /// Of its lists: servers, packets, bytes; and bytes of the requests that they answer.
    pub servers: Range,
    pub packets: Range,
    pub bytes: Range,
    pub asked_bytes: u64,
    /// How its packets end: complete, in half a mark, without one.
    pub ends: [u64; 3],
}

/// The least, the most, and the sum of some numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Range {
    pub least: u64,
    pub most: u64,
    pub sum: u64,
}

impl ServerHost {
    /// Whether it sent anything itself: a heartbeat, an answer. Others only listed or asked it.
    pub fn spoke(&self) -> bool {
        self.answered.is_some() || self.name.is_some() || self.heartbeats() > 0
    }

    /// How many bytes of memory it takes, with its place in the table.
    pub(super) fn weigh(&self) -> u32 {
        let texts = [&self.name, &self.map, &self.protocol].into_iter().flatten();
        let texts: usize = texts.map(|text| text.len()).sum();
        let place = 2 * size_of::<(SocketAddr, Box<Self>)>();
        let dealings = size_of::<RegistrationStats>() * self.dealings.capacity();
        (size_of::<Self>() + place + dealings + texts) as u32
    }

    /// Heartbeats to all masters.
    pub fn heartbeats(&self) -> u64 {
        self.dealings.iter().map(|d| u64::from(d.heartbeats)).sum()
    }
}

impl Range {
    pub(super) fn add(&mut self, number: u64, first: bool) {
        self.least = if first { number } else { self.least.min(number) };
        self.most = self.most.max(number);
        self.sum += number;
    }
}
