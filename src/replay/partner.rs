//! Responders: the recorded endpoints' answers to requests of the live master.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use super::account::Transcript;
use super::composed::{ComposedQuestion, completed, composed};
use super::fields;
use super::repertoire::RecordedAnswer;
use super::stage::ReplaySockets;
use crate::codec::{Leaf, Scratch};
use crate::protocol::{Carrier, Direction, Entry, Reading, Role};

/// The maximum number of kinds of composed answers that are reported.
const TOLD: usize = 1 << 16;

/// An endpoint's state while sending: the time in the recording, and whether it has shut down.
#[derive(Default)]
pub(super) struct SenderPosition {
    /// Nanoseconds since the Unix epoch, in the recording.
    pub time: AtomicI64,
    pub gone: AtomicBool,
}

/// All responders.
pub(super) struct Partners<'a> {
    account: &'a Transcript,
    stage: &'a ReplaySockets,
    places: &'a [SenderPosition],
    reading: Reading,
    scratch: Scratch,
    pub made_up: MadeUp,
}

/// Answers that are not in the recording, by endpoint and message, with their number.
pub type MadeUp = BTreeMap<(SocketAddr, &'static str, Making), u64>;

/// How an answer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Making {
    /// A recorded one with the challenge inserted.
    Completed,
    /// None was recorded.
    Composed,
    /// No answer: the request is unknown to this endpoint, or cannot be answered.
    Silent,
}

impl<'a> Partners<'a> {
    pub fn new(
        account: &'a Transcript,
        stage: &'a ReplaySockets,
        places: &'a [SenderPosition],
    ) -> Self {
        let (reading, scratch) = (Reading::default(), Scratch::default());
        Self { account, stage, places, reading, scratch, made_up: MadeUp::new() }
    }

    /// The answer of this socket's endpoint to the master's message; `None` if that is no request,
    /// or if the server has shut down.
    pub fn answer(&mut self, place: usize, heard: &[u8]) -> Option<Vec<u8>> {
        let end = self.stage.end(place)?;
        let asked = self.question(end, heard)?;
        let now = self.places.get(place)?;
        if now.gone.load(Ordering::Relaxed) {
            return None;
        }
        let challenge = fields::challenge(&mut self.reading, asked, heard);
        let question =
            ComposedQuestion { entry: asked, bytes: heard, challenge: challenge.as_deref() };
        let time = now.time.load(Ordering::Relaxed);
        let recorded = self.recorded(end, &question, time);
        let found = recorded.or_else(|| {
            let ends = self.account.repertoire.of_host(end);
            let (entry, bytes) = composed(&mut self.reading, ends, &question)?;
            Some((entry, bytes, Some(Making::Composed)))
        });
        let Some((entry, answer, made)) = found else {
            self.queue(end, asked, Making::Silent);
            return None;
        };
        if let Some(made) = made {
            self.queue(end, entry, made);
        }
        Some(answer)
    }

    /// The request in a master's message, in a protocol of the endpoint.
    fn question(&self, end: SocketAddr, heard: &[u8]) -> Option<&'static Entry> {
        let way = Direction { from: Some(Role::Master), to: Some(Role::Server) };
        let ends = self.account.repertoire.end(end).into_iter();
        let mut spoken =
            ends.chain(self.account.repertoire.of_host(end)).flat_map(|e| &e.protocols);
        let asked = spoken.find_map(|p| p.recognise(Carrier::Datagram, heard, way))?;
        (asked.is_request() && asked.spec.allows(way)).then_some(asked)
    }

    /// The best recorded answer: the next one in the recording, else the last.
    fn recorded(
        &mut self,
        end: SocketAddr,
        question: &ComposedQuestion<'_>,
        time: i64,
    ) -> Option<(&'static Entry, Vec<u8>, Option<Making>)> {
        let account = self.account;
        let known = account.repertoire.end(end)?;
        let wanted = question.entry.spec.name_of(question.bytes, None);
        let fits = |answer: &&RecordedAnswer| {
            let spec = &answer.entry.spec;
            answer.entry.protocol == question.entry.protocol
                && spec.answers.contains(&question.entry.spec.id)
                && (spec.named.is_none() || spec.name_of(&answer.bytes, None) == wanted)
        };
        let mut all: Vec<_> = known.answers.iter().filter(fits).collect();
        // Those to masters first; of them the next one, then the one before that.
        all.sort_by_key(|a| {
            let ago = time.saturating_sub(a.time);
            (!a.to_master, ago > 0, ago.saturating_abs())
        });
        for answer in &all {
            let said = self.edited(end, answer, question)?;
            let brings = question.is_answered(&mut self.reading, answer.entry, &said);
            // An endpoint that left the challenge out before does so again.
            if brings || answer.to_master && answer.challenged == Some(true) {
                return Some((answer.entry, said, None));
            }
        }
        all.into_iter().find_map(|answer| {
            let said = self.edited(end, answer, question)?;
            let whole = completed(&mut self.reading, answer.entry, &said, question)?;
            Some((answer.entry, whole, Some(Making::Completed)))
        })
    }

    /// A recorded answer with the challenge and the addresses of the run.
    fn edited(
        &mut self,
        end: SocketAddr,
        answer: &RecordedAnswer,
        question: &ComposedQuestion<'_>,
    ) -> Option<Vec<u8>> {
        let (stage, entry, own) = (self.stage, answer.entry, &answer.bytes);
        let mut change =
            |leaf: &Leaf<'_>| question.change(entry, own, leaf).or_else(|| stage.change(leaf, end));
        let mut said = Vec::new();
        (entry.edit)(own, &mut self.scratch, &mut change, &mut said).ok()?;
        Some(said)
    }

    fn queue(&mut self, end: SocketAddr, entry: &'static Entry, made: Making) {
        let key = (end, entry.spec.name, made);
        if self.made_up.len() < TOLD || self.made_up.contains_key(&key) {
            *self.made_up.entry(key).or_insert(0) += 1;
        }
    }
}
