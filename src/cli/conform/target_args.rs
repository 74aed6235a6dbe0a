//! The options that say which target is meant, and what is assumed of it.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::Args;

use super::named_profile::NamedProfile;
use conform::families::profiles;
use conform::{Assumed, Profile, TargetEnv};
use masters::families::services;
use masters::{Config, RunningMaster};
use simulate::{Consent, Network, Target, TargetPair};
use text::parse_option;

/// The maximum of servers in the reference master.
const MAX_SERVERS: usize = 1 << 16;

/// Which master is meant, and what is assumed of it.
#[derive(Args)]
pub(in crate::cli) struct TargetArgs {
    /// the master: HOST for its documented ports, or HOST:PORT; may be repeated [default: the
    /// built-in reference master]
    #[arg(long, value_name = "HOST[:PORT]")]
    pub target: Vec<String>,
    /// a second address of the same master: IPv6 if --target is IPv4, or the reverse
    #[arg(long, value_name = "HOST[:PORT]", requires = "target")]
    pub also: Option<String>,
    /// the kind of master, or of server
    #[arg(long, value_name = "NAME", value_parser = NamedProfile::parse)]
    pub(super) profile: Option<NamedProfile>,
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
pub(in crate::cli) struct ConformTarget {
    pub env: TargetEnv,
    pub(super) _running: Option<RunningMaster>,
}

impl TargetArgs {
    /// The kind of master that was named.
    pub fn profile(&self) -> anyhow::Result<Option<&'static Profile>> {
        self.profile.as_ref().map(NamedProfile::of_masters).transpose()
    }

    /// The IPv4 address of the target, if it has one.
    pub(super) fn ipv4(&self) -> Option<Ipv4Addr> {
        let consent = Consent { authorized: true, rate: None };
        match Target::find(self.target.first()?, consent).ok()?.at(1).ip() {
            IpAddr::V4(ip) => Some(ip),
            IpAddr::V6(_) => None,
        }
    }

    /// What may be sent to targets.
    pub(super) fn consent(&self) -> Consent {
        Consent { authorized: self.authorized, rate: self.rate }
    }

    /// Every target; without one the reference master. `all` means that no case was named.
    pub fn targets(&self, all: bool) -> anyhow::Result<Vec<ConformTarget>> {
        let profile = self.profile()?;
        if self.target.is_empty() {
            return Ok(vec![self.reference(profile)?]);
        }
        let consent = self.consent();
        let mut targets = Vec::new();
        if self.also.is_some() && self.target.len() > 1 {
            bail!("--also cannot be combined with several targets");
        }
        for text in &self.target {
            let pair = TargetPair::find(text, self.also.as_deref(), consent)?;
            let target = pair.first().clone();
            if target.port().is_some() && profile.is_none() && all {
                let names: Vec<_> = profiles().map(|profile| profile.name).collect();
                let names = names.join(", ");
                bail!("{text} names one port; choose a profile: --profile {names}");
            }
            let mut env = TargetEnv::new(target, services(), self.assumed(profile)?)?;
            if let Some(also) = pair.also() {
                env.also(also.clone())?;
            }
            env.timeout = self.timeout;
            targets.push(ConformTarget { env, _running: None });
        }
        Ok(targets)
    }

    /// The reference master, with the assumed settings.
    fn reference(&self, profile: Option<&Profile>) -> anyhow::Result<ConformTarget> {
        let assumed = self.assumed(profile)?;
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
    pub(super) fn assignments(&self, profile: Option<&Profile>) -> impl Iterator<Item = &str> {
        let of_profile = profile.map(|profile| profile.assumes);
        of_profile.into_iter().chain(self.assume.iter().map(String::as_str))
    }

    fn assumed(&self, profile: Option<&Profile>) -> anyhow::Result<Assumed> {
        let mut assumed = Assumed::default();
        for assignments in self.assignments(profile) {
            assumed.add_assignments(assignments).map_err(|why| anyhow!(why))?;
        }
        Ok(assumed)
    }
}

/// At most an hour.
fn time(text: &str) -> Result<Duration, String> {
    parse_option(text, &(Duration::from_millis(1)..=Duration::from_hours(1)))
}
