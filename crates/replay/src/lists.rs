//! Compares lists of servers as sets: a replay can only expect servers that it has registered
//! itself.

use std::net::SocketAddr;

use super::list_answer::{LONG_AGO, ListAnswer};
use super::recorded_messages::RecordedRequest;
use super::registration::RegistrationState;
use super::ruling::{Difference, Ruling};
use super::run_context::RunContext;
use super::values::CUT;
use analysis::is_private;
use protocol::{Reading, harmless};
use text::Secrets;

/// Why it is undecidable whether a list should have a server.
const UNCLEAR: &str = "two masters at that address have it, and the list is from one of them";

/// Two list requests, to compare their responses.
pub(super) struct ListPair<'a> {
    pub cx: &'a RunContext<'a>,
    pub recorded: &'a RecordedRequest,
    pub live: &'a RecordedRequest,
    /// When the list was requested, in nanoseconds from the start of the run.
    pub at: u64,
}

impl ListPair<'_> {
    /// The differences between the recorded and the live list.
    pub fn compare(
        &self,
        was: &ListAnswer,
        is: &ListAnswer,
        reading: &mut Reading,
        differences: &mut Vec<Difference>,
    ) {
        differences.extend(end_differs(was, is, self.cx.secrets));
        let sizes = format!("(recorded {}, now {} servers)", was.len(), is.len());
        for server in was.servers().filter(|server| !is.servers.contains_key(server)) {
            let text = format!("{server} is not listed {sizes}");
            differences.push(Difference::new("missing", self.missing(server), text));
        }
        for server in is.servers().filter(|server| !was.servers.contains_key(server)) {
            let text = format!("{server} is listed {sizes}");
            let ruling = if was.cut {
                Ruling::NotCompared(CUT.to_owned())
            } else {
                self.extra(server, reading).or(|| Ruling::not_compared(translated(server, was)))
            };
            differences.push(Difference::new("extra", ruling, text));
        }
        for (server, count) in &is.servers {
            let before = was.servers.get(server).copied().unwrap_or(1).max(1);
            if *count > before {
                let text = format!("{server} is listed {count} times {sizes}");
                differences.push(Difference::new("doubled", Ruling::Unexpected, text));
            }
        }
    }

    /// The ruling on a server that is no longer listed.
    fn missing(&self, server: SocketAddr) -> Ruling {
        let reason = match self.cx.outcome.run.registrations.at_any(server, self.live.time) {
            // A replay without pauses requests lists before servers can answer.
            RegistrationState::Registered(_)
                if self.cx.outcome.answered_at.get(&server) > Some(&self.at) =>
            {
                Some("its registration was not complete")
            }
            RegistrationState::Registered(_) => None,
            RegistrationState::Unknown => Some("it did not register in this replay"),
            RegistrationState::Underway => Some("its registration was not complete"),
            RegistrationState::Gone => Some("it had shut down"),
            RegistrationState::Unclear => Some(UNCLEAR),
        };
        Ruling::allowed(reason).or(|| Ruling::not_compared(self.reason_in_replay(server)))
    }

    /// Why a server may not be listed as before: its replay differs from the recording.
    fn reason_in_replay(&self, server: SocketAddr) -> Option<&'static str> {
        if self.cx.sockets.is_crossed(server) {
            return Some("it is replayed from an address of the other family");
        }
        let is_cut = self.cx.transcript.recorded_replies.is_cut(server);
        is_cut.then_some("its messages to the master are cut in the recording")
    }

    /// The ruling on a server that is listed only in the run.
    fn extra(&self, server: SocketAddr, reading: &mut Reading) -> Ruling {
        let answered =
            |request: &RecordedRequest| request.replies.last().map_or(request.time, |r| r.time);
        let came = answered(self.recorded);
        let recorded = &self.cx.transcript.registrations;
        let then = recorded.at(server, (self.recorded.to, self.recorded.transport), came);
        let now = self.cx.outcome.run.registrations.at_any(server, answered(self.live));
        let elsewhere = (then == RegistrationState::Unknown
            && recorded.is_registered(server, came))
        .then_some("it was registered with another master in the recording");
        let reason = match (then, now) {
            (RegistrationState::Registered(at), _) => (self.recorded.time - at > LONG_AGO)
                .then_some("it had been silent for long when that was recorded"),
            (RegistrationState::Gone, RegistrationState::Registered(_)) => {
                Some("it had shut down when the recorded list came")
            }
            (RegistrationState::Unclear, _) => Some(UNCLEAR),
            (_, RegistrationState::Registered(_)) if elsewhere.is_some() => None,
            (_, RegistrationState::Registered(_)) => {
                Some("its registration failed in the recording")
            }
            _ if self.cx.hosts.contains(&server.ip()) => None,
            _ => Some("it registered with the target elsewhere"),
        };
        let ruling = Ruling::allowed(reason).or(|| {
            let restart = self.cx.restarts.reason_missing(self.recorded, server, came, reading);
            Ruling::not_compared(restart.or_else(|| self.reason_in_replay(server)))
        });
        ruling.or(|| Ruling::allowed(elsewhere))
    }
}

/// Why a server of a private network is in the recorded list under another address, if one there has
/// its port.
fn translated(server: SocketAddr, was: &ListAnswer) -> Option<&'static str> {
    let is_it = |other: SocketAddr| other.port() == server.port() && !is_private(other.ip());
    let is_there = is_private(server.ip()) && was.servers().any(is_it);
    is_there.then_some("a router replaced its address in the recording")
}

/// The difference between the ends of two lists.
fn end_differs(was: &ListAnswer, is: &ListAnswer, secrets: Secrets) -> Option<Difference> {
    if !was.ends || !is.ends || was.end == is.end {
        return None;
    }
    let (ruling, text) = match (&was.end, &is.end) {
        (Some(_), None) => {
            (Ruling::Unexpected, "the list does not say that it is complete".to_owned())
        }
        (None, _) if was.cut => {
            (Ruling::NotCompared(CUT.to_owned()), "the recording lacks the end".to_owned())
        }
        (None, _) => (
            Ruling::allowed(Some("the recording has no end mark")),
            "the list says that it is complete".to_owned(),
        ),
        (Some(was), Some(is)) => (
            Ruling::allowed(Some("another form of the end mark")),
            format!("recorded {}, now {}", harmless(was, secrets), harmless(is, secrets)),
        ),
    };
    Some(Difference::new("end", ruling, text))
}
