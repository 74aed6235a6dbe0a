//! Sets of games of one protocol.

use std::fmt;

use smallvec::SmallVec;

use super::{Confidence, Game, Protocol};

/// Games that something indicates, a set for each strength.
pub type IndicatedGames = SmallVec<[(Confidence, GameSet); 2]>;

/// Games of one protocol; of a protocol with more than 64 games, the first 64.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GameSet {
    protocol: &'static Protocol,
    /// A bit for each game, in the order of the protocol's games.
    bits: u64,
}

impl GameSet {
    /// One game, if it is one of the protocol.
    #[inline]
    pub fn of_game(protocol: &'static Protocol, game: &Game) -> Option<Self> {
        let at = protocol.games.iter().position(|known| *known == game)?;
        Some(Self { protocol, bits: bit(at) })
    }

    /// Games by their places among the protocol's, in order, and how strongly each is indicated: a
    /// set for each strength. Of several for one game the strongest counts.
    pub(super) fn by(
        protocol: &'static Protocol,
        indicated: impl Iterator<Item = (usize, Confidence)>,
    ) -> IndicatedGames {
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
    #[must_use]
    #[inline]
    pub fn or(self, other: Self) -> Self {
        let others = if self.protocol == other.protocol { other.bits } else { 0 };
        Self { bits: self.bits | others, ..self }
    }

    /// Those that are in both.
    #[must_use]
    #[inline]
    pub fn and(self, other: Self) -> Self {
        let others = if self.protocol == other.protocol { other.bits } else { 0 };
        Self { bits: self.bits & others, ..self }
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The games, in the order of the protocol's.
    #[inline]
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
