//! Writes packets back as pcapng, with decoded messages as comments.
//!
//! A frame waits until its messages are known: for a datagram at once, for a stream or for
//! fragments with a later frame. The number of waiting frames is limited; a message that completes
//! after its frame was written is commented on a later frame.

mod parts;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{self, Write};
use std::net::SocketAddr;

use super::redact::Sum;
use super::{MessageRow, MessageRows, Redactor};
use analysis::{CapturedMessage, Finding};
use capture::Frame;
use capture::write::{FrameRecord, PcapNg};
use net::FrameLayout;
use text::Secrets;

/// The maximum number of waiting frames, and of their bytes.
const FRAMES: usize = 512;
const BYTES: usize = 4 << 20;

/// The comment on a frame without a time.
const NO_TIME: &str = "the capture has no time of this packet";

/// Writes frames with comments.
pub struct Packets<W> {
    out: PcapNg<W>,
    rows: MessageRows,
    redactor: Option<Redactor>,
    held: VecDeque<HeldFrame>,
    bytes: usize,
    /// Whether frames without comments are left out.
    only_commented: bool,
    /// In place of the comments of the input, by the numbers of their frames.
    own_comments: BTreeMap<u64, String>,
}

/// A waiting frame.
struct HeldFrame {
    number: u64,
    time: i64,
    link: u16,
    fcs: u8,
    wire_length: u32,
    bytes: Vec<u8>,
    /// The comments of the input.
    input_comments: Vec<Vec<u8>>,
    /// The comment of this program, one line per message.
    comment: String,
    layout: FrameLayout,
    /// The endpoints of a segment.
    ends: Option<[SocketAddr; 2]>,
    /// The replacement of its payload, if names are replaced.
    redacted: Vec<u8>,
    /// How many bytes of its payload belong to known messages.
    decoded: usize,
    /// The changes in other frames that its checksum covers.
    beyond: Sum,
    /// Whether later frames may complete a message in it.
    waits: bool,
    /// Whether it holds a part of a decoded message.
    has_message: bool,
}

impl<W: Write> Packets<W> {
    /// Starts a capture; comments show or mask secrets, the packets contain them unless there is a
    /// redactor.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(out: W, secrets: Secrets, redactor: Option<Redactor>) -> io::Result<Self> {
        let (out, rows) = (PcapNg::new(out)?, MessageRows::new(secrets).without_fields());
        let (held, own_comments) = (VecDeque::new(), BTreeMap::new());
        Ok(Self { out, rows, redactor, held, bytes: 0, only_commented: false, own_comments })
    }

    /// Leaves out frames without comments.
    pub fn only_commented(&mut self, only: bool) {
        self.only_commented = only;
    }

    /// Writes these comments in place of those that the frames of these numbers have in the input; an
    /// empty one removes them. Where names are replaced, they are left out as those are.
    pub fn set_comments(&mut self, comments: BTreeMap<u64, String>) {
        self.own_comments = comments;
    }

    /// Takes the next frame. Its comments are kept, unless names are replaced: comments may contain
    /// any.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn frame(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        while self.held.front().is_some_and(|held| !held.waits) {
            self.write_first()?;
        }
        let mut held = HeldFrame::new(frame, self.redactor.is_some());
        if self.redactor.is_none()
            && let Some(own) = self.own_comments.remove(&frame.number)
        {
            held.input_comments = vec![own.into_bytes()];
        }
        self.bytes += held.weight();
        self.held.push_back(held);
        while self.held.len() > 1 && (self.held.len() > FRAMES || self.bytes > BYTES) {
            self.write_first()?;
        }
        Ok(())
    }

    /// Comments a message of the frames so far. Further facts may be added after that with
    /// [`Packets::add_comment`].
    pub fn message(&mut self, message: &CapturedMessage<'_>) {
        let parts = self.parts(message);
        let number = message.header.number;
        let redacts = self.redactor.is_some();
        let shown = match &mut self.redactor {
            Some(redactor) => redactor.message(message),
            None => *message,
        };
        let comment = comment(&self.rows.row(&shown));
        if redacts {
            // The redactor lends it only until its next use.
            let redacted = shown.payload.to_vec();
            self.replace(&parts, &redacted);
        }
        for part in &parts {
            let Some(held) = self.held.get_mut(part.held) else { continue };
            held.has_message = true;
            held.decoded = held.decoded.max(part.at + part.length);
            held.waits &= held.decoded < held.payload_length();
            if held.number != number {
                held.push_comment(&format!("part of the message of frame {number}"));
            }
        }
        self.add_comment(number, &comment);
    }

    /// Adds lines to a frame's comment, unescaped. If the frame has been written already, the
    /// latest frame gets them, with the number.
    pub fn add_comment(&mut self, number: u64, lines: &str) {
        match self.held.iter_mut().find(|held| held.number == number) {
            Some(held) => {
                held.has_message = true;
                held.push_comment(lines);
            }
            None => {
                if let Some(held) = self.held.back_mut() {
                    held.push_comment(&format!("frame {number}: {lines}"));
                }
            }
        }
    }

    /// Writes waiting frames, and returns the writer.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        while !self.held.is_empty() {
            self.write_first()?;
        }
        self.out.finish()
    }

    fn write_first(&mut self) -> io::Result<()> {
        let Some(mut held) = self.held.pop_front() else { return Ok(()) };
        self.bytes -= held.weight();
        if self.only_commented && !held.has_message {
            return Ok(());
        }
        let has_comments = !held.comment.is_empty() || !held.input_comments.is_empty();
        if has_comments && !text::has_time(held.time) {
            // A block with comments has a time, and that is 0 then.
            held.push_comment(NO_TIME);
        }
        let HeldFrame { time, link, fcs, wire_length, .. } = held;
        let redacted = self.redactor.as_mut().map(|redactor| {
            redactor.frame(&held.layout, &held.bytes, Some(&held.redacted), held.beyond)
        });
        let bytes = redacted.as_ref().unwrap_or(&held.bytes);
        let record = FrameRecord {
            time,
            link,
            fcs,
            bytes,
            wire_length,
            comment: &held.comment,
            interface: 0,
        };
        self.out.write_with_comments(held.input_comments.iter().map(Vec::as_slice), &record)
    }
}

impl HeldFrame {
    fn new(frame: &Frame<'_>, redacts: bool) -> Self {
        let Frame { number, time, link, fcs, bytes, wire_length, comments, .. } = *frame;
        let layout = FrameLayout::of_frame(link, fcs, bytes, wire_length);
        let input_comments =
            if redacts { Vec::new() } else { comments.iter().map(<[u8]>::to_vec).collect() };
        let mut held = Self {
            number,
            time,
            link,
            fcs,
            wire_length,
            bytes: bytes.to_vec(),
            input_comments,
            comment: String::new(),
            layout,
            ends: None,
            redacted: Vec::new(),
            decoded: 0,
            beyond: Sum::default(),
            has_message: false,
            waits: false,
        };
        let length = held.payload_length();
        held.ends = held.segment_ends();
        held.waits = length > 0 && (held.ends.is_some() || held.fragment().is_some());
        if redacts {
            held.redacted = vec![0; length];
        }
        held
    }

    /// The bytes that it takes in memory.
    fn weight(&self) -> usize {
        let input_comments: usize = self.input_comments.iter().map(Vec::len).sum();
        size_of::<Self>() + 2 * self.bytes.len() + input_comments
    }

    fn push_comment(&mut self, text: &str) {
        // The maximum of a comment; for a frame of a thousand messages it has the first ones.
        if self.comment.len() + text.len() >= usize::from(u16::MAX) {
            return;
        }
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(text);
    }
}

/// Findings as lines for [`Packets::add_comment`], by the frames at fault. The text of a finding
/// may name hosts; with `redacts` only the rule is written.
pub fn notes<'a>(
    findings: impl IntoIterator<Item = &'a Finding>,
    redacts: bool,
) -> HashMap<u64, Vec<String>> {
    let mut notes: HashMap<u64, Vec<String>> = HashMap::new();
    for finding in findings {
        let (severity, id) = (finding.rule.severity, finding.rule.id);
        let what = if redacts { finding.rule.requirement } else { &finding.text };
        let line = format!("{severity} {id}: {what}");
        for number in &finding.messages {
            notes.entry(*number).or_default().push(line.clone());
        }
    }
    notes
}

/// A message as a line: `quake3 getservers, client-to-master: protocol=68`.
fn comment(row: &MessageRow<'_>) -> String {
    let MessageRow { game, message, direction, summary, .. } = row;
    let gap = if summary.is_empty() { "" } else { ": " };
    format!("{game} {message}, {direction}{gap}{summary}")
}
