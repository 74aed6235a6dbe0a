//! What tables are made of, from captures: read once or twice, analysed, passed on and dropped.

use std::collections::HashSet;
use std::ops::ControlFlow;

use parking_lot::Mutex;

use super::hosts::HostRowSource;
use super::knowledge::{EndpointRows, LearntFlows};
use super::message_blocks::{FormatWorkers, write_messages};
use super::message_reader::{AnalysisReader, ReadMessage, ReadMessages, ReadingFor};
use super::message_tables::MessageTables;
use super::table_set::{TableInput, TableSet};
use super::tables::ExportError;
use super::{FlowRows, Redactor, Select};
use analysis::{
    AnalysedMessage, AnalysisNeeds, Analyzer, CapturedMessage, Exchange, Finding, InputSet,
    MessageBatch, MessageTurn, Pipeline,
};
use filter::FrameSet;
use flow::{FlowId, Flows};
use text::Secrets;

/// Reads everything, analyses what the tables need, and passes it to them; without `selects`, all
/// messages are selected. Returns how many messages there are.
pub(super) fn write_from(
    (pipeline, inputs): (&mut Pipeline, InputSet),
    mut redactor: Option<&mut Redactor>,
    mut selects: Option<&mut Select<'_>>,
    set: &mut TableSet<'_>,
) -> Result<u64, ExportError> {
    let is_once = !pipeline.reopens();
    let is_all = redactor.is_none() && selects.is_none() && !is_once;
    let formatters = if is_all { set.of_messages.formatters(&inputs) } else { Vec::new() };
    if !formatters.is_empty() && set.is_of_messages() {
        return write_messages(pipeline, &formatters, &mut set.of_messages);
    }
    let secrets = pipeline.flows().secrets();
    let modes = (selects.is_some(), redactor.is_some(), secrets);
    let mut analysis = TableAnalysis::new(set, modes, inputs);
    let mut messages = 0;
    if analysis.only_flows && !is_once {
        pipeline.classify_all()?;
        messages = pipeline.flows().messages().values().sum();
    } else if redactor.is_none()
        && !is_once
        && let Some(mut all) = analysis.all.take()
    {
        let reading = analysis.reading;
        let worker = || {
            let mut reader = AnalysisReader::new(reading);
            let mut workers = FormatWorkers::new(&formatters);
            move |batch: &MessageBatch, read: &mut ReadMessages| {
                reader.read_all(batch, read);
                read.blocks = workers.format(batch);
            }
        };
        // Tables whose rows are formatted by workers are written while others are.
        let is_formatted = !formatters.is_empty();
        let mut formatted = MessageTables::default();
        if is_formatted {
            std::mem::swap(&mut formatted, &mut set.of_messages);
        }
        let written = Mutex::new(Ok(()));
        let write = |read: &ReadMessages| {
            let mut written = written.lock();
            if written.is_ok() {
                *written = formatted.blocks(&read.blocks);
            }
        };
        let take = |of: AnalysedMessage<'_, ReadMessages>, flows: &Flows| {
            messages += 1;
            let AnalysedMessage { message, read: (read, at), exchange, ended } = of;
            let is_selected = selects.as_mut().is_none_or(|selects| selects(message));
            let rows = match at {
                _ if is_selected && !is_formatted => set.message(message),
                0 => std::mem::replace(&mut *written.lock(), Ok(())),
                _ => Ok(()),
            };
            let (shown, read) = (message, &read.get(at));
            let taken = TakenMessage { message, shown, read, is_selected };
            analysis.add_message(taken, exchange, flows, set);
            let done = rows.and_then(|()| pass_ended(ended, &mut analysis.selection, None, set));
            done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        };
        let failed = pipeline.analyze_ahead(&mut all, worker, |_| true, write, take)?;
        analysis.all = Some(all);
        failed.map_or_else(|| written.into_inner(), Err)?;
        if is_formatted {
            set.of_messages = formatted;
        }
    } else {
        let (mut reader, mut read) =
            (AnalysisReader::new(analysis.reading), ReadMessages::default());
        let failed = pipeline.messages_with(|message, flows| {
            messages += 1;
            let is_selected = selects.as_mut().is_none_or(|selects| selects(message));
            if is_once {
                analysis.flows.note(&message.header);
            }
            if !is_selected && analysis.all.is_none() {
                return ControlFlow::Continue(());
            }
            let redacted = redactor.as_deref_mut().map(|redactor| redactor.message(message));
            let shown = redacted.as_ref().unwrap_or(message);
            read.clear();
            reader.read_message(shown, &mut read);
            let read = &read.get(0);
            let all = analysis.all.as_mut();
            let exchange = all.and_then(|all| all.take_read(shown, read.values, flows));
            let taken = TakenMessage { message, shown, read, is_selected };
            analysis.add_message(taken, exchange, flows, set);
            let rows = if is_selected { set.message(shown) } else { Ok(()) };
            let done = rows.and_then(|()| {
                let TableAnalysis { all, selection, .. } = &mut analysis;
                let ended = all.iter().flat_map(Analyzer::ended);
                pass_ended(ended, selection, redactor.as_deref_mut(), set)
            });
            done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        })?;
        failed.map_or(Ok(()), Err)?;
    }
    analysis.finish(pipeline.flows(), redactor, set)?;
    pipeline.add_warnings(analysis.warnings());
    Ok(messages)
}

/// The analysis that the tables of a set need, and no other.
struct TableAnalysis {
    only_flows: bool,
    /// Of all messages, for exchanges and findings; also for hosts, if all messages are selected.
    all: Option<Analyzer>,
    /// Of the selected messages, for hosts.
    selected: Option<Analyzer>,
    selection: Option<RowSelection>,
    /// How messages are read for it.
    reading: ReadingFor,
    flows: FlowRows,
    inputs: InputSet,
}

/// A message on its way to the tables.
#[derive(Clone, Copy)]
struct TakenMessage<'a> {
    message: &'a CapturedMessage<'a>,
    /// As it is shown: redacted, where messages are.
    shown: &'a CapturedMessage<'a>,
    /// What was read of the shown message.
    read: &'a ReadMessage<'a>,
    is_selected: bool,
}

/// Whether a message of an exchange that has ended is selected.
fn has_selected(selection: &mut Option<RowSelection>, exchange: &Exchange) -> bool {
    selection.as_mut().is_none_or(|of| of.exchanges.remove(&exchange.id))
}

/// Passes on exchanges that have ended.
fn pass_ended<'a>(
    ended: impl IntoIterator<Item = &'a Exchange>,
    selection: &mut Option<RowSelection>,
    mut redactor: Option<&mut Redactor>,
    set: &mut TableSet<'_>,
) -> Result<(), ExportError> {
    ended.into_iter().try_for_each(|exchange| {
        let is_selected = has_selected(selection, exchange);
        set.exchange(exchange, is_selected, redactor.as_deref_mut())
    })
}

/// What the selected messages belong to.
#[derive(Default)]
struct RowSelection {
    /// The open exchanges.
    exchanges: HashSet<u64>,
    flows: FrameSet,
    frames: FrameSet,
}

impl TableAnalysis {
    /// For the tables of a set, of all messages or of selected ones.
    ///
    /// The fields of exchanges are written as their messages come, unless most are not selected, or
    /// are to be redacted.
    fn new(
        set: &TableSet<'_>,
        (selects, redacts, secrets): (bool, bool, Secrets),
        inputs: InputSet,
    ) -> Self {
        let needs = |input| set.needs(input);
        let judges = needs(TableInput::Registrations);
        let has_hosts = needs(TableInput::Hosts) || judges;
        // What came of a registration is told by all messages, also where few are selected.
        let all = match () {
            () if needs(TableInput::Findings) && selects => Some(Analyzer::with_frames()),
            () if needs(TableInput::Findings) || judges => {
                Some(Analyzer::new(AnalysisNeeds::Findings))
            }
            () if has_hosts && !selects => Some(Analyzer::new(AnalysisNeeds::Hosts)),
            () if needs(TableInput::Exchanges) => Some(Analyzer::new(AnalysisNeeds::Exchanges)),
            () => None,
        };
        let selected = (has_hosts && selects).then(|| Analyzer::new(AnalysisNeeds::Hosts));
        let of = all.as_ref().or(selected.as_ref());
        let reading = ReadingFor {
            secrets,
            needs: of.map_or(AnalysisNeeds::Exchanges, Analyzer::needs),
            quotes: set.exchange_quotes().filter(|_| !selects && !redacts),
        };
        let only_flows =
            all.is_none() && selected.is_none() && !selects && !needs(TableInput::Messages);
        let selection = selects.then(RowSelection::default);
        let flows = FlowRows::new(inputs.clone());
        Self { only_flows, all, selected, selection, reading, flows, inputs }
    }

    /// Takes the next message, and its exchange with what it does there.
    fn add_message(
        &mut self,
        TakenMessage { message, shown, read, is_selected }: TakenMessage<'_>,
        exchange: Option<(u64, MessageTurn)>,
        flows: &Flows,
        set: &mut TableSet<'_>,
    ) {
        let Self { selected, selection, .. } = self;
        set.see_message(&shown.header, is_selected);
        let mut selection = selection.as_mut().filter(|_| is_selected);
        if let Some(selection) = &mut selection {
            selection.flows.add_frame(message.header.flow.0.into());
            selection.frames.add_frame(message.header.number);
        }
        if let Some(exchange) = exchange {
            // Its fields are redacted when they are read again.
            set.step(message, exchange, read);
            if let Some(selection) = selection {
                selection.exchanges.insert(exchange.0);
            }
        }
        if let Some(analyzer) = selected.as_mut().filter(|_| is_selected) {
            analyzer.take_read(shown, read.values, flows);
        }
    }

    /// Passes on what is complete at the end of the input.
    fn finish(
        &mut self,
        flows: &Flows,
        mut redactor: Option<&mut Redactor>,
        set: &mut TableSet<'_>,
    ) -> Result<(), ExportError> {
        let Self { all, selected, selection, .. } = self;
        // What was needed for reading, before what ends with the input takes more.
        capture::return_freed();
        let mut passed = Ok(());
        if let Some(analyzer) = all {
            analyzer.finish(flows, |exchange| {
                let is_selected = has_selected(selection, exchange);
                if passed.is_ok() {
                    passed = set.exchange(exchange, is_selected, redactor.as_deref_mut());
                }
            });
        }
        passed?;
        if let Some(analyzer) = selected {
            analyzer.finish(flows, |_| {});
        }
        set.end_exchanges()?;
        capture::return_freed();
        if let Some(analyzer) = self.selected.as_ref().or(self.all.as_ref()) {
            let (hosts, inputs) = (analyzer.hosts(), &self.inputs);
            let learnt = redactor.is_none().then(|| LearntFlows::new(flows));
            let registrations = self.all.as_ref().map(Analyzer::registrations);
            let (registrations, selected) = (registrations.as_ref(), None);
            set.hosts(HostRowSource { hosts, registrations, learnt, inputs, selected })?;
        }
        if set.needs(TableInput::Findings) {
            self.pass_findings(flows, redactor.as_deref_mut(), set)?;
        }
        if set.needs(TableInput::Flows) {
            self.pass_flows(flows, redactor.as_deref_mut(), set)?;
        }
        if set.needs(TableInput::Endpoints) {
            let selection = self.selection.as_ref();
            let is_selected = |id: &FlowId| selection.is_none_or(|of| of.flows.has(id.0.into()));
            let ids = flows.iter().map(|(id, _)| id).filter(is_selected);
            let rows = EndpointRows::new(self.inputs.clone());
            rows.each(flows, ids, redactor, |row| set.endpoint(row))?;
        }
        Ok(())
    }

    /// Passes on the findings on selected messages.
    fn pass_findings(
        &self,
        flows: &Flows,
        mut redactor: Option<&mut Redactor>,
        set: &mut TableSet<'_>,
    ) -> Result<(), ExportError> {
        let Some(analyzer) = &self.all else { return Ok(()) };
        let mut pass = |finding: &Finding| {
            let ends = finding.origin.flow.and_then(|flow| flows.ends(flow));
            let ends = ends.map(|(transport, ends)| match redactor.as_deref_mut() {
                Some(redactor) => (transport, ends.map(|end| redactor.endpoint(end))),
                None => (transport, ends),
            });
            set.finding(finding, ends)
        };
        let Some(selection) = &self.selection else {
            return analyzer.findings().into_iter().try_for_each(pass);
        };
        let at_fault = analyzer.faults().into_iter();
        let at_fault = at_fault.filter(|(number, _)| selection.frames.has((*number).into()));
        let at_fault: HashSet<_> = at_fault.map(|(_, finding)| finding).collect();
        let findings = (0..).zip(analyzer.findings());
        let mut findings = findings.filter(|(at, _)| at_fault.contains(at));
        findings.try_for_each(|(_, finding)| pass(finding))
    }

    /// Passes on the flows with a selected message.
    fn pass_flows(
        &mut self,
        flows: &Flows,
        mut redactor: Option<&mut Redactor>,
        set: &mut TableSet<'_>,
    ) -> Result<(), ExportError> {
        let selection = self.selection.as_ref();
        let is_selected = |id: u32| selection.is_none_or(|of| of.flows.has(id.into()));
        for (id, _) in flows.iter().filter(|(id, _)| is_selected(id.0)) {
            if !set.wants_flow(|| self.flows.game(flows, id)) {
                continue;
            }
            if let Some(row) = self.flows.row(flows, id, redactor.as_deref_mut()) {
                set.flow(&row)?;
            }
        }
        Ok(())
    }

    /// What the analysis left out, in words.
    fn warnings(&self) -> Vec<String> {
        let warnings = [&self.all, &self.selected].map(|of| of.as_ref().map(Analyzer::warnings));
        let [mut warnings, others] = warnings.map(Option::unwrap_or_default);
        warnings.extend(others);
        warnings.dedup();
        warnings
    }
}
