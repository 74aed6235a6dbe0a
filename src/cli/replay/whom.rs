//! Whom a replay speaks to: the target that was named, or a reference master that is started for it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::flow::Transport;
use crate::master::{Config, Ending, Running, SERVICES, Service};
use crate::peer::{Consent, Target};
use crate::proto::{Carrier, PROTOCOLS, Party};
use crate::replay::{Account, Asked, Told};

/// Servers that a reference master lists where nobody says how many.
const SERVERS: usize = 4096;

/// Who is played to, and where it listens.
pub(super) enum Whom {
    Target(Target),
    Reference(Running, Target),
}

impl Whom {
    pub fn target(&self) -> &Target {
        match self {
            Self::Target(target) | Self::Reference(_, target) => target,
        }
    }

    /// Where a recorded message goes.
    pub fn port(&self, account: &Account, asked: &Asked) -> Option<u16> {
        let Self::Reference(running, _) = self else {
            return Some(asked.to.port());
        };
        let carrier = match asked.transport {
            Transport::Udp => Carrier::Datagram,
            Transport::Tcp => Carrier::Stream,
        };
        let at = |port: u16| SERVICES.iter().find(|s| s.port == port && s.carrier == carrier);
        // A master that listened elsewhere is the one that its game's documents have. What is
        // never said in datagrams is for other servers than masters.
        let documented = || {
            let home = PROTOCOLS.iter().find(|p| p.id == asked.entry.protocol)?;
            home.messages.iter().find(|m| m.spec.carrier == Carrier::Datagram)?;
            let game = account.masters.get(&(asked.transport, asked.to))?;
            let of_masters = game.ports.iter().filter(|port| port.party == Party::Master);
            of_masters.map(|port| port.number).find_map(at)
        };
        let service: &Service = at(asked.to.port()).or_else(documented)?;
        running.address(service).map(|address| address.port())
    }

    /// Ends a reference master; what is to be told of it.
    pub fn end(self) -> Option<Told> {
        let Self::Reference(running, _) = self else {
            return None;
        };
        running.stopper().stop();
        let Ending { crashed, servers, .. } = running.join();
        if crashed {
            let text = "the reference master has crashed".to_owned();
            return Some(Told { name: "target", text, is_bad: true });
        }
        let s = if servers == 1 { "" } else { "s" };
        let text = format!("the reference master lists {servers} server{s} in the end");
        Some(Told { name: "target", text, is_bad: false })
    }
}

/// Starts a reference master on free ports, as the recorded one was, as far as that is known.
pub(super) fn reference(
    account: &Account,
    ends: usize,
    plays: impl Fn(&Asked) -> bool,
    told: &mut Vec<Told>,
) -> anyhow::Result<Whom> {
    let ip: IpAddr = Ipv4Addr::LOCALHOST.into();
    let services = SERVICES.iter().map(|service| (service, 0)).collect();
    let mut config =
        Config { listen: vec![ip], listen_if_there: Vec::new(), services, ..Config::default() };
    let mut set = Vec::new();
    for (name, value) in account.hints(plays) {
        // What the recorded master could say and this one cannot is a difference.
        if config.settings.set(name, &value).is_ok() {
            set.push(format!("{name}={value}"));
        }
    }
    if ends > SERVERS {
        config.settings.max_servers = ends;
        set.push(format!("max-servers={ends}"));
    }
    if !set.is_empty() {
        let text = format!("the reference master is set up as recorded: {}", set.join(", "));
        told.push(Told { name: "settings", text, is_bad: false });
    }
    let running = Running::start(config)?;
    let every_port = SocketAddr::new(ip, 0);
    let target = Target::new("the reference master", every_port, Consent::default())?;
    Ok(Whom::Reference(running, target))
}
