//! Rows of exchanges on their way into the order in which the exchanges began.

use super::exchanges::ExchangeRows;
use super::message_reader::ReadMessage;
use super::ordered::Ordered;
use super::tables::{ExportError, RowWriter};
use super::{Redactor, SessionRow};
use analysis::{CapturedMessage, Exchange, MessageTurn};

/// Rows of exchanges; without `ordered`, they come in their order.
pub(super) struct ExchangeQueue {
    rows: ExchangeRows,
    ordered: Option<Ordered>,
    /// The current row.
    kept: Vec<u8>,
}

impl ExchangeQueue {
    pub fn new(rows: ExchangeRows, ordered: Option<Ordered>) -> Self {
        Self { rows, ordered, kept: Vec::new() }
    }

    /// Takes a message of an open exchange.
    pub fn keep(
        &mut self,
        message: &CapturedMessage<'_>,
        exchange: (u64, MessageTurn),
        read: &ReadMessage<'_>,
    ) {
        self.rows.keep(message, exchange, read);
    }

    /// Takes an exchange that has ended; writes rows once no earlier exchange is open.
    pub fn add_exchange(
        &mut self,
        exchange: &Exchange,
        is_selected: bool,
        redactor: Option<&mut Redactor>,
        out: &mut RowWriter<'_>,
    ) -> Result<(), ExportError> {
        let Self { rows, ordered, kept } = self;
        if !is_selected {
            rows.forget(exchange.id);
            let Some(ordered) = ordered else { return Ok(()) };
            return ordered.skip(exchange.id, |row| out.write_kept::<SessionRow<'_>>(row));
        }
        let row = rows.row(exchange, redactor)?;
        match ordered {
            Some(ordered) => {
                kept.clear();
                out.out.keep(&row, kept);
                ordered.add_row(exchange.id, kept, |row| out.write_kept::<SessionRow<'_>>(row))
            }
            None => out.write(&row),
        }
    }

    /// Writes the rows that still wait. Returns what was left out: how many, and in words what.
    pub fn finish(self, out: &mut RowWriter<'_>) -> Result<[(u64, &'static str); 2], ExportError> {
        let mut late = 0;
        if let Some(mut ordered) = self.ordered {
            ordered.finish(|row| out.write_kept::<SessionRow<'_>>(row))?;
            late = ordered.late();
        }
        Ok([
            (
                self.rows.left_out(),
                "{message was|messages were} not kept until {its|their} exchange ended: {its|their} fields are missing",
            ),
            (
                late,
                "{row|rows} of exchanges {is|are} not in the order of time: too many had to wait",
            ),
        ])
    }
}
