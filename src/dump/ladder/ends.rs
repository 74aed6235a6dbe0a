//! Who stands at the head of each lifeline, and how the others are named.

use std::collections::HashMap;
use std::net::SocketAddr;

use super::{LANES, Rung, place};
use crate::proto::Party;

/// The endpoint at the head of each lifeline: the one that has most of its messages. An arrow that
/// goes to or from any other endpoint names it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ends {
    heads: [Option<SocketAddr>; 3],
}

impl Ends {
    /// The heads of these rungs; where two endpoints have as many messages, the first one.
    pub fn of<'a>(rungs: impl IntoIterator<Item = Rung<'a>>) -> Self {
        let mut seen: [HashMap<SocketAddr, (u64, usize)>; 3] = Default::default();
        for (at, rung) in rungs.into_iter().enumerate() {
            let (from, to) = rung.lanes();
            for (party, end) in [(from, rung.source), (to, rung.destination)] {
                if let Some(lane) = seen.get_mut(place(party)) {
                    lane.entry(end).or_insert((0, usize::MAX - at)).0 += 1;
                }
            }
        }
        let head = |lane: HashMap<SocketAddr, (u64, usize)>| {
            // Both ends of one rung have one place: the addresses settle that.
            let best = lane.into_iter().max_by_key(|(end, count)| (*count, *end));
            best.map(|(end, _)| end)
        };
        Self { heads: seen.map(head) }
    }

    /// Who is named above a lifeline.
    pub fn head(&self, party: Party) -> Option<SocketAddr> {
        self.heads.get(place(party)).copied().flatten()
    }

    /// The lifelines with their heads, from left to right.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (Party, Option<SocketAddr>)> {
        LANES.into_iter().zip(self.heads)
    }

    /// `to 192.0.2.11:27960`, `from :27951` (another port of the head's address), both, or nothing.
    pub(super) fn others(&self, rung: &Rung<'_>) -> String {
        let (from, to) = rung.lanes();
        let mut text = String::new();
        for (word, party, end) in [("from", from, rung.source), ("to", to, rung.destination)] {
            let head = self.head(party);
            if head == Some(end) {
                continue;
            }
            let gap = if text.is_empty() { "" } else { " " };
            text.push_str(gap);
            text.push_str(word);
            text.push(' ');
            if head.is_some_and(|head| head.ip() == end.ip()) {
                text.push_str(&format!(":{}", end.port()));
            } else {
                text.push_str(&end.to_string());
            }
        }
        text
    }
}
