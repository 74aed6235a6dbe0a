//! Which kind of master a target is: from its port, else from an earlier run, else by asking.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::list_answer::ListFailure;
use super::master_client::MasterClient;
use simulate::families::{ListMessages, ListSelection, MasterMessages, master_kinds};
use simulate::{Pacer, Target};

/// How long each kind of request may take to be answered.
const PATIENCE: Duration = Duration::from_secs(1);

/// How the kind of a master is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KindSource {
    /// The user named the profile.
    Profile,
    /// Masters of no other kind have this port.
    Port,
    /// It was known in an earlier run.
    History,
    /// It answered a request of this kind.
    Asked,
}

/// The kinds that a port and an answer can tell: those that have this port, else all. Of kinds with
/// the same lists at one port, it is the one whose variants the others are.
pub(super) fn candidates(port: Option<u16>) -> Vec<&'static MasterMessages> {
    let of_port: Vec<_> = master_kinds().filter(|kind| Some(kind.port) == port).collect();
    if of_port.is_empty() {
        return master_kinds().filter(|kind| kind.variant_of.is_none()).collect();
    }
    let is_there = |profile| of_port.iter().any(|other| other.profile == profile);
    let has_original = |kind: &MasterMessages| kind.variant_of.is_some_and(is_there);
    of_port.iter().filter(|kind| !has_original(kind)).copied().collect()
}

/// By what a kind is known, in words.
pub fn known_by(kind: &MasterMessages) -> &'static str {
    let of_port = candidates(Some(kind.port));
    let is_one = of_port.iter().any(|one| one.profile == kind.profile);
    match (is_one, of_port.len() == 1, kind.variant_of.is_none()) {
        (false, ..) => "`--profile` alone",
        (true, true, true) => "port, else answer",
        (true, true, false) => "port",
        (true, false, true) => "answer",
        (true, false, false) => "answer at its port",
    }
}

/// Whether lists of a kind come over a connection.
fn is_connected(kind: &MasterMessages) -> bool {
    matches!(kind.list, ListMessages::Connection(_))
}

/// Asks one target which kind it is.
#[derive(Debug, Default)]
pub struct KindSearch {
    /// How many kinds were asked for.
    asked: usize,
}

impl KindSearch {
    /// The kind that the port of a target tells.
    pub fn by_port(target: &Target) -> Option<&'static MasterMessages> {
        match candidates(target.port()).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The kind of a target; `None` if it answers no request.
    ///
    /// It gets one request for a list of each kind that its port leaves open, one after the other,
    /// until it answers: datagrams first, then connections, of which no more are tried at a port that
    /// accepts none. No further kind is asked for when `budget` is over; the next search goes on
    /// behind the last one.
    ///
    /// # Errors
    /// If the target cannot be reached from here.
    pub fn ask(
        &mut self,
        target: &Target,
        selection: &ListSelection,
        timeout: Duration,
        budget: Option<Duration>,
    ) -> io::Result<Option<&'static MasterMessages>> {
        let begun = Instant::now();
        let mut candidates = candidates(target.port());
        candidates.sort_by_key(|kind| is_connected(kind));
        let (pacer, timeout) = (target.limit().map(Pacer::new), timeout.min(PATIENCE));
        let mut closed = BTreeSet::new();
        for _ in 0..candidates.len() {
            if budget.is_some_and(|budget| begun.elapsed() >= budget) {
                break;
            }
            let Some(kind) = candidates.get(self.asked % candidates.len()) else { break };
            self.asked += 1;
            let at = target.at(kind.port);
            let is_closed = is_connected(kind) && closed.contains(&at);
            if is_closed || kind.ipv4_only.is_some() && target.is_ipv6() {
                continue;
            }
            let client = MasterClient::open(target, kind, selection.clone())?;
            match client.request(timeout, pacer.as_ref(), None)? {
                Ok(_) => return Ok(Some(kind)),
                Err(ListFailure::NoConnection) => _ = closed.insert(at),
                Err(_) => {}
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_one_kind_need_no_question() {
        for (port, expected) in [
            (27950, &["quake3"][..]),
            (27900, &["quake2"]),
            (27650, &["doom3"]),
            (29060, &["jedi-academy"]),
            (27011, &["source"]),
            (28902, &["ut2004"]),
            (28910, &["qr2"]),
            (27010, &["half-life", "xash3d"]),
            // One over UDP, the other over TCP.
            (28900, &["heretic2", "gamespy"]),
        ] {
            let names: Vec<_> = candidates(Some(port)).iter().map(|kind| kind.profile).collect();
            assert_eq!(names, expected, "{port}");
        }
        let all = candidates(None);
        assert_eq!(candidates(Some(1)).len(), all.len());
        assert!(all.iter().all(|kind| kind.variant_of.is_none()) && all.len() > 10);
    }
}
