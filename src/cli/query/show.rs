//! ReadAnswers as text, for people.

use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use super::answers::{AskedAs, AskedTarget, ReadAnswers};
use super::ask::latency_text;
use crate::cli::decode::DumpWriter;
use ::query::AnswerEnd;
use analysis::ServerHost;
use codec::FieldRole;
use export::{LineStyle, Output, PlayerRows, write_listing};
use protocol::{Colours, Game, Reading};
use render::{Colour, DumpStyle, FieldValue, field_values, uncoloured};
use text::{TimeDisplay, Zone, counted, escaped, shown, width};

/// How text is written.
#[derive(Clone, Copy)]
pub(super) struct TextStyle {
    pub colour: Colour,
    /// The width of the terminal.
    pub columns: Option<usize>,
}

/// What is shown in addition to the state.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub players: bool,
    pub rules: bool,
    /// The bytes of each message.
    pub bytes: bool,
}

/// Rows of cells, of which the last one needs no padding.
pub(super) struct Cells(Vec<Vec<String>>);

/// Writes what came.
pub(super) fn write(
    asked: &AskedTarget,
    answers: &mut ReadAnswers,
    shown: Shown,
    style: TextStyle,
    out: &mut Output,
) -> anyhow::Result<()> {
    if shown.bytes {
        dumps(answers, style, out)?;
    }
    match asked.subject {
        AskedAs::Message if !shown.bytes => listing(answers, style, out)?,
        AskedAs::Server if asked.is_answered() => {
            server(asked, answers, out)?;
            if shown.players {
                players(answers, out)?;
            }
            if shown.rules {
                rules(asked, answers, out)?;
            }
        }
        AskedAs::Master(_) => list(asked, out)?,
        AskedAs::Message | AskedAs::Server => {}
    }
    oddities(asked, answers, out)
}

/// The annotated bytes of every message, requests too.
pub(super) fn dumps(
    answers: &mut ReadAnswers,
    style: TextStyle,
    out: &mut Output,
) -> anyhow::Result<()> {
    let style = DumpStyle { colour: style.colour, width: style.columns, lines: None };
    let mut transcripts = DumpWriter::new(answers.secrets, style);
    answers.messages(|message| transcripts.write_message(message, out))
}

/// A line for every message.
fn listing(answers: &mut ReadAnswers, style: TextStyle, out: &mut Output) -> anyhow::Result<()> {
    let (times, zone) = (TimeDisplay::Relative, Zone::system());
    let TextStyle { colour, columns } = style;
    let style = (answers.secrets, LineStyle { colour, times, zone, columns });
    write_listing(answers.pipeline(), style, (false, None), out)
        .map_err(super::super::destination::unwritten)
}

/// The state of the server in a row, as quakestat has it.
fn server(asked: &AskedTarget, answers: &ReadAnswers, out: &mut Output) -> anyhow::Result<()> {
    let Some(at) = asked.at else { return Ok(()) };
    let hosts = answers.analyzer.hosts();
    let mut rows = Cells::new(&["address", "players", "map", "ping", "game", "name"]);
    rows.add(server_cells(at, hosts.server(at), asked.latency()));
    rows.write(out)
}

/// The cells of a server.
pub(super) fn server_cells(
    at: SocketAddr,
    server: Option<&ServerHost>,
    ping: Option<Duration>,
) -> Vec<String> {
    let game = server.and_then(|server| server.verdict).map(|verdict| verdict.game);
    let colours = game.map_or(Colours::None, Game::colours);
    let number = |number: Option<i64>| number.map_or("?".to_owned(), |number| number.to_string());
    let players = server.map(|server| {
        // An answer that names no player has none.
        let players = server.players.or(server.max_players.map(|_| 0));
        format!("{}/{}", number(players), number(server.max_players))
    });
    let map = server.and_then(|server| server.map.as_deref()).map(shown);
    let name = server.and_then(|server| server.name.as_ref());
    let name = name.map(|name| escaped(&uncoloured(name, colours)).into_owned());
    vec![
        at.to_string(),
        players.unwrap_or_default(),
        map.unwrap_or_default().into_owned(),
        ping.map(latency_text).unwrap_or_default(),
        game.map_or("unknown", |game| game.title).to_owned(),
        name.unwrap_or_default(),
    ]
}

/// The players, as the last answer that names any has them.
fn players(answers: &mut ReadAnswers, out: &mut Output) -> anyhow::Result<()> {
    let inputs = answers.pipeline().input_set().clone();
    let mut rows = PlayerRows::new(answers.secrets, inputs);
    let mut found = Cells::new(&["player", "score", "ping", "team"]);
    answers.messages(|message| {
        let number = |number: Option<i64>| number.map(|number| number.to_string());
        rows.each(message, |row| {
            found.add(vec![
                escaped(&row.name_plain).into_owned(),
                number(row.score).unwrap_or_default(),
                number(row.ping_ms).unwrap_or_default(),
                row.team.as_deref().map(|team| escaped(team).into_owned()).unwrap_or_default(),
            ]);
        });
        Ok(())
    })?;
    writeln!(out)?;
    if found.is_empty() {
        writeln!(out, "no players")?;
        return Ok(());
    }
    found.write(out)
}

/// The settings, in the order in which they came; of a message without keys, all of its values.
fn rules(asked: &AskedTarget, answers: &ReadAnswers, out: &mut Output) -> anyhow::Result<()> {
    let mut rows = Cells::new(&["setting", "value"]);
    let mut reading = Reading::default();
    let masks = answers.secrets == text::Secrets::Masked;
    for message in asked.answers.iter().flat_map(|(_, answer)| &answer.messages) {
        let items = field_values(&mut reading, message.entry, &message.bytes);
        let has_keys = items.iter().any(|item| !item.key.is_empty());
        let is_setting = |item: &&FieldValue| {
            let is_proof = matches!(item.field.role, FieldRole::Challenge | FieldRole::Token);
            let is_of_server = !item.listed && !is_proof;
            is_of_server && item.field.is_data() && (!has_keys || !item.key.is_empty())
        };
        let mut rule = None;
        for item in items.iter().filter(is_setting) {
            let text = if item.secret && masks { text::MASK.into() } else { shown(&item.text) };
            // NetQuake's servers tell each setting in a message of its own.
            let name = match item.field.name {
                "rule" if item.key.is_empty() => {
                    rule = Some(text.into_owned());
                    continue;
                }
                _ => rule.take().unwrap_or_else(|| shown(item.name().as_bytes()).into_owned()),
            };
            rows.add(vec![name, text.into_owned()]);
        }
    }
    writeln!(out)?;
    rows.write(out)
}

/// The servers of a master's list.
fn list(asked: &AskedTarget, out: &mut Output) -> anyhow::Result<()> {
    let servers = asked.list.iter().flat_map(|list| &list.servers);
    for server in servers.clone() {
        writeln!(out, "{server}")?;
    }
    if asked.list.is_some() && servers.count() == 0 {
        writeln!(out, "no servers")?;
    }
    Ok(())
}

/// What was odd.
pub(super) fn oddities(
    asked: &AskedTarget,
    answers: &ReadAnswers,
    out: &mut Output,
) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    for (_, answer) in &asked.answers {
        if let Some(end) = answer.end
            && !matches!(end, AnswerEnd::Whole | AnswerEnd::Missing | AnswerEnd::Unreachable)
        {
            lines.push(end.text().to_owned());
        }
        if answer.repeated > 0 && answer.end.is_some_and(AnswerEnd::is_answer) {
            let times = counted(answer.repeated.into(), "datagram");
            lines.push(format!("{times} sent again before the answer came"));
        }
    }
    if asked.list.as_ref().is_some_and(|list| !list.is_whole) {
        lines.push("the end of the list did not come".to_owned());
    }
    if asked.from_other_ports > 0 {
        let count = counted(asked.from_other_ports.into(), "datagram");
        lines.push(format!("{count} from other ports of the host, which are no answers"));
    }
    for finding in answers.findings() {
        let severity = finding.rule.severity.name();
        lines.push(format!("{severity}: {finding} ({})", finding.rule.id));
    }
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

impl Cells {
    pub fn new(heads: &[&str]) -> Self {
        Self(vec![heads.iter().map(|head| (*head).to_owned()).collect()])
    }

    pub fn add(&mut self, cells: Vec<String>) {
        self.0.push(cells);
    }

    fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    pub fn write(&self, out: &mut Output) -> anyhow::Result<()> {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or_default();
        let widest = |n| {
            let cells = self.0.iter().filter_map(|row| row.get(n));
            cells.map(|cell: &String| width(cell)).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(widest).collect();
        for row in &self.0 {
            let mut line = String::new();
            for (cell, widest) in row.iter().zip(&widths) {
                line.push_str(cell);
                line.extend(std::iter::repeat_n(' ', widest.saturating_sub(width(cell)) + 2));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
