//! What identifies a finding: the rule, the endpoint at fault, and the detail.

use std::fmt;
use std::net::SocketAddr;

use crate::finding::{BytePlace, Rule};

/// What distinguishes findings of one rule and one endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum About {
    /// Nothing: there is only one.
    All,
    /// A kind of message, by protocol and id, and what the reader expected and did not find.
    Fault([&'static str; 2], &'static str),
    /// The other endpoint involved: a master of a server, a server of a list.
    With(SocketAddr),
}

impl fmt::Display for About {
    /// `192.0.2.10:27960`, `quake3.info-response: number`; nothing for the only one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            Self::Fault([protocol, message], wanted) => write!(f, "{protocol}.{message}: {wanted}"),
            Self::With(other) => write!(f, "{other}"),
        }
    }
}

/// A violated rule, with everything that distinguishes this finding from others.
#[derive(Debug, Clone, Copy)]
pub(super) struct FindingKey {
    pub rule: &'static Rule,
    pub subject: SocketAddr,
    pub about: About,
    pub section: &'static str,
    pub explains: Option<SocketAddr>,
    /// The bytes at fault of the first message.
    pub place: Option<BytePlace>,
}

impl FindingKey {
    /// The finding that `subject` violated a rule.
    pub fn new(rule: &'static Rule, subject: SocketAddr) -> Self {
        Self {
            rule,
            subject,
            about: About::All,
            section: rule.section,
            explains: None,
            place: None,
        }
    }

    /// The same with a detail.
    pub fn about(self, about: About) -> Self {
        Self { about, ..self }
    }

    /// The same with the section of another document.
    pub fn in_section(self, section: &'static str) -> Self {
        Self { section, ..self }
    }

    /// The same with the bytes at fault.
    pub fn at(self, place: BytePlace) -> Self {
        Self { place: Some(place), ..self }
    }

    /// The same, about a server's registration.
    pub fn explains(self, server: SocketAddr) -> Self {
        Self { explains: Some(server), ..self }
    }
}
