//! `fragshark watch`: asks masters for their lists from time to time, and says what is wrong.

mod rounds;
mod targets;

use std::env;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, ValueEnum};

use super::config::ConfigOption;
use super::confine;
use super::destination::Destination;
use super::file_format::{FileFormat, JSON, NDJSON, TEXT};
use super::signals::StopSignals;
use super::user_files::state_folder;
use export::folder_of;
use render::Colour;
use rounds::{RoundOutput, Rounds, StopFlag};
use sandbox::{Needs, on_behalf_of};
use simulate::families::{ListSelection, MasterMessages, master_kinds};
use simulate::{Consent, Target, TargetError};
use targets::{each_found, targets};
use text::{duration_of, parse_option};
use tui::{Depth, Themes, WatchView};
use watch::{
    MasterObstacle, MetricsServer, PlannedMaster, ProbeUse, RoundLimits, WatchError, WatchHistory,
    WatchPlan, Watcher, registration_target, system_time,
};

/// The maximum masters, and named servers.
const MASTERS: usize = 64;
const SERVERS: usize = 256;
/// The shortest time between two rounds, near and far.
const SHORTEST: Duration = Duration::from_millis(50);
const SHORTEST_FAR: Duration = Duration::from_secs(10);
/// The name of the history in the folder of what is kept between runs.
const HISTORY: &str = "watch.db";

/// watch masters: request their lists from time to time, and report what is wrong
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark watch --target 127.0.0.1:27950 --every 60s\n  \
    fragshark watch --target 10.0.0.1:27950 --target 10.0.0.2:27950 --metrics 9955\n  \
    fragshark watch --target 127.0.0.1:27950 --once --format json\n\n\
    exit status with --once: 0 nothing is wrong, 1 an alert is active, 3 a master or a\n  \
    server of --server does not answer\n\n\
    alerts, history, Prometheus, and how often is polite: docs/howto/watch-a-master.md")]
pub(super) struct WatchArgs {
    /// a master: HOST for the documented port of its kind, or HOST:PORT; may be repeated
    #[arg(long, value_name = "HOST[:PORT]", required = true)]
    target: Vec<String>,
    /// a server that ought to be in the lists; it is asked whether it answers; may be repeated
    #[arg(long, value_name = "HOST:PORT")]
    server: Vec<String>,
    /// the kind of the masters; without it the port says which, else the master is asked
    #[arg(long, value_name = "NAME", value_parser = kind)]
    profile: Option<&'static MasterMessages>,
    /// request the servers of this game: a name or a folder, as the kind of master has it
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// request the servers of this protocol number
    #[arg(long, value_name = "NUMBER")]
    protocol: Option<u32>,
    /// the time between two rounds [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = every, default_value = "60s")]
    #[arg(hide_default_value = true)]
    every: Duration,
    /// how long to wait for a response [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = timeout, default_value = "2s")]
    #[arg(hide_default_value = true)]
    timeout: Duration,
    /// register a server of its own: auto (with masters on this machine and in private networks, the
    /// default), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    probe: ProbeWhen,
    /// the port to which the probe sends heartbeats, if the kind of master has another one for them
    /// than for lists [default: the documented one, if the target has the documented one or none]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    heartbeat_port: Option<u16>,
    /// in each round, ask N servers of each list whether they answer [default: 0]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(..=256))]
    check_entries: u16,
    /// one round, then end
    #[arg(long, conflicts_with_all = ["rounds", "metrics"])]
    once: bool,
    /// end after N rounds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rounds: Option<u64>,
    /// the file of the history [default: watch.db in the folder of what is kept between runs; with
    /// --once none]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// delete what is older from the history [default: 90d]
    #[arg(long, value_name = "TIME", value_parser = keep, default_value = "90d")]
    #[arg(hide_default_value = true)]
    keep: Duration,
    /// serve /metrics for Prometheus, and /healthz; PORT is on 127.0.0.1
    #[arg(long, value_name = "[ADDRESS:]PORT", value_parser = listen)]
    metrics: Option<SocketAddr>,
    /// output format: text, ndjson, or with --once json; by default that of the ending of the -o
    /// file, else text
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<WatchFormat>,
    /// print lines, even if standard output is a terminal, which otherwise shows a view
    #[arg(long)]
    lines: bool,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    config: ConfigOption,
    /// confirm that the operators of the targets agree; required outside of loopback and private
    /// networks
    #[arg(long)]
    authorized: bool,
    /// send each target at most N packets per second
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProbeWhen {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WatchFormat {
    Text,
    Json,
    Ndjson,
}

impl FileFormat for WatchFormat {
    const USUAL: Self = Self::Text;
    const ENDINGS: &'static [(Self, &'static [&'static str])] =
        &[(Self::Text, TEXT), (Self::Json, JSON), (Self::Ndjson, NDJSON)];
}

impl WatchArgs {
    /// Watches until it is stopped. The status with --once: 1 with an active alert, 3 if a master or
    /// a named server does not answer.
    pub fn run(self, colour: Colour) -> anyhow::Result<u8> {
        let format = self.destination.format(self.format, &[])?;
        if format == WatchFormat::Json && !self.once {
            bail!("--format json needs --once; ndjson has a line for each round");
        }
        if self.config.is_given() {
            self.config.read_config()?;
        }
        let consent = Consent { authorized: self.authorized, rate: self.rate };
        let masters = self.masters(consent)?;
        let servers = targets(&self.server, SERVERS, "--server", consent)?;
        if let Some(server) = servers.iter().find(|server| server.port().is_none()) {
            bail!("--server {server} names no port");
        }
        self.check_interval(&masters, &servers)?;
        // From here on a signal ends the rounds, not the process.
        let stop = StopSignals::register()?;
        let themes = self.themes(format, colour)?;
        let out = self.destination.open(&[])?;
        let history = self.history_file()?;
        let mut needs = self.destination.needs_with_sockets(&out, self.history.as_deref());
        needs.writable.extend(history.iter().map(|file| folder_of(file)));
        confine(&Needs { sockets: true, ..needs })?;
        let stop = StopFlag::set_by(stop)?;
        let history = match &history {
            None => WatchHistory::in_memory(self.keep),
            Some(file) => WatchHistory::open(file, self.keep),
        }
        .with_context(|| match &history {
            None => "the history in memory".to_owned(),
            Some(file) => file.display().to_string(),
        })?;
        let last_round = history.last_round()?;
        let metrics = match self.metrics {
            Some(address) => {
                let cannot = || format!("cannot listen on {address}");
                Some(MetricsServer::start(address).with_context(cannot)?)
            }
            None => None,
        };
        if let Some(metrics) = &metrics {
            super::inform(&format!("metrics at http://{}/metrics", metrics.address()));
        }
        let plan = self.plan(masters, servers, consent);
        let watcher = Watcher::new(plan, history, system_time()).map_err(with_profiles)?;
        self.check_probes(&watcher)?;
        for (target, why) in watcher.obstacles() {
            super::notify(&format!("{target} {why}; it is tried again in each round"));
        }
        let count = if self.once { Some(1) } else { self.rounds };
        let (every, once) = (self.every, self.once);
        let rounds = |output| Rounds { watcher, metrics, every, count, once, output };
        let Some(themes) = themes else {
            let rounds = rounds(RoundOutput::Lines(format, Box::new(out)));
            if let Some(text) = rounds.waits_until(last_round) {
                super::inform(&text);
            }
            return rounds.run(&stop, last_round);
        };
        let (sender, updates) = mpsc::channel();
        let rounds = rounds(RoundOutput::View(sender));
        let view = WatchView::new(every, rounds.waits_until(last_round), themes);
        rounds.run_with_view(&stop, last_round, view, &updates)
    }

    /// The look of the view, if there is one: on a terminal, unless lines or a document are wanted.
    fn themes(&self, format: WatchFormat, colour: Colour) -> anyhow::Result<Option<Themes>> {
        let is_text = format == WatchFormat::Text && !self.lines && !self.once;
        let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
        let is_dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
        if !is_text || !is_terminal || is_dumb || self.destination.file().is_some() {
            return Ok(None);
        }
        let depth = Depth::of_terminal(colour, |name| env::var(name).ok());
        Ok(Some(self.config.read_config()?.themes(depth)))
    }

    /// The masters. A name that is not found is looked for again later, if another master is there.
    fn masters(&self, consent: Consent) -> anyhow::Result<Vec<PlannedMaster>> {
        let found = each_found(&self.target, MASTERS, "--target", consent)?;
        let has_one = !self.once && found.iter().any(Result::is_ok);
        let masters = found.into_iter().zip(&self.target).map(|(found, name)| {
            let target = match found {
                Err(TargetError::Unknown { .. } | TargetError::NoAddress { .. }) if has_one => None,
                found => Some(found?),
            };
            Ok(PlannedMaster { name: name.clone(), target, kind: self.profile })
        });
        masters.collect()
    }

    fn plan(
        &self,
        masters: Vec<PlannedMaster>,
        servers: Vec<Target>,
        consent: Consent,
    ) -> WatchPlan {
        let (probe, heartbeat_port) = (self.probe_use(), self.heartbeat_port);
        let entries = usize::from(self.check_entries);
        let limits = RoundLimits { timeout: self.timeout, entries, consent };
        let (needs_all, selection) = (self.once, self.selection());
        WatchPlan { masters, needs_all, servers, selection, probe, heartbeat_port, limits }
    }

    fn selection(&self) -> ListSelection {
        let game = self.game.clone().unwrap_or_default();
        ListSelection { game, protocol: self.protocol, over_ipv6: false }
    }

    fn probe_use(&self) -> ProbeUse {
        match self.probe {
            ProbeWhen::Auto => ProbeUse::Auto,
            ProbeWhen::Always => ProbeUse::Always,
            ProbeWhen::Never => ProbeUse::Never,
        }
    }

    /// Says with which masters no probe registers; an error if the user wants one.
    fn check_probes(&self, watcher: &Watcher) -> anyhow::Result<()> {
        for master in watcher.watched() {
            let over_ipv6 = master.target.is_ipv6();
            let selection = ListSelection { over_ipv6, ..self.selection() };
            self.check_probe(&master.target, master.kind, &selection)?;
        }
        Ok(())
    }

    /// Says why no probe registers with a master; an error if the user wants one.
    fn check_probe(
        &self,
        target: &Target,
        kind: &MasterMessages,
        selection: &ListSelection,
    ) -> anyhow::Result<()> {
        if !self.probe_use().is_of(target) {
            return Ok(());
        }
        let why = if !kind.can_register(selection) {
            format!("the key of {} is not published", selection.game)
        } else if registration_target(target, kind, self.heartbeat_port).is_none() {
            let kind = kind.profile;
            format!("masters of {kind} have another port for servers; --heartbeat-port names it")
        } else {
            return Ok(());
        };
        if self.probe_use() == ProbeUse::Always {
            bail!("no probe can register with {target}: {why}");
        }
        super::notify(&format!("no probe registers with {target}: {why}"));
        Ok(())
    }

    /// Rounds to targets on the internet are not frequent.
    fn check_interval(&self, masters: &[PlannedMaster], servers: &[Target]) -> anyhow::Result<()> {
        let masters = masters.iter().filter_map(|master| master.target.as_ref());
        let far = masters.chain(servers).find(|target| !target.is_local());
        match far {
            Some(far)
                if self.every < SHORTEST_FAR
                    && self.rounds.is_none_or(|rounds| rounds > 1)
                    && !self.once =>
            {
                bail!(
                    "{far} is neither on this machine nor in a private network; --every is at least {} there",
                    duration_of(SHORTEST_FAR)
                )
            }
            _ => Ok(()),
        }
    }

    /// The file of the history: the given one, or without --once the usual one, whose folder is
    /// created.
    fn history_file(&self) -> anyhow::Result<Option<PathBuf>> {
        if self.history.is_some() || self.once {
            return Ok(self.history.clone());
        }
        // A folder that root creates for another user would be root's.
        let Some(folder) = state_folder().filter(|_| on_behalf_of().is_none()) else {
            super::notify("the history is kept in memory; --history names a file");
            return Ok(None);
        };
        let cannot = || format!("cannot create {}; --history names another file", folder.display());
        fs::create_dir_all(&folder).with_context(cannot)?;
        Ok(Some(folder.join(HISTORY)))
    }
}

/// Names the option that helps, and its values.
fn with_profiles(error: WatchError) -> anyhow::Error {
    match error {
        WatchError::Unusable { why: MasterObstacle::UnknownKind, .. } => {
            anyhow!("{error}; --profile names it: {}", names())
        }
        error => error.into(),
    }
}

fn names() -> String {
    master_kinds().map(|kind| kind.profile).collect::<Vec<_>>().join(", ")
}

fn kind(name: &str) -> Result<&'static MasterMessages, String> {
    let found = master_kinds().find(|kind| kind.profile == name);
    found.ok_or_else(|| format!("masters of this kind cannot be watched; these can: {}", names()))
}

fn every(text: &str) -> Result<Duration, String> {
    parse_option(text, &(SHORTEST..=Duration::from_hours(24)))
}

fn timeout(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::from_millis(1)..=Duration::from_mins(1)))
}

fn keep(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::from_mins(1)..=Duration::from_hours(24 * 3660)))
}

/// A port is on the loopback address.
fn listen(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    let at = text.parse::<SocketAddr>();
    at.map_err(|_| match text.parse::<IpAddr>() {
        Ok(_) => format!("expected a port too, such as {text}:9955"),
        Err(_) => "expected PORT or ADDRESS:PORT, such as 9955 or 10.0.0.1:9955".to_owned(),
    })
}
