//! `fragshark conform`: tests a master, case by case.

mod diff;
mod known_failures;
mod namespace;
mod status;
mod text_file;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};

use super::destination::Destination;
use super::file_format::check_packets;
use super::{DONE, confine, notify};
use conform::families::{profiles, suites};
use conform::{
    Assumed, CaseSelection, Judged, Profile, RunOutcome, RunPlan, TargetEnv, cause, record, run,
};
use export::{Existing, Output};
use known_failures::KnownFailures;
use masters::families::services;
use masters::{Config, RunningMaster, Settings};
use render::Colour;
use report::{CaseVerdict, Run, RunForm, RunHead, Summary};
use simulate::{Consent, Network, TargetPair};
use status::{RunDoubts, status};
use text::{duration_of, parse_option};
use text_file::TextFile;

/// The maximum of servers in the reference master.
const MAX_SERVERS: usize = 1 << 16;

/// test a master against the documents, case by case
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "examples:\n  \
    fragshark conform                                      the reference master\n  \
    fragshark conform --target 127.0.0.1 --profile dpmaster\n  \
    fragshark conform --target 192.168.0.9:27950 --profile quake3 --strict\n  \
    fragshark conform --namespace --target ::1 --profile dpmaster -- dpmaster\n  \
    fragshark conform 'quake3/getservers/*' --format html -o report.html\n  \
    fragshark conform diff before.json after.json\n\n\
    exit status: 0 no case failed, 1 a case failed, 3 a case could not be judged\n\n\
    how it judges: docs/conformance.md\n\
    all cases: docs/reference/conformance-cases.md")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(super) struct Conform {
    #[command(subcommand)]
    command: Option<ConformCommand>,
    /// cases to run: ids, patterns such as 'quake3/*/end-mark', or prefixes such as quake3/heartbeat
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    #[command(flatten)]
    at: TargetArgs,
    /// judge in a network namespace, where servers may have addresses of all networks; the words
    /// after -- start the master there (Linux)
    #[arg(long)]
    namespace: bool,
    /// the command that starts the master in the namespace
    #[arg(last = true, value_name = "COMMAND", requires = "namespace")]
    command_of_master: Vec<OsString>,
    /// list the cases and exit
    #[arg(long)]
    list: bool,
    /// treat SHOULD as MUST
    #[arg(long)]
    strict: bool,
    /// run each case N times; the worst result counts
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    repeat: u32,
    /// rerun a failed case alone, up to N times; it fails only if every rerun fails [default: 1]
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    retries: u32,
    /// file with cases that are known to fail, one id or pattern per line; they do not count
    #[arg(long, value_name = "FILE")]
    expect_failures: Option<PathBuf>,
    /// run up to N cases in parallel [default: 16]
    #[arg(long, value_name = "N", default_value_t = 16, hide_default_value = true)]
    jobs: usize,
    /// also run cases that wait for long timeouts
    #[arg(long)]
    slow: bool,
    /// send floods, oversized and random datagrams also to targets beyond loopback
    #[arg(long)]
    harsh: bool,
    /// output format: text, json, ndjson, junit, tap, html; by default that of the ending of the -o
    /// file, else text
    #[arg(long, visible_alias = "report", value_name = "FORMAT", hide_possible_values = true)]
    format: Option<RunForm>,
    #[command(flatten)]
    destination: Destination,
    /// write all traffic to a capture file, with the case ids as comments
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

#[derive(Subcommand)]
enum ConformCommand {
    Diff(diff::Diff),
}

/// Which master is meant, and what is assumed of it.
#[derive(Args)]
pub(super) struct TargetArgs {
    /// the master: HOST for its documented ports, or HOST:PORT; may be repeated [default: the
    /// built-in reference master]
    #[arg(long, value_name = "HOST[:PORT]")]
    pub target: Vec<String>,
    /// a second address of the same master: IPv6 if --target is IPv4, or the reverse
    #[arg(long, value_name = "HOST[:PORT]", requires = "target")]
    pub also: Option<String>,
    /// the kind of master
    #[arg(long, value_name = "NAME", value_parser = profile)]
    pub profile: Option<&'static Profile>,
    /// limits of the master, by the names of `fragshark master --set`; and the game that it lists,
    /// where it lists one alone: gamename=NAME, protocol=NUMBER
    #[arg(long, value_name = "NAME=VALUE,...")]
    pub assume: Vec<String>,
    /// how long to wait for a response [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "2s")]
    #[arg(hide_default_value = true)]
    pub timeout: Duration,
    /// confirm that the operator of the target agrees; required outside of loopback and private
    /// networks
    #[arg(long)]
    pub authorized: bool,
    /// send at most N packets per second
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rate: Option<u32>,
}

/// A target to test; the reference master lives as long as this.
pub(super) struct ConformTarget {
    pub env: TargetEnv,
    _running: Option<RunningMaster>,
}

impl Conform {
    /// The status; for a comparison of two runs, 1 if a case fails that did not before.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        if let Some(ConformCommand::Diff(diff)) = &self.command {
            return diff.run(colour);
        }
        if self.namespace {
            if self.at.target.is_empty() != self.command_of_master.is_empty() {
                bail!("--namespace: --target and the command of its master belong together");
            }
            return namespace::run(&self.command_of_master);
        }
        let cases = CaseSelection::new(suites(), self.at.profile, &self.cases)?.cases;
        if cases.is_empty() {
            bail!("no case is selected");
        }
        let plan = RunPlan {
            cases,
            jobs: self.jobs,
            repeat: self.repeat,
            retries: self.retries,
            strict: self.strict,
            slow: self.slow,
            harsh: self.harsh,
        };
        let format = self.destination.format(self.format, &[])?;
        if self.list {
            if format != RunForm::Text {
                bail!("--list prints text");
            }
            return self.list(&plan).map(|()| DONE);
        }
        if self.at.target.len() > 1 && format != RunForm::Html {
            bail!("several targets need --format html");
        }
        if let Some(path) = &self.record {
            check_packets(path)?;
        }
        let known = self.expect_failures.as_deref().map(TextFile::open).transpose()?;
        let mut out = self.destination.open(&[])?;
        confine(&self.destination.needs_with_sockets(&out, self.record.as_deref()))?;
        let known = known.map(TextFile::read_text).transpose()?;
        let known = known.map(|text| KnownFailures::parse(&text)).unwrap_or_default();
        let targets = self.at.targets(self.cases.is_empty())?;
        let colour = self.destination.colour(colour);
        let (mut runs, mut all, mut doubts) = (Vec::new(), Vec::new(), RunDoubts::default());
        for tested in targets {
            let head = self.head(&tested);
            let outcome = Self::judge(&plan, &tested);
            doubts.cut_short |= outcome.cut_short;
            doubts.unjudged += outcome.unjudged();
            doubts.unstable += outcome.unstable();
            let RunOutcome { judged, causes, notes, .. } = outcome;
            let is_untried = |judged: &Judged| {
                judged.blocked_by.is_some() || judged.verdict == CaseVerdict::Skipped
            };
            if judged.iter().all(is_untried) {
                for cause in &causes {
                    let came = &cause.failure.came;
                    notify(&format!("{}: {} ({came})", head.target, cause.says));
                }
            }
            let cases = judged.iter().map(|judged| known.shown(judged, colour)).collect();
            let causes = causes.iter().map(|one| cause(one, &judged, colour)).collect();
            runs.push(Run { head, causes, cases, notes });
            all.extend(judged);
        }
        if let Some(path) = &self.record {
            let mut out = Output::file(path, &[], Existing::Replaced)?;
            record(&mut out, &all)?;
            out.finish()?;
        }
        Run::write_all(&runs, &mut out, format, colour)?;
        out.finish()?;
        let summary = Summary::from_cases(runs.iter().flat_map(|run| &run.cases));
        for id in &summary.expected_but_passed {
            notify(&format!("{id} was expected to fail, but passed"));
        }
        Ok(status(&summary, doubts))
    }

    /// The head of the report of a run that begins now.
    fn head(&self, tested: &ConformTarget) -> RunHead {
        let assumed = self.at.assignments().flat_map(|all| all.split(','));
        let assumed = assumed.filter_map(|one| one.split_once('='));
        let assumed = assumed.map(|(name, value)| (name.trim(), value.trim().to_owned()));
        let mut settings: Vec<(&str, String)> = assumed.collect();
        let on = || "on".to_owned();
        let options = [
            ("cases", (!self.cases.is_empty()).then(|| self.cases.join(" "))),
            ("strict", self.strict.then(on)),
            ("slow", self.slow.then(on)),
            ("harsh", self.harsh.then(on)),
            ("repeat", Some(self.repeat.to_string())),
            ("retries", Some(self.retries.to_string())),
            ("timeout", Some(duration_of(self.at.timeout))),
        ];
        settings.extend(options.into_iter().filter_map(|(name, value)| Some((name, value?))));
        RunHead {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            target: tested.env.target().to_string(),
            also: tested
                .env
                .other_target()
                .filter(|_| !self.at.target.is_empty())
                .map(ToString::to_string),
            profile: self.at.profile.map(|profile| profile.name.to_owned()),
            settings: settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            started: format!("{:.0}", jiff::Timestamp::now()),
        }
    }

    fn judge(plan: &RunPlan, tested: &ConformTarget) -> RunOutcome {
        let (count, done) = (plan.cases.len(), AtomicUsize::new(0));
        let shows = io::stderr().is_terminal();
        let judged = run(plan, &tested.env, &|judged| {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if shows {
                // Standard error may be closed.
                _ = write!(io::stderr(), "\r\x1b[K{done} of {count}  {}", judged.case.id);
            }
        });
        if shows {
            _ = write!(io::stderr(), "\r\x1b[K");
        }
        judged
    }

    /// Prints the cases.
    fn list(&self, plan: &RunPlan) -> anyhow::Result<()> {
        let mut out = self.destination.open(&[])?;
        for case in &plan.cases {
            let marks = [(case.slow.is_some(), "slow"), (case.harsh, "harsh")];
            let marks: Vec<_> = marks.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
            let marks =
                if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
            writeln!(out, "{:52} {:6} {}{marks}", case.id, case.level.word(), case.title)?;
        }
        Ok(out.finish()?)
    }
}

impl TargetArgs {
    /// Every target; without one the reference master. `all` means that no case was named.
    pub fn targets(&self, all: bool) -> anyhow::Result<Vec<ConformTarget>> {
        if self.target.is_empty() {
            return Ok(vec![self.reference()?]);
        }
        let consent = Consent { authorized: self.authorized, rate: self.rate };
        let mut targets = Vec::new();
        if self.also.is_some() && self.target.len() > 1 {
            bail!("--also cannot be combined with several targets");
        }
        for text in &self.target {
            let pair = TargetPair::find(text, self.also.as_deref(), consent)?;
            let target = pair.first().clone();
            if target.port().is_some() && self.profile.is_none() && all {
                let names: Vec<_> = profiles().map(|profile| profile.name).collect();
                let names = names.join(", ");
                bail!("{text} names one port; choose a profile: --profile {names}");
            }
            let mut env = TargetEnv::new(target, services(), self.assumed()?)?;
            if let Some(also) = pair.also() {
                env.also(also.clone())?;
            }
            env.timeout = self.timeout;
            targets.push(ConformTarget { env, _running: None });
        }
        Ok(targets)
    }

    /// The reference master, with the assumed settings.
    fn reference(&self) -> anyhow::Result<ConformTarget> {
        let assumed = self.assumed()?;
        let mut settings = assumed.settings().clone();
        if !assumed.is_given("max-servers") {
            // A repeated run registers many servers.
            settings.max_servers = MAX_SERVERS;
        }
        let mut config = Config { settings, ..Config::new(services()).anywhere() };
        config.services = services().map(|service| (service, 0)).collect();
        let running = RunningMaster::start(config)?;
        let mut env = TargetEnv::on_network(Network::System, running.addresses(), assumed)?;
        env.timeout = self.timeout;
        if let Some(rate) = self.rate {
            env.limit(rate);
        }
        Ok(ConformTarget { env, _running: Some(running) })
    }

    /// The profile's assumptions, followed by the user's.
    fn assignments(&self) -> impl Iterator<Item = &str> {
        let of_profile = self.profile.map(|profile| profile.assumes);
        of_profile.into_iter().chain(self.assume.iter().map(String::as_str))
    }

    fn assumed(&self) -> anyhow::Result<Assumed> {
        let mut assumed = Assumed::default();
        for assignments in self.assignments() {
            assumed.add_assignments(assignments).map_err(|why| anyhow!(why))?;
        }
        Ok(assumed)
    }
}

fn profile(name: &str) -> Result<&'static Profile, String> {
    let names = || profiles().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
    let mut known = profiles();
    known
        .find(|profile| profile.name == name)
        .ok_or_else(|| format!("unknown profile; the profiles are {}", names()))
}

/// At most an hour.
fn time(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::from_millis(1)..=Duration::from_hours(1)))
}
