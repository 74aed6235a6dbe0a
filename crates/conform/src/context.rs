//! The context of one case: opens endpoints and logs all traffic.
#![allow(clippy::missing_errors_doc, reason = "a failure is the result of the case")]

use std::cell::{Cell, RefCell};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::assumed::Assumed;
use super::endpoint::TestEndpoint;
use super::env::TargetEnv;
use super::failure::{Done, Failure};
use super::log::{LogEntry, TrafficLog};
use super::sentinel::Sentinel;
use super::stream::TestStream;
use text::duration_of;

/// How often a required request is sent until it is answered.
const SENDS: u32 = 4;

/// The first protocol number that no game has, and how many of them a case has.
const PROTOCOLS: u32 = 10_000;
const EACH: u32 = 100;
/// How many numbers a run has, and how many runs are told apart.
const OF_A_RUN: u32 = 100_000;
const RUNS: u32 = 20_000;

/// A case's own context.
pub struct TestContext<'v> {
    pub(super) env: &'v TargetEnv,
    sentinels: &'static [Sentinel],
    /// Whether it may send datagrams that no game would.
    harsh: bool,
    /// Whether its servers have endpoints that no case has used.
    pub(super) only_new: bool,
    /// Whether its servers have a protocol number that no other case has.
    is_of_own_protocol: bool,
    log: RefCell<TrafficLog>,
    observations: RefCell<Vec<String>>,
    pub(super) servers: Cell<usize>,
    clients: Cell<usize>,
    pub(super) streams: Cell<usize>,
    /// The source of the case's own protocol numbers.
    numbers: Cell<Option<u32>>,
}

impl<'v> TestContext<'v> {
    pub(super) fn new(env: &'v TargetEnv, sentinels: &'static [Sentinel], harsh: bool) -> Self {
        Self {
            env,
            sentinels,
            harsh,
            only_new: false,
            is_of_own_protocol: false,
            log: RefCell::default(),
            observations: RefCell::default(),
            servers: Cell::new(0),
            clients: Cell::new(0),
            streams: Cell::new(0),
            numbers: Cell::new(None),
        }
    }

    /// The same context, whose servers have endpoints that no case has used.
    pub(super) fn with_new_servers(self) -> Self {
        Self { only_new: true, ..self }
    }

    /// The same context, whose servers have a protocol number that no other case has.
    pub(super) fn with_own_protocol(self) -> Self {
        Self { is_of_own_protocol: true, ..self }
    }

    /// How long the run has lasted.
    pub(crate) fn since_begin(&self) -> Duration {
        self.now().duration_since(self.env.begun)
    }

    /// Brings the target into the initial state of a case. A failure here blocks the case, because
    /// it is no failure of what the case tests.
    pub fn setup<T>(&self, done: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        done().map_err(Failure::in_setup)
    }

    /// Any datagram comes back for any of these requests to a service.
    pub fn expect_any_answer(&self, service: &str, requests: &[Vec<u8>]) -> Done {
        let client = self.client(service)?;
        for patience in [4, 4, 2] {
            requests.iter().try_for_each(|request| client.send_bytes(request))?;
            if client.recv(self.env.timeout / patience)?.is_some() {
                return Ok(());
            }
        }
        let waited = self.env.timeout;
        Err(Failure::new(
            "any answer",
            format!("nothing in {}, asked three times", duration_of(waited)),
        ))
    }

    /// A client.
    pub fn client(&self, service: &str) -> Result<TestEndpoint<'_>, Failure> {
        let name = counted("client", &self.clients);
        self.end(name, service, None)
    }

    /// A client's TCP connection.
    pub fn stream(&self, service: &str) -> Result<TestStream<'_>, Failure> {
        let name = counted("client", &self.clients);
        TestStream::open(self, name, self.env.at(service)?)
    }

    /// Waits until the target has read what was sent to that service before: sends a request after
    /// it that every master answers, repeatedly if it gets lost. If the target does not answer it,
    /// pauses instead.
    pub fn sync(&self, service: &str) -> Done {
        let sentinels = self.sentinels(service);
        if sentinels.is_empty() {
            self.wait(self.env.patience());
            return Ok(());
        }
        let ends = sentinels.iter().map(|one| self.open_sentinel(one));
        let ends = ends.collect::<Result<Vec<_>, _>>()?;
        let patience = self.env.patience() / SENDS;
        for _ in 0..SENDS {
            let sent = self.now();
            for (sentinel, end) in sentinels.iter().zip(&ends) {
                end.send_bytes(&(sentinel.request)(end.address()))?;
            }
            // Other answers of the target come before the last.
            let last = ends.last().map_or(Ok(None), |end| end.recv(patience))?;
            let mut first = None;
            for (sentinel, end) in sentinels.iter().zip(&ends) {
                if first.is_none() && end.recv(Duration::ZERO)?.is_some() {
                    first = Some(*sentinel);
                }
            }
            let Some(sentinel) = first.or(sentinels.last().copied().filter(|_| last.is_some()))
            else {
                continue;
            };
            self.env.learn_sentinel(sentinel);
            self.env.answered(true);
            if !self.env.is_wide() && !self.is_on_loopback() {
                // Datagrams may overtake each other on a network.
                self.wait(self.now().duration_since(sent));
            }
            return Ok(());
        }
        if !self.env.answered(false) {
            return Ok(());
        }
        let waited = self.env.timeout;
        let failure = Failure::new(
            "an answer to a request that the target has answered before",
            format!("nothing in {}, asked {SENDS} times", duration_of(waited)),
        );
        // Only cases that stress the target count it as their own failure.
        Err(if self.harsh { failure } else { failure.in_setup() })
    }

    /// The request to send after others to a service: of several, the one that the target is known
    /// to answer.
    pub(super) fn sentinel(&self, service: &str) -> Option<&'static Sentinel> {
        self.sentinels(service).last().copied()
    }

    /// The same; several while it is unknown which of them the target answers.
    fn sentinels(&self, service: &str) -> Vec<&'static Sentinel> {
        if let Some(known) = self.env.known_sentinel(service) {
            return vec![known];
        }
        self.sentinels.iter().filter(|sentinel| sentinel.service == service).collect()
    }

    /// An endpoint for a sentinel.
    fn open_sentinel(&self, sentinel: &Sentinel) -> Result<TestEndpoint<'_>, Failure> {
        let (service, to) = (sentinel.service, self.env.at(sentinel.service)?);
        if !sentinel.from_server {
            return self.open("sentinel".to_owned(), service, to, None);
        }
        let socket = self.env.sentinel_server(service, to)?;
        Ok(TestEndpoint::new(self, "sentinel".to_owned(), service, socket, to))
    }

    /// Repeats until it does not fail, at most for the timeout of a response.
    pub fn until<T>(&self, mut tried: impl FnMut() -> Result<T, Failure>) -> Result<T, Failure> {
        let deadline = self.now() + self.env.timeout;
        let mut pause = Duration::from_millis(2);
        loop {
            match tried() {
                Err(_) if self.now() < deadline => {}
                done => return done,
            }
            self.wait(pause);
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }

    /// Waits for a time that the documents, or assumptions about the target, define.
    pub fn wait(&self, span: Duration) {
        self.env.network.sleep(span);
    }

    /// The time, by the clock of the target's network.
    pub fn now(&self) -> Instant {
        self.env.network.now()
    }

    /// The assumptions about the target.
    pub fn assumed(&self) -> &Assumed {
        &self.env.assumed
    }

    /// The assumed time of a setting.
    pub fn time(&self, setting: &str) -> Result<Duration, Failure> {
        let time = self.env.assumed.time(setting);
        time.ok_or_else(|| Failure::error(format!("{setting} is no time")))
    }

    /// The timeout of a response.
    pub fn timeout(&self) -> Duration {
        self.env.timeout
    }

    /// The first byte of IPv4 addresses of this machine from which the target is reached: 127, or 198
    /// where it has another address in a network namespace of its own. Some masters list no servers
    /// on loopback addresses.
    pub fn first_byte(&self) -> u8 {
        if self.env.target().at(1).ip().is_loopback() { 127 } else { 198 }
    }

    /// Whether the target is on a loopback address, or in a network namespace of its own.
    pub fn is_on_loopback(&self) -> bool {
        self.env.target().is_loopback()
    }

    /// Whether every endpoint has its own address.
    pub fn is_wide(&self) -> bool {
        self.env.is_wide()
    }

    /// Whether the target has an IPv4 address.
    pub fn is_over_ipv4(&self) -> bool {
        self.env.target().at(1).is_ipv4()
    }

    /// A game name that no other case has: `fs` and letters and digits.
    pub fn game(&self) -> String {
        format!("fs{:x}n{:x}", std::process::id(), self.env.number())
    }

    /// A protocol number that no game and no other case of the run has.
    pub fn own_protocol(&self) -> i64 {
        self.protocols_of(self.env.number())
    }

    /// The first protocol number of a case: another in each run, because a target may still list
    /// servers of an earlier one.
    fn protocols_of(&self, number: u32) -> i64 {
        let run = if self.env.network.is_memory() { 0 } else { std::process::id() % RUNS };
        i64::from(PROTOCOLS + run * OF_A_RUN + number * EACH)
    }

    /// A protocol number for servers and their lists: that of the game, if every server has its own
    /// endpoint; else one that no other case of the run has, because endpoints were used in other
    /// cases before.
    pub fn protocol(&self, number: u32) -> i64 {
        if self.env.is_wide() && !self.is_of_own_protocol {
            return number.into();
        }
        let base = self.numbers.get().unwrap_or_else(|| self.env.number());
        self.numbers.set(Some(base));
        self.protocols_of(base) + i64::from(number % EACH)
    }

    /// Bytes from 1 to 250 that other runs at the same time probably do not have.
    pub(crate) fn own_bytes(&self, count: u8) -> Vec<u8> {
        let first = if self.env.network.is_memory() { 0 } else { self.env.instance };
        (0..u32::from(count)).map(|n| (first.wrapping_add(n) % 250) as u8 + 1).collect()
    }

    /// Records an observation of a case that only reports.
    pub fn note(&self, what: impl Into<String>) {
        self.observations.borrow_mut().push(what.into());
    }

    /// Records the observation of a case that only reports, and ends it.
    pub fn report(&self, what: impl Into<String>) -> Done {
        self.note(what);
        Ok(())
    }

    /// Waits for the rate limit.
    pub(super) fn wait_for_rate(&self) {
        self.env.wait_for_rate(self.harsh);
    }

    pub(super) fn write(&self, entry: LogEntry) -> usize {
        self.log.borrow_mut().add_entry(entry)
    }

    /// The traffic, and the observations.
    pub(super) fn close(self) -> (TrafficLog, String) {
        (self.log.into_inner(), self.observations.into_inner().join("; "))
    }

    pub(super) fn end(
        &self,
        name: String,
        service: &str,
        ip: Option<IpAddr>,
    ) -> Result<TestEndpoint<'_>, Failure> {
        self.open(name, service, self.env.at(service)?, ip)
    }

    pub(super) fn open(
        &self,
        name: String,
        service: &str,
        to: SocketAddr,
        ip: Option<IpAddr>,
    ) -> Result<TestEndpoint<'_>, Failure> {
        let socket = self.env.socket(to, ip);
        let socket =
            socket.map_err(|why| Failure::error(format!("cannot open a socket: {why}")))?;
        Ok(TestEndpoint::new(self, name, service, Arc::new(socket), to))
    }
}

/// `server 1`, `server 2`.
pub(super) fn counted(what: &str, count: &Cell<usize>) -> String {
    count.set(count.get() + 1);
    format!("{what} {}", count.get())
}
