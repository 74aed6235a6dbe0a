//! `fragshark master`: runs the reference master, or a recorded one, until it is stopped.

mod recorded;

use std::io::{self, Write as _};
use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;

use super::destination::check_record;
use super::signals::stop_on_signals;
use export::{NamedFile, Output};
use masters::families::services;
use masters::{
    Config, DEFECTS, Defect, ExitReason, GamePolicy, MasterEvent, MasterRecorder, RecordedPort,
    RunningMaster, SETTINGS, Service, Setting, Settings, StartError,
};
use recorded::{RecordedArgs, check_settings};

/// What is wrong with a recorded port without a recording.
const SERVICE_PORT: &str = "without --from it takes SERVICE=PORT";

/// run a reference master for all documented games, or a recorded master
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark master -v\n  \
    fragshark master --only doom3 --port doom3=0\n  \
    fragshark master --set server-timeout=5s,flood=0 --record master.pcapng\n  \
    fragshark master --from session.pcap --map-others 127.0.0.0/8\n\n\
    --help lists all services, settings and defects; see also docs/master.md",
    after_long_help = tables())]
pub(super) struct MasterArgs {
    /// address to listen on; may be repeated [default: 127.0.0.1 and ::1]
    #[arg(long, value_name = "ADDR")]
    listen: Vec<IpAddr>,
    /// change the port of a service, or with --from a recorded port; 0 is any free port
    #[arg(long, value_name = "SERVICE=PORT", value_parser = port)]
    port: Vec<PortChange>,
    /// run only these services
    #[arg(long, value_name = "SERVICE", value_delimiter = ',', value_parser = service)]
    only: Vec<&'static Service>,
    /// change settings: limits, timeouts, texts; with --from, only limits of floods, lists and
    /// connections
    #[arg(long, value_name = "NAME=VALUE,...")]
    set: Vec<String>,
    /// list only these games (accept), or all except these (reject), of the quake3 service; same as
    /// --set "game-policy=accept NAME..."
    #[arg(long, num_args = 2.., value_names = ["accept|reject", "GAME"])]
    game_policy: Vec<String>,
    /// let other masters register servers; same as --set allow-register=on
    #[arg(long)]
    allow_register: bool,
    /// list servers on loopback addresses; on by default if the master listens on loopback only
    #[arg(long)]
    allow_loopback: bool,
    /// write all traffic to a capture file, secrets included
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// switch on a deliberate error, to check that a test finds it
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = defect)]
    defect: Vec<Defect>,
    /// log registrations; with --from, all requests
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    recorded: RecordedArgs,
}

/// A port that the user changes.
#[derive(Clone, Copy)]
enum PortChange {
    Service(&'static Service, u16),
    /// A recorded port, and the port in place of it.
    Recorded(u16, u16),
}

impl MasterArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let mut out = Output::standard()?;
        let running = RunningMaster::start(self.config()?).map_err(|why| self.explained(why))?;
        // From here on a signal ends the master, not the process.
        stop_on_signals(running.stop_flag())?;
        for address in running.addresses() {
            writeln!(out, "{address}")?;
        }
        for (RecordedPort { carrier, recorded, game, .. }, address) in running.recorded() {
            let transport = carrier.transport();
            writeln!(out, "{game} {transport} {address} as {recorded}")?;
        }
        out.finish()?;
        report_exit(running.join())
    }

    fn config(&self) -> anyhow::Result<Config> {
        let mut settings = Settings::default();
        for assignments in &self.set {
            settings.set_all(assignments).map_err(|why| anyhow!(why))?;
        }
        if self.recorded.is_given() {
            check_settings(&self.set)?;
        }
        if !self.game_policy.is_empty() {
            settings.game_policy = policy(&self.game_policy)?;
        }
        settings.allow_register |= self.allow_register;
        let (allow_loopback, defects) =
            (self.allow_loopback, self.defect.iter().copied().collect());
        let mut config = Config { settings, allow_loopback, defects, ..Config::new(services()) };
        if !self.listen.is_empty() {
            (config.listen, config.listen_if_there) = (self.listen.clone(), Vec::new());
        }
        self.check_recording()?;
        if self.recorded.is_given() {
            let ports = self.recorded_ports()?;
            let master =
                self.recorded.read_recording(ports, self.record.as_deref(), self.verbose)?;
            config.recorded = Some(Box::new(master));
        } else {
            config.services = self.services()?;
        }
        if let Some(path) = &self.record {
            config.recorder = Some(MasterRecorder::new(NamedFile::create(path)?)?);
        }
        if self.verbose {
            config.events = Some(Box::new(|MasterEvent { service, address, what }| {
                // Standard error may be closed; the master continues.
                _ = writeln!(io::stderr(), "{service} {address}: {what}");
            }));
        }
        Ok(config)
    }

    /// The named services, else the default ones and those with a given port.
    fn services(&self) -> anyhow::Result<Vec<(&'static Service, u16)>> {
        let mut changed = Vec::new();
        for change in &self.port {
            match change {
                PortChange::Service(service, port) => changed.push((*service, *port)),
                PortChange::Recorded(old, new) => bail!("--port {old}={new}: {SERVICE_PORT}"),
            }
        }
        let port = |service: &'static Service| {
            let given = changed.iter().rev().find(|(known, _)| *known == service);
            (service, given.map_or(service.port, |(_, port)| *port))
        };
        let has_port = |service: &&Service| changed.iter().any(|(known, _)| *known == *service);
        if self.only.is_empty() {
            let services = services().filter(|s| s.usual || has_port(s));
            return Ok(services.map(port).collect());
        }
        if let Some((unlisted, _)) = changed.iter().find(|(known, _)| !self.only.contains(known)) {
            bail!("--port names {}, which --only leaves out", unlisted.name);
        }
        Ok(services().filter(|s| self.only.contains(s)).map(port).collect())
    }

    /// The recorded ports that are changed.
    fn recorded_ports(&self) -> anyhow::Result<Vec<(u16, u16)>> {
        let ports = self.port.iter().map(|change| match change {
            PortChange::Recorded(old, new) => Ok((*old, *new)),
            PortChange::Service(service, port) => {
                let name = service.name;
                bail!("--port {name}={port}: with --from it takes RECORDED-PORT=PORT")
            }
        });
        ports.collect()
    }

    /// Why it cannot start, and what the user can change: the address, or the port.
    fn explained(&self, why: StartError) -> anyhow::Error {
        let StartError::Listen { service, address, why: cause } = &why else { return why.into() };
        match cause.kind() {
            io::ErrorKind::AddrNotAvailable => {
                return anyhow!("{why}; --listen takes an address of this machine");
            }
            io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => {}
            _ => return why.into(),
        }
        if !self.recorded.is_given() {
            return anyhow!("{why}; --port {service}=PORT listens on another port");
        }
        let recorded = self.port.iter().find_map(|change| match change {
            PortChange::Recorded(old, new) if *new == address.port() => Some(*old),
            _ => None,
        });
        let recorded = recorded.unwrap_or(address.port());
        anyhow!("{why}; --port {recorded}=PORT listens on another port")
    }

    /// The recording must not overwrite an input.
    fn check_recording(&self) -> anyhow::Result<()> {
        match &self.record {
            Some(path) => check_record(path, self.recorded.files()),
            None => Ok(()),
        }
    }
}

/// The policy of one or several options, which must agree, as in dpmaster.
fn policy(words: &[String]) -> anyhow::Result<GamePolicy> {
    let is_verb = |word: &&String| matches!(word.as_str(), "accept" | "reject");
    let (verbs, games): (Vec<_>, Vec<_>) = words.iter().partition(is_verb);
    let Some(verb) = verbs.first().filter(|_| words.first().as_ref().is_some_and(is_verb)) else {
        bail!("a game policy begins with accept or reject");
    };
    if verbs.iter().any(|other| other != verb) {
        bail!("game policies either all accept or all reject");
    }
    let games: Vec<_> = games.into_iter().map(String::as_str).collect();
    let policy = GamePolicy::parse(&format!("{verb} {}", games.join(" ")));
    policy.ok_or_else(|| anyhow!("a game policy names games behind {verb}"))
}

/// The final report for the operator.
fn report_exit(exit: ExitReason) -> anyhow::Result<()> {
    let counts = exit.counts;
    for (count, what) in [
        (counts.flooded, "datagrams were dropped by the flood limit"),
        (counts.lists_withheld, "lists were not sent because of list-rate"),
        (counts.forgotten_challenges, "challenges were dropped: too many at once"),
        (counts.left_out, "servers did not fit into a list"),
        (exit.unsent, "datagrams could not be sent"),
        (exit.refused, "connections were refused"),
    ] {
        if count > 0 {
            super::notify(&format!("{count} {what}"));
        }
    }
    if let Some(error) = exit.record {
        return Err(error.into());
    }
    if exit.crashed {
        bail!("the master crashed");
    }
    Ok(())
}

fn service(name: &str) -> Result<&'static Service, String> {
    let names = || services().map(|service| service.name).collect::<Vec<_>>().join(", ");
    masters::families::service(name)
        .ok_or_else(|| format!("unknown service; the services are {}", names()))
}

fn port(text: &str) -> Result<PortChange, String> {
    let (name, port) = text.split_once('=').ok_or("expected SERVICE=PORT")?;
    let number = |text: &str| text.parse::<u16>().ok();
    let port = number(port).ok_or("expected a port number up to 65535")?;
    match number(name) {
        Some(recorded) => Ok(PortChange::Recorded(recorded, port)),
        None => Ok(PortChange::Service(service(name)?, port)),
    }
}

fn defect(name: &str) -> Result<Defect, String> {
    let names = || DEFECTS.iter().map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ");
    Defect::named(name).ok_or_else(|| format!("unknown defect; the defects are {}", names()))
}

/// The services, settings and defects, for the long help.
fn tables() -> String {
    use std::fmt::Write as _;

    let mut text = "services and their default ports:\n".to_owned();
    for service in services() {
        let usual = if service.usual { "" } else { " (only with --port or --only)" };
        let (name, port, means) = (service.name, service.port, service.means);
        let transport = service.transport();
        _ = writeln!(text, "  {name:24} {transport} {port:<6} {means}{usual}");
    }
    text += "\nsettings and their defaults:\n";
    for Setting { name, default, means, .. } in SETTINGS {
        let assignment = format!("{name}={default}");
        _ = writeln!(text, "  {assignment:40} {means}");
    }
    text += "\ndefects:\n";
    for (_, name, breaks) in DEFECTS {
        _ = writeln!(text, "  {name:24} {breaks}");
    }
    text.trim_end().to_owned()
}
