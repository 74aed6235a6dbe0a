//! `fragshark report`: a page on a capture.

use std::io::{self, IsTerminal as _, Write as _};

use anyhow::bail;
use clap::Args;

use super::captures::{Captures, FilteredInput, inputs};
use super::destination::Destination;
use super::file_format::{HTML, check_ending};
use super::progress::ProgressBar;
use super::redaction::Redaction;
use super::{DONE, confine};
use analysis::{CapturedMessage, Prepared};
use capture::{Input, OpenError};
use capture_report::{MESSAGES, ReportOptions, capture_report};
use sandbox::Needs;
use simulate::raise_fd_limit;

/// How often input is read.
const ROUNDS: u64 = 3;

/// write a page on a capture: servers, masters, findings, statistics, diagrams, messages
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark report capture.pcapng -o report.html\n  \
    fragshark report capture.pcapng --redact -o report.html\n  \
    fragshark report -Y 'server == 192.0.2.10' *.pcap -o report.html\n\n\
    the page needs no network and no other file: docs/report.md")]
pub(super) struct ReportArgs {
    #[command(flatten)]
    captures: Captures,
    /// the title of the page [default: the names of the captures]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// show at most so many messages: first those of findings, then those of failed exchanges, then
    /// the first ones
    #[arg(long, value_name = "N", default_value_t = MESSAGES)]
    messages: usize,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    redaction: Redaction,
}

impl ReportArgs {
    pub fn run(self) -> anyhow::Result<u8> {
        if self.destination.file().is_none() && io::stdout().is_terminal() {
            bail!("a page is not written to a terminal; use -o FILE");
        }
        check_ending(self.destination.file(), &self.captures.files(), HTML)?;
        let mut out = self.destination.open(&self.captures.files())?;
        let needs = self.destination.needs(&out);
        let FilteredInput { mut pipeline, mut filter } = self.open(&needs)?;
        let progress = ProgressBar::of_input(pipeline.meter(), ROUNDS);
        let options = ReportOptions {
            title: self.title.as_deref(),
            filter: self.captures.filter.as_deref(),
            messages: self.messages,
            redactor: self.redaction.redactor()?,
            secrets: self.captures.reading.secrets(),
        };
        let mut selects = |message: &CapturedMessage<'_>| filter.matches(message);
        let page = capture_report(&mut pipeline, options, &mut selects);
        // Before other output on the same terminal.
        drop(progress);
        out.write_all(page?.as_bytes())?;
        out.finish()?;
        Ok(self.captures.conclude(&pipeline, DONE))
    }
}

impl ReportArgs {
    /// Opens the captures; pipes are copied to temporary files, because they are read several times.
    fn open(&self, needs: &Needs) -> anyhow::Result<FilteredInput> {
        let filter = self.captures.filter()?;
        let known = self.captures.reading.known()?;
        let files = self.captures.files();
        raise_fd_limit(files.len());
        let inputs: Vec<_> = inputs(&files).into_iter().map(Input::held).collect();
        let is_pipe = |input: &Input| match input {
            Input::Stdin => true,
            Input::Held { file, .. } => {
                file.metadata().is_ok_and(|of| !of.is_file() && !of.is_dir())
            }
            _ => false,
        };
        let copies: Vec<_> =
            inputs.iter().map(|input| is_pipe(input).then(|| tempfile::tempfile().ok())).collect();
        let scratch = tempfile::tempfile().ok();
        confine(needs)?;
        let read = inputs.into_iter().zip(copies).map(|(input, copy)| match copy {
            Some(mut copy) => input.hashed(&mut copy).map(|(input, _)| input),
            None => Ok(input),
        });
        let read: Result<Vec<_>, OpenError> = read.collect();
        let prepared = Prepared::with_scratch(read?, scratch);
        self.captures.begin(filter, prepared.knowing(known.read_tables()?))
    }
}
