//! `fragshark export`: tables for other programs, and packets with comments.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::ops::ControlFlow;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};

use super::captures::{Captures, FilteredInput};
use super::destination::Destination;
use super::progress::ProgressBar;
use super::{DONE, notify};
use crate::analysis::{Analyzer, CapturedMessage, Pipeline, PipelineItem};
use crate::export::{
    Existing, ExportForm, Output, Packets, Redactor, Select, TABLES, Table, TableFormat,
    TableOptions, notes,
};

/// export tables as CSV, NDJSON, Parquet or Arrow, or packets with comments as pcapng
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark export capture.pcapng -o sessions.csv\n  \
    fragshark export capture.pcapng --what messages -Y rtcw -o messages.csv\n  \
    fragshark export capture.pcapng --what players --format parquet -o players.parquet\n  \
    fragshark export - --what messages --format ndjson < capture.pcap\n  \
    fragshark export capture.pcap --format pcapng --redact -o shared.pcapng\n\n\
    columns: docs/export.md; --redact: docs/redaction.md")]
pub(super) struct Export {
    #[command(flatten)]
    captures: Captures,
    /// the table to write [default: sessions]
    #[arg(long, value_name = "TABLE", value_parser = table())]
    what: Option<&'static Table>,
    /// output format; by default the extension of the -o file, else csv. pcapng writes the packets,
    /// with their messages as comments
    #[arg(long, value_name = "FORMAT", value_parser = form())]
    format: Option<ExportForm>,
    #[command(flatten)]
    destination: Destination,
    /// overwrite the -o file, even if it has other contents
    #[arg(long, requires = "output")]
    force: bool,
    /// replace addresses, names, GUIDs, keys and passwords with pseudonyms
    #[arg(long)]
    redact: bool,
    /// derive pseudonyms from this text, so that each run gives the same ones [default: random]
    #[arg(long, value_name = "TEXT", requires = "redact")]
    redact_key: Option<String>,
}

impl Export {
    pub fn run(self) -> anyhow::Result<u8> {
        let by_extension = || self.destination.file().and_then(ExportForm::of);
        let form = self.format.or_else(by_extension).unwrap_or(ExportForm::Table(TableFormat::Csv));
        let is_binary = match form {
            ExportForm::Table(format) if !format.is_supported() => {
                bail!("this build has no Parquet and Arrow; rebuild with `--features parquet`")
            }
            ExportForm::Table(format) => format.is_binary(),
            ExportForm::Packets => true,
        };
        if is_binary && self.destination.file().is_none() && io::stdout().is_terminal() {
            bail!("binary output is not written to a terminal; use -o FILE");
        }
        if form == ExportForm::Packets && self.what.is_some() {
            bail!("--what selects a table; --format pcapng writes packets");
        }
        let table = self.what.or(TABLES.first()).context("there are no tables")?;
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        let mut out = self.destination.open_and(&self.captures.files, existing)?;
        let needs = self.destination.needs(&out);
        // Later, no file can be created.
        let scratch = tempfile::tempfile().ok();
        let FilteredInput { mut pipeline, mut filter } = self.captures.open(&needs)?;
        let rounds = if form == ExportForm::Packets { 3 } else { table.passes };
        let progress =
            self.destination.file().map(|_| ProgressBar::of_input(pipeline.meter(), rounds));
        let matches_all = filter.matches_all();
        let mut takes = |message: &CapturedMessage<'_>| filter.matches(message);
        let written = match form {
            ExportForm::Packets => {
                self.packets(&mut pipeline, (!matches_all).then_some(&mut takes), &mut out)
            }
            ExportForm::Table(format) => {
                let job = TableOptions {
                    format,
                    secrets: self.captures.reading.secrets(),
                    live: self.destination.file().is_none() && self.captures.are_live(),
                    redactor: self.redactor()?,
                    scratch,
                    selects: if matches_all { None } else { Some(&mut takes) },
                };
                table.write(&mut pipeline, job, &mut out).map_err(anyhow::Error::from)
            }
        };
        // Before other output on the same terminal.
        drop(progress);
        written?;
        out.finish()?;
        Ok(self.captures.conclude(&pipeline, DONE))
    }

    fn packets(
        &self,
        pipeline: &mut Pipeline,
        mut takes: Option<&mut Select<'_>>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let secrets = self.captures.reading.secrets();
        if !self.redact {
            notify("the packets contain secrets; --redact replaces them");
        }
        let notes = self.notes(pipeline)?;
        let packets = Packets::new(out, secrets, self.redactor()?);
        let mut packets = packets.context("cannot write")?;
        packets.only_commented(takes.is_some());
        let failed = pipeline.packets(|seen, _| match seen {
            PipelineItem::Frame(frame) => match packets.frame(frame) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            },
            PipelineItem::Message(message) => {
                if takes.as_mut().is_none_or(|takes| takes(message)) {
                    packets.message(message);
                    let number = message.header.number;
                    let notes = notes.get(&number).into_iter().flatten();
                    notes.for_each(|line| packets.add_comment(number, line));
                }
                ControlFlow::Continue(())
            }
            PipelineItem::FrameEnd(_) => ControlFlow::Continue(()),
        })?;
        failed.map_or(Ok(()), Err::<(), io::Error>).context("cannot write")?;
        packets.finish().context("cannot write")?;
        Ok(())
    }

    /// Findings, by frame, in lines for comments. For a pipe they are not known in time.
    fn notes(&self, pipeline: &mut Pipeline) -> anyhow::Result<HashMap<u64, Vec<String>>> {
        if !pipeline.reopens() {
            return Ok(HashMap::new());
        }
        let analyzer = pipeline.analyze(Analyzer::default(), |_| {})?;
        Ok(notes(analyzer.findings(), self.redact))
    }

    fn redactor(&self) -> anyhow::Result<Option<Redactor>> {
        Ok(match &self.redact_key {
            _ if !self.redact => None,
            Some(key) => Some(Redactor::with_key(key)),
            None => Some(Redactor::random().context("no random key for pseudonyms")?),
        })
    }
}

/// Parses a format's name.
fn form() -> impl clap::builder::TypedValueParser<Value = ExportForm> {
    PossibleValuesParser::new(ExportForm::ALL.map(|(name, ..)| name)).try_map(|name| {
        let known = ExportForm::ALL.into_iter().find(|(known, ..)| *known == name);
        known.map(|(.., form)| form).ok_or_else(|| anyhow!("no format {name}"))
    })
}

/// Parses a table's name.
fn table() -> impl clap::builder::TypedValueParser<Value = &'static Table> {
    let names = TABLES.iter().map(|table| {
        let or = table.alias.map(|alias| format!(" [alias: {alias}]")).unwrap_or_default();
        let help = format!("one row per {}{or}", table.row);
        PossibleValue::new(table.name).aliases(table.alias).help(help)
    });
    PossibleValuesParser::new(names)
        .try_map(|name| Table::named(&name).ok_or_else(|| anyhow!("no table is called {name}")))
}
