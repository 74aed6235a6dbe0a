//! The table of exchanges: requests and their outcomes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::cell::{bad, bold, dim, endpoint, listed, odd, one, plain, severity, state};
use super::ladder::MessageLadder;
use super::links::RowOrigin;
use super::related::RelatedMessages;
use super::table::{RowColumn, TableContent};
use crate::text::counted;
use crate::view_state::ViewState;
use crate::widgets::table::{Runs, address, left, right, time_column};
use analysis::{ChallengeProof, Exchange, ExchangeState, Session};
use filter::{MatchingRows, SortKey};
use protocol::Role;
use text::latency;

pub struct ExchangesTable;

impl TableContent for ExchangesTable {
    type Row = Exchange;
    const NOUN: &'static str = "exchange";
    const NAME: &'static str = "exchanges";
    const COLUMNS: &'static [RowColumn<Exchange>] = &[
        RowColumn {
            layout: right("#", 2),
            cell: |exchange, _| one(dim(exchange.number().to_string())),
            key: |exchange, _| SortKey::number(Some(exchange.number())),
        },
        RowColumn {
            layout: time_column("time", 5),
            cell: |exchange, cx| one(dim(cx.time(exchange.first))),
            key: |exchange, _| SortKey::number(Some(exchange.first)),
        },
        RowColumn {
            layout: left("kind", 9),
            cell: |exchange, _| one(bold(exchange.kind.name())),
            key: |exchange, _| SortKey::text(exchange.kind.name()),
        },
        RowColumn {
            layout: left("game", 6).from(100),
            cell: |exchange, _| one(plain(exchange.verdict.game.id)),
            key: |exchange, _| SortKey::text(exchange.verdict.game.id),
        },
        RowColumn {
            layout: address("from"),
            cell: |exchange, cx| one(endpoint(exchange.roles[0], cx.endpoint(exchange.requester))),
            key: |exchange, _| SortKey::Address(exchange.requester),
        },
        RowColumn {
            layout: address("to"),
            cell: |exchange, cx| one(endpoint(exchange.roles[1], cx.endpoint(exchange.responder))),
            key: |exchange, _| SortKey::Address(exchange.responder),
        },
        RowColumn {
            layout: left("state", 10),
            cell: |exchange, _| one(state(exchange.state)),
            key: |exchange, _| SortKey::text(exchange.state.name()),
        },
        RowColumn {
            layout: right("latency", 7),
            cell: |exchange, _| one(plain(time(exchange.latency()))),
            key: |exchange, _| SortKey::number(exchange.latency()),
        },
        RowColumn {
            layout: right("total", 7).from(110),
            cell: |exchange, _| one(plain(time(exchange.duration()))),
            key: |exchange, _| SortKey::number(exchange.duration()),
        },
        RowColumn {
            layout: right("retries", 7).from(50),
            cell: |exchange, _| {
                one(if exchange.retries == 0 {
                    dim("0")
                } else {
                    odd(exchange.retries.to_string())
                })
            },
            key: |exchange, _| SortKey::number(Some(exchange.retries)),
        },
        RowColumn {
            layout: right("msgs", 4).from(60),
            cell: |exchange, _| one(plain(exchange.messages.to_string())),
            key: |exchange, _| SortKey::number(Some(exchange.messages)),
        },
        RowColumn {
            layout: left("result", 12).from(130).growing(0),
            cell: |exchange, _| {
                let error = exchange.errors.first().map(|error| bad(&error.what));
                listed(result(exchange).into_iter().chain(error))
            },
            key: |exchange, _| SortKey::number(exchange.listing().map(|list| list.count)),
        },
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(|index| index.exchanges().len())
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, Exchange>> {
        session.exchange(at).map(Cow::Owned)
    }

    fn brief(session: &Session, at: usize) -> Option<Cow<'_, Exchange>> {
        let record = session.index()?.exchanges().get(at)?;
        record.exchange(session.flows(), Vec::new()).map(Cow::Owned)
    }

    fn is_matching(rows: &MatchingRows, at: usize) -> bool {
        rows.has_exchange(at)
    }

    fn row_of_number(session: &Session, number: u64) -> Option<usize> {
        session.index()?.exchange_of(number)
    }

    fn origin(exchange: &Exchange, at: usize, session: &Session) -> RowOrigin {
        let findings = session.index().map(|index| {
            let found: BTreeSet<_> =
                exchange.numbers().flat_map(|number| index.findings_of(number)).collect();
            found.into_iter().collect()
        });
        RowOrigin {
            title: format!("{} #{}", exchange.kind, exchange.number()),
            message: exchange.steps.first().and_then(|step| session.find(step.number)),
            flows: vec![exchange.flow],
            exchanges: vec![at],
            findings: findings.unwrap_or_default(),
            servers: exchange.server.into_iter().collect(),
            masters: exchange.master().into_iter().collect(),
            term: Some(format!("exchange.kind == \"{}\"", exchange.kind)),
            ..RowOrigin::default()
        }
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
                format!("first response after {}, last after {}", latency(first), latency(last));
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
        lines.extend(MessageLadder::new(session, &related).all(session, view, columns));
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

fn time(nanos: Option<i64>) -> String {
    nanos.map(latency).unwrap_or_default()
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
