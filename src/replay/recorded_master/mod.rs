//! A recorded master for live clients: it answers each request as the master of a capture did.
//!
//! [`RecordedMaster`] has no sockets and no clock; `master::RunningMaster` receives, limits and
//! sends. `endpoints` chooses which masters of a capture are played, `played` takes from the
//! transcript what each message was answered with, `matching` finds the recorded message for a live
//! one, `echo` puts the live sender's own values (challenges, tokens) into the recorded answer, and
//! `pending` keeps what is due later.
//!
//! Which fields decide is not known by message: they follow from the roles of fields and from the
//! kind of exchange.

mod echo;
mod endpoints;
mod matching;
mod pending;
mod played;
mod values;

use std::net::IpAddr;

use thiserror::Error;

use super::Pace;
use super::address_names::{AddressNames, HostNetwork, Mapping};
use super::transcript::Transcript;
use crate::codec::Scratch;
use crate::master::{AnswerSize, DueReply, IncomingDatagram, RecordedAnswers, RecordedPort};
use crate::protocol::Reading;
use crate::render::quoted;
use crate::text::counted;
use echo::EchoedValues;
use endpoints::PlayedEndpoints;
use matching::{MatchOutcome, PlayedRequests};
use pending::{LineLimit, PendingReplies};
use played::{ReplyPort, read_requests};
use values::LiveRequest;

pub use endpoints::MasterAddress;

/// The maximum number of shown bytes of a datagram that is no message.
const SHOWN: usize = 40;

/// How a recorded master is played.
#[derive(Debug, Default)]
pub struct PlayOptions {
    /// Which of the recorded masters; `None`: all that answered something.
    pub master: Option<MasterAddress>,
    /// Replaces addresses in messages.
    pub mappings: Vec<Mapping>,
    /// What stands in place of the addresses that no mapping names, at most one of each family.
    pub others: Vec<HostNetwork>,
    /// The delays between requests and answers; `None`: answers are sent at once.
    pub pace: Option<Pace>,
    /// Recorded ports, and the ports to listen on in place of them.
    pub ports: Vec<(u16, u16)>,
}

/// Why no recorded master can be played.
#[derive(Debug, Error)]
pub enum PlayError {
    #[error("no master in the capture answers a request over UDP{hint}")]
    NoMaster { hint: &'static str },
    #[error(
        "no master at {wanted} answers a request over UDP in the capture; those that do: {known}"
    )]
    Unknown { wanted: MasterAddress, known: String },
    #[error("several recorded masters have port {port}; choose one with --master: {masters}")]
    SamePort { port: u16, masters: String },
    #[error("--port {port}: no recorded master has this port; those that are there: {known}")]
    UnknownPort { port: u16, known: String },
}

/// What a recorded master did with a datagram, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayEvent {
    /// It was answered as in the recording, or the recording has no answer to it.
    Played(String),
    /// A request was not answered: the recording does not have it, or has no answer to it.
    NotAnswered(String),
}

/// A recorded master.
pub struct RecordedMaster {
    endpoints: PlayedEndpoints,
    requests: PlayedRequests,
    pending: PendingReplies,
    report: Box<dyn FnMut(PlayEvent) + Send>,
    lines: LineLimit,
    /// What of the recording is not played, one line each.
    notes: Vec<String>,
    reading: Reading,
    scratch: Scratch,
}

impl RecordedMaster {
    /// A master with the answers of a recording; `report` is called for each datagram.
    ///
    /// # Errors
    ///
    /// If the recording has no master that answers, or it is unclear which one to play.
    pub fn new(
        transcript: &Transcript,
        options: &PlayOptions,
        report: Box<dyn FnMut(PlayEvent) + Send>,
    ) -> Result<Self, PlayError> {
        let endpoints = PlayedEndpoints::choose(transcript, options)?;
        let mut names = AddressNames { others: options.others.clone(), ..AddressNames::default() };
        for Mapping { old, new } in &options.mappings {
            names.add(*old, *new);
        }
        let mut reading = Reading::default();
        let (requests, left_out) =
            read_requests(transcript, &endpoints, &names, options.pace, &mut reading);
        Ok(Self {
            endpoints,
            requests: PlayedRequests::new(requests),
            pending: PendingReplies::default(),
            report,
            lines: LineLimit::default(),
            notes: left_out.notes(),
            reading,
            scratch: Scratch::default(),
        })
    }

    /// What of the recording is not played, one line each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn report(&mut self, now: i64, event: PlayEvent) {
        let (is_shown, left_out) = self.lines.admits(now);
        if left_out > 0 {
            let lines = counted(left_out, "line");
            (self.report)(PlayEvent::NotAnswered(format!(
                "{lines} left out: too many in a second"
            )));
        }
        if is_shown {
            (self.report)(event);
        }
    }

    /// Makes the answer of a recorded request due; returns its size.
    fn play(
        &mut self,
        incoming: &IncomingDatagram<'_>,
        live: &LiveRequest,
        index: usize,
    ) -> AnswerSize {
        let mut size = AnswerSize::default();
        let Some(request) = self.requests.serve(index) else {
            return size;
        };
        let echoed = EchoedValues::new(request, live);
        for reply in &request.replies {
            let bytes = echoed.apply(reply.entry, &reply.bytes, &mut self.scratch);
            let mut to = incoming.from;
            if reply.port == ReplyPort::Named {
                to.set_port(live.named_port.unwrap_or(to.port()));
            }
            let (length, local) = (bytes.len(), incoming.local);
            let due = incoming.now.saturating_add_unsigned(reply.delay);
            if self.pending.push(due, DueReply { recorded: reply.from, local, to, bytes }) {
                size.datagrams += 1;
                size.bytes += length;
            }
        }
        size
    }
}

impl RecordedAnswers for RecordedMaster {
    fn ports(&self, local: IpAddr) -> Vec<RecordedPort> {
        self.endpoints.ports(local)
    }

    fn take(&mut self, incoming: &IncomingDatagram<'_>) -> AnswerSize {
        let IncomingDatagram { now, recorded, from, payload, .. } = *incoming;
        let Some(entry) = self.requests.recognise(recorded, payload) else {
            let bytes = counted(payload.len() as u64, "byte");
            let text = quoted(payload, SHOWN);
            let line = format!("no answer to {from}: {bytes} that are no message: \"{text}\"");
            self.report(now, PlayEvent::NotAnswered(line));
            return AnswerSize::default();
        };
        let live = LiveRequest::read(&mut self.reading, entry, payload);
        let name = live.name();
        let outcome = self.requests.find(recorded, &live);
        let what = match outcome {
            MatchOutcome::Answered(index) => {
                let number = self.requests.number(index);
                let size = self.play(incoming, &live, index);
                let datagrams = counted(size.datagrams as u64, "datagram");
                let line = format!("{from}: {name}: {datagrams} as for frame {number}");
                self.report(now, PlayEvent::Played(line));
                return size;
            }
            MatchOutcome::Unanswered { number } => {
                format!("{name}: the recorded master did not answer it either (frame {number})")
            }
            MatchOutcome::Differs(difference) => format!("{name}: {difference}"),
            MatchOutcome::NotRecorded { known } => {
                format!("{name}: it was not recorded; recorded are {}", known.join(", "))
            }
        };
        self.report(
            now,
            if live.wants_answer() {
                PlayEvent::NotAnswered(format!("no answer to {from}: {what}"))
            } else {
                PlayEvent::Played(format!("{from}: {what}"))
            },
        );
        AnswerSize::default()
    }

    fn next_due(&self) -> Option<i64> {
        self.pending.next_due()
    }

    fn pop_due(&mut self, now: i64) -> Option<DueReply> {
        self.pending.pop_due(now)
    }
}
