//! The table of servers: their own values, and their registrations with masters.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::iter;

use super::cell::{bad, bold, dim, endpoint, game_text, good, moment, odd, one, plain};
use super::links::RowOrigin;
use super::masters::findings_about;
use super::related::{RelatedMessages, numbers_where};
use super::table::{RowColumn, RowContext, TableContent};
use crate::text::{counted, grouped};
use crate::view_state::ViewState;
use crate::widgets::table::{Runs, address, left, right};
use analysis::{
    AnalysisIndex, Intervals, Moment, Registration, RegistrationStats, RegistrationSummary,
    SILENCE, ServerHost, Session, ShutdownKind, StepReport, StepState, TextValue,
};
use filter::{MatchingRows, SortKey};
use protocol::{Colours, Role, TOLERANCE};
use render::{self, TextRun};
use text::{duration, wrapped};

pub struct ServersTable;

impl TableContent for ServersTable {
    type Row = ServerHost;
    const NOUN: &'static str = "server";
    const NAME: &'static str = "servers";
    /// The others were only listed by masters.
    const IS_EXPORTED: Option<fn(&ServerHost) -> bool> = Some(ServerHost::has_sent);
    const COLUMNS: &'static [RowColumn<ServerHost>] = &[
        RowColumn {
            layout: address("address"),
            cell: |server, cx| one(endpoint(Some(Role::Server), cx.endpoint(server.address))),
            key: |server, _| SortKey::Address(server.address),
        },
        RowColumn {
            layout: left("game", 6).from(100),
            cell: |server, _| one(plain(game_id(server))),
            key: |server, _| SortKey::text(game_id(server)),
        },
        RowColumn {
            layout: left("name", 8).growing(0),
            cell: |server, cx| text(server, server.name.as_ref(), cx),
            key: |server, _| text_key(server, server.name.as_ref()),
        },
        RowColumn {
            layout: left("map", 5),
            cell: |server, cx| text(server, server.map.as_ref(), cx),
            key: |server, _| text_key(server, server.map.as_ref()),
        },
        RowColumn {
            layout: right("players", 3),
            cell: |server, _| one(plain(players(server))),
            key: |server, _| SortKey::number(server.players),
        },
        RowColumn {
            layout: right("protocol", 2),
            cell: |server, cx| text(server, server.protocol.as_ref(), cx),
            key: |server, _| text_key(server, server.protocol.as_ref()),
        },
        RowColumn {
            layout: right("heartbeats", 10),
            cell: |server, _| {
                let heartbeats = server.heartbeats();
                one(if heartbeats > 0 { plain(heartbeats.to_string()) } else { dim("0") })
            },
            key: |server, _| SortKey::number(Some(server.heartbeats())),
        },
        RowColumn {
            layout: right("interval", 5).from(90),
            cell: |server, _| one(interval(server)),
            key: |server, _| SortKey::number(mean_interval(server)),
        },
        RowColumn {
            layout: left("listed", 6),
            cell: |server, cx| one(listed(server, cx.session)),
            key: |server, _| SortKey::number(Some(listing_masters(server) as u64)),
        },
        RowColumn {
            layout: left("shutdown", 8),
            cell: |server, cx| {
                one(match shutdown(server, cx) {
                    Some(ShutdownKind::Shutdown(_)) => plain("yes"),
                    Some(ShutdownKind::Silence(_)) => odd("silent"),
                    None => plain(""),
                })
            },
            key: |server, cx| {
                SortKey::number(shutdown(server, cx).map(|kind| match kind {
                    ShutdownKind::Shutdown(moment) | ShutdownKind::Silence(moment) => moment.time,
                }))
            },
        },
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(AnalysisIndex::servers)
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, ServerHost>> {
        session.index()?.server(at).map(Cow::Borrowed)
    }

    fn is_matching(rows: &MatchingRows, at: usize) -> bool {
        rows.has_server(at)
    }

    fn row_of_number(session: &Session, number: u64) -> Option<usize> {
        let index = session.index()?;
        let exchange = index.exchanges().get(index.exchange_of(number)?)?;
        index.server_at(exchange.server(session.flows())?)
    }

    fn origin(server: &ServerHost, _: usize, session: &Session) -> RowOrigin {
        let message = session.find(server.seen.number());
        let origin = RowOrigin {
            title: format!("server {}", server.address),
            message,
            findings: findings_about(session, server.address),
            host: Some((Role::Server, server.address)),
            masters: server.registrations.iter().map(|stats| stats.master).collect(),
            term: Some(format!("server == {}", server.address)),
            ..RowOrigin::default()
        };
        let flows = session.flows();
        origin.with_all_of(
            server.address,
            |exchange| exchange.server(flows) == Some(server.address),
            session,
        )
    }

    /// Its values, and its registration with each master.
    fn details(
        server: &ServerHost,
        session: &Session,
        view: &ViewState,
        width: usize,
    ) -> Vec<Runs> {
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
        for registration in index.registrations_of(server) {
            lines.push(Vec::new());
            lines.extend(with_master(server, &registration, width));
        }
        lines
    }

    /// Its messages, and the first and last list that has it.
    fn related(server: &ServerHost, session: &Session) -> RelatedMessages {
        let flows = session.flows();
        let mut numbers = numbers_where(session, |e| e.server(flows) == Some(server.address));
        numbers.extend(server.moments().map(Moment::number));
        RelatedMessages::new(format!("server {}", server.address), numbers)
    }

    fn export_note(exported: usize, of: usize) -> String {
        let servers = counted(of as u64, "server");
        if exported == of {
            return servers;
        }
        format!("{} of {servers} (the others sent no message)", grouped(exported as u64))
    }
}

fn game_id(server: &ServerHost) -> &'static str {
    server.verdict.map_or("", |verdict| verdict.game.id)
}

/// One of its texts, in the colours of its game.
fn text(server: &ServerHost, value: Option<&TextValue>, cx: &RowContext<'_>) -> Runs {
    game_text(value, server.verdict.map(|verdict| verdict.game), cx.format.texts)
}

/// The place of a text: numbers by their value, others without colour codes.
fn text_key(server: &ServerHost, value: Option<&TextValue>) -> SortKey {
    let Some(value) = value else {
        return SortKey::Missing;
    };
    let colours = server.verdict.map_or(Colours::None, |verdict| verdict.game.colours());
    let text = render::uncoloured(value, colours);
    text.parse::<i64>().map_or_else(|_| SortKey::text(&text), |n| SortKey::number(Some(n)))
}

/// `3/16`.
fn players(server: &ServerHost) -> String {
    let number = |n: Option<i64>| n.map_or("?".to_owned(), |n| n.to_string());
    match (server.players, server.max_players) {
        (None, None) => String::new(),
        (players, None) => number(players),
        (players, max_players) => format!("{}/{}", number(players), number(max_players)),
    }
}

fn shutdown(server: &ServerHost, cx: &RowContext<'_>) -> Option<ShutdownKind> {
    cx.session.index().and_then(|index| index.hosts().shutdown_of(server))
}

/// The mean interval of the first master with several heartbeats.
fn mean_interval(server: &ServerHost) -> Option<i64> {
    server.registrations.iter().find_map(|master| Some(master.intervals()?.mean))
}

fn interval(server: &ServerHost) -> TextRun {
    let mean =
        |master: &RegistrationStats| Some((master.intervals()?.mean, master.documented_interval()));
    match server.registrations.iter().find_map(mean) {
        None => plain(""),
        Some((mean, Some(documented)))
            if (mean - documented).abs() > documented * TOLERANCE / 100 =>
        {
            odd(duration(mean))
        }
        Some((mean, _)) => plain(duration(mean)),
    }
}

/// How many masters list it.
fn listing_masters(server: &ServerHost) -> usize {
    server.registrations.iter().filter(|master| master.first_listed.is_some()).count()
}

/// `yes`, `2 of 3` masters, `no` if a step failed, else `unseen`: no list shows it.
fn listed(server: &ServerHost, session: &Session) -> TextRun {
    let Some(index) = session.index() else { return plain("") };
    let summary = index.registration_summary(server);
    let words = summary.listed_words();
    match &summary {
        RegistrationSummary { listed: 0, failed: 0, .. } => dim(words),
        RegistrationSummary { listed: 0, .. } => bad(words),
        RegistrationSummary { listed, masters, .. } if listed == masters => good(words),
        _ => odd(words),
    }
}

/// One master: the interval of heartbeats to it, and the steps of the registration, as `explain`
/// gives them.
fn with_master(server: &ServerHost, registration: &Registration, width: usize) -> Vec<Runs> {
    let master = registration.master;
    let verdict = format!("  {}", registration.verdict());
    let verdict = match (registration.failed(), registration.is_listed()) {
        (Some(_), _) => bad(verdict),
        (None, true) => good(verdict),
        (None, false) => plain(verdict),
    };
    let heading = endpoint(Some(Role::Master), master.to_string());
    let mut lines = vec![vec![bold("master "), heading, verdict]];
    // The step that failed comes first: in a small pane the others may be below its end.
    let (failed, others): (Vec<_>, Vec<_>) =
        registration.reached().partition(|step| step.state == StepState::Failed);
    for step in failed.into_iter().chain(others) {
        lines.extend(step_lines(step, width));
    }
    let stats = server.registrations.iter().find(|stats| stats.master == master);
    if let Some((stats, intervals)) = stats.and_then(|stats| Some((stats, stats.intervals()?))) {
        let Intervals { mean, shortest, longest, .. } = intervals;
        let range = if shortest == longest {
            String::new()
        } else {
            format!(", {} to {}", duration(shortest), duration(longest))
        };
        let documented = stats.documented_interval();
        let documented = documented.map_or("none is documented".to_owned(), |documented| {
            format!("documented: {}", duration(documented))
        });
        let text = format!("heartbeat interval {}{range}; {documented}", duration(mean));
        lines.push(vec![plain("  "), plain(text)]);
    }
    lines
}

/// `  ok      challenge  …  #5`, in lines of at most `width` columns.
fn step_lines(step: &StepReport, width: usize) -> Vec<Runs> {
    let state = match step.state {
        StepState::Ok => good("  ok      "),
        StepState::Failed => bad("  FAILED  "),
        StepState::Unseen => dim("  unseen  "),
    };
    let name = format!("{:<11}", step.name.name());
    let indent = state.text.len() + name.len();
    let mut text = step.text.clone();
    for frame in &step.frames {
        let _ = write!(text, " #{}", frame.number);
    }
    let mut rest = wrapped(&text, width.saturating_sub(indent).max(20)).into_iter();
    let first = vec![state, plain(name), plain(rest.next().unwrap_or_default())];
    let more = rest.map(|line| vec![plain(" ".repeat(indent)), plain(line)]);
    iter::once(first).chain(more).collect()
}
