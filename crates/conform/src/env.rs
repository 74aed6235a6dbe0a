//! The environment of a target: how its services are reached, our source addresses, the rate, and
//! the assumptions. All cases of a run share one.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::assumed::Assumed;
use super::control::RunControl;
use super::drops::dropped;
use super::failure::Failure;
use super::gate::Gate;
use super::sentinel::Sentinel;
use super::target_side::TargetSide;
use simulate::{
    AddressPool, AnswerCounter, ClientStream, Consent, LIMIT, Network, Pacer, Socket, Target,
    TargetError, TargetService,
};

/// The default timeout of a response.
const TIMEOUT: Duration = Duration::from_secs(2);
/// How long to wait for a response that must not come, if the target answers no sentinel.
const QUIET: Duration = Duration::from_millis(300);
/// How many ports are tried until one has two bytes that differ.
const TRIES: usize = 16;

/// Cases that run in parallel if they share one address of this machine.
const JOBS_OF_AN_ADDRESS: usize = 6;

/// How many environments this process has had.
static RUNS: AtomicU32 = AtomicU32::new(0);

/// A target, and everything that cases need to talk to it.
pub struct TargetEnv {
    pub(super) main: TargetSide,
    /// The same master by an address of the other family.
    pub(super) other: Option<TargetSide>,
    /// The services that cases may use, on their documented ports.
    pub(crate) network: Network,
    services: Vec<TargetService>,
    /// Ports other than those: the service's name, whether over IPv6, the port.
    ports: Vec<(&'static str, bool, u16)>,
    /// What is assumed of the target.
    pub assumed: Assumed,
    /// How long an answer may take.
    pub timeout: Duration,
    pace: Option<Pacer>,
    gentle: Pacer,
    gate: Gate,
    /// The answers that servers may have sent so far, by the names of their services.
    pub(super) answers_of_servers: Vec<(&'static str, Mutex<AnswerCounter>)>,
    pub(super) begun: Instant,
    pub(super) control: RunControl,
    /// A number that other runs on this machine probably do not have.
    pub(super) instance: u32,
    /// How many names were given out.
    next: AtomicU32,
    /// Whether the target ever answered a sentinel.
    answers: AtomicBool,
    /// Whether it was seen not to answer one.
    silent: AtomicBool,
    /// The sentinels that were answered, one per service.
    sentinels: Mutex<Vec<&'static Sentinel>>,
}

/// Why a target cannot be tested.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum TargetEnvError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("the target listens nowhere")]
    Nowhere,
    #[error("{target} cannot be reached from here: {why}")]
    Unreachable { target: String, why: io::Error },
}

impl TargetEnv {
    /// A target with these services, on their documented ports or on its own port.
    ///
    /// # Errors
    /// If the target cannot be reached.
    pub fn new(
        target: Target,
        services: impl IntoIterator<Item: Into<TargetService>>,
        assumed: Assumed,
    ) -> Result<Self, TargetEnvError> {
        Self::on(Network::System, target, services, assumed)
    }

    fn on(
        network: Network,
        target: Target,
        services: impl IntoIterator<Item: Into<TargetService>>,
        assumed: Assumed,
    ) -> Result<Self, TargetEnvError> {
        let pace = target.limit().map(Pacer::new);
        Ok(Self {
            main: TargetSide::new(target, &assumed, &network)?,
            other: None,
            begun: network.now(),
            network,
            services: services.into_iter().map(Into::into).collect(),
            ports: Vec::new(),
            assumed,
            timeout: TIMEOUT,
            pace,
            gentle: Pacer::new(LIMIT),
            gate: Gate::default(),
            answers_of_servers: Vec::new(),
            control: RunControl::new(),
            instance: std::process::id().wrapping_add(41 * RUNS.fetch_add(1, Ordering::Relaxed)),
            next: AtomicU32::new(0),
            answers: AtomicBool::new(false),
            silent: AtomicBool::new(false),
            sentinels: Mutex::default(),
        })
    }

    /// Adds the same master's address of the other family.
    ///
    /// # Errors
    /// If the target cannot be reached.
    pub fn also(&mut self, target: Target) -> Result<(), TargetEnvError> {
        self.other = Some(TargetSide::new(target, &self.assumed, &self.network)?);
        Ok(())
    }

    /// A master in this process, by its addresses: on the network of this machine, or in memory,
    /// where cases run one after the other and waiting takes no time.
    ///
    /// # Errors
    /// If the target cannot be reached.
    pub fn on_network(
        network: Network,
        addresses: impl IntoIterator<Item: Into<(TargetService, SocketAddr)>>,
        assumed: Assumed,
    ) -> Result<Self, TargetEnvError> {
        Self::named_on_network("the reference master", network, addresses, assumed)
    }

    /// The same for a target with this name.
    ///
    /// # Errors
    /// If the target cannot be reached.
    pub fn named_on_network(
        name: &str,
        network: Network,
        addresses: impl IntoIterator<Item: Into<(TargetService, SocketAddr)>>,
        assumed: Assumed,
    ) -> Result<Self, TargetEnvError> {
        let addresses: Vec<(TargetService, SocketAddr)> =
            addresses.into_iter().map(Into::into).collect();
        let ips = |six: bool| addresses.iter().find(move |(_, to)| to.is_ipv6() == six);
        let target = |(_, to): &(TargetService, SocketAddr)| {
            Target::new(name, (to.ip(), 0).into(), Consent::default())
        };
        let [four, six] = [ips(false), ips(true)];
        let first = four.or(six).ok_or(TargetEnvError::Nowhere)?;
        let services = addresses.iter().map(|(service, _)| *service);
        let mut env = Self::on(network, target(first)?, services, assumed)?;
        if let Some(six) = four.and(six) {
            env.also(target(six)?)?;
        }
        let ports = addresses.iter();
        env.ports = ports.map(|(service, to)| (service.name, to.is_ipv6(), to.port())).collect();
        Ok(env)
    }

    /// The target, as the user gave it.
    pub fn target(&self) -> &Target {
        &self.main.target
    }

    /// The target's other address, if it has one.
    pub fn other_target(&self) -> Option<&Target> {
        self.other.as_ref().map(|side| &side.target)
    }

    /// Sets the maximum datagrams per second from now on.
    pub fn limit(&mut self, a_second: u32) {
        self.pace = Some(Pacer::new(a_second));
    }

    /// Whether every endpoint has its own address, so that cases may run in parallel.
    pub fn is_wide(&self) -> bool {
        self.main.wide
    }

    /// How many cases may run in parallel, of the requested number: few if they share endpoints of
    /// one address, and one if they do so beyond this machine.
    pub(super) fn jobs(&self, requested: usize) -> usize {
        let most = match (self.is_wide(), self.main.target.is_loopback()) {
            _ if self.network.is_memory() => 1,
            (true, _) => requested,
            (false, true) => requested.min(JOBS_OF_AN_ADDRESS),
            (false, false) => 1,
        };
        most.max(1)
    }

    /// The address of a service of the target.
    pub(super) fn at(&self, name: &str) -> Result<SocketAddr, Failure> {
        self.service_address(&self.main.target, name)
    }

    /// The same in the other IP family.
    pub(super) fn at_other(&self, name: &str) -> Result<SocketAddr, Failure> {
        match &self.other {
            Some(other) => self.service_address(&other.target, name),
            None => Err(Failure::skipped("the target is known by one family of addresses")),
        }
    }

    pub(super) fn service_address(
        &self,
        target: &Target,
        name: &str,
    ) -> Result<SocketAddr, Failure> {
        let six = target.at(1).is_ipv6();
        let known = self.ports.iter().find(|(of, is_six, _)| *of == name && *is_six == six);
        if let Some((.., port)) = known {
            return Ok(target.at(*port));
        }
        if !self.ports.is_empty() {
            return Err(Failure::skipped(format!("the target has no {name}")));
        }
        let service = self.service(name);
        let service = service.ok_or_else(|| Failure::error(format!("no service is {name}")))?;
        // A given port is that of the list itself, not of the other services.
        match target.port() {
            Some(port) if !self.is_list(name) && port != service.port => {
                Err(Failure::skipped(format!("the target is port {port} alone, {name} is another")))
            }
            _ => Ok(target.at(service.port)),
        }
    }

    fn service(&self, name: &str) -> Option<TargetService> {
        self.services.iter().find(|service| service.name == name).copied()
    }

    /// Whether a service lists servers.
    pub(super) fn is_list(&self, name: &str) -> bool {
        self.service(name).is_some_and(|service| service.is_list)
    }

    /// A number that is unique in this run.
    pub(super) fn number(&self) -> u32 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A socket to send to `to`: at this address, or at one of its own, if there are such. The two
    /// bytes of its port differ, so that a byte swap is detected, and the second is not 08: in the
    /// first record of Half-Life's lists, an address of 127.0.0.0/8 with such a port looks like the
    /// key that Xash3D's begin with.
    pub(super) fn socket(&self, to: SocketAddr, ip: Option<IpAddr>) -> io::Result<Socket> {
        let mut addresses = self.addresses_of(to)?;
        let ip = match ip {
            Some(ip) => ip,
            None => addresses.host()?,
        };
        let mut sockets = Vec::new();
        for _ in 0..TRIES {
            let socket = addresses.socket(ip, 0)?;
            let [high, low] = socket.local().port().to_be_bytes();
            if high != low && low != 8 {
                return Ok(socket);
            }
            // It is kept open until another is found, so that the next has another port.
            sockets.push(socket);
        }
        Err(io::ErrorKind::AddrInUse.into())
    }

    /// A TCP connection, from an address of its own, if there are such.
    pub(super) fn connect(&self, to: SocketAddr) -> io::Result<ClientStream> {
        let mut addresses = self.addresses_of(to)?;
        let host = addresses.host()?;
        addresses.stream(host, to.port(), self.timeout)
    }

    /// The address of the target that this one belongs to.
    pub(super) fn side(&self, to: SocketAddr) -> &TargetSide {
        self.other.as_ref().filter(|other| other.target.is(to)).unwrap_or(&self.main)
    }

    pub(super) fn addresses_of(&self, to: SocketAddr) -> io::Result<MutexGuard<'_, AddressPool>> {
        let addresses = self.side(to).addresses.lock();
        addresses.map_err(|_| io::Error::other("another case has ended badly"))
    }

    /// Counts a datagram to `to`, and waits for the target to read if the burst is full.
    pub(super) fn pass(
        &self,
        service: &str,
        to: SocketAddr,
        request: Option<fn(SocketAddr) -> Vec<u8>>,
    ) {
        let request = |from: SocketAddr| {
            request.map(|request| {
                self.wait_for_answer(service, from.ip());
                request(from)
            })
        };
        self.gate.pass(&self.network, to, request, || self.socket(to, None));
    }

    /// Datagrams to these addresses of the target that the kernel has dropped so far.
    pub(super) fn dropped(&self, addresses: &[SocketAddr]) -> u64 {
        let is_here = self.main.target.is_loopback() && !self.network.is_memory();
        if is_here { dropped(addresses) } else { 0 }
    }

    /// Whether a failure beside other cases may have another cause than the target: a datagram was
    /// lost on the way, a thread went on late, or cases share an address, for which a target may
    /// have limits.
    pub(super) fn explains_failures(&self) -> bool {
        if self.network.is_memory() {
            return false;
        }
        let is_near = self.main.target.is_loopback() && self.is_wide();
        !is_near || self.control.has_disturbances()
    }

    /// Whether a datagram may be lost on the way to the target without a trace.
    pub(super) fn may_lose_datagrams(&self) -> bool {
        !self.main.target.is_loopback()
    }

    /// Waits for the rate limit; harsh datagrams beyond loopback are always slow.
    pub(super) fn wait_for_rate(&self, harsh: bool) {
        let gentle = (harsh && !self.main.target.is_loopback()).then_some(&self.gentle);
        self.pace.iter().chain(gentle).for_each(Pacer::wait);
    }

    /// How long to wait for the answer to a sentinel.
    pub(super) fn patience(&self) -> Duration {
        if self.silent.load(Ordering::Relaxed) { QUIET.min(self.timeout) } else { self.timeout }
    }

    /// Records that the target answers a sentinel.
    pub(super) fn learn_sentinel(&self, sentinel: &'static Sentinel) {
        if let Ok(mut known) = self.sentinels.lock()
            && !known.iter().any(|one| one.service == sentinel.service)
        {
            known.push(sentinel);
        }
    }

    /// The sentinel of a service that the target answers.
    pub(super) fn known_sentinel(&self, service: &str) -> Option<&'static Sentinel> {
        let known = self.sentinels.lock().ok()?;
        known.iter().find(|sentinel| sentinel.service == service).copied()
    }

    /// Records whether a sentinel was answered; returns whether one ever was.
    pub(super) fn answered(&self, is: bool) -> bool {
        if is {
            self.answers.store(true, Ordering::Relaxed);
        }
        let ever = self.answers.load(Ordering::Relaxed);
        self.silent.store(!ever, Ordering::Relaxed);
        ever
    }
}
