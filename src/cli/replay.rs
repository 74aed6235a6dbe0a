//! `fragshark replay`: sends a capture's messages to a master again, and compares the responses.

mod bar;
mod whom;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{ArgGroup, Args, ValueEnum};

use super::captures::Captures;
use super::destination::Destination;
use super::{DONE, INCOMPLETE, WANTING, complain};
use crate::protocol::Role;
use crate::render::Colour;
use crate::replay::{
    Comparison, Mapping, Overall, Pace, Plan, RecordedRequest, ReplayNote, ReplayOptions,
    ReplayOutcome, ReplayReport, ReplaySockets, SendProgress, Spacing, Transcript, cast,
    is_playable, play,
};
use crate::report::{CaseVerdict, Report, ReportForm};
use crate::simulate::{Consent, TargetPair};
use crate::text::parse_option;
use bar::Bar;
use whom::{Whom, reference};

/// The maximum number of rounds.
const ROUNDS: u32 = 1_000_000;

/// say again to a master what a capture's servers and clients said, and compare the answers; the
/// status is 1 where something differs that was not expected, 3 where the target is not there or
/// more than half could not be compared
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark replay captures/tour.pcapng\n  \
    fragshark replay capture.pcapng --target 127.0.0.1:27950 --wait-replies\n  \
    fragshark replay capture.pcapng --role server --rate 1000 --loop 10\n\n\
    without a target, a reference master is started for it; docs/replay.md tells more")]
#[command(group = ArgGroup::new("spacing"))]
pub(super) struct Replay {
    #[command(flatten)]
    captures: Captures,
    /// the master to play to; without a port every message goes to the port that it was recorded
    /// at
    #[arg(long, value_name = "HOST[:PORT]")]
    target: Option<String>,
    /// the same master by its address of the other family, IPv4 or IPv6
    #[arg(long, value_name = "HOST[:PORT]", requires = "target")]
    also: Option<String>,
    /// whoever runs the target agrees; needed outside of loopback and private networks
    #[arg(long)]
    authorized: bool,
    /// who is played: server, client, both (the default)
    #[arg(long, value_name = "ROLE", default_value = "both")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    role: ReplayRole,
    /// another address inside of messages: ADDRESS or ADDRESS:PORT, on both sides
    #[arg(long, value_name = "OLD=NEW", value_parser = mapping)]
    map: Vec<Mapping>,
    /// so many times as fast as it was recorded, from 0.1 to 1000
    #[arg(long, value_name = "FACTOR", group = "spacing", value_parser = speed)]
    speed: Option<f64>,
    /// so many messages a second
    #[arg(long, value_name = "PPS", group = "spacing")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rate: Option<u32>,
    /// as fast as it goes
    #[arg(long, group = "spacing")]
    asap: bool,
    /// shorten silences that last longer, as in 500ms, 2s, 5m; none keeps them; 1s by default
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = longest)]
    #[arg(hide_default_value = true)]
    max_gap: Longest,
    /// play so often
    #[arg(long = "loop", value_name = "N", default_value_t = 1)]
    #[arg(hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(ROUNDS)))]
    rounds: u32,
    /// send nothing before what was sent last is answered, or its time is over
    #[arg(long)]
    wait_replies: bool,
    /// how long an answer is waited for; 1s by default
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    #[arg(hide_default_value = true)]
    timeout: Duration,
    /// leave a field out of the comparison
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    ignore: Vec<String>,
    /// text (the default), json, ndjson, junit
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    format: ReplayFormat,
    #[command(flatten)]
    destination: Destination,
    /// keep everything that is said as a capture, its secrets included
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReplayRole {
    Server,
    Client,
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReplayFormat {
    Text,
    Json,
    Ndjson,
    Junit,
}

/// The maximum length of a pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Longest(Option<Duration>);

impl Replay {
    /// Replays and reports. The status: 0 if nothing differs but what may, 1 if something does, 3
    /// if the target was down or more than half could not be compared.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let consent = Consent { authorized: self.authorized, rate: self.rate };
        let named = self.target.as_deref();
        let named = named.map(|first| TargetPair::find(first, self.also.as_deref(), consent));
        let named = named.transpose()?;
        self.check_recording()?;
        let out = self.destination.open(&self.captures.files)?;
        let journal = tempfile::tempfile().context("no temporary file can be made")?;
        let needs = self.destination.needs_of_talk(&out, self.record.as_deref());
        let (mut pipeline, mut sieve) = self.captures.open(&needs)?;
        let account = Transcript::of_recording(&mut pipeline, |message| sieve.takes(message))?;
        let integrity = self.captures.integrity(&pipeline);
        drop(pipeline);
        let plays =
            |asked: &RecordedRequest| asked.meant && self.takes(asked) && is_playable(asked);
        let (ends, connecting) = cast(&account, plays);
        let mut told = Vec::new();
        let whom = match named {
            Some(target) => Whom::Target(target),
            None => reference(&account, &ends, &connecting, plays, &mut told)?,
        };
        let mut stage = ReplaySockets::open(whom.target(), &ends, &connecting, &self.map)?;
        told.extend(crossed(&stage));
        let limit = whom.target().limit();
        let pace = Pace { spacing: self.spacing(), longest: self.max_gap.0, limit };
        let plan = Plan::new(&account, &stage, pace, plays, |asked| whom.port(&account, asked));
        if plan.is_empty() {
            complain(&format!("{}: nothing to play", nothing(&account)));
        }
        let options = ReplayOptions {
            rounds: self.rounds,
            waits: self.wait_replies,
            patience: self.timeout,
            journal,
            secrets: self.captures.reading.secrets(),
        };
        let mut record = self.recording()?;
        let progress = SendProgress::default();
        let bar = Bar::show(&progress, &plan, self.rounds);
        let traffic = record.as_mut().map(|file| file as &mut dyn Write);
        let outcome = play(&account, &plan, &mut stage, &options, &progress, traffic)?;
        drop(bar);
        if let (Some(mut file), Some(path)) = (record, &self.record) {
            file.flush().with_context(|| format!("cannot write {}", path.display()))?;
        }
        told.extend(absent(&outcome, &plan, &whom));
        told.extend(whom.end());
        let ignored = &self.ignore;
        let comparison = Comparison::of(&account, &outcome, &stage, ignored, options.secrets);
        told.extend(comparison.idle(&self.ignore).map(|name| {
            let text = format!("--ignore {name}: nothing that differs has that name");
            ReplayNote::info("ignore", text)
        }));
        let sheet = ReplayReport::new(&account, &plan, &outcome, &comparison, told);
        let mut report = Report::new(out, self.form(colour));
        sheet.write(&mut report)?;
        report.finish()?.finish()?;
        Ok(integrity.conclude(match sheet.overall() {
            Overall::Same => DONE,
            Overall::Differs => WANTING,
            Overall::Incomplete => INCOMPLETE,
        }))
    }

    fn form(&self, colour: Colour) -> ReportForm {
        let Self { destination, .. } = self;
        match self.format {
            ReplayFormat::Text => ReportForm::Text {
                colour: destination.colour(colour),
                columns: destination.columns(),
            },
            ReplayFormat::Json => ReportForm::Json,
            ReplayFormat::Ndjson => ReportForm::Ndjson,
            ReplayFormat::Junit => ReportForm::Junit("fragshark replay"),
        }
    }

    fn takes(&self, asked: &RecordedRequest) -> bool {
        match self.role {
            ReplayRole::Server => asked.party == Role::Server,
            ReplayRole::Client => asked.party == Role::Client,
            ReplayRole::Both => true,
        }
    }

    fn spacing(&self) -> Spacing {
        match (self.speed, self.rate, self.asap) {
            (_, _, true) => Spacing::Asap,
            (_, Some(rate), _) => Spacing::Rate(rate),
            (speed, ..) => Spacing::Recorded(speed.unwrap_or(1.0)),
        }
    }

    /// The recording must not overwrite an input.
    fn check_recording(&self) -> anyhow::Result<()> {
        let Some(path) = &self.record else {
            return Ok(());
        };
        let same = |input: &std::ffi::OsString| {
            let input = std::fs::canonicalize(input);
            input.is_ok_and(|input| std::fs::canonicalize(path).is_ok_and(|path| path == input))
        };
        if self.captures.files.iter().any(same) {
            bail!("{} is an input, and is not overwritten", path.display());
        }
        Ok(())
    }

    fn recording(&self) -> anyhow::Result<Option<BufWriter<File>>> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        let cannot = || format!("cannot write {}", path.display());
        complain("the recording holds what was sent byte for byte, secrets included");
        Ok(Some(BufWriter::new(File::create(path).with_context(cannot)?)))
    }
}

/// One line if the target is down, or does not respond; standard error has it too.
fn absent(outcome: &ReplayOutcome, plan: &Plan, whom: &Whom) -> Option<ReplayNote> {
    if !outcome.is_silent() || plan.is_empty() {
        return None;
    }
    let target = whom.target();
    let verdict = if outcome.is_down() { CaseVerdict::Error } else { CaseVerdict::Info };
    let text = match outcome.failed.as_ref().or(outcome.broke.as_ref()) {
        _ if outcome.is_down() => format!("{target}: connection refused: nobody listens there"),
        Some(error) => format!("{target}: {error}"),
        None if plan.wants_answers() => format!("{target} answered nothing"),
        None => return None,
    };
    complain(&text);
    Some(ReplayNote { name: "target", text, verdict })
}

/// The note if recorded hosts have addresses of the other family in the replay.
fn crossed(stage: &ReplaySockets) -> Option<ReplayNote> {
    let count = stage.crossed();
    let six = stage.target().first().is_ipv6();
    let (played, other) = if six { ("IPv6", "IPv4") } else { ("IPv4", "IPv6") };
    let hosts = if count == 1 { "host that was" } else { "hosts that were" };
    let text = format!(
        "{count} {hosts} recorded over {other} speak over {played}: the target has no address of \
         {other}; --also names one"
    );
    (count > 0).then(|| ReplayNote::info("family", text))
}

/// Why there is nothing to replay.
fn nothing(account: &Transcript) -> &'static str {
    if account.asked.is_empty() && account.cut > 0 {
        "the capture has only a part of every message to a master"
    } else if account.asked.is_empty() {
        "no server and no client speaks to a master in the capture"
    } else {
        "nothing that is said to a master is meant, or can be said to this one"
    }
}

/// Parses `ADDRESS=ADDRESS`, each with a port or without.
fn mapping(text: &str) -> Result<Mapping, String> {
    let end = |text: &str| {
        let with_port = text.parse::<SocketAddr>().map(|end| (end.ip(), Some(end.port())));
        with_port.or_else(|_| text.parse::<IpAddr>().map(|ip| (ip, None)))
    };
    let (old, new) = text.split_once('=').ok_or("OLD=NEW is wanted, two addresses")?;
    let read = |text| end(text).map_err(|_| format!("{text} is no ADDRESS and no ADDRESS:PORT"));
    Ok(Mapping { old: read(old)?, new: read(new)? })
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse::<f64>().ok().filter(|speed| (0.1..=1000.0).contains(speed));
    speed.ok_or_else(|| "a number from 0.1 to 1000 is wanted".to_owned())
}

fn longest(text: &str) -> Result<Longest, String> {
    match text {
        "none" => Ok(Longest(None)),
        _ => duration(text).map(|longest| Longest(Some(longest))),
    }
}

/// At most a day.
fn duration(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::ZERO..=Duration::from_secs(86_400)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_or_said_to_be_wrong() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(longest("none"), Ok(Longest(None)));
        for wrong in ["s", "-1s", "2d", "1e9s", "", "99999m"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!(speed("0.1"), Ok(0.1));
        for wrong in ["0", "1001", "fast", "NaN", "-1"] {
            assert!(speed(wrong).is_err(), "{wrong}");
        }
        let known = mapping("192.0.2.1=10.0.0.1:7").unwrap();
        assert_eq!(known.old, ("192.0.2.1".parse().unwrap(), None));
        assert_eq!(known.new, ("10.0.0.1".parse().unwrap(), Some(7)));
        assert!(mapping("192.0.2.1").is_err() && mapping("a=b").is_err());
    }
}
