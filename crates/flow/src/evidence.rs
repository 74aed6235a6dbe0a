//! Evidence for the game in messages: bounded, with the quotes that users are shown.

use super::Verdict;
use super::game_weights::GameWeights;
use super::room::{allocated, make_room};
use codec::{Anomaly, Coding, Field, Group, Kind, Shape, Sink};
use protocol::{Confidence, Entry, GameSet, Reading, RegisteredMessage, harmless};
use smallvec::SmallVec;
use text::Secrets;

/// How many reasons are kept per endpoint or flow.
const REASONS: usize = 8;
/// How many messages with evidence are read per endpoint or flow; later ones rarely add anything.
const READ: usize = 8;
/// How many bytes of a value are kept in a reason.
const VALUE: usize = 64;

/// A piece of evidence for a game, or for one of several that share it; the value of its field is
/// kept as `V`.
#[derive(Debug, Clone)]
pub struct Reason<V = Box<[u8]>> {
    /// The games that it indicates.
    pub games: GameSet,
    /// How strong it is.
    pub confidence: Confidence,
    /// The message that has it.
    pub entry: &'static Entry,
    /// The field and its value; none if the message type itself is the evidence.
    pub field: Option<(&'static str, V)>,
}

/// A reason as it is found in a message: most are known already, and need no memory of their own.
pub(super) type FoundReason = Reason<SmallVec<[u8; VALUE]>>;

/// The reasons of one endpoint or flow, from the first messages with evidence by time. The order in
/// which messages are added makes no difference.
#[derive(Debug, Default, Clone)]
pub(super) struct Evidence {
    /// Without repetitions, by the time of the message.
    reasons: Vec<TimedReason>,
    /// The messages that were read, by time.
    read: Vec<MessageAt>,
    /// Whether one of the reasons is conclusive.
    certain: bool,
}

/// The time of a message, in nanoseconds since the Unix epoch, and its declaration.
pub(super) type MessageAt = (i64, &'static Entry);

/// A reason, and where it is from.
#[derive(Debug, Clone)]
pub(super) struct TimedReason {
    time: i64,
    /// The number of the file of an earlier run; 0 for this run.
    pub file: u16,
    pub reason: Reason,
}

impl Evidence {
    /// Whether another message could add evidence.
    pub fn is_open(&self) -> bool {
        self.read.len() < READ && self.reasons.len() < REASONS && !self.certain
    }

    /// Whether a message can add nothing, because it is evidence only by its kind, and one of its
    /// kind was read: answers to pings must not take the places of messages that say more.
    pub fn has_kind(&self, message: &RegisteredMessage, time: i64) -> bool {
        let is_earlier = |(at, entry): &MessageAt| *entry == message.entry && *at <= time;
        is_kind(message) && self.read.iter().any(is_earlier)
    }

    /// Adds the evidence of a message, of this run or of a file of an earlier one. Messages after the
    /// first few, or after a conclusive one, do not count.
    pub fn add_reasons<V: AsRef<[u8]>>(
        &mut self,
        of: &RegisteredMessage,
        time: i64,
        reasons: &[Reason<V>],
        file: u16,
    ) {
        if self.has_kind(of, time) {
            return;
        }
        if is_kind(of) {
            self.read.retain(|(_, entry)| *entry != of.entry);
        }
        let message = (time, of.entry);
        let rank = |(time, entry): &MessageAt| (*time, entry.protocol.id, entry.index);
        if !self.read.iter().any(|read| rank(read) == rank(&message)) {
            let at = self.read.partition_point(|read| rank(read) <= rank(&message));
            if self.read.len() == self.read.capacity() {
                // Many have one message, most others as many as are read, and for a moment one more.
                self.read.reserve_exact(if self.read.is_empty() { 1 } else { READ });
            }
            self.read.insert(at, message);
        }
        for reason in reasons {
            match self.reasons.iter().position(|known| known.reason.is_same(reason)) {
                Some(at) => {
                    let Some(known) = self.reasons.get_mut(at) else { continue };
                    known.file = known.file.min(file);
                    known.reason.games = known.reason.games.or(reason.games);
                    if known.time > time {
                        let known = self.reasons.remove(at);
                        self.insert(TimedReason { time, ..known });
                    }
                }
                None => self.insert(TimedReason { time, file, reason: reason.to_kept() }),
            }
        }
        self.limit();
    }

    fn insert(&mut self, new: TimedReason) {
        let at = self.reasons.partition_point(|known| known.time <= new.time);
        make_room(&mut self.reasons);
        self.reasons.insert(at, new);
    }

    /// Drops what came after the messages that count.
    fn limit(&mut self) {
        self.reasons.truncate(REASONS);
        let certain = self.reasons.iter().find(|r| r.reason.is_conclusive());
        self.certain = certain.is_some();
        let last = certain.map_or(i64::MAX, |reason| reason.time);
        self.read.retain(|(time, _)| *time <= last);
        self.read.truncate(READ);
        let last = self.read.last().map_or(i64::MAX, |(time, _)| *time);
        self.reasons.retain(|reason| reason.time <= last);
    }

    /// The reasons, without repetitions.
    pub fn reasons(&self) -> &[TimedReason] {
        &self.reasons
    }

    /// The messages that were read, with the reasons that are new in each.
    pub fn reads(
        &self,
    ) -> impl Iterator<Item = (i64, &'static Entry, impl Iterator<Item = &Reason>)> {
        self.read.iter().map(|(time, entry)| {
            let of = self.reasons.iter().map(|reason| (reason.time, &reason.reason));
            let of = of.filter(move |(at, reason)| at == time && reason.entry == *entry);
            (*time, *entry, of.map(|(_, reason)| reason))
        })
    }

    /// The size of the reasons in memory, in bytes.
    pub fn weigh(&self) -> usize {
        let value = |kept: &TimedReason| {
            kept.reason.field.as_ref().map_or(0, |(_, value)| allocated(value.len()))
        };
        let values: usize = self.reasons.iter().map(value).sum();
        allocated(size_of::<TimedReason>() * self.reasons.capacity())
            + allocated(size_of::<MessageAt>() * self.read.capacity())
            + values
    }

    /// Frees the memory for further messages.
    pub fn compact(&mut self) {
        self.reasons.shrink_to_fit();
        self.read.shrink_to_fit();
    }

    /// Adds the reasons to those for each game.
    pub fn add_to(&self, weights: &mut GameWeights) {
        for TimedReason { reason, .. } in &self.reasons {
            weights.add_games(reason.games, reason.confidence);
        }
    }

    /// The game with the strongest reasons; among equals the first.
    pub fn verdict(&self) -> Option<Verdict> {
        let mut weights = GameWeights::default();
        self.add_to(&mut weights);
        weights.best(|_| 0)
    }

    /// Whether one game explains all reasons.
    pub fn agrees(&self) -> bool {
        let games = self.reasons.iter().map(|kept| {
            let of = |other: &&TimedReason| other.reason.is_of(&kept.reason);
            let same = self.reasons.iter().filter(of).map(|other| other.reason.games);
            same.reduce(GameSet::or).unwrap_or(kept.reason.games)
        });
        games.reduce(GameSet::and).is_none_or(|common| !common.is_empty())
    }
}

/// Collects the evidence for the game in `payload`, a message of this kind, into `reasons`. If it is
/// `cut`, its last value may be incomplete.
pub(super) fn gather(
    message: &RegisteredMessage,
    (payload, cut): (&[u8], bool),
    reading: &mut Reading,
    reasons: &mut Vec<FoundReason>,
) {
    let entry = message.entry;
    reasons.clear();
    for &(confidence, games) in &message.of_type {
        reasons.push(Reason { games, confidence, entry, field: None });
    }
    if message.signature_fields.is_empty() {
        return;
    }
    let cut_at = if cut { payload.len() } else { usize::MAX };
    reading.report(entry, payload, &mut SignatureSink { message, cut_at, layer: 0, reasons });
}

/// Takes the fields of a message that are evidence; of most messages, few are.
struct SignatureSink<'a> {
    message: &'a RegisteredMessage,
    /// Where the capture has cut the message.
    cut_at: usize,
    layer: u8,
    reasons: &'a mut Vec<FoundReason>,
}

impl Sink for SignatureSink<'_> {
    fn leaf(&mut self, field: &'static Field, shape: Shape, at: usize, bytes: &[u8]) {
        // A mark is evidence too: HexenWorld's has a fifth FF.
        let is_mark = field.kind == Kind::Mark && !bytes.is_empty();
        if self.reasons.len() >= REASONS || !field.is_data() && !is_mark {
            return;
        }
        let Some(signatures) = self.message.signature_field(field.name) else {
            return;
        };
        let value = shape.text(bytes);
        let is_part = self.layer == 0 && at + bytes.len() == self.cut_at;
        for (confidence, games) in signatures.evidence(&value, is_part) {
            let beginning = SmallVec::from_slice(value.get(..VALUE).unwrap_or(&value));
            let entry = self.message.entry;
            let field = Some((field.name, beginning));
            self.reasons.push(Reason { games, confidence, entry, field });
        }
    }

    fn open(&mut self, _: &'static Field, _: Group, _: usize) {}

    fn close(&mut self, _: usize) {}

    fn separates(&self) -> bool {
        false
    }

    fn wants(&self, name: &[u8]) -> bool {
        self.message.has_signature_field(name)
    }

    /// Records of one length have no such field.
    fn whole(&mut self, _: Shape) -> bool {
        true
    }

    fn note(&mut self, _: Anomaly, _: usize, _: usize) {}

    fn enter(&mut self, field: &'static Field, at: usize, coded: &[u8]) {
        self.leaf(field, Shape::Raw, at, coded);
        self.layer += 1;
    }

    fn leave(&mut self, _: &dyn Coding, _: &[u8]) {
        self.layer -= 1;
    }
}

/// Whether all messages of this kind are the same evidence.
fn is_kind(message: &RegisteredMessage) -> bool {
    message.signature_fields.is_empty()
}

impl<V: AsRef<[u8]>> Reason<V> {
    /// Whether nothing that comes later can outweigh it.
    fn is_conclusive(&self) -> bool {
        self.confidence >= Confidence::Certain && self.games.iter().nth(1).is_none()
    }

    fn is_same<W: AsRef<[u8]>>(&self, other: &Reason<W>) -> bool {
        self.confidence == other.confidence && self.is_of(other)
    }

    /// Whether both are of the same value, or of the kind of the same message.
    fn is_of<W: AsRef<[u8]>>(&self, other: &Reason<W>) -> bool {
        let [field, others] = [self.value(), other.value()];
        self.entry == other.entry && field == others
    }

    /// The name of its field, and the value.
    fn value(&self) -> Option<(&'static str, &[u8])> {
        self.field.as_ref().map(|(name, value)| (*name, value.as_ref()))
    }

    /// The same with a value of its own.
    fn to_kept(&self) -> Reason {
        let Self { games, confidence, entry, .. } = *self;
        Reason { games, confidence, entry, field: self.value().map(|(name, v)| (name, v.into())) }
    }
}

impl Reason {
    /// `infoResponse carries gamename=Nexuiz`; bytes from the network are escaped.
    pub fn text(&self, secrets: Secrets) -> String {
        let message = self.entry.spec.name;
        match &self.field {
            None if self.games.iter().nth(1).is_none() => format!("only this game has {message}"),
            None => format!("only these games have {message}"),
            Some((name, value)) => {
                format!("{message} carries {name}={}", harmless(value, secrets))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codec::{Node, Span};
    use protocol::Carrier;
    use protocols::registry;

    /// The fields of a message with evidence, as all its spans have them.
    fn of_spans(message: &RegisteredMessage, payload: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
        let mut reading = Reading::of_values();
        reading.walk(message.entry, payload);
        let is_leaf = |span: &&Span| {
            span.node == Node::Leaf && (span.field.is_data() || span.field.kind == Kind::Mark)
        };
        let leaves = reading.spans().all.iter().filter(is_leaf);
        let fields = leaves.flat_map(|span| {
            let value = span.shape.text(reading.bytes(payload, span)).into_owned();
            let of = message.signature_field(span.field.name);
            let count = of.map_or(0, |of| of.evidence(&value, false).len());
            std::iter::repeat_n((span.field.name, value), count)
        });
        fields.take(REASONS).collect()
    }

    #[test]
    fn evidence_is_that_of_all_spans() {
        let (mut reading, mut reasons, mut found) = (Reading::of_values(), Vec::new(), 0);
        let examples: Vec<_> = registry().entries().iter().map(|e| e.spec.example).collect();
        let documented: Vec<_> = test_data::documented().into_iter().map(|m| m.payload).collect();
        for payload in examples.into_iter().chain(documented.iter().map(Vec::as_slice)) {
            for message in registry().candidates(Carrier::Datagram, payload) {
                gather(message, (payload, false), &mut reading, &mut reasons);
                let of_fields = reasons.iter().filter_map(|reason| reason.field.clone());
                let gathered: Vec<_> = of_fields.map(|(name, v)| (name, v.to_vec())).collect();
                let room = REASONS - (reasons.len() - gathered.len());
                let mut expected = of_spans(message, payload);
                expected.truncate(room);
                for (_, value) in &mut expected {
                    value.truncate(VALUE);
                }
                assert_eq!(gathered, expected, "{}", message.entry.spec.name);
                found += gathered.len();
            }
        }
        assert!(found > 100, "{found}");
    }
}
