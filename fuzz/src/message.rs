//! One message: the first byte selects which one the others are read as; 0: as all those that they
//! may be.

use export::Redactor;
use fragshark::protocol::{Carrier, Direction, Entry, Reading};
use fragshark::protocols::registry;
use fragshark::render::Rendered;
use fragshark::text::Secrets;

use super::laws::Laws;
use super::text::is_clean;

pub fn run(bytes: &[u8]) {
    let Some((pick, payload)) = bytes.split_first() else { return };
    if *pick > 0 {
        hold(registry().entries()[usize::from(*pick) % registry().entries().len()], payload);
        return;
    }
    for carrier in [Carrier::Datagram, Carrier::Stream] {
        for entry in registry().recognise_all(carrier, payload, Direction::default()) {
            hold(entry, payload);
        }
    }
}

fn hold(entry: &'static Entry, payload: &[u8]) {
    Laws::default().hold(entry, payload);
    let mut reading = Reading::default();
    reading.read_message(entry, payload);
    let message = Rendered::new(&reading, payload, Secrets::Masked).in_colours(reading.colours());
    let runs = message.summary_runs(entry, 0);
    let summary: String = runs.into_iter().map(|run| run.text).collect();
    is_clean("summary", summary.as_bytes());
    let redacted = Redactor::with_key("fuzz").redacted(entry, payload).to_vec();
    assert_eq!(redacted.len(), payload.len(), "{entry:?}: a redacted message has its length");
}
