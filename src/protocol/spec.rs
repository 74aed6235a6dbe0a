//! The declaration of a message, beside its walk.

use super::direction::{common, fitting};
use super::{Direction, ExchangeKind, Part, Refusal, Role, Validation};

/// Whether a message's beginning alone identifies it on any port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Magic {
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

/// Roles of sender and receiver.
pub type Directions = &'static [(Role, Role)];
/// Whether bytes have a property.
pub type BytesMatch = fn(&[u8]) -> bool;

/// How a message is recognised by content.
#[derive(Debug, Clone, Copy)]
pub struct ContentMatch {
    /// The possible first bytes; any, if empty.
    pub first: &'static [u8],
    pub matches: BytesMatch,
}
/// The documents' name for bytes, and the name of the request that they answer.
pub type NameFn = fn(&[u8], Option<&'static str>) -> &'static str;
/// Which part of an answer bytes are.
pub type PartFn = fn(&[u8]) -> Option<Part>;
/// The challenge in bytes.
pub type ChallengeFn = fn(&[u8]) -> Option<&[u8]>;
/// Whether the proof in bytes is right for a challenge.
pub type ValidationFn = fn(&[u8], challenge: &[u8]) -> Option<Validation>;
/// The required value of a key in a message's own bytes as the answer to a challenge; `None` for
/// keys that prove nothing, or if the value is not known.
pub type ProofFn = fn(&[u8], key: &[u8], request: &[u8]) -> Option<Vec<u8>>;

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
    pub rare_directions: Directions,
    pub magic: Magic,
    pub carrier: Carrier,
    /// If literals are not enough: how these messages are recognised.
    pub content_match: Option<ContentMatch>,
    /// Whether these bytes are another protocol's message despite their beginning.
    pub excluded: Option<BytesMatch>,
    /// Protocols, by their ids, whose games share this command without a declared message for it.
    /// To or from a server of theirs it is not this message.
    pub shared_with: &'static [&'static str],
    /// Whether it is in no document. Without other evidence, a documented message of another
    /// protocol is likelier.
    pub undocumented: bool,
    /// If the name depends on the content, as with GameSpy's queries, and on the name of the
    /// request that it answers, if known.
    pub named: Option<NameFn>,
    /// If an answer may take several datagrams: which part of it these bytes are.
    pub part: Option<PartFn>,
    /// If a message requests a proof: the challenge in it.
    pub challenge: Option<ChallengeFn>,
    /// If a message has a proof: whether it is correct for that challenge; `None` if these bytes
    /// have none.
    pub validation: Option<ValidationFn>,
    /// If a message has a proof: how it is made.
    pub proof: Option<ProofFn>,
    /// Keys that return a value of the request.
    pub echo_keys: &'static [&'static str],
    /// The ids, under the same protocol, of the requests that it answers.
    pub answers: &'static [&'static str],
    /// The exchange that it opens, unless it answers a pending request.
    pub exchange: ExchangeKind,
    /// There is no answer to it.
    pub one_way: bool,
    /// Whether these bytes signal a shutdown, if other messages of the kind are heartbeats.
    pub shutdown: Option<BytesMatch>,
    /// Two in quick succession signal a shutdown.
    pub shutdown_if_repeated: bool,
    /// When it is a refusal, as an answer.
    pub refusal: Refusal,
    /// As an answer it completes only a step: its receiver continues with the values in it.
    pub continues: bool,
    /// Its port is the one for queries to the server.
    pub has_query_port: bool,
    /// As a list it has an end mark.
    pub has_end_mark: bool,
    /// As a list request it names the server after which the list continues: the last record of its
    /// answer is a server, unless it is zeros.
    pub resumes_list: bool,
    /// Required keys, as an answer to a master.
    pub required_keys: &'static [&'static str],
    /// A payload that decodes without a fault, for tests and pages.
    pub example: &'static [u8],
}

/// Defines functions that change one property of a declaration.
macro_rules! setters {
    ($($(#[$doc:meta])+ $name:ident($($value:ident: $type:ty)?) => $field:ident = $new:expr;)+) => {$(
        $(#[$doc])+
        #[must_use]
        pub const fn $name(mut self $(, $value: $type)?) -> Self {
            self.$field = $new;
            self
        }
    )+};
}

impl Spec {
    /// A message with strong magic whose id is its name, and which answers nothing.
    pub const fn new(
        name: &'static str,
        sections: &'static [&'static str],
        directions: Directions,
        example: &'static [u8],
    ) -> Self {
        Self {
            id: name,
            name,
            sections,
            directions,
            rare_directions: &[],
            magic: Magic::Strong,
            carrier: Carrier::Datagram,
            content_match: None,
            excluded: None,
            shared_with: &[],
            undocumented: false,
            named: None,
            part: None,
            challenge: None,
            validation: None,
            proof: None,
            echo_keys: &[],
            answers: &[],
            exchange: ExchangeKind::Query,
            one_way: false,
            shutdown: None,
            shutdown_if_repeated: false,
            refusal: Refusal::Never,
            continues: false,
            has_query_port: false,
            has_end_mark: false,
            resumes_list: false,
            required_keys: &[],
            example,
        }
    }

    setters! {
        /// The same under an id of its own.
        id(id: &'static str) => id = id;
        /// The same with additional rare directions.
        rare_directions(directions: Directions) => rare_directions = directions;
        /// The same with weak magic.
        weak() => magic = Magic::Weak;
        /// The same with magic that is strong if every byte is covered.
        exact() => magic = Magic::Exact;
        /// The same, but only as the other side of an exchange.
        answer_only() => magic = Magic::AnswerOnly;
        /// The same over TCP.
        stream() => carrier = Carrier::Stream;
        /// The same, unless `excluded` is true for all its bytes.
        excluded(excluded: BytesMatch) => excluded = Some(excluded);
        /// The same, with a command that games of these protocols share.
        shared_with(protocols: &'static [&'static str]) => shared_with = protocols;
        /// The same, in no document.
        undocumented() => undocumented = true;
        /// The same, named by content and by the name of its request.
        named(named: NameFn) => named = Some(named);
        /// The same in several parts.
        part(part: PartFn) => part = Some(part);
        /// The same with a challenge to be answered.
        challenge(challenge: ChallengeFn) => challenge = Some(challenge);
        /// The same with the answer to a challenge.
        validation(validation: ValidationFn) => validation = Some(validation);
        /// The same, with a function that makes its proofs.
        proof(proof: ProofFn) => proof = Some(proof);
        /// The same, which returns a value of the request with one of these keys.
        echo_keys(keys: &'static [&'static str]) => echo_keys = keys;
        /// The same as the answer to the messages of these ids.
        answers(requests: &'static [&'static str]) => answers = requests;
        /// The same as what opens an exchange of this kind.
        exchange(exchange: ExchangeKind) => exchange = exchange;
        /// The same, but one-way: there is no answer.
        one_way() => one_way = true;
        /// The same, which signals a shutdown if `shutdown` is true.
        shutdown(shutdown: BytesMatch) => shutdown = Some(shutdown);
        /// The same, two of which in quick succession signal a shutdown.
        shutdown_if_repeated() => shutdown_if_repeated = true;
        /// The same as an answer that may refuse.
        refusal(refusal: Refusal) => refusal = refusal;
        /// The same as an answer with which its receiver has to continue.
        continues() => continues = true;
        /// The same with the port for queries to the server.
        has_query_port() => has_query_port = true;
        /// The same as a list with an end mark.
        has_end_mark() => has_end_mark = true;
        /// The same as a request for the list after a server that it names.
        resumes_list() => resumes_list = true;
        /// The same with the keys that masters require.
        required_keys(keys: &'static [&'static str]) => required_keys = keys;
    }

    /// The same, recognised by content: by its first byte, one of `first` or any if that is empty,
    /// and by `matches` for all bytes.
    #[must_use]
    pub const fn content_match(mut self, first: &'static [u8], matches: BytesMatch) -> Self {
        self.content_match = Some(ContentMatch { first, matches });
        self
    }

    /// The documents' name for these bytes, which answer a request with the name `request`, if that
    /// is known.
    pub fn name_of(&self, bytes: &[u8], request: Option<&'static str>) -> &'static str {
        self.named.map_or(self.name, |named| named(bytes, request))
    }

    /// The documents and sections that describe it: `document 001, section 1.2.9`.
    pub fn citation(&self) -> String {
        let section = self.sections.first().copied().unwrap_or_default();
        let (document, section) = section.split_once(' ').unwrap_or((section, ""));
        format!("document {document}, section {section}")
    }

    /// Whether a message may have this direction.
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
