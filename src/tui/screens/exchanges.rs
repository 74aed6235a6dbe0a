//! The table of exchanges: requests and their outcomes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::cell::{bad, bold, cells, dim, endpoint, listed, odd, plain, severity, state};
use super::ladder::MessageLadder;
use super::related::RelatedMessages;
use super::table::TableContent;
use crate::analysis::{ChallengeProof, Exchange, ExchangeState, Session};
use crate::protocol::Role;
use crate::text::duration;
use crate::tui::text::counted;
use crate::tui::view_state::ViewState;
use crate::tui::widgets::table::{Runs, TableColumn, address, left, right};

pub struct ExchangesTable;

impl TableContent for ExchangesTable {
    type Row = Exchange;
    const NOUN: &'static str = "exchange";
    const NAME: &'static str = "exchanges";
    const COLUMNS: &'static [TableColumn] = &[
        right("#", 2),
        right("time", 5),
        left("kind", 9),
        left("game", 6).from(100),
        address("from"),
        address("to"),
        left("state", 8),
        right("latency", 7),
        right("total", 7).from(110),
        right("retries", 7),
        right("msgs", 4),
        left("result", 12).from(130).growing(0),
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(|index| index.exchanges().len())
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, Exchange>> {
        session.exchange(at).map(Cow::Owned)
    }

    fn cells(exchange: &Exchange, _: &Session, view: &ViewState) -> Vec<Runs> {
        let [from, to] = exchange.roles;
        let retries = match exchange.retries {
            0 => dim("0"),
            n => odd(n.to_string()),
        };
        let time = |nanos: Option<i64>| nanos.map(duration).unwrap_or_default();
        let mut cells = cells([
            dim(exchange.number().to_string()),
            dim(view.time(exchange.first)),
            bold(exchange.kind.name()),
            plain(exchange.verdict.game.id),
            endpoint(from, exchange.requester.to_string()),
            endpoint(to, exchange.responder.to_string()),
            state(exchange.state),
            plain(time(exchange.latency())),
            plain(time(exchange.duration())),
            retries,
            plain(exchange.messages.to_string()),
        ]);
        let error = exchange.errors.first().map(|error| bad(&error.what));
        cells.push(listed(result(exchange).into_iter().chain(error)));
        cells
    }

    /// The exchange, its anomalies, and its ladder.
    fn details(
        exchange: &Exchange,
        session: &Session,
        view: &ViewState,
        columns: usize,
    ) -> Vec<Runs> {
        let [from, to] = exchange.roles;
        let role = |role: Option<Role>| role.map(|role| format!(" ({role})")).unwrap_or_default();
        let mut lines = vec![vec![
            bold(exchange.kind.name()),
            plain("  "),
            state(exchange.state),
            plain("  "),
            endpoint(from, exchange.requester.to_string()),
            dim(role(from)),
            plain(" → "),
            endpoint(to, exchange.responder.to_string()),
            dim(role(to)),
        ]];
        if let Some(server) =
            exchange.server.filter(|s| *s != exchange.requester && *s != exchange.responder)
        {
            lines.push(vec![plain("about "), endpoint(Some(Role::Server), server.to_string())]);
        }
        let [sent, got] = exchange.bytes;
        let mut numbers = format!(
            "{}, flow {}, {}; {} in requests, {} in responses",
            exchange.verdict.game.title,
            exchange.flow.0,
            exchange.transport,
            counted(sent, "byte"),
            counted(got, "byte"),
        );
        if exchange.retries > 0 {
            numbers.push_str("; retried ");
            numbers.push_str(&counted(exchange.retries.into(), "time"));
        }
        lines.push(vec![plain(numbers)]);
        if let (Some(first), Some(last)) = (exchange.latency(), exchange.duration()) {
            let text =
                format!("first response after {}, last after {}", duration(first), duration(last));
            lines.push(vec![plain(text)]);
        }
        let result = result(exchange);
        if !result.is_empty() {
            lines.push(result);
        }
        lines.extend(exchange.errors.iter().map(|error| {
            vec![bad(&error.what), dim(format!("  #{} at {}", error.number, view.time(error.time)))]
        }));
        if let Some(index) = session.index() {
            let found: BTreeSet<_> =
                exchange.numbers().flat_map(|n| index.findings_of(n)).collect();
            for finding in found.into_iter().filter_map(|at| index.findings().get(at)) {
                let (of, id) = (severity(finding.rule.severity), bold(finding.rule.id));
                lines.push(vec![of, plain(" "), id, plain(format!("  {finding}"))]);
            }
        }
        lines.push(Vec::new());
        let related = RelatedMessages::of_exchange(exchange);
        lines.extend(MessageLadder::of(session, &related).all(session, columns));
        let more = u64::from(exchange.messages).saturating_sub(exchange.steps.len() as u64);
        if more > 0 {
            lines.push(vec![dim(format!("and {} more", counted(more, "message")))]);
        }
        lines
    }

    fn related(exchange: &Exchange, _: &Session) -> RelatedMessages {
        RelatedMessages::of_exchange(exchange)
    }
}

/// The outcome, in a few words; ICMP errors excluded.
fn result(exchange: &Exchange) -> Runs {
    let list = exchange.listing().map(|list| {
        let packets = counted(list.packet_count.into(), "packet");
        plain(format!("{} in {packets}", counted(list.count.into(), "server")))
    });
    let challenge = match exchange.proof {
        ChallengeProof::NotSent | ChallengeProof::Right => None,
        // If nothing came back at all, the state says so.
        ChallengeProof::Awaited if exchange.state == ExchangeState::Unanswered => None,
        ChallengeProof::Awaited => Some(odd("the challenge did not come back")),
        ChallengeProof::Wrong => Some(bad("another challenge came back")),
        ChallengeProof::Missing => Some(bad("the answer has no challenge")),
        ChallengeProof::Unknown => {
            Some(odd("the key is not published, so the answer is not checked"))
        }
    };
    let parts = exchange.parts_missing.then(|| bad("parts are missing"));
    let port = exchange.from_other_port.then(|| odd("answered from another port"));
    listed([list, challenge, parts, port].into_iter().flatten())
}
