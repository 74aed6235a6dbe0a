//! What holds for any bytes that are read as any message.

use fragshark::codec::{Fault, Node, Scratch, Sink, Span, Spans};
use fragshark::protocol::Entry;

/// Buffers that are reused for each message.
#[derive(Default)]
pub struct Laws {
    pub scratch: Scratch,
    pub spans: Spans,
    /// The same spans, reported to a `dyn Sink`.
    pub reported: Spans,
    pub out: Vec<u8>,
}

/// A field, and where it is.
fn place(span: &Span) -> (&str, Node, [u32; 2], [u8; 2]) {
    (span.field.name, span.node, [span.start, span.end], [span.depth, span.layer])
}

impl Laws {
    /// Asserts that readings with and without spans agree, that leaves tile the payload, and that
    /// what was accepted is written back byte for byte; the fault of reading.
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
        self.reported.clear();
        let sinks: [&mut dyn Sink; 2] = [&mut (), &mut self.reported];
        for sink in sinks {
            match (e.rewrite)(bytes, &mut self.scratch, sink, &mut self.out) {
                Ok(()) => assert_eq!(self.out, bytes, "{}", what()),
                Err(got) => assert_eq!(Some(got), fault, "{}", what()),
            }
        }
        let [annotated, reported] = [&self.spans, &self.reported].map(|spans| &spans.all);
        assert!(annotated.iter().map(place).eq(reported.iter().map(place)), "{}", what());
        assert_eq!(self.spans.notes, self.reported.notes, "{}", what());
        fault
    }
}
