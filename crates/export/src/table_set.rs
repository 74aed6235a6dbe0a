//! Tables that are written in one pass: what is read and analysed once is passed to all of them.

use std::fs::File;
use std::net::SocketAddr;
use std::sync::Arc;

use super::exchange_queue::ExchangeQueue;
use super::exchanges::ExchangeRows;
use super::formatter::RowBlock;
use super::hosts::HostRowSource;
use super::json::Quotes;
use super::knowledge::EndpointRow;
use super::message_blocks::MessageFormatter;
use super::message_reader::ReadMessage;
use super::ordered::Ordered;
use super::row_ids::{RowIds, RowSubject};
use super::tables::{ExportError, HostRows, MakeMessageTable, MessageTable, RowWriter, RowsOf};
use super::{FindingRow, FlowRow, Redactor, Table};
use analysis::{CapturedMessage, Exchange, Finding, FrameOrigin, InputSet, MessageTurn};
use capture::PayloadStore;
use flow::Transport;
use text::numbered_lines;

/// The tables of a run, and their destinations.
pub(super) struct TableSet<'a> {
    tables: Vec<(OpenTable, RowWriter<'a>)>,
    payloads: Arc<PayloadStore>,
    order: ExchangeOrder,
    inputs: InputSet,
}

/// A table, and what it keeps between two rows.
enum OpenTable {
    Messages(MakeMessageTable, Box<dyn MessageTable>),
    Exchanges(Box<ExchangeQueue>),
    Hosts(HostRows),
    Registrations(HostRows),
    Findings(RowIds),
    Flows,
    Endpoints,
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
        Self { tables: Vec::new(), payloads, order, inputs }
    }

    /// Adds a table.
    pub fn add_table(&mut self, table: &Table, out: RowWriter<'a>) {
        let open = match table.rows {
            RowsOf::Messages(make) => {
                OpenTable::Messages(make, make(out.format, out.secrets, &self.inputs))
            }
            RowsOf::Exchanges => OpenTable::Exchanges(Box::new(self.exchanges(&out))),
            RowsOf::Hosts(rows) => OpenTable::Hosts(rows),
            RowsOf::Registrations(rows) => OpenTable::Registrations(rows),
            RowsOf::Findings => OpenTable::Findings(RowIds::new(self.inputs.clone())),
            RowsOf::Flows => OpenTable::Flows,
            RowsOf::Endpoints => OpenTable::Endpoints,
        };
        self.tables.push((open, out));
    }

    fn exchanges(&mut self, out: &RowWriter<'_>) -> ExchangeQueue {
        let payloads = Arc::clone(&self.payloads);
        let ordered = match &mut self.order {
            ExchangeOrder::AsBegun => None,
            ExchangeOrder::AsEnded(scratch) => Some(Ordered::new(scratch.take())),
        };
        let from = (self.inputs.clone(), payloads);
        ExchangeQueue::new(ExchangeRows::new(out.secrets, from, out.format.quotes()), ordered)
    }

    /// Whether a table is made of this.
    pub fn needs(&self, input: TableInput) -> bool {
        self.tables.iter().any(|(table, _)| table.input() == input)
    }

    /// Passes on a selected message.
    pub fn message(&mut self, message: &CapturedMessage<'_>) -> Result<(), ExportError> {
        for (table, out) in &mut self.tables {
            if let OpenTable::Messages(_, table) = table {
                out.write_all(|rows| table.push(message, rows))?;
            }
        }
        Ok(())
    }

    /// What formats the messages of all tables on another thread; `None` if a table is made of
    /// anything else, or if rows are written at once.
    pub fn message_formatters(&self) -> Option<Vec<MessageFormatter>> {
        let formatter = |(table, out): &(OpenTable, RowWriter<'_>)| match table {
            OpenTable::Messages(make, _) if !out.live => Some(MessageFormatter {
                make: *make,
                format: out.format,
                secrets: out.secrets,
                table: out.table,
                inputs: self.inputs.clone(),
            }),
            _ => None,
        };
        self.tables.iter().map(formatter).collect()
    }

    /// Writes blocks of rows, one a table, and how many rows each has.
    pub fn blocks(
        &mut self,
        blocks: impl Iterator<Item = (Option<RowBlock>, u64)>,
    ) -> Result<(), ExportError> {
        for ((_, out), (block, rows)) in self.tables.iter_mut().zip(blocks) {
            if let Some(block) = block {
                out.write_block(&block, rows)?;
            }
        }
        Ok(())
    }

    /// The quotes of the JSON in the tables that are made of exchanges, if there are any.
    pub fn exchange_quotes(&self) -> Option<Quotes> {
        let mut tables = self.tables.iter();
        let of = tables.find(|(table, _)| table.input() == TableInput::Exchanges);
        of.map(|(_, out)| out.format.quotes())
    }

    /// Passes on a message of an open exchange, selected or not.
    pub fn step(
        &mut self,
        message: &CapturedMessage<'_>,
        exchange: (u64, MessageTurn),
        read: &ReadMessage<'_>,
    ) {
        for (table, _) in &mut self.tables {
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
        for (table, out) in &mut self.tables {
            if let OpenTable::Exchanges(queue) = table {
                queue.add_exchange(exchange, is_selected, redactor.as_deref_mut(), out)?;
            }
        }
        Ok(())
    }

    /// Passes on the servers and masters, once.
    pub fn hosts(&mut self, hosts: HostRowSource<'_>) -> Result<(), ExportError> {
        for (table, out) in &mut self.tables {
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
        for (table, out) in &mut self.tables {
            if let OpenTable::Findings(ids) = table {
                let ids = ids.ids_of(RowSubject { input, flow, ends, exchange });
                out.write(&FindingRow::new(finding, ids))?;
            }
        }
        Ok(())
    }

    /// Passes on a flow.
    pub fn flow(&mut self, flow: &FlowRow<'_>) -> Result<(), ExportError> {
        for (table, out) in &mut self.tables {
            if let OpenTable::Flows = table {
                out.write(flow)?;
            }
        }
        Ok(())
    }

    /// Passes on an endpoint.
    pub fn endpoint(&mut self, endpoint: &EndpointRow<'_>) -> Result<(), ExportError> {
        for (table, out) in &mut self.tables {
            if let OpenTable::Endpoints = table {
                out.write(endpoint)?;
            }
        }
        Ok(())
    }

    /// Ends all tables, with these facts in the footers of Parquet. Returns how many rows each has,
    /// and in words what was left out.
    pub fn finish(self, facts: &[(&str, String)]) -> Result<(Vec<u64>, Vec<String>), ExportError> {
        let mut rows = Vec::with_capacity(self.tables.len());
        let mut warnings = Vec::new();
        for (table, mut out) in self.tables {
            if let OpenTable::Exchanges(queue) = table {
                warnings.extend(numbered_lines(&queue.finish(&mut out)?));
            }
            rows.push(out.rows);
            out.out.finish(facts)?;
        }
        Ok((rows, warnings))
    }
}

impl OpenTable {
    fn input(&self) -> TableInput {
        match self {
            Self::Messages(..) => TableInput::Messages,
            Self::Exchanges(_) => TableInput::Exchanges,
            Self::Hosts(_) => TableInput::Hosts,
            Self::Registrations(_) => TableInput::Registrations,
            Self::Findings(_) => TableInput::Findings,
            Self::Flows => TableInput::Flows,
            Self::Endpoints => TableInput::Endpoints,
        }
    }
}
