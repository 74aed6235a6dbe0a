//! The endpoint at the head of each lifeline, and how other endpoints are named.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::SocketAddr;

use super::arrow::{Arrow, LIFELINES, index_of};
use crate::protocol::Role;

/// The endpoint at the head of each lifeline: the one with most of its messages. An arrow to or
/// from any other endpoint names that endpoint.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lifelines {
    heads: [Option<SocketAddr>; 3],
}

impl Lifelines {
    /// The heads for these arrows; of two endpoints with as many messages, the first one.
    pub fn of<'a>(arrows: impl IntoIterator<Item = Arrow<'a>>) -> Self {
        let mut seen: [HashMap<SocketAddr, (u64, usize)>; 3] = Default::default();
        for (at, arrow) in arrows.into_iter().enumerate() {
            let (from, to) = arrow.lifelines();
            for (role, end) in [(from, arrow.source), (to, arrow.destination)] {
                if let Some(counts) = seen.get_mut(index_of(role)) {
                    counts.entry(end).or_insert((0, usize::MAX - at)).0 += 1;
                }
            }
        }
        let head = |counts: HashMap<SocketAddr, (u64, usize)>| {
            // Both endpoints of one arrow come at the same position: the addresses decide.
            let best = counts.into_iter().max_by_key(|(end, count)| (*count, *end));
            best.map(|(end, _)| end)
        };
        Self { heads: seen.map(head) }
    }

    /// The endpoint named above a lifeline.
    pub fn head(&self, role: Role) -> Option<SocketAddr> {
        self.heads.get(index_of(role)).copied().flatten()
    }

    /// The lifelines with their heads, from left to right.
    pub(super) fn lifelines(&self) -> impl Iterator<Item = (Role, Option<SocketAddr>)> {
        LIFELINES.into_iter().zip(self.heads)
    }

    /// `to 192.0.2.11:27960`, `from :27951` (another port of the head's address), both, or nothing.
    pub(super) fn others(&self, arrow: &Arrow<'_>) -> String {
        let (from, to) = arrow.lifelines();
        let mut text = String::new();
        for (word, role, end) in [("from", from, arrow.source), ("to", to, arrow.destination)] {
            let head = self.head(role);
            if head == Some(end) {
                continue;
            }
            let gap = if text.is_empty() { "" } else { " " };
            text.push_str(gap);
            text.push_str(word);
            text.push(' ');
            if head.is_some_and(|head| head.ip() == end.ip()) {
                _ = write!(text, ":{}", end.port());
            } else {
                _ = write!(text, "{end}");
            }
        }
        text
    }
}
