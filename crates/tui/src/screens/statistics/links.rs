//! What a row of a chart's table leads to.

use super::chart::ChartKind;
use crate::screens::links::RowOrigin;
use crate::screens::related::{RelatedMessages, numbers_where};
use analysis::{ExchangeRecord, Session, SessionStatistics};

/// The selected server with its master, the selected master, or the selected game.
pub fn origin(
    kind: ChartKind,
    statistics: &SessionStatistics,
    selected: usize,
) -> Option<RowOrigin> {
    match kind {
        ChartKind::Heartbeats => {
            let series = statistics.heartbeats.series().get(selected)?;
            Some(RowOrigin {
                title: format!("server {}", series.server),
                servers: vec![series.server],
                masters: vec![series.master],
                term: Some(format!("server == {}", series.server)),
                ..RowOrigin::default()
            })
        }
        ChartKind::Lists => {
            let (master, _) = statistics.exchanges.as_ref()?.masters().nth(selected)?;
            Some(RowOrigin {
                title: format!("master {master}"),
                masters: vec![master],
                term: Some(format!("master == {master}")),
                ..RowOrigin::default()
            })
        }
        ChartKind::Games => {
            let game = statistics.games.games().get(selected)?.game;
            Some(RowOrigin {
                title: game.title.to_owned(),
                term: Some(format!("game == \"{}\"", game.id)),
                ..RowOrigin::default()
            })
        }
        ChartKind::OverTime | ChartKind::Latency => None,
    }
}

/// The messages of the selected server with its master, or of the selected master.
pub fn related(
    kind: ChartKind,
    statistics: &SessionStatistics,
    selected: usize,
    session: &Session,
) -> Option<RelatedMessages> {
    let flows = session.flows();
    match kind {
        ChartKind::Heartbeats => {
            let series = statistics.heartbeats.series().get(selected)?;
            let is_its = |exchange: &ExchangeRecord| {
                exchange.server(flows) == Some(series.server)
                    && exchange.responder(flows) == Some(series.master)
            };
            let of = format!("server {} and master {}", series.server, series.master);
            Some(RelatedMessages::new(of, numbers_where(session, is_its)))
        }
        ChartKind::Lists => {
            let (master, _) = statistics.exchanges.as_ref()?.masters().nth(selected)?;
            let is_its = |exchange: &ExchangeRecord| {
                exchange.master(flows) == Some(master) && exchange.listed_servers().is_some()
            };
            let of = format!("lists of {master}");
            Some(RelatedMessages::new(of, numbers_where(session, is_its)))
        }
        ChartKind::OverTime | ChartKind::Latency | ChartKind::Games => None,
    }
}
