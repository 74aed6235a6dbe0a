//! Which bytes of a parsed message are secret: decided only here.
//!
//! Beside fields that are secrets (`FieldRole::Secret`, which keys get from the table in
//! `codec::secret`): texts with a secret (`secrets::text`), a word after a secret's name, a coded
//! range with a secret inside, because anyone can decode it, and unparsed bytes of a message that
//! would have had one. If the name of a secret is out of place, everything that may be its value is
//! secret too.

mod cut;
mod text;

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;

use smallvec::SmallVec;

use super::{Entry, Role};
use codec::{
    Anomaly, Field, FieldRole, Group, Kind, Node, OutlinePart, Shape, Span, Spans, any_secret_word,
    is_secret_key, is_yes_or_no,
};

pub use text::{contains_secret, harmless, harmless_len, names_secret};

/// Where secrets were found, beside the values that are secret by their keys or fields.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SecretPlaces {
    /// The name of a secret occurs outside of keys.
    pub misplaced: bool,
    /// A key is secret.
    pub keys: bool,
}

/// Marks the secrets of `entry`'s message; `layers` are its payload and its decoded text.
pub(super) fn mark(entry: &Entry, layers: [&[u8]; 2], spans: &mut Spans) -> SecretPlaces {
    let bytes = |layer: u8, start: u32, end: u32| {
        let layer = layers.get(usize::from(layer)).copied().unwrap_or_default();
        layer.get(start as usize..end as usize).unwrap_or_default()
    };
    let may_be_secret = entry.may_hold_secret();
    let words = SecretWords::from_spans(layers, &spans.all);
    let places = if words.is_empty() {
        mark_fields(&mut spans.all, may_be_secret, bytes);
        SecretPlaces::default()
    } else {
        mark_words(&words, layers, spans, may_be_secret, bytes)
    };
    let [_, plain] = layers;
    let is_secret = |s: &Span| s.layer > 0 && s.secret && s.start < s.end;
    if !plain.is_empty() && spans.all.iter().any(is_secret) {
        let ranges = spans.all.iter_mut().filter(|s| s.field.kind == Kind::Coded);
        ranges.for_each(|s| s.secret = true);
    }
    places
}

/// Marks the secrets of a message without the name of one in its bytes: what is secret by its
/// field, and unparsed bytes.
fn mark_fields<'a>(
    spans: &mut [Span],
    may_be_secret: bool,
    bytes: impl Fn(u8, u32, u32) -> &'a [u8],
) {
    let mut keyed = false;
    for span in spans {
        let kind = span.field.kind;
        match kind {
            Kind::Separator | Kind::Mark | Kind::Command => continue,
            Kind::Unparsed => span.secret = may_be_secret,
            Kind::Key => {}
            _ if span.field.role == FieldRole::Secret && span.node == Node::Leaf => {
                let value = bytes(span.layer, span.start, span.end);
                span.secret = !(keyed && is_yes_or_no(value));
            }
            _ => {}
        }
        keyed = kind == Kind::Key;
    }
}

/// Marks the secrets of a message that may name one.
fn mark_words<'a>(
    words: &SecretWords,
    layers: [&[u8]; 2],
    spans: &mut Spans,
    may_be_secret: bool,
    bytes: impl Fn(u8, u32, u32) -> &'a [u8],
) -> SecretPlaces {
    let mut walk = Marking { may_be_secret, ..Marking::default() };
    let mut lines = spans.notes.iter().filter(|n| n.odd == Anomaly::ShortLine);
    let mut numbered = (0..).zip(layers);
    walk.unclear = lines.any(|n| names_secret(bytes(n.layer, n.start, n.end)))
        || numbered.any(|(n, of)| cut::names_secret_in_numbers(of, &spans.all, n));
    for span in &mut spans.all {
        let may_name = words.are_in(span);
        walk.span(span, bytes(span.layer, span.start, span.end), may_name);
    }
    if walk.has_texts {
        split(spans, bytes);
    }
    if walk.unclear {
        let says = |s: &&mut Span| {
            s.node == Node::Leaf
                && (s.field.is_data() || matches!(s.field.kind, Kind::Key | Kind::Unparsed))
        };
        spans.all.iter_mut().filter(says).for_each(|s| s.secret = true);
    }
    let keys = spans.all.iter().any(|s| s.secret && s.field.kind == Kind::Key);
    SecretPlaces { misplaced: walk.unclear || walk.shifted, keys }
}

/// Whether the name of a secret, or a part of it, occurs in a message; if not, [`mark`] returns
/// false and marks only fields that are secrets, and coded ranges with one.
pub(super) fn may_be_named(layers: [&[u8]; 2], spans: &Spans) -> bool {
    !SecretWords::from_spans(layers, &spans.all).is_empty()
}

/// Where parts of secrets' names are in the layers of a message. Most have none, so that nothing
/// has to be searched span by span.
struct SecretWords(SmallVec<[(u8, Range<usize>); WORDS]>);

/// How many of them are kept; where there are more, each span is searched.
const WORDS: usize = 8;
/// How many spans are searched for each word; of more, a table is made.
const FEW: usize = 512;

impl SecretWords {
    fn from_spans(layers: [&[u8]; 2], spans: &[Span]) -> Self {
        let mut words = SmallVec::new();
        for (layer, of) in (0..).zip(layers) {
            let starts = LazyCell::new(|| {
                let of_layer = spans.iter().filter(|s| s.layer == layer);
                of_layer.map(|s| s.start as usize).collect::<HashSet<_>>()
            });
            let is_start = |at: usize| {
                if spans.len() > FEW {
                    return starts.contains(&at);
                }
                spans.iter().any(|s| s.layer == layer && s.start as usize == at)
            };
            any_secret_word(of, |key, word| {
                if !key.is_inner(of, word.start) || is_start(word.start) {
                    words.push((layer, word));
                }
                words.len() >= WORDS
            });
        }
        Self(words)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn are_in(&self, span: &Span) -> bool {
        let is_in = |(layer, word): &(u8, Range<usize>)| {
            *layer == span.layer
                && span.start as usize <= word.start
                && word.end <= span.end as usize
        };
        self.0.len() >= WORDS || self.0.iter().any(is_in)
    }
}

/// The state while the leaves of a message are processed in order.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "what was read so far, each for itself")]
struct Marking {
    /// Unparsed bytes of this message may be a secret.
    may_be_secret: bool,
    /// A secret's name occurs, and it is unclear which bytes are its value.
    unclear: bool,
    /// A secret's name is in the place of a value.
    shifted: bool,
    /// A text contains a secret.
    has_texts: bool,
    /// The previous leaf was a key.
    keyed: bool,
    /// The previous leaf was a secret's name in the place of a value, or what followed it.
    behind_name: bool,
    /// The open group is a list of words.
    listed: bool,
}

impl Marking {
    /// Processes the next span; `may_name` is whether its bytes may have the name of a secret.
    fn span(&mut self, span: &mut Span, bytes: &[u8], may_name: bool) {
        if let Node::Group(group) = span.node {
            self.listed = matches!(group, Group::List | Group::Record);
            (self.keyed, self.behind_name) = (false, false);
            return;
        }
        match span.field.kind {
            Kind::Separator | Kind::Mark | Kind::Command => return,
            Kind::Unparsed => {
                span.secret = self.may_be_secret || self.behind_name;
                self.unclear |= may_name && names_secret(bytes);
            }
            Kind::Key => {
                // If keys and values are shifted by one, the secret is the next key.
                span.secret = self.behind_name || may_name && contains_secret(bytes);
            }
            _ if span.field.role == FieldRole::Secret => {
                span.secret = !(self.keyed && is_yes_or_no(bytes));
            }
            _ => {
                let secret = may_name && may_tell(span, bytes) && contains_secret(bytes);
                let is_part = self.keyed || span.depth > 0;
                span.secret = self.behind_name || secret && is_part;
                self.has_texts |= secret && !is_part;
            }
        }
        self.behind_name = match span.field.kind {
            Kind::Key => self.behind_name,
            _ if span.field.role == FieldRole::Secret => false,
            _ => {
                let is_word = span.depth == 0 && !is_name_of_something(span);
                let is_value = self.keyed || is_word || self.listed && span.depth > 0;
                may_name && is_value && is_name(bytes)
            }
        };
        self.shifted |= self.behind_name && self.keyed;
        self.keyed = span.field.kind == Kind::Key;
    }
}

/// Whether a leaf is a text whose secrets are masked: any but a name, which its owner has made
/// public; a name with a NUL or a backslash, which may be followed by anything, is one too.
fn may_tell(span: &Span, bytes: &[u8]) -> bool {
    let goes_on = || bytes.iter().any(|byte| matches!(byte, 0 | b'\\'));
    span.shape == Shape::Text && (!is_name_of_something(span) || goes_on())
}

fn is_name_of_something(span: &Span) -> bool {
    matches!(
        span.field.role,
        FieldRole::Host | FieldRole::Name | FieldRole::Person | FieldRole::Location
    )
}

/// Whether a value is exactly the name of a secret's key.
fn is_name(value: &[u8]) -> bool {
    // Most values are too short, or too long.
    (3..=64).contains(&value.len())
        && value.iter().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(b))
        && is_secret_key(value)
}

/// Splits texts with secrets into secret and other parts.
fn split<'a>(spans: &mut Spans, bytes: impl Fn(u8, u32, u32) -> &'a [u8]) {
    let mut parted = Vec::with_capacity(spans.all.len() + 8);
    for span in &spans.all {
        let is_whole = span.node == Node::Leaf && span.depth == 0 && !span.secret;
        let text = bytes(span.layer, span.start, span.end);
        let ranges =
            if is_whole && may_tell(span, text) { text::secret_ranges(text) } else { Vec::new() };
        let mut at = span.start;
        for Range { start, end } in ranges {
            let (start, end) = (span.start + start as u32, span.start + end as u32);
            if at < start {
                parted.push(Span { start: at, end: start, ..*span });
            }
            parted.push(Span { start, end, secret: true, ..*span });
            at = end;
        }
        if at < span.end || at == span.start {
            parted.push(Span { start: at, ..*span });
        }
    }
    spans.all = parted;
}

/// Whether unparsed bytes may be a secret: a client sends one in this message, or it has one
/// without a key.
pub(super) fn may_hold_secret(entry: &Entry) -> bool {
    let from_client = entry.spec.directions.iter().any(|(from, _)| *from == Role::Client);
    let secret = |field: &Field| field.role == FieldRole::Secret;
    entry.outline().lines.iter().any(|line| match &line.what {
        OutlinePart::Literal(field, _)
        | OutlinePart::OneOf(field, _)
        | OutlinePart::Field(field) => secret(field),
        OutlinePart::View(_, _, inside) => from_client && inside.iter().any(|field| secret(field)),
        OutlinePart::Branch(_) => false,
    })
}
