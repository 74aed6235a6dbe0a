//! Where the values of a name come from.

use super::bytes::Slice;
use super::datum::{Datum, ValueTest};
use super::fields::WantedField;
use super::known::{Each, KnownName, NeededData};
use super::scratch::EvalScratch;
use super::subject::Subject;
use codec::{Kind, Node, Span};
use protocol::{Entry, Game};

/// The source of values.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// A name of the tables.
    Known(&'static KnownName),
    /// The time since the first message.
    Elapsed,
    IsProtocol(&'static str),
    IsGame(&'static Game),
    IsMessage(&'static Entry),
    Field(WantedField),
    /// The values of all fields.
    AnyField,
    /// A part of the payload.
    Slice(Slice),
}

impl Source {
    /// Whether it needs data of later packets.
    pub fn needs_future(&self) -> bool {
        matches!(self, Self::Known(name) if name.needs == NeededData::Analysis)
    }

    /// Whether it needs the payload.
    pub fn needs_payload(&self) -> bool {
        match self {
            Self::Known(name) => name.needs == NeededData::Payload,
            Self::Field(_) | Self::AnyField | Self::Slice(_) => true,
            _ => false,
        }
    }

    /// The values that it may have, in order, where they are few.
    pub fn choices(&self) -> Vec<std::borrow::Cow<'static, str>> {
        match self {
            Self::Known(name) => (name.choices)(),
            _ => Vec::new(),
        }
    }

    /// The same, of which only values that pass a test are wanted; others may be left out.
    pub fn passing(self, test: &ValueTest) -> Self {
        match self {
            Self::Field(wanted) => Self::Field(wanted.passing(test)),
            other => other,
        }
    }

    /// Passes every value to `each`, until that returns true; returns whether it did.
    pub fn values(
        &self,
        subject: &Subject<'_>,
        scratch: &mut EvalScratch,
        each: &mut Each<'_>,
    ) -> bool {
        let header = subject.header;
        match self {
            Self::Known(name) => (name.values)(subject, scratch, each),
            Self::Elapsed => {
                let elapsed = text::since(subject.first, header.time);
                elapsed.is_some_and(|time| each(Datum::Number(time.into())))
            }
            Self::IsProtocol(id) => header.entry.protocol.id == *id && each(Datum::There),
            Self::IsGame(game) => header.verdict.game == *game && each(Datum::There),
            Self::IsMessage(wanted) => header.entry == *wanted && each(Datum::There),
            Self::AnyField => any_field(subject, scratch, each),
            Self::Slice(slice) => slice.values(subject, scratch, each),
            Self::Field(wanted) if !wanted.may_be_in(header.entry, subject.payload) => false,
            Self::Field(wanted) => {
                let scratch = scratch.having_read(subject);
                wanted.values(header.entry, scratch.reading, subject.payload, scratch.mask, each)
            }
        }
    }
}

/// The values of all fields that hold data.
fn any_field(subject: &Subject<'_>, scratch: &mut EvalScratch, each: &mut Each<'_>) -> bool {
    let scratch = scratch.having_read(subject);
    let colours = subject.header.entry.protocol.colours;
    let is_value = |span: &&Span| {
        span.node == Node::Leaf && (span.field.is_data() || span.field.kind == Kind::Unparsed)
    };
    scratch.reading.spans().all.iter().filter(is_value).any(|span| {
        let bytes = scratch.reading.bytes(subject.payload, span);
        let leaf = Datum::Leaf { span, bytes, colours };
        each(if scratch.mask.hides(span) { Datum::Hidden } else { leaf })
    })
}
