//! Tables that are written in one pass: what is read and analysed once is passed to all of them.

use std::fs::File;
use std::net::SocketAddr;
use std::sync::Arc;

use super::chosen::PassObserver;
use super::exchange_queue::ExchangeQueue;
use super::exchanges::ExchangeRows;
use super::hosts::HostRowSource;
use super::json::Quotes;
use super::knowledge::EndpointRow;
use super::message_reader::ReadMessage;
use super::message_tables::MessageTables;
use super::ordered::Ordered;
use super::row_ids::{RowIds, RowSubject};
use super::tables::{ExportError, HostRows, RowWriter, RowsOf};
use super::{FindingRow, FlowRow, Redactor, Table};
use analysis::{
    CapturedMessage, Exchange, Finding, FrameOrigin, InputSet, MessageHeader, MessageTurn,
};
use capture::PayloadStore;
use flow::Transport;
use text::numbered_lines;

/// How many bytes of rows without fields, and with fields, wait in memory where a file takes more.
const SHORT_ROWS: usize = 2 << 20;
const LONG_ROWS: usize = 4 << 20;

/// The tables of a run, and their destinations.
pub(super) struct TableSet<'a> {
    /// Those that are made of messages; they may be with another thread.
    pub of_messages: MessageTables<'a>,
    /// The others, each with its place among all.
    tables: Vec<(OpenTable, RowWriter<'a>, usize)>,
    count: usize,
    payloads: Arc<PayloadStore>,
    order: ExchangeOrder,
    inputs: InputSet,
    observer: Option<&'a mut dyn PassObserver>,
    /// What was left out of tables that are complete, in words.
    warnings: Vec<String>,
}

/// A table, and what it keeps between two rows.
enum OpenTable {
    Exchanges(Box<ExchangeQueue>),
    Hosts(HostRows),
    Registrations(HostRows),
    Findings(RowIds),
    Flows,
    Endpoints,
    /// All its rows are written.
    Complete,
}

/// The order in which exchanges are passed on.
pub(super) enum ExchangeOrder {
    /// As they began.
    AsBegun,
    /// As they end: rows wait in this file until all earlier exchanges have ended.
    AsEnded(Option<File>),
}

/// What tables are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableInput {
    Messages,
    Exchanges,
    /// Servers and masters.
    Hosts,
    /// The same, and what came of registrations.
    Registrations,
    Findings,
    Flows,
    Endpoints,
}

/// The transport and the endpoints of a flow, as rows show them.
pub(super) type FlowEnds = (Transport, [SocketAddr; 2]);

impl<'a> TableSet<'a> {
    /// No table yet. Rows name the inputs so; the payloads are those of the messages of exchanges.
    pub fn new(inputs: InputSet, payloads: Arc<PayloadStore>, order: ExchangeOrder) -> Self {
        let (of_messages, tables, count) = (MessageTables::default(), Vec::new(), 0);
        let (observer, warnings) = (None, Vec::new());
        Self { of_messages, tables, count, payloads, order, inputs, observer, warnings }
    }

    /// Shows all that the tables are made of to an observer too.
    pub fn observe_with(&mut self, observer: &'a mut dyn PassObserver) {
        self.observer = Some(observer);
    }

    /// Passes on the header of a message, selected or not.
    pub fn see_message(&mut self, header: &MessageHeader, is_selected: bool) {
        if let Some(observer) = &mut self.observer {
            observer.see_message(header, is_selected);
        }
    }

    /// Adds a table.
    pub fn add_table(&mut self, table: &Table, out: RowWriter<'a>) {
        let place = self.count;
        self.count += 1;
        let open = match table.rows {
            RowsOf::Messages(make) => {
                return self.of_messages.add_table(make, out, place, &self.inputs);
            }
            RowsOf::Exchanges => OpenTable::Exchanges(Box::new(self.exchanges(&out))),
            RowsOf::Hosts(rows) => OpenTable::Hosts(rows),
            RowsOf::Registrations(rows) => OpenTable::Registrations(rows),
            RowsOf::Findings => OpenTable::Findings(RowIds::new(self.inputs.clone())),
            RowsOf::Flows => OpenTable::Flows,
            RowsOf::Endpoints => OpenTable::Endpoints,
        };
        self.tables.push((open, out, place));
    }

    fn exchanges(&mut self, out: &RowWriter<'_>) -> ExchangeQueue {
        let payloads = Arc::clone(&self.payloads);
        let has_fields = out.out.has_json(out.table.columns);
        let ordered = match &mut self.order {
            ExchangeOrder::AsBegun => None,
            ExchangeOrder::AsEnded(scratch) => {
                let scratch = scratch.take();
                let has_file = scratch.is_some();
                let rows = Ordered::new(scratch);
                let held = if has_fields { LONG_ROWS } else { SHORT_ROWS };
                Some(if has_file { rows.holding(held) } else { rows })
            }
        };
        let from = (self.inputs.clone(), payloads);
        let mut rows = ExchangeRows::new(out.secrets, from, out.format.quotes());
        let has = |column| out.out.has_column(out.table.columns, column);
        if !["challenge", "gamename", "protocol", "map_name"].into_iter().any(has) {
            rows = rows.with_names_alone();
        }
        ExchangeQueue::new(if has_fields { rows } else { rows.without_fields() }, ordered)
    }

    /// Whether a table is made of this.
    pub fn needs(&self, input: TableInput) -> bool {
        let mut others = self.tables.iter().filter_map(|(table, ..)| table.input());
        others.any(|of| of == input)
            || input == TableInput::Messages && !self.of_messages.is_empty()
    }

    /// Passes on a selected message.
    pub fn message(&mut self, message: &CapturedMessage<'_>) -> Result<(), ExportError> {
        self.of_messages.message(message)
    }

    /// Whether all tables are made of messages.
    pub fn is_of_messages(&self) -> bool {
        self.tables.is_empty()
    }

    /// The quotes of the JSON in the tables that are made of exchanges, if there is any.
    pub fn exchange_quotes(&self) -> Option<Quotes> {
        let mut tables = self.tables.iter();
        let of = tables.find(|(table, ..)| table.input() == Some(TableInput::Exchanges));
        let of = of.filter(|(_, out, _)| out.out.has_json(out.table.columns));
        of.map(|(_, out, _)| out.format.quotes())
    }

    /// Passes on a message of an open exchange, selected or not.
    pub fn step(
        &mut self,
        message: &CapturedMessage<'_>,
        exchange: (u64, MessageTurn),
        read: &ReadMessage<'_>,
    ) {
        for (table, ..) in &mut self.tables {
            if let OpenTable::Exchanges(queue) = table {
                queue.keep(message, exchange, read);
            }
        }
    }

    /// Passes on an exchange that has ended; it has a row if it is selected.
    pub fn exchange(
        &mut self,
        exchange: &Exchange,
        is_selected: bool,
        mut redactor: Option<&mut Redactor>,
    ) -> Result<(), ExportError> {
        if let Some(observer) = &mut self.observer {
            observer.see_exchange(exchange, is_selected);
        }
        let (number, game) = (Some(exchange.id), exchange.verdict.game.id);
        for (table, out, _) in &mut self.tables {
            if let OpenTable::Exchanges(queue) = table {
                let state = || exchange.state.name();
                let has_row = is_selected && out.wants_row(number, game, state);
                queue.add_exchange(exchange, has_row, redactor.as_deref_mut(), out)?;
            }
        }
        Ok(())
    }

    /// Writes the rest of the tables that are made of messages and of exchanges, after the last of
    /// both, and frees what is kept for them.
    pub fn end_exchanges(&mut self) -> Result<(), ExportError> {
        self.of_messages.end_rows()?;
        for (table, out, _) in &mut self.tables {
            if !matches!(table, OpenTable::Exchanges(_)) {
                continue;
            }
            if let OpenTable::Exchanges(queue) = std::mem::replace(table, OpenTable::Complete) {
                self.warnings.extend(numbered_lines(&queue.finish(out)?));
            }
            out.out.end_rows()?;
        }
        Ok(())
    }

    /// Passes on the servers and masters, once.
    pub fn hosts(&mut self, hosts: HostRowSource<'_>) -> Result<(), ExportError> {
        for (table, out, _) in &mut self.tables {
            if let OpenTable::Hosts(rows) | OpenTable::Registrations(rows) = table {
                rows(hosts, out)?;
            }
        }
        Ok(())
    }

    /// Passes on a finding, and the endpoints of its flow if it is of one.
    pub fn finding(
        &mut self,
        finding: &Finding,
        ends: Option<FlowEnds>,
    ) -> Result<(), ExportError> {
        let FrameOrigin { input, flow } = finding.origin;
        let (flow, exchange) = (flow.unwrap_or_default(), None);
        for (table, out, _) in &mut self.tables {
            if let OpenTable::Findings(ids) = table {
                let severity = || finding.rule.severity.name();
                let subject = RowSubject { input, flow, ends, exchange };
                out.write_wanted("", severity, move || {
                    FindingRow::new(finding, ids.ids_of(subject))
                })?;
            }
        }
        Ok(())
    }

    /// Whether a flow has a row in any table; `game` finds the id of its game.
    pub fn wants_flow(&mut self, game: impl Fn() -> &'static str) -> bool {
        let flows = self.tables.iter_mut().filter(|(table, ..)| matches!(table, OpenTable::Flows));
        flows.fold(false, |wants, (_, out, _)| {
            let is_wanted = !out.chooses() || out.wants_row(None, game(), || "");
            wants | is_wanted
        })
    }

    /// Passes on a flow.
    pub fn flow(&mut self, flow: &FlowRow<'_>) -> Result<(), ExportError> {
        for (table, out, _) in &mut self.tables {
            if let OpenTable::Flows = table {
                out.write(flow)?;
            }
        }
        Ok(())
    }

    /// Passes on an endpoint.
    pub fn endpoint(&mut self, endpoint: &EndpointRow<'_>) -> Result<(), ExportError> {
        for (table, out, _) in &mut self.tables {
            if let OpenTable::Endpoints = table {
                out.write(endpoint)?;
            }
        }
        Ok(())
    }

    /// Ends all tables, with these facts in the footers of Parquet. Returns how many rows each has,
    /// and in words what was left out.
    pub fn finish(
        mut self,
        facts: &[(&str, String)],
    ) -> Result<(Vec<u64>, Vec<String>), ExportError> {
        self.end_exchanges()?;
        let others = self.tables.into_iter().map(|(_, out, place)| (place, out));
        let mut rows = vec![0; self.count];
        for (place, out) in others.chain(self.of_messages.into_writers()) {
            if let Some(rows) = rows.get_mut(place) {
                *rows = out.rows;
            }
            out.out.finish(facts)?;
        }
        Ok((rows, self.warnings))
    }
}

impl OpenTable {
    /// What rows of it are still made of.
    fn input(&self) -> Option<TableInput> {
        Some(match self {
            Self::Exchanges(_) => TableInput::Exchanges,
            Self::Hosts(_) => TableInput::Hosts,
            Self::Registrations(_) => TableInput::Registrations,
            Self::Findings(_) => TableInput::Findings,
            Self::Flows => TableInput::Flows,
            Self::Endpoints => TableInput::Endpoints,
            Self::Complete => return None,
        })
    }
}
