//! Which servers were registered with which master, and when: the expected contents of lists.

use std::collections::HashMap;
use std::mem::discriminant;
use std::net::SocketAddr;

use analysis::{Exchange, ExchangeState};
use flow::Transport;
use protocol::ExchangeKind;

/// The maximum number of stored changes.
const CHANGES: usize = 1 << 22;

/// The registration of each server with each of its masters, over time.
#[derive(Debug, Default)]
pub struct RegistrationLog {
    of: HashMap<SocketAddr, Vec<WithMaster>>,
    changes: usize,
}

/// The registration of a server with a master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegistrationState {
    /// The master has received nothing of it.
    Unknown,
    /// It has sent a heartbeat, but not answered the challenge.
    Underway,
    /// Registered, at that time.
    Registered(i64),
    Gone,
    /// Different with several masters, and it is unknown which one is meant.
    Unclear,
}

/// The registration of a server with one master: each change with its time, in nanoseconds since
/// the Unix epoch.
#[derive(Debug)]
struct WithMaster {
    master: SocketAddr,
    changes: Vec<(i64, RegistrationState)>,
}

impl RegistrationLog {
    /// Adds a finished exchange.
    pub(super) fn add_exchange(&mut self, exchange: &Exchange) {
        let Some(server) = exchange.server else {
            return;
        };
        let key = (server, exchange.responder);
        match (exchange.kind, exchange.state) {
            (ExchangeKind::Registration, ExchangeState::Answered) => {
                self.add_registration(key, exchange.first, RegistrationState::Underway);
                let answered_at = exchange.last_reply.unwrap_or(exchange.last);
                self.add_registration(key, answered_at, RegistrationState::Registered(answered_at));
            }
            (ExchangeKind::Registration, ExchangeState::OneWay) => {
                self.add_registration(
                    key,
                    exchange.first,
                    RegistrationState::Registered(exchange.first),
                );
            }
            (
                ExchangeKind::Registration,
                ExchangeState::Unanswered | ExchangeState::Incomplete | ExchangeState::Refused,
            ) => {
                self.add_registration(key, exchange.first, RegistrationState::Underway);
            }
            (ExchangeKind::Shutdown, _) => {
                self.add_registration(key, exchange.first, RegistrationState::Gone);
            }
            _ => {}
        }
    }

    fn add_registration(
        &mut self,
        (server, master): (SocketAddr, SocketAddr),
        time: i64,
        registration: RegistrationState,
    ) {
        if self.changes >= CHANGES {
            return;
        }
        self.changes += 1;
        let masters = self.of.entry(server).or_default();
        match masters.iter_mut().find(|with| with.master == master) {
            Some(with) => with.changes.push((time, registration)),
            None => masters.push(WithMaster { master, changes: vec![(time, registration)] }),
        }
    }

    /// Sorts after all exchanges have finished, in any order.
    pub(super) fn sort(&mut self) {
        let all = self.of.values_mut().flatten();
        all.for_each(|with| with.changes.sort_by_key(|(time, _)| *time));
    }

    /// The registration at a time with the master that lists at `lister`. Over TCP a master lists
    /// from another port than that of heartbeats: then the masters at the same address count.
    pub(super) fn at(
        &self,
        server: SocketAddr,
        (lister, transport): (SocketAddr, Transport),
        time: i64,
    ) -> RegistrationState {
        let masters = self.masters(server);
        if let Some(with) = masters.iter().find(|with| with.master == lister) {
            return with.at(time);
        }
        if transport == Transport::Udp {
            return RegistrationState::Unknown;
        }
        let here = masters.iter().filter(|with| with.master.ip() == lister.ip());
        let mut here = here.map(|with| with.at(time));
        let Some(first) = here.next() else {
            return RegistrationState::Unknown;
        };
        let agrees = |other: RegistrationState| discriminant(&other) == discriminant(&first);
        if here.all(agrees) { first } else { RegistrationState::Unclear }
    }

    /// The registration at a time if all its masters count as one: those of a recording are all
    /// replayed to one target.
    pub(super) fn at_any(&self, server: SocketAddr, time: i64) -> RegistrationState {
        let mut all: Vec<_> = self.masters(server).iter().flat_map(|w| &w.changes).collect();
        all.sort_by_key(|(time, _)| *time);
        fold(all.into_iter(), time)
    }

    /// Whether a server was registered with any master at a time.
    pub(super) fn is_registered(&self, server: SocketAddr, time: i64) -> bool {
        let mut all = self.masters(server).iter();
        all.any(|with| matches!(with.at(time), RegistrationState::Registered(_)))
    }

    fn masters(&self, server: SocketAddr) -> &[WithMaster] {
        self.of.get(&server).map(Vec::as_slice).unwrap_or_default()
    }
}

impl WithMaster {
    fn at(&self, time: i64) -> RegistrationState {
        fold(self.changes.iter(), time)
    }
}

/// The state that changes lead to at a time. A registration lasts while heartbeats continue.
fn fold<'a>(
    changes: impl Iterator<Item = &'a (i64, RegistrationState)>,
    time: i64,
) -> RegistrationState {
    let before = changes.take_while(|(at, _)| *at <= time).map(|(_, registration)| *registration);
    before.fold(RegistrationState::Unknown, |was, next| match (was, next) {
        (RegistrationState::Registered(_), RegistrationState::Underway) => was,
        _ => next,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: &str = "192.0.2.10:27960";
    const ONE: &str = "203.0.113.1:27950";
    const OTHER_PORT: &str = "203.0.113.1:27955";
    const OTHER_HOST: &str = "203.0.113.2:27950";
    const LIST_PORT: &str = "203.0.113.1:28900";

    fn end(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    /// From changes, by master, in any order.
    fn registrations(changes: &[(&str, i64, RegistrationState)]) -> RegistrationLog {
        let mut registrations = RegistrationLog::default();
        for (master, time, registration) in changes {
            registrations.add_registration((end(SERVER), end(master)), *time, *registration);
        }
        registrations.sort();
        registrations
    }

    #[test]
    fn every_master_has_its_own_registrations() {
        use RegistrationState::{Gone, Registered, Unclear, Underway, Unknown};
        let all = registrations(&[
            (OTHER_PORT, 30, Gone),
            (ONE, 10, Registered(10)),
            (OTHER_PORT, 10, Registered(10)),
            (ONE, 20, Underway),
            (OTHER_HOST, 15, Underway),
        ]);
        for (master, transport, time, registration) in [
            (ONE, Transport::Udp, 5, Unknown),
            (ONE, Transport::Udp, 10, Registered(10)),
            (ONE, Transport::Udp, 40, Registered(10)),
            (OTHER_PORT, Transport::Udp, 29, Registered(10)),
            (OTHER_PORT, Transport::Udp, 30, Gone),
            (OTHER_HOST, Transport::Udp, 40, Underway),
            (LIST_PORT, Transport::Udp, 40, Unknown),
            // Two masters at this address agree first, and then differ.
            (LIST_PORT, Transport::Tcp, 20, Registered(10)),
            (LIST_PORT, Transport::Tcp, 40, Unclear),
            ("203.0.113.2:28900", Transport::Tcp, 40, Underway),
            ("203.0.113.3:28900", Transport::Tcp, 40, Unknown),
        ] {
            let is = all.at(end(SERVER), (end(master), transport), time);
            assert_eq!(is, registration, "{master} {transport:?} {time}");
        }
        assert_eq!(all.at_any(end(SERVER), 20), Registered(10));
        assert_eq!(all.at_any(end(SERVER), 30), Gone);
        assert!(all.is_registered(end(SERVER), 30));
        assert!(!all.is_registered(end(SERVER), 9));
        assert_eq!(all.at(end(ONE), (end(ONE), Transport::Udp), 40), Unknown);
    }
}
