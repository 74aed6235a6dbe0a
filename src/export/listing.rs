//! The lines that `decode` prints: rows for people, aligned as far as a stream allows.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;

use anstyle::{AnsiColor, Style};

use super::time::TimeFormatter;
use super::{ExportError, MessageRow, MessageRows, Select};
use crate::analysis::Pipeline;
use crate::render::Colour;
use crate::text::{Secrets, digits};

/// About how many messages a thread formats at a time.
const MESSAGES: usize = 512;

/// Writes one line per message: number, time, source, destination, game, message, summary.
///
/// The final width of a stream's columns is unknown, so each is as wide as its widest cell so far.
pub struct Listing<W> {
    out: W,
    formatter: LineFormatter,
    block: LineBlock,
    lines: Vec<u8>,
    /// Of the source, the destination, the game and the message's name, in characters.
    widths: [usize; CELLS],
}

/// The number of cells that are padded.
const CELLS: usize = 4;

/// Formats the cells of lines, which any thread may do.
pub(super) struct LineFormatter {
    colour: Colour,
    times: TimeFormatter,
}

/// Lines without the blanks that fill their cells.
#[derive(Default)]
pub(super) struct LineBlock {
    /// UTF-8.
    text: Vec<u8>,
    lines: Vec<UnpaddedLine>,
}

/// A line in a block.
struct UnpaddedLine {
    /// Where each of the padded cells ends in the text.
    cells: [usize; CELLS],
    /// How many characters each has; all of them are ASCII.
    lengths: [usize; CELLS],
    /// Where the line ends.
    end: usize,
}

impl<W: Write> Listing<W> {
    /// Starts a listing; it has no header.
    pub fn new(out: W, colour: Colour) -> Self {
        let end = "192.0.2.255:27960".len();
        let formatter = LineFormatter::new(colour);
        let (block, lines) = (LineBlock::default(), Vec::new());
        Self { out, formatter, block, lines, widths: [end, end, 6, 12] }
    }

    /// Writes a row; the name of a message with a fault is red, and its summary ends with the fault
    /// after a `!`.
    pub fn write(&mut self, row: &MessageRow<'_>) -> io::Result<()> {
        let mut block = std::mem::take(&mut self.block);
        block.clear();
        self.formatter.push(row, &mut block);
        let written = self.write_block(&block);
        self.block = block;
        written
    }

    /// Writes lines that a formatter with the same colours has formatted.
    pub(super) fn write_block(&mut self, block: &LineBlock) -> io::Result<()> {
        self.lines.clear();
        let mut begin = 0;
        for UnpaddedLine { cells, lengths, end } in &block.lines {
            for ((cell, length), width) in cells.iter().zip(lengths).zip(&mut self.widths) {
                self.lines.extend_from_slice(block.text.get(begin..*cell).unwrap_or_default());
                begin = *cell;
                // What ends the line is not padded.
                if cell < end {
                    *width = (*length).max(*width);
                    self.lines.resize(self.lines.len() + *width - length, b' ');
                }
            }
            self.lines.extend_from_slice(block.text.get(begin..*end).unwrap_or_default());
            begin = *end;
            self.lines.push(b'\n');
        }
        self.out.write_all(&self.lines)
    }

    /// Writes out everything that is buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl LineFormatter {
    pub fn new(colour: Colour) -> Self {
        Self { colour, times: TimeFormatter::default() }
    }

    /// Adds the line of a row.
    pub fn push(&mut self, row: &MessageRow<'_>, block: &mut LineBlock) {
        let LineBlock { text, lines } = block;
        let grey = AnsiColor::BrightBlack.on_default();
        let name = if row.fault.is_empty() { AnsiColor::Green } else { AnsiColor::Red };
        push_padded(text, row.number);
        text.extend_from_slice(b"  ");
        paint(text, self.colour, grey, self.times.write(row.time));
        text.extend_from_slice(b"  ");
        let source = push_endpoint(text, row.source, row.source_port);
        let source_end = text.len();
        text.extend_from_slice(b" > ");
        let destination = push_endpoint(text, row.destination, row.destination_port);
        let destination_end = text.len();
        text.extend_from_slice(b"  ");
        paint(text, self.colour, AnsiColor::Cyan.on_default(), row.game.as_bytes());
        let game_end = text.len();
        text.extend_from_slice(b"  ");
        paint(text, self.colour, name.on_default(), row.message.as_bytes());
        let message_end = text.len();
        if !row.summary.is_empty() {
            text.extend_from_slice(b"  ");
            text.extend_from_slice(row.summary.as_bytes());
        }
        lines.push(UnpaddedLine {
            cells: [source_end, destination_end, game_end, message_end],
            lengths: [source, destination, row.game.len(), row.message.len()],
            end: text.len(),
        });
    }
}

impl LineBlock {
    pub fn clear(&mut self) {
        self.text.clear();
        self.lines.clear();
    }
}

/// Writes one line per message. Selected messages only, if `selects` is there; each at once, if the
/// input is `live`.
///
/// # Errors
///
/// If an input cannot be opened again, or the destination takes no more.
pub fn write_listing(
    pipeline: &mut Pipeline,
    (secrets, colour): (Secrets, Colour),
    (live, selects): (bool, Option<&mut Select<'_>>),
    out: &mut (dyn Write + Send),
) -> Result<(), ExportError> {
    let mut listing = Listing::new(out, colour);
    let failed = if live || selects.is_some() || !pipeline.reopens() {
        let (mut rows, mut selects) = (MessageRows::new(secrets).without_fields(), selects);
        pipeline.messages(|message| {
            if selects.as_mut().is_some_and(|selects| !selects(message)) {
                return ControlFlow::Continue(());
            }
            let written = listing.write(&rows.row(message));
            let done = if live { written.and_then(|()| listing.flush()) } else { written };
            done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        })?
    } else {
        pipeline.work_on_messages(
            MESSAGES,
            || {
                let mut rows = MessageRows::new(secrets).without_fields();
                let mut lines = LineFormatter::new(colour);
                move |batch, block: &mut LineBlock| {
                    block.clear();
                    batch.messages().for_each(|message| lines.push(&rows.row(&message), block));
                }
            },
            |block| {
                let written = listing.write_block(block);
                written.map_or_else(ControlFlow::Break, ControlFlow::Continue)
            },
        )?
    };
    failed.map_or(Ok(()), |error| Err(error.into()))
}

/// Appends a number, in six columns or more.
fn push_padded(text: &mut Vec<u8>, number: u64) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(number);
    text.resize(text.len() + 6usize.saturating_sub(digits.len()), b' ');
    text.extend_from_slice(digits.as_bytes());
}

/// Appends an endpoint; returns its length.
fn push_endpoint(text: &mut Vec<u8>, address: IpAddr, port: u16) -> usize {
    let begin = text.len();
    digits::push_endpoint(text, SocketAddr::new(address, port));
    text.len() - begin
}

fn paint(line: &mut Vec<u8>, colour: Colour, style: Style, text: &[u8]) {
    if colour == Colour::Plain {
        return line.extend_from_slice(text);
    }
    // Writing to a vector cannot fail.
    _ = write!(line, "{style}");
    line.extend_from_slice(text);
    _ = write!(line, "{style:#}");
}
