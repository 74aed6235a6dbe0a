//! The destination of a command's results: standard output, or the file of `-o`.

use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::file_format::{FileFormat, check_packets, format_of};
use super::progress::ProgressBar;
use analysis::Meter;
use export::{Existing, ExportError, LineStyle, Output, OutputError, folder_of};
use render::Colour;
use report::{Report, ReportForm};
use sandbox::Needs;
use text::{TimeDisplay, Zone};

/// The formats of commands that print one thing.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TextOrJson {
    Text,
    Json,
}

/// Writes a value as indented JSON.
pub(super) fn write_json(mut out: impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}

/// The error of an export: if its output or a temporary file cannot be written, only that.
pub(super) fn unwritten(error: ExportError) -> anyhow::Error {
    match error {
        ExportError::Write(error) => error.into(),
        error => error.into(),
    }
}

/// The same privileges for a command that opens sockets, and writes to `recording` too.
pub(super) fn with_sockets(needs: Needs, recording: Option<&Path>) -> Needs {
    let mut needs = Needs { sockets: true, ..needs };
    if let Some(recording) = recording {
        let target = fs::canonicalize(recording);
        needs.writable.push(folder_of(target.as_deref().unwrap_or(recording)));
        needs.files_of_others = true;
    }
    needs
}

/// Refuses a file for recorded traffic that is one of `inputs`, or is named as another kind of file.
pub(super) fn check_record(path: &Path, inputs: &[OsString]) -> anyhow::Result<()> {
    let same = |input: &OsString| {
        let input = fs::canonicalize(input);
        input.is_ok_and(|input| fs::canonicalize(path).is_ok_and(|path| path == input))
    };
    if inputs.iter().any(same) {
        bail!("{} is an input file; choose another name", path.display());
    }
    check_packets(path)
}

/// When a command prints its results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Printed {
    /// While it reads.
    AtOnce,
    AtTheEnd,
}

/// How times are printed.
#[derive(Args)]
pub(super) struct TimeOption {
    /// times of lines: relative to the first message (the default), delta to the one before, local,
    /// utc
    #[arg(short, long, value_name = "FORMAT", default_value = "relative", value_parser = time_named)]
    #[arg(hide_default_value = true)]
    time: TimeDisplay,
}

impl TimeOption {
    /// How lines are written, to a terminal with so many columns.
    pub fn line_style(&self, colour: Colour, columns: Option<usize>) -> LineStyle {
        LineStyle { colour, times: self.time, zone: Zone::system(), columns }
    }
}

/// A format of times by its name, by its letters in tshark, or by what follows `-t` in tcpdump.
fn time_named(name: &str) -> Result<TimeDisplay, String> {
    match name {
        "r" | "tttt" => return Ok(TimeDisplay::Relative),
        "d" | "tt" => return Ok(TimeDisplay::Delta),
        "a" | "ad" | "ttt" => return Ok(TimeDisplay::Local),
        "u" | "ud" => return Ok(TimeDisplay::Utc),
        _ => {}
    }
    let found = TimeDisplay::ALL.into_iter().find(|time| time.name() == name);
    found.ok_or_else(|| "the formats are relative, delta, local and utc".to_owned())
}

/// Where results go.
#[derive(Args)]
pub(super) struct Destination {
    /// write to a file instead of standard output; it is created when everything has been written
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Destination {
    /// The file; `None` for standard output, for which `-` stands too.
    pub fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// The format: the given one, else that of the file's ending. The file is none of `inputs`.
    pub fn format<F: FileFormat>(
        &self,
        given: Option<F>,
        inputs: &[OsString],
    ) -> anyhow::Result<F> {
        format_of(self.file(), inputs, given)
    }

    /// Opens it; none of `inputs` is overwritten.
    pub fn open(&self, inputs: &[OsString]) -> Result<Output, OutputError> {
        self.open_and(inputs, Existing::Replaced)
    }

    /// The same, with a rule for an existing file.
    pub fn open_and(&self, inputs: &[OsString], existing: Existing) -> Result<Output, OutputError> {
        match self.file() {
            Some(path) => Output::file(path, inputs, existing),
            None => Output::standard(),
        }
    }

    /// The privileges for writing to it, once it is open. Root may need them for a file in another
    /// user's directory.
    pub fn needs(&self, out: &Output) -> Needs {
        Needs { writable: out.folder(), files_of_others: self.file().is_some(), ..Needs::default() }
    }

    /// The same for a command that opens sockets, and writes to `recording` too.
    pub fn needs_with_sockets(&self, out: &Output, recording: Option<&Path>) -> Needs {
        with_sockets(self.needs(out), recording)
    }

    /// No colour in a file.
    pub fn colour(&self, colour: Colour) -> Colour {
        if self.file().is_some() { Colour::Plain } else { colour }
    }

    /// Begins a report of a command.
    pub fn report(
        &self,
        out: Output,
        form: ReportForm,
        colour: Colour,
        command: &'static str,
    ) -> Report<Output> {
        Report::new(out, form, command, (self.colour(colour), self.columns()))
    }

    /// A bar for input that is read twice, where it disturbs no output: if that goes to a file, or to
    /// the terminal after everything was read.
    pub fn progress(&self, meter: Meter, printed: Printed) -> Option<ProgressBar> {
        let is_terminal = io::stdout().is_terminal();
        // A file, or a device that shows nothing. What reads a pipe may write to the terminal.
        let is_unseen =
            |found: fs::Metadata| found.is_file() || !is_terminal && is_character_device(&found);
        let is_undisturbed = self.file().is_some()
            || fs::metadata("/dev/stdout").is_ok_and(is_unseen)
            || printed == Printed::AtTheEnd && is_terminal;
        is_undisturbed.then(|| ProgressBar::of_input(meter, 2))
    }

    /// The terminal's width; lines in a file are not wrapped.
    pub fn columns(&self) -> Option<usize> {
        if self.file().is_some() { None } else { terminal_columns() }
    }
}

/// Whether this is a device as /dev/null is.
#[cfg(unix)]
fn is_character_device(found: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_char_device(&found.file_type())
}

#[cfg(not(unix))]
fn is_character_device(_: &fs::Metadata) -> bool {
    false
}

/// The width of the terminal that standard output is.
pub(super) fn terminal_columns() -> Option<usize> {
    let columns = || crossterm::terminal::size().ok().map(|(columns, _)| columns.into());
    io::stdout().is_terminal().then(columns).flatten()
}
