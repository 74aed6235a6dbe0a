//! How much speaks for each game.

use smallvec::SmallVec;

use super::Verdict;
use protocol::{Confidence, Game, GameSet, Protocol};

/// How many reasons of each strength speak for each game: a byte for each strength, the strongest
/// first, so that the larger number is the likelier game.
#[derive(Debug, Default)]
pub(super) struct GameWeights {
    all: SmallVec<[(&'static Game, u64); 4]>,
}

impl GameWeights {
    /// Adds a reason for these games.
    pub fn add_games(&mut self, games: GameSet, confidence: Confidence) {
        let one = 1 << (u8::BITS * confidence as u32);
        for game in games.iter() {
            match self.all.iter_mut().find(|(known, _)| *known == game) {
                Some((_, weight)) => *weight = weight.saturating_add(one),
                None => self.all.push((game, one)),
            }
        }
    }

    /// Keeps the games that are in `protocol`.
    pub fn within(mut self, protocol: &Protocol) -> Self {
        self.all.retain(|(game, _)| protocol.games.contains(game));
        self
    }

    /// The likeliest game; among equals that with the largest `tie`, then the first.
    pub fn best(&self, tie: impl Fn(&Game) -> usize) -> Option<Verdict> {
        let best = self.all.iter().map(|(_, weight)| *weight).max()?;
        let equal = self.all.iter().rev().filter(|(_, weight)| *weight == best);
        let (game, weight) = equal.max_by_key(|(game, _)| tie(game))?;
        let strongest = (u64::BITS - 1 - weight.leading_zeros()) / u8::BITS;
        let confidence = *Confidence::ALL.get(strongest as usize)?;
        Some(Verdict { game, confidence })
    }

    /// Whether nothing speaks for any game.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
