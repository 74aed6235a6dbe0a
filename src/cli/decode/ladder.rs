//! `decode --ladder`: messages as a ladder. Text is streamed; pictures are drawn when all is read.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use clap::ValueEnum;

use super::window::{Held, Window};
use crate::cli::captures::each;
use crate::cli::complain;
use crate::cli::output::Output;
use crate::dump::ladder::{Ends, Ladder, Line, Rows, Rung, mermaid, svg};
use crate::dump::{self, Colour, Secrets};
use crate::proto::Reading;
use crate::session::{Message, Pipeline};

/// What a ladder is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum As {
    Text,
    Svg,
    Mermaid,
}

/// How many messages a picture has at most.
const DRAWN: usize = 1000;
/// How wide a ladder is where no terminal tells.
const COLUMNS: usize = 100;

/// Writes the ladder of all messages.
pub(super) fn write(
    pipeline: &mut Pipeline,
    out: &mut Output,
    form: As,
    (secrets, colour, is_live): (Secrets, Colour, bool),
) -> anyhow::Result<()> {
    pipeline.learn();
    let mut window = Window::new(pipeline.flows(), is_live);
    if form != As::Text {
        return picture(pipeline, out, form, secrets, &mut window);
    }
    let mut text = Text { out, colour, ladder: None, rows: Rows::default(), line: String::new() };
    let mut reading = Reading::default();
    each(pipeline, |message| {
        window.push(message.header, summary(message, &mut reading, secrets));
        // The head of the ladder is told from the first messages, so they wait for it.
        if text.ladder.is_none() && !window.is_full() {
            return Ok(());
        }
        text.begin(&window)?;
        while let Some(held) = window.next() {
            text.rung(&held.rung())?;
        }
        if is_live { text.out.flush() } else { Ok(()) }
    })?;
    text.begin(&window)?;
    while let Some(held) = window.rest() {
        text.rung(&held.rung())?;
    }
    Ok(())
}

/// A ladder that is written line by line.
struct Text<'a> {
    out: &'a mut Output,
    colour: Colour,
    ladder: Option<Ladder>,
    rows: Rows,
    line: String,
}

impl Text<'_> {
    fn begin(&mut self, window: &Window) -> io::Result<()> {
        let Some(first) = window.waiting().next() else {
            return Ok(());
        };
        if self.ladder.is_some() {
            return Ok(());
        }
        let ladder = Ladder::new(Ends::of(window.waiting()), first.time, columns());
        self.ladder = Some(ladder);
        let [names, addresses] = ladder.head();
        self.line(&names)?;
        self.line(&addresses)
    }

    fn rung(&mut self, rung: &Rung<'_>) -> io::Result<()> {
        let Some(ladder) = self.ladder else {
            return Ok(());
        };
        if let Some(pause) = self.rows.pause(rung.time) {
            self.line(&ladder.gap(pause))?;
        }
        self.line(&ladder.rung(rung))
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        self.line.clear();
        for run in line {
            let (style, text) = (run.style, &run.text);
            match self.colour {
                Colour::Plain => self.line.push_str(text),
                Colour::Ansi => _ = write!(self.line, "{style}{text}{style:#}"),
            }
        }
        writeln!(self.out, "{}", self.line.trim_end())
    }
}

fn picture(
    pipeline: &mut Pipeline,
    out: &mut Output,
    form: As,
    secrets: Secrets,
    window: &mut Window,
) -> anyhow::Result<()> {
    let mut drawn: Vec<Held> = Vec::new();
    let mut left_out = 0_u64;
    let mut keep = |held| {
        if drawn.len() < DRAWN { drawn.push(held) } else { left_out += 1 }
    };
    let mut reading = Reading::default();
    each(pipeline, |message| {
        window.push(message.header, summary(message, &mut reading, secrets));
        while let Some(held) = window.next() {
            keep(held);
        }
        Ok(())
    })?;
    while let Some(held) = window.rest() {
        keep(held);
    }
    let rungs: Vec<_> = drawn.iter().map(Held::rung).collect();
    let text = match form {
        As::Mermaid => mermaid(&rungs),
        As::Svg | As::Text => svg("ladder of messages", &rungs),
    };
    out.write_all(text.as_bytes())?;
    if left_out > 0 {
        complain(&format!(
            "warning: {left_out} messages behind the first {DRAWN} are not drawn; \
             --ladder=text has all"
        ));
    }
    Ok(())
}

fn summary(message: &Message<'_>, reading: &mut Reading, secrets: Secrets) -> String {
    let Message { header, payload } = *message;
    reading.read(header.entry, payload);
    let runs = dump::summary_in_colour(header.entry, reading, payload, header.missing, secrets);
    runs.into_iter().map(|run| run.text).collect()
}

/// As wide as the terminal.
fn columns() -> usize {
    let size = io::stdout().is_terminal().then(crossterm::terminal::size);
    size.and_then(Result::ok).map_or(COLUMNS, |(columns, _)| columns.into())
}
