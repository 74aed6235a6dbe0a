//! `fragshark export`: tables for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::captures::{Captures, each, warn};
use super::confine;
use super::output::Output;
use crate::export::{Format, MessageRow, MessageRows, Sheet};
use crate::rights::Needs;
use crate::session::Pipeline;

/// write a table for other programs, as CSV or NDJSON
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark export capture.pcapng --what messages -o messages.csv\n  \
    fragshark export - --what messages --format ndjson < capture.pcap\n\n\
    docs/export.md describes every column")]
pub(super) struct Export {
    #[command(flatten)]
    captures: Captures,
    /// the table: a row a message
    #[arg(long, value_name = "TABLE")]
    what: Table,
    /// how it is written
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: As,
    /// write to a file, which appears when it is whole; without it, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    Messages,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Csv,
    Ndjson,
}

impl Export {
    pub fn run(self) -> anyhow::Result<()> {
        let mut pipeline = self.captures.open()?;
        let mut out = match &self.output {
            Some(path) if path.as_os_str() != "-" => Output::file(path, &self.captures.files)?,
            _ => Output::standard(),
        };
        // Root may be here to write a file in somebody's folder.
        let needs = Needs { writable: out.folder(), files_of_others: self.output.is_some() };
        confine(&needs)?;
        match self.what {
            Table::Messages => self.messages(&mut pipeline, &mut out)?,
        }
        out.finish()?;
        warn(pipeline.warnings());
        Ok(())
    }

    fn messages(&self, pipeline: &mut Pipeline, out: &mut Output) -> anyhow::Result<()> {
        let format = match self.format {
            As::Csv => Format::Csv,
            As::Ndjson => Format::Ndjson,
        };
        let live = self.output.is_none() && self.captures.are_live();
        let mut rows = MessageRows::new(self.captures.reading.secrets());
        let mut sheet = Sheet::new::<MessageRow>(format, out)?;
        each(pipeline, |message| {
            sheet.write(&rows.row(message))?;
            if live { sheet.flush() } else { Ok(()) }
        })?;
        Ok(sheet.flush()?)
    }
}
