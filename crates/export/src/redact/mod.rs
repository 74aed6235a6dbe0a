//! Pseudonyms: replaces what identifies people, their machines or their secrets.
//!
//! A [`Redactor`] gives the same pseudonym for the same name, for its lifetime or, with the user's
//! key, always. Messages are redacted first and rendered afterwards: rows, comments and packets are
//! made of the redacted payload, so that no renderer needs to know what is private.
//!
//! The roles of fields decide what is replaced, and so does what is *not* known: a text that is not
//! declared harmless may hold a name. Lengths in bytes stay, wherever a value stands.
//!
//! *Invariant:* the output of this module contains nothing of the original but what is known to be
//! harmless.

mod addresses;
mod checksum;
mod frame;
mod payload;
mod pseudonym;
mod text;

#[cfg(test)]
mod tests;

use std::io;
use std::net::SocketAddr;

use analysis::{CapturedMessage, MessageHeader};
use codec::Scratch;
use protocol::{Entry, Reading};
use protocols::registry;

use addresses::Addresses;
use payload::ListedKeys;
use pseudonym::Secret;

pub(super) use checksum::Sum;
pub(super) use frame::address_of;

/// Replaces names, addresses and secrets by pseudonyms.
pub struct Redactor {
    addresses: Addresses,
    secret: Secret,
    known: ListedKeys,
    reading: Reading,
    scratch: Scratch,
    out: Vec<u8>,
}

impl Redactor {
    /// Pseudonyms that cannot be reproduced.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        let mut key = [0; 32];
        random::fill(&mut key)?;
        Ok(Self::with_secret(Secret::new(key)))
    }

    /// Pseudonyms by the user's key. With the key, the original of a pseudonym can be found by
    /// trial.
    pub fn with_key(key: &str) -> Self {
        Self::with_secret(Secret::of_text(key))
    }

    fn with_secret(secret: Secret) -> Self {
        Self {
            addresses: Addresses::new(secret),
            secret,
            known: ListedKeys::from_entries(registry().entries()),
            reading: Reading::default(),
            scratch: Scratch::default(),
            out: Vec::new(),
        }
    }

    /// The pseudonym of an endpoint: another address of its kind, the same port.
    pub fn endpoint(&mut self, end: SocketAddr) -> SocketAddr {
        SocketAddr::new(self.addresses.ip(end.ip()), end.port())
    }

    /// The pseudonym of a capture's path, which may name people or machines; `-` stays.
    pub fn file(&self, path: &str) -> String {
        if path == "-" {
            return path.to_owned();
        }
        String::from_utf8(self.secret.text(path.as_bytes())).unwrap_or_default()
    }

    /// A message's payload with pseudonyms, of the same length.
    pub fn redacted(&mut self, entry: &'static Entry, payload: &[u8]) -> &[u8] {
        self.payload(entry, payload);
        &self.out
    }

    /// The message with pseudonyms, of the same length; the data of its flow stays.
    pub fn message(&mut self, message: &CapturedMessage<'_>) -> CapturedMessage<'_> {
        let CapturedMessage { header, payload } = *message;
        let (source, destination) =
            (self.endpoint(header.source), self.endpoint(header.destination));
        self.payload(header.entry, payload);
        CapturedMessage {
            header: MessageHeader { source, destination, ..header },
            payload: &self.out,
        }
    }
}
