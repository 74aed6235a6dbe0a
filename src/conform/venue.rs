//! Where a target is tried: how each of its services is reached, from which addresses of ours, how
//! fast, and what is assumed of it. All cases of a run share one.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use thiserror::Error;

use super::assumed::Assumed;
use super::failure::Failure;
use super::pace::Pace;
use crate::master::{Address, Service};
use crate::peer::{AddressPool, Consent, Heard, LIMIT, Socket, Target, TargetError};
use crate::proto::games;

/// How long an answer may take, where nobody says otherwise.
const TIMEOUT: Duration = Duration::from_secs(2);
/// How long it is listened for an answer that shall not come, where the target answers nothing that
/// is sent behind.
const QUIET: Duration = Duration::from_millis(300);
/// How often another port is asked for, until one has two bytes that differ.
const TRIES: usize = 16;

/// A target, and everything that cases have to know to speak with it.
pub struct Venue {
    target: Target,
    home: Mutex<AddressPool>,
    /// The same master by an address of the other family.
    other: Option<(Target, Mutex<AddressPool>)>,
    /// Ports that are not the documented ones: the service's name, whether over IPv6, the port.
    ports: Vec<(&'static str, bool, u16)>,
    pub assumed: Assumed,
    /// How long an answer may take.
    pub timeout: Duration,
    pace: Option<Pace>,
    gentle: Pace,
    wide: bool,
    /// How many servers have spoken from the one address that there is.
    servers: AtomicUsize,
    /// Servers of crowds, by their service: they are many, and come again in other cases.
    crowd: Mutex<Vec<(String, Arc<Socket>)>>,
    /// How many names were handed out.
    next: AtomicU32,
    /// Whether the target ever answered a request that was sent behind others.
    answers: AtomicBool,
    /// Whether it was seen not to.
    silent: AtomicBool,
}

/// Why a target cannot be tried.
#[derive(Debug, Error)]
pub enum VenueError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("the master listens nowhere")]
    Nowhere,
    #[error("{target} cannot be reached from here: {why}")]
    Home { target: String, why: io::Error },
}

impl Venue {
    /// A target on its documented ports, or on the one port that it names.
    pub fn new(target: Target, assumed: Assumed) -> Result<Self, VenueError> {
        let pace = target.limit().map(Pace::new);
        let home = home(&target)?;
        Ok(Self {
            wide: home.has_many_addresses(),
            servers: AtomicUsize::new(0),
            home: Mutex::new(home),
            target,
            crowd: Mutex::default(),
            other: None,
            ports: Vec::new(),
            assumed,
            timeout: TIMEOUT,
            pace,
            gentle: Pace::new(LIMIT),
            next: AtomicU32::new(0),
            answers: AtomicBool::new(false),
            silent: AtomicBool::new(false),
        })
    }

    /// A master in this process, by the addresses that it told.
    pub fn of(addresses: &[Address], assumed: Assumed) -> Result<Self, VenueError> {
        let ips = |six: bool| addresses.iter().find(move |a| a.address.is_ipv6() == six);
        let target = |a: &Address| {
            Target::new("the reference master", (a.address.ip(), 0).into(), Consent::default())
        };
        let [four, six] = [ips(false), ips(true)];
        let first = four.or(six).ok_or(VenueError::Nowhere)?;
        let mut venue = Self::new(target(first)?, assumed)?;
        if let Some(six) = four.and(six) {
            let target = target(six)?;
            venue.other = Some((target.clone(), Mutex::new(home(&target)?)));
        }
        let ports = addresses.iter();
        let ports = ports.map(|a| (a.service.name(), a.address.is_ipv6(), a.address.port()));
        venue.ports = ports.collect();
        Ok(venue)
    }

    /// The target, as it was asked for.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Datagrams a second at most from now on.
    pub fn limit(&mut self, a_second: u32) {
        self.pace = Some(Pace::new(a_second));
    }

    /// Whether every end has an address of its own, so that cases may run side by side.
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// Where a service of the target listens.
    pub(super) fn at(&self, name: &str) -> Result<SocketAddr, Failure> {
        self.place(&self.target, name)
    }

    /// The same over the other family of addresses.
    pub(super) fn at_other(&self, name: &str) -> Result<SocketAddr, Failure> {
        match &self.other {
            Some((other, _)) => self.place(other, name),
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

    /// Counts one more server. Where they share an address a master may have had enough of them, and
    /// what it then refuses would look like a fault.
    pub(super) fn one_more_server(&self) -> Result<(), Failure> {
        let most = self.assumed.settings().max_per_address;
        if self.wide || self.servers.fetch_add(1, Ordering::Relaxed) < most {
            return Ok(());
        }
        Err(Failure::skipped(format!(
            "{most} servers were registered from the one address that there is, as many as are \
             assumed to be welcome; --assume max-per-address=4096 where more are"
        )))
    }

    /// A number that no other name of this run has.
    pub(super) fn number(&self) -> u32 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A socket to speak to `to` from: at this address, or at one that nobody else has, where there
    /// are such. The two bytes of its port differ, so that it is seen when they are swapped.
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
            if high != low {
                return Ok(socket);
            }
            // It is kept until another was found, which so is another one.
            sockets.push(socket);
        }
        Err(io::ErrorKind::AddrInUse.into())
    }

    /// A socket of a crowd's server: one that no case has at the moment, else another one.
    pub(super) fn of_crowd(&self, service: &str, to: SocketAddr) -> io::Result<Arc<Socket>> {
        let crowd = self.crowd.lock();
        let mut crowd = crowd.map_err(|_| io::Error::other("another case has ended badly"))?;
        let is_idle =
            |(of, socket): &&(String, Arc<Socket>)| of == service && Arc::strong_count(socket) == 1;
        if let Some((_, socket)) = crowd.iter().find(is_idle) {
            // What came after its last case is nothing to this one.
            while socket.hear(&mut [0; 64])? != Heard::Silence {}
            return Ok(socket.clone());
        }
        let socket = Arc::new(self.socket(to, None)?);
        crowd.push((service.to_owned(), socket.clone()));
        Ok(socket)
    }

    /// A connection over TCP, from an address that nobody else has, where there are such.
    pub(super) fn connect(&self, to: SocketAddr) -> io::Result<TcpStream> {
        let mut home = self.home_of(to)?;
        let host = home.host()?;
        home.connect(host, to.port(), self.timeout)
    }

    fn home_of(&self, to: SocketAddr) -> io::Result<std::sync::MutexGuard<'_, AddressPool>> {
        let home = match &self.other {
            Some((other, home)) if other.is(to) => home,
            _ => &self.home,
        };
        home.lock().map_err(|_| io::Error::other("another case has ended badly"))
    }

    /// Waits until a datagram may be sent; a harsh one beyond loopback goes slowly everywhere.
    pub(super) fn turn(&self, harsh: bool) {
        let gentle = (harsh && !self.target.is_loopback()).then_some(&self.gentle);
        self.pace.iter().chain(gentle).for_each(Pace::wait);
    }

    /// How long to wait for the answer to what is sent behind.
    pub(super) fn patience(&self) -> Duration {
        if self.silent.load(Ordering::Relaxed) { QUIET.min(self.timeout) } else { self.timeout }
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

fn home(target: &Target) -> Result<AddressPool, VenueError> {
    let cannot = |why| VenueError::Home { target: target.to_string(), why };
    AddressPool::near(target.clone()).map_err(cannot)
}
