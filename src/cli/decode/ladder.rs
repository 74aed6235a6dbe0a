//! `decode --ladder`: messages as a ladder. Text is streamed; pictures are drawn at the end.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _, Write as _};

use clap::ValueEnum;

use crate::analysis::{AnalysisNeeds, Analyzer, CapturedMessage, MessageHeader};
use crate::cli::captures::FilteredInput;
use crate::cli::notify;
use crate::export::Output;
use crate::protocol::{MessageOutcome, Reading};
use crate::render::ladder::{Arrow, Ladder, LadderLine, Lifelines, Rows, mermaid, svg};
use crate::render::{Colour, Rendered};
use crate::text::Secrets;

/// What a ladder is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LadderFormat {
    Text,
    Svg,
    Mermaid,
}

/// The maximum of messages in a picture.
const DRAWN: usize = 1000;
/// The width of a ladder without a terminal.
const COLUMNS: usize = 100;

/// How many of the first messages decide the heads of the lifelines.
const HEADS: usize = 4096;
/// The maximum number of kept outcomes.
const OUTCOMES: usize = 1 << 20;

/// Writes the ladder of all messages.
pub(super) fn write(
    from: &mut FilteredInput,
    out: &mut Output,
    form: LadderFormat,
    (secrets, colour, is_live): (Secrets, Colour, bool),
) -> anyhow::Result<()> {
    // The later contents of a pipe are unknown.
    let (outcomes, ends) =
        if from.pipeline.reopens() { read_outcomes(from)? } else { Default::default() };
    if form != LadderFormat::Text {
        return write_picture(from, out, form, secrets, &outcomes);
    }
    let mut text =
        LadderText { out, colour, ladder: None, rows: Rows::default(), line: String::new() };
    let mut reading = Reading::default();
    from.messages(|message| {
        let summary = summary(message, &mut reading, secrets);
        let arrow = arrow(&message.header, &summary, &outcomes);
        text.begin(&arrow, ends)?;
        text.arrow(&arrow)?;
        if is_live { text.out.flush() } else { Ok(()) }
    })
}

/// The outcomes of messages, by their frames.
type OutcomesByFrame = HashMap<u64, MessageOutcome<String>>;

/// Reads everything for the outcomes, and for the heads.
fn read_outcomes(from: &mut FilteredInput) -> anyhow::Result<(OutcomesByFrame, Option<Lifelines>)> {
    let mut outcomes = OutcomesByFrame::new();
    let mut first: Vec<MessageHeader> = Vec::new();
    let FilteredInput { pipeline, filter } = from;
    let first_headers = |message: &CapturedMessage<'_>| {
        if first.len() < HEADS && filter.matches(message) {
            first.push(message.header);
        }
        true
    };
    pipeline.analyze_where(Analyzer::new(AnalysisNeeds::Exchanges), first_headers, |exchange| {
        for step in &exchange.steps {
            if outcomes.len() >= OUTCOMES {
                return;
            }
            let outcome = exchange.outcome(step);
            outcomes.extend(outcome.map(|outcome| (step.number, outcome.map(str::to_owned))));
        }
    })?;
    let arrows = first.iter().map(|header| arrow(header, "", &outcomes));
    let ends = Lifelines::of(arrows);
    Ok((outcomes, Some(ends)))
}

/// A message as an arrow of the ladder.
fn arrow<'a>(header: &MessageHeader, text: &'a str, outcomes: &'a OutcomesByFrame) -> Arrow<'a> {
    let MessageHeader { number, time, direction, source, destination, name, .. } = *header;
    let outcome = outcomes.get(&number).map(|outcome| outcome.map(|what| what));
    Arrow { number, time, direction, source, destination, name, text, outcome }
}

/// A ladder being written line by line.
struct LadderText<'a> {
    out: &'a mut Output,
    colour: Colour,
    ladder: Option<Ladder>,
    rows: Rows,
    line: String,
}

impl LadderText<'_> {
    fn begin(&mut self, first: &Arrow<'_>, ends: Option<Lifelines>) -> io::Result<()> {
        if self.ladder.is_some() {
            return Ok(());
        }
        let ends = ends.unwrap_or_else(|| Lifelines::of([*first]));
        let ladder = Ladder::new(ends, first.time, columns());
        self.ladder = Some(ladder);
        let [names, addresses] = ladder.head();
        self.line(&names)?;
        self.line(&addresses)
    }

    fn arrow(&mut self, arrow: &Arrow<'_>) -> io::Result<()> {
        let Some(ladder) = self.ladder else {
            return Ok(());
        };
        if let Some(pause) = self.rows.pause(arrow.time) {
            self.line(&ladder.pause(pause))?;
        }
        self.line(&ladder.arrow(arrow))
    }

    fn line(&mut self, line: &LadderLine) -> io::Result<()> {
        self.line.clear();
        for run in line {
            self.colour.write(&mut self.line, run.style, &run.text);
        }
        writeln!(self.out, "{}", self.line.trim_end())
    }
}

fn write_picture(
    from: &mut FilteredInput,
    out: &mut Output,
    form: LadderFormat,
    secrets: Secrets,
    outcomes: &OutcomesByFrame,
) -> anyhow::Result<()> {
    let mut drawn: Vec<(MessageHeader, String)> = Vec::new();
    let mut left_out = 0_u64;
    let mut reading = Reading::default();
    from.messages(|message| {
        if drawn.len() < DRAWN {
            drawn.push((message.header, summary(message, &mut reading, secrets)));
        } else {
            left_out += 1;
        }
        Ok(())
    })?;
    let arrows: Vec<_> = drawn.iter().map(|(header, text)| arrow(header, text, outcomes)).collect();
    let text = match form {
        LadderFormat::Mermaid => mermaid(&arrows),
        LadderFormat::Svg | LadderFormat::Text => svg("ladder of messages", &arrows),
    };
    out.write_all(text.as_bytes())?;
    if left_out > 0 {
        notify(&format!(
            "warning: only the first {DRAWN} messages are drawn, {left_out} are left out; \
             --ladder=text draws all"
        ));
    }
    Ok(())
}

fn summary(message: &CapturedMessage<'_>, reading: &mut Reading, secrets: Secrets) -> String {
    let CapturedMessage { header, payload } = *message;
    reading.read_part(header.entry, payload, header.missing);
    let message = Rendered::new(reading, payload, secrets).in_colour();
    let runs = message.summary_runs(header.entry, header.missing);
    runs.into_iter().map(|run| run.text).collect()
}

/// The terminal's width.
fn columns() -> usize {
    let size = io::stdout().is_terminal().then(crossterm::terminal::size);
    size.and_then(Result::ok).map_or(COLUMNS, |(columns, _)| columns.into())
}
