//! A running master: its sockets, clock and thread. Dropping it stops it.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token, Waker};
use thiserror::Error;

use super::connections::{Connections, Listener};
use super::defect::{Defect, Defects};
use super::open_sockets::OpenSockets;
use super::record::MasterRecorder;
use super::recorded::{DueReply, RecordedAnswers, RecordedPort};
use super::sockets::{self, ServiceSocket};
use super::{Master, MasterCounts, MasterEvent, Random, Service, Settings};
use simulate::TargetService;

/// The configuration of a running master.
pub struct Config {
    /// Addresses to listen on.
    pub listen: Vec<IpAddr>,
    /// Further addresses, used if the machine has them.
    pub listen_if_there: Vec<IpAddr>,
    /// Services and their ports; 0: any free port. Services with the same port share a socket; on
    /// free ports, those with the same documented port.
    pub services: Vec<(&'static Service, u16)>,
    /// Answers in place of services.
    pub recorded: Option<Box<dyn RecordedAnswers>>,
    /// Limits and timeouts.
    pub settings: Settings,
    /// Whether servers on loopback addresses are listed; they are if all addresses of the master
    /// are loopback ones.
    pub allow_loopback: bool,
    /// Intentional faults.
    pub defects: Defects,
    /// The source of challenges; `None`: the operating system.
    pub random: Option<Random>,
    /// Records all traffic.
    pub recorder: Option<MasterRecorder>,
    /// Called for every event.
    pub events: Option<Box<dyn FnMut(MasterEvent) + Send>>,
}

/// A running master. Dropping it stops its thread and waits for it.
pub struct RunningMaster {
    addresses: Vec<ListenAddress>,
    recorded: Vec<(RecordedPort, SocketAddr)>,
    stop: Stop,
    thread: Option<JoinHandle<ExitReason>>,
}

/// The address of a service.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListenAddress {
    /// The service.
    pub service: &'static Service,
    /// Its address and port.
    pub address: SocketAddr,
}

/// Stops a master from another thread.
#[derive(Clone)]
pub struct Stop {
    now: Arc<AtomicBool>,
    waker: Arc<Waker>,
}

/// The end state of a master.
#[derive(Debug, Default)]
pub struct ExitReason {
    /// What it has counted.
    pub counts: MasterCounts,
    /// Servers that were listed at the end.
    pub servers: usize,
    /// Datagrams that could not be sent.
    pub unsent: u64,
    /// Connections that were closed because there were too many.
    pub refused: u64,
    /// Whether it ended by itself: by a defect, or by an error of the poll.
    pub crashed: bool,
    /// The error of the recording.
    pub record: Option<io::Error>,
}

/// Why a master did not start.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum StartError {
    #[error("cannot listen on {address} for {service}: {why}")]
    Listen { service: &'static str, address: SocketAddr, why: io::Error },
    #[error("there is nothing to listen on")]
    Nothing,
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
}

/// Tokens: UDP sockets, then listeners, then the waker, then connections.
const WAKER: usize = 1 << 16;
const CONNECTIONS: usize = WAKER + 1;
/// The maximum time between checks for expired entries.
const IDLE: Duration = Duration::from_millis(200);

impl Config {
    /// The usual ones of these services, on their documented ports of the loopback addresses.
    pub fn new(services: impl Iterator<Item = &'static Service>) -> Self {
        let usual = services.filter(|service| service.usual);
        Self {
            listen: vec![Ipv4Addr::LOCALHOST.into()],
            listen_if_there: vec![Ipv6Addr::LOCALHOST.into()],
            services: usual.map(|service| (service, service.port)).collect(),
            recorded: None,
            settings: Settings::default(),
            allow_loopback: false,
            defects: Defects::default(),
            random: None,
            recorder: None,
            events: None,
        }
    }

    /// The same on free ports.
    #[must_use]
    pub fn anywhere(mut self) -> Self {
        self.services.iter_mut().for_each(|(_, port)| *port = 0);
        self
    }
}

impl RunningMaster {
    /// Binds all sockets and starts the thread. If all addresses are loopback ones, servers on
    /// loopback addresses are listed.
    ///
    /// # Errors
    /// If a socket cannot be bound, or the system gives no thread or no random numbers.
    pub fn start(config: Config) -> Result<Self, StartError> {
        let mut ips = config.listen.iter().chain(&config.listen_if_there);
        let allow_loopback = config.allow_loopback || ips.all(IpAddr::is_loopback);
        let mut opened = OpenSockets::default();
        let defect = config.defects.has(Defect::OtherPort);
        let mut open = |ip: IpAddr| match &config.recorded {
            Some(recorded) => opened.open_recorded(ip, &recorded.ports(ip)),
            None => opened.open(ip, &config.services, defect),
        };
        for ip in &config.listen {
            open(*ip)?;
        }
        for ip in &config.listen_if_there {
            if sockets::bind(*ip, 0).is_ok() {
                open(*ip)?;
            }
        }
        if opened.addresses.is_empty() && opened.recorded.is_empty() {
            return Err(StartError::Nothing);
        }
        let poll = Poll::new()?;
        for (token, socket) in opened.sockets.iter_mut().enumerate() {
            poll.registry().register(&mut socket.socket, Token(token), Interest::READABLE)?;
        }
        let sockets = opened.sockets.len();
        for (n, listener) in opened.listeners.iter_mut().enumerate() {
            let token = Token(sockets + n);
            poll.registry().register(&mut listener.socket, token, Interest::READABLE)?;
        }
        let waker = Arc::new(Waker::new(poll.registry(), Token(WAKER))?);
        let stop = Stop { now: Arc::default(), waker };
        let random = match config.random {
            Some(random) => random,
            None => Random::system()?,
        };
        let mut master = Master::new(config.settings, random);
        master.misbehave(config.defects);
        if allow_loopback {
            master.allow_loopback();
        }
        master.recorded = config.recorded;
        if config.events.is_some() {
            master.keep_events();
        }
        let event_loop = EventLoop {
            poll,
            master,
            sockets: opened.sockets,
            listeners: opened.listeners,
            connections: Connections::new(CONNECTIONS),
            recorder: config.recorder,
            events: config.events,
            stop: stop.clone(),
            start: Instant::now(),
            unsent: 0,
        };
        let name = thread::Builder::new().name("master".to_owned());
        let thread = name.spawn(move || event_loop.run())?;
        let OpenSockets { addresses, recorded, .. } = opened;
        Ok(Self { addresses, recorded, stop, thread: Some(thread) })
    }

    /// The addresses of all services, in the configured order.
    pub fn addresses(&self) -> &[ListenAddress] {
        &self.addresses
    }

    /// The first address of a service.
    pub fn address(&self, service: &Service) -> Option<SocketAddr> {
        self.addresses.iter().find(|a| a.service == service).map(|a| a.address)
    }

    /// The ports of its recording, with their addresses here.
    pub fn recorded(&self) -> &[(RecordedPort, SocketAddr)] {
        &self.recorded
    }

    /// A handle that stops it from another thread.
    pub fn stopper(&self) -> Stop {
        self.stop.clone()
    }

    /// Stops it within 200 ms when it is set, for signal handlers, which cannot call a [`Stop`].
    pub fn stop_flag(&self) -> &Arc<AtomicBool> {
        &self.stop.now
    }

    /// Waits until it ends: stopped, or by itself.
    pub fn join(mut self) -> ExitReason {
        self.ended()
    }

    fn ended(&mut self) -> ExitReason {
        let crashed = || ExitReason { crashed: true, ..ExitReason::default() };
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or_else(crashed)
    }
}

impl Drop for RunningMaster {
    fn drop(&mut self) {
        self.stop.stop();
        if self.thread.is_some() {
            self.ended();
        }
    }
}

impl Stop {
    /// Stops the master soon.
    pub fn stop(&self) {
        self.now.store(true, Ordering::Relaxed);
        // Without it the master checks by itself, a little later.
        let _ = self.waker.wake();
    }
}

impl From<&ListenAddress> for (TargetService, SocketAddr) {
    fn from(listening: &ListenAddress) -> Self {
        (listening.service.into(), listening.address)
    }
}

impl fmt::Display for ListenAddress {
    /// `motd udp 127.0.0.1:27951`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.service.name, self.service.transport(), self.address)
    }
}

/// The state of the thread.
struct EventLoop {
    poll: Poll,
    master: Master,
    sockets: Vec<ServiceSocket>,
    listeners: Vec<Listener>,
    connections: Connections<TcpStream>,
    recorder: Option<MasterRecorder>,
    events: Option<Box<dyn FnMut(MasterEvent) + Send>>,
    stop: Stop,
    start: Instant,
    unsent: u64,
}

impl EventLoop {
    fn run(mut self) -> ExitReason {
        let mut events = Events::with_capacity(256);
        let mut buffer = vec![0; 1 << 16];
        let mut crashed = false;
        while !crashed && !self.stop.now.load(Ordering::Relaxed) {
            crashed =
                self.poll_once(&mut events, &mut buffer).is_err() || self.master.has_crashed();
        }
        ExitReason {
            counts: self.master.counts(),
            servers: self.master.servers(),
            unsent: self.unsent,
            refused: self.connections.refused,
            crashed,
            record: self.recorder.and_then(|recorder| recorder.finish().err()),
        }
    }

    /// Waits for events and handles them.
    fn poll_once(&mut self, events: &mut Events, buffer: &mut [u8]) -> io::Result<()> {
        let start = self.start;
        let now = || i64::try_from(start.elapsed().as_nanos()).unwrap_or(i64::MAX);
        let more = self.connections.serve(&mut self.master, now(), &mut self.recorder);
        let busy = more || self.sockets.iter().any(|socket| socket.ready);
        let due = self.master.recorded.as_ref().and_then(|recorded| recorded.next_due());
        let until =
            |due: i64| Duration::from_nanos(due.saturating_sub(now()).max(0).unsigned_abs());
        let wait = if busy { Duration::ZERO } else { due.map_or(IDLE, until).min(IDLE) };
        match self.poll.poll(events, Some(wait)) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
        for event in events.iter() {
            let Token(token) = event.token();
            if let Some(socket) = self.sockets.get_mut(token) {
                socket.ready = true;
            } else if token < WAKER {
                let Some(listener) = self.listeners.get(token - self.sockets.len()) else {
                    continue;
                };
                let (registry, recorder) = (self.poll.registry(), &mut self.recorder);
                let connections = &mut self.connections;
                listener.accept(connections, &mut self.master, now(), registry, recorder);
            } else if token >= CONNECTIONS {
                self.connections.wake(token);
            }
        }
        for socket in self.sockets.iter_mut().filter(|socket| socket.ready) {
            self.unsent += socket.receive(&mut self.master, now, &mut self.recorder, buffer);
        }
        self.send_due(now());
        self.master.tick(now());
        if let Some(report) = &mut self.events {
            self.master.events().for_each(report);
        }
        Ok(())
    }

    /// Sends what is due of a recording.
    fn send_due(&mut self, now: i64) {
        let Some(recorded) = &mut self.master.recorded else {
            return;
        };
        while let Some(DueReply { recorded, local, to, bytes }) = recorded.pop_due(now) {
            let is_sender = |socket: &&ServiceSocket| {
                socket.recorded == Some(recorded) && socket.address.ip() == local
            };
            let socket = self.sockets.iter().find(is_sender);
            let sent = socket.is_some_and(|s| s.send(to, &bytes, &mut self.recorder).is_ok());
            self.unsent += u64::from(!sent);
        }
    }
}
