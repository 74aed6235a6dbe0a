//! `fragshark report`: a page on a capture.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};

use anyhow::{Context as _, bail};
use clap::Args;

use super::DONE;
use super::captures::{Captures, FilteredInput};
use super::destination::Destination;
use super::progress::ProgressBar;
use super::redaction::Redaction;
use crate::analysis::CapturedMessage;
use crate::capture::{Input, OpenError};
use crate::capture_report::{MESSAGES, ReportOptions, capture_report};

/// How often input is read.
const ROUNDS: u64 = 3;

/// write a page on a capture: servers, masters, findings, statistics, diagrams, messages
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark report capture.pcapng -o report.html\n  \
    fragshark report capture.pcapng --redact -o report.html\n  \
    fragshark report -Y 'server == 192.0.2.10' --title 'not listed' *.pcap -o report.html\n\n\
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
        self.captures.filter()?;
        let files = self.captures.files();
        let mut out = self.destination.open(&files)?;
        let needs = self.destination.needs(&out);
        // Later, no file can be created.
        let scratch = tempfile::tempfile().ok();
        let inputs: Result<Vec<_>, _> = files.iter().map(readable_again).collect();
        let FilteredInput { mut pipeline, mut filter } =
            self.captures.open_inputs(inputs?, &needs)?;
        let progress = ProgressBar::of_input(pipeline.meter(), ROUNDS);
        let options = ReportOptions {
            title: self.title.as_deref(),
            filter: self.captures.filter.as_deref(),
            messages: self.messages,
            redactor: self.redaction.redactor()?,
            secrets: self.captures.reading.secrets(),
            scratch,
        };
        let mut selects = |message: &CapturedMessage<'_>| filter.matches(message);
        let page = capture_report(&mut pipeline, options, &mut selects);
        // Before other output on the same terminal.
        drop(progress);
        out.write_all(page?.as_bytes()).context("cannot write")?;
        out.finish()?;
        Ok(self.captures.conclude(&pipeline, DONE))
    }
}

/// A capture that can be read several times: a pipe is copied to a temporary file.
fn readable_again(file: &OsString) -> Result<Input, OpenError> {
    let input = Input::from_argument(file);
    let is_pipe = match &input {
        Input::Stdin => true,
        Input::File(path) => fs::metadata(path).is_ok_and(|of| !of.is_file() && !of.is_dir()),
        _ => false,
    };
    if !is_pipe {
        return Ok(input);
    }
    let mut scratch: Option<File> = tempfile::tempfile().ok();
    input.hashed(&mut scratch).map(|(input, _)| input)
}
