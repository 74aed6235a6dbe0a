//! Evidence for games in messages: which signatures their games have, by field and by message.

use std::collections::BTreeMap;

use super::game::text_bit;
use super::{Entry, GameSet, IndicatedGames, Protocol, Signature, SignatureSource};

/// A field of a message that may be evidence for a game.
#[derive(Debug)]
pub struct SignatureField {
    /// Its name.
    pub name: &'static str,
    /// Whether its name stands for those of several keys.
    pub(super) is_pattern: bool,
    protocol: &'static Protocol,
    /// The signatures in it, in the order of their games.
    signatures: Vec<FieldSignature>,
}

/// A signature in a field.
#[derive(Debug)]
struct FieldSignature {
    /// The place of its game among those of the protocol.
    game: usize,
    signature: &'static Signature,
    /// Which values may have it: see [`Signature::values`].
    values: u64,
}

impl SignatureField {
    /// The games that a value indicates. If it `is_part` of one, the rest may be anything.
    #[inline]
    pub fn evidence(&self, value: &[u8], is_part: bool) -> IndicatedGames {
        let may_be = if is_part { u64::MAX } else { text_bit(value) };
        let fitting = self.signatures.iter().filter(|of| of.values & may_be != 0);
        let fitting = fitting.filter(|of| of.signature.fits(value, is_part));
        let indicated = fitting.map(|of| (of.game, of.signature.confidence));
        GameSet::by(self.protocol, indicated)
    }
}

/// The signatures of a protocol's games.
#[derive(Default)]
pub(super) struct Signatures {
    /// Those of a field of any message, by its name.
    of_fields: BTreeMap<&'static str, Vec<SignaturePlace>>,
    /// Those of one message.
    of_messages: Vec<SignaturePlace>,
}

/// A signature and where it is declared.
#[derive(Clone, Copy)]
struct SignaturePlace {
    /// Its number among all of the protocol.
    number: usize,
    /// The game's place among those of the protocol.
    game: usize,
    signature: &'static Signature,
}

impl Signatures {
    /// Those of all games of a protocol.
    pub fn from_protocol(protocol: &'static Protocol) -> Self {
        let games = protocol.games.iter().enumerate();
        let all = games.flat_map(|(game, of)| of.signatures.iter().map(move |s| (game, s)));
        let mut signatures = Self::default();
        for (number, (game, signature)) in all.enumerate() {
            let place = SignaturePlace { number, game, signature };
            match signature.source {
                SignatureSource::Field(name, _) => {
                    signatures.of_fields.entry(name).or_default().push(place);
                }
                SignatureSource::Message(_) | SignatureSource::In(..) => {
                    signatures.of_messages.push(place);
                }
            }
        }
        signatures
    }

    /// Those in the fields of a message, and the games that it is evidence for by its type.
    pub fn of_message(&self, entry: &Entry) -> (Vec<SignatureField>, IndicatedGames) {
        let (spec, outline) = (&entry.spec, entry.outline());
        let of_fields = self.of_fields.iter().filter(|(name, _)| outline.has(name));
        let mut fields: BTreeMap<_, _> =
            of_fields.map(|(name, signatures)| (*name, signatures.clone())).collect();
        let mut of_type = Vec::new();
        for place in &self.of_messages {
            match place.signature.source {
                SignatureSource::Message(id) if id == spec.id => {
                    of_type.push((place.game, place.signature.confidence));
                }
                SignatureSource::In(id, name, _) if id == spec.id && outline.has(name) => {
                    fields.entry(name).or_default().push(*place);
                }
                _ => {}
            }
        }
        let fields = fields.into_iter().map(|(name, mut places)| {
            places.sort_unstable_by_key(|place| place.number);
            let signatures = places.iter().map(|place| {
                let SignaturePlace { game, signature, .. } = *place;
                FieldSignature { game, signature, values: signature.values() }
            });
            let signatures = signatures.collect();
            let is_pattern = name.contains('*');
            SignatureField { name, is_pattern, protocol: entry.protocol, signatures }
        });
        (fields.collect(), GameSet::by(entry.protocol, of_type.into_iter()))
    }
}
