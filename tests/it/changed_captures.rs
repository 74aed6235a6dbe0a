//! Captures, and changes as in practice: cut by a snap length, or with every frame captured twice.
//! What the capture lacks or repeats must not cause a finding that the whole capture does not have.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use fragshark::analysis::{AnalysisNeeds, Analyzer, Pipeline};
use fragshark::capture::write::{FrameRecord, PcapNg};
use fragshark::capture::{Frames, Input};

use crate::golden;

/// Snap lengths, in bytes of a frame.
const LENGTHS: [usize; 6] = [60, 64, 72, 80, 96, 128];
/// How much later than its original a copy is, in nanoseconds.
const BEHIND: i64 = 1_000;

/// One frame of a capture.
struct Kept {
    time: i64,
    link: u16,
    fcs: u8,
    bytes: Vec<u8>,
    wire_length: u32,
}

/// The identity of a finding: its rule, and the endpoint at fault.
type Found = (&'static str, SocketAddr);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("captures")
}

fn frames(path: &Path) -> Vec<Kept> {
    let mut kept = Vec::new();
    let mut frames = Frames::open(&[Input::File(path.to_owned())]).unwrap();
    while let Some(frame) = frames.next() {
        kept.push(Kept {
            time: frame.time,
            link: frame.link,
            fcs: frame.fcs,
            bytes: frame.bytes.to_vec(),
            wire_length: frame.wire_length,
        });
    }
    kept
}

fn capture<'a>(frames: impl IntoIterator<Item = FrameRecord<'a>>) -> Input {
    let mut out = PcapNg::new(Vec::new()).unwrap();
    frames.into_iter().for_each(|record| out.write(&record).unwrap());
    Input::Memory { name: "changed.pcapng".into(), bytes: out.finish().unwrap().into() }
}

impl Kept {
    /// The frame, truncated to `length` bytes, `behind` nanoseconds later.
    fn record(&self, length: usize, behind: i64) -> FrameRecord<'_> {
        let bytes = &self.bytes[..self.bytes.len().min(length)];
        let fcs = if bytes.len() < self.bytes.len() { 0 } else { self.fcs };
        let (link, wire_length) = (self.link, self.wire_length);
        FrameRecord {
            time: self.time + behind,
            link,
            fcs,
            bytes,
            wire_length,
            comment: "",
            interface: 0,
        }
    }
}

/// The analysis of a capture.
struct Judged {
    findings: BTreeSet<Found>,
    texts: Vec<String>,
    /// Registrations that failed, at any step: an ICMP error for a heartbeat may be cut so short
    /// that only the missing response is left.
    failed: BTreeSet<String>,
    /// The kind, endpoints and outcome of exchanges.
    exchanges: Vec<String>,
    packets: u64,
}

fn judge(input: Input) -> Judged {
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let mut exchanges = Vec::new();
    let analyzer = pipeline.analyze(Analyzer::new(AnalysisNeeds::Findings), |exchange| {
        let (kind, state) = (exchange.kind.name(), exchange.state);
        exchanges.push(format!("{kind} {} {} {state}", exchange.requester, exchange.responder));
    });
    let analyzer = analyzer.unwrap();
    let findings = analyzer.findings();
    let registrations = analyzer.registrations();
    let failed = registrations.all().filter(|r| r.failed().is_some());
    let failed = failed.map(|r| format!("{} fails at {}", r.server, r.master));
    exchanges.sort();
    let packets = pipeline.flows().iter().flat_map(|(_, flow)| flow.traffic).map(|t| t.packets);
    Judged {
        findings: findings.iter().map(|f| (f.rule.id, f.subject)).collect(),
        texts: findings.iter().map(|f| format!("{} {} {f}", f.rule.id, f.subject)).collect(),
        failed: failed.collect(),
        exchanges,
        packets: packets.sum(),
    }
}

/// Results for a changed capture that the whole one does not have.
fn more(whole: &Judged, changed: &Judged) -> Vec<String> {
    let is_new = |(id, subject): &&Found| !whole.findings.contains(&(id, *subject));
    let new = changed.findings.iter().filter(is_new);
    let text = |(id, subject): &Found| {
        let begin = format!("{id} {subject} ");
        changed.texts.iter().find(|text| text.starts_with(&begin)).unwrap().clone()
    };
    new.map(text).chain(changed.failed.difference(&whole.failed).cloned()).collect()
}

#[test]
fn a_snap_length_makes_nobody_guilty() {
    let mut wrong = Vec::new();
    for path in golden::captures() {
        let frames = frames(&path);
        let whole = judge(capture(frames.iter().map(|frame| frame.record(usize::MAX, 0))));
        for length in LENGTHS {
            let cut = judge(capture(frames.iter().map(|frame| frame.record(length, 0))));
            let name = path.strip_prefix(root()).unwrap().display();
            wrong.extend(more(&whole, &cut).iter().map(|new| format!("{name} at {length}: {new}")));
        }
    }
    assert!(wrong.is_empty(), "{} are new:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn frames_captured_twice_make_nobody_guilty() {
    let mut wrong = Vec::new();
    for path in golden::captures() {
        let frames = frames(&path);
        let whole = judge(capture(frames.iter().map(|frame| frame.record(usize::MAX, 0))));
        let twice = [0, BEHIND];
        let twice = frames.iter().flat_map(|f| twice.map(|behind| f.record(usize::MAX, behind)));
        let twice = judge(capture(twice));
        let name = path.strip_prefix(root()).unwrap().display();
        wrong.extend(more(&whole, &twice).iter().map(|new| format!("{name}: {new}")));
    }
    assert!(wrong.is_empty(), "{} are new:\n{}", wrong.len(), wrong.join("\n"));
}

/// Packets with an IP identification count once, however often they were captured.
#[test]
fn numbered_packets_count_once() {
    let (mut wrong, mut tested) = (Vec::new(), 0);
    for path in golden::captures() {
        let mut frames = frames(&path);
        if !(1..).zip(&mut frames).all(|(number, frame)| identify(frame, number).is_some()) {
            continue;
        }
        tested += 1;
        let whole = judge(capture(frames.iter().map(|frame| frame.record(usize::MAX, 0))));
        for copies in [2, 4] {
            let behind = (0..copies).map(|n| n * BEHIND);
            let more = frames.iter().flat_map(|f| behind.clone().map(|b| f.record(usize::MAX, b)));
            let more = judge(capture(more));
            let name = path.strip_prefix(root()).unwrap().display();
            if more.packets != whole.packets || more.exchanges != whole.exchanges {
                let (is, should) = ((more.packets, more.exchanges), &whole.exchanges);
                wrong.push(format!("{name}: {is:?} and not {} {should:?}", whole.packets));
            }
            if (&more.findings, more.failed) != (&whole.findings, whole.failed.clone()) {
                wrong.push(format!("{name}: {:?} and not {:?}", more.texts, whole.texts));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tested > 120, "{tested} captures have nothing but plain IPv4");
}

/// Sets the identification of a frame's IPv4 packet, if it is 0; `None` if the frame holds
/// something else, or a tunnel.
fn identify(frame: &mut Kept, number: u16) -> Option<()> {
    const IPV4: [u8; 2] = [0x08, 0x00];
    const VLAN: [u8; 2] = [0x81, 0x00];
    let kind = |at: usize| frame.bytes.get(at..at + 2);
    let at = match frame.link {
        1 if kind(12)? == IPV4 => 14,
        1 if kind(12)? == VLAN && kind(16)? == IPV4 => 18,
        113 if kind(14)? == IPV4 => 16,
        101 if frame.bytes.first()? >> 4 == 4 => 0,
        _ => return None,
    };
    let is_plain = matches!(frame.bytes.get(at + 9)?, 1 | 6 | 17);
    let id = frame.bytes.get_mut(at + 4..at + 6).filter(|_| is_plain)?;
    if *id == [0, 0] {
        id.copy_from_slice(&number.to_be_bytes());
    }
    Some(())
}
