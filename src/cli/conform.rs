//! `fragshark conform`: a master, judged case by case.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, ValueEnum};

use super::{DONE, INCOMPLETE, WANTING, complain};
use crate::conform::cases::{FAMILIES, profiles};
use crate::conform::{
    Assumed, Chosen, Judged, Outcome, Plan, Profile, TargetEnv, fits, record, run, shown,
};
use crate::dump::Colour;
use crate::export::Output;
use crate::master::{Config, Running, SERVICES, Settings};
use crate::peer::{Consent, Target};
use crate::report::{Column, Form, Report, Verdict, page};

/// Servers that the reference master has room for.
const ROOM: usize = 1 << 16;

/// judge a master case by case; the status is 1 where something that is owed failed
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark conform                                      the reference master\n  \
    fragshark conform --target 127.0.0.1 --profile dpmaster\n  \
    fragshark conform --target 192.168.0.9:27950 --profile quake3 --strict\n  \
    fragshark conform 'quake3/getservers/*' --report html -o report.html\n\n\
    docs/conformance.md has every case, and the documents' sentence that it tests")]
pub(super) struct Conform {
    /// cases to try: ids, patterns like 'quake3/*/end-mark', or beginnings like quake3/heartbeat
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    #[command(flatten)]
    at: At,
    /// print the cases and stop
    #[arg(long)]
    list: bool,
    /// take what should be for what has to be
    #[arg(long)]
    strict: bool,
    /// try each case so often; the worst counts
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    repeat: u32,
    /// try what fails so often again before it counts
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    retries: u32,
    /// ids or patterns, one a line, of cases that are known to fail; they do not count
    #[arg(long, value_name = "FILE")]
    expect_failures: Option<PathBuf>,
    /// cases at once, where they can be; 16 without it
    #[arg(long, value_name = "N", default_value_t = 16, hide_default_value = true)]
    jobs: usize,
    /// wait for long time-outs too
    #[arg(long)]
    slow: bool,
    /// send floods, over-long and random datagrams beyond loopback too
    #[arg(long)]
    harsh: bool,
    /// text (the default), json, ndjson, junit, tap, html
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    report: As,
    /// write the report to a file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// keep all traffic as a capture whose comments name the cases
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Which master is meant, and what is assumed of it.
#[derive(Args)]
pub(super) struct At {
    /// the master: HOST for its documented ports, or HOST:PORT; without it, the reference master in
    /// this process. Several are shown side by side in a report of html
    #[arg(long, value_name = "HOST[:PORT]")]
    pub target: Vec<String>,
    /// what kind of master it is
    #[arg(long, value_name = "NAME", value_parser = profile)]
    pub profile: Option<&'static Profile>,
    /// what the master's limits are assumed to be, by the names of `fragshark master --set`
    #[arg(long, value_name = "NAME=VALUE,...")]
    pub assume: Vec<String>,
    /// how long an answer may take: 2s, 500ms
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "2s")]
    #[arg(hide_default_value = true)]
    pub timeout: Duration,
    /// whoever runs the target has agreed; needed outside of loopback and private networks
    #[arg(long)]
    pub authorized: bool,
    /// packets a second at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rate: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    Text,
    Json,
    Ndjson,
    Junit,
    Tap,
    Html,
}

/// Where a master is tried; the reference master lives as long as this.
pub(super) struct Place {
    pub env: TargetEnv,
    _running: Option<Running>,
}

impl Conform {
    /// The status: 0, 1 where something failed, 2 where something could not be judged.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let cases = Chosen::new(FAMILIES, self.at.profile, &self.cases)?.cases;
        if cases.is_empty() {
            bail!("no case is left to be tried");
        }
        let plan = Plan {
            cases,
            jobs: self.jobs,
            repeat: self.repeat,
            retries: self.retries,
            strict: self.strict,
            slow: self.slow,
            harsh: self.harsh,
        };
        if self.list {
            return list(&plan).map(|()| DONE);
        }
        if self.at.target.len() > 1 && self.report != As::Html {
            bail!("several targets stand side by side only with --report html");
        }
        let known = self.known()?;
        let mut columns = Vec::new();
        let mut all = Vec::new();
        let places = self.at.places(self.cases.is_empty())?;
        let mut cut_short = false;
        for place in places {
            let Outcome { judged, causes, cut_short: cut, notes } = Self::judge(&plan, &place);
            cut_short |= cut;
            for cause in &causes {
                complain(&format!("{}: {}", place.env.target(), cause.says));
            }
            for note in notes {
                complain(&note);
            }
            columns.push((place.env.target().to_string(), judged.len()));
            all.extend(judged);
        }
        if let Some(path) = &self.record {
            let mut out = Output::file(path, &[])?;
            record(&mut out, &all).with_context(|| format!("cannot write {}", path.display()))?;
            out.finish()?;
        }
        self.write(&columns, &all, &known, colour)?;
        Ok(status(&all, &known, cut_short))
    }

    fn judge(plan: &Plan, place: &Place) -> Outcome {
        let (count, done) = (plan.cases.len(), AtomicUsize::new(0));
        let shows = io::stderr().is_terminal();
        let judged = run(plan, &place.env, &|judged| {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if shows {
                // Whoever watches may have gone.
                _ = write!(io::stderr(), "\r\x1b[K{done} of {count}  {}", judged.case.id);
            }
        });
        if shows {
            _ = write!(io::stderr(), "\r\x1b[K");
        }
        judged
    }

    fn write(
        &self,
        columns: &[(String, usize)],
        all: &[Judged],
        known: &Known,
        colour: Colour,
    ) -> anyhow::Result<()> {
        let mut out = match &self.output {
            Some(path) => Output::file(path, &[])?,
            None => Output::standard(),
        };
        let colour = if self.output.is_some() { Colour::Plain } else { colour };
        let form = match self.report {
            As::Text => Form::Tree { colour },
            As::Json => Form::Json,
            As::Ndjson => Form::Ndjson,
            As::Junit => Form::Junit("fragshark conform"),
            As::Tap => Form::Tap,
            As::Html => {
                let mut rest = all;
                let mut sheets = Vec::new();
                for (target, count) in columns {
                    let (own, others) = rest.split_at_checked(*count).unwrap_or((rest, &[]));
                    rest = others;
                    let tried = own.iter().map(|j| shown(j, known.has(j), colour, true));
                    sheets.push(Column { target: target.clone(), tried: tried.collect() });
                }
                out.write_all(page("fragshark conform", &sheets).as_bytes())?;
                return Ok(out.finish()?);
            }
        };
        let mut report = Report::new(out, form);
        for judged in all {
            report.write(&shown(judged, known.has(judged), colour, false))?;
        }
        report.finish()?.finish()?;
        known.complain(all);
        Ok(())
    }

    /// The failures that are announced.
    fn known(&self) -> anyhow::Result<Known> {
        let Some(path) = &self.expect_failures else {
            return Ok(Known::default());
        };
        let text = fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        Ok(Known(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()))
    }
}

/// Patterns of cases that are known to fail.
#[derive(Default)]
struct Known(BTreeSet<String>);

impl Known {
    fn has(&self, judged: &Judged) -> bool {
        self.0.iter().any(|pattern| fits(pattern, judged.case.id))
    }

    /// Tells of announced failures that did not come.
    fn complain(&self, all: &[Judged]) {
        for judged in all.iter().filter(|j| j.verdict == Verdict::Pass && self.has(j)) {
            complain(&format!("{} was expected to fail, and passed", judged.case.id));
        }
    }
}

impl At {
    /// Every target; without one the reference master. `all` says that no case was named.
    pub fn places(&self, all: bool) -> anyhow::Result<Vec<Place>> {
        if self.target.is_empty() {
            return Ok(vec![self.reference()?]);
        }
        let consent = Consent { authorized: self.authorized, rate: self.rate };
        let mut places = Vec::new();
        for text in &self.target {
            let target = Target::find(text, consent)?;
            if target.port().is_some() && self.profile.is_none() && all {
                let names: Vec<_> = profiles().map(|profile| profile.name).collect();
                let names = names.join(", ");
                bail!("{text} is one port; say what kind of master it is: --profile {names}");
            }
            let mut env = TargetEnv::new(target, self.assumed()?)?;
            env.timeout = self.timeout;
            places.push(Place { env, _running: None });
        }
        Ok(places)
    }

    /// The reference master, set as it is assumed to be.
    fn reference(&self) -> anyhow::Result<Place> {
        // A run that is repeated leaves many servers behind.
        let mut settings = Settings { max_servers: ROOM, ..Settings::default() };
        for assignments in self.assignments() {
            settings.set_all(assignments).map_err(|why| anyhow!(why))?;
        }
        let mut config = Config { settings, ..Config::default().anywhere() };
        config.services = SERVICES.iter().map(|service| (service, 0)).collect();
        let running = Running::start(config)?;
        let mut env = TargetEnv::of(running.addresses(), self.assumed()?)?;
        env.timeout = self.timeout;
        if let Some(rate) = self.rate {
            env.limit(rate);
        }
        Ok(Place { env, _running: Some(running) })
    }

    /// What the profile assumes, and behind it what the user does.
    fn assignments(&self) -> impl Iterator<Item = &str> {
        let of_profile = self.profile.map(|profile| profile.assumes);
        of_profile.into_iter().chain(self.assume.iter().map(String::as_str))
    }

    fn assumed(&self) -> anyhow::Result<Assumed> {
        let mut assumed = Assumed::default();
        for assignments in self.assignments() {
            assumed.add(assignments).map_err(|why| anyhow!(why))?;
        }
        Ok(assumed)
    }
}

/// Prints the cases, those of one section together.
fn list(plan: &Plan) -> anyhow::Result<()> {
    let mut out = Output::standard();
    for case in &plan.cases {
        let marks = [(case.slow.is_some(), "slow"), (case.harsh, "harsh")];
        let marks: Vec<_> = marks.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
        let marks =
            if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
        writeln!(out, "{:52} {:6} {}{marks}", case.id, case.level.word(), case.title)?;
    }
    Ok(out.finish()?)
}

fn status(all: &[Judged], known: &Known, cut_short: bool) -> u8 {
    let count = |of: &[Verdict]| all.iter().filter(|j| of.contains(&j.verdict)).count();
    if all.iter().any(|j| j.verdict == Verdict::Fail && !known.has(j)) {
        return WANTING;
    }
    let tried = all.len() - count(&[Verdict::Skipped]);
    let blocked = count(&[Verdict::Blocked, Verdict::Error]);
    if cut_short || 2 * blocked > tried { INCOMPLETE } else { DONE }
}

fn profile(name: &str) -> Result<&'static Profile, String> {
    let names = || profiles().map(|profile| profile.name).collect::<Vec<_>>().join(", ");
    let mut known = profiles();
    known
        .find(|profile| profile.name == name)
        .ok_or_else(|| format!("no such profile; there are {}", names()))
}

/// Reads `2s`, `500ms`.
fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "a time like 2s or 500ms is wanted".to_owned();
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1),
        None => (text.strip_suffix('s').ok_or_else(wrong)?, 1000),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let milliseconds = number.checked_mul(unit).filter(|n| (1..=3_600_000).contains(n));
    milliseconds.map(Duration::from_millis).ok_or_else(wrong)
}
