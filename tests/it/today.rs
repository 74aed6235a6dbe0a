//! What today's engines, clients and masters send, each alone in a capture of its own: on its ports,
//! and on ports that no game has. `tests/data/today.jsonl` has the bytes, built from the sources of the
//! programs that `origin` names, and the game and message to show. `UPDATE=1` writes
//! `docs/reference/today.md`, one row per message, again.

use std::fmt::Write as _;

use fragshark::protocol::Protocol;
use fragshark::protocols::registry;

use crate::corpus::{Documented, today};
use crate::documents;
use crate::expected::{ELSEWHERE, Seen, capture, documented_ports, run};
use crate::fuzz_corpus::fuzz::laws::Laws;

/// Messages whose game neither their bytes nor their ports tell, and the game that is shown: that
/// whose ports they are, or whose name the tag is that many games send.
const UNTOLD: &[(&str, &str)] = &[
    ("today/unvanquished/getserversExtResponse/4", "quake3"),
    ("today/darkplaces/getserversExtResponse/1", "quake3"),
    ("today/darkplaces/getserversExtResponse/2", "quake3"),
    ("today/unvanquished/getstatus/1", "quake3"),
    ("today/unvanquished/rcon/1", "quake3"),
    ("today/unvanquished/rcon-reply/1", "quake3"),
    ("today/unvanquished/rcon-error/1", "quake3"),
    ("today/unvanquished/getchallenge/1", "quake3"),
    ("today/enemy-territory/getchallenge/1", "quake3"),
    ("today/urban-terror/getIpAuthorize/1", "quake3"),
    ("today/openarena/heartbeat/1", "darkplaces"),
    ("today/smokin-guns/heartbeat/1", "darkplaces"),
    ("today/quake3/heartbeat/1", "darkplaces"),
    ("today/iw4x/getinfo/1", "call-of-duty-4"),
    ("today/xash3d/challenge/2", "half-life"),
    ("today/xash3d/shutdown/1", "half-life"),
    ("today/xash3d/list/2", "half-life"),
];

/// Messages that the documents name otherwise: a list of addresses of six bytes, players in a later
/// part of a reply, two queries in one message.
const DOCUMENTED_NAMES: &[(&str, &str)] = &[
    ("today/gamespy/tcp-list/2", "TCP compressed list"),
    ("today/bf1942/status-reply/2", "players"),
    ("today/gamespy/basic/1", "basic+info"),
];

/// Protocols that stand in place of the game, which is that of the ports or of the bytes.
const PROTOCOLS_OF_MANY: [&str; 5] = ["source", "gamespy2", "gamespy3", "qr2", "gamespy-list"];

/// The name to be shown.
fn name(m: &Documented) -> &str {
    DOCUMENTED_NAMES.iter().find(|(id, _)| *id == m.id).map_or(&m.name, |(_, name)| name)
}

/// The games that may be shown for a message on its ports; none if any may.
fn games<'a>(m: &'a Documented, all: &'a [Documented]) -> Vec<&'a str> {
    if let Some((_, game)) = UNTOLD.iter().find(|(id, _)| *id == m.id) {
        return vec![game];
    }
    // Several games send the same bytes between the same ports.
    let same = all.iter().filter(|other| other.bytes == m.bytes);
    let same = same.filter(|other| documented_ports(other) == documented_ports(m));
    let mut games: Vec<&str> = same.map(|other| other.game.as_str()).collect();
    // Where a protocol stands in place of a game, one of its games may be shown.
    let is_of = |p: &&&Protocol| PROTOCOLS_OF_MANY.contains(&p.id) && games.contains(&p.id);
    let of_many: Vec<_> = registry().protocols().iter().filter(is_of).collect();
    games.extend(of_many.iter().flat_map(|p| p.games).map(|game| game.id));
    // dpmaster's protocol is that of any game, and GameSpy's where the bytes tell no more.
    let is_any = games.iter().any(|game| matches!(*game, "dpmaster" | "gamespy"));
    if is_any { Vec::new() } else { games }
}

#[test]
fn every_message_of_today_comes_out_as_expected() {
    let mut wrong = Vec::new();
    let all = today();
    for (n, m) in all.iter().enumerate() {
        let host = u8::try_from(n % 100 + 1).unwrap();
        let seen = run(m, capture(m, host, documented_ports(m)));
        let games = games(m, &all);
        let is_right = |(shown, called): &(String, String)| {
            called == name(m) && (games.is_empty() || games.contains(&shown.as_str()))
        };
        if !seen.as_ref().is_some_and(is_right) {
            wrong.push(format!("{}: {seen:?}, not {games:?} {}", m.id, name(m)));
        }
        // Elsewhere, a message keeps its name, or one that the same bytes have, or is not recognised.
        let elsewhere = run(m, capture(m, host, ELSEWHERE));
        let same = |called: &str| all.iter().any(|o| o.bytes == m.bytes && name(o) == called);
        if elsewhere.as_ref().is_some_and(|(_, called)| !same(called)) {
            wrong.push(format!("{} elsewhere: {elsewhere:?}, not {}", m.id, name(m)));
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
        "Each example is alone in a capture of its own. The table says what fragshark makes of it on \
         the ports of its game, and on ports that no game has. All of them decode to their last byte \
         and encode back to the same bytes.\n\n\
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
    documents::check_reference("today.md", &page);
}
