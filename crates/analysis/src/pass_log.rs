//! The results of the first pass, kept for the second: a few bytes per message, in a file.
//!
//! If no late evidence renames earlier messages, the second pass need not recognise and pair them
//! again: payloads come in the same order, and the log says what each one is. If every message came
//! complete in one frame, all other frames are skipped.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::num::NonZeroU32;

use super::payload::PipelineStep;
use flow::{Classified, FlowId, RecognisedMessage};
use protocol::{Entry, Part, Validation};

/// How many messages are logged; beyond that the second pass classifies them again.
const MESSAGES: u64 = 1 << 26;
/// A message: number of frames after that of the last message, number of payloads before it in its
/// frame that are no messages, its flow, the index of its kind, number of frames before it of its
/// request, and its part in two words.
type LogRecord = [u32; 7];
const SIZE: usize = size_of::<LogRecord>();

/// The log during the first pass.
pub(super) struct PassLog {
    out: BufWriter<File>,
    kinds: Vec<MessageClass>,
    /// The current frame, and its payloads since the last message.
    frame: u64,
    others: u32,
    /// The frame of the last message.
    last: u64,
    messages: u64,
    /// Whether each message so far came complete in one frame.
    whole: bool,
}

/// The log during the second pass.
pub(super) struct PassLogReader {
    from: BufReader<File>,
    kinds: Vec<MessageClass>,
    /// The frame of the next message, and its record.
    next: Option<(u64, LogRecord)>,
    whole: bool,
}

/// Data that many messages have in common.
#[derive(Clone, Copy)]
struct MessageClass {
    entry: &'static Entry,
    forward: bool,
    /// Whether it is a part, and whether that is marked as the last one.
    part: Option<bool>,
    validation: Option<Validation>,
    name: &'static str,
}

impl MessageClass {
    fn is(&self, other: &Self) -> bool {
        let of = |kind: &Self| (kind.forward, kind.part, kind.validation);
        let recognised = std::ptr::eq(self.name, other.name) || self.name == other.name;
        self.entry == other.entry && of(self) == of(other) && recognised
    }
}

impl PassLog {
    /// A log in a temporary file.
    pub fn new(file: File) -> Self {
        let out = BufWriter::with_capacity(1 << 16, file);
        let (kinds, whole) = (Vec::new(), true);
        Self { out, kinds, frame: 0, others: 0, last: 0, messages: 0, whole }
    }

    /// Logs the classification of the next payload; `None` if the log has become useless.
    pub fn log(&mut self, step: &PipelineStep<'_>) -> Option<()> {
        let PipelineStep { frame, payload, classified, .. } = step;
        let (frame, number) = (*frame, payload.meta.number);
        if std::mem::replace(&mut self.frame, frame) != frame {
            self.others = 0;
        }
        let Some(recognised) = classified.message else {
            self.others = self.others.checked_add(1)?;
            return Some(());
        };
        self.messages += 1;
        if self.messages > MESSAGES {
            return None;
        }
        self.whole &= payload.is_whole();
        let RecognisedMessage { entry, name, answers, part, validation } = recognised;
        let kind = MessageClass {
            entry,
            name,
            validation,
            forward: classified.forward,
            part: part.map(|p| p.last),
        };
        let before = match answers {
            Some(request) => {
                NonZeroU32::new(u32::try_from(number.checked_sub(request)?).ok()?)?.get()
            }
            None => 0,
        };
        let (reply, index) = part.map_or((0, 0), |p| (p.reply, p.index.into()));
        let others = std::mem::take(&mut self.others);
        let ahead = frame.checked_sub(std::mem::replace(&mut self.last, frame))?;
        let (ahead, flow) = (u32::try_from(ahead).ok()?, classified.flow.0);
        let record: LogRecord = [ahead, others, flow, self.index_of(kind)?, before, reply, index];
        let mut bytes = [0; SIZE];
        for (chunk, word) in bytes.chunks_exact_mut(4).zip(record) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        self.out.write_all(&bytes).ok()
    }

    fn index_of(&mut self, kind: MessageClass) -> Option<u32> {
        let known = self.kinds.iter().position(|k| k.is(&kind));
        let index = known.unwrap_or(self.kinds.len());
        if known.is_none() {
            self.kinds.push(kind);
        }
        u32::try_from(index).ok()
    }

    /// Rewinds the log for reading.
    pub fn into_reader(self) -> Option<PassLogReader> {
        let mut file = self.out.into_inner().ok()?;
        file.rewind().ok()?;
        let from = BufReader::with_capacity(1 << 16, file);
        let (kinds, whole) = (self.kinds, self.whole);
        let mut reader = PassLogReader { from, kinds, next: None, whole };
        reader.advance(0).ok()?;
        Some(reader)
    }
}

impl PassLogReader {
    /// Whether every message came complete in one frame, so that the other frames are skipped.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether a frame brings no message, and nothing that messages of other frames need.
    pub fn skips(&self, frame: u64) -> bool {
        self.whole && self.next.is_none_or(|(next, _)| next > frame)
    }

    /// The classification of the next payload, which `frame` completed; its last byte came in frame
    /// `number`.
    pub fn next_classified(&mut self, frame: u64, number: u64) -> Option<Classified> {
        let (next, record) = self.next.as_mut()?;
        let [_, others, flow, kind, before, reply, index] = record;
        if *next > frame {
            return None;
        }
        if let Some(fewer) = others.checked_sub(1) {
            *others = fewer;
            return None;
        }
        let (flow, kind, before, reply, index) = (*flow, *kind, *before, *reply, *index);
        // A read error on the unnamed file is a machine fault: the remaining messages get no names.
        self.next = None;
        _ = self.advance(frame);
        let MessageClass { entry, name, validation, forward, part } =
            *self.kinds.get(usize::try_from(kind).ok()?)?;
        let answers = (before > 0).then(|| number.saturating_sub(before.into()));
        let part = part.map(|last| Part { reply, index: index as u16, last });
        let message = Some(RecognisedMessage { entry, name, answers, part, validation });
        Some(Classified { flow: FlowId(flow), forward, message })
    }

    fn advance(&mut self, last: u64) -> io::Result<()> {
        let mut bytes = [0; SIZE];
        match self.from.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            done => done?,
        }
        let mut record = LogRecord::default();
        for (word, chunk) in record.iter_mut().zip(bytes.chunks_exact(4)) {
            *word = chunk.try_into().map_or(0, u32::from_le_bytes);
        }
        let [ahead, ..] = record;
        self.next = Some((last + u64::from(ahead), record));
        Ok(())
    }
}
