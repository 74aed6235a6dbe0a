//! A message as `decode -v` prints it: a header, then bytes and fields side by side.
//!
//! The format is stable, because golden transcripts are compared with it. Every byte of the payload
//! stands in exactly one row; colour adds no information.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::ops::Range;

use anstyle::{AnsiColor, Style};

use super::cells::{HexCell, ROW};
use super::message::Rendered;
use super::paint::style;
use super::summary::missing_note;
use super::ties::Ties;
use super::tree::{Separators, TreeLine};

use codec::Node;
use protocol::{Colours, Direction, Entry, Reading};
use text::{Secrets, utc};

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

/// Appends the transcript of a message to `out`; it ends in a newline.
pub fn transcript(
    out: &mut String,
    heading: &Heading<'_>,
    reading: &Reading,
    payload: &[u8],
    secrets: Secrets,
    colour: Colour,
) {
    let mut message = Rendered::new(reading, payload, secrets);
    let mut page = TranscriptWriter { out, colour, marked: 0..0 };
    page.heading(heading, payload.len());
    // Colour codes stay where they are text; Quake's golden letters have none.
    if colour == Colour::Ansi && reading.colours() == Colours::HighBit {
        message = message.in_colour();
    }
    let lines = message.tree(Separators::Hidden);
    page.layer(message, &lines, 0);
    if let Some(plain) = reading.plain() {
        let decoded = Style::new().bold();
        page.line(decoded, &format!("  decoded text, {} bytes", plain.len()));
        page.layer(message, &lines, 1);
    }
    page.remarks(heading, reading);
}

/// Appends a message's bytes and fields side by side, as a transcript has them, without a heading;
/// rows that hold one of the marked bytes begin with a `>`.
pub fn annotated(
    out: &mut String,
    reading: &Reading,
    payload: &[u8],
    marked: Range<usize>,
    colour: Colour,
) {
    let message = Rendered::new(reading, payload, Secrets::Masked);
    let mut page = TranscriptWriter { out, colour, marked };
    page.layer(message, &message.tree(Separators::Shown), 0);
    page.notices(reading);
    page.fault(reading);
}

/// The first `most` bytes of a payload that is no message, without fields.
pub fn plain(out: &mut String, payload: &[u8], most: usize, marked: Range<usize>, colour: Colour) {
    let mut page = TranscriptWriter { out, colour, marked };
    let cells = HexCell::from_bytes(payload);
    page.rows(&cells, 0, cells.len().min(most), None);
}

const NOTE: Style = AnsiColor::Yellow.on_default();
const FAULT: Style = AnsiColor::Red.on_default().bold();

struct TranscriptWriter<'a> {
    out: &'a mut String,
    colour: Colour,
    /// The bytes of layer 0 to mark.
    marked: Range<usize>,
}

impl TranscriptWriter<'_> {
    fn painted(&mut self, style: Style, text: &str) {
        self.colour.write(self.out, style, text);
    }

    fn line(&mut self, style: Style, text: &str) {
        self.painted(style, text);
        self.out.push('\n');
    }

    fn heading(&mut self, h: &Heading<'_>, len: usize) {
        let name = format!("{} {}", h.game, h.name);
        let ends = format!("{} → {}", h.source, h.destination);
        self.painted(Style::new().bold(), &format!("#{}  {name}", h.number));
        _ = write!(self.out, "  {}  {ends}  {}", utc(h.time), h.direction);
        let ties = h.ties.to_string();
        if !ties.is_empty() {
            _ = write!(self.out, "  {ties}");
        }
        _ = writeln!(self.out, "\n  {len} bytes, {}", h.entry.spec.citation());
    }

    /// The rows of one layer: for each line of the tree its bytes, with those in front of it that
    /// no line claims.
    fn layer(&mut self, message: Rendered<'_>, lines: &[TreeLine], layer: u8) {
        let (spans, cells) = (message.spans(), message.hexdump(layer));
        let mut at = 0;
        let mut lines = lines.iter().filter(|l| l.layer == layer).peekable();
        while let Some(line) = lines.next() {
            let is_group = spans.get(line.span).is_some_and(|s| s.node != Node::Leaf);
            if is_group && !line.brief {
                let start = at.max(line.start as usize);
                self.rows(&cells, at, start, Some(line));
                at = start;
                continue;
            }
            let end = line.end as usize;
            self.rows(&cells, at, end, Some(line));
            at = at.max(end);
            // The value already includes the values of its parts.
            while is_group && lines.next_if(|part| part.depth > line.depth).is_some() {}
        }
        if at < cells.len() {
            self.rows(&cells, at, cells.len(), None);
        }
    }

    fn rows(&mut self, cells: &[HexCell], start: usize, end: usize, line: Option<&TreeLine>) {
        let all = cells.get(start..end).unwrap_or_default();
        let mut rows = all.chunks(ROW);
        let mut at = start;
        let first = rows.next().unwrap_or_default();
        self.row(at, first, line);
        for row in rows {
            at += ROW;
            self.row(at, row, None);
        }
    }

    fn row(&mut self, at: usize, cells: &[HexCell], line: Option<&TreeLine>) {
        let is_marked = at < self.marked.end && self.marked.start < at + cells.len();
        if is_marked {
            self.painted(FAULT, ">");
        }
        let blanks = if is_marked { " " } else { "  " };
        self.painted(Style::new().dimmed(), &format!("{blanks}{at:04x} "));
        for cell in cells {
            self.out.push(' ');
            self.painted(style(cell.kind), &String::from_iter(cell.hex()));
        }
        let blanks = 3 * (ROW - cells.len());
        _ = write!(self.out, "{:blanks$} │", "");
        for cell in cells {
            self.painted(style(cell.kind), cell.ascii().encode_utf8(&mut [0; 4]));
        }
        _ = write!(self.out, "{:1$}│", "", ROW - cells.len());
        if let Some(line) = line {
            self.out.push(' ');
            self.label(line);
        }
        self.out.push('\n');
    }

    fn label(&mut self, line: &TreeLine) {
        let indent = usize::from(line.depth - line.layer) * 2;
        _ = write!(self.out, "{:indent$}", "");
        self.painted(Style::new().bold(), &line.label);
        if !line.value.is_empty() {
            self.out.push_str(": ");
            if line.runs.is_empty() {
                self.painted(style(line.kind), &line.value);
            }
            for run in &line.runs {
                self.painted(run.style, &run.text);
            }
        }
        if let Some(meaning) = &line.meaning {
            _ = write!(self.out, " ({meaning})");
        }
    }

    /// Anomalies, truncation, and why decoding stopped.
    fn remarks(&mut self, heading: &Heading<'_>, reading: &Reading) {
        self.notices(reading);
        if heading.overlap {
            let text = "  note: its fragments overlap; the bytes that came first were kept";
            self.line(NOTE, text);
        }
        if heading.missing > 0 {
            self.line(NOTE, &format!("  note: {}", missing_note(heading.missing)));
        }
        self.fault(reading);
    }

    fn notices(&mut self, reading: &Reading) {
        for notice in &reading.spans().notes {
            let layer = if notice.layer == 0 { "" } else { " of the decoded text" };
            let text = format!("  note: {} at offset {}{layer}", notice.odd, notice.start);
            self.line(NOTE, &text);
        }
    }

    fn fault(&mut self, reading: &Reading) {
        if let Some(fault) = reading.fault() {
            self.line(FAULT, &format!("  fault: {fault}"));
        }
    }
}
