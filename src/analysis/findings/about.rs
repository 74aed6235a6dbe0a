//! What tells one finding from others: the rule, who is at fault, and what it is about.

use std::mem::Discriminant;
use std::net::SocketAddr;

use super::Rule;
use crate::codec::Want;

/// What tells findings of one rule and one party apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum About {
    /// Nothing: there is one.
    All,
    /// A kind of message, by protocol and id, and what its reader wanted and did not find.
    Fault([&'static str; 2], Discriminant<Want>),
    /// Another party to it: a master of a server, a server of a list.
    With(SocketAddr),
}

/// A rule that is broken, and all that tells this from other cases of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FindingKey {
    pub rule: &'static Rule,
    pub subject: SocketAddr,
    pub about: About,
    pub section: &'static str,
    pub explains: Option<SocketAddr>,
}

impl FindingKey {
    /// A rule that `subject` broke.
    pub fn of(rule: &'static Rule, subject: SocketAddr) -> Self {
        Self { rule, subject, about: About::All, section: rule.section, explains: None }
    }

    /// The same, one of several.
    pub fn about(self, about: About) -> Self {
        Self { about, ..self }
    }

    /// The same, as another section has it.
    pub fn in_section(self, section: &'static str) -> Self {
        Self { section, ..self }
    }

    /// The same, about a server's registration.
    pub fn explains(self, server: SocketAddr) -> Self {
        Self { explains: Some(server), ..self }
    }
}
