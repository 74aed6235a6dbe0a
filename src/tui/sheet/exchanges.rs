//! The table of exchanges: requests and their outcomes.

use super::ink::{bad, bold, dim, end, odd, plain, severity, span, state, when};
use super::ladder::Climb;
use super::{RowFormat, Runs, TableColumn, address, left, right};
use crate::analysis::{ChallengeProof, Exchange, ExchangeState, Session};
use crate::protocol::Role;
use crate::tui::text::counted;

pub const COLUMNS: &[TableColumn] = &[
    right("#", 2),
    right("time", 5),
    left("kind", 9),
    left("game", 6).from(100),
    address("who"),
    address("whom"),
    left("state", 8),
    right("latency", 7),
    right("last", 7).from(110),
    right("again", 5),
    right("msgs", 4),
    left("result", 12).from(130).growing(),
];

pub fn cells(exchange: &Exchange, manner: RowFormat) -> Vec<Runs> {
    let [from, to] = exchange.roles;
    let again = match exchange.retries {
        0 => dim("0"),
        n => odd(n.to_string()),
    };
    let time = |nanos: Option<i64>| nanos.map(span).unwrap_or_default();
    let mut cells: Vec<Runs> = [
        dim(exchange.number().to_string()),
        dim(when(exchange.first, manner)),
        bold(exchange.kind.name()),
        plain(exchange.verdict.game.id),
        end(from, exchange.requester.to_string()),
        end(to, exchange.responder.to_string()),
        state(exchange.state),
        plain(time(exchange.latency())),
        plain(time(exchange.duration())),
        again,
        plain(exchange.messages.to_string()),
    ]
    .map(|run| vec![run])
    .into();
    let mut result = result(exchange);
    if let Some(error) = exchange.errors.first() {
        if !result.is_empty() {
            result.push(plain(", "));
        }
        result.push(bad(&error.what));
    }
    cells.push(result);
    cells
}

/// The outcome, in a few words; ICMP errors excluded.
fn result(exchange: &Exchange) -> Runs {
    let mut runs = Vec::new();
    let mut say = |run| {
        if !runs.is_empty() {
            runs.push(plain(", "));
        }
        runs.push(run);
    };
    if let Some(list) = exchange.listing() {
        let packets = counted(list.packets.len() as u64, "packet");
        say(plain(format!("{} in {packets}", counted(list.count.into(), "server"))));
    }
    match exchange.proof {
        ChallengeProof::Unasked | ChallengeProof::Right => {}
        // If nothing came back at all, the state says so.
        ChallengeProof::Awaited if exchange.state == ExchangeState::Unanswered => {}
        ChallengeProof::Awaited => say(odd("the challenge did not come back")),
        ChallengeProof::Wrong => say(bad("another challenge came back")),
        ChallengeProof::Missing => say(bad("the answer has no challenge")),
        ChallengeProof::Unknown => say(odd("no published key tells whether the answer is right")),
    }
    if exchange.parts_missing {
        say(bad("parts are missing"));
    }
    if exchange.from_other_port {
        say(odd("answered from another port"));
    }
    runs
}

/// The exchange, its anomalies, and its ladder.
pub fn details(
    session: &Session,
    row: usize,
    manner: RowFormat,
    columns: usize,
) -> Option<Vec<Runs>> {
    let books = session.index()?;
    let exchange = books.exchanges().get(row)?;
    let [from, to] = exchange.roles;
    let party = |party: Option<Role>| party.map(|party| format!(" ({party})")).unwrap_or_default();
    let mut lines = vec![vec![
        bold(exchange.kind.name()),
        plain("  "),
        state(exchange.state),
        plain("  "),
        end(from, exchange.requester.to_string()),
        dim(party(from)),
        plain(" asks "),
        end(to, exchange.responder.to_string()),
        dim(party(to)),
    ]];
    if let Some(server) =
        exchange.server.filter(|s| *s != exchange.requester && *s != exchange.responder)
    {
        lines.push(vec![plain("about "), end(Some(Role::Server), server.to_string())]);
    }
    let [sent, got] = exchange.bytes;
    let mut numbers = format!(
        "{}, flow {}, {}; {} asked, {} answered",
        exchange.verdict.game.title,
        exchange.flow.0,
        exchange.transport,
        counted(sent, "byte"),
        counted(got, "byte"),
    );
    if exchange.retries > 0 {
        numbers.push_str("; asked again ");
        numbers.push_str(&counted(exchange.retries.into(), "time"));
    }
    lines.push(vec![plain(numbers)]);
    if let (Some(first), Some(last)) = (exchange.latency(), exchange.duration()) {
        let text = format!("first answer after {}, last after {}", span(first), span(last));
        lines.push(vec![plain(text)]);
    }
    let result = result(exchange);
    if !result.is_empty() {
        lines.push(result);
    }
    let time = |time| when(time, manner);
    lines.extend(exchange.errors.iter().map(|error| {
        vec![bad(&error.what), dim(format!("  #{} at {}", error.number, time(error.time)))]
    }));
    let mut faults: Vec<_> = exchange.numbers().flat_map(|n| books.findings_of(n)).collect();
    faults.sort_unstable();
    faults.dedup();
    for finding in faults.into_iter().filter_map(|at| books.findings().get(at)) {
        let (of, id) = (severity(finding.rule.severity), bold(finding.rule.id));
        lines.push(vec![of, plain(" "), id, plain(format!("  {finding}"))]);
    }
    lines.push(Vec::new());
    lines.extend(Climb::of_exchange(session, exchange).all(session, columns));
    let more = u64::from(exchange.messages).saturating_sub(exchange.steps.len() as u64);
    if more > 0 {
        lines.push(vec![dim(format!("and {} more", counted(more, "message")))]);
    }
    Some(lines)
}
