//! Packets that are written back: unchanged, with decoded messages as comments; and redacted,
//! without anything that identifies somebody.

use std::collections::BTreeSet;
use std::fs;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{golden, story};
use fragshark::analysis::{Pipeline, PipelineItem};
use fragshark::capture::{Frames, Input};
use fragshark::codec::{FieldRole, Kind, Node, Value, is_yes_or_no};
use fragshark::net::FrameLayout;
use fragshark::protocol::Reading;
use regex::bytes::Regex;
use story::{Format, Link, Side, Story};
use tempfile::TempDir;

/// The compared parts of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Frame {
    time: i64,
    link: u16,
    fcs: u8,
    bytes: Vec<u8>,
    wire_length: u32,
}

/// The frames of a capture, and the comments of each.
fn frames(file: &Path) -> (Vec<Frame>, Vec<Vec<String>>) {
    let mut frames = Frames::open(&[Input::from_argument(file.as_os_str())]).unwrap();
    let (mut found, mut comments) = (Vec::new(), Vec::new());
    while let Some(frame) = frames.next() {
        let fragshark::capture::Frame { time, link, fcs, bytes, wire_length, .. } = frame;
        found.push(Frame { time, link, fcs, bytes: bytes.to_vec(), wire_length });
        let text = |text: &[u8]| String::from_utf8(text.to_vec()).unwrap();
        comments.push(frame.comments.iter().map(text).collect());
    }
    assert!(frames.warnings().is_empty());
    (found, comments)
}

/// The output of `export` for a capture.
fn export(capture: &Path, options: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fragshark"));
    let output = command.arg("export").arg(capture).args(options).output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{}: {complaint}", capture.display());
    let warned = complaint.contains("--redact replaces them");
    let should = options.contains(&"pcapng") && !options.contains(&"--redact");
    assert_eq!(warned, should, "{complaint}");
    output.stdout
}

const REDACTED: [&str; 5] = ["--format", "pcapng", "--redact", "--redact-key", "a key"];

struct Folder(TempDir);

impl Folder {
    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

fn folder() -> Folder {
    Folder(TempDir::new().unwrap())
}

/// Number, id and name of each message.
fn messages(file: &Path) -> Vec<(u64, String, &'static str, usize)> {
    let mut pipeline =
        Pipeline::open(vec![Input::from_argument(file.as_os_str())], Vec::new()).unwrap();
    let mut found = Vec::new();
    let broken = pipeline.messages(|message| {
        let header = message.header;
        found.push((
            header.number,
            format!("{:?}", header.entry),
            header.name,
            message.payload.len(),
        ));
        ControlFlow::<()>::Continue(())
    });
    broken.unwrap();
    found
}

/// The numbers of the messages with unparsed bytes.
fn unparsed(file: &Path) -> BTreeSet<u64> {
    let mut pipeline =
        Pipeline::open(vec![Input::from_argument(file.as_os_str())], Vec::new()).unwrap();
    let (mut reading, mut found) = (Reading::default(), BTreeSet::new());
    let broken = pipeline.messages(|message| {
        reading.read_message(message.header.entry, message.payload);
        if reading.spans().all.iter().any(|span| span.field.kind == Kind::Unparsed) {
            found.insert(message.header.number);
        }
        ControlFlow::<()>::Continue(())
    });
    broken.unwrap();
    found
}

#[test]
fn packets_come_back_as_they_were_with_what_they_say() {
    let folder = folder();
    for capture in golden::captures() {
        let name = capture.display();
        let written = folder.write("written.pcapng", &export(&capture, &["--format", "pcapng"]));
        let (before, old) = frames(&capture);
        let (after, new) = frames(&written);
        assert_eq!(before, after, "{name}");
        for ((number, _, message, _), n) in messages(&capture).iter().zip(1..) {
            let comments = &new[usize::try_from(*number).unwrap() - 1];
            let noted = comments.last().is_some_and(|c| c.contains(&format!(" {message}, ")));
            assert!(noted, "{name}: message {n}, {message}, is not noted: {comments:?}");
        }
        for (old, new) in old.iter().zip(&new) {
            assert!(new.starts_with(old), "{name}: {old:?} is not kept: {new:?}");
        }
    }
}

#[test]
fn reassembled_messages_are_noted_at_their_last_frame() {
    let [client, server] = ["198.51.100.20:40002", "192.0.2.10:27960"].map(|e| e.parse().unwrap());
    let folder = folder();
    let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_070_308_800);
    let status = [b"\xff\xff\xff\xffstatusResponse\n\\mapname\\q3dm17\n".to_vec(), player(60)];
    story.send_in_fragments(server, client, &status.concat(), 600);
    let file = folder.write("pieces.pcap", &story.file());
    let written = folder.write("written.pcapng", &export(&file, &["--format", "pcapng"]));
    let (_, comments) = frames(&written);
    assert_eq!(comments.len(), 3);
    assert_eq!(comments[0], ["part of the message of frame 3"]);
    assert_eq!(comments[1], comments[0]);
    assert!(comments[2][0].starts_with("quake3 statusResponse, "), "{comments:?}");
    // Redacted, it is reassembled, and its checksum is right.
    let redacted = folder.write("redacted.pcapng", &export(&file, &REDACTED));
    assert_eq!(messages(&redacted), messages(&file));
    assert!(right_checksum_of_fragments(&frames(&file).0));
    assert!(right_checksum_of_fragments(&frames(&redacted).0));
    assert!(!export(&file, &REDACTED).windows(10).any(|w| w == b"ChickenMan"));
}

fn player(count: usize) -> Vec<u8> {
    (0..count).flat_map(|n| format!("{n} 50 \"ChickenMan{n}\"\n").into_bytes()).collect()
}

/// Whether the UDP checksum of Ethernet frames, which are the fragments of one IPv4 packet, is
/// right.
fn right_checksum_of_fragments(frames: &[Frame]) -> bool {
    let packet = &frames[0].bytes[14..];
    let datagram: Vec<u8> = frames.iter().flat_map(|f| f.bytes[34..].to_vec()).collect();
    let length = u16::try_from(datagram.len()).unwrap();
    let pseudo = [&packet[12..20], &[0, 17], &length.to_be_bytes()].concat();
    let mut sum: u32 = [pseudo, datagram]
        .concat()
        .chunks(2)
        .map(|pair| u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |b| u32::from(*b)))
        .sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum == 0xffff
}

/// Streams whose messages begin and end within segments.
#[test]
fn messages_of_streams_are_redacted_across_segments() {
    let [client, master] = ["198.51.100.20:40002", "192.0.2.1:28900"].map(|e| e.parse().unwrap());
    let payloads: [(Side, &[u8]); 4] = [
        (Side::Server, br"\basic\\secure\wookie"),
        (Side::Client, br"\gamename\ut\location\22026\validate\2/TYFMRc\final\"),
        (Side::Client, br"\list\\gamename\ut\final\"),
        (Side::Server, br"\ip\203.0.113.77:7778\ip\198.51.100.99:8789\final\"),
    ];
    let folder = folder();
    for size in [3, 7, 20, 1000] {
        let mut story = Story::new(Link::Ethernet, Format::Pcap, 1_070_308_800);
        story.converse(client, master, &payloads, size);
        let file = folder.write("stream.pcap", &story.file());
        let bytes = export(&file, &REDACTED);
        let redacted = folder.write("redacted.pcapng", &bytes);
        assert_eq!(messages(&redacted), messages(&file), "segments of {size}");
        assert_eq!(messages(&file).len(), 4);
        for text in ["203.0.113.77", "198.51.100.99", "22026"] {
            assert!(!holds(&bytes, text.as_bytes()), "{text} in segments of {size}");
        }
        let rows = export(&file, &["--what", "messages", "--redact", "--redact-key", "a key"]);
        let again = export(&redacted, &["--what", "messages"]);
        assert_eq!(of_any_run(&rows), of_any_run(&again), "segments of {size}");
    }
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

/// Names in a capture, in every form in which they occur there.
fn originals(capture: &Path) -> BTreeSet<Vec<u8>> {
    let (mut found, mut harmless) = (BTreeSet::new(), BTreeSet::new());
    let mut reading = Reading::default();
    let mut pipeline =
        Pipeline::open(vec![Input::from_argument(capture.as_os_str())], Vec::new()).unwrap();
    let broken = pipeline.packets(|seen, _| {
        match seen {
            PipelineItem::Frame(frame) => {
                let layout =
                    FrameLayout::of_frame(frame.link, frame.fcs, frame.bytes, frame.wire_length);
                let places = layout.packets.iter().flat_map(|p| [&p.source, &p.destination]);
                for range in places {
                    match frame.bytes[range.clone()] {
                        [a, b, c, d] => address(&mut found, [a, b, c, d].into()),
                        ref bytes => {
                            address(&mut found, <[u8; 16]>::try_from(bytes).unwrap().into());
                        }
                    }
                }
                let common = |b: &[u8]| b.iter().all(|b| *b == 0) || b.iter().all(|b| *b == 0xff);
                let hardware = layout.hardware.iter().map(|range| &frame.bytes[range.clone()]);
                found.extend(hardware.filter(|b| !common(b)).map(<[u8]>::to_vec));
            }
            PipelineItem::FrameEnd(_) => {}
            PipelineItem::Message(message) => {
                reading.read_message(message.header.entry, message.payload);
                for span in reading.spans().all.iter().filter(|s| s.node == Node::Leaf) {
                    let layer = reading.layer(message.payload, span.layer);
                    let bytes = &layer[span.start as usize..span.end as usize];
                    let names = [
                        FieldRole::Secret,
                        FieldRole::Person,
                        FieldRole::Name,
                        FieldRole::Location,
                        FieldRole::Free,
                    ];
                    match span.field.role {
                        FieldRole::Address => match span.shape.value_of(bytes) {
                            Value::Ip(ip) => address(&mut found, ip),
                            // A list begins and ends with this.
                            _ if bytes == b"0.0.0.0:0" => {}
                            _ => _ = found.insert(bytes.to_vec()),
                        },
                        // Documented values identify nobody, and short numbers are kept.
                        FieldRole::Free
                            if span.field.explain(bytes).is_some() || bytes.len() < 5 => {}
                        // It only says whether a password is needed.
                        FieldRole::Secret if is_yes_or_no(bytes) => {}
                        role if names.contains(&role) => _ = found.insert(bytes.to_vec()),
                        _ if span.field.kind == Kind::Unparsed => _ = found.insert(bytes.to_vec()),
                        _ => _ = harmless.insert(bytes.to_vec()),
                    }
                }
            }
        }
        ControlFlow::<()>::Continue(())
    });
    broken.unwrap();
    // Shorter texts may occur by chance; and a challenge may be echoed.
    found.retain(|bytes| bytes.len() >= 4 && !harmless.contains(bytes));
    found.retain(|bytes| bytes.iter().any(|b| *b != 0));
    found
}

/// The cells of CSV without those that name the capture.
fn of_any_run(rows: &[u8]) -> Vec<Vec<String>> {
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(rows);
    let mut rows: Vec<_> = rows.records().map(|row| row.unwrap()).collect();
    let header = rows.remove(0);
    let stays = |at: usize| !["file", "flow_id"].contains(&&header[at]);
    let cells = |row: &csv::StringRecord| {
        row.iter()
            .enumerate()
            .filter(|(at, _)| stays(*at))
            .map(|(_, cell)| cell.to_owned())
            .collect()
    };
    rows.iter().map(cells).collect()
}

/// Both forms of an address that identifies somebody.
fn address(found: &mut BTreeSet<Vec<u8>>, ip: IpAddr) {
    match ip {
        IpAddr::V4(four)
            if !(ip.is_loopback()
                || ip.is_multicast()
                || four.octets()[0] == 0
                || four.is_broadcast()) =>
        {
            found.insert(four.octets().to_vec());
        }
        IpAddr::V6(six) if !(ip.is_loopback() || ip.is_multicast() || ip.is_unspecified()) => {
            found.insert(six.octets().to_vec());
        }
        _ => return,
    }
    found.insert(ip.to_string().into_bytes());
}

#[test]
fn nothing_that_names_anybody_is_left() {
    let folder = folder();
    let mut searched = 0;
    let nanoseconds = Regex::new("[0-9]{19}").unwrap();
    for capture in golden::captures() {
        let name = capture.display();
        let originals = originals(&capture);
        searched += originals.len();
        let packets = export(&capture, &REDACTED);
        let key = ["--redact", "--redact-key", "a key", "--show-secrets", "--what", "messages"];
        let csv = export(&capture, &key);
        let ndjson = export(&capture, &[&key[..], &["--format", "ndjson"]].concat());
        // The digits of a time may be those of a port.
        let without_times = |rows: &[u8]| nanoseconds.replace_all(rows, &b""[..]).into_owned();
        let texts = [without_times(&csv), without_times(&ndjson)];
        for (format, bytes) in [("pcapng", &packets), ("csv", &texts[0]), ("ndjson", &texts[1])] {
            let left: Vec<_> = originals
                .iter()
                .filter(|text| holds(bytes, text))
                .map(|text| text.escape_ascii().to_string())
                .collect();
            assert!(left.is_empty(), "{name} as {format}: {left:#?}");
        }
        // And the rest is the same, except for messages with unparsed bytes: if pseudonyms for
        // those would decode differently, they are zeros.
        let redacted = folder.write("redacted.pcapng", &packets);
        let mut left = messages(&redacted);
        let (unparsed, story) = (unparsed(&capture), messages(&capture));
        // Zeros are no message any more.
        left.retain(|m| m.1 != "unknown.datagram" || !unparsed.contains(&m.0));
        // So are those that were deciphered: packets do not hold the bytes that are shown.
        // Nor can the parts of a split message be joined: each has a pseudonym of its own.
        let is_part =
            |number: u64| story.iter().any(|m| m.0 == number && m.1 == "source.split-packet");
        let is_joined =
            |m: &(u64, String, &str, usize)| m.1 != "source.split-packet" && is_part(m.0);
        let kept = story.iter().filter(|m| m.1 != "gamespy-list.list" && !is_joined(m));
        let kept = kept.filter(|m| left.contains(m) || !unparsed.contains(&m.0)).cloned();
        assert_eq!(left, kept.collect::<Vec<_>>(), "{name}");
        let (before, _) = frames(&capture);
        let (after, _) = frames(&redacted);
        let outside = |f: &Frame| (f.time, f.link, f.fcs, f.bytes.len(), f.wire_length);
        let (before, after): (Vec<_>, Vec<_>) =
            (before.iter().map(outside).collect(), after.iter().map(outside).collect());
        assert_eq!(before, after, "{name}");
    }
    assert!(searched > 500, "only {searched} originals were searched for");
}

#[test]
fn a_key_gives_the_same_pseudonyms_and_none_gives_others() {
    let capture = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures/tour.pcapng");
    let with = |options: &[&str]| export(&capture, &[&["--format", "pcapng"], options].concat());
    let one = with(&["--redact", "--redact-key", "one"]);
    assert!(one == with(&["--redact", "--redact-key", "one"]));
    assert!(one != with(&["--redact", "--redact-key", "two"]));
    assert!(with(&["--redact"]) != with(&["--redact"]));
}
