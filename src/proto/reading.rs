//! A message read with all its spans, in room that is used again for the next one.

use super::Entry;
use crate::wire::{Fault, Kind, Scratch, Spans};

/// What reading one payload with spans gave; reuse it, and reading allocates nothing.
#[derive(Default)]
pub struct Reading {
    spans: Spans,
    scratch: Scratch,
    fault: Option<Fault>,
    spills: bool,
}

/// Parts of the names that games give their secrets, in lower case.
const SECRETS: [&[u8]; 5] = [b"password", b"passwd", b"cdkey", b"guid", b"rcon"];

/// How well bytes read as a message, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Soundness {
    /// Its grammar does not claim every byte.
    Broken,
    /// It does, and there are notes.
    Odd,
    Regular,
}

impl Reading {
    /// Reads `payload` as `entry`'s message.
    pub fn read(&mut self, entry: &Entry, payload: &[u8]) {
        self.fault = (entry.annotate)(payload, &mut self.scratch, &mut self.spans);
        let strays = self.spans.leaves(0).filter(|s| s.field.kind == Kind::Stray);
        let mut strays = strays.filter_map(|s| payload.get(s.start as usize..s.end as usize));
        self.spills = strays.any(names_a_secret);
    }

    /// Whether the message's grammar claims every byte of `payload`; it is read for that.
    pub fn takes_all(&mut self, entry: &Entry, payload: &[u8]) -> bool {
        self.read(entry, payload);
        self.fault.is_none() && self.spans.all.iter().all(|s| s.field.kind != Kind::Stray)
    }

    /// How well `payload` reads as `entry`'s message; it is read for that.
    pub fn soundness(&mut self, entry: &Entry, payload: &[u8]) -> Soundness {
        match (self.takes_all(entry, payload), self.spans.notes.is_empty()) {
            (false, _) => Soundness::Broken,
            (true, false) => Soundness::Odd,
            (true, true) => Soundness::Regular,
        }
    }

    /// Whether bytes that no field claims name a secret, which stands there then.
    pub fn spills(&self) -> bool {
        self.spills
    }

    pub fn spans(&self) -> &Spans {
        &self.spans
    }

    /// Why the walk stopped, where it did.
    pub fn fault(&self) -> Option<Fault> {
        self.fault
    }

    /// The bytes that a layer's offsets count in: the payload, or the decoded text.
    pub fn layer<'a>(&'a self, payload: &'a [u8], layer: u8) -> &'a [u8] {
        match layer {
            0 => payload,
            _ => self.scratch.plain().unwrap_or_default(),
        }
    }

    /// The decoded text of a coded layer, if the message has one.
    pub fn plain(&self) -> Option<&[u8]> {
        self.scratch.plain()
    }
}

fn names_a_secret(stray: &[u8]) -> bool {
    let lower = stray.to_ascii_lowercase();
    SECRETS.iter().any(|name| memchr::memmem::find(&lower, name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{Way, candidates};

    #[test]
    fn strays_that_name_a_secret_are_known() {
        let mut reading = Reading::default();
        for (payload, spills) in [
            (&b"\xff\xff\xff\xffinfoResponse\n\\a\\b\n\\sv_privatePassword\\X"[..], true),
            (b"\xff\xff\xff\xffinfoResponse\n\\a\\b\nrubbish", false),
            (b"\xff\xff\xff\xffinfoResponse\n\\g_password\\X", false),
        ] {
            let entry = candidates(payload, Way::default()).next().unwrap();
            reading.read(entry, payload);
            assert_eq!(reading.spills(), spills, "{}", payload.escape_ascii());
        }
    }
}
