//! Heartbeats, challenges and requests without an answer, and unreachable endpoints: one finding
//! per pair of endpoints, with counts, made when the capture has ended.
//!
//! A single datagram may get lost: if a later one was answered, there is no finding. If the capture
//! ends too early, or the protocol has no answer, there is none either.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;

use super::key::{About, FindingKey};
use super::rules::{LIST_UNANSWERED, MASTER_UNREACHABLE, QUERY_UNANSWERED, SERVER_UNREACHABLE};
use super::{Findings, NAMED};
use crate::exchange::{Exchange, ExchangeState};
use crate::frame_ref::FrameRef;
use crate::host::ServerHost;
use crate::hosts::Hosts;
use crate::registration_stats::{Moment, RegistrationStats};
use flow::Flows;
use protocol::ExchangeKind;
use text::digits::counted;
use text::duration;

/// How many pairs of endpoints are watched, of each kind.
const PAIRS: usize = 1 << 14;
const SECOND: i64 = 1_000_000_000;
/// So many requests without an answer are more than a lost datagram.
const ASKED: u64 = 2;
/// At so many errors per flow the count is only a lower bound.
const ERRORS: u64 = 16;

/// Requests without an answer.
#[derive(Default)]
pub(super) struct Silence {
    /// List requests, by the client's host and the master.
    lists: HashMap<(IpAddr, SocketAddr), Box<Unanswered>, RandomState>,
    /// Messages that did not arrive at servers, or that they did not answer.
    servers: HashMap<SocketAddr, Box<Unanswered>, RandomState>,
    /// How many requests of pairs that are not watched had no answer.
    unwatched: u64,
}

/// Messages without an answer.
struct Unanswered {
    /// The first sender.
    sender: SocketAddr,
    /// Number of messages, and whether the capture went on long enough for an answer.
    count: u64,
    waited: bool,
    /// A later message was answered.
    answered: bool,
    frames: Vec<FrameRef>,
    /// Nanoseconds since the Unix epoch.
    first: i64,
    last: i64,
    /// How many ICMP errors say that messages did not arrive, and the first of them.
    errors: Option<Box<(u64, String)>>,
}

impl Silence {
    fn observe(&mut self, exchange: &Exchange, hosts: &Hosts) {
        match exchange.kind {
            ExchangeKind::List if exchange.state != ExchangeState::Unsolicited => {
                let pair = (exchange.requester.ip(), exchange.responder);
                self.unwatched += note(&mut self.lists, pair, exchange);
            }
            ExchangeKind::Query | ExchangeKind::Connection
                if exchange.state == ExchangeState::Unanswered
                    && !has_answered(hosts.server(exchange.responder)) =>
            {
                self.unwatched += note(&mut self.servers, exchange.responder, exchange);
            }
            _ => {}
        }
    }
}

/// Whether a server ever answered: then it is not silent, whatever is lost.
fn has_answered(server: Option<&ServerHost>) -> bool {
    server.is_some_and(|server| server.answered.is_some())
}

/// Adds an exchange; how many exchanges without an answer there was no room for.
fn note<K: Eq + std::hash::Hash>(
    all: &mut HashMap<K, Box<Unanswered>, RandomState>,
    key: K,
    exchange: &Exchange,
) -> u64 {
    if all.len() >= PAIRS && !all.contains_key(&key) {
        return u64::from(exchange.state == ExchangeState::Unanswered);
    }
    all.entry(key).or_insert_with(|| Box::new(Unanswered::by(exchange))).add_exchange(exchange);
    0
}

impl Unanswered {
    fn by(exchange: &Exchange) -> Self {
        Self {
            sender: exchange.requester,
            count: 0,
            waited: false,
            answered: false,
            frames: Vec::new(),
            first: exchange.first,
            last: exchange.last,
            errors: None,
        }
    }

    fn add_exchange(&mut self, exchange: &Exchange) {
        self.answered |= exchange.state != ExchangeState::Unanswered;
        self.count += 1 + u64::from(exchange.retries);
        self.waited |= exchange.proves_silence();
        let free = NAMED.saturating_sub(self.frames.len());
        for frame in exchange.frames().take(free) {
            // There are thousands of pairs: doubling takes too much.
            if self.frames.len() == self.frames.capacity() {
                self.frames.reserve_exact(2);
            }
            self.frames.push(frame);
        }
        self.first = self.first.min(exchange.first);
        self.last = self.last.max(exchange.last);
        for error in exchange.errors.iter().filter(|error| error.is_unreachable()) {
            let (count, _) =
                &mut **self.errors.get_or_insert_with(|| Box::new((0, error.what.clone())));
            *count += 1;
        }
    }

    fn error_count(&self) -> String {
        self.errors
            .as_deref()
            .map_or(String::new(), |(count, what)| error_count(Some(what), *count))
    }
}

impl Findings {
    /// How many requests had no answer between ends that are not watched.
    pub(crate) fn unwatched(&self) -> u64 {
        self.silence.unwatched
    }

    /// Processes an exchange that has ended; the hosts have all messages before its end.
    pub(super) fn observe_silence(&mut self, exchange: &Exchange, hosts: &Hosts) {
        self.silence.observe(exchange, hosts);
    }

    /// After the end of the capture: finds unanswered requests other than registrations.
    pub(super) fn conclude_silence(&mut self, hosts: &Hosts, receivers: &Receivers<'_>) {
        let silence = std::mem::take(&mut self.silence);
        let mut lists: Vec<_> =
            silence.lists.iter().filter(|(_, requests)| !requests.answered).collect();
        lists.sort_by_key(|((_, master), requests)| (requests.first, *master, requests.sender));
        for (&(_, master), requests) in lists {
            let is_unclear = receivers.is_unclear(master, requests.sender);
            if requests.errors.is_none() && (!requests.waited || is_unclear) {
                continue;
            }
            let rule =
                if requests.errors.is_some() { &MASTER_UNREACHABLE } else { &LIST_UNANSWERED };
            let key = FindingKey::new(rule, requests.sender).about(About::With(master));
            self.add_keyed(key, &requests.frames, || {
                let sent = match requests.count {
                    1 => "1 request for a list".to_owned(),
                    count => format!("{count} requests for lists"),
                };
                let (span, errors) = (span(requests.last - requests.first), requests.error_count());
                let doubt = receivers.doubt(requests.sender);
                format!("master {master}: no answer to {sent}{span}{errors}{doubt}")
            });
        }
        let mut servers: Vec<_> = silence.servers.iter().collect();
        servers.sort_by_key(|(server, requests)| (requests.first, *server));
        for (&server, requests) in servers {
            let host = hosts.server(server);
            // Where servers were left out, this one may have answered.
            let may_have_answered = host.is_none() && hosts.left_out() > 0;
            if may_have_answered || has_answered(host) {
                continue;
            }
            let mut registrations = host.iter().flat_map(|host| &host.registrations);
            match registrations.find(|with| with.first_listed.is_some()) {
                Some(with) if requests.errors.is_some() => self.unreachable(server, with, requests),
                _ => self.unanswered(server, requests, receivers),
            }
        }
        self.silence = silence;
    }
}

impl Findings {
    /// A listed server where nobody is.
    fn unreachable(&mut self, server: SocketAddr, by: &RegistrationStats, requests: &Unanswered) {
        let key = FindingKey::new(&SERVER_UNREACHABLE, server).about(About::With(by.master));
        let listed = by.first_listed.map(Moment::frame);
        let frames: Vec<_> = listed.into_iter().chain(requests.frames.iter().copied()).collect();
        self.add_keyed(key, &frames, || {
            let sent = counted(requests.count, "request");
            let (span, errors) = (span(requests.last - requests.first), requests.error_count());
            format!("listed by {}, no answer to {sent}{span}{errors}", by.master)
        });
    }

    /// A server that was asked more than once, and from which nothing came.
    fn unanswered(&mut self, server: SocketAddr, requests: &Unanswered, receivers: &Receivers<'_>) {
        let is_unclear = receivers.is_unclear(server, requests.sender);
        if requests.count < ASKED || !requests.waited || is_unclear {
            return;
        }
        self.add_keyed(FindingKey::new(&QUERY_UNANSWERED, server), &requests.frames, || {
            let (span, errors) = (span(requests.last - requests.first), requests.error_count());
            let doubt = receivers.doubt(requests.sender);
            format!("no answer to {} requests{span}{errors}{doubt}", requests.count)
        });
    }
}

/// The addresses to which the capture has packets. If it has none to an address, maybe only one
/// direction was captured.
pub(super) struct Receivers<'a> {
    flows: &'a Flows,
    hosts: OnceCell<HashSet<IpAddr, RandomState>>,
    /// Pairs of endpoints with unrecognised packets between them.
    unclear: OnceCell<HashSet<[SocketAddr; 2], RandomState>>,
}

impl<'a> Receivers<'a> {
    pub fn new(flows: &'a Flows) -> Self {
        Self { flows, hosts: OnceCell::new(), unclear: OnceCell::new() }
    }

    /// Whether there are unrecognised packets in this direction: one of them may be the message
    /// that seems to be missing.
    pub fn is_unclear(&self, from: SocketAddr, to: SocketAddr) -> bool {
        self.unclear().contains(&[from, to])
    }

    /// A remark for findings if no packet to an address was captured.
    pub fn doubt(&self, to: SocketAddr) -> String {
        if self.hosts().contains(&to.ip()) {
            return String::new();
        }
        format!("; the capture has nothing that was sent to {}", to.ip())
    }

    fn unclear(&self) -> &HashSet<[SocketAddr; 2], RandomState> {
        self.unclear.get_or_init(|| {
            let mut pairs = HashSet::default();
            for (id, flow) in self.flows.iter().filter(|(_, flow)| flow.others > 0) {
                let Some([one, other]) = self.flows.endpoints(id) else {
                    continue;
                };
                let [there, back] = flow.traffic.map(|traffic| traffic.packets > 0);
                let (one, other) = (one.address, other.address);
                pairs.extend(there.then_some([one, other]));
                pairs.extend(back.then_some([other, one]));
            }
            pairs
        })
    }

    fn hosts(&self) -> &HashSet<IpAddr, RandomState> {
        self.hosts.get_or_init(|| {
            let mut hosts = HashSet::default();
            for (id, flow) in self.flows.iter() {
                let Some([one, other]) = self.flows.endpoints(id) else {
                    continue;
                };
                let [there, back] = flow.traffic.map(|traffic| traffic.packets > 0);
                // ICMP errors go to the sender of the packet.
                let errors = |forward| flow.errors().iter().any(|e| e.forward == forward);
                if there || errors(false) {
                    hosts.insert(other.address.ip());
                }
                if back || errors(true) {
                    hosts.insert(one.address.ip());
                }
            }
            hosts
        })
    }
}

/// `; port unreachable 4 times`; nothing without an error.
pub(super) fn error_count(error: Option<&str>, count: u64) -> String {
    match (error, count) {
        (None, _) | (_, 0) => String::new(),
        (Some(error), 1) => format!("; {error} once"),
        (Some(error), ERRORS..) => format!("; {error} {count} times or more"),
        (Some(error), _) => format!("; {error} {count} times"),
    }
}

/// ` in 1h`; nothing for less than a second.
pub(super) fn span(nanoseconds: i64) -> String {
    let seconds = (nanoseconds + SECOND / 2) / SECOND;
    if seconds > 0 { format!(" in {}", duration(seconds * SECOND)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_counts_as_words() {
        for (seconds, text) in [(0, ""), (1, " in 1s"), (119, " in 1m59s"), (7_200, " in 2h")] {
            assert_eq!(span(seconds * SECOND), text, "{seconds}");
        }
        let icmp = |count| error_count(Some("port unreachable"), count);
        assert_eq!(icmp(0), "");
        assert_eq!(icmp(1), "; port unreachable once");
        assert_eq!(icmp(4), "; port unreachable 4 times");
        assert_eq!(icmp(16), "; port unreachable 16 times or more");
    }
}
