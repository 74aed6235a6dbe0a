//! Which games a master lists, with the syntax of dpmaster's option (its doc/manual.txt, 5).

use std::collections::BTreeSet;

/// Games to accept, with all others rejected, or the reverse. Names are case-sensitive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GamePolicy {
    /// Whether `names` are accepted.
    accept: bool,
    names: BTreeSet<String>,
}

impl GamePolicy {
    /// Parses `accept NAME…` or `reject NAME…`, separated by blanks; an empty text rejects none.
    /// `None` if the first word is another, or no name follows.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let accept = match words.next() {
            None => return Some(Self::default()),
            Some("accept") => true,
            Some("reject") => false,
            Some(_) => return None,
        };
        let names: BTreeSet<_> = words.map(str::to_owned).collect();
        (!names.is_empty()).then_some(Self { accept, names })
    }

    /// Whether servers of a game are listed, and its clients get responses.
    pub fn accepts(&self, game: &[u8]) -> bool {
        let known = std::str::from_utf8(game).is_ok_and(|game| self.names.contains(game));
        known == self.accept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read_and_kept() {
        for (policy, accepted, rejected) in [
            ("", &["Quake3Arena", "x"][..], &[][..]),
            ("accept Quake3Arena Nexuiz", &["Quake3Arena", "Nexuiz"], &["nexuiz", "wolfmp", ""]),
            ("reject Nexuiz", &["nexuiz", "Quake3Arena", ""], &["Nexuiz"]),
        ] {
            let policy = GamePolicy::parse(policy).unwrap();
            assert!(accepted.iter().all(|game| policy.accepts(game.as_bytes())), "{policy:?}");
            assert!(!rejected.iter().any(|game| policy.accepts(game.as_bytes())), "{policy:?}");
        }
        for wrong in ["accept", "reject ", "Quake3Arena", "Accept x"] {
            assert_eq!(GamePolicy::parse(wrong), None, "{wrong}");
        }
    }
}
