//! Sets of games, and how much speaks for each.

use std::fmt;

use smallvec::SmallVec;

use super::Verdict;
use crate::protocol::{Confidence, Game, Protocol};

/// Games of one protocol; of a protocol with more than 64 games, the first 64.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameSet {
    protocol: &'static Protocol,
    /// A bit for each game, in the order of the protocol's games.
    bits: u64,
}

impl GameSet {
    /// One game, if it is one of the protocol.
    pub(super) fn of(protocol: &'static Protocol, game: &Game) -> Option<Self> {
        let at = protocol.games.iter().position(|known| *known == game)?;
        Some(Self { protocol, bits: bit(at) })
    }

    /// Games by their places among the protocol's, in order, and how strongly each is indicated: a
    /// set for each strength. Of several for one game the strongest counts.
    pub(super) fn by(
        protocol: &'static Protocol,
        indicated: impl Iterator<Item = (usize, Confidence)>,
    ) -> SmallVec<[(Confidence, Self); 2]> {
        let mut strongest: SmallVec<[(usize, Confidence); 4]> = SmallVec::new();
        for (game, confidence) in indicated {
            match strongest.last_mut() {
                Some((last, known)) if *last == game => *known = confidence.max(*known),
                _ => strongest.push((game, confidence)),
            }
        }
        let mut sets: SmallVec<[(Confidence, Self); 2]> = SmallVec::new();
        for (game, confidence) in strongest {
            match sets.iter_mut().find(|(known, _)| *known == confidence) {
                Some((_, set)) => set.bits |= bit(game),
                None => sets.push((confidence, Self { protocol, bits: bit(game) })),
            }
        }
        sets
    }

    /// Those of both; of another protocol's, only these.
    pub(super) fn or(self, other: Self) -> Self {
        let others = if self.protocol == other.protocol { other.bits } else { 0 };
        Self { bits: self.bits | others, ..self }
    }

    /// Those that are in both.
    pub(super) fn and(self, other: Self) -> Self {
        let others = if self.protocol == other.protocol { other.bits } else { 0 };
        Self { bits: self.bits & others, ..self }
    }

    /// Whether there are none.
    pub(super) fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The games, in the order of the protocol's.
    pub fn iter(self) -> impl Iterator<Item = &'static Game> {
        let games = self.protocol.games.iter().enumerate();
        games.filter(move |(at, _)| self.bits & bit(*at) != 0).map(|(_, game)| *game)
    }
}

fn bit(at: usize) -> u64 {
    1_u64.checked_shl(at as u32).unwrap_or(0)
}

impl fmt::Display for GameSet {
    /// `quake3, urban-terror`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, game) in self.iter().enumerate() {
            write!(f, "{}{}", if n > 0 { ", " } else { "" }, game.id)?;
        }
        Ok(())
    }
}

/// How many reasons of each strength speak for each game: a byte for each strength, the strongest
/// first, so that the larger number is the likelier game.
#[derive(Debug, Default)]
pub(super) struct GameWeights {
    all: SmallVec<[(&'static Game, u64); 4]>,
}

impl GameWeights {
    /// Adds a reason for these games.
    pub fn add(&mut self, games: GameSet, confidence: Confidence) {
        let one = 1 << (u8::BITS * confidence as u32);
        for game in games.iter() {
            match self.all.iter_mut().find(|(known, _)| *known == game) {
                Some((_, weight)) => *weight = weight.saturating_add(one),
                None => self.all.push((game, one)),
            }
        }
    }

    /// Keeps the games that are in `protocol`.
    pub fn of(mut self, protocol: &Protocol) -> Self {
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
