//! The lines that `decode` prints: rows for people, aligned as far as a stream allows.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::net::IpAddr;

use anstyle::{AnsiColor, Style};

use super::MessageRow;
use super::time::TimeFormatter;
use crate::render::Colour;

/// Writes one line per message: number, time, source, destination, game, message, summary.
///
/// The final width of a stream's columns is unknown, so each is as wide as its widest cell so far.
pub struct Listing<W> {
    out: W,
    colour: Colour,
    times: TimeFormatter,
    line: String,
    end: String,
    widths: Widths,
}

/// In characters; all of these cells are ASCII.
struct Widths {
    source: usize,
    destination: usize,
    game: usize,
    message: usize,
}

impl<W: Write> Listing<W> {
    /// Starts a listing; it has no header.
    pub fn new(out: W, colour: Colour) -> Self {
        let end = "192.0.2.255:27960".len();
        let widths = Widths { source: end, destination: end, game: 6, message: 12 };
        let (line, end) = (String::new(), String::new());
        Self { out, colour, times: TimeFormatter::default(), line, end, widths }
    }

    /// Writes a row; the name of a message with a fault is red, and its summary ends with the fault
    /// after a `!`.
    pub fn write(&mut self, row: &MessageRow<'_>) -> io::Result<()> {
        let grey = AnsiColor::BrightBlack.on_default();
        let name = if row.fault.is_empty() { AnsiColor::Green } else { AnsiColor::Red };
        self.line.clear();
        let _ = write!(self.line, "{:>6}  ", row.number);
        paint(&mut self.line, self.colour, grey, self.times.write(row.time));
        self.line.push_str("  ");
        self.end(row.source, row.source_port);
        pad(&mut self.line, self.end.len(), &mut self.widths.source);
        self.line.push_str(" > ");
        self.end(row.destination, row.destination_port);
        pad(&mut self.line, self.end.len(), &mut self.widths.destination);
        self.line.push_str("  ");
        paint(&mut self.line, self.colour, AnsiColor::Cyan.on_default(), row.game);
        pad(&mut self.line, row.game.len(), &mut self.widths.game);
        self.line.push_str("  ");
        paint(&mut self.line, self.colour, name.on_default(), row.message);
        if !row.summary.is_empty() {
            pad(&mut self.line, row.message.len(), &mut self.widths.message);
            self.line.push_str("  ");
            self.line.push_str(&row.summary);
        }
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }

    /// Writes out everything that is buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Appends one endpoint of the message to the line.
    fn end(&mut self, address: IpAddr, port: u16) {
        self.end.clear();
        let _ = match address {
            IpAddr::V4(address) => write!(self.end, "{address}:{port}"),
            IpAddr::V6(address) => write!(self.end, "[{address}]:{port}"),
        };
        self.line.push_str(&self.end);
    }
}

fn paint(line: &mut String, colour: Colour, style: Style, text: &str) {
    let _ = match colour {
        Colour::Plain => write!(line, "{text}"),
        Colour::Ansi => write!(line, "{style}{text}{style:#}"),
    };
}

/// Fills a cell of `len` characters up to the width of its column, or widens the column.
fn pad(line: &mut String, len: usize, width: &mut usize) {
    *width = len.max(*width);
    let blanks = *width - len;
    let _ = write!(line, "{:blanks$}", "");
}
