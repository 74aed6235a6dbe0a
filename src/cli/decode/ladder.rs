//! `decode --sequence`: messages as a ladder. Text is streamed; pictures are drawn at the end.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _, Write as _};

use clap::ValueEnum;

use crate::cli::captures::FilteredInput;
use crate::cli::file_format::{FileFormat, TEXT};
use crate::cli::notify;
use analysis::{AnalysisNeeds, Analyzer, CapturedMessage, MessageHeader};
use export::Output;
use export::ladder::{DIAGRAM_TITLE, arrow, arrow_text};
use protocol::{MessageOutcome, Reading};
use render::Colour;
use render::ladder::{Arrow, Diagram, DiagramForm, Ladder, LadderLine, Lifelines, RoleHeads, Rows};
use text::Secrets;

/// What a ladder is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LadderFormat {
    Text,
    Svg,
    Mermaid,
}

impl FileFormat for LadderFormat {
    const USUAL: Self = Self::Text;
    const OPTION: &'static str = "--sequence=FORM";
    const ENDINGS: &'static [(Self, &'static [&'static str])] =
        &[(Self::Text, TEXT), (Self::Svg, &["svg"]), (Self::Mermaid, &["mmd"])];
}

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
    let (outcomes, heads) =
        if from.pipeline.reopens() { read_outcomes(from)? } else { Default::default() };
    match form {
        LadderFormat::Text => {}
        LadderFormat::Svg => return draw(from, out, DiagramForm::Svg, secrets, &outcomes),
        LadderFormat::Mermaid => return draw(from, out, DiagramForm::Mermaid, secrets, &outcomes),
    }
    let mut text =
        LadderText { out, colour, ladder: None, rows: Rows::default(), line: String::new() };
    let mut reading = Reading::default();
    from.messages(|message| {
        let summary = arrow_text(message, &mut reading, secrets);
        let arrow = arrow(&message.header, &summary, outcome_in(&outcomes, &message.header));
        text.begin(&arrow, heads)?;
        text.arrow(&arrow)?;
        if is_live { text.out.flush() } else { Ok(()) }
    })
}

/// The outcomes of messages, by their frames.
type OutcomesByFrame = HashMap<u64, MessageOutcome<String>>;

/// Reads everything for the outcomes, and for the heads.
fn read_outcomes(from: &mut FilteredInput) -> anyhow::Result<(OutcomesByFrame, Option<RoleHeads>)> {
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
    let heads = RoleHeads::from_arrows(first.iter().map(|header| arrow(header, "", None)));
    Ok((outcomes, Some(heads)))
}

fn outcome_in<'a>(
    outcomes: &'a OutcomesByFrame,
    header: &MessageHeader,
) -> Option<MessageOutcome<&'a str>> {
    outcomes.get(&header.number).map(|outcome| outcome.map(|what| what))
}

/// A ladder being written line by line.
struct LadderText<'a> {
    out: &'a mut Output,
    colour: Colour,
    ladder: Option<Ladder<'static>>,
    rows: Rows,
    line: String,
}

impl LadderText<'_> {
    fn begin(&mut self, first: &Arrow<'_>, heads: Option<RoleHeads>) -> io::Result<()> {
        if self.ladder.is_some() {
            return Ok(());
        }
        let heads = heads.unwrap_or_else(|| RoleHeads::from_arrows([*first]));
        let ladder = Ladder::new(Lifelines::ByRole(heads), first.time, columns());
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

/// Draws the messages that a diagram has room for.
fn draw(
    from: &mut FilteredInput,
    out: &mut Output,
    form: DiagramForm,
    secrets: Secrets,
    outcomes: &OutcomesByFrame,
) -> anyhow::Result<()> {
    let (mut diagram, mut left_out) = (Diagram::default(), 0);
    let mut reading = Reading::default();
    from.messages(|message| {
        let header = &message.header;
        if diagram.takes(&arrow(header, "", None)) {
            let summary = arrow_text(message, &mut reading, secrets);
            diagram.push(&arrow(header, &summary, outcome_in(outcomes, header)));
        } else {
            left_out += 1;
        }
        Ok(())
    })?;
    diagram.set_left_out(left_out);
    out.write_all(diagram.draw(form, DIAGRAM_TITLE).as_bytes())?;
    if let Some(note) = diagram.note() {
        notify(&format!("warning: {note}; --sequence=text draws all"));
    }
    Ok(())
}

/// The terminal's width.
fn columns() -> usize {
    let size = io::stdout().is_terminal().then(crossterm::terminal::size);
    size.and_then(Result::ok).map_or(COLUMNS, |(columns, _)| columns.into())
}
