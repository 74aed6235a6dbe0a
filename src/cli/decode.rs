//! `fragshark decode`: messages as text or NDJSON.

mod chosen;
mod ladder;

use std::ffi::OsString;
use std::io::{self, Write as _};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use super::captures::{Captures, FilteredInput, check_standard_input, inputs};
use super::destination::{Destination, Printed, TimeOption, unwritten, write_json};
use super::file_format::{FileFormat, JSON, NDJSON, TEXT};
use super::{DONE, confine, judged};
use analysis::{CapturedMessage, SessionCounts};
use capture::Input;
use chosen::Hexdumps;
use export::{
    CountsJson, CountsText, Output, Select, Table, TableFormat, TableOptions, transcript_heading,
    write_listing, write_tables,
};
use ladder::LadderFormat;
use protocol::{self, Entry};
use render::{self, Colour, DumpStyle};
use text::Secrets;

/// print messages, one line each, or with -v their annotated bytes
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark decode capture.pcapng\n  \
    fragshark decode -v --decode-as 192.0.2.7:27960=rtcw capture.pcap.gz\n  \
    fragshark decode -Y 'quake3 && field.sv_maxclients > 8' capture.pcap\n  \
    fragshark decode --format ndjson capture.pcap | jq .fields\n  \
    fragshark decode --sequence capture.pcap\n  \
    xxd message.bin | fragshark decode -v --ports 27960,27950\n  \
    fragshark decode --count --format json *.pcap")]
#[expect(clippy::option_option, reason = "without a form, the ending of the file tells it")]
pub(super) struct Decode {
    #[command(flatten)]
    captures: Captures,
    /// print everything: the annotated bytes of each message, and its full time
    #[arg(short, long, visible_short_alias = 'V', conflicts_with = "count")]
    #[arg(overrides_with = "verbose")]
    verbose: bool,
    /// columns of lines, by default those of the terminal; 0: whole lines, as in a file or a pipe
    #[arg(long, value_name = "COLUMNS", value_parser = parse_width)]
    #[arg(conflicts_with_all = ["count", "ladder"])]
    width: Option<usize>,
    #[command(flatten)]
    times: TimeOption,
    /// count packets, datagrams, flows and messages; with --filter, only matching messages
    #[arg(long)]
    count: bool,
    /// output format: text, ndjson, or with --count json; by default that of the ending of the -o
    /// file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<DecodeFormat>,
    /// draw a sequence diagram: text, svg, mermaid; by default that of the ending of the -o file, else
    /// text
    #[arg(long = "sequence", alias = "ladder", value_name = "FORM")]
    #[arg(num_args = 0..=1, require_equals = true)]
    #[arg(hide_possible_values = true)]
    #[arg(conflicts_with_all = ["verbose", "count", "format"])]
    ladder: Option<Option<LadderFormat>>,
    /// ports of the sender and the receiver of a hexdump that has no headers
    #[arg(long, value_name = "FROM,TO", value_parser = parse_ports)]
    ports: Option<[u16; 2]>,
    /// decode a hexdump as this message, such as quake3.getservers, whatever its bytes are
    #[arg(long = "as", value_name = "MESSAGE", value_parser = chosen::message_named)]
    #[arg(conflicts_with_all = ["count", "format", "ladder", "ports", "filter", "limit"])]
    #[arg(conflicts_with_all = ["decode_as", "known", "show_secrets"])]
    message: Option<&'static Entry>,
    #[command(flatten)]
    destination: Destination,
}

/// Prints what was read.
type PrintMessages = fn(&Decode, &mut FilteredInput, &mut Output, Colour) -> anyhow::Result<()>;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DecodeFormat {
    Text,
    Ndjson,
    Json,
}

impl FileFormat for DecodeFormat {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] =
        &[(Self::Text, TEXT), (Self::Ndjson, NDJSON), (Self::Json, JSON)];
}

/// `--sequence svg` as `--sequence=svg`: the argument after a bare `--sequence` is a file, unless it is
/// the name of a format.
pub(super) fn join_ladder_format(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for argument in arguments {
        let form = argument.to_str().and_then(|a| LadderFormat::from_str(a, false).ok());
        match joined.last_mut() {
            Some(last) if form.is_some() && (last == "--sequence" || last == "--ladder") => {
                last.push("=");
                last.push(argument);
            }
            _ => joined.push(argument),
        }
    }
    joined
}

impl Decode {
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let ladder = self
            .ladder
            .map(|given| self.destination.format(given, &self.captures.files()))
            .transpose()?;
        let format = match ladder {
            Some(_) => DecodeFormat::Text,
            None => self.destination.format(self.format, &self.captures.files())?,
        };
        if self.message.is_some() && format != DecodeFormat::Text {
            bail!("--as prints text");
        }
        let print: PrintMessages = match (format, self.count) {
            (DecodeFormat::Text, true) => {
                |_, from, out, _| Ok(write!(out, "{}", CountsText(&counted(from)?))?)
            }
            (DecodeFormat::Json, true) => {
                |_, from, out, _| Ok(write_json(out, &CountsJson::from(&counted(from)?))?)
            }
            (DecodeFormat::Text, false) if self.verbose => Self::transcripts,
            (DecodeFormat::Ndjson, false) if self.verbose => {
                bail!("--verbose prints text, not ndjson")
            }
            (DecodeFormat::Text, false) => Self::listing,
            (DecodeFormat::Ndjson, false) => Self::rows,
            (DecodeFormat::Ndjson, true) => bail!("--count prints text or json, not ndjson"),
            (DecodeFormat::Json, false) => {
                bail!("--format json needs --count; use ndjson for messages")
            }
        };
        let mut out = self.destination.open(&self.captures.files())?;
        let colour = self.destination.colour(colour);
        let needs = self.destination.needs(&out);
        if let Some(entry) = self.message {
            check_standard_input(&self.captures.files())?;
            let hexdumps = Hexdumps::open(&self.captures.files())?;
            confine(&needs)?;
            let is_whole = hexdumps.write(entry, &mut out, self.dump_style(colour))?;
            out.finish()?;
            return Ok(judged(is_whole));
        }
        let mut from = self.captures.open_inputs(self.inputs(), &needs)?;
        let shown = if self.count { Printed::AtTheEnd } else { Printed::AtOnce };
        let progress = self.destination.progress(from.pipeline.meter(), shown);
        if let Some(form) = ladder {
            let live = self.captures.are_live();
            let how = (self.captures.reading.secrets(), colour, live);
            ladder::write(&mut from, &mut out, form, how)?;
        } else {
            print(&self, &mut from, &mut out, colour)?;
        }
        drop(progress);
        out.finish()?;
        let has_messages = || from.pipeline.flows().iter().any(|(_, f)| f.messages().count() > 0);
        if from.pipeline.has_hexdump() && !has_messages() {
            let option = if self.ports.is_none() { "--ports FROM,TO or " } else { "" };
            bail!(
                "no message was recognised in the packets of the text, which was read row by row; \
                 {option}--as MESSAGE may tell"
            );
        }
        Ok(self.captures.conclude(&from.pipeline, DONE))
    }

    /// The captures, or hexdumps with the ports that the user gives.
    fn inputs(&self) -> Vec<Input> {
        let all = inputs(&self.captures.files()).into_iter();
        match self.ports {
            Some(ports) => all.map(|input| Input::Ports(Box::new(input), ports)).collect(),
            None => all.collect(),
        }
    }

    fn listing(
        &self,
        from: &mut FilteredInput,
        out: &mut Output,
        colour: Colour,
    ) -> anyhow::Result<()> {
        let (live, secrets) = (self.captures.are_live(), self.captures.reading.secrets());
        let FilteredInput { pipeline, filter } = from;
        let matches_all = filter.matches_all();
        let mut takes = |message: &CapturedMessage<'_>| filter.matches(message);
        let selects: Option<&mut Select<'_>> = if matches_all { None } else { Some(&mut takes) };
        let style = self.times.line_style(colour, self.columns());
        write_listing(pipeline, (secrets, style), (live, selects), out).map_err(unwritten)
    }

    fn rows(&self, from: &mut FilteredInput, out: &mut Output, _: Colour) -> anyhow::Result<()> {
        let (live, secrets) = (self.captures.are_live(), self.captures.reading.secrets());
        let FilteredInput { pipeline, filter } = from;
        let matches_all = filter.matches_all();
        let mut takes = |message: &CapturedMessage<'_>| filter.matches(message);
        let selects: Option<&mut Select<'_>> = if matches_all { None } else { Some(&mut takes) };
        let format = TableFormat::Ndjson;
        let (redactor, scratch, origin) = (None, None, None);
        let options = TableOptions { format, secrets, live, redactor, scratch, selects, origin };
        let messages = Table::named("messages").context("there is no table of messages")?;
        write_tables(pipeline, options, [(messages, out as &mut (dyn io::Write + Send))])
            .map_err(unwritten)?;
        Ok(())
    }

    /// The columns that the user gives, or those of the terminal.
    fn columns(&self) -> Option<usize> {
        match self.width {
            Some(width) => Some(width).filter(|width| *width > 0),
            None => self.destination.columns(),
        }
    }

    fn dump_style(&self, colour: Colour) -> DumpStyle {
        DumpStyle { colour, width: self.columns(), lines: None }
    }

    fn transcripts(
        &self,
        from: &mut FilteredInput,
        out: &mut Output,
        colour: Colour,
    ) -> anyhow::Result<()> {
        let live = self.captures.are_live();
        let secrets = self.captures.reading.secrets();
        let mut transcripts = DumpWriter::new(secrets, self.dump_style(colour));
        from.messages(|message| {
            transcripts.write_message(message, out)?;
            if live { out.flush() } else { Ok(()) }
        })
    }
}

/// Writes messages with their annotated bytes.
pub(super) struct DumpWriter {
    reading: protocol::Reading,
    text: String,
    secrets: Secrets,
    style: DumpStyle,
}

impl DumpWriter {
    pub fn new(secrets: Secrets, style: DumpStyle) -> Self {
        Self { reading: protocol::Reading::default(), text: String::new(), secrets, style }
    }

    /// Writes a message, and an empty line after it.
    pub fn write_message(
        &mut self,
        message: &CapturedMessage<'_>,
        out: &mut Output,
    ) -> io::Result<()> {
        let Self { reading, text, secrets, style } = self;
        let CapturedMessage { header, payload } = *message;
        text.clear();
        reading.read_part(header.entry, payload, header.missing);
        let heading = transcript_heading(&header);
        render::transcript(text, &heading, reading, payload, *secrets, *style);
        text.push('\n');
        out.write_all(text.as_bytes())
    }
}

/// Parses `--width`.
fn parse_width(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(width @ (0 | 40..=1000)) => Ok(width),
        _ => Err("a number from 40 to 1000, or 0".to_owned()),
    }
}

/// The counts of what matches.
fn counted(from: &mut FilteredInput) -> anyhow::Result<SessionCounts> {
    let FilteredInput { pipeline, filter } = from;
    if filter.matches_all() {
        return Ok(pipeline.count()?);
    }
    Ok(pipeline.count_where(|message| filter.matches(message))?)
}

/// Parses `FROM,TO`.
fn parse_ports(text: &str) -> Result<[u16; 2], String> {
    let ports = text
        .split_once(',')
        .and_then(|(from, to)| Some([from.trim().parse().ok()?, to.trim().parse().ok()?]));
    ports.ok_or_else(|| "expected two ports, such as 27950,27960".to_owned())
}
