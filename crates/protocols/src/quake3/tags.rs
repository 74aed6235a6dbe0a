//! The tags of heartbeats, with the names and protocol numbers that masters and clients use for the
//! games.
//!
//! Documents 000 (heartbeat), 001 (1.2.9, 8.1) and 004 (1) heartbeat) have those up to DarkPlaces;
//! the names are those of ioquake3 and dpmaster 2.2 (src/games.c). The other tags come from the
//! sources of Daemon and CoD4x; Call of Duty 2's is inferred from its successor's.

use super::games::{ENEMY_TERRITORY_NUMBERS, QUAKE3_NUMBERS, RTCW_NUMBERS};

/// A heartbeat's tag.
#[derive(Debug)]
pub struct Tag {
    pub word: &'static str,
    /// The game's name in requests; none if the servers report it, or if it is unknown.
    pub game: Option<&'static str>,
    /// Whether clients may request its servers by the protocol's number alone.
    pub numbered: bool,
    pub says: TagMeaning,
}

/// The state of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagMeaning {
    Alive,
    /// It is running, or shuts down and does not answer the challenge (000 heartbeat, 001 1.2.9).
    AliveOrShutdown,
    Shutdown,
}

const QUAKE3: &str = "Quake3Arena";
const RTCW: &str = "wolfmp";
const ENEMY_TERRITORY: &str = "et";
const UNVANQUISHED: &str = "UNVANQUISHED";

macro_rules! tags {
    ($($word:literal $game:expr, $numbered:literal, $says:ident, $means:literal;)+) => {
        /// Every known tag.
        pub static TAGS: &[Tag] = &[$(
            Tag { word: $word, game: $game, numbered: $numbered, says: TagMeaning::$says }
        ),+];

        /// The same with explanations for users.
        pub(super) static MEANINGS: &[(&str, &str)] = &[$(($word, $means)),+];
    };
}

tags! {
    "QuakeArena-1" Some(QUAKE3), true, AliveOrShutdown, "Quake III Arena";
    "Wolfenstein-1" Some(RTCW), true, Alive, "Return to Castle Wolfenstein";
    "WolfFlatline-1" Some(RTCW), true, Shutdown, "Return to Castle Wolfenstein, shutting down";
    "EnemyTerritory-1" Some(ENEMY_TERRITORY), true, Alive, "Enemy Territory";
    "ETFlatline-1" Some(ENEMY_TERRITORY), true, Shutdown, "Enemy Territory, shutting down";
    "DarkPlaces" None, false, Alive, "a game that names itself in its infoResponse";
    "Unvanquished" Some(UNVANQUISHED), true, Alive, "Unvanquished";
    "Unvanquished-dead" Some(UNVANQUISHED), true, Shutdown, "Unvanquished, shutting down";
    "COD-2" None, true, Alive, "Call of Duty 2";
    "COD-4" None, true, Alive, "Call of Duty 4";
    "IW4" None, false, Alive, "IW4x";
    "IW5" None, false, Alive, "IW5, with AlterWare's master";
    "IW6" None, false, Alive, "IW6x";
    "IW7" None, false, Alive, "IW7, with AlterWare's master";
    "S1" None, false, Alive, "S1x";
    "T7" None, false, Alive, "T7, with AlterWare's master";
    "flatline" None, true, Shutdown, "Call of Duty 4, shutting down";
}

/// The games that clients request by a number alone, and their numbers.
static NUMBERS: [(&str, &[&str]); 3] =
    [(QUAKE3, QUAKE3_NUMBERS), (RTCW, RTCW_NUMBERS), (ENEMY_TERRITORY, ENEMY_TERRITORY_NUMBERS)];

impl Tag {
    /// The tag with this spelling; case counts.
    pub fn named(word: &[u8]) -> Option<&'static Self> {
        TAGS.iter().find(|known| known.word.as_bytes() == word)
    }
}

/// Whether a heartbeat signals that its server shuts down.
pub(super) fn is_shutdown(heartbeat: &[u8]) -> bool {
    let mut words = heartbeat.split(|b| matches!(b, b' ' | b'\n'));
    words.nth(1).and_then(Tag::named).is_some_and(|tag| tag.says == TagMeaning::Shutdown)
}

/// The name of the game with this protocol number.
pub fn game_of(protocol: i64) -> Option<&'static str> {
    let number = protocol.to_string();
    let known = NUMBERS.iter().find(|(_, numbers)| numbers.contains(&number.as_str()));
    known.map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quake3::games::GAMES;
    use protocol::{Pattern, SignatureSource};

    #[test]
    fn every_tag_that_tells_a_game_is_known() {
        for game in GAMES {
            for signature in game.signatures {
                if let SignatureSource::Field("tag", Pattern::Is(words)) = signature.source {
                    assert!(words.iter().all(|w| Tag::named(w.as_bytes()).is_some()), "{words:?}");
                }
            }
        }
    }

    #[test]
    fn shutdowns_are_known_by_the_tag() {
        for (heartbeat, is) in [
            (&b"\xff\xff\xff\xffheartbeat ETFlatline-1\n"[..], true),
            (b"\xff\xff\xff\xffheartbeat flatline", true),
            (b"\xff\xff\xff\xffheartbeat Unvanquished-dead\n", true),
            (b"\xff\xff\xff\xffheartbeat Unvanquished\n", false),
            (b"\xff\xff\xff\xffheartbeat QuakeArena-1\n", false),
            (b"\xff\xff\xff\xffheartbeat Flatline\n", false),
        ] {
            assert_eq!(is_shutdown(heartbeat), is, "{}", heartbeat.escape_ascii());
        }
    }

    #[test]
    fn numbers_name_games() {
        for (number, game) in
            [(68, Some("Quake3Arena")), (60, Some("wolfmp")), (84, Some("et")), (3, None)]
        {
            assert_eq!(game_of(number), game);
        }
    }
}
