//! What holds for any bytes that are read as any message.

use fragshark::codec::{Fault, Scratch, Spans};
use fragshark::protocol::Entry;

/// Buffers that are reused for each message.
#[derive(Default)]
pub struct Laws {
    pub scratch: Scratch,
    pub spans: Spans,
    pub out: Vec<u8>,
}

impl Laws {
    /// Asserts that readings with and without spans stop at the same place, that leaves tile the
    /// payload, and that what was accepted is written back byte for byte; the fault of reading.
    pub fn hold(&mut self, e: &Entry, bytes: &[u8]) -> Option<Fault> {
        let what = || format!("{e:?}: \"{}\"", bytes.escape_ascii());
        let fault = (e.check)(bytes, &mut self.scratch);
        assert_eq!(fault, (e.annotate)(bytes, &mut self.scratch, &mut self.spans), "{}", what());
        let mut at = 0;
        for leaf in self.spans.leaves(0) {
            assert_eq!(leaf.start, at, "{}: {:#?}", what(), self.spans);
            at = leaf.end;
        }
        assert_eq!(at as usize, bytes.len(), "{}", what());
        assert!(self.spans.all.iter().all(|s| s.start <= s.end), "{}", what());
        match (e.rewrite)(bytes, &mut self.scratch, &mut self.out) {
            Ok(()) => assert_eq!(self.out, bytes, "{}", what()),
            Err(got) => assert_eq!(Some(got), fault, "{}", what()),
        }
        fault
    }
}
