//! `fragshark conform`: tests a master, case by case.

mod diff;
mod known_failures;
mod named_profile;
mod namespace;
mod server;
mod status;
mod target_args;
mod text_file;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::bail;
use clap::{Args, Subcommand};

use super::destination::Destination;
use super::file_format::check_packets;
use super::{DONE, confine, notify};
use conform::families::suites;
use conform::servers::server_suites;
use conform::{CaseSelection, Judged, Profile, RunOutcome, RunPlan, cause, record, run};
use export::{Existing, Output};
use known_failures::KnownFailures;
use named_profile::NamedProfile;
use render::Colour;
use report::{CaseVerdict, Run, RunForm, RunHead, Summary};
use status::{RunDoubts, status};
use target_args::ConformTarget;
pub(super) use target_args::TargetArgs;
use text::duration_of;
use text_file::TextFile;

/// test a master, or a game server, against the documents, case by case
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "examples:\n  \
    fragshark conform                                      the reference master\n  \
    fragshark conform --target 127.0.0.1 --profile dpmaster\n  \
    fragshark conform --target 192.168.0.9:27950 --profile quake3 --strict\n  \
    fragshark conform --namespace --target ::1 --profile dpmaster -- dpmaster\n  \
    fragshark conform 'quake3/getservers/*' --format html -o report.html\n  \
    fragshark conform --server --target 192.168.0.9:27960  a game server\n  \
    fragshark conform diff before.json after.json\n\n\
    exit status: 0 no case failed, 1 a case failed, 3 a case could not be judged\n\n\
    how it judges: docs/conformance.md\n\
    all cases: docs/reference/conformance-cases.md, docs/reference/server-cases.md")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
pub(super) struct Conform {
    #[command(subcommand)]
    command: Option<ConformCommand>,
    /// cases to run: ids, patterns such as 'quake3/*/end-mark', or prefixes such as quake3/heartbeat
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    #[command(flatten)]
    at: TargetArgs,
    /// test a game server, by what it answers clients and masters; without --profile its kind is
    /// found out, without --target the simulated servers are tested
    #[arg(long)]
    server: bool,
    /// judge in a network namespace, where servers and clients may have addresses of all networks;
    /// the words after -- start the master, or the server, there (Linux)
    #[arg(long)]
    namespace: bool,
    /// the command that starts the master, or the server, in the namespace
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

impl Conform {
    /// The status; for a comparison of two runs, 1 if a case fails that did not before.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        if let Some(ConformCommand::Diff(diff)) = &self.command {
            return diff.run(colour);
        }
        if self.namespace {
            if self.at.target.is_empty() != self.command_of_master.is_empty() {
                bail!("--namespace: --target and the command that starts it belong together");
            }
            let is_ready = || !self.server || server::answers(&self.at);
            return namespace::run(&self.command_of_master, self.at.ipv4(), is_ready);
        }
        let mut profile = self.profile()?;
        let mut plan = self.plan(profile)?;
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
        let targets = if self.server {
            if profile.is_none() {
                profile = server::identified(&self.at)?;
                plan = self.plan(profile)?;
            }
            server::targets(&self.at)?
        } else {
            self.at.targets(self.cases.is_empty())?
        };
        let colour = self.destination.colour(colour);
        let (mut runs, mut all, mut doubts) = (Vec::new(), Vec::new(), RunDoubts::default());
        for tested in targets {
            let head = self.head(&tested, profile);
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

    /// The kind of target that was named.
    fn profile(&self) -> anyhow::Result<Option<&'static Profile>> {
        if !self.server {
            return self.at.profile();
        }
        if !self.at.assume.is_empty() {
            bail!("--assume: what is assumed is of masters; --server tests a server");
        }
        if self.at.also.is_some() {
            bail!("--also: a server is tested at one address");
        }
        self.at.profile.as_ref().map(NamedProfile::of_servers).transpose()
    }

    /// What is run, for a kind of target.
    fn plan(&self, profile: Option<&Profile>) -> anyhow::Result<RunPlan> {
        let suites = if self.server { server_suites() } else { suites() };
        let cases = CaseSelection::new(suites, profile, &self.cases)?.cases;
        if cases.is_empty() {
            bail!("no case is selected");
        }
        Ok(RunPlan {
            cases,
            jobs: self.jobs,
            repeat: self.repeat,
            retries: self.retries,
            strict: self.strict,
            slow: self.slow,
            harsh: self.harsh,
        })
    }

    /// The head of the report of a run that begins now.
    fn head(&self, tested: &ConformTarget, profile: Option<&Profile>) -> RunHead {
        let assumed = self.at.assignments(profile).flat_map(|all| all.split(','));
        let assumed = assumed.filter_map(|one| one.split_once('='));
        let assumed = assumed.map(|(name, value)| (name.trim(), value.trim().to_owned()));
        let mut settings: Vec<(&str, String)> = assumed.collect();
        let on = || "on".to_owned();
        let options = [
            ("cases", (!self.cases.is_empty()).then(|| self.cases.join(" "))),
            ("server", self.server.then(on)),
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
            profile: profile.map(|profile| profile.name.to_owned()),
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
