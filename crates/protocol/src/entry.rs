//! Messages with erased types, and the macro by which a protocol lists them once.

use std::sync::OnceLock;

use super::spec::BytesMatch;
use super::{ExchangeKind, FrameBoundary, Game, Message, Spec, SplitForms, secrets};
use codec::{
    self, ChangeFn, Decoded, EditError, Fault, GrammarStep, Outline, ReportFn, Scratch, Sink, Spans,
};

/// Reads `bytes` with the caller's buffers, reports to the sink, and writes the values that were read
/// to the caller's vector.
type RewriteFn = fn(&[u8], &mut Scratch, &mut dyn Sink, &mut Vec<u8>) -> Result<(), Fault>;

/// The plain form of a message in a stream, from the bytes of the message that it answers and its own.
pub type DecipherFn = fn(asked: &[u8], bytes: &[u8]) -> Option<Vec<u8>>;

/// The bytes on the wire of a plain message, from those of the message that it answers and its own.
pub type EncipherFn = fn(asked: &[u8], plain: &[u8]) -> Option<Vec<u8>>;

/// One message of a protocol, as the other modules see it.
pub struct Entry {
    /// Its protocol.
    pub protocol: &'static Protocol,
    /// Its position among the messages of its protocol.
    pub index: u16,
    /// Its declaration.
    pub spec: Spec,
    /// What follows from the declarations of its protocol, once it was asked for.
    pub relations: OnceLock<Relations>,
    /// Reads without spans.
    pub check: fn(&[u8], &mut Scratch) -> Option<Fault>,
    /// Reads with spans, which are cleared before.
    pub annotate: fn(&[u8], &mut Scratch, &mut Spans) -> Option<Fault>,
    /// Reads and reports to any sink; slower than the two above.
    pub report: ReportFn,
    /// Reads and writes again; returns the fault of reading.
    pub rewrite: RewriteFn,
    /// How it is written, step by step.
    pub grammar: fn() -> Vec<GrammarStep>,
}

/// A protocol: its messages in the documents' order, and its games.
pub struct Protocol {
    /// Its slug: `quake3`.
    pub id: &'static str,
    /// Its name for users.
    pub title: &'static str,
    /// Its messages, in the documents' order.
    pub messages: &'static [Entry],
    /// The first is the default without evidence. A game may have several protocols.
    pub games: &'static [&'static Game],
    /// The end of the first message of a stream. Protocols without streams recognise none.
    pub cut: fn(&[u8], usize) -> FrameBoundary,
    /// Whether a connection may begin with these bytes, from either side, of those that `cut` takes;
    /// with all of them, if there is none.
    pub opens: Option<BytesMatch>,
    /// Whether a connection whose beginning was not captured may go on with these bytes, sent from this
    /// port, where either port is one of its games: with all that `cut` takes, unless they could be
    /// another protocol's.
    pub resumes: fn(&[u8], u16) -> bool,
    /// How it splits messages over several datagrams, if it does.
    pub splits: Option<SplitForms>,
    /// If a stream may be enciphered: the plain form of a message that answers another one, from the
    /// bytes of both; `None` if it is plain or cannot be deciphered.
    pub decipher: Option<DecipherFn>,
    /// The reverse of `decipher`, which may answer another message than the recorded one; `None` if
    /// the message is not plain, or no key is known.
    pub encipher: Option<EncipherFn>,
    /// How its texts encode colours.
    pub colours: Colours,
    /// The games, by their ids, whose texts encode colours in another way.
    pub game_colours: &'static [(&'static str, Colours)],
    /// Its specification, in Markdown: `docs/protocols/<id>.md`. A message is described after the
    /// anchor of its id, `<a id="getservers"></a>`.
    pub page: &'static str,
}

impl Protocol {
    /// A protocol without streams and colours.
    pub const fn new(
        id: &'static str,
        title: &'static str,
        games: &'static [&'static Game],
        messages: &'static [Entry],
        page: &'static str,
    ) -> Self {
        Self {
            id,
            title,
            messages,
            games,
            cut: |_: &[u8], _| FrameBoundary::Foreign,
            opens: None,
            resumes: |_, _| true,
            splits: None,
            decipher: None,
            encipher: None,
            colours: Colours::None,
            game_colours: &[],
            page,
        }
    }
}

/// How a protocol's texts (names, host names, printed text) encode colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colours {
    /// No colours.
    #[default]
    None,
    /// A caret and a digit; in DarkPlaces' games also `^x` and three hex digits.
    Caret,
    /// A caret and a digit or a letter: ioquake3, `Q_IsColorString` in `q_shared.h`.
    CaretLetter,
    /// A caret and any visible sign but another caret: Enemy Territory, `Q_IsColorString` in
    /// `q_shared.h` of ET: Legacy.
    CaretSign,
    /// A caret and a sign from `0` to `O`, `*`, `xRGB` or `#RRGGBB`; two carets are one: the Daemon
    /// engine, `Color.h`.
    CaretDaemon,
    /// Quake's own characters: a letter with its high bit set is golden.
    HighBit,
    /// 0x1B, and one byte each for red, green and blue.
    Escape,
}

/// What follows for a message from the declarations of its protocol.
#[derive(Debug, Clone, Copy)]
pub struct Relations {
    /// Whether other messages answer it.
    is_request: bool,
    is_continued: bool,
    exchange: ExchangeKind,
    may_hold_secret: bool,
}

impl Entry {
    fn relations(&self) -> &Relations {
        self.relations.get_or_init(|| {
            let others = self.protocol.messages;
            let is_request = others.iter().any(|m| m.spec.answers.contains(&self.spec.id));
            let answers = |m: &&Self| m.spec.answers.contains(&self.spec.id);
            let is_continued = others.iter().filter(answers).any(|m| m.spec.continues);
            let own = self.spec.exchange;
            let request = self.spec.answers.first().filter(|_| !is_request);
            let request = request.and_then(|id| others.iter().find(|m| m.spec.id == *id));
            let exchange = match (own, request) {
                (ExchangeKind::Query, Some(request)) => request.spec.exchange,
                _ => own,
            };
            let may_hold_secret = secrets::may_hold_secret(self);
            Relations { is_request, is_continued, exchange, may_hold_secret }
        })
    }

    /// Every field in every branch.
    pub fn outline(&self) -> Outline {
        Outline::from_grammar(&(self.grammar)())
    }

    /// Replaces values of `bytes`, with the caller's buffers, and writes the message to the caller's
    /// vector; returns how many were replaced.
    ///
    /// # Errors
    /// If a field cannot hold its new value, what was changed cannot be coded, or the message would
    /// say otherwise.
    pub fn edit(
        &self,
        bytes: &[u8],
        scratch: &mut Scratch,
        change: &mut ChangeFn<'_>,
        out: &mut Vec<u8>,
    ) -> Result<usize, EditError> {
        let edit = codec::edit(self.report, bytes, scratch, change, out)?;
        codec::confirm(self.report, out, scratch, &edit)
    }

    /// Whether other messages of its protocol answer it.
    #[inline]
    pub fn is_request(&self) -> bool {
        self.relations().is_request
    }

    /// Whether it may be repeated with values of its first answer: a challenge in it is one that the
    /// receiver has sent.
    #[inline]
    pub fn is_continued(&self) -> bool {
        self.relations().is_continued
    }

    /// Its kind of exchange: for an answer that of its request.
    #[inline]
    pub fn exchange(&self) -> ExchangeKind {
        self.relations().exchange
    }

    /// Whether unparsed bytes of it may be a secret.
    pub(super) fn may_hold_secret(&self) -> bool {
        self.relations().may_hold_secret
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.protocol.id, self.spec.id)
    }
}

impl std::fmt::Debug for Protocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// Protocols and messages are `static`s: equal addresses mean equal ones.
impl PartialEq for Protocol {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Reads without spans; for `protocol!`.
pub fn check<'a, M: Message<'a>>(bytes: &'a [u8], scratch: &'a mut Scratch) -> Option<Fault> {
    crate::decode::<M, _>(bytes, scratch, &mut ()).fault
}

/// Reads with spans, which are cleared before; for `protocol!`.
pub fn annotate<'a, M: Message<'a>>(
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    spans: &mut Spans,
) -> Option<Fault> {
    spans.clear();
    crate::decode::<M, _>(bytes, scratch, spans).fault
}

/// Reads and reports to any sink; for `protocol!`.
pub fn report<'a, M: Message<'a>>(
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    mut sink: &mut dyn Sink,
) -> Option<Fault> {
    crate::decode::<M, _>(bytes, scratch, &mut sink).fault
}

/// Reads and writes again; for `protocol!`.
///
/// # Errors
/// The fault of reading or writing.
pub fn rewrite<'a, M: Message<'a>>(
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    mut sink: &mut dyn Sink,
    out: &mut Vec<u8>,
) -> Result<(), Fault> {
    out.clear();
    let Decoded { message, fault, .. } = crate::decode::<M, _>(bytes, scratch, &mut sink);
    match fault {
        Some(fault) => Err(fault),
        None => crate::encode(message, out),
    }
}

/// Declares a protocol: its enum of messages, the static `PROTOCOL`, and the entries that read and
/// write each message. `page` is its specification in Markdown; without it, the file
/// `docs/protocols/<id>.md` of the package.
///
/// ```text
/// protocol! {
///     /// One message of the protocol.
///     Name: "id", "title", GAMES, [Message, ...], field_of_protocol: value; page: "..."
/// }
/// ```
///
/// `examples/custom_game.rs` declares one.
#[macro_export]
macro_rules! protocol {
    (@page $id:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $id, ".md"))
    };
    (@page $id:literal, $page:expr) => { $page };
    (
        $(#[$meta:meta])* $name:ident: $id:literal, $title:literal, $games:expr,
        [$($message:ident),+ $(,)?]
        $(, $field:ident: $value:expr)*
        $(; page: $page:expr)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[allow(clippy::enum_variant_names, reason = "messages have their protocol's names")]
        #[allow(clippy::large_enum_variant, reason = "one at a time, on the stack")]
        pub enum $name<'a> { $(
            #[doc = concat!("`", stringify!($message), "`")]
            $message($message<'a>)
        ),+ }

        impl<'a> $name<'a> {
            /// Reads a message that was recognised as `entry`; `None` for another protocol's.
            pub fn decode(
                entry: &$crate::Entry,
                bytes: &'a [u8],
                scratch: &'a mut $crate::codec::Scratch,
            ) -> Option<$crate::codec::Decoded<'a, Self>> {
                if *entry.protocol != PROTOCOL {
                    return None;
                }
                $(if entry.spec.id == <$message as $crate::Message>::SPEC.id {
                    let got = $crate::decode::<$message, _>(bytes, scratch, &mut ());
                    return Some($crate::codec::Decoded {
                        message: Self::$message(got.message),
                        fault: got.fault,
                        rest: got.rest,
                    });
                })+
                None
            }

            /// Appends the message's binary form to `out`.
            ///
            /// # Errors
            /// The fault of a value that would be read back differently.
            pub fn encode(self, out: &mut Vec<u8>) -> $crate::codec::Walk {
                match self { $(Self::$message(m) => $crate::encode(m, out)),+ }
            }
        }

        /// The protocol, as an item of the list of all.
        pub static PROTOCOL: $crate::Protocol = $crate::Protocol {
            $($field: $value,)*
            ..$crate::Protocol::new(
                $id, $title, $games, &MESSAGES, $crate::protocol!(@page $id $(, $page)?)
            )
        };

        static MESSAGES: [$crate::Entry; [$(stringify!($message)),+].len()] = {
            #[allow(clippy::enum_variant_names, reason = "messages have their protocol's names")]
            enum MessageIndex { $($message),+ }
            [$($crate::Entry {
                protocol: &PROTOCOL,
                index: MessageIndex::$message as u16,
                spec: <$message as $crate::Message>::SPEC,
                relations: std::sync::OnceLock::new(),
                check: |b, s| $crate::entry::check::<$message>(b, s),
                annotate: |b, s, t| $crate::entry::annotate::<$message>(b, s, t),
                report: |b, s, t| $crate::entry::report::<$message>(b, s, t),
                rewrite: |b, s, t, o| $crate::entry::rewrite::<$message>(b, s, t, o),
                grammar: || $crate::codec::Grammar::from_walk(<$message as $crate::Message>::walk),
            }),+]
        };
    };
}
