//! Evidence for the game in messages: bounded, with the quotes that users are shown.

use super::Verdict;
use crate::codec::{Kind, Node};
use crate::protocol::{Confidence, Entry, Game, Reading, RegisteredMessage, harmless};
use crate::text::Secrets;

/// How many reasons are kept per endpoint or flow.
const REASONS: usize = 8;
/// How many messages with evidence are read per endpoint or flow; later ones rarely add anything.
const READ: u8 = 4;
/// How many bytes of a value are kept in a reason.
const VALUE: usize = 64;

/// A piece of evidence for a game.
#[derive(Debug, Clone)]
pub struct Reason {
    /// The game that it indicates.
    pub game: &'static Game,
    /// How strong it is.
    pub confidence: Confidence,
    /// The message that has it.
    pub entry: &'static Entry,
    /// The field and its value; none if the message type itself is the evidence.
    pub field: Option<(&'static str, Box<[u8]>)>,
}

/// The reasons of one endpoint or flow.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    reasons: Vec<Reason>,
    read: u8,
    /// Whether one of the reasons is conclusive.
    certain: bool,
}

impl Evidence {
    /// Whether another message could add evidence.
    pub fn is_open(&self) -> bool {
        self.read < READ && self.reasons.len() < REASONS && !self.certain
    }

    /// Adds the evidence of a message.
    pub fn add(&mut self, reasons: &[Reason]) {
        self.read = self.read.saturating_add(1);
        for reason in reasons {
            let known = self.reasons.iter().any(|r| {
                r.game == reason.game && r.entry == reason.entry && r.field == reason.field
            });
            if !known && self.reasons.len() < REASONS {
                // Most endpoints and flows have one.
                self.reasons.reserve_exact(1);
                self.reasons.push(reason.clone());
                self.certain |= reason.confidence >= Confidence::Certain;
            }
        }
    }

    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// The size of the reasons in memory, in bytes.
    pub fn weigh(&self) -> usize {
        let value = |reason: &Reason| reason.field.as_ref().map_or(0, |(_, value)| value.len());
        let values: usize = self.reasons.iter().map(value).sum();
        size_of::<Reason>() * self.reasons.capacity() + values
    }

    /// The game with the strongest reason; among equals the one with more reasons, then the first.
    pub fn verdict(&self) -> Option<Verdict> {
        let weight = |r: &Reason| {
            let same = self.reasons.iter().filter(|s| s.game == r.game).count();
            (r.confidence, same)
        };
        let best = self.reasons.iter().rev().max_by_key(|r| weight(r))?;
        Some(Verdict { game: best.game, confidence: best.confidence })
    }

    /// Whether all reasons are for one game.
    pub fn agrees(&self) -> bool {
        self.reasons.windows(2).all(|pair| match pair {
            [a, b] => a.game == b.game,
            _ => true,
        })
    }
}

/// Collects the evidence for the game in `payload`, a message of this kind, into `reasons`. If it is
/// `cut`, its last value may be incomplete.
pub(super) fn gather(
    &RegisteredMessage { entry, ref signature_fields, .. }: &RegisteredMessage,
    (payload, cut): (&[u8], bool),
    reading: &mut Reading,
    reasons: &mut Vec<Reason>,
) {
    reasons.clear();
    for game in entry.protocol.games {
        if let Some(confidence) = game.evidence_of_type(entry) {
            reasons.push(Reason { game, confidence, entry, field: None });
        }
    }
    reading.walk(entry, payload);
    for span in &reading.spans().all {
        if span.node != Node::Leaf || reasons.len() >= REASONS {
            continue;
        }
        // Few fields are evidence, and most values need not be examined.
        if !signature_fields.contains(&span.field.name) {
            continue;
        }
        let value = reading.bytes(payload, span);
        // A mark is evidence too: HexenWorld's has a fifth FF.
        let is_evidence = span.field.is_data() || span.field.kind == Kind::Mark;
        if !is_evidence {
            continue;
        }
        let value = span.shape.text(value);
        let is_part = cut && span.layer == 0 && span.end as usize == payload.len();
        let evidence = if is_part { Game::evidence_of_part } else { Game::evidence };
        for game in entry.protocol.games {
            if let Some(confidence) = evidence(game, entry, span.field.name, &value) {
                let beginning = value.get(..VALUE).unwrap_or(&value).into();
                reasons.push(Reason {
                    game,
                    confidence,
                    entry,
                    field: Some((span.field.name, beginning)),
                });
            }
        }
    }
}

impl Reason {
    /// `infoResponse carries gamename=Nexuiz`; bytes from the network are escaped.
    pub fn text(&self, secrets: Secrets) -> String {
        let message = self.entry.spec.name;
        match &self.field {
            None => format!("only this game has {message}"),
            Some((name, value)) => {
                format!("{message} carries {name}={}", harmless(value, secrets))
            }
        }
    }
}
