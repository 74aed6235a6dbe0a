//! The second pass: the messages of the page, and statistics of all.

use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::ops::ControlFlow;

use super::ReportOptions;
use super::choice::{MessageChoice, Usefulness};
use super::diagrams::host_of;
use super::tables::ReportTables;
use super::time_span::TimeSpan;
use analysis::{
    AnalysisNeeds, Analyzer, CapturedMessage, MessageHeader, Pipeline, SessionStatistics,
    StatisticsStream,
};
use export::ladder::arrow_text;
use export::{ExportError, transcript_heading};
use protocol::{MessageOutcome, Reading};
use render::{Colour, transcript};
use text::Secrets;

/// How many lines of a message's bytes the page has.
const LINES: usize = 60;
/// How many outcomes of messages are kept for diagrams.
const OUTCOMES: usize = 1 << 16;

/// How many hosts are counted.
pub(super) const HOSTS: usize = 1 << 20;

/// What the second pass gives.
pub(super) struct Survey {
    /// Of all selected messages; with pseudonyms, if there are any.
    pub statistics: SessionStatistics,
    /// The messages of the page, in their order.
    pub messages: Vec<ReportMessage>,
    /// The servers of all selected messages, and the masters of those without a server; at most
    /// [`HOSTS`].
    pub hosts: HashSet<SocketAddr>,
    /// Outcomes of messages, by frame.
    pub outcomes: HashMap<u64, MessageOutcome<String>>,
    /// The times of the first and the last selected message.
    pub span: Option<TimeSpan>,
}

/// A message of the page.
pub(super) struct ReportMessage {
    /// With pseudonyms, if there are any.
    pub header: MessageHeader,
    pub usefulness: Usefulness,
    /// Its summary, in one line, without colour codes.
    pub text: String,
    /// Its bytes and fields, side by side.
    pub bytes: String,
    /// How many lines of `bytes` are left out.
    pub cut: usize,
}

impl Survey {
    /// Reads everything once more.
    pub fn read_captures(
        pipeline: &mut Pipeline,
        options: &mut ReportOptions<'_>,
        tables: &ReportTables,
        selects: &mut (dyn FnMut(&CapturedMessage<'_>) -> bool + Send),
    ) -> Result<Self, ExportError> {
        let mut statistics = StatisticsStream::new(options.filter.is_some());
        let mut choice = MessageChoice::from_tables(tables, options.messages);
        let mut analyzer = Analyzer::new(AnalysisNeeds::Exchanges);
        // The open exchanges with a selected message.
        let mut selected = HashSet::new();
        let (mut messages, mut outcomes) = (Vec::new(), HashMap::new());
        let mut hosts = HashSet::new();
        let mut reader = ReportReader::new(options.secrets);
        let mut ended = |analyzer: &Analyzer,
                         selected: &mut HashSet<u64>,
                         statistics: &mut StatisticsStream| {
            for exchange in analyzer.ended() {
                let is_selected = selected.remove(&exchange.id);
                statistics.add_exchange(exchange, is_selected);
                if !is_selected {
                    continue;
                }
                let of_steps = exchange.steps.iter().filter_map(|step| {
                    Some((step.number, exchange.outcome(step)?.map(str::to_owned)))
                });
                let space = OUTCOMES.saturating_sub(outcomes.len());
                outcomes.extend(of_steps.take(space));
            }
        };
        pipeline.messages_with(|message, flows| {
            let is_selected = selects(message);
            statistics.add_message(&message.header, is_selected);
            if is_selected && hosts.len() < HOSTS {
                hosts.insert(host_of(&message.header));
            }
            if let Some(usefulness) = choice.choose_message(message.header.number, is_selected) {
                messages.push(match &mut options.redactor {
                    Some(redactor) => reader.read_message(&redactor.message(message), usefulness),
                    None => reader.read_message(message, usefulness),
                });
            }
            if let Some((exchange, _)) = analyzer.analyze(message, flows)
                && is_selected
            {
                selected.insert(exchange);
            }
            ended(&analyzer, &mut selected, &mut statistics);
            ControlFlow::<()>::Continue(())
        })?;
        analyzer.finish(pipeline.flows());
        ended(&analyzer, &mut selected, &mut statistics);
        let mut statistics = statistics.finish();
        if let Some(redactor) = &mut options.redactor {
            statistics.rename(|end| redactor.endpoint(end));
        }
        let span = TimeSpan::from_times(statistics.games.buckets().span());
        Ok(Self { statistics, messages, hosts, outcomes, span })
    }
}

/// Reads messages for the page, with reused buffers.
struct ReportReader {
    secrets: Secrets,
    reading: Reading,
    transcript: String,
}

impl ReportReader {
    fn new(secrets: Secrets) -> Self {
        Self { secrets, reading: Reading::default(), transcript: String::new() }
    }

    fn read_message(
        &mut self,
        message: &CapturedMessage<'_>,
        usefulness: Usefulness,
    ) -> ReportMessage {
        let Self { secrets, reading, transcript: all } = self;
        let CapturedMessage { header, payload } = *message;
        let text = arrow_text(message, reading, *secrets);
        all.clear();
        let heading = transcript_heading(&header);
        transcript(all, &heading, reading, payload, *secrets, Colour::Plain.into());
        let mut lines = all.lines();
        let kept: Vec<_> = lines.by_ref().take(LINES).collect();
        ReportMessage { header, usefulness, text, bytes: kept.join("\n"), cut: lines.count() }
    }
}
