//! The messages of all flows, and the datagrams of running games, in numbers.

use std::collections::BTreeMap;

use super::FlowId;
use super::table::Flows;
use protocols::unknown;

impl Flows {
    /// Number of recognised messages by game and name, by the verdicts so far.
    pub fn messages(&self) -> BTreeMap<(&'static str, &'static str), u64> {
        let mut messages = BTreeMap::new();
        for (id, flow) in self.iter() {
            let mut last = None;
            for (entry, name, n) in flow.messages() {
                let known = last.filter(|(protocol, _)| *protocol == entry.protocol);
                let (_, verdict) = *last.insert(
                    known.unwrap_or_else(|| (entry.protocol, self.verdict_of(id, entry.protocol))),
                );
                if let Some(verdict) = verdict {
                    *messages.entry((verdict.game.id, name)).or_insert(0) += n;
                }
            }
            let unknown = self.unknown_of(id);
            if unknown > 0
                && let Some(verdict) = self.game_of_unread(id)
            {
                let name = unknown::DATAGRAM.spec.name;
                *messages.entry((verdict.game.id, name)).or_insert(0) += unknown;
            }
        }
        messages
    }

    /// Number of datagrams of a flow that are no messages.
    pub fn unshown_of(&self, id: FlowId) -> u64 {
        let others = self.flow(id).map_or(0, |flow| flow.others);
        others.saturating_sub(self.unknown_of(id))
    }

    /// Number of datagrams of running games between servers and their players.
    pub fn in_game(&self) -> BTreeMap<&'static str, u64> {
        let mut games = BTreeMap::new();
        for (id, _) in self.iter().filter(|(_, flow)| flow.others > 0) {
            let count = self.unshown_of(id);
            if let Some(verdict) = self.in_game_of(id).filter(|_| count > 0) {
                *games.entry(verdict.game.id).or_insert(0) += count;
            }
        }
        games
    }
}
