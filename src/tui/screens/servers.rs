//! The table of servers: their own values, and their registrations with masters.

use std::borrow::Cow;

use super::cell::{bad, bold, dim, endpoint, game_text, good, moment, odd, plain};
use super::related::{RelatedMessages, numbers_where};
use super::table::TableContent;
use crate::analysis::{
    AnalysisIndex, ExchangeRecord, Intervals, Moment, RegistrationStats, SILENCE, ServerHost,
    Session, ShutdownKind,
};
use crate::flow::Flows;
use crate::protocol::Role;
use crate::render::TextRun;
use crate::text::duration;
use crate::tui::text::counted;
use crate::tui::view_state::ViewState;
use crate::tui::widgets::table::{Runs, TableColumn, address, left, right};

/// The documented interval of heartbeats (document 001, section 1.2.9), in nanoseconds.
const INTERVAL: i64 = 300_000_000_000;

pub struct ServersTable;

impl TableContent for ServersTable {
    type Row = ServerHost;
    const NOUN: &'static str = "server";
    const NAME: &'static str = "servers";
    const COLUMNS: &'static [TableColumn] = &[
        address("address"),
        left("game", 6).from(100),
        left("name", 8).growing(0),
        left("map", 5),
        right("players", 3),
        right("prot", 2),
        right("heartbeats", 10),
        right("interval", 5).from(90),
        left("listed", 3),
        left("shutdown", 8),
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(AnalysisIndex::servers)
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, ServerHost>> {
        session.index()?.server(at).map(Cow::Borrowed)
    }

    fn cells(server: &ServerHost, session: &Session, view: &ViewState) -> Vec<Runs> {
        let game = server.verdict.map(|verdict| verdict.game);
        let number = |n: Option<i64>| n.map_or("?".to_owned(), |n| n.to_string());
        let players = match (server.players, server.max_players) {
            (None, None) => String::new(),
            (players, None) => number(players),
            (players, places) => format!("{}/{}", number(players), number(places)),
        };
        let shutdown = match session.index().and_then(|index| index.hosts().shutdown_of(server)) {
            Some(ShutdownKind::Shutdown(_)) => plain("yes"),
            Some(ShutdownKind::Silence(_)) => odd("silent"),
            None => plain(""),
        };
        let heartbeats = server.heartbeats();
        let text = |value| game_text(value, game, view.format.texts);
        vec![
            vec![endpoint(Some(Role::Server), server.address.to_string())],
            vec![plain(game.map_or("", |game| game.id))],
            text(server.name.as_ref()),
            text(server.map.as_ref()),
            vec![plain(players)],
            text(server.protocol.as_ref()),
            vec![if heartbeats > 0 { plain(heartbeats.to_string()) } else { dim("0") }],
            vec![interval(server)],
            vec![listed(server)],
            vec![shutdown],
        ]
    }

    /// Its values, and its registration with each master.
    fn details(server: &ServerHost, session: &Session, view: &ViewState, _: usize) -> Vec<Runs> {
        let Some(index) = session.index() else {
            return Vec::new();
        };
        let game = server.verdict.map(|verdict| verdict.game);
        let mut first = vec![
            endpoint(Some(Role::Server), server.address.to_string()),
            plain("  "),
            bold(game.map_or("game unknown", |game| game.title)),
            plain("  "),
        ];
        first.extend(game_text(server.name.as_ref(), game, view.format.texts));
        let mut lines = vec![first];
        let at = |what| moment(what, view);
        let answered = match server.answered {
            Some(answered) => format!("first response in {}", at(answered)),
            None => "no response".to_owned(),
        };
        lines.push(vec![plain(format!("first seen in {}; {answered}", at(server.seen)))]);
        lines.extend(index.hosts().shutdown_of(server).map(|left| {
            vec![match left {
                ShutdownKind::Shutdown(last) => {
                    plain(format!("announced its shutdown in {}", at(last)))
                }
                ShutdownKind::Silence(last) => {
                    odd(format!("no message for {} after {}", duration(SILENCE), at(last)))
                }
            }]
        }));
        if server.registrations.is_empty() {
            lines.push(vec![plain("no heartbeat of this server and no list with it was captured")]);
        }
        for registration in &server.registrations {
            lines.push(Vec::new());
            lines.extend(with_master((index, session.flows()), server, registration, view));
        }
        lines
    }

    /// Its messages, and the first and last list that has it.
    fn related(server: &ServerHost, session: &Session) -> RelatedMessages {
        let flows = session.flows();
        let mut numbers = numbers_where(session, |e| e.server(flows) == Some(server.address));
        let of = |stats: &RegistrationStats| {
            [stats.first_heartbeat, stats.last_heartbeat, stats.first_listed, stats.last_listed]
        };
        numbers.extend(server.registrations.iter().flat_map(of).flatten().map(Moment::number));
        numbers.push(server.seen.number());
        RelatedMessages::new(format!("server {}", server.address), numbers)
    }

    /// The others were only listed by masters.
    fn export_note(count: usize) -> String {
        format!("of {}, those that sent a message", counted(count as u64, "server"))
    }
}

/// The mean interval of the first master with several heartbeats.
fn interval(server: &ServerHost) -> TextRun {
    let mean = server.registrations.iter().find_map(|master| Some(master.intervals?.mean));
    match mean {
        None => plain(""),
        Some(mean) if (mean - INTERVAL).abs() <= INTERVAL / 10 => plain(duration(mean)),
        Some(mean) => odd(duration(mean)),
    }
}

fn listed(server: &ServerHost) -> TextRun {
    let is_listed = server.registrations.iter().any(|master| master.first_listed.is_some());
    match (is_listed, server.heartbeats()) {
        (true, _) => good("yes"),
        (false, 0) => dim("no"),
        (false, _) => bad("no"),
    }
}

/// One master: heartbeats, how they were challenged, and whether it lists the server, or why not.
fn with_master(
    index: (&AnalysisIndex, &Flows),
    server: &ServerHost,
    stats: &RegistrationStats,
    view: &ViewState,
) -> Vec<Runs> {
    let mut lines =
        vec![vec![bold("master "), endpoint(Some(Role::Master), stats.master.to_string())]];
    let mut add = |run| lines.push(vec![plain("  "), run]);
    let at = |what| moment(what, view);
    let from_to = |first: Moment, last: Option<Moment>| match last.filter(|l| *l != first) {
        Some(last) => format!("from {} to {}", at(first), at(last)),
        None => format!("in {}", at(first)),
    };
    add(plain(match stats.first_heartbeat {
        Some(first) => {
            let heartbeats = counted(stats.heartbeats.into(), "heartbeat");
            format!("{heartbeats}, {}", from_to(first, stats.last_heartbeat))
        }
        None => "no heartbeat was captured".to_owned(),
    }));
    if let Some(Intervals { mean, shortest, longest, .. }) = stats.intervals {
        let [mean, shortest, longest, documented] =
            [mean, shortest, longest, INTERVAL].map(duration);
        add(plain(format!(
            "heartbeat interval {mean}, {shortest} to {longest}; documented: {documented}"
        )));
    }
    if let Some(challenged) = stats.challenged {
        add(plain(format!("challenged in {}", at(challenged))));
    }
    if let Some(verified) = stats.verified {
        add(plain(format!("challenge answered in {}", at(verified))));
    }
    add(match stats.first_listed {
        Some(first) => good(format!("listed {}", from_to(first, stats.last_listed))),
        None => bad(format!("not listed: {}", why_not(index, server, stats))),
    });
    lines
}

/// The step of the registration that failed.
fn why_not(
    (index, flows): (&AnalysisIndex, &Flows),
    server: &ServerHost,
    stats: &RegistrationStats,
) -> String {
    let is_ours = |exchange: &ExchangeRecord| {
        exchange.server(flows) == Some(server.address)
            && exchange.responder(flows) == Some(stats.master)
    };
    let mut exchanges = index.exchanges().iter();
    let error = exchanges.find_map(|e| e.errors().first().filter(|_| is_ours(e)));
    if let (None, Some(error)) = (stats.challenged, error) {
        return format!("its heartbeats did not arrive: {}", error.what);
    }
    let lists = index.hosts().master(stats.master).map_or(0, |master| master.lists);
    let why = match (stats.challenged, stats.verified) {
        (_, Some(_)) if lists > 0 => "it registered, but is in no list of this master",
        (_, Some(_)) => "it registered, but no list of this master was captured",
        (Some(_), None) => "it did not answer the challenge correctly",
        (None, None) => "its heartbeats were not answered",
    };
    why.to_owned()
}
