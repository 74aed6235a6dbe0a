//! The output of `decode --count`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde::Serialize;

use analysis::SessionCounts;

/// The label of datagrams of running games, which are counted and not decoded.
const IN_GAME: &str = "(in-game)";

/// Counts as text: a line per number, then a line per message, by game and name.
pub struct CountsText<'a>(pub &'a SessionCounts);

/// The same as one JSON object: `{"packets": 9, …, "messages": {"quake3": {"getinfo": 2}}}`.
#[derive(Serialize)]
pub struct CountsJson {
    packets: u64,
    datagrams: u64,
    segments: u64,
    flows: u64,
    messages: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    in_game: BTreeMap<&'static str, u64>,
}

impl fmt::Display for CountsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SessionCounts { packets, datagrams, segments, flows, messages, in_game } = self.0;
        let sum = messages.values().sum();
        for (name, count) in [
            ("packets", *packets),
            ("datagrams", *datagrams),
            ("segments", *segments),
            ("flows", *flows),
            ("messages", sum),
        ] {
            writeln!(f, "{name:<10} {count:>10}")?;
        }
        let rows = messages.iter().map(|((game, name), count)| (*game, *name, *count));
        let rows = rows.chain(in_game.iter().map(|(game, count)| (*game, IN_GAME, *count)));
        let Some(game) = rows.clone().map(|(game, ..)| game.len()).max() else {
            return Ok(());
        };
        let name = rows.clone().map(|(_, name, _)| name.len()).max().unwrap_or_default();
        f.write_char('\n')?;
        rows.into_iter().try_for_each(|(of, message, count)| {
            writeln!(f, "{of:<game$}  {message:<name$}  {count:>10}")
        })
    }
}

impl From<&SessionCounts> for CountsJson {
    fn from(counts: &SessionCounts) -> Self {
        let mut messages: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for ((game, message), count) in &counts.messages {
            messages.entry(*game).or_default().insert(*message, *count);
        }
        let SessionCounts { packets, datagrams, segments, flows, .. } = *counts;
        let in_game = counts.in_game.clone();
        Self { packets, datagrams, segments, flows, messages, in_game }
    }
}
