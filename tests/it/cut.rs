//! Captures with a snap length: truncated messages are recognised, none changes its name or its
//! game, and the missing bytes are no fault. Every capture in the repository is cut at several
//! lengths.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use fragshark::analysis::Pipeline;
use fragshark::capture::write::{FrameRecord, PcapNg};
use fragshark::capture::{Frames, Input};
use fragshark::protocol::{Carrier, Reading};

use crate::golden;

/// Of 68 bytes 26 are payload, in Ethernet and IPv4; less is too short for a message.
const LENGTHS: [usize; 3] = [68, 96, 128];

/// A message, with the fields that the test compares.
struct Seen {
    name: &'static str,
    game: &'static str,
    /// Whether it came in one datagram that lies in one frame.
    is_datagram: bool,
    /// GameSpy's words are keys, and the game's name is a value among them.
    is_gamespy: bool,
    missing: u32,
    /// Its fault and notes.
    wrong: Vec<String>,
}

/// The messages of a capture by the numbers of their frames.
fn messages(input: Input) -> BTreeMap<u64, Seen> {
    let mut seen = BTreeMap::new();
    let mut reading = Reading::default();
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let done = pipeline.messages(|message| {
        let h = message.header;
        reading.read_part(h.entry, message.payload, h.missing);
        let notes = reading.spans().notes.iter().map(|note| format!("{note:?}"));
        let wrong = reading.fault().iter().map(|fault| format!("{fault:?}")).chain(notes).collect();
        let is_datagram = h.entry.spec.carrier == Carrier::Datagram && h.fragments == 0;
        let seen_here = Seen {
            name: h.name,
            game: h.verdict.game.id,
            is_datagram,
            is_gamespy: h.entry.protocol.id == "gamespy",
            missing: h.missing,
            wrong,
        };
        seen.insert(h.number, seen_here);
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    seen
}

/// The same frames, truncated to `length` bytes.
fn cut(path: &Path, length: usize) -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut kept = Vec::new();
    let mut out = PcapNg::new(Vec::new()).unwrap();
    let mut frames = Frames::open(&[Input::File(path.to_owned())]).unwrap();
    while let Some(frame) = frames.next() {
        let bytes = &frame.bytes[..frame.bytes.len().min(length)];
        let record = FrameRecord {
            time: frame.time,
            link: frame.link,
            fcs: 0,
            bytes,
            wire_length: frame.wire_length,
            comment: "",
            interface: 0,
        };
        out.write(&record).unwrap();
        kept.push(bytes.to_vec());
    }
    (out.finish().unwrap(), kept)
}

/// Whether a frame holds a word and something after it.
fn holds(frame: &[u8], word: &str) -> bool {
    frame
        .windows(word.len() + 1)
        .any(|part| part[..word.len()].eq_ignore_ascii_case(word.as_bytes()))
}

#[test]
fn a_snap_length_changes_no_name_and_no_game() {
    let mut wrong = Vec::new();
    for path in golden::captures() {
        let whole = messages(Input::File(path.clone()));
        for length in LENGTHS {
            let (bytes, frames) = cut(&path, length);
            let part = messages(Input::Memory { name: "cut.pcapng".into(), bytes: bytes.into() });
            for (number, full) in whole.iter().filter(|(_, full)| full.is_datagram) {
                let at = format!("{} at {length}, frame {number}", path.display());
                let Some(seen) = part.get(number) else {
                    // The headers before the payload may leave no room for the word.
                    let at_frame = usize::try_from(*number).unwrap() - 1;
                    if frames.get(at_frame).is_some_and(|frame| holds(frame, full.name)) {
                        wrong.push(format!("{at}: {} is not recognised", full.name));
                    }
                    continue;
                };
                if seen.name != full.name && !full.is_gamespy {
                    wrong.push(format!("{at}: {} was {}", seen.name, full.name));
                }
                if seen.game != full.game && !(full.is_gamespy && length == 68) {
                    wrong.push(format!("{at}: {} was {}", seen.game, full.game));
                }
                if seen.missing > 0 {
                    let new = seen.wrong.iter().filter(|what| !full.wrong.contains(what));
                    wrong.extend(new.map(|what| format!("{at}: {} has {what}", full.name)));
                }
            }
            let new = part.iter().filter(|(number, _)| !whole.contains_key(number));
            for (number, _) in new.filter(|(_, seen)| seen.is_datagram) {
                wrong.push(format!("{} at {length}, frame {number} is new", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
