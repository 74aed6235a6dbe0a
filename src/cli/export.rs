//! `fragshark export`: tables for other programs.

use std::io::{self, IsTerminal as _};
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use super::captures::{Captures, each, warn};
use super::complain;
use super::output::Output;
use crate::export::{Format, MessageRow, MessageRows, Packets, Redactor, Sheet};
use crate::session::{Pipeline, Seen};

/// write a table for other programs, as CSV or NDJSON, or the packets with comments
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark export capture.pcapng --what messages -o messages.csv\n  \
    fragshark export - --what messages --format ndjson < capture.pcap\n  \
    fragshark export capture.pcap --format pcapng --redact -o shared.pcapng\n\n\
    docs/export.md describes every column, docs/redaction.md what --redact replaces")]
pub(super) struct Export {
    #[command(flatten)]
    captures: Captures,
    /// the table: a row a message
    #[arg(long, value_name = "TABLE")]
    what: Option<Table>,
    /// how it is written; pcapng: no table, but the packets, with what they say as comments
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    format: As,
    /// write to a file, which appears when it is whole; without it, to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// replace addresses, names, GUIDs, keys and passwords by pseudonyms
    #[arg(long)]
    redact: bool,
    /// the same pseudonyms in every run with the same text; without it they are random
    #[arg(long, value_name = "TEXT", requires = "redact")]
    redact_key: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Table {
    Messages,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Csv,
    Ndjson,
    Pcapng,
}

impl Export {
    pub fn run(self) -> anyhow::Result<()> {
        let to_standard = self.output.as_ref().is_none_or(|path| path.as_os_str() == "-");
        if self.format == As::Pcapng && to_standard && io::stdout().is_terminal() {
            bail!("packets are no text for a terminal; -o FILE writes them to a file");
        }
        let mut pipeline = self.captures.open()?;
        let mut out = match &self.output {
            Some(path) if path.as_os_str() != "-" => Output::file(path, &self.captures.files)?,
            _ => Output::standard(),
        };
        match (self.format, self.what) {
            (As::Pcapng, None) => self.packets(&mut pipeline, &mut out)?,
            (As::Pcapng, Some(_)) => bail!("--what is for tables; pcapng holds all packets"),
            (As::Csv, Some(Table::Messages)) => {
                self.messages(Format::Csv, &mut pipeline, &mut out)?;
            }
            (As::Ndjson, Some(Table::Messages)) => {
                self.messages(Format::Ndjson, &mut pipeline, &mut out)?;
            }
            (As::Csv | As::Ndjson, None) => bail!("--what is wanted: the table"),
        }
        out.finish()?;
        warn(pipeline.warnings());
        Ok(())
    }

    fn messages(
        &self,
        format: Format,
        pipeline: &mut Pipeline,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let live = self.output.is_none() && self.captures.are_live();
        let mut redactor = self.redactor()?;
        let mut rows = MessageRows::new(self.captures.reading.secrets());
        let mut sheet = Sheet::new::<MessageRow>(format, out)?;
        each(pipeline, |message| {
            match &mut redactor {
                Some(redactor) => sheet.write(&rows.row(&redactor.message(message)))?,
                None => sheet.write(&rows.row(message))?,
            }
            if live { sheet.flush() } else { Ok(()) }
        })?;
        Ok(sheet.flush()?)
    }

    fn packets(&self, pipeline: &mut Pipeline, out: &mut Output) -> anyhow::Result<()> {
        let secrets = self.captures.reading.secrets();
        if !self.redact {
            complain("secrets stand in the packets as they were sent; --redact replaces them");
        }
        let packets = Packets::new(out, secrets, self.redactor()?);
        let mut packets = packets.context("cannot write")?;
        let failed = pipeline.packets(|seen| match seen {
            Seen::Frame(frame) => match packets.frame(frame) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            },
            Seen::Message(message) => {
                packets.message(message);
                ControlFlow::Continue(())
            }
        })?;
        failed.map_or(Ok(()), Err::<(), io::Error>).context("cannot write")?;
        packets.finish().context("cannot write")?;
        Ok(())
    }

    fn redactor(&self) -> anyhow::Result<Option<Redactor>> {
        Ok(match &self.redact_key {
            _ if !self.redact => None,
            Some(key) => Some(Redactor::with_key(key)),
            None => Some(Redactor::random()?),
        })
    }
}
