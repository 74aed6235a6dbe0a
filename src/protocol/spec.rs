//! The declaration of a message, beside its walk.

use super::way::{common, fitting};
use super::{Dealing, Direction, ExchangeKind, Part, Refusal, Role, Validation};

/// Whether a message's beginning alone identifies it on any port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Magic {
    Strong,
    /// If the grammar covers every byte; else as weak.
    Exact,
    /// Only with a documented port, or as the other side of an exchange.
    Weak,
    /// Only as the other side of an exchange.
    Half,
}

/// What carries a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// A UDP datagram, which is the message.
    Datagram,
    /// A TCP stream, which the protocol divides into messages.
    Stream,
}

/// Whether bytes begin such a message.
pub type Fits = fn(&[u8]) -> bool;

/// How a message is recognised by content.
#[derive(Debug, Clone, Copy)]
pub struct Looks {
    /// The possible first bytes; any, if empty.
    pub first: &'static [u8],
    pub fits: Fits,
}
/// The documents' name for bytes, and the name of the request that they answer.
pub type NameFn = fn(&[u8], Option<&'static str>) -> &'static str;
/// Which part of an answer bytes are.
pub type PartFn = fn(&[u8]) -> Option<Part>;
/// The challenge in bytes.
pub type ChallengeFn = fn(&[u8]) -> Option<&[u8]>;
/// Whether the proof in bytes is right for a challenge.
pub type Validates = fn(&[u8], challenge: &[u8]) -> Option<Validation>;
/// The required value of a key in a message's own bytes as the answer to a challenge; `None` for
/// keys that prove nothing, or if the value is not known.
pub type Proving = fn(&[u8], key: &[u8], asked: &[u8]) -> Option<Vec<u8>>;

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
    pub ways: &'static [(Role, Role)],
    /// Rare directions.
    pub seldom: &'static [(Role, Role)],
    pub magic: Magic,
    pub carrier: Carrier,
    /// If literals are not enough: whether these bytes begin such a message.
    pub looks: Option<Looks>,
    /// Whether these bytes are another protocol's message despite their beginning.
    pub never: Option<Fits>,
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
    pub validation: Option<Validates>,
    /// If a message has a proof: how it is made.
    pub proving: Option<Proving>,
    /// Keys that return a value of the request.
    pub returns: &'static [&'static str],
    /// The ids, under the same protocol, of the requests that it answers.
    pub answers: &'static [&'static str],
    /// Its part in exchanges.
    pub dealing: Dealing,
    /// A payload that decodes without a fault, for tests and pages.
    pub example: &'static [u8],
}

impl Spec {
    /// A message with strong magic whose id is its name, and which answers nothing.
    pub const fn new(
        name: &'static str,
        sections: &'static [&'static str],
        ways: &'static [(Role, Role)],
        example: &'static [u8],
    ) -> Self {
        Self {
            id: name,
            name,
            sections,
            ways,
            seldom: &[],
            magic: Magic::Strong,
            carrier: Carrier::Datagram,
            looks: None,
            never: None,
            shared_with: &[],
            undocumented: false,
            named: None,
            part: None,
            challenge: None,
            validation: None,
            proving: None,
            returns: &[],
            answers: &[],
            dealing: Dealing::QUERY,
            example,
        }
    }

    /// The same under an id of its own.
    #[must_use]
    pub const fn id(mut self, id: &'static str) -> Self {
        self.id = id;
        self
    }

    /// The same with additional rare directions.
    #[must_use]
    pub const fn seldom(mut self, ways: &'static [(Role, Role)]) -> Self {
        self.seldom = ways;
        self
    }

    /// The same with weak magic.
    #[must_use]
    pub const fn weak(mut self) -> Self {
        self.magic = Magic::Weak;
        self
    }

    /// The same with magic that is strong if every byte is covered.
    #[must_use]
    pub const fn exact(mut self) -> Self {
        self.magic = Magic::Exact;
        self
    }

    /// The same, but only as the other side of an exchange.
    #[must_use]
    pub const fn half(mut self) -> Self {
        self.magic = Magic::Half;
        self
    }

    /// The same over TCP.
    #[must_use]
    pub const fn stream(mut self) -> Self {
        self.carrier = Carrier::Stream;
        self
    }

    /// The same, recognised by content: by its first byte, one of `first` or any if that is empty,
    /// and by `fits` for all bytes.
    #[must_use]
    pub const fn content_match(mut self, first: &'static [u8], fits: Fits) -> Self {
        self.looks = Some(Looks { first, fits });
        self
    }

    /// The same, unless `never` is true for all its bytes.
    #[must_use]
    pub const fn never(mut self, never: Fits) -> Self {
        self.never = Some(never);
        self
    }

    /// The same, with a command that games of these protocols share.
    #[must_use]
    pub const fn shared_with(mut self, protocols: &'static [&'static str]) -> Self {
        self.shared_with = protocols;
        self
    }

    /// The same, in no document.
    #[must_use]
    pub const fn undocumented(mut self) -> Self {
        self.undocumented = true;
        self
    }

    /// The same, named by content and by the name of its request.
    #[must_use]
    pub const fn named(mut self, named: NameFn) -> Self {
        self.named = Some(named);
        self
    }

    /// The same in several parts.
    #[must_use]
    pub const fn parts(mut self, part: PartFn) -> Self {
        self.part = Some(part);
        self
    }

    /// The same with a challenge to be answered.
    #[must_use]
    pub const fn challenges(mut self, challenge: ChallengeFn) -> Self {
        self.challenge = Some(challenge);
        self
    }

    /// The same with the answer to a challenge.
    #[must_use]
    pub const fn validates(mut self, validation: Validates) -> Self {
        self.validation = Some(validation);
        self
    }

    /// The same, with a function that makes its proofs.
    #[must_use]
    pub const fn proving(mut self, proving: Proving) -> Self {
        self.proving = Some(proving);
        self
    }

    /// The same, which returns a value of the request with one of these keys.
    #[must_use]
    pub const fn returns(mut self, keys: &'static [&'static str]) -> Self {
        self.returns = keys;
        self
    }

    /// The documents' name for these bytes, which answer a request with the name `request`, if that
    /// is known.
    pub fn name_of(&self, bytes: &[u8], request: Option<&'static str>) -> &'static str {
        self.named.map_or(self.name, |named| named(bytes, request))
    }

    /// The same as the answer to the messages of these ids.
    #[must_use]
    pub const fn answers(mut self, requests: &'static [&'static str]) -> Self {
        self.answers = requests;
        self
    }

    /// The same as what opens an exchange of this kind.
    #[must_use]
    pub const fn about(mut self, affair: ExchangeKind) -> Self {
        self.dealing.affair = affair;
        self
    }

    /// The same, but one-way: there is no answer.
    #[must_use]
    pub const fn one_way(mut self) -> Self {
        self.dealing.told = true;
        self
    }

    /// The same, which signals a shutdown if `farewell` is true.
    #[must_use]
    pub const fn leaves(mut self, farewell: Fits) -> Self {
        self.dealing.farewell = Some(farewell);
        self
    }

    /// The same, two of which in quick succession signal a shutdown.
    #[must_use]
    pub const fn leaves_twice(mut self) -> Self {
        self.dealing.twice = true;
        self
    }

    /// The same as an answer that may refuse.
    #[must_use]
    pub const fn refuses(mut self, refuses: Refusal) -> Self {
        self.dealing.refuses = refuses;
        self
    }

    /// The same as an answer with which its receiver has to continue.
    #[must_use]
    pub const fn leads_on(mut self) -> Self {
        self.dealing.leads_on = true;
        self
    }

    /// The same with the port for queries to the server.
    #[must_use]
    pub const fn names_port(mut self) -> Self {
        self.dealing.names_port = true;
        self
    }

    /// The same as a list with an end mark.
    #[must_use]
    pub const fn marks_end(mut self) -> Self {
        self.dealing.marks_end = true;
        self
    }

    /// The same as a request for the list after a server that it names.
    #[must_use]
    pub const fn goes_on_behind(mut self) -> Self {
        self.dealing.goes_on_behind = true;
        self
    }

    /// The same with the keys that masters require.
    #[must_use]
    pub const fn required_keys(mut self, keys: &'static [&'static str]) -> Self {
        self.dealing.owes = keys;
        self
    }

    /// The documents and sections that describe it: `document 001, section 1.2.9`.
    pub fn citation(&self) -> String {
        let section = self.sections.first().copied().unwrap_or_default();
        let (document, section) = section.split_once(' ').unwrap_or((section, ""));
        format!("document {document}, section {section}")
    }

    /// Whether a message may have this direction.
    pub fn allows(&self, way: Direction) -> bool {
        fitting(self.all_ways(), way).next().is_some()
    }

    /// The roles that the message proves: those that all of its directions have in common, of the
    /// directions that `way` allows.
    pub fn proves(&self, way: Direction) -> Direction {
        common(|| fitting(self.all_ways(), way))
    }

    /// The likely roles, without other evidence: as `proves`, by the usual directions.
    pub fn mostly(&self, way: Direction) -> Direction {
        let proven = self.proves(way);
        let usual = common(|| fitting(self.ways.iter(), proven));
        Direction { from: proven.from.or(usual.from), to: proven.to.or(usual.to) }
    }

    /// All of its directions.
    pub fn all_ways(&self) -> impl Iterator<Item = &'static (Role, Role)> {
        self.ways.iter().chain(self.seldom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::{Client, Master, Server};

    #[test]
    fn a_message_proves_what_its_ways_have_in_common() {
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
