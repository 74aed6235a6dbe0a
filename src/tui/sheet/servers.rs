//! The table of servers: their own values, and their registrations with masters.

use super::ink::{bad, bold, dim, end, game_text, good, moment, odd, plain, span};
use super::{RowFormat, Runs, TableColumn, address, left, right};
use crate::analysis::{
    AnalysisIndex, Exchange, Intervals, Left, Moment, RegistrationStats, ServerHost,
};
use crate::protocol::Role;
use crate::tui::text::counted;

/// The documented time between heartbeats (document 001, section 1.2.9), in nanoseconds.
const INTERVAL: i64 = 300_000_000_000;

pub const COLUMNS: &[TableColumn] = &[
    address("address"),
    left("game", 6).from(100),
    left("name", 8).growing(),
    left("map", 5),
    right("players", 3),
    right("prot", 2),
    right("beats", 2),
    right("every", 5),
    left("listed", 3),
    left("left", 4),
];

pub fn cells(books: &AnalysisIndex, server: &ServerHost, manner: RowFormat) -> Vec<Runs> {
    let game = server.verdict.map(|verdict| verdict.game);
    let number = |n: Option<i64>| n.map_or("?".to_owned(), |n| n.to_string());
    let players = match (server.players, server.max_players) {
        (None, None) => String::new(),
        (players, None) => number(players),
        (players, places) => format!("{}/{}", number(players), number(places)),
    };
    let beats = server.heartbeats();
    let left = match books.hosts().how_it_left(server) {
        Some(Left::Shutdown(_)) => plain("said so"),
        Some(Left::Silence(_)) => odd("silent"),
        None => plain(""),
    };
    vec![
        vec![end(Some(Role::Server), server.address.to_string())],
        vec![plain(game.map_or("", |game| game.id))],
        game_text(server.name.as_ref(), game, manner),
        game_text(server.map.as_ref(), game, manner),
        vec![plain(players)],
        game_text(server.protocol.as_ref(), game, manner),
        vec![if beats > 0 { plain(beats.to_string()) } else { dim("0") }],
        vec![interval(server)],
        vec![listed(server)],
        vec![left],
    ]
}

/// The mean interval of the first master with several heartbeats.
fn interval(server: &ServerHost) -> super::TextRun {
    let mean = server.registrations.iter().find_map(|dealings| Some(dealings.intervals?.mean));
    match mean {
        None => plain(""),
        Some(mean) if (mean - INTERVAL).abs() <= INTERVAL / 10 => plain(span(mean)),
        Some(mean) => odd(span(mean)),
    }
}

fn listed(server: &ServerHost) -> super::TextRun {
    let is_listed = server.registrations.iter().any(|dealings| dealings.first_listed.is_some());
    match (is_listed, server.heartbeats()) {
        (true, _) => good("yes"),
        (false, 0) => dim("no"),
        (false, _) => bad("no"),
    }
}

/// Its values, and its registration with each master.
pub fn details(books: &AnalysisIndex, server: &ServerHost, manner: RowFormat) -> Vec<Runs> {
    let game = server.verdict.map(|verdict| verdict.game);
    let mut first = vec![
        end(Some(Role::Server), server.address.to_string()),
        plain("  "),
        bold(game.map_or("game unknown", |game| game.title)),
        plain("  "),
    ];
    first.extend(game_text(server.name.as_ref(), game, manner));
    let mut lines = vec![first];
    let answered = match server.answered {
        Some(answered) => format!("first answered in {}", moment(answered, manner)),
        None => "answered nobody".to_owned(),
    };
    let seen = moment(server.seen, manner);
    lines.push(vec![plain(format!("first seen in {seen}; {answered}"))]);
    match books.hosts().how_it_left(server) {
        Some(Left::Shutdown(last)) => {
            lines.push(vec![plain(format!("said that it goes in {}", moment(last, manner)))]);
        }
        Some(Left::Silence(last)) => {
            let last = moment(last, manner);
            lines.push(vec![odd(format!("silent for 15 minutes and more after {last}"))]);
        }
        None => {}
    }
    if server.registrations.is_empty() {
        let why =
            "no heartbeat of it and no list with it was captured: no master knows it from here";
        lines.push(vec![plain(why)]);
    }
    for dealings in &server.registrations {
        lines.push(Vec::new());
        lines.extend(with_master(books, server, dealings, manner));
    }
    lines
}

/// One master: heartbeats, how they were challenged, and whether it lists the server, or why not.
fn with_master(
    books: &AnalysisIndex,
    server: &ServerHost,
    dealings: &RegistrationStats,
    manner: RowFormat,
) -> Vec<Runs> {
    let master = dealings.master;
    let mut lines = vec![vec![bold("master "), end(Some(Role::Master), master.to_string())]];
    let mut say = |run| lines.push(vec![plain("  "), run]);
    let at = |what| moment(what, manner);
    match (dealings.first_heartbeat, dealings.last_heartbeat) {
        (Some(first), Some(last)) if dealings.heartbeats > 1 => say(plain(format!(
            "{}, from {} to {}",
            counted(dealings.heartbeats.into(), "heartbeat"),
            at(first),
            at(last)
        ))),
        (Some(first), _) => say(plain(format!("1 heartbeat, {}", at(first)))),
        _ => say(plain("no heartbeat was captured")),
    }
    if let Some(Intervals { mean, shortest, longest, .. }) = dealings.intervals {
        let [mean, shortest, longest] = [mean, shortest, longest].map(span);
        let text = format!("every {mean}, {shortest} to {longest}; documented: every 300 s");
        say(plain(text));
    }
    if let Some(challenged) = dealings.challenged {
        say(plain(format!("asked back in {}", at(challenged))));
    }
    if let Some(verified) = dealings.verified {
        say(plain(format!("answered rightly in {}", at(verified))));
    }
    match (dealings.first_listed, dealings.last_listed) {
        (Some(first), Some(last)) if first != last => {
            say(good(format!("listed, from {} to {}", at(first), at(last))));
        }
        (Some(first), _) => say(good(format!("listed, in {}", at(first)))),
        (None, _) => {
            say(bad(format!("not listed: {}", why_not(books, server, dealings))));
        }
    }
    lines
}

/// The step of the registration that failed.
fn why_not(books: &AnalysisIndex, server: &ServerHost, dealings: &RegistrationStats) -> String {
    let is_ours =
        |e: &&Exchange| e.server == Some(server.address) && e.responder == dealings.master;
    let error = books.exchanges().iter().filter(is_ours).find_map(|e| e.errors.first());
    if let (None, Some(error)) = (dealings.challenged, error) {
        return format!("its heartbeats did not arrive: {}", error.what);
    }
    let lists = books.hosts().master(dealings.master).map_or(0, |master| master.lists);
    let why = match (dealings.challenged, dealings.verified) {
        (_, Some(_)) if lists > 0 => "it registered, but no list of this master has it",
        (_, Some(_)) => "it registered, and no list of this master was captured",
        (Some(_), None) => "asked back, it gave no right answer",
        (None, None) => "its heartbeats were not answered",
    };
    why.to_owned()
}

/// The frames of all its messages, and of the first and last list that has it.
pub fn numbers(books: &AnalysisIndex, server: &ServerHost) -> Vec<u64> {
    let about = books.exchanges().iter().filter(|e| e.server == Some(server.address));
    let mut numbers: Vec<_> = about.flat_map(Exchange::numbers).collect();
    let of = |d: &RegistrationStats| {
        [d.first_heartbeat, d.last_heartbeat, d.first_listed, d.last_listed]
    };
    numbers.extend(server.registrations.iter().flat_map(of).flatten().map(Moment::number));
    numbers.push(server.seen.number());
    numbers
}
