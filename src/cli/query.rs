//! `fragshark query`: asks a server or a master, and shows its answer.

mod answers;
mod ask;
mod format;
mod masters;
mod message;
mod series;
mod show;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;

use super::destination::{Destination, check_record};
use super::foreign_commands::command_of_others;
use super::signals::stop_on_signals;
use super::{DONE, NEGATIVE, PARTIAL, judged, notify};
use ::query::{
    AnswerEnd, Approach, NamedProtocol, QueryMessage, QueryTarget, QuestionLimits, RATE,
    TrafficRecorder,
};
use answers::{AskedAs, AskedTarget};
use export::{NamedFile, Output, TABLES, TableFormat};
use filter::Filter;
use format::QueryFormat;
use masters::Crowd;
use render::Colour;
use series::{AnswerSeries, SeriesPlan};
use simulate::Consent;
use simulate::families::QuestionSubject;
use text::{Secrets, duration_of, parse_option};

/// How long an answer may take, if nothing else is chosen, as it is typed.
static USUAL_TIMEOUT: LazyLock<String> =
    LazyLock::new(|| duration_of(QuestionLimits::USUAL.timeout));

/// ask a server or a master, and show its answer
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark query 127.0.0.1:27960\n  \
    fragshark query -v quakeworld://127.0.0.1\n  \
    fragshark query -p -r 127.0.0.1:27015\n  \
    fragshark query 127.0.0.1:27960 getinfo challenge=abc\n  \
    fragshark query 127.0.0.1:27950 --each protocol=68\n  \
    fragshark query 127.0.0.1:27960 -c 10\n\n\
    exit status: 0 answered, 1 answered, and something in the answer is wrong, 2 it could not ask,\n\
    3 no answer\n\n\
    docs/query.md has what is sent, and how often")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(super) struct QueryArgs {
    /// whom to ask: HOST[:PORT], or GAME://HOST[:PORT]; without a game, the port tells, else the
    /// protocols are tried one after the other
    #[arg(value_name = "TARGET")]
    target: String,
    /// what to ask instead of the question for the state: a message of the catalogue, and values of
    /// its fields
    #[arg(value_name = "MESSAGE [FIELD=VALUE]...")]
    message: Vec<String>,
    /// show the players
    #[arg(short, long)]
    players: bool,
    /// show the settings
    #[arg(short, long)]
    rules: bool,
    /// show the bytes of each message with their meaning
    #[arg(short, long)]
    verbose: bool,
    /// send these bytes, in hexadecimal
    #[arg(long, value_name = "BYTES", value_parser = message::hex)]
    hex: Option<message::HexBytes>,
    /// send the message of a frame of a capture: FILE#NUMBER
    #[arg(long, value_name = "FILE#FRAME", conflicts_with = "hex")]
    from: Option<message::FrameOfFile>,
    /// edit the values of the message in $EDITOR before it is sent
    #[arg(long)]
    edit: bool,
    /// get the whole list of a master; game=NAME and protocol=NUMBER select
    #[arg(long, conflicts_with_all = ["hex", "from", "edit"])]
    list: bool,
    /// ask every server on the list of a master, each once
    #[arg(long, conflicts_with_all = ["hex", "from", "edit"])]
    each: bool,
    /// compare the list of a master with that of another one
    #[arg(long, value_name = "MASTER", conflicts_with_all = ["each", "hex", "from", "edit"])]
    compare: Option<String>,
    /// questions per second with --each, at most 200; more than 50 need --authorized
    #[arg(long, value_name = "PPS", default_value_t = RATE)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=200))]
    rate: u32,
    /// with --each, show the servers with a message that a display filter selects
    #[arg(short = 'Y', long, value_name = "FILTER", requires = "each")]
    filter: Option<String>,
    /// ask so often, and say what is lost, how long answers take, and what changes
    #[arg(short, long, value_name = "N", conflicts_with_all = ["list", "each", "compare"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// the time between two questions of -c, at least 200ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = interval)]
    interval: Duration,
    /// how long an answer may take
    #[arg(long, value_name = "TIME", default_value = USUAL_TIMEOUT.as_str(), value_parser = timeout)]
    timeout: Duration,
    /// how often a question without an answer is sent again, at most 2
    #[arg(long, value_name = "N", default_value_t = QuestionLimits::USUAL.repeats)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=i64::from(QuestionLimits::MOST_REPEATS)))]
    repeats: u8,
    /// confirm that the operator of the target agrees; required for messages of servers and masters
    /// to targets outside of loopback and private networks
    #[arg(long)]
    authorized: bool,
    /// output format: text, json, ndjson, csv, parquet, arrow; by default that of the ending of the
    /// -o file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<QueryFormat>,
    /// the table that is written in other formats than text [default: servers; of a message: messages]
    #[arg(long, value_name = "TABLE", value_parser = table_names())]
    what: Option<String>,
    #[command(flatten)]
    destination: Destination,
    /// write all traffic to a capture file, secrets included
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// show passwords and keys instead of masking them
    #[arg(long)]
    show_secrets: bool,
}

impl QueryArgs {
    /// Asks and reports. The status: 0 answered, 1 with a fault, 3 no answer.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let format = self.destination.format(self.format, &[])?;
        if format.table().is_some_and(|table| !table.is_supported()) {
            bail!("this build has no Parquet and Arrow; rebuild with `--features parquet`");
        }
        let writes_text_alone = self.count.is_some() || self.compare.is_some();
        if format.table().is_some() && writes_text_alone {
            bail!("-c and --compare write text alone");
        }
        if format.table().is_none() && self.what.is_some() {
            bail!(
                "--what names a table of other formats than text: json, ndjson, csv, parquet, arrow"
            );
        }
        let is_binary = format.table().is_some_and(TableFormat::is_binary);
        if is_binary && self.destination.file().is_none() && io::stdout().is_terminal() {
            bail!("binary output is not written to a terminal; use -o FILE");
        }
        if let Some(path) = &self.record {
            check_record(path, &[])?;
        }
        // Who asks one target for one thing needs nobody's permission; the limit is that of a person.
        let consent = Consent { authorized: true, rate: Some(RATE) };
        if let Some(hint) = self.word_before_target() {
            bail!("{} stands in place of the target; {hint}", self.target);
        }
        let target = QueryTarget::parse(&self.target, consent)?;
        if self.rate > RATE && !self.authorized {
            bail!("more than {RATE} questions per second need --authorized");
        }
        let message = if self.is_of_master() { None } else { self.message(&target)? };
        if self.count.is_some() && message.is_some() {
            bail!("-c repeats the question for the state; leave the message out");
        }
        if let Some(message) = &message {
            self.check_permission(&target, message)?;
        }
        let other = self.compare.as_deref().map(|text| QueryTarget::parse(text, consent));
        let job = Job { target, message, other: other.transpose()?, filter: self.filter()? };
        if job.message.is_none() && self.is_of_master() {
            self.selection()?;
        }
        let out = self.destination.open(&[])?;
        let record = self.record.as_deref().map(NamedFile::create).transpose()?;
        let stop = Arc::new(AtomicBool::new(false));
        if self.count.is_some() {
            stop_on_signals(&stop)?;
        }
        super::confine(&self.destination.needs_with_sockets(&out, self.record.as_deref()))?;
        self.ask(job, (out, record), &stop, (format, colour))
    }

    /// What is meant by a word in front of the target, such as `list` or `ping`.
    fn word_before_target(&self) -> Option<&'static str> {
        let is_target = |word: &String| {
            let has_port = word.parse::<std::net::SocketAddr>().is_ok();
            has_port || word.parse::<std::net::IpAddr>().is_ok() || word.contains("://")
        };
        let second = self.message.first().filter(|word| is_target(word));
        second.and_then(|_| command_of_others(&self.target))
    }

    /// Whether lists are asked for.
    fn is_of_master(&self) -> bool {
        self.list || self.each || self.compare.is_some()
    }

    fn filter(&self) -> anyhow::Result<Option<Filter>> {
        self.filter.as_deref().map(Filter::parse).transpose().context("filter")
    }

    /// Asks, records and reports.
    fn ask(
        &self,
        job: Job,
        (mut out, record): (Output, Option<NamedFile>),
        stop: &AtomicBool,
        (format, colour): (QueryFormat, Colour),
    ) -> anyhow::Result<u8> {
        let Job { target, message, other, filter } = job;
        let recorder = TrafficRecorder::new()?;
        let limits = QuestionLimits { timeout: self.timeout, repeats: self.repeats };
        if self.is_of_master() {
            let selection = self.selection()?;
            let (asked, crowd) = self.ask_master(&target, &selection, limits, &recorder)?;
            if let Some(other) = other {
                let question =
                    ask::MasterQuestion { selection: &selection, limits, recorder: &recorder };
                let is_same = self.compare(&asked, &other, question, &mut out)?;
                recorded(recorder, record)?;
                out.finish()?;
                return Ok(is_same.map_or(PARTIAL, judged));
            }
            let bytes = recorded(recorder, record)?;
            return self.report(&asked, crowd, filter, bytes, out, (format, colour));
        }
        let ways = target.approaches();
        if let (Some(count), [only]) = (self.count, ways.as_slice()) {
            return self.ask_again(&target, *only, count, (recorder, record), (stop, out));
        }
        let asked = match message {
            Some(message) => ask::message(&target, message, limits, &recorder)?,
            None => ask::usual(&target, ways, &self.wanted(), limits, &recorder)?,
        };
        if let (Some(count), Some(way)) = (self.count, asked.way().filter(|_| asked.is_answered()))
        {
            return self.ask_again(&target, way, count, (recorder, record), (stop, out));
        }
        let bytes = recorded(recorder, record)?;
        self.report(&asked, None, None, bytes, out, (format, colour))
    }

    /// Asks a server for its state so often.
    fn ask_again(
        &self,
        target: &QueryTarget,
        way: Approach,
        count: u32,
        (recorder, record): (TrafficRecorder, Option<NamedFile>),
        (stop, mut out): (&AtomicBool, Output),
    ) -> anyhow::Result<u8> {
        let limits = QuestionLimits { timeout: self.timeout, repeats: 0 };
        let plan = SeriesPlan { count, interval: self.interval, limits };
        let series = AnswerSeries::run(target, way, plan, &recorder, (stop, &mut out))?;
        series.write_summary(&mut out)?;
        recorded(recorder, record)?;
        out.finish()?;
        Ok(match (series.is_answered(), series.has_fault()) {
            (false, _) => PARTIAL,
            (true, true) => NEGATIVE,
            (true, false) => DONE,
        })
    }

    /// What is asked for in addition to the state.
    fn wanted(&self) -> Vec<QuestionSubject> {
        let players = self.players.then_some(QuestionSubject::Players);
        players.into_iter().chain(self.rules.then_some(QuestionSubject::Rules)).collect()
    }

    fn report(
        &self,
        asked: &AskedTarget,
        crowd: Option<Crowd>,
        filter: Option<Filter>,
        recording: Vec<u8>,
        mut out: Output,
        (format, colour): (QueryFormat, Colour),
    ) -> anyhow::Result<u8> {
        let secrets = if self.show_secrets { Secrets::Shown } else { Secrets::Masked };
        let game = match asked.named {
            Some(NamedProtocol::Game(game)) => Some(game),
            _ => None,
        };
        let mut answers = answers::ReadAnswers::read(recording, asked, game, secrets)?;
        let has_fault = answers.has_fault()
            || asked.has_fault()
            || crowd.as_ref().is_some_and(Crowd::has_fault);
        if let Some(table) = format.table() {
            let usual = match asked.subject {
                AskedAs::Message => "messages",
                AskedAs::Server => "servers",
                AskedAs::Master(_) if self.each => "servers",
                AskedAs::Master(_) => "listed",
            };
            let what = self.what.as_deref().unwrap_or(usual);
            answers.write_table(what, table, format == QueryFormat::Json, &mut out)?;
        } else {
            let colour = self.destination.colour(colour);
            let style = show::TextStyle { colour, columns: self.destination.columns() };
            let shows =
                show::Shown { players: self.players, rules: self.rules, bytes: self.verbose };
            if let Some(crowd) = crowd {
                if self.verbose {
                    show::dumps(&mut answers, style, &mut out)?;
                }
                let selected = answers.selected(filter)?;
                let is_selected =
                    |at| selected.as_ref().is_none_or(|servers| servers.contains(&at));
                crowd.write(asked, &answers, is_selected, &mut out)?;
                show::oddities(asked, &answers, &mut out)?;
            } else {
                show::write(asked, &mut answers, shows, style, &mut out)?;
            }
        }
        out.finish()?;
        Ok(match (asked.is_answered(), has_fault) {
            (false, _) if asked.end() == Some(AnswerEnd::OneWay) => DONE,
            (false, true) if asked.end() == Some(AnswerEnd::Unrelated) => NEGATIVE,
            (false, _) => {
                notify(&asked.failure());
                PARTIAL
            }
            (true, true) => NEGATIVE,
            (true, false) => DONE,
        })
    }
}

/// What the arguments ask for.
struct Job {
    target: QueryTarget,
    message: Option<QueryMessage>,
    /// The master that is compared.
    other: Option<QueryTarget>,
    filter: Option<Filter>,
}

/// Writes the recording to the file of the user; its bytes.
fn recorded(recorder: TrafficRecorder, file: Option<NamedFile>) -> anyhow::Result<Vec<u8>> {
    let (bytes, left_out) = recorder.finish();
    if left_out > 0 {
        notify(&format!("{left_out} packets are more than a recording has, and left out"));
    }
    if let Some(mut file) = file {
        file.write_all(&bytes).and_then(|()| file.flush()).context("cannot record")?;
    }
    Ok(bytes)
}

/// At most an hour; not so often that it is a burden.
fn interval(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::from_millis(200)..=Duration::from_hours(1)))
}

/// At least as long as a datagram needs on a slow line; at most a minute.
fn timeout(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::from_millis(10)..=Duration::from_mins(1)))
}

fn table_names() -> PossibleValuesParser {
    PossibleValuesParser::new(TABLES.iter().map(|table| table.name))
}
