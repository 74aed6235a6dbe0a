//! `fragshark export`: tables for other programs.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum};

use super::captures::{Captures, warn};
use super::output::Output;
use super::progress::Progress;
use crate::export::{Format, Job, TABLES, Table};

/// write a table for other programs, as CSV, NDJSON or Parquet
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark export capture.pcapng --what messages -o messages.csv\n  \
    fragshark export capture.pcapng --what players --format parquet -o players.parquet\n  \
    fragshark export - --what messages --format ndjson < capture.pcap\n\n\
    docs/export.md describes every column")]
pub(super) struct Export {
    #[command(flatten)]
    captures: Captures,
    /// the table
    #[arg(long, value_name = "TABLE", value_parser = table())]
    what: &'static Table,
    /// how it is written
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: As,
    /// write to a file, which appears when it is whole; without it, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Csv,
    Ndjson,
    Parquet,
}

impl Export {
    pub fn run(self) -> anyhow::Result<()> {
        if cfg!(not(feature = "parquet")) && self.format == As::Parquet {
            bail!("this build has no parquet; build it with `--features parquet`");
        }
        let file = self.output.as_deref().filter(|path| path.as_os_str() != "-");
        if self.format == As::Parquet && file.is_none() && io::stdout().is_terminal() {
            bail!("parquet is not for a terminal; name a file with -o");
        }
        let mut pipeline = self.captures.open()?;
        let mut out = match file {
            Some(path) => Output::file(path, &self.captures.files)?,
            None => Output::standard(),
        };
        let job = Job {
            format: match self.format {
                As::Csv => Format::Csv,
                As::Ndjson => Format::Ndjson,
                As::Parquet => Format::Parquet,
            },
            secrets: self.captures.reading.secrets(),
            live: self.output.is_none() && self.captures.are_live(),
        };
        let progress = file.and_then(|_| Progress::show(pipeline.meter(), self.what.rounds));
        let written = self.what.write(&mut pipeline, job, &mut out);
        // Before anything else is said on the same terminal.
        drop(progress);
        written?;
        out.finish()?;
        warn(pipeline.warnings());
        Ok(())
    }
}

/// Reads a table's name.
fn table() -> impl clap::builder::TypedValueParser<Value = &'static Table> {
    let names = TABLES.iter().map(|table| PossibleValue::new(table.name).help(table.means));
    PossibleValuesParser::new(names).try_map(|name| {
        let found = TABLES.iter().find(|table| table.name == name);
        found.ok_or_else(|| anyhow!("no table is called {name}"))
    })
}
