//! What today's engines, clients and masters send, each alone in a capture of its own: on its ports,
//! and on ports that no game has. `tests/data/today.jsonl` has the bytes, built from the sources of the
//! programs that `origin` names, and the game and message to show. `UPDATE=1` writes
//! `docs/today.md`, one row per message, again.

use std::fmt::Write as _;

use fragshark::protocols::registry;

use crate::corpus::{Documented, today};
use crate::expected::{ELSEWHERE, Seen, capture, documented_ports, run};
use crate::fuzz_corpus::fuzz::laws::Laws;
use crate::golden;

/// Messages whose game neither their bytes nor their ports tell, and the game that is shown.
const UNTOLD: &[(&str, &str)] = &[];

/// The game that is to be shown for a message on its ports; `None` if several do as well.
fn game(m: &Documented) -> Option<&str> {
    let untold = UNTOLD.iter().find(|(id, _)| *id == m.id).map(|(_, game)| *game);
    match m.game.as_str() {
        // dpmaster's protocol is that of any game, and GameSpy's where the bytes tell no more.
        "dpmaster" | "gamespy" => None,
        game => Some(untold.unwrap_or(game)),
    }
}

#[test]
fn every_message_of_today_comes_out_as_expected() {
    let mut wrong = Vec::new();
    for (n, m) in today().iter().enumerate() {
        let host = u8::try_from(n % 100 + 1).unwrap();
        let seen = run(m, capture(m, host, documented_ports(m)));
        let is_right = |(shown, name): &(String, String)| {
            *name == m.name && game(m).is_none_or(|game| game == shown)
        };
        if !seen.as_ref().is_some_and(is_right) {
            wrong.push(format!("{}: {seen:?}, not {:?} {}", m.id, m.game, m.name));
        }
        // Elsewhere, a message keeps its name, or is not recognised.
        let elsewhere = run(m, capture(m, host, ELSEWHERE));
        if elsewhere.as_ref().is_some_and(|(_, name)| *name != m.name) {
            wrong.push(format!("{} elsewhere: {elsewhere:?}, not {}", m.id, m.name));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_prefix_of_every_message_of_today_holds() {
    let mut room = Laws::default();
    for m in today() {
        let direction = m.way;
        for n in 0..=m.bytes.len() {
            let bytes = &m.bytes[..n];
            for entry in registry().recognise_all(m.carrier(), bytes, direction) {
                room.hold(entry, bytes);
            }
        }
    }
}

#[test]
fn the_page_of_today_is_fresh() {
    let mut page = String::from(
        "# Messages of today\n\nEvery example of what engines, clients and masters send today, alone in \
         a capture of its own: what fragshark makes of it on the ports of its game, and on ports that \
         no game has. All of them decode to their last byte and encode back to the same bytes. This \
         page is made by `UPDATE=1 cargo test --test it today`; a test fails when it is stale.\n\n\
         | example | bytes | on its ports | elsewhere |\n|---|---|---|---|\n",
    );
    let say = |seen: &Seen| match seen {
        Some((game, name)) => format!("{game}: `{name}`"),
        None => "not recognised".to_owned(),
    };
    for m in today() {
        let on_ports = run(&m, capture(&m, 1, documented_ports(&m)));
        let elsewhere = run(&m, capture(&m, 1, ELSEWHERE));
        let id = m.id.trim_start_matches("today/");
        writeln!(page, "| {id} | {} | {} | {} |", m.bytes.len(), say(&on_ports), say(&elsewhere))
            .unwrap();
    }
    golden::check("docs/today.md", page);
}
