//! A recorded master for live clients: it answers each request as the master of a capture did.
//!
//! [`RecordedMaster`] has no sockets and no clock; `master::RunningMaster` receives, limits and
//! sends. `endpoints` chooses which masters of a capture are played, `request_reader` takes from the
//! transcript what each message was answered with (`played`), `matching` finds the recorded message
//! for a live one, `echo` puts the live sender's own values (challenges, tokens) into the recorded
//! answer, and `pending` keeps the datagrams that are due later. `live_stream` has the TCP
//! connections, with what is due on each, `stream_answers` answers on them.
//!
//! Which fields decide is not known by message: they follow from the roles of fields and from the
//! kind of exchange.

mod echo;
mod endpoints;
mod live_stream;
mod matching;
mod pending;
mod played;
mod request_reader;
mod stream_answers;
mod values;

use std::net::{IpAddr, SocketAddr};

use thiserror::Error;

use super::Pace;
use super::address_names::{AddressNames, HostNetwork, Mapping};
use super::transcript::Transcript;
use codec::Scratch;
use echo::EchoedValues;
use endpoints::PlayedEndpoints;
use live_stream::LiveStreams;
use masters::{
    AnswerSize, ClientAction, DueReply, IncomingDatagram, RecordedAnswers, RecordedPort,
    StreamProgress,
};
use matching::{MatchOutcome, PlayedRequests, StreamHistory};
use pending::{LineLimit, PendingReplies};
use played::{PlayedMessages, ReplyPort};
use protocol::{Carrier, Reading};
use render::quoted;
use request_reader::RequestReader;
use stream_answers::PlayedConnections;
use text::counted;
use values::LiveRequest;

pub use endpoints::MasterAddress;

/// The maximum number of shown bytes of what is no message.
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
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum PlayError {
    #[error("no master in the capture answers a request")]
    NoMaster,
    #[error("no master at {wanted} answers a request in the capture; those that do: {known}")]
    Unknown { wanted: MasterAddress, known: String },
    #[error("several recorded masters have port {port}; choose one with --master: {masters}")]
    SamePort { port: u16, masters: String },
    #[error("--port {port}: no recorded master has this port; those that are there: {known}")]
    UnknownPort { port: u16, known: String },
}

/// What a recorded master did with a message, or with a connection, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayEvent {
    /// It was answered as in the recording, or the recording has no answer to it.
    Played(String),
    /// A request was not answered: the recording does not have it, or has no answer to it.
    NotAnswered(String),
}

/// What bytes of a client are that have no answer.
#[derive(Debug, Clone, Copy)]
enum UnreadBytes<'a> {
    NoMessage(&'a [u8]),
    /// So many, perhaps of a message whose end has not come: it is not known which are secret.
    Incomplete(usize),
}

/// A recorded master.
pub struct RecordedMaster {
    endpoints: PlayedEndpoints,
    requests: PlayedRequests,
    pending: PendingReplies,
    stream_requests: PlayedRequests,
    connections: PlayedConnections,
    streams: LiveStreams,
    report: Box<dyn FnMut(PlayEvent) + Send>,
    lines: LineLimit,
    /// What of the recording is not played, one line each.
    notes: Vec<String>,
    reading: Reading,
    scratch: Scratch,
}

impl RecordedMaster {
    /// A master with the answers of a recording; `report` is called for each message.
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
            names.add_name(*old, *new);
        }
        let mut reading = Reading::default();
        let reader = RequestReader {
            transcript,
            endpoints: &endpoints,
            names: &names,
            pace: options.pace,
            reading: &mut reading,
        };
        let PlayedMessages { datagrams, streams, connections, left_out } = reader.read_requests();
        Ok(Self {
            endpoints,
            requests: PlayedRequests::new(Carrier::Datagram, datagrams),
            pending: PendingReplies::default(),
            stream_requests: PlayedRequests::new(Carrier::Stream, streams),
            connections: PlayedConnections::new(connections),
            streams: LiveStreams::default(),
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

    /// Reports bytes that are no message, or not all of one.
    fn report_unread(&mut self, now: i64, from: SocketAddr, unread: UnreadBytes<'_>) {
        let bytes = |count: usize| counted(count as u64, "byte");
        let what = match unread {
            UnreadBytes::NoMessage(unread) => {
                let shown = quoted(unread, SHOWN);
                format!("{} that are no message: \"{shown}\"", bytes(unread.len()))
            }
            UnreadBytes::Incomplete(count) => format!("{} that are no whole message", bytes(count)),
        };
        let line = format!("no answer to {from}: {what}");
        self.report(now, PlayEvent::NotAnswered(line));
    }

    /// Reports a message that the recording has no answer to.
    fn report_unanswered(
        &mut self,
        now: i64,
        from: SocketAddr,
        live: &LiveRequest,
        why: &dyn std::fmt::Display,
    ) {
        let name = live.name();
        let event = if live.wants_answer() {
            PlayEvent::NotAnswered(format!("no answer to {from}: {name}: {why}"))
        } else {
            PlayEvent::Played(format!("{from}: {name}: {why}"))
        };
        self.report(now, event);
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

    fn take_datagram(&mut self, incoming: &IncomingDatagram<'_>) -> AnswerSize {
        let IncomingDatagram { now, recorded, from, payload, .. } = *incoming;
        let Some(entry) = self.requests.recognise(recorded, payload) else {
            self.report_unread(now, from, UnreadBytes::NoMessage(payload));
            return AnswerSize::default();
        };
        let live = LiveRequest::read_payload(&mut self.reading, entry, payload);
        let outcome = self.requests.find(recorded, &live, StreamHistory::NONE);
        let MatchOutcome::Answered(index) = outcome else {
            self.report_unanswered(now, from, &live, &outcome);
            return AnswerSize::default();
        };
        let (name, number) = (live.name(), self.requests.number(index));
        let size = self.play(incoming, &live, index);
        let datagrams = counted(size.datagrams as u64, "datagram");
        let line = format!("{from}: {name}: {datagrams} as for frame {number}");
        self.report(now, PlayEvent::Played(line));
        size
    }

    fn take_action(&mut self, connection: u64, now: i64, action: ClientAction<'_>) {
        match action {
            ClientAction::Connected { recorded, from } => {
                self.connect(connection, now, recorded, from);
            }
            ClientAction::Sent(bytes) => self.receive(connection, now, bytes),
            ClientAction::Finished => self.finish(connection, now),
            ClientAction::Left => self.leave(connection, now),
        }
    }

    fn next_due(&self) -> Option<i64> {
        self.pending.next_due().into_iter().chain(self.streams.next_due()).min()
    }

    fn pop_due(&mut self, now: i64) -> Option<DueReply> {
        for (from, count) in self.streams.reports_due(now) {
            self.report_unread(now, from, UnreadBytes::Incomplete(count));
        }
        self.pending.pop_due(now)
    }

    fn send_due(&mut self, connection: u64, now: i64, out: &mut Vec<u8>) -> StreamProgress {
        self.streams.send_due(connection, now, out)
    }
}
