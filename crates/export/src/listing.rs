//! The lines that `decode` prints: rows for people, aligned as far as a stream allows.

mod width;

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;

use anstyle::{AnsiColor, Style};
use width::{cut, width};

use super::{ExportError, MessageRow, MessageRows, Select};
use analysis::Pipeline;
use render::Colour;
use text::digits::{self, nine_digits};
use text::{Secrets, TimeDisplay, Zone};

/// About how many messages a thread formats at a time.
const MESSAGES: usize = 512;

/// Columns of a date and a time of day, and of seconds, each up to the point.
const CLOCK: usize = 19;
const SECONDS: usize = 5;

/// Nanoseconds in a second.
const SECOND: i64 = 1_000_000_000;

/// How lines are written.
#[derive(Debug, Clone)]
pub struct LineStyle {
    /// Whether colour codes are written.
    pub colour: Colour,
    /// How times are shown.
    pub times: TimeDisplay,
    /// The zone of local times.
    pub zone: Zone,
    /// The width of the terminal: longer lines are cut. In a narrow one the summary has a line of its
    /// own, and the game is left out.
    pub columns: Option<usize>,
}

/// Below how many columns a terminal is narrow, and too narrow for the message's name beside two
/// endpoints of IPv4.
const NARROW: usize = 120;
const NARROWEST: usize = 74;
/// What is in front of a summary: in a line of its own in a narrow terminal.
const LEADS: [&[u8]; 2] = [b"\n      ", b"  "];
/// How many decimals of seconds are written in a narrow terminal, and elsewhere.
const DECIMALS: [usize; 2] = [3, 6];

/// Writes one line per message: number, time, source, destination, game, message, summary.
///
/// The final width of a stream's columns is unknown. So there is room for what they usually have,
/// and each is as wide as its widest cell so far.
pub struct Listing<W> {
    out: W,
    style: LineStyle,
    formatter: LineFormatter,
    block: LineBlock,
    lines: Vec<u8>,
    /// Of the source, the destination, the game and the message's name, in characters.
    widths: [usize; CELLS],
    times: LineTimes,
}

/// The times of the lines so far, in nanoseconds since the Unix epoch.
#[derive(Default)]
struct LineTimes {
    first: Option<i64>,
    last: Option<i64>,
    /// A date and a time of day without its decimals, and its second since the epoch.
    clock: Option<(i64, String)>,
}

/// The number of cells that are padded.
const CELLS: usize = 4;

/// Formats the cells of lines, which any thread may do.
pub(super) struct LineFormatter {
    colour: Colour,
    is_narrow: bool,
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
    /// The frame of the message, and its time.
    number: u64,
    time: i64,
    /// Where each of the padded cells ends in the text.
    cells: [usize; CELLS],
    /// How many characters each has; all of them are ASCII.
    lengths: [usize; CELLS],
    /// Where the line ends.
    end: usize,
}

impl<W: Write> Listing<W> {
    /// Starts a listing; it has no header.
    pub fn new(out: W, style: LineStyle) -> Self {
        let formatter = LineFormatter::new(&style);
        let (block, lines, times) = (LineBlock::default(), Vec::new(), LineTimes::default());
        let widths = if style.is_narrow() { [21, 21, 0, 0] } else { [21, 21, 8, 18] };
        Self { out, style, formatter, block, lines, widths, times }
    }

    /// Writes a row; the name of a message with a fault is red, and its summary ends with the fault
    /// after a `!`.
    ///
    /// # Errors
    /// Those of the writer.
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
        let Self { style, lines, widths, times, .. } = self;
        lines.clear();
        let mut begin = 0;
        for UnpaddedLine { number, time, cells, lengths, end } in &block.lines {
            let line = lines.len();
            push_padded(lines, *number, if style.is_narrow() { 4 } else { 6 });
            let blanks: &[u8] = if style.is_narrow() { b" " } else { b"  " };
            lines.extend_from_slice(blanks);
            times.push(lines, *time, style);
            lines.extend_from_slice(blanks);
            let mut name_at = line;
            for ((cell, length), width) in cells.iter().zip(lengths).zip(&mut *widths) {
                name_at = lines.len();
                lines.extend_from_slice(block.text.get(begin..*cell).unwrap_or_default());
                begin = *cell;
                // What ends the line is not padded, nor is the name in a narrow terminal.
                if cell < end && *length > 0 && *width > 0 {
                    *width = (*length).max(*width);
                    lines.resize(lines.len() + *width - length, b' ');
                }
            }
            let cut_from = |lines: &mut Vec<u8>, from| {
                if let Some(columns) = style.columns {
                    cut(lines, from, columns, style.colour);
                }
            };
            let summary = block.text.get(begin..*end).unwrap_or_default();
            begin = *end;
            if style.is_too_narrow(lines.get(line..).unwrap_or_default()) {
                let name = lines.split_off(name_at);
                lines.truncate(lines.trim_ascii_end().len());
                cut_from(lines, line);
                let second = lines.len() + 1;
                let [own_line, same_line] = LEADS;
                lines.extend_from_slice(own_line);
                lines.extend_from_slice(&name);
                if let Some(summary) = summary.strip_prefix(own_line) {
                    lines.extend_from_slice(same_line);
                    lines.extend_from_slice(summary);
                }
                cut_from(lines, second);
            } else if style.is_narrow() && !summary.is_empty() {
                cut_from(lines, line);
                let second = lines.len() + 1;
                lines.extend_from_slice(summary);
                cut_from(lines, second);
            } else {
                lines.extend_from_slice(summary);
                cut_from(lines, line);
            }
            lines.push(b'\n');
        }
        self.out.write_all(&self.lines)
    }

    /// Writes out everything that is buffered.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl LineStyle {
    fn is_narrow(&self) -> bool {
        self.columns.is_some_and(|columns| columns < NARROW)
    }

    /// Whether the name of a message, which ends a line, belongs into the next one: times with a
    /// date leave no room for it.
    fn is_too_narrow(&self, line: &[u8]) -> bool {
        let columns = self.columns.filter(|columns| *columns < NARROW);
        let is_too_wide = |columns| width(line) > columns;
        columns.is_some_and(|columns| {
            columns < NARROWEST || self.times.is_clock() || is_too_wide(columns)
        })
    }
}

impl LineTimes {
    /// Appends the time of the next line, in nanoseconds since the Unix epoch.
    fn push(&mut self, out: &mut Vec<u8>, time: i64, style: &LineStyle) {
        let [few, many] = DECIMALS;
        let decimals = if style.is_narrow() { few } else { many };
        if !text::has_time(time) {
            let text = text::utc(time);
            let whole = if style.times.is_clock() { CLOCK } else { SECONDS };
            let width = whole + 1 + decimals;
            return out.extend_from_slice(format!("{text:>width$}").as_bytes());
        }
        let first = *self.first.get_or_insert(time);
        let before = self.last.replace(time).unwrap_or(time);
        match style.times {
            TimeDisplay::Relative => push_seconds(out, time.saturating_sub(first), decimals),
            TimeDisplay::Delta => push_seconds(out, time.saturating_sub(before), decimals),
            TimeDisplay::Utc | TimeDisplay::Local => {
                // Rows are mostly within one second, and the calendar costs more than the digits.
                let second = time.div_euclid(SECOND);
                if self.clock.as_ref().is_none_or(|(of, _)| *of != second) {
                    let date = style.times.date(time, &style.zone).unwrap_or_default();
                    let clock = style.times.text(time, 0, 1, &style.zone);
                    let mut text = format!("{date} {clock}");
                    text.truncate(text.len().saturating_sub(1));
                    self.clock = Some((second, text));
                }
                let text = self.clock.as_ref().map_or("", |(_, text)| text);
                out.extend_from_slice(text.as_bytes());
                push_decimals(out, time.rem_euclid(SECOND).unsigned_abs(), decimals);
            }
        }
    }
}

impl LineFormatter {
    pub fn new(style: &LineStyle) -> Self {
        Self { colour: style.colour, is_narrow: style.is_narrow() }
    }

    /// Adds the line of a row.
    pub fn push(&mut self, row: &MessageRow<'_>, block: &mut LineBlock) {
        let LineBlock { text, lines } = block;
        let name = if row.fault.is_empty() { AnsiColor::Green } else { AnsiColor::Red };
        let source = push_endpoint(text, row.source, row.source_port);
        let source_end = text.len();
        text.extend_from_slice(b" > ");
        let destination = push_endpoint(text, row.destination, row.destination_port);
        let destination_end = text.len();
        text.extend_from_slice(if self.is_narrow { b" " } else { b"  " });
        let game = if self.is_narrow { "" } else { row.game };
        if !self.is_narrow {
            paint(text, self.colour, AnsiColor::Cyan.on_default(), |out| out.extend(game.bytes()));
        }
        let game_end = text.len();
        if !self.is_narrow {
            text.extend_from_slice(b"  ");
        }
        paint(text, self.colour, name.on_default(), |out| out.extend(row.message.bytes()));
        let message_end = text.len();
        if !row.summary.is_empty() {
            let [own_line, same_line] = LEADS;
            text.extend_from_slice(if self.is_narrow { own_line } else { same_line });
            text.extend_from_slice(row.summary.as_bytes());
        }
        lines.push(UnpaddedLine {
            number: row.number,
            time: row.time,
            cells: [source_end, destination_end, game_end, message_end],
            lengths: [source, destination, game.len(), row.message.len()],
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
    (secrets, style): (Secrets, LineStyle),
    (live, selects): (bool, Option<&mut Select<'_>>),
    out: &mut (dyn Write + Send),
) -> Result<(), ExportError> {
    let mut listing = Listing::new(out, style.clone());
    let failed = if live || selects.is_some() || !pipeline.reopens() {
        let (mut rows, mut selects) =
            (MessageRows::new(secrets).without_fields().in_colour(style.colour), selects);
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
                let mut rows = MessageRows::new(secrets).without_fields().in_colour(style.colour);
                let mut lines = LineFormatter::new(&style);
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

/// Appends a number, in so many columns or more.
fn push_padded(text: &mut Vec<u8>, number: u64, columns: usize) {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(number);
    text.resize(text.len() + columns.saturating_sub(digits.len()), b' ');
    text.extend_from_slice(digits.as_bytes());
}

/// Appends nanoseconds as seconds with so many decimals; up to a day, all are equally wide.
fn push_seconds(out: &mut Vec<u8>, nanos: i64, decimals: usize) {
    let (begin, all) = (out.len(), nanos.unsigned_abs());
    if nanos < 0 {
        out.push(b'-');
    }
    digits::push_number(out, all / SECOND.unsigned_abs());
    out.push(b'.');
    push_decimals(out, all % SECOND.unsigned_abs(), decimals);
    let short = (SECONDS + 1 + decimals).saturating_sub(out.len() - begin);
    out.splice(begin..begin, std::iter::repeat_n(b' ', short));
}

/// Appends so many decimals of a number of billionths.
fn push_decimals(out: &mut Vec<u8>, billionths: u64, decimals: usize) {
    let digits = nine_digits(billionths as u32);
    out.extend_from_slice(digits.get(..decimals).unwrap_or(&digits));
}

/// Appends an endpoint; returns its length.
fn push_endpoint(text: &mut Vec<u8>, address: IpAddr, port: u16) -> usize {
    let begin = text.len();
    digits::push_endpoint(text, SocketAddr::new(address, port));
    text.len() - begin
}

fn paint(line: &mut Vec<u8>, colour: Colour, style: Style, write: impl FnOnce(&mut Vec<u8>)) {
    if colour == Colour::Plain {
        return write(line);
    }
    // Writing to a vector cannot fail.
    _ = write!(line, "{style}");
    write(line);
    _ = write!(line, "{style:#}");
}

#[cfg(test)]
mod tests;
