//! `fragshark export`: tables for other programs, and packets with comments.

mod directory;
mod set_input;

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};

use super::captures::{Captures, FilteredInput};
use super::destination::{Destination, unwritten};
use super::progress::ProgressBar;
use super::redaction::Redaction;
use super::{DONE, notify};
use analysis::{AnalysisNeeds, Analyzer, CapturedMessage, Pipeline, PipelineItem};
use export::{
    Existing, ExportForm, Output, Packets, Redactor, Select, TABLES, Table, TableFormat,
    TableOptions, TableOrigin, notes, write_tables,
};

/// export tables as CSV, NDJSON, Parquet or Arrow, or packets with comments as pcapng
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark export capture.pcapng -o sessions.csv\n  \
    fragshark export capture.pcapng --what messages -Y rtcw -o messages.csv\n  \
    fragshark export capture.pcapng --what players -o players.parquet\n  \
    fragshark export captures/*.pcap --what all --each -o tables\n  \
    fragshark export - --what messages --format ndjson < capture.pcap\n  \
    fragshark export capture.pcap --format pcapng --redact -o shared.pcapng\n\n\
    columns: docs/reference/export-columns.md; --redact: docs/redaction.md")]
pub(super) struct Export {
    #[command(flatten)]
    captures: Captures,
    /// the table to write [default: sessions]; several of them, separated by commas, and `all`, are
    /// written to the directory -o
    #[arg(long, value_name = "TABLE", value_parser = tables(), value_delimiter = ',')]
    what: Vec<TableChoice>,
    #[command(flatten)]
    sets: directory::SetArgs,
    /// output format; by default that of the ending of the -o file, else csv; in a directory, parquet.
    /// pcapng writes the packets, with their messages as comments
    #[arg(long, value_name = "FORMAT", value_parser = form())]
    format: Option<ExportForm>,
    /// names of fields in NDJSON: those of the columns, or of the Elastic Common Schema (ECS)
    #[arg(long, value_name = "NAMES", default_value = "columns", value_parser = ["columns", "ecs"])]
    names: String,
    #[command(flatten)]
    destination: Destination,
    /// overwrite files, even if they have other contents
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    redaction: Redaction,
}

impl Export {
    pub fn run(self) -> anyhow::Result<u8> {
        let directory = self.directory()?;
        let form = match directory {
            Some(_) => self.format.unwrap_or(ExportForm::Table(TableFormat::Parquet)),
            None => self.destination.format(self.format, &self.captures.files())?,
        };
        let form = self.named(form)?;
        let table_format = match form {
            ExportForm::Table(format) if !format.is_supported() => {
                bail!("this build has no Parquet and Arrow; rebuild with `--features parquet`")
            }
            ExportForm::Table(format) => Some(format),
            ExportForm::Packets => None,
            ExportForm::Diagram(_) => bail!("`fragshark decode --sequence` draws diagrams"),
        };
        let is_binary = table_format.is_none_or(TableFormat::is_binary);
        if is_binary && self.destination.file().is_none() && io::stdout().is_terminal() {
            bail!("binary output is not written to a terminal; use -o FILE");
        }
        if table_format.is_none() && !self.what.is_empty() {
            bail!("--what selects a table; --format pcapng writes packets");
        }
        if let Some(directory) = directory {
            return directory::run(&self, directory, form);
        }
        let tables = self.tables();
        let table = *tables.first().context("there are no tables")?;
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        let mut out = self.destination.open_and(&self.captures.files(), existing)?;
        let needs = self.destination.needs(&out);
        // Later, no file can be created.
        let scratch = tempfile::tempfile().ok();
        let FilteredInput { mut pipeline, mut filter } = self.captures.open(&needs)?;
        let has_footer = table_format == Some(TableFormat::Parquet) && !self.redaction.redact;
        let origin = has_footer.then(|| self.origin(&pipeline)).transpose()?;
        let rounds = if table_format.is_none() { 3 } else { table.passes() };
        let progress =
            self.destination.file().map(|_| ProgressBar::of_input(pipeline.meter(), rounds));
        let matches_all = filter.matches_all();
        let mut takes = |message: &CapturedMessage<'_>| filter.matches(message);
        let mut redactor = self.redaction.redactor()?;
        let written = match table_format {
            None => self.packets(
                &mut pipeline,
                (!matches_all).then_some(&mut takes),
                redactor,
                &mut out,
            ),
            Some(format) => {
                let job = TableOptions {
                    format,
                    secrets: self.captures.reading.secrets(),
                    live: self.destination.file().is_none() && self.captures.are_live(),
                    redactor: redactor.as_mut(),
                    scratch,
                    selects: if matches_all { None } else { Some(&mut takes) },
                    origin,
                };
                {
                    let to = [(table, &mut out as &mut (dyn io::Write + Send))];
                    write_tables(&mut pipeline, job, to).map(drop).map_err(unwritten)
                }
            }
        };
        // Before other output on the same terminal.
        drop(progress);
        written?;
        out.finish()?;
        Ok(self.captures.conclude(&pipeline, DONE))
    }

    /// The format, with the names of the Elastic Common Schema if they are asked for.
    fn named(&self, form: ExportForm) -> anyhow::Result<ExportForm> {
        match (self.names.as_str(), form) {
            ("ecs", ExportForm::Table(TableFormat::Ndjson)) => {
                Ok(ExportForm::Table(TableFormat::Ecs))
            }
            ("ecs", _) => bail!("--names ecs is for --format ndjson"),
            _ => Ok(form),
        }
    }

    /// The tables to write, each once, in the order of [`TABLES`].
    fn tables(&self) -> Vec<&'static Table> {
        let chosen = |table: &&Table| {
            self.what.iter().any(|choice| match choice {
                TableChoice::All => true,
                TableChoice::Named(name) => *name == table.name,
            })
        };
        let tables: Vec<_> = TABLES.iter().filter(chosen).collect();
        if tables.is_empty() { TABLES.iter().take(1).collect() } else { tables }
    }

    /// What the footer of Parquet says of the captures.
    fn origin(&self, pipeline: &Pipeline) -> anyhow::Result<TableOrigin> {
        let hash = pipeline.digest()?.map(|digest| digest.hex());
        Ok(TableOrigin { inputs: self.captures.names(), hash })
    }

    /// The directory for tables, if they are written to one: there are several, or they are of each
    /// capture.
    fn directory(&self) -> anyhow::Result<Option<&Path>> {
        let what = match () {
            () if self.sets.each => "--each",
            () if self.sets.resume => "--resume",
            () if self.tables().len() > 1 => "--what with several tables",
            () => return Ok(None),
        };
        let path = self.destination.file();
        path.map(Some).with_context(|| format!("{what} needs a directory: -o DIR"))
    }

    fn packets(
        &self,
        pipeline: &mut Pipeline,
        mut takes: Option<&mut Select<'_>>,
        redactor: Option<Redactor>,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let secrets = self.captures.reading.secrets();
        if !self.redaction.redact {
            notify("the packets contain secrets; --redact replaces them");
        }
        let notes = self.notes(pipeline)?;
        let packets = Packets::new(out, secrets, redactor);
        let mut packets = packets?;
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
        failed.map_or(Ok(()), Err::<(), io::Error>)?;
        packets.finish()?;
        Ok(())
    }

    /// Findings, by frame, in lines for comments. For a pipe they are not known in time.
    fn notes(&self, pipeline: &mut Pipeline) -> anyhow::Result<HashMap<u64, Vec<String>>> {
        if !pipeline.reopens() {
            return Ok(HashMap::new());
        }
        let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |_| {})?;
        Ok(notes(analyzer.findings(), self.redaction.redact))
    }
}

/// Parses a format's name.
fn form() -> impl clap::builder::TypedValueParser<Value = ExportForm> {
    PossibleValuesParser::new(ExportForm::names_of_data())
        .try_map(|name| ExportForm::named(&name).ok_or_else(|| anyhow!("no format {name}")))
}

/// A value of `--what`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableChoice {
    All,
    Named(&'static str),
}

/// Parses the name of a table, or `all`.
fn tables() -> impl clap::builder::TypedValueParser<Value = TableChoice> {
    let names = TABLES.iter().map(|table| {
        let or = table.alias.map(|alias| format!(" [alias: {alias}]")).unwrap_or_default();
        let help = format!("one row per {}{or}", table.row);
        PossibleValue::new(table.name).aliases(table.alias).help(help)
    });
    let all = PossibleValue::new("all").help("all tables, in one pass");
    PossibleValuesParser::new(names.chain([all])).try_map(|name| match Table::named(&name) {
        Some(table) => Ok(TableChoice::Named(table.name)),
        None if name == "all" => Ok(TableChoice::All),
        None => Err(anyhow!("no table is called {name}")),
    })
}
