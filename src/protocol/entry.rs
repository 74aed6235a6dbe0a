//! Messages with erased types, and the macro by which a protocol lists them once.

use super::recognise::asked;
use super::{ExchangeKind, FrameBoundary, Game, Message, Spec, place_of};
use crate::codec::{self, ChangeFn, Decoded, EditError, Fault, Outline, Scratch, Spans};
use crate::protocols::PROTOCOLS;

/// Reads `bytes` with the caller's buffers and writes them again to the caller's vector.
type Rewrite = fn(&[u8], &mut Scratch, &mut Vec<u8>) -> Result<(), Fault>;

/// Replaces values of `bytes`, with the caller's buffers, and writes the message to the caller's
/// vector; returns how many were replaced.
type EditFn = fn(&[u8], &mut Scratch, &mut ChangeFn<'_>, &mut Vec<u8>) -> Result<usize, EditError>;

/// One message of a protocol, as the other modules see it.
pub struct Entry {
    /// The protocol's id.
    pub protocol: &'static str,
    pub spec: Spec,
    /// Reads without spans.
    pub check: fn(&[u8], &mut Scratch) -> Option<Fault>,
    /// Reads with spans, which are cleared before.
    pub annotate: fn(&[u8], &mut Scratch, &mut Spans) -> Option<Fault>,
    /// Reads and writes again; returns the fault of reading.
    pub rewrite: Rewrite,
    /// Replaces values and verifies the result, with [`codec::edit`] and [`codec::confirm`].
    pub edit: EditFn,
    /// Every field in every branch.
    pub outline: fn() -> Outline,
    /// Whether reading with and without spans gives the same values; for tests.
    pub agrees: fn(&[u8], &mut [Scratch; 2], &mut Spans) -> bool,
}

/// A protocol: its messages in the documents' order, and its games.
pub struct Protocol {
    pub id: &'static str,
    pub title: &'static str,
    pub messages: &'static [Entry],
    /// The first is the default without evidence. A game may have several protocols.
    pub games: &'static [&'static Game],
    /// The end of the first message of a stream. Protocols without streams recognise none.
    pub cut: fn(&[u8], usize) -> FrameBoundary,
    pub colours: Colours,
    /// Its specification, in Markdown: `docs/protocols/<id>.md`. A message is described after the
    /// anchor of its id, `<a id="getservers"></a>`.
    pub page: &'static str,
}

/// How a protocol's texts (names, host names, printed text) encode colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colours {
    /// No colours.
    #[default]
    None,
    /// A caret and a digit; in DarkPlaces' games also `^x` and three hex digits.
    Caret,
    /// Quake's own characters: a letter with its high bit set is golden.
    HighBit,
    /// 0x1B, and one byte each for red, green and blue.
    Escape,
}

impl Entry {
    /// Whether other messages of its protocol answer it.
    pub fn is_asked(&'static self) -> bool {
        let place = place_of(self).map(|(_, place)| place);
        place.and_then(|place| asked().get(place)).is_some_and(|asked| *asked)
    }

    /// Its kind of exchange: for an answer that of its request.
    pub fn affair(&'static self) -> ExchangeKind {
        let own = self.spec.dealing.affair;
        if own != ExchangeKind::Query || self.is_asked() {
            return own;
        }
        let home = PROTOCOLS.iter().find(|p| p.id == self.protocol);
        let answered = home
            .zip(self.spec.answers.first())
            .and_then(|(home, id)| home.messages.iter().find(|asked| asked.spec.id == *id));
        answered.map_or(own, |asked| asked.spec.dealing.affair)
    }

    /// How the texts of its protocol encode colours.
    pub fn colours(&self) -> Colours {
        let home = PROTOCOLS.iter().find(|p| p.id == self.protocol);
        home.map_or(Colours::None, |p| p.colours)
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.protocol, self.spec.id)
    }
}

impl std::fmt::Debug for Protocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

pub(crate) fn check<'a, M: Message<'a>>(bytes: &'a [u8], room: &'a mut Scratch) -> Option<Fault> {
    codec::decode::<M, _>(bytes, room, &mut ()).fault
}

pub(crate) fn annotate<'a, M: Message<'a>>(
    bytes: &'a [u8],
    room: &'a mut Scratch,
    spans: &mut Spans,
) -> Option<Fault> {
    spans.clear();
    codec::decode::<M, _>(bytes, room, spans).fault
}

pub(crate) fn rewrite<'a, M: Message<'a>>(
    bytes: &'a [u8],
    room: &'a mut Scratch,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    out.clear();
    let Decoded { message, fault, .. } = codec::decode::<M, _>(bytes, room, &mut ());
    match fault {
        Some(fault) => Err(fault),
        None => codec::encode(message, out),
    }
}

pub(crate) fn agrees<'a, M: Message<'a>>(
    bytes: &'a [u8],
    [one, two]: &'a mut [Scratch; 2],
    spans: &mut Spans,
) -> bool {
    spans.clear();
    codec::decode::<M, _>(bytes, one, &mut ()) == codec::decode::<M, _>(bytes, two, spans)
}

/// A protocol's framing function for streams, or none.
macro_rules! cut {
    () => {
        |_, _| $crate::protocol::FrameBoundary::Foreign
    };
    ($cut:expr) => {
        $cut
    };
}
pub(crate) use cut;

/// A protocol's colour encoding, or none.
macro_rules! colours {
    () => {
        $crate::protocol::Colours::None
    };
    ($colours:ident) => {
        $crate::protocol::Colours::$colours
    };
}
pub(crate) use colours;

/// Lists a protocol's messages once: generates the typed enum and the erased entries.
macro_rules! protocol {
    (
        $(#[$meta:meta])* $name:ident: $id:literal, $title:literal, $games:expr,
        $(cut $cut:expr,)?
        $(colours $colours:ident,)?
        [$($message:ident),+ $(,)?]
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum $name<'a> { $($message($message<'a>)),+ }

        impl<'a> $name<'a> {
            /// Reads a message that was recognised as `entry`; `None` for another protocol's.
            pub fn decode(
                entry: &$crate::protocol::Entry,
                bytes: &'a [u8],
                scratch: &'a mut $crate::codec::Scratch,
            ) -> Option<$crate::codec::Decoded<'a, Self>> {
                if entry.protocol != $id {
                    return None;
                }
                $(if entry.spec.id == <$message as $crate::protocol::Message>::SPEC.id {
                    let got = $crate::codec::decode::<$message, _>(bytes, scratch, &mut ());
                    return Some($crate::codec::Decoded {
                        message: Self::$message(got.message),
                        fault: got.fault,
                        rest: got.rest,
                    });
                })+
                None
            }

            /// Appends the message's binary form to `out`.
            pub fn encode(self, out: &mut Vec<u8>) -> $crate::codec::Walk {
                match self { $(Self::$message(m) => $crate::codec::encode(m, out)),+ }
            }
        }

        /// The protocol, as an item of the list of all.
        pub static PROTOCOL: $crate::protocol::Protocol = $crate::protocol::Protocol {
            id: $id,
            title: $title,
            games: $games,
            cut: $crate::protocol::entry::cut!($($cut)?),
            colours: $crate::protocol::entry::colours!($($colours)?),
            page: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/docs/protocols/",
                $id,
                ".md"
            )),
            messages: &[$($crate::protocol::Entry {
                protocol: $id,
                spec: <$message as $crate::protocol::Message>::SPEC,
                check: |b, s| $crate::protocol::entry::check::<$message>(b, s),
                annotate: |b, s, t| $crate::protocol::entry::annotate::<$message>(b, s, t),
                rewrite: |b, s, o| $crate::protocol::entry::rewrite::<$message>(b, s, o),
                edit: |b, s, c, o| {
                    let edit = $crate::codec::edit::<$message>(b, s, c, o)?;
                    $crate::codec::confirm::<$message>(o, s, &edit)
                },
                outline: || $crate::codec::Outline::of::<$message>(),
                agrees: |b, s, t| $crate::protocol::entry::agrees::<$message>(b, s, t),
            }),+],
        };
    };
}
pub(crate) use protocol;
