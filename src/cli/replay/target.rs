//! The target of a replay: the given one, or a reference master that is started for it.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::Context as _;

use masters::families::services;
use masters::{Config, ExitReason, RunningMaster, Service};
use protocol::{Carrier, Role};
use replay::{RecordedRequest, ReplayNote, Transcript};
use report::CaseVerdict;
use simulate::{Consent, Target, TargetPair};
use text::counted;

/// The default limits of a reference master: servers, and servers of one address.
const SERVERS: usize = 4096;
const OF_ADDRESS: usize = 32;

/// The target, and its ports.
pub(super) enum ReplayTarget {
    Target(TargetPair),
    Reference(RunningMaster, TargetPair),
}

impl ReplayTarget {
    pub fn target(&self) -> &TargetPair {
        match self {
            Self::Target(target) | Self::Reference(_, target) => target,
        }
    }

    /// The port for a recorded message.
    pub fn port(&self, transcript: &Transcript, request: &RecordedRequest) -> Option<u16> {
        let Self::Reference(running, target) = self else {
            return Some(request.to.port());
        };
        let carrier = flow::carrier(request.transport);
        let protocol = request.entry.protocol;
        let on = |port: u16| services().filter(move |s| s.port == port && s.carrier() == carrier);
        let speaks = |service: &&Service| protocol.games.contains(&service.game);
        let has_services = services().any(|service| speaks(&service));
        // Masters of several protocols may share a port, of which the target has one service each.
        let at = |port: u16| {
            let own = on(port).find(speaks);
            own.or_else(|| on(port).next().filter(|_| !has_services))
        };
        // A master on another port counts as the one in its game's documents. Services that never
        // use datagrams are not for servers.
        let documented = || {
            protocol.messages.iter().find(|m| m.spec.carrier == Carrier::Datagram)?;
            let game = transcript.masters.get(&(request.transport, request.to))?;
            let of_masters = game.ports.iter().filter(|port| port.role == Role::Master);
            of_masters.map(|port| port.number).find_map(at)
        };
        let recorded = request.to.port();
        let is_free = on(recorded).next().is_none();
        let service: &Service = at(recorded).or_else(|| is_free.then(documented).flatten())?;
        let six = target.of_family(request.to.is_ipv6()).unwrap_or(target.first()).is_ipv6();
        let mut addresses = running.addresses().iter().filter(|a| a.service == service);
        addresses.find(|a| a.address.is_ipv6() == six).map(|a| a.address.port())
    }

    /// Stops a reference master; returns a note on its end.
    pub fn end(self) -> Option<ReplayNote> {
        let Self::Reference(running, _) = self else {
            return None;
        };
        running.stopper().stop();
        let ExitReason { crashed, servers, .. } = running.join();
        if crashed {
            let text = "the reference master crashed".to_owned();
            return Some(ReplayNote { name: "target", text, verdict: CaseVerdict::Fail });
        }
        let servers = counted(servers as u64, "server");
        let text = format!("the reference master lists {servers} in the end");
        Some(ReplayNote::info("target", text))
    }
}

/// Starts a reference master on free ports, configured like the recorded one, as far as that is
/// known: over IPv6 too if `ends` has such endpoints and the system supports it.
pub(super) fn reference(
    transcript: &Transcript,
    ends: &BTreeSet<SocketAddr>,
    connecting: &BTreeSet<IpAddr>,
    is_replayed: impl Fn(&RecordedRequest) -> bool,
    notes: &mut Vec<ReplayNote>,
) -> anyhow::Result<ReplayTarget> {
    let mut hosts = ends.iter().map(SocketAddr::ip).chain(connecting.iter().copied());
    let six = hosts.any(|host| host.is_ipv6());
    let six = six.then_some(IpAddr::V6(Ipv6Addr::LOCALHOST));
    let mut config = Config {
        listen: vec![Ipv4Addr::LOCALHOST.into()],
        listen_if_there: six.into_iter().collect(),
        services: services().map(|service| (service, 0)).collect(),
        ..Config::new(services())
    };
    let mut set = Vec::new();
    for (name, value) in transcript.recorded_settings(is_replayed) {
        // A setting that this master does not support shows as a difference.
        if config.settings.set(name, &value).is_ok() {
            set.push(format!("{name}={value}"));
        }
    }
    let count = ends.len();
    for (name, most, usual) in [
        ("max-servers", &mut config.settings.max_servers, SERVERS),
        ("max-per-address", &mut config.settings.max_per_address, OF_ADDRESS),
    ] {
        if count > usual {
            *most = count;
            set.push(format!("{name}={count}"));
        }
    }
    if !set.is_empty() {
        let text = format!("settings of the reference master, as recorded: {}", set.join(", "));
        notes.push(ReplayNote::info("settings", text));
    }
    let running = RunningMaster::start(config)?;
    let target = |six: bool| {
        let found = running.addresses().iter().find(|a| a.address.is_ipv6() == six);
        let every_port = found.map(|a| SocketAddr::new(a.address.ip(), 0));
        let new = |at| Target::new("the reference master", at, Consent::default());
        every_port.map(new).transpose()
    };
    let first = target(false)?.context("the reference master listens nowhere")?;
    let pair = TargetPair::new(first, target(true)?)?;
    Ok(ReplayTarget::Reference(running, pair))
}
