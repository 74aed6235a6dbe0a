//! The declaration of a message, beside its walk.

use super::direction::{common, fitting};
use super::{
    Direction, EntryCount, ExchangeKind, HeartbeatInterval, IdentifierFn, Part, Refusal, Role,
    Validation,
};

/// Whether a message's beginning alone identifies it on any port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Magic {
    /// On any port.
    Strong,
    /// If the grammar covers every byte; else as weak.
    Exact,
    /// Only with a documented port, or as the other side of an exchange.
    Weak,
    /// Only as the other side of an exchange.
    AnswerOnly,
}

/// What carries a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// A UDP datagram, which is the message.
    Datagram,
    /// A TCP stream, which the protocol divides into messages.
    Stream,
}

impl Carrier {
    /// `udp` or `tcp`.
    pub const fn transport(self) -> &'static str {
        match self {
            Self::Datagram => "udp",
            Self::Stream => "tcp",
        }
    }
}

/// Roles of sender and receiver.
pub type Directions = &'static [(Role, Role)];
/// Whether bytes have a property.
pub type BytesMatch = fn(&[u8]) -> bool;

/// How a message is recognised by content.
#[derive(Debug, Clone, Copy)]
pub struct ContentMatch {
    /// The possible first bytes; any, if empty.
    pub first: &'static [u8],
    /// Another byte that all of these messages have: others with the same first byte are told apart
    /// by it.
    pub second: SecondByte,
    pub matches: BytesMatch,
}

/// A byte by which messages with the same first byte differ.
#[derive(Debug, Clone, Copy)]
pub enum SecondByte {
    /// Any byte.
    Any,
    /// This byte at this offset.
    At(usize, u8),
    /// This byte behind those of FF that the message begins with.
    BehindMark(u8),
}

/// The documents' name for bytes, and the name of the request that they answer.
pub type NameFn = fn(&[u8], Option<&'static str>) -> &'static str;
/// Which part of an answer bytes are.
pub type PartFn = fn(&[u8]) -> Option<Part>;
/// How many entries of its answer a part has.
pub type EntryCountFn = fn(&[u8]) -> Option<EntryCount>;
/// The challenge in bytes.
pub type ChallengeFn = fn(&[u8]) -> Option<&[u8]>;
/// Whether the proof in bytes is right for a challenge.
pub type ValidationFn = fn(&[u8], challenge: &[u8]) -> Option<Validation>;
/// The required value of a key in a message's own bytes as the answer to a challenge; `None` for
/// keys that prove nothing, or if the value is not known.
pub type ProofFn = fn(&[u8], key: &[u8], request: &[u8]) -> Option<Vec<u8>>;

/// Declares each property of a message once: its field, its default, and the functions that set it.
macro_rules! spec {
    ($(
        $(#[$doc:meta])+ $field:ident: $type:ty = $default:expr
        $(=> $($setter:ident($($value:ident: $of:ty)?) $new:expr),+)?;
    )+) => {
        /// The declaration of a message, beside its walk.
        #[derive(Debug, Clone, Copy)]
        pub struct Spec {
            /// A slug under its protocol: `getservers-response`.
            pub id: &'static str,
            /// The documents' name for it: `getserversResponse`.
            pub name: &'static str,
            /// Document and section that describe it, the fullest description first: `001 1.2.9`.
            pub sections: &'static [&'static str],
            /// The usual directions.
            pub directions: Directions,
            /// A payload that decodes without a fault, for tests and pages.
            pub example: &'static [u8],
            $($(#[$doc])+ pub $field: $type,)+
        }

        impl Spec {
            /// A message with strong magic whose id is its name, and which answers nothing.
            pub const fn new(
                name: &'static str,
                sections: &'static [&'static str],
                directions: Directions,
                example: &'static [u8],
            ) -> Self {
                Self { id: name, name, sections, directions, example, $($field: $default,)+ }
            }

            $($($(
                #[doc = concat!("The same, where `", stringify!($field), "` is `", stringify!($new), "`.")]
                #[must_use]
                pub const fn $setter(mut self $(, $value: $of)?) -> Self {
                    self.$field = $new;
                    self
                }
            )+)?)+
        }
    };
}

spec! {
    /// Directions that are possible, but rare.
    rare_directions: Directions = &[] => rare_directions(directions: Directions) directions;
    /// Whether its beginning alone identifies it.
    magic: Magic = Magic::Strong
        => weak() Magic::Weak, exact() Magic::Exact, answer_only() Magic::AnswerOnly;
    /// Whether it is this message only if its grammar covers every byte, even on a documented port:
    /// a message of one byte is not the beginning of a longer one.
    whole: bool = false => whole() true;
    /// What carries it.
    carrier: Carrier = Carrier::Datagram => stream() Carrier::Stream;
    /// If literals are not enough: how these messages are recognised.
    content_match: Option<ContentMatch> = None;
    /// Whether these bytes are another protocol's message despite their beginning.
    excluded: Option<BytesMatch> = None => excluded(excluded: BytesMatch) Some(excluded);
    /// Protocols, by their ids, whose games share this command without a declared message for it.
    /// To or from a server of theirs it is not this message.
    shared_with: &'static [&'static str] = &[]
        => shared_with(protocols: &'static [&'static str]) protocols;
    /// Whether it is in no document. Without other evidence, a documented message of another
    /// protocol is likelier.
    undocumented: bool = false => undocumented() true;
    /// If the name depends on the content, as with GameSpy's queries, and on the name of the
    /// request that it answers, if known.
    named: Option<NameFn> = None => named(named: NameFn) Some(named);
    /// If an answer may take several datagrams: which part of it these bytes are.
    part: Option<PartFn> = None => part(part: PartFn) Some(part);
    /// If an answer is whole when all its entries have come, and not with a last part: how many these
    /// bytes have.
    entries: Option<EntryCountFn> = None => entries(count: EntryCountFn) Some(count);
    /// If a message requests a proof: the challenge in it.
    challenge: Option<ChallengeFn> = None => challenge(challenge: ChallengeFn) Some(challenge);
    /// If a message has a proof: whether it is correct for that challenge; `None` if these bytes
    /// have none.
    validation: Option<ValidationFn> = None
        => validation(validation: ValidationFn) Some(validation);
    /// If a message has a proof: how it is made.
    proof: Option<ProofFn> = None => proof(proof: ProofFn) Some(proof);
    /// Keys that return a value of the request.
    echo_keys: &'static [&'static str] = &[] => echo_keys(keys: &'static [&'static str]) keys;
    /// As a request: what it sends for its answers to bring back.
    sends: Option<IdentifierFn> = None => sends(identifier: IdentifierFn) Some(identifier);
    /// As an answer: what it brings back of its request. An equal one decides which request it
    /// answers; without one, the order does.
    returns: Option<IdentifierFn> = None => returns(identifier: IdentifierFn) Some(identifier);
    /// The ids, under the same protocol, of the requests that it answers.
    answers: &'static [&'static str] = &[] => answers(requests: &'static [&'static str]) requests;
    /// Of those, the ones that it answers only in place of their own answer, which did not fit.
    replaces_answer_to: &'static [&'static str] = &[]
        => replaces_answer_to(requests: &'static [&'static str]) requests;
    /// The exchange that it opens, unless it answers a pending request.
    exchange: ExchangeKind = ExchangeKind::Query => exchange(exchange: ExchangeKind) exchange;
    /// There is no answer to it.
    one_way: bool = false => one_way() true;
    /// Whether these bytes signal a shutdown, if other messages of the kind are heartbeats.
    shutdown: Option<BytesMatch> = None => shutdown(shutdown: BytesMatch) Some(shutdown);
    /// If it is a heartbeat, how often a server sends it, where that is documented.
    intervals: &'static [HeartbeatInterval] = &[]
        => every(intervals: &'static [HeartbeatInterval]) intervals;
    /// Two in quick succession signal a shutdown.
    shutdown_if_repeated: bool = false => shutdown_if_repeated() true;
    /// When it is a refusal, as an answer.
    refusal: Refusal = Refusal::Never => refusal(refusal: Refusal) refusal;
    /// As an answer it completes only a step: its receiver continues with the values in it.
    continues: bool = false => continues() true;
    /// Its port is the one for queries to the server.
    has_query_port: bool = false => has_query_port() true;
    /// As a list it has an end mark.
    has_end_mark: bool = false => has_end_mark() true;
    /// As a list request it names the server after which the list continues: the last record of its
    /// answer is a server, unless it is zeros.
    resumes_list: bool = false => resumes_list() true;
    /// Keys of an answer to a master by which lists are filtered: a filter has the same names.
    filtered_keys: &'static [&'static str] = &[]
        => filtered_keys(keys: &'static [&'static str]) keys;
    /// Required keys, as an answer to a master.
    required_keys: &'static [&'static str] = &[]
        => required_keys(keys: &'static [&'static str]) keys;
}

impl Spec {
    /// What the message is, in words, if its name is a single letter: `status reply` for `n`.
    pub fn explained(&self, name: &str) -> Option<String> {
        let is_letter = name.chars().count() == 1;
        is_letter.then(|| self.id.replace('-', " "))
    }

    /// The same under an id of its own.
    #[must_use]
    pub const fn id(mut self, id: &'static str) -> Self {
        self.id = id;
        self
    }

    /// The same, recognised by content: by its first byte, one of `first` or any if that is empty,
    /// and by `matches` for all bytes.
    #[must_use]
    pub const fn content_match(mut self, first: &'static [u8], matches: BytesMatch) -> Self {
        self.content_match = Some(ContentMatch { first, second: SecondByte::Any, matches });
        self
    }

    /// The same, where all of these messages have a certain second byte.
    #[must_use]
    pub const fn content_match_with(
        mut self,
        first: &'static [u8],
        second: SecondByte,
        matches: BytesMatch,
    ) -> Self {
        self.content_match = Some(ContentMatch { first, second, matches });
        self
    }

    /// The same for messages that begin with bytes of FF, and then with this letter.
    #[must_use]
    pub const fn letter_match(self, letter: u8, matches: BytesMatch) -> Self {
        self.content_match_with(b"\xff", SecondByte::BehindMark(letter), matches)
    }

    /// The documents' name for these bytes, which answer a request with the name `request`, if that
    /// is known.
    #[inline]
    pub fn name_of(&self, bytes: &[u8], request: Option<&'static str>) -> &'static str {
        self.named.map_or(self.name, |named| named(bytes, request))
    }

    /// The documents and sections that describe it: `document 001, section 1.2.9`.
    pub fn citation(&self) -> String {
        let Some(section) = self.sections.first() else {
            return "no document describes it".to_owned();
        };
        let (document, section) = section.split_once(' ').unwrap_or((section, ""));
        format!("document {document}, section {section}")
    }

    /// Whether a message may have this direction.
    #[inline]
    pub fn allows(&self, direction: Direction) -> bool {
        fitting(self.all_directions(), direction).next().is_some()
    }

    /// The roles that the message proves: those that all of its directions have in common, of the
    /// directions that `direction` allows.
    pub fn proves(&self, direction: Direction) -> Direction {
        common(|| fitting(self.all_directions(), direction))
    }

    /// The likely roles, without other evidence: as `proves`, by the usual directions.
    pub fn likely(&self, direction: Direction) -> Direction {
        let proven = self.proves(direction);
        let usual = common(|| fitting(self.directions.iter(), proven));
        Direction { from: proven.from.or(usual.from), to: proven.to.or(usual.to) }
    }

    /// All of its directions.
    #[inline]
    pub fn all_directions(&self) -> impl Iterator<Item = &'static (Role, Role)> {
        self.directions.iter().chain(self.rare_directions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::{Client, Master, Server};

    #[test]
    fn a_message_proves_what_its_directions_have_in_common() {
        let spec = Spec::new("getinfo", &["001 1.2.1"], &[(Client, Server), (Master, Server)], b"");
        let nobody = Direction::default();
        assert_eq!(spec.proves(nobody), Direction { from: None, to: Some(Server) });
        let master = Direction { from: Some(Master), to: None };
        assert_eq!(spec.proves(master), Direction { from: Some(Master), to: Some(Server) });
        assert!(!spec.allows(Direction { from: Some(Server), to: None }));
        assert_eq!(spec.proves(Direction { from: Some(Client), to: Some(Master) }), nobody);
        assert_eq!(spec.citation(), "document 001, section 1.2.1");
        assert_eq!(spec.proves(nobody).to_string(), "unknown-to-server");
    }
}
