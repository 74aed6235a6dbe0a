//! Writes a run as a capture: every datagram of every case, with the case's name as comment.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::judged::Judged;
use super::log::LogEntry;
use capture::write::{FrameRecord, PcapNg};
use net::compose::{self, Dialogue};
use protocol::Carrier;

/// Writes the traffic in the order of time.
///
/// # Errors
/// Those of `out`.
pub fn record(out: impl Write, judged: &[Judged]) -> io::Result<()> {
    let mut all: Vec<(usize, &Judged, &LogEntry)> = Vec::new();
    for (number, judged) in judged.iter().enumerate() {
        all.extend(judged.log.entries.iter().map(|entry| (number, judged, entry)));
    }
    all.sort_by_key(|(.., entry)| entry.time);
    let mut file = PcapNg::new(out)?;
    let mut dialogues: BTreeMap<(usize, usize), Dialogue> = BTreeMap::new();
    let mut wrong = None;
    for (number, judged, entry) in &all {
        let comment = format!("{}: {}", judged.case.id, entry.endpoint);
        let mut frame = |bytes: &[u8]| {
            if let Err(error) = file.write(&FrameRecord::ip(entry.time, bytes, &comment)) {
                wrong.get_or_insert(error);
            }
        };
        match (entry.carrier, entry.stream) {
            (Carrier::Stream, Some(stream)) => {
                let (client, server) =
                    if entry.ours { (entry.from, entry.to) } else { (entry.to, entry.from) };
                let dialogue = dialogues.entry((*number, stream));
                let dialogue =
                    dialogue.or_insert_with(|| Dialogue::open(client, server, &mut frame));
                dialogue.send(entry.from, &entry.bytes, &mut frame);
            }
            // A datagram that is too long for IP was never sent.
            _ => {
                if let Some(bytes) = compose::datagram(entry.from, entry.to, &entry.bytes) {
                    frame(&bytes);
                }
            }
        }
    }
    match wrong {
        Some(error) => Err(error),
        None => file.finish().map(drop),
    }
}
