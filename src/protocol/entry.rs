//! Messages with their types erased, and the macro by which a protocol lists them once.

use super::recognise::asked;
use super::{ExchangeKind, FrameBoundary, Game, Message, PROTOCOLS, Spec, place_of};
use crate::codec::{self, ChangeFn, Decoded, EditError, Fault, Outline, Scratch, Spans};

/// Reads `bytes` in the caller's room and writes them again to the caller's vector.
type Rewrite = fn(&[u8], &mut Scratch, &mut Vec<u8>) -> Result<(), Fault>;

/// Replaces values of `bytes`, in the caller's room, and writes the message to the caller's vector;
/// how many were replaced.
type EditFn = fn(&[u8], &mut Scratch, &mut ChangeFn<'_>, &mut Vec<u8>) -> Result<usize, EditError>;

/// One message of a protocol, as everything above this room sees it.
pub struct Entry {
    /// The protocol's id.
    pub protocol: &'static str,
    pub spec: Spec,
    /// Reads without spans.
    pub check: fn(&[u8], &mut Scratch) -> Option<Fault>,
    /// Reads with spans, which are cleared first.
    pub annotate: fn(&[u8], &mut Scratch, &mut Spans) -> Option<Fault>,
    /// Reads and writes again; faults where reading did.
    pub rewrite: Rewrite,
    /// Replaces values and reads the result again, as [`codec::edit`] and [`codec::confirm`] do.
    pub edit: EditFn,
    /// Every field in every branch.
    pub outline: fn() -> Outline,
    /// Whether reading with and without spans gives the same values; for tests.
    pub agrees: fn(&[u8], &mut [Scratch; 2], &mut Spans) -> bool,
}

/// A grammar: its messages in the documents' order, and the games that speak it.
pub struct Protocol {
    pub id: &'static str,
    pub title: &'static str,
    pub messages: &'static [Entry],
    /// The first is the game where nothing tells them apart. A game may speak several protocols.
    pub games: &'static [&'static Game],
    /// Where the first message of a stream ends. To protocols without streams all are foreign.
    pub cut: fn(&[u8], usize) -> FrameBoundary,
    pub colours: Colours,
    /// Its specification, in Markdown: `docs/protocols/<id>.md`. A message is described behind the
    /// anchor of its id, `<a id="getservers"></a>`.
    pub page: &'static str,
}

/// How a protocol's texts (names, host names, what is printed) carry colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colours {
    /// They carry none.
    #[default]
    None,
    /// A caret and a digit; in DarkPlaces' games also `^x` and three hex digits.
    Caret,
    /// Quake's own characters: a letter with its high bit set is golden.
    HighBit,
    /// 0x1B, and a byte each for red, green and blue.
    Escape,
}

impl Entry {
    /// Whether other messages of its protocol answer it.
    pub fn is_asked(&'static self) -> bool {
        let place = place_of(self).map(|(_, place)| place);
        place.and_then(|place| asked().get(place)).is_some_and(|asked| *asked)
    }

    /// What it is exchanged for: an answer for what its request is.
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

    /// How the texts of its protocol carry colours.
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

pub(super) fn check<'a, M: Message<'a>>(bytes: &'a [u8], room: &'a mut Scratch) -> Option<Fault> {
    codec::decode::<M, _>(bytes, room, &mut ()).fault
}

pub(super) fn annotate<'a, M: Message<'a>>(
    bytes: &'a [u8],
    room: &'a mut Scratch,
    spans: &mut Spans,
) -> Option<Fault> {
    spans.clear();
    codec::decode::<M, _>(bytes, room, spans).fault
}

pub(super) fn rewrite<'a, M: Message<'a>>(
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

pub(super) fn agrees<'a, M: Message<'a>>(
    bytes: &'a [u8],
    [one, two]: &'a mut [Scratch; 2],
    spans: &mut Spans,
) -> bool {
    spans.clear();
    codec::decode::<M, _>(bytes, one, &mut ()) == codec::decode::<M, _>(bytes, two, spans)
}

/// A protocol's own way to cut streams, or none.
macro_rules! cut {
    () => {
        |_, _| $crate::protocol::FrameBoundary::Foreign
    };
    ($cut:expr) => {
        $cut
    };
}
pub(super) use cut;

/// A protocol's way to carry colours, or none.
macro_rules! colours {
    () => {
        $crate::protocol::Colours::None
    };
    ($colours:ident) => {
        $crate::protocol::Colours::$colours
    };
}
pub(super) use colours;

/// Lists a protocol's messages once: the typed enum and the erased entries both come from here.
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
            /// Reads the message that `entry` has recognised; `None` for another protocol's.
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

            /// Appends the message's wire form to `out`.
            pub fn encode(self, out: &mut Vec<u8>) -> $crate::codec::Walk {
                match self { $(Self::$message(m) => $crate::codec::encode(m, out)),+ }
            }
        }

        /// The protocol, as the one list of them has it.
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
pub(super) use protocol;
