//! A message read with all its spans, in room that is used again for the next one.

use super::Entry;
use crate::wire::{Fault, Kind, Node, Odd, Scratch, Spans};

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
    /// For those who ask for values alone: see [`Spans::of_values`].
    pub fn of_values() -> Self {
        Self { spans: Spans::of_values(), ..Self::default() }
    }

    /// Reads `payload` as `entry`'s message, to be shown.
    pub fn read(&mut self, entry: &Entry, payload: &[u8]) {
        self.walk(entry, payload);
        self.spills = self.is_torn(payload);
    }

    /// The same for those who only look at its fields: what must be hidden is not asked.
    pub fn walk(&mut self, entry: &Entry, payload: &[u8]) {
        self.fault = (entry.annotate)(payload, &mut self.scratch, &mut self.spans);
        self.spills = true;
    }

    /// Whether the message's grammar claims every byte of `payload`; it is read for that.
    pub fn takes_all(&mut self, entry: &Entry, payload: &[u8]) -> bool {
        self.walk(entry, payload);
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

    /// The same of a payload of which the capture has only the beginning: what is wrong where it
    /// breaks off is not counted.
    pub fn soundness_of_part(&mut self, entry: &Entry, payload: &[u8]) -> Soundness {
        self.walk(entry, payload);
        self.cut_off(payload);
        match (self.fault, self.spans.notes.is_empty()) {
            (Some(_), _) => Soundness::Broken,
            (None, false) => Soundness::Odd,
            (None, true) => Soundness::Regular,
        }
    }

    /// Reads `payload` to be shown, of which the capture lacks `missing` bytes: what is wrong only
    /// because they are not there is left out, and the bytes that cannot be read are `cut`.
    pub fn read_part(&mut self, entry: &Entry, payload: &[u8], missing: u32) {
        self.read(entry, payload);
        if missing > 0 {
            self.cut_off(payload);
        }
    }

    fn cut_off(&mut self, payload: &[u8]) {
        let end = payload.len();
        if let Some(fault) = self.fault
            && (fault.layer > 0 || fault.may_lack(payload.get(fault.at..).unwrap_or_default()))
        {
            self.fault = None;
            self.spans.cut_off(end);
        }
        self.spans.notes.retain(|note| {
            let of_rest = matches!(note.odd, Odd::Size | Odd::NotCanonical);
            note.layer == 0 && !of_rest && (note.end as usize) < end
        });
    }

    /// Whether a secret is named where no key stands: in bytes that no field claims, in a line that
    /// is torn, or as a value, so that the next key is the secret. Where it stands then, nothing
    /// tells for sure.
    pub fn spills(&self) -> bool {
        self.spills
    }

    fn is_torn(&self, payload: &[u8]) -> bool {
        let bytes = |layer: u8, start: u32, end: u32| {
            self.layer(payload, layer).get(start as usize..end as usize).unwrap_or_default()
        };
        let mut lines = self.spans.notes.iter().filter(|n| n.odd == Odd::ShortLine);
        if lines.any(|n| names_a_secret(bytes(n.layer, n.start, n.end))) {
            return true;
        }
        let mut follows_key = false;
        for span in self.spans.all.iter().filter(|s| s.node == Node::Leaf) {
            let leaf = || bytes(span.layer, span.start, span.end);
            match span.field.kind {
                Kind::Separator => continue,
                Kind::Stray if names_a_secret(leaf()) => return true,
                _ if follows_key && is_a_secrets_name(leaf()) => return true,
                _ => {}
            }
            follows_key = span.field.kind == Kind::Key;
        }
        false
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

/// Whether a value is the name of a key that holds a secret.
fn is_a_secrets_name(value: &[u8]) -> bool {
    // Most values are told by their last byte.
    matches!(value.last(), Some(b'd' | b'D' | b'y' | b'Y' | b'n' | b'N'))
        && value.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
        && SECRETS.iter().any(|name| {
            let tail = value.len().checked_sub(name.len()).and_then(|at| value.get(at..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(name))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{Way, candidates};

    #[test]
    fn secrets_that_stand_out_of_place_are_known() {
        let mut reading = Reading::default();
        for (payload, spills) in [
            (&b"\xff\xff\xff\xffinfoResponse\n\\a\\b\n\\sv_privatePassword\\X"[..], true),
            (b"\xff\xff\xff\xffstatusResponse\n\\a\\b\n\\RCON_password\\X\n", true),
            (b"\xff\xff\xff\xffinfoResponse\n\\\"\\g_password\\X", true),
            (b"\xff\xff\xff\xffinfoResponse\n\\hostname\\no password needed", false),
            (b"\xff\xff\xff\xffinfoResponse\n\\a\\b\nrubbish", false),
            (b"\xff\xff\xff\xffinfoResponse\n\\g_password\\X", false),
        ] {
            let entry = candidates(payload, Way::default()).next().unwrap();
            reading.read(entry, payload);
            assert_eq!(reading.spills(), spills, "{}", payload.escape_ascii());
        }
    }
}
