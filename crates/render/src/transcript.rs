//! A message as `decode -v` prints it: a header, then bytes and fields side by side.
//!
//! The format is stable, because golden transcripts are compared with it. Every byte of the payload
//! stands in exactly one row; colour adds no information.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::ops::Range;

use anstyle::{AnsiColor, Style};

use super::annotated::{AnnotatedRow, Annotation, HANGING, RowSize, ShownLines, shown_lines, wrap};
use super::cells::{HexCell, ROW};
use super::message::Rendered;
use super::paint::style;
use super::summary::missing_note;
use super::ties::Ties;
use super::tree::{Separators, TreeLine, TreeSize};

use protocol::{Colours, Direction, Entry, Reading};
use text::{Secrets, grouped, utc};

/// The header of a message.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    /// The frame's number in the capture, from 1.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// The sender.
    pub source: SocketAddr,
    /// The receiver.
    pub destination: SocketAddr,
    /// The game's id.
    pub game: &'a str,
    /// The message's name.
    pub name: &'a str,
    /// The message's declaration.
    pub entry: &'a Entry,
    /// From which role to which.
    pub direction: Direction,
    /// How many bytes of the payload were not captured.
    pub missing: u32,
    /// Whether two of its fragments claimed the same bytes.
    pub overlap: bool,
    /// Which request it answers, and what else is known of the exchange.
    pub ties: Ties,
}

/// Whether a text is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// Without colour.
    #[default]
    Plain,
    /// With ANSI sequences.
    Ansi,
}

impl Colour {
    /// A style as it is to be written: none without colour.
    pub fn style(self, style: Style) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Ansi => style,
        }
    }

    /// Appends a text in a style; without colour, as it is.
    pub fn write(self, out: &mut String, style: Style, text: &str) {
        match self {
            Self::Plain => out.push_str(text),
            Self::Ansi => _ = write!(out, "{style}{text}{style:#}"),
        }
    }
}

/// How an annotated dump is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DumpStyle {
    /// Its colours.
    pub colour: Colour,
    /// The columns that lines may have; `None` if none is wrapped. A row has 16 bytes, in few
    /// columns fewer.
    pub width: Option<usize>,
    /// The maximum number of lines; `None` if all are written.
    pub lines: Option<usize>,
}

impl From<Colour> for DumpStyle {
    /// Lines are not wrapped.
    fn from(colour: Colour) -> Self {
        Self { colour, ..Self::default() }
    }
}

/// How many lines of a message are annotated; the bytes of later ones stand alone.
const ANNOTATED: usize = 1 << 14;
/// How many bytes of a message an annotation has.
const ANNOTATION: usize = 2_048;
/// Of how many spans those lines are counted that are left out.
const COUNTED: usize = 1 << 12;

/// The lines of a transcript that are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LinesLeftOut {
    /// How many there are.
    pub count: usize,
    /// Whether there may be more: those of a long message are not counted one by one.
    pub is_least: bool,
}

/// Appends the transcript of a message to `out`; it ends in a newline. Returns which lines are left
/// out.
pub fn transcript(
    out: &mut String,
    heading: &Heading<'_>,
    reading: &Reading,
    payload: &[u8],
    secrets: Secrets,
    style: DumpStyle,
) -> LinesLeftOut {
    let mut message = Rendered::new(reading, payload, secrets);
    let mut page = TranscriptWriter::new(out, style);
    page.heading(heading, payload.len());
    // Colour codes stay where they are text; Quake's golden letters have none.
    if style.colour == Colour::Ansi && reading.colours() == Colours::HighBit {
        message = message.in_colours(Colours::HighBit);
    }
    let texts = style.lines.map_or(ANNOTATED, |lines| lines.min(ANNOTATED));
    let is_least = style.lines.is_some() && reading.spans().all.len() > COUNTED;
    let lines = if is_least { texts } else { usize::MAX };
    let size = TreeSize { folded: true, lines, texts, bytes: ANNOTATION };
    let lines = message.tree_of_size(Separators::Hidden, size);
    page.layer(message, &lines, 0);
    if let Some(plain) = reading.plain() {
        let decoded = Style::new().bold();
        page.line(2, vec![(format!("decoded text, {} bytes", plain.len()), decoded)]);
        page.layer(message, &lines, 1);
    }
    if lines.len() > ANNOTATED {
        let more = grouped((lines.len() - ANNOTATED) as u64);
        page.line(2, vec![(format!("note: {more} more fields are not named"), NOTE)]);
    }
    page.remarks(heading, reading);
    LinesLeftOut { count: page.left_out, is_least: is_least && page.left_out > 0 }
}

/// Appends a message's bytes and fields side by side, as a transcript has them, without a heading;
/// rows that hold one of the marked bytes begin with a `>`.
pub fn annotated(
    out: &mut String,
    reading: &Reading,
    payload: &[u8],
    marked: Range<usize>,
    style: DumpStyle,
) {
    let message = Rendered::new(reading, payload, Secrets::Masked);
    let mut page = TranscriptWriter { marked, ..TranscriptWriter::new(out, style) };
    page.layer(message, &message.tree(Separators::Shown), 0);
    page.notices(reading);
    page.fault(reading);
}

/// The first `most` bytes of a payload that is no message, without fields.
pub fn plain(out: &mut String, payload: &[u8], most: usize, marked: Range<usize>, colour: Colour) {
    let mut page = TranscriptWriter { marked, ..TranscriptWriter::new(out, colour.into()) };
    let cells = HexCell::from_bytes(payload);
    for (row, at) in cells.chunks(ROW).zip((0..most).step_by(ROW)) {
        let row = row.get(..most - at).unwrap_or(row);
        page.row(at, row, ROW, None);
    }
}

/// The columns beside the digits and characters of a row: a mark, the offset, frames.
const BESIDE: usize = 11;

/// Name, value and meaning of a line, in colours; nothing, if it has no texts.
fn annotation(line: &TreeLine) -> Annotation<Style> {
    let plain = Style::new();
    if line.label.is_empty() {
        return Annotation { indent: 0, sign: "", text: Vec::new() };
    }
    let mut text = vec![(line.label.clone(), plain.bold())];
    if !line.value.is_empty() {
        text.push((": ".to_owned(), plain));
        if line.runs.is_empty() {
            text.push((line.value.clone(), style(line.kind)));
        }
        text.extend(line.runs.iter().map(|run| (run.text.clone(), run.style)));
    }
    if let Some(meaning) = &line.meaning {
        text.push((format!(" ({meaning})"), plain));
    }
    let indent = usize::from(line.depth_in_layer()) * 2;
    Annotation { indent, sign: "", text }
}

const NOTE: Style = AnsiColor::Yellow.on_default();
const FAULT: Style = AnsiColor::Red.on_default().bold();

struct TranscriptWriter<'a> {
    out: &'a mut String,
    style: DumpStyle,
    /// The bytes of layer 0 to mark.
    marked: Range<usize>,
    /// How many lines there is still space for, and how many are left out.
    space: usize,
    left_out: usize,
}

impl<'a> TranscriptWriter<'a> {
    fn new(out: &'a mut String, style: DumpStyle) -> Self {
        let space = style.lines.unwrap_or(usize::MAX);
        Self { out, style, marked: 0..0, space, left_out: 0 }
    }

    /// Whether there is space for another line.
    fn takes_line(&mut self) -> bool {
        let rest = self.space.checked_sub(1);
        self.space = rest.unwrap_or(0);
        self.left_out += usize::from(rest.is_none());
        rest.is_some()
    }

    fn painted(&mut self, style: Style, text: &str) {
        self.style.colour.write(self.out, style, text);
    }

    /// A line of its own, indented by so many columns, and more where it is wrapped.
    fn line(&mut self, indent: usize, text: Vec<(String, Style)>) {
        let (indent, lines) = match self.style.width {
            Some(width) => wrap(text, width, indent),
            None => (indent, vec![text]),
        };
        for (n, line) in lines.into_iter().enumerate() {
            if !self.takes_line() {
                continue;
            }
            let indent = if n == 0 { indent } else { indent + HANGING };
            _ = write!(self.out, "{:indent$}", "");
            for (text, style) in &line {
                self.painted(*style, text);
            }
            self.out.push('\n');
        }
    }

    fn heading(&mut self, h: &Heading<'_>, len: usize) {
        let (name, plain) = (format!("#{}  {} {}", h.number, h.game, h.name), Style::new());
        let (ends, ties) = (format!("{} → {}", h.source, h.destination), h.ties.to_string());
        let gap = if ties.is_empty() { "" } else { "  " };
        let rest = format!("  {}  {ends}  {}{gap}{ties}", utc(h.time), h.direction);
        self.line(0, vec![(name, plain.bold()), (rest, plain)]);
        self.line(2, vec![(format!("{len} bytes, {}", h.entry.spec.citation()), plain)]);
    }

    /// The rows of one layer; groups whose value has the values of their parts are folded.
    fn layer(&mut self, message: Rendered<'_>, lines: &[TreeLine], layer: u8) {
        let folded: Vec<bool> = lines.iter().map(|line| line.brief).collect();
        let shown = shown_lines(lines, &folded);
        let lines = ShownLines { all: lines, shown: &shown, folded: &folded };
        let size = match self.style.width {
            Some(width) => RowSize::fitting(width, BESIDE),
            None => RowSize { bytes: ROW, columns: None },
        };
        let rows = message.annotated_rows(lines, layer, size, &[], |_, line| annotation(line));
        // The rows that are written have no others.
        let cells = message.first_cells(layer, self.space.saturating_mul(size.bytes));
        for row in rows {
            let bytes = cells.get(row.bytes.clone()).unwrap_or_default();
            self.row(row.bytes.start, bytes, size.bytes, Some(&row));
        }
    }

    fn row(
        &mut self,
        at: usize,
        cells: &[HexCell],
        most: usize,
        note: Option<&AnnotatedRow<Style>>,
    ) {
        if !self.takes_line() {
            return;
        }
        let is_marked = at < self.marked.end && self.marked.start < at + cells.len();
        if is_marked {
            self.painted(FAULT, ">");
        }
        let blanks = if is_marked { " " } else { "  " };
        // A row in which only an annotation goes on has no offset.
        let goes_on = cells.is_empty() && note.is_some_and(|note| !note.is_first);
        let offset = if goes_on { format!("{:4}", "") } else { format!("{at:04x}") };
        self.painted(Style::new().dimmed(), &format!("{blanks}{offset} "));
        for cell in cells {
            self.out.push(' ');
            self.painted(style(cell.kind), &String::from_iter(cell.hex()));
        }
        let blanks = 3 * (most - cells.len());
        _ = write!(self.out, "{:blanks$} │", "");
        for cell in cells {
            self.painted(style(cell.kind), cell.ascii().encode_utf8(&mut [0; 4]));
        }
        _ = write!(self.out, "{:1$}│", "", most - cells.len());
        if let Some(note) = note.filter(|note| !note.text.is_empty()) {
            _ = write!(self.out, " {:1$}", "", note.indent);
            for (text, style) in &note.text {
                self.painted(*style, text);
            }
        }
        self.out.push('\n');
    }

    /// Anomalies, truncation, and why decoding stopped.
    fn remarks(&mut self, heading: &Heading<'_>, reading: &Reading) {
        self.notices(reading);
        if heading.overlap {
            let text = "note: its fragments overlap; the bytes that came first were kept";
            self.line(2, vec![(text.to_owned(), NOTE)]);
        }
        if heading.missing > 0 {
            self.line(2, vec![(format!("note: {}", missing_note(heading.missing)), NOTE)]);
        }
        self.fault(reading);
    }

    fn notices(&mut self, reading: &Reading) {
        for notice in &reading.spans().notes {
            let layer = if notice.layer == 0 { "" } else { " of the decoded text" };
            let text = format!("note: {} at offset {}{layer}", notice.odd, notice.start);
            self.line(2, vec![(text, NOTE)]);
        }
    }

    fn fault(&mut self, reading: &Reading) {
        if let Some(fault) = reading.fault() {
            self.line(2, vec![(format!("fault: {fault}"), FAULT)]);
        }
    }
}
