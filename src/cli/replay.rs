//! `fragshark replay`: sends a capture's messages to a master again, and compares the responses.

mod target;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use clap::{ArgGroup, Args, ValueEnum};

use super::captures::{Captures, FilteredInput};
use super::destination::{Destination, check_record};
use super::pace::{Longest, duration, longest, speed};
use super::progress::ProgressBar;
use super::{DONE, NEGATIVE, PARTIAL, notify};
use export::NamedFile;
use protocol::Role;
use render::Colour;
use replay::{
    Comparison, Mapping, Overall, Pace, Plan, RecordedRequest, ReplayNote, ReplayOptions,
    ReplayOutcome, ReplayReport, ReplaySockets, Spacing, Transcript, is_replayable, participants,
    run_plan,
};
use report::{CaseVerdict, ReportForm};
use simulate::{Consent, TargetPair};
use target::{ReplayTarget, reference};

/// The maximum number of rounds.
const ROUNDS: u32 = 1_000_000;

/// replay recorded messages to a master and compare its responses
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark replay captures/tour.pcapng\n  \
    fragshark replay capture.pcapng --target 127.0.0.1:27950 --wait-replies\n  \
    fragshark replay capture.pcapng --role server --rate 1000 --loop 10\n\n\
    exit status: 0 no unexpected difference, 1 unexpected differences, 3 the target is down or more\n\
    than half of the messages could not be compared\n\n\
    without --target, replay starts a reference master; see docs/replay.md")]
#[command(group = ArgGroup::new("spacing"))]
pub(super) struct Replay {
    #[command(flatten)]
    captures: Captures,
    /// the master to send to; without a port, each message goes to its recorded port
    #[arg(long, value_name = "HOST[:PORT]")]
    target: Option<String>,
    /// a second address of the same master: IPv6 if --target is IPv4, or the reverse
    #[arg(long, value_name = "HOST[:PORT]", requires = "target")]
    also: Option<String>,
    /// confirm that the operator of the target agrees; required outside of loopback and private
    /// networks
    #[arg(long)]
    authorized: bool,
    /// whose messages to send: server, client, both (the default)
    #[arg(long, value_name = "ROLE", default_value = "both")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    role: ReplayRole,
    /// replace an address inside messages; OLD and NEW are ADDRESS or ADDRESS:PORT
    #[arg(long, value_name = "OLD=NEW")]
    map: Vec<Mapping>,
    /// replay this many times faster than recorded, from 0.1 to 1000
    #[arg(long, value_name = "FACTOR", group = "spacing", value_parser = speed)]
    speed: Option<f64>,
    /// send this many messages per second
    #[arg(long, value_name = "PPS", group = "spacing")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rate: Option<u32>,
    /// send as fast as possible
    #[arg(long, group = "spacing")]
    asap: bool,
    /// the longest pause between messages; `none` keeps the recorded pauses [default: 1s]
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = longest)]
    #[arg(hide_default_value = true)]
    max_gap: Longest,
    /// repeat the replay N times
    #[arg(long = "loop", value_name = "N", default_value_t = 1)]
    #[arg(hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(ROUNDS)))]
    rounds: u32,
    /// wait for the response to each message before sending the next
    #[arg(long)]
    wait_replies: bool,
    /// how long to wait for a response [default: 1s]
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    #[arg(hide_default_value = true)]
    timeout: Duration,
    /// ignore a field in the comparison
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    ignore: Vec<String>,
    /// output format: text, json, ndjson, junit; by default that of the ending of the -o file, else
    /// text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<ReportForm>,
    #[command(flatten)]
    destination: Destination,
    /// write all traffic to a capture file, secrets included
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReplayRole {
    Server,
    Client,
    Both,
}

impl Replay {
    /// Replays and reports. The status: 0 if nothing differs but what may, 1 if something does, 3
    /// if the target was down or more than half could not be compared.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let consent = Consent { authorized: self.authorized, rate: self.rate };
        let target = self.target.as_deref();
        let target = target.map(|first| TargetPair::find(first, self.also.as_deref(), consent));
        let target = target.transpose()?;
        self.check_recording()?;
        let format = self.destination.format(self.format, &self.captures.files())?;
        let out = self.destination.open(&self.captures.files())?;
        let journal = tempfile::tempfile().context("cannot create a temporary file")?;
        let needs = self.destination.needs_with_sockets(&out, self.record.as_deref());
        let FilteredInput { mut pipeline, mut filter } = self.captures.open(&needs)?;
        let transcript =
            Transcript::of_recording(&mut pipeline, |message| filter.matches(message))?;
        let integrity = self.captures.integrity(&pipeline);
        drop(pipeline);
        let is_replayed = |request: &RecordedRequest| {
            request.selected && self.is_in_role(request) && is_replayable(request)
        };
        let (ends, connecting) = participants(&transcript, is_replayed);
        let mut notes = Vec::new();
        let target = match target {
            Some(target) => ReplayTarget::Target(target),
            None => reference(&transcript, &ends, &connecting, is_replayed, &mut notes)?,
        };
        let mut sockets = ReplaySockets::open(target.target(), &ends, &connecting, &self.map)?;
        notes.extend(crossed_note(&sockets));
        let limit = target.target().limit();
        let pace = Pace { spacing: self.spacing(), longest: self.max_gap.0, limit };
        let plan = Plan::new(&transcript, &sockets, pace, is_replayed, |request| {
            target.port(&transcript, request)
        });
        if plan.is_empty() {
            notify(&format!("{}: nothing to replay", why_nothing(&transcript)));
        }
        let options = ReplayOptions {
            rounds: self.rounds,
            wait_replies: self.wait_replies,
            timeout: self.timeout,
            journal,
            secrets: self.captures.reading.secrets(),
        };
        let mut record = self.recording()?;
        let progress = Arc::new(AtomicU64::new(0));
        let (sent, all) = (Arc::clone(&progress), plan.len() as u64 * u64::from(self.rounds));
        let template = "{wide_bar} {pos} of {len} messages";
        let bar = ProgressBar::show(template, Some(all), move || sent.load(Ordering::Relaxed));
        let traffic = record.as_mut().map(|file| file as &mut dyn Write);
        let outcome = run_plan(&transcript, &plan, &mut sockets, &options, &progress, traffic)?;
        drop(bar);
        if let Some(mut file) = record {
            file.flush()?;
        }
        notes.extend(no_response_note(&outcome, &plan, &target));
        notes.extend(target.end());
        let ignored = &self.ignore;
        let comparison = Comparison::new(&transcript, &outcome, &sockets, ignored, options.secrets);
        notes.extend(comparison.unused(&self.ignore).map(|name| {
            let text = format!("--ignore {name}: no difference has that name");
            ReplayNote::info("ignore", text)
        }));
        let report_of_run = ReplayReport::new(&transcript, &plan, &outcome, &comparison, notes);
        let mut report = self.destination.report(out, format, colour, "fragshark replay");
        report_of_run.write(&mut report)?;
        report.finish()?.finish()?;
        Ok(integrity.conclude(match report_of_run.overall() {
            Overall::Same => DONE,
            Overall::Differs => NEGATIVE,
            Overall::Incomplete => PARTIAL,
        }))
    }

    fn is_in_role(&self, request: &RecordedRequest) -> bool {
        match self.role {
            ReplayRole::Server => request.role == Role::Server,
            ReplayRole::Client => request.role == Role::Client,
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
        check_record(path, &self.captures.files())
    }

    fn recording(&self) -> anyhow::Result<Option<NamedFile>> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        notify("the recording contains secrets");
        Ok(Some(NamedFile::create(path)?))
    }
}

/// One line if the target is down, or does not respond; standard error has it too.
fn no_response_note(
    outcome: &ReplayOutcome,
    plan: &Plan,
    target: &ReplayTarget,
) -> Option<ReplayNote> {
    if !outcome.is_silent() || plan.is_empty() {
        return None;
    }
    let target = target.target();
    let verdict = if outcome.is_down() { CaseVerdict::Error } else { CaseVerdict::Info };
    let text = match outcome.failed.as_ref().or(outcome.connection_error.as_ref()) {
        _ if outcome.is_down() => format!("{target}: connection refused"),
        Some(error) => format!("{target}: {error}"),
        None if plan.wants_answers() => format!("{target} did not respond"),
        None => return None,
    };
    notify(&text);
    Some(ReplayNote { name: "target", text, verdict })
}

/// The note if recorded hosts have addresses of the other family in the replay.
fn crossed_note(sockets: &ReplaySockets) -> Option<ReplayNote> {
    let count = sockets.crossed();
    let six = sockets.target().first().is_ipv6();
    let (replayed, other) = if six { ("IPv6", "IPv4") } else { ("IPv4", "IPv6") };
    let hosts = if count == 1 { "host was" } else { "hosts were" };
    let text = format!(
        "{count} {hosts} recorded over {other} and replayed over {replayed}: the target has no \
         {other} address; --also adds one"
    );
    (count > 0).then(|| ReplayNote::info("family", text))
}

/// Why there is nothing to replay.
fn why_nothing(transcript: &Transcript) -> &'static str {
    if transcript.requests.is_empty() && transcript.cut > 0 {
        "every message to a master is cut in the capture"
    } else if transcript.requests.is_empty() {
        "the capture has no message to a master"
    } else {
        "no message to a master is selected, or the target has no port for them"
    }
}
