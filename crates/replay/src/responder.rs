//! Responders: the recorded endpoints' answers to requests of the live master.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::composed::{ComposedQuestion, completed, composed};
use super::recorded_replies::RecordedAnswer;
use super::sockets::ReplaySockets;
use super::transcript::Transcript;
use codec::{Leaf, Scratch};
use protocol::{Carrier, Direction, Entry, Reading, Role};
use render::challenge_of;

/// The maximum number of kinds of composed answers that are reported.
const MAX_COMPOSED: usize = 1 << 16;

/// An endpoint's state while sending: the time in the recording, and whether it has shut down.
#[derive(Default)]
pub(super) struct SenderPosition {
    /// Nanoseconds since the Unix epoch, in the recording.
    pub time: AtomicI64,
    pub has_shut_down: AtomicBool,
}

/// All responders.
pub(super) struct Responders<'a> {
    transcript: &'a Transcript,
    sockets: &'a ReplaySockets,
    positions: &'a [SenderPosition],
    reading: Reading,
    scratch: Scratch,
    pub composed_answers: ComposedAnswers,
}

/// Answers that are not in the recording, by endpoint and message, with their number.
pub(crate) type ComposedAnswers = BTreeMap<(SocketAddr, &'static str, AnswerSource), u64>;

/// How an answer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
/// How an answer was made.
pub enum AnswerSource {
    /// A recorded one with the challenge inserted.
    Completed,
    /// None was recorded.
    Composed,
    /// No answer: the request is unknown to this endpoint, or cannot be answered.
    Silent,
}

impl<'a> Responders<'a> {
    pub fn new(
        transcript: &'a Transcript,
        sockets: &'a ReplaySockets,
        positions: &'a [SenderPosition],
    ) -> Self {
        let (reading, scratch) = (Reading::default(), Scratch::default());
        Self {
            transcript,
            sockets,
            positions,
            reading,
            scratch,
            composed_answers: ComposedAnswers::new(),
        }
    }

    /// The answer of this socket's endpoint to the master's message; `None` if that is no request,
    /// or if the server has shut down.
    pub fn answer(&mut self, socket: usize, received: &[u8]) -> Option<Vec<u8>> {
        let end = self.sockets.end(socket)?;
        let entry = self.request(end, received)?;
        let now = self.positions.get(socket)?;
        if now.has_shut_down.load(Ordering::Relaxed) {
            return None;
        }
        let challenge = challenge_of(&mut self.reading, entry, received);
        let request = ComposedQuestion { entry, bytes: received, challenge: challenge.as_deref() };
        let time = now.time.load(Ordering::Relaxed);
        let recorded = self.recorded(end, &request, time);
        let found = recorded.or_else(|| {
            let ends = self.transcript.recorded_replies.of_host(end);
            let (entry, bytes) = composed(&mut self.reading, ends, &request)?;
            Some((entry, bytes, Some(AnswerSource::Composed)))
        });
        let Some((entry, answer, source)) = found else {
            self.count(end, request.entry, AnswerSource::Silent);
            return None;
        };
        if let Some(source) = source {
            self.count(end, entry, source);
        }
        Some(answer)
    }

    /// The request in a master's message, in a protocol of the endpoint.
    fn request(&self, end: SocketAddr, received: &[u8]) -> Option<&'static Entry> {
        let way = Direction { from: Some(Role::Master), to: Some(Role::Server) };
        let ends = self.transcript.recorded_replies.end(end).into_iter();
        let mut protocols =
            ends.chain(self.transcript.recorded_replies.of_host(end)).flat_map(|e| &e.protocols);
        let request =
            protocols.find_map(|p| protocols::recognise(p, Carrier::Datagram, received, way))?;
        (request.is_request() && request.spec.allows(way)).then_some(request)
    }

    /// The best recorded answer: the next one in the recording, else the last.
    fn recorded(
        &mut self,
        end: SocketAddr,
        request: &ComposedQuestion<'_>,
        time: i64,
    ) -> Option<(&'static Entry, Vec<u8>, Option<AnswerSource>)> {
        let transcript = self.transcript;
        let known = transcript.recorded_replies.end(end)?;
        let expected = request.entry.spec.name_of(request.bytes, None);
        let fits = |answer: &&RecordedAnswer| {
            let spec = &answer.entry.spec;
            answer.entry.protocol == request.entry.protocol
                && spec.answers.contains(&request.entry.spec.id)
                && (spec.named.is_none() || spec.name_of(&answer.bytes, None) == expected)
        };
        let mut all: Vec<_> = known.answers.iter().filter(fits).collect();
        // Those to masters first; of them the next one, then the one before that.
        all.sort_by_key(|a| {
            let ago = time.saturating_sub(a.time);
            (!a.to_master, ago > 0, ago.saturating_abs())
        });
        for answer in &all {
            let bytes = self.edited(end, answer, request)?;
            let has_proof = request.is_answered(&mut self.reading, answer.entry, &bytes);
            // An endpoint that left the challenge out before does so again.
            let left_out = answer.challenged == Some(true) && !answer.is_proof;
            if has_proof || answer.to_master && left_out {
                return Some((answer.entry, bytes, None));
            }
        }
        all.into_iter().find_map(|answer| {
            let bytes = self.edited(end, answer, request)?;
            let whole = completed(&mut self.reading, answer.entry, &bytes, request)?;
            Some((answer.entry, whole, Some(AnswerSource::Completed)))
        })
    }

    /// A recorded answer with the challenge and the addresses of the run.
    fn edited(
        &mut self,
        end: SocketAddr,
        answer: &RecordedAnswer,
        request: &ComposedQuestion<'_>,
    ) -> Option<Vec<u8>> {
        let (sockets, entry, own) = (self.sockets, answer.entry, &answer.bytes);
        let mut change = |leaf: &Leaf<'_>| {
            request.change(entry, own, leaf).or_else(|| sockets.change(leaf, end))
        };
        let mut payload = Vec::new();
        entry.edit(own, &mut self.scratch, &mut change, &mut payload).ok()?;
        Some(payload)
    }

    fn count(&mut self, end: SocketAddr, entry: &'static Entry, source: AnswerSource) {
        let key = (end, entry.spec.name, source);
        if self.composed_answers.len() < MAX_COMPOSED || self.composed_answers.contains_key(&key) {
            *self.composed_answers.entry(key).or_insert(0) += 1;
        }
    }
}
