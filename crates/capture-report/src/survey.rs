//! What is known of all messages, and the second pass, for the messages of the page.

use std::ops::ControlFlow;

use super::ReportOptions;
use super::choice::{MessageChoice, Usefulness};
use super::counts::PageCounts;
use super::outcomes::Outcomes;
use super::page::page_space;
use super::tables::ReportTables;
use super::time_span::TimeSpan;
use analysis::{CapturedMessage, MessageHeader, Pipeline, SessionStatistics};
use export::ladder::arrow_text;
use export::{ExportError, transcript_heading};
use protocol::Reading;
use render::{DumpStyle, LinesLeftOut, transcript};
use text::Secrets;

/// How many lines of a message's bytes the page has.
const LINES: usize = 60;
/// What both passes give.
pub(super) struct Survey {
    /// Of all selected messages; with pseudonyms, if there are any.
    pub statistics: SessionStatistics,
    /// The messages of the page, in their order.
    pub messages: Vec<ReportMessage>,
    /// How many servers all selected messages have, and masters of those without a server; at most
    /// [`HOSTS`](super::counts::HOSTS).
    pub hosts: usize,
    /// Outcomes of messages, by frame.
    pub outcomes: Outcomes,
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
    /// Its bytes and fields, side by side; none, if the page has no space for them.
    pub bytes: Option<String>,
    /// The lines that `bytes` lacks.
    pub cut: LinesLeftOut,
}

impl Survey {
    /// Reads the messages of the page, as far as the last of them.
    pub fn read_captures(
        pipeline: &mut Pipeline,
        options: &mut ReportOptions<'_>,
        (tables, counts): (&ReportTables, PageCounts),
        selects: &mut (dyn FnMut(&CapturedMessage<'_>) -> bool + Send),
    ) -> Result<Self, ExportError> {
        let mut choice = MessageChoice::from_tables(tables, options.messages);
        let (mut messages, mut reader) = (Vec::new(), ReportReader::new(options));
        if !choice.is_complete() {
            pipeline.messages(|message| {
                let is_selected = selects(message);
                if let Some(of) = choice.choose_message(message.header.number, is_selected) {
                    messages.push(match &mut options.redactor {
                        Some(redactor) => reader.read_message(&redactor.message(message), of),
                        None => reader.read_message(message, of),
                    });
                }
                if choice.is_complete() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        let (statistics, hosts, outcomes) = counts.finish();
        let times = statistics.games.buckets().span();
        let span = TimeSpan::from_times(times, statistics.messages);
        Ok(Self { statistics, messages, hosts, outcomes, span })
    }
}

/// Reads messages for the page, with reused buffers.
struct ReportReader {
    secrets: Secrets,
    reading: Reading,
    transcript: String,
    /// How many bytes of transcripts may still be kept, by the usefulness of their messages: of each as
    /// many as the page may have, because which of them it has is known when all are read.
    space: [usize; Usefulness::ALL.len()],
}

impl ReportReader {
    fn new(options: &ReportOptions<'_>) -> Self {
        let space = [page_space(options); Usefulness::ALL.len()];
        Self {
            secrets: options.secrets,
            reading: Reading::default(),
            transcript: String::new(),
            space,
        }
    }

    fn read_message(
        &mut self,
        message: &CapturedMessage<'_>,
        usefulness: Usefulness,
    ) -> ReportMessage {
        let CapturedMessage { header, payload } = *message;
        let text = arrow_text(message, &mut self.reading, self.secrets);
        let (bytes, cut) = self.transcript(&header, payload, usefulness);
        ReportMessage { header, usefulness, text, bytes, cut }
    }

    /// The first lines of the transcript of the message that was read, and how many more there are;
    /// none, if as much is kept of messages like it as the page can have.
    fn transcript(
        &mut self,
        header: &MessageHeader,
        payload: &[u8],
        usefulness: Usefulness,
    ) -> (Option<String>, LinesLeftOut) {
        let Self { secrets, reading, transcript: text, space } = self;
        let space = space.get_mut(usefulness as usize).filter(|space| **space > 0);
        let Some(space) = space else { return (None, LinesLeftOut::default()) };
        text.clear();
        let style = DumpStyle { lines: Some(LINES), ..DumpStyle::default() };
        let cut = transcript(text, &transcript_heading(header), reading, payload, *secrets, style);
        *space = space.saturating_sub(text.len());
        (Some(text.trim_end_matches('\n').to_owned()), cut)
    }
}
