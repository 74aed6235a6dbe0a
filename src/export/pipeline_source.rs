//! Rows of tables from captures: read once or twice, analysed, written and dropped.

use std::collections::HashSet;
use std::fs::File;
use std::ops::ControlFlow;

use super::exchanges::ExchangeRows;
use super::ordered::Ordered;
use super::stored_row::Stored;
use super::tables::{EachFinding, EachMessage, ExportError, FromHosts, RowWriter, TableSource};
use super::{FlowRows, Redactor, Select, SessionRow};
use crate::analysis::{AnalysisNeeds, Analyzer, CapturedMessage, Exchange, MessageTurn, Pipeline};
use crate::filter::FrameSet;

/// A pipeline, and which of its messages are selected.
pub(super) struct PipelineSource<'a> {
    pub pipeline: &'a mut Pipeline,
    pub redactor: Option<Redactor>,
    /// An empty temporary file for waiting rows.
    pub scratch: Option<File>,
    /// Selects messages; without it, all.
    pub selects: Option<&'a mut Select<'a>>,
}

/// A message that was analysed.
struct Analyzed<'a> {
    message: &'a CapturedMessage<'a>,
    is_selected: bool,
    /// Its exchange, and what it does there.
    exchange: Option<(u64, MessageTurn)>,
    analyzer: &'a Analyzer,
    /// The exchanges that have ended by then.
    ended: &'a mut Vec<Exchange>,
    redactor: Option<&'a mut Redactor>,
}

impl PipelineSource<'_> {
    /// Analyses all messages, or only the selected ones. Returns the exchanges that were still open
    /// at the end.
    fn analyze(
        &mut self,
        mut analyzer: Analyzer,
        only_selected: bool,
        mut each: impl FnMut(Analyzed<'_>) -> Result<(), ExportError>,
    ) -> Result<(Analyzer, Vec<Exchange>), ExportError> {
        let Self { pipeline, redactor, selects, .. } = self;
        let mut ended = Vec::new();
        let failed = pipeline.messages_with(|message, flows| {
            let is_selected = selects.as_mut().is_none_or(|selects| selects(message));
            if only_selected && !is_selected {
                return ControlFlow::Continue(());
            }
            let exchange = match redactor {
                Some(redactor) => {
                    analyzer.take(&redactor.message(message), flows, |over| ended.push(over))
                }
                None => analyzer.take(message, flows, |over| ended.push(over)),
            };
            let done = each(Analyzed {
                message,
                is_selected,
                exchange,
                analyzer: &analyzer,
                ended: &mut ended,
                redactor: redactor.as_mut(),
            });
            done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        })?;
        failed.map_or(Ok(()), Err)?;
        analyzer.finish(pipeline.flows(), |over| ended.push(over));
        pipeline.add_warnings(analyzer.warnings());
        Ok((analyzer, ended))
    }
}

impl TableSource for PipelineSource<'_> {
    fn messages(&mut self, each: &mut EachMessage<'_>) -> Result<(), ExportError> {
        let Self { pipeline, redactor, selects, .. } = self;
        let failed = pipeline.messages(|message| {
            if selects.as_mut().is_some_and(|selects| !selects(message)) {
                return ControlFlow::Continue(());
            }
            let done = match redactor {
                Some(redactor) => each(&redactor.message(message)),
                None => each(message),
            };
            done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// The analysis uses all messages.
    fn exchanges(&mut self, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
        let payloads = self.pipeline.payloads();
        let mut queue = ExchangeQueue {
            rows: ExchangeRows::new(out.secrets, payloads, out.format.quotes()),
            ordered: Ordered::new(self.scratch.take()),
            selected: self.selects.is_some().then(HashSet::new),
        };
        let (_, open) =
            self.analyze(Analyzer::new(AnalysisNeeds::Exchanges), false, |analyzed| {
                let Analyzed { message, is_selected, exchange, analyzer, ended, redactor } =
                    analyzed;
                if let Some(exchange) = exchange {
                    queue.rows.keep(message, exchange, analyzer.values());
                    if let Some(selected) = queue.selected.as_mut().filter(|_| is_selected) {
                        selected.insert(exchange.0);
                    }
                }
                queue.write(ended.drain(..), redactor, out)
            })?;
        queue.write(open.into_iter(), self.redactor.as_mut(), out)?;
        let ExchangeQueue { rows, mut ordered, .. } = queue;
        ordered.finish(|row: &Stored<'_, SessionRow<'_>>| out.write(row))?;
        self.pipeline.add_warnings(crate::analysis::counted(&[
            (
                rows.left_out(),
                "messages were not kept until their exchange ended: their fields are missing",
            ),
            (
                ordered.late(),
                "rows of exchanges are not in the order of time: too many had to wait",
            ),
        ]));
        Ok(())
    }

    fn hosts(&mut self, rows: &mut FromHosts<'_>) -> Result<(), ExportError> {
        let (analyzer, _) =
            self.analyze(Analyzer::new(AnalysisNeeds::Hosts), true, |analyzed| {
                analyzed.ended.clear();
                Ok(())
            })?;
        rows(analyzer.hosts())
    }

    /// The analysis uses all messages.
    fn findings(&mut self, each: &mut EachFinding<'_>) -> Result<(), ExportError> {
        let is_open = self.selects.is_none();
        let analyzer =
            if is_open { Analyzer::new(AnalysisNeeds::Findings) } else { Analyzer::with_frames() };
        let mut selected = FrameSet::default();
        let (analyzer, _) = self.analyze(analyzer, false, |analyzed| {
            analyzed.ended.clear();
            if !is_open && analyzed.is_selected {
                selected.add(analyzed.message.header.number);
            }
            Ok(())
        })?;
        let at_fault = analyzer.faults().into_iter().filter(|(number, _)| selected.has(*number));
        let at_fault: HashSet<_> = at_fault.map(|(_, finding)| finding).collect();
        let mut findings = (0..).zip(analyzer.findings());
        findings.try_for_each(|(at, finding)| {
            if is_open || at_fault.contains(&at) { each(finding) } else { Ok(()) }
        })
    }

    fn flows(&mut self, out: &mut RowWriter<'_>) -> Result<(), ExportError> {
        let Self { pipeline, redactor, selects, .. } = self;
        let mut selected = FrameSet::default();
        let mut rows = FlowRows::default();
        let is_once = !pipeline.reopens();
        if selects.is_none() && !is_once {
            pipeline.classify_all()?;
        } else {
            pipeline.messages(|message| {
                // A flow is selected if any of its messages is.
                if selects.as_mut().is_some_and(|selects| selects(message)) {
                    selected.add(u64::from(message.header.flow.0));
                }
                if is_once {
                    rows.note(&message.header);
                }
                ControlFlow::<()>::Continue(())
            })?;
        }
        let flows = pipeline.flows();
        let is_open = selects.is_none();
        for (id, _) in flows.iter().filter(|(id, _)| is_open || selected.has(u64::from(id.0))) {
            if let Some(row) = rows.row(flows, id, redactor.as_mut()) {
                out.write(&row)?;
            }
        }
        Ok(())
    }
}

/// Rows of exchanges on their way into the order in which the exchanges began.
struct ExchangeQueue {
    rows: ExchangeRows,
    ordered: Ordered,
    /// The open exchanges with a selected message; without it, all are selected.
    selected: Option<HashSet<u64>>,
}

impl ExchangeQueue {
    /// Writes the rows of ended exchanges, once no earlier one is open.
    fn write(
        &mut self,
        ended: impl Iterator<Item = Exchange>,
        mut redactor: Option<&mut Redactor>,
        out: &mut RowWriter<'_>,
    ) -> Result<(), ExportError> {
        let Self { rows, ordered, selected } = self;
        for exchange in ended {
            let mut write = |row: &Stored<'_, SessionRow<'_>>| out.write(row);
            if selected.as_mut().is_none_or(|selected| selected.remove(&exchange.id)) {
                let row = rows.row(&exchange, redactor.as_deref_mut())?;
                ordered.take(exchange.id, &row, &mut write)?;
            } else {
                rows.forget(exchange.id);
                ordered.skip::<SessionRow<'_>, _>(exchange.id, &mut write)?;
            }
        }
        Ok(())
    }
}
