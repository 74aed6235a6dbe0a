//! The arguments of every command that reads captures: files, and how to read them.

use std::ffi::OsString;
use std::io::Read as _;
use std::net::SocketAddr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::{fs, io, thread};

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::ValueParser;

use super::known::KnownTables;
use super::message_filter::MessageFilter;
use super::{PARTIAL, confine, notify};
use analysis::{CapturedMessage, Pipeline, Prepared};
use capture::Input;
use filter::Filter;
use flow::{DecodeAs, DecodeTarget, FlowId};
use protocols::registry;
use sandbox::Needs;
use simulate::raise_fd_limit;
use text::{Secrets, counted};

/// How captures are read.
#[derive(Args, Default)]
pub(super) struct ReadArgs {
    /// decode a flow as this game; FLOW is its number or one of its endpoints, ADDRESS:PORT
    #[arg(long, value_name = "FLOW=GAME", value_parser = parse_decode_as)]
    pub decode_as: Vec<DecodeAs>,
    /// take the servers and games that an earlier run learnt: its table of servers, masters or
    /// endpoints, in CSV, NDJSON or Parquet
    #[arg(long, value_name = "FILE")]
    pub known: Vec<OsString>,
    /// show CD keys, GUIDs and passwords
    #[arg(long)]
    pub show_secrets: bool,
    /// stop after this many packets
    #[arg(short = 'c', long, value_name = "PACKETS")]
    pub limit: Option<NonZeroU64>,
    /// read packets that look as if they had been captured twice, as on a mirror port, twice too
    #[arg(long)]
    pub keep_copies: bool,
    /// show datagrams of flows of which nothing is known too, as messages named unknown
    #[arg(long)]
    pub unknown: bool,
    /// use so many threads [default: the processors that are available]; the output is the same
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// Captures to be read, and how.
#[derive(Args)]
pub(super) struct Captures {
    /// capture files, merged in time order; `-` is standard input, the default if that is a pipe
    #[arg(required_unless_present_any = ["files_from", "read"], value_name = "FILE")]
    files: Vec<OsString>,
    /// read this capture too, as in tcpdump
    #[arg(short, long, value_name = "FILE")]
    read: Vec<OsString>,
    /// read the names of more captures from a file, one a line, or each with a NUL behind it; `-`
    /// is standard input
    #[arg(long, value_name = "LIST", value_parser = ValueParser::new(read_names))]
    files_from: Option<FileNames>,
    /// only messages that match a display filter (syntax: docs/filters.md)
    #[arg(short = 'Y', long, value_name = "FILTER")]
    pub filter: Option<String>,
    /// continue if a capture cannot be read; the exit status is then 3
    #[arg(long)]
    pub keep_going: bool,
    /// exit with status 3 if a capture is damaged
    #[arg(long)]
    pub fail_on_damage: bool,
    #[command(flatten)]
    pub reading: ReadArgs,
}

/// The names that a file has.
#[derive(Clone)]
struct FileNames(Vec<OsString>);

/// The source of messages, and the user's display filter.
pub(super) struct FilteredInput {
    pub pipeline: Pipeline,
    pub filter: MessageFilter,
}

impl ReadArgs {
    pub fn is_given(&self) -> bool {
        [self.show_secrets, self.keep_copies, self.unknown].contains(&true)
            || self.threads.is_some()
            || self.limit.is_some()
            || !self.decode_as.is_empty()
            || !self.known.is_empty()
    }

    /// Inputs that are open, to be read so; what earlier runs learnt is not added.
    pub fn apply(&self, prepared: Prepared) -> Prepared {
        prepared
            .shows(self.secrets())
            .threads(self.threads())
            .limited(self.limit.map_or(u64::MAX, NonZeroU64::get))
            .keeps_copies(self.keep_copies)
            .shows_unknown(self.unknown)
    }

    /// Opens the tables of `--known`.
    pub fn known(&self) -> anyhow::Result<KnownTables> {
        KnownTables::open(&self.known)
    }

    /// How many threads may work.
    pub fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, usize::from)
    }

    pub fn secrets(&self) -> Secrets {
        if self.show_secrets { Secrets::Shown } else { Secrets::Masked }
    }
}

impl Captures {
    /// These files, read as usual, for a command that does not take captures as its arguments.
    pub fn new(files: Vec<OsString>, filter: Option<String>) -> Self {
        let (read, files_from, reading) = (Vec::new(), None, ReadArgs::default());
        Self { files, read, files_from, filter, keep_going: false, fail_on_damage: false, reading }
    }

    /// The names of all captures, in order.
    pub fn files(&self) -> Vec<OsString> {
        let listed = self.files_from.iter().flat_map(|FileNames(names)| names);
        self.files.iter().chain(&self.read).chain(listed).cloned().collect()
    }

    /// The same as texts.
    pub fn names(&self) -> Vec<String> {
        self.files().iter().map(|file| file.to_string_lossy().into_owned()).collect()
    }

    /// Opens the captures, after the filter was parsed, and drops unneeded privileges before
    /// anything is read.
    pub fn open(&self, needs: &Needs) -> anyhow::Result<FilteredInput> {
        self.open_inputs(inputs(&self.files()), needs)
    }

    /// The same for these inputs, which are its captures.
    pub fn open_inputs(&self, inputs: Vec<Input>, needs: &Needs) -> anyhow::Result<FilteredInput> {
        let filter = self.filter()?;
        check_standard_input(&self.files())?;
        let known = self.reading.known()?;
        raise_fd_limit(inputs.len());
        let prepared = Prepared::new(inputs);
        confine(needs)?;
        self.begin(filter, prepared.knowing(known.read_tables()?))
    }

    /// The parsed filter.
    pub fn filter(&self) -> anyhow::Result<Option<Filter>> {
        self.filter.as_deref().map(Filter::parse).transpose().context("filter")
    }

    /// Reads the first bytes of inputs that are open; what the filter needs to know is analysed.
    pub fn begin(
        &self,
        filter: Option<Filter>,
        prepared: Prepared,
    ) -> anyhow::Result<FilteredInput> {
        let prepared = self.reading.apply(prepared).keeps_going(self.keep_going);
        let mut pipeline = Pipeline::begin(prepared, self.reading.decode_as.clone())?;
        if let (Some(filter), false) = (&filter, pipeline.reopens()) {
            filter.for_one_pass().context("filter")?;
        }
        let filter = MessageFilter::open(filter, &mut pipeline, self.reading.secrets())?;
        Ok(FilteredInput { pipeline, filter })
    }

    /// Reports what was damaged or left out, the damage in the last line; the status as in
    /// [`Integrity::conclude`].
    pub fn conclude(&self, pipeline: &Pipeline, status: u8) -> u8 {
        warn(pipeline.warnings());
        self.integrity(pipeline).conclude(status)
    }

    /// The condition of the captures, after everything has been read.
    pub fn integrity(&self, pipeline: &Pipeline) -> Integrity {
        let unread = pipeline.unread();
        Integrity {
            damage: pipeline.damage(),
            unread: unread.len() as u64,
            reasons: unread.iter().map(ToString::to_string).collect(),
            fails: self.fail_on_damage,
        }
    }

    /// Whether messages must be output at once: the input is a pipe.
    pub fn are_live(&self) -> bool {
        self.files().iter().any(|file| file == "-") && standard_input() != StandardInput::File
    }
}

/// What standard input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StandardInput {
    Pipe,
    File,
    /// A terminal, a device, or nothing.
    Other,
}

/// What standard input is, as far as the system tells.
pub(super) fn standard_input() -> StandardInput {
    #[cfg(unix)]
    let is_pipe =
        |found: &fs::Metadata| std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type());
    #[cfg(not(unix))]
    let is_pipe = |_: &fs::Metadata| false;
    match fs::metadata("/dev/stdin") {
        Ok(found) if found.is_file() => StandardInput::File,
        Ok(found) if is_pipe(&found) => StandardInput::Pipe,
        _ => StandardInput::Other,
    }
}

/// The condition of the captures that were read.
pub(super) struct Integrity {
    pub damage: u64,
    /// How many captures were left out.
    pub unread: u64,
    /// Why, unless it was reported already.
    pub reasons: Vec<String>,
    pub fails: bool,
}

impl Integrity {
    /// Reports, in the last line, what was left out and whether there is damage. The status:
    /// `status`, or 3 if captures were left out, or if damage counts as failure.
    pub fn conclude(&self, status: u8) -> u8 {
        let Self { damage, unread, ref reasons, fails } = *self;
        for why in reasons {
            notify(&format!("left out: {why}"));
        }
        let mut parts = Vec::new();
        if unread > 0 {
            let captures = counted(unread, "capture");
            parts.push(format!("incomplete: {captures} not read"));
        }
        if damage > 0 {
            let places = counted(damage, "place");
            parts.push(format!("damaged input: {places}; the readable part was used"));
        }
        if !parts.is_empty() {
            notify(&parts.join("; "));
        }
        let is_failure = unread > 0 || fails && damage > 0;
        if is_failure { PARTIAL } else { status }
    }
}

/// Refuses standard input that is to be read more than once.
pub(super) fn check_standard_input(files: &[OsString]) -> anyhow::Result<()> {
    if files.iter().filter(|file| *file == "-").count() > 1 {
        bail!("standard input (-) is given twice, and can be read once");
    }
    Ok(())
}

pub(super) fn inputs(files: &[OsString]) -> Vec<Input> {
    files.iter().map(|file| Input::from_argument(file)).collect()
}

impl FilteredInput {
    /// Passes every message that matches to `write`, until it fails.
    pub fn messages(
        &mut self,
        mut write: impl FnMut(&CapturedMessage<'_>) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        let Self { pipeline, filter } = self;
        let failed = pipeline.messages(|message| {
            let done = if filter.matches(message) { write(message) } else { Ok(()) };
            done.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        })?;
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// Reports on standard error what was damaged or left out.
pub(super) fn warn(warnings: &[String]) {
    for warning in warnings {
        notify(&format!("warning: {warning}"));
    }
}

/// Reads the names of captures, separated by NUL bytes if there are any, else by line breaks.
fn read_names(list: &str) -> Result<FileNames, String> {
    let mut bytes = Vec::new();
    let read = match list {
        "-" => io::stdin().lock().read_to_end(&mut bytes),
        path => fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|error| format!("cannot read it: {error}"))?;
    let separator = if bytes.contains(&0) { 0 } else { b'\n' };
    let names = bytes.split(|byte| *byte == separator).filter(|name| !name.is_empty());
    let names: Result<Vec<_>, _> = names.map(file_name).collect();
    match names {
        Ok(names) if names.is_empty() => Err("it names no captures".to_owned()),
        names => names.map(FileNames),
    }
}

/// A file name of these bytes.
#[cfg(unix)]
fn file_name(bytes: &[u8]) -> Result<OsString, String> {
    Ok(std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec()))
}

#[cfg(not(unix))]
fn file_name(bytes: &[u8]) -> Result<OsString, String> {
    let name = str::from_utf8(bytes).map_err(|_| "a name is not UTF-8".to_owned())?;
    Ok(name.trim_end_matches('\r').into())
}

/// Parses `FLOW=GAME`.
fn parse_decode_as(text: &str) -> Result<DecodeAs, String> {
    let Some((flow, game)) = text.split_once('=') else {
        return Err("expected FLOW=GAME, such as 7=rtcw".to_owned());
    };
    let Some(game) = registry().game(game) else {
        let known: Vec<_> = registry().games().map(|g| g.id).collect();
        return Err(format!("unknown game {game}; the games are {}", known.join(", ")));
    };
    let subject = match (flow.parse(), flow.parse::<SocketAddr>()) {
        (Ok(number @ 1..), _) => DecodeTarget::Flow(FlowId(number)),
        (_, Ok(end)) => DecodeTarget::End(end),
        _ => return Err(format!("expected a flow number or ADDRESS:PORT, not {flow}")),
    };
    Ok(DecodeAs { subject, game })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_is_given_by_number_or_endpoint() {
        for (text, subject) in [
            ("7=quake3", DecodeTarget::Flow(FlowId(7))),
            ("192.0.2.7:27960=quake3", DecodeTarget::End("192.0.2.7:27960".parse().unwrap())),
            ("[2001:db8::7]:1=quake3", DecodeTarget::End("[2001:db8::7]:1".parse().unwrap())),
        ] {
            let outcome = parse_decode_as(text).unwrap();
            assert_eq!((outcome.subject, outcome.game.id), (subject, "quake3"));
        }
        for text in ["7", "0=quake3", "x=quake3", "192.0.2.7=quake3", "7=pong", "=", "-1=quake3"] {
            assert!(parse_decode_as(text).is_err(), "{text}");
        }
        assert!(parse_decode_as("7=pong").unwrap_err().contains("the games are quake3, "));
    }
}
