//! Where a target is tried: how each of its services is reached, from which addresses of ours, how
//! fast, and what is assumed of it. All cases of a run share one.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use thiserror::Error;

use super::assumed::Assumed;
use super::case::Sentinel;
use super::drops::dropped;
use super::failure::Failure;
use super::gate::Gate;
use super::pace::Pacer;
use super::pool::ServerPool;
use crate::master::{ListenAddress, Service};
use crate::protocol::games;
use crate::simulate::{AddressPool, Consent, LIMIT, Socket, Target, TargetError};

/// How long an answer may take, where nobody says otherwise.
const TIMEOUT: Duration = Duration::from_secs(2);
/// How long it is listened for an answer that shall not come, where the target answers nothing that
/// is sent behind.
const QUIET: Duration = Duration::from_millis(300);
/// How often another port is asked for, until one has two bytes that differ.
const TRIES: usize = 16;

/// Servers of one service that a run registers, at most, where each has an address of its own: with
/// one of the other family 200.
const MOST_SERVERS: usize = 199;
/// The same where they share one address: dpmaster takes 32 of an address.
const MOST_OF_AN_ADDRESS: usize = 30;

/// Cases that run side by side where they share one address of this machine.
const JOBS_OF_AN_ADDRESS: usize = 6;

/// A target, and everything that cases have to know to speak with it.
pub struct TargetEnv {
    main: TargetSide,
    /// The same master by an address of the other family.
    other: Option<TargetSide>,
    /// Ports that are not the documented ones: the service's name, whether over IPv6, the port.
    ports: Vec<(&'static str, bool, u16)>,
    pub assumed: Assumed,
    /// How long an answer may take.
    pub timeout: Duration,
    pace: Option<Pacer>,
    gentle: Pacer,
    gate: Gate,
    /// How many names were handed out.
    next: AtomicU32,
    /// Whether the target ever answered a request that was sent behind others.
    answers: AtomicBool,
    /// Whether it was seen not to.
    silent: AtomicBool,
    /// The sentinels that were answered, one a service.
    sentinels: Mutex<Vec<&'static Sentinel>>,
}

/// The target by an address of one family, and our endpoints that can reach it.
struct TargetSide {
    target: Target,
    home: Mutex<AddressPool>,
    /// Whether every endpoint has an address of its own.
    wide: bool,
    servers: ServerPool,
}

/// Why a target cannot be tried.
#[derive(Debug, Error)]
pub enum TargetEnvError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("the master listens nowhere")]
    Nowhere,
    #[error("{target} cannot be reached from here: {why}")]
    Home { target: String, why: io::Error },
}

impl TargetEnv {
    /// A target on its documented ports, or on the one port that it names.
    pub fn new(target: Target, assumed: Assumed) -> Result<Self, TargetEnvError> {
        let pace = target.limit().map(Pacer::new);
        Ok(Self {
            main: TargetSide::new(target, &assumed)?,
            other: None,
            ports: Vec::new(),
            assumed,
            timeout: TIMEOUT,
            pace,
            gentle: Pacer::new(LIMIT),
            gate: Gate::default(),
            next: AtomicU32::new(0),
            answers: AtomicBool::new(false),
            silent: AtomicBool::new(false),
            sentinels: Mutex::default(),
        })
    }

    /// The same master by an address of the other family too.
    pub fn also(&mut self, target: Target) -> Result<(), TargetEnvError> {
        self.other = Some(TargetSide::new(target, &self.assumed)?);
        Ok(())
    }

    /// A master in this process, by the addresses that it told.
    pub fn of(addresses: &[ListenAddress], assumed: Assumed) -> Result<Self, TargetEnvError> {
        let ips = |six: bool| addresses.iter().find(move |a| a.address.is_ipv6() == six);
        let target = |a: &ListenAddress| {
            Target::new("the reference master", (a.address.ip(), 0).into(), Consent::default())
        };
        let [four, six] = [ips(false), ips(true)];
        let first = four.or(six).ok_or(TargetEnvError::Nowhere)?;
        let mut env = Self::new(target(first)?, assumed)?;
        if let Some(six) = four.and(six) {
            env.also(target(six)?)?;
        }
        let ports = addresses.iter();
        let ports = ports.map(|a| (a.service.name(), a.address.is_ipv6(), a.address.port()));
        env.ports = ports.collect();
        Ok(env)
    }

    /// The target, as it was asked for.
    pub fn target(&self) -> &Target {
        &self.main.target
    }

    /// The target's other address, where it has one.
    pub fn other_target(&self) -> Option<&Target> {
        self.other.as_ref().map(|side| &side.target)
    }

    /// Datagrams a second at most from now on.
    pub fn limit(&mut self, a_second: u32) {
        self.pace = Some(Pacer::new(a_second));
    }

    /// Whether every end has an address of its own, so that cases may run side by side.
    pub fn is_wide(&self) -> bool {
        self.main.wide
    }

    /// How many cases may run side by side, of so many that are wanted: few where they share the
    /// endpoints of one address, and one where they share them beyond this machine.
    pub(super) fn jobs(&self, wanted: usize) -> usize {
        let most = match (self.is_wide(), self.main.target.is_loopback()) {
            (true, _) => wanted,
            (false, true) => wanted.min(JOBS_OF_AN_ADDRESS),
            (false, false) => 1,
        };
        most.max(1)
    }

    /// Where a service of the target listens.
    pub(super) fn at(&self, name: &str) -> Result<SocketAddr, Failure> {
        self.place(&self.main.target, name)
    }

    /// The same over the other family of addresses.
    pub(super) fn at_other(&self, name: &str) -> Result<SocketAddr, Failure> {
        match &self.other {
            Some(other) => self.place(&other.target, name),
            None => Err(Failure::skipped("the target is known by one family of addresses")),
        }
    }

    fn place(&self, target: &Target, name: &str) -> Result<SocketAddr, Failure> {
        let service = Service::named(name);
        let service = service.ok_or_else(|| Failure::error(format!("no service is {name}")))?;
        let six = target.at(1).is_ipv6();
        let known = self.ports.iter().find(|(of, is_six, _)| *of == name && *is_six == six);
        if let Some((.., port)) = known {
            return Ok(target.at(*port));
        }
        // Whoever names a port means the list itself, and none of the services beside it.
        let is_list = is_list(name);
        match target.port() {
            Some(port) if !is_list && port != service.port => {
                Err(Failure::skipped(format!("the target is port {port} alone, {name} is another")))
            }
            _ if !self.ports.is_empty() => {
                Err(Failure::skipped(format!("the target has no {name}")))
            }
            _ => Ok(target.at(service.port)),
        }
    }

    /// A number that no other name of this run has.
    pub(super) fn number(&self) -> u32 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A socket to speak to `to` from: at this address, or at one that nobody else has, where there
    /// are such. The two bytes of its port differ, so that it is seen when they are swapped, and the
    /// second is not 08: as the first record of Half-Life's lists, an address of 127.0.0.0/8 with
    /// such a port looks like the key that Xash3D's begin with.
    pub(super) fn socket(&self, to: SocketAddr, ip: Option<IpAddr>) -> io::Result<Socket> {
        let mut home = self.home_of(to)?;
        let ip = match ip {
            Some(ip) => ip,
            None => home.host()?,
        };
        let mut sockets = Vec::new();
        for _ in 0..TRIES {
            let socket = home.socket(ip, 0)?;
            let [high, low] = socket.local().port().to_be_bytes();
            if high != low && low != 8 {
                return Ok(socket);
            }
            // It is kept until another was found, which so is another one.
            sockets.push(socket);
        }
        Err(io::ErrorKind::AddrInUse.into())
    }

    /// The endpoint of a server, at this address where one is given.
    pub(super) fn server(
        &self,
        service: &str,
        to: SocketAddr,
        ip: Option<IpAddr>,
    ) -> Result<Arc<Socket>, Failure> {
        self.side(to).servers.take(service, ip, || self.socket(to, ip))
    }

    /// The endpoints of many servers.
    pub(super) fn servers(
        &self,
        service: &str,
        to: SocketAddr,
        count: usize,
    ) -> Result<Vec<Arc<Socket>>, Failure> {
        let of_an_address = self.assumed.settings().max_per_address;
        self.side(to).servers.take_many(service, count, of_an_address, || self.socket(to, None))
    }

    /// An endpoint that sends a service's sentinels as a server.
    pub(super) fn sentinel_server(
        &self,
        service: &str,
        to: SocketAddr,
    ) -> Result<Arc<Socket>, Failure> {
        self.side(to).servers.take_sentinel(service, || self.socket(to, None))
    }

    /// The endpoints of many servers of one address.
    pub(super) fn servers_of_an_address(
        &self,
        service: &str,
        to: SocketAddr,
        count: usize,
    ) -> Result<Vec<Arc<Socket>>, Failure> {
        let open = |ip| self.socket(to, ip);
        self.side(to).servers.take_of_an_address(service, count, open)
    }

    /// How many servers of a service may be registered from here, where the target is at `to`.
    pub(super) fn most_servers(&self, to: SocketAddr) -> usize {
        self.side(to).servers.most()
    }

    /// How many endpoints have spoken to a service as servers.
    pub(super) fn count_servers(&self, service: &str) -> usize {
        let sides = [Some(&self.main), self.other.as_ref()];
        sides.into_iter().flatten().map(|side| side.servers.count(service)).sum()
    }

    /// Has every endpoint that has spoken to a service as a server send what `message` gives it.
    pub(super) fn say_goodbye(&self, service: &str, message: fn(SocketAddr) -> Vec<u8>) {
        for side in [Some(&self.main), self.other.as_ref()].into_iter().flatten() {
            let Ok(to) = self.place(&side.target, service) else { continue };
            side.servers.each(service, |socket| {
                self.turn(false);
                // Who has gone needs no goodbye.
                _ = socket.send(to.port(), &message(socket.local()));
            });
        }
    }

    /// A connection over TCP, from an address that nobody else has, where there are such.
    pub(super) fn connect(&self, to: SocketAddr) -> io::Result<TcpStream> {
        let mut home = self.home_of(to)?;
        let host = home.host()?;
        home.connect(host, to.port(), self.timeout)
    }

    /// The address of the target that this one belongs to.
    fn side(&self, to: SocketAddr) -> &TargetSide {
        self.other.as_ref().filter(|other| other.target.is(to)).unwrap_or(&self.main)
    }

    fn home_of(&self, to: SocketAddr) -> io::Result<MutexGuard<'_, AddressPool>> {
        let home = self.side(to).home.lock();
        home.map_err(|_| io::Error::other("another case has ended badly"))
    }

    /// Counts a datagram to `to`, and waits for the target to read where it is time to.
    pub(super) fn pass(&self, to: SocketAddr, request: Option<fn(SocketAddr) -> Vec<u8>>) {
        let request = |from| request.map(|request| request(from));
        self.gate.pass(to, request, || self.socket(to, None));
    }

    /// Datagrams to these addresses of the target's that the kernel says it dropped so far.
    pub(super) fn dropped(&self, addresses: &[SocketAddr]) -> u64 {
        if self.main.target.is_loopback() { dropped(addresses) } else { 0 }
    }

    /// Waits until a datagram may be sent; a harsh one beyond loopback goes slowly everywhere.
    pub(super) fn turn(&self, harsh: bool) {
        let gentle = (harsh && !self.main.target.is_loopback()).then_some(&self.gentle);
        self.pace.iter().chain(gentle).for_each(Pacer::wait);
    }

    /// How long to wait for the answer to what is sent behind.
    pub(super) fn patience(&self) -> Duration {
        if self.silent.load(Ordering::Relaxed) { QUIET.min(self.timeout) } else { self.timeout }
    }

    /// Notes that the target answers a sentinel.
    pub(super) fn learn_sentinel(&self, sentinel: &'static Sentinel) {
        if let Ok(mut known) = self.sentinels.lock()
            && !known.iter().any(|one| one.service == sentinel.service)
        {
            known.push(sentinel);
        }
    }

    /// The sentinel of a service that the target was seen to answer.
    pub(super) fn known_sentinel(&self, service: &str) -> Option<&'static Sentinel> {
        let known = self.sentinels.lock().ok()?;
        known.iter().find(|sentinel| sentinel.service == service).copied()
    }

    /// Notes whether what was sent behind was answered; whether it ever was.
    pub(super) fn answered(&self, is: bool) -> bool {
        if is {
            self.answers.store(true, Ordering::Relaxed);
        }
        let ever = self.answers.load(Ordering::Relaxed);
        self.silent.store(!ever, Ordering::Relaxed);
        ever
    }
}

/// Whether a service lists servers, and is none of those beside.
pub(super) fn is_list(service: &str) -> bool {
    games().any(|game| game.id == service)
}

impl TargetSide {
    fn new(target: Target, assumed: &Assumed) -> Result<Self, TargetEnvError> {
        let cannot = |why| TargetEnvError::Home { target: target.to_string(), why };
        let home = AddressPool::near(target.clone()).map_err(cannot)?;
        let (wide, settings) = (home.has_many_addresses(), assumed.settings());
        let most = if wide {
            MOST_SERVERS.min(settings.max_servers)
        } else if assumed.is_given("max-per-address") {
            MOST_SERVERS.min(settings.max_per_address)
        } else {
            MOST_OF_AN_ADDRESS.min(settings.max_per_address)
        };
        let servers = ServerPool::new(most, settings.max_per_address);
        Ok(Self { target, home: Mutex::new(home), wide, servers })
    }
}
