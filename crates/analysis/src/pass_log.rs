//! The results of the first pass, kept for the second in a file.
//!
//! If no late evidence renames earlier messages, the second pass needs nothing but the log: what
//! each message is, and where its payload is in the input. It reads no frame again. The payload of
//! a message that is in no frame of a file as a whole follows its record.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;

use super::payload::{FrameHeaders, Payload, PipelineStep};
use capture::ByteRange;
use flow::{Classified, FlowId, Flows, PacketMeta, RecognisedMessage, Transport};
use protocol::{Entry, Part, Validation};

/// How many messages are logged, and how many bytes of payloads; beyond that the second pass
/// classifies them again.
const MESSAGES: u64 = 1 << 26;
const PAYLOADS: u64 = 1 << 30;

/// A message: number of frames after that of the last message, its flow, the index of its class,
/// number of frames before it of its request, its time in two words, the offset of its payload and
/// the index of the input in two words, its length, the headers in front of it, its part in two
/// words with the index of its input, and flags.
type LogRecord = [u32; 13];
/// What few messages have: number of frames between its own and the one that completed it, missing
/// bytes, fragments, the number of its connection in two words, and for flows beyond the table the
/// addresses of sender and receiver with their ports.
type RareRecord = [u32; 15];

/// How many messages have their flows read ahead.
const AHEAD: usize = 32;

/// How many bits the offset of a payload has, below the index of the input.
const OFFSET: u32 = 48;

/// Flags of a record.
const HAS_RANGE: u32 = 1;
const HAS_HEADERS: u32 = 1 << 1;
const IS_RARE: u32 = 1 << 2;
/// Flags of a rare one, above the number of fragments.
const OVERLAPS: u32 = 1 << 16;
const IS_STREAM: u32 = 1 << 17;
/// In the port of an address.
const IPV6: u32 = 1 << 16;

/// The log during the first pass.
pub(super) struct PassLog {
    out: BufWriter<File>,
    classes: Vec<MessageClass>,
    /// The class of the last message of its kind, by a few bits of that.
    recent: [u32; RECENT],
    /// The frame of the last message.
    last: u64,
    messages: u64,
    payloads: u64,
}

const RECENT: usize = 256;

/// The log during the second pass.
pub(super) struct PassLogReader {
    from: BufReader<File>,
    classes: Vec<MessageClass>,
    last: u64,
    messages: u64,
    left: u64,
    /// How many of the next messages have their flows in the cache of the processor.
    prefetched: usize,
}

/// A message of the log. Its payload has no bytes yet.
pub(super) struct LoggedMessage {
    /// The frame that completed it; after the last frame, one more.
    pub frame: u64,
    pub payload: Payload<'static>,
    pub classified: Classified,
    /// The length of its payload.
    pub length: u32,
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
        let of = |class: &Self| (class.forward, class.part, class.validation);
        let recognised = std::ptr::eq(self.name, other.name) || self.name == other.name;
        self.entry == other.entry && of(self) == of(other) && recognised
    }

    /// Where its number is remembered.
    fn place(&self) -> usize {
        let kind = std::ptr::from_ref(self.entry).addr() / align_of::<Entry>();
        (2 * (kind ^ self.name.len()) + usize::from(self.forward)) % RECENT
    }
}

impl PassLog {
    /// A log in a temporary file.
    pub fn new(file: File) -> Self {
        let out = BufWriter::with_capacity(1 << 16, file);
        let (classes, recent) = (Vec::new(), [0; RECENT]);
        Self { out, classes, recent, last: 0, messages: 0, payloads: 0 }
    }

    /// Logs the classification of the next payload; `None` if the log has become useless.
    pub fn log(&mut self, step: &PipelineStep<'_>) -> Option<()> {
        let PipelineStep { frame, payload, classified, .. } = step;
        let Some(RecognisedMessage { entry, name, answers, part, validation }) = classified.message
        else {
            return Some(());
        };
        self.messages += 1;
        if self.messages > MESSAGES {
            return None;
        }
        let PacketMeta { number, time, input, .. } = payload.meta;
        let class = MessageClass {
            entry,
            name,
            validation,
            forward: classified.forward,
            part: part.map(|p| p.last),
        };
        let class = self.index_of(class)?;
        let before = match answers {
            Some(request) => {
                NonZeroU32::new(u32::try_from(number.checked_sub(request)?).ok()?)?.get()
            }
            None => 0,
        };
        let (reply, index) = part.map_or((0, 0), |p| (p.reply, p.index));
        let ahead = frame.checked_sub(std::mem::replace(&mut self.last, *frame))?;
        let range = payload.byte_range.filter(|range| range.offset < 1 << OFFSET);
        let place = range.map_or(0, |of| u64::from(of.source) << OFFSET | of.offset);
        let headers = payload.headers.filter(|_| range.is_some());
        let behind = u32::try_from(frame.checked_sub(number)?).ok()?;
        let rare = rare(step, behind);
        let flags = [(range.is_some(), HAS_RANGE), (headers.is_some(), HAS_HEADERS)];
        let flags = flags.into_iter().chain([(rare.is_some(), IS_RARE)]);
        let flags = flags.filter(|(is_set, _)| *is_set).fold(0, |all, (_, flag)| all | flag);
        let [time_low, time_high] = halves(time.cast_unsigned());
        let [place_low, place_high] = halves(place);
        self.write([
            u32::try_from(ahead).ok()?,
            classified.flow.0,
            class,
            before,
            time_low,
            time_high,
            place_low,
            place_high,
            u32::try_from(payload.bytes.len()).ok()?,
            headers.map_or(0, |of| u32::from(of.link) << 16 | u32::from(of.length)),
            reply,
            u32::from(index) << 16 | u32::from(input),
            flags,
        ])?;
        if let Some(rare) = rare {
            self.write(rare)?;
        }
        if range.is_none() {
            self.payloads += payload.bytes.len() as u64;
            self.out.write_all(payload.bytes).ok().filter(|()| self.payloads <= PAYLOADS)?;
        }
        Some(())
    }

    fn write<const WORDS: usize>(&mut self, record: [u32; WORDS]) -> Option<()> {
        self.out.write_all(record.map(u32::to_le_bytes).as_flattened()).ok()
    }

    fn index_of(&mut self, class: MessageClass) -> Option<u32> {
        let recent = self.recent.get_mut(class.place())?;
        if self.classes.get(*recent as usize).is_some_and(|known| known.is(&class)) {
            return Some(*recent);
        }
        let known = self.classes.iter().position(|known| known.is(&class));
        let index = known.unwrap_or(self.classes.len());
        if known.is_none() {
            self.classes.push(class);
        }
        *recent = u32::try_from(index).ok()?;
        Some(*recent)
    }

    /// The log from its beginning, for reading.
    pub fn into_reader(self) -> Option<PassLogReader> {
        let Self { out, classes, messages, .. } = self;
        let from = BufReader::with_capacity(1 << 16, out.into_inner().ok()?);
        Some(PassLogReader { from, classes, last: 0, messages, left: 0, prefetched: 0 })
    }
}

/// What few messages have, if this one has any of it; it was completed so many frames behind its own.
fn rare(step: &PipelineStep<'_>, behind: u32) -> Option<RareRecord> {
    let PipelineStep { payload, classified, .. } = step;
    let Payload { meta, connection, missing, fragments, overlap, .. } = *payload;
    let is_stream = meta.transport == Transport::Tcp;
    let is_rare = behind > 0
        || missing > 0
        || fragments > 0
        || connection.is_some()
        || is_stream
        || classified.flow == FlowId(0);
    if !is_rare {
        return None;
    }
    let flags = if overlap { OVERLAPS } else { 0 } | if is_stream { IS_STREAM } else { 0 };
    let [low, high] = halves(connection.map_or(0, |number| number + 1));
    let [from, to] = [meta.source, meta.destination].map(words_of);
    let mut record =
        [behind, missing, u32::from(fragments) | flags, low, high, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let ends = record.iter_mut().skip(5);
    ends.zip(from.into_iter().chain(to)).for_each(|(word, of)| *word = of);
    Some(record)
}

impl PassLogReader {
    /// Begins again; false if that is not possible.
    pub fn rewind(&mut self) -> bool {
        (self.last, self.left, self.prefetched) = (0, self.messages, 0);
        self.from.rewind().is_ok()
    }

    /// Reads the flows of the next messages, so that their cache misses overlap.
    fn prefetch(&mut self, flows: &Flows) {
        let (mut ahead, mut sum) = (self.from.buffer(), 0);
        self.prefetched = 0;
        while self.prefetched < AHEAD
            && let Some((record, behind)) = ahead.split_first_chunk::<{ size_of::<LogRecord>() }>()
        {
            let (words, _) = record.as_chunks();
            let record: LogRecord =
                std::array::from_fn(|at| words.get(at).map_or(0, |word| u32::from_le_bytes(*word)));
            let [_, flow, .., length, _, _, _, flags] = record;
            let rare = if flags & IS_RARE != 0 { size_of::<RareRecord>() } else { 0 };
            let bytes = if flags & HAS_RANGE != 0 { 0 } else { length as usize };
            sum ^= flows.flow(FlowId(flow)).map_or(0, flow::Flow::touch);
            ahead = behind.get(rare + bytes..).unwrap_or_default();
            self.prefetched += 1;
        }
        std::hint::black_box(sum);
    }

    /// The next message; its payload, if it has no place in an input, is added to `bytes`.
    pub fn next(&mut self, flows: &Flows, bytes: &mut Vec<u8>) -> Option<LoggedMessage> {
        self.left = self.left.checked_sub(1)?;
        match self.prefetched.checked_sub(1) {
            Some(left) => self.prefetched = left,
            None => self.prefetch(flows),
        }
        // A read error on the unnamed file is a machine fault: the remaining messages are missing.
        let record: LogRecord = self.read().ok()?;
        let [ahead, flow, class, before, time_low, time_high, place_low, place_high, length, ..] =
            record;
        let [.., headers, reply, part, flags] = record;
        let rare: Option<RareRecord> =
            if flags & IS_RARE != 0 { Some(self.read().ok()?) } else { None };
        self.last += u64::from(ahead);
        let frame = self.last;
        let MessageClass { entry, name, validation, forward, part: last } =
            *self.classes.get(class as usize)?;
        let place = whole([place_low, place_high]);
        let byte_range = (flags & HAS_RANGE != 0).then_some(ByteRange {
            source: (place >> OFFSET) as u16,
            length,
            offset: place & ((1 << OFFSET) - 1),
        });
        let headers = (flags & HAS_HEADERS != 0)
            .then_some(FrameHeaders { link: (headers >> 16) as u16, length: headers as u16 });
        if byte_range.is_none() {
            let begin = bytes.len();
            bytes.resize(begin + length as usize, 0);
            self.from.read_exact(bytes.get_mut(begin..)?).ok()?;
        }
        let flow = FlowId(flow);
        let [behind, missing, fragments, low, high, ends @ ..] = rare.unwrap_or_default();
        let (source, destination) = match flows.ends(flow).filter(|_| flow != FlowId(0)) {
            Some((_, [a, b])) if forward => (a, b),
            Some((_, [a, b])) => (b, a),
            None => ends_of(ends)?,
        };
        let number = frame - u64::from(behind);
        let is_stream = fragments & IS_STREAM != 0;
        let meta = PacketMeta {
            number,
            time: whole([time_low, time_high]).cast_signed(),
            transport: if is_stream { Transport::Tcp } else { Transport::Udp },
            source,
            destination,
            cut: missing > 0,
            input: part as u16,
        };
        let answers = (before > 0).then(|| number.saturating_sub(before.into()));
        let part = last.map(|last| Part { reply, index: (part >> 16) as u16, last });
        let message = Some(RecognisedMessage { entry, name, answers, part, validation });
        let connection = whole([low, high]).checked_sub(1);
        let payload = Payload {
            meta,
            bytes: &[],
            connection,
            is_counted: true,
            missing,
            fragments: fragments as u16,
            overlap: fragments & OVERLAPS != 0,
            byte_range,
            headers,
        };
        Some(LoggedMessage {
            frame,
            payload,
            classified: Classified { flow, forward, message },
            length,
        })
    }

    fn read<const WORDS: usize>(&mut self) -> io::Result<[u32; WORDS]> {
        let mut record = [[0; 4]; WORDS];
        self.from.read_exact(record.as_flattened_mut())?;
        Ok(record.map(u32::from_le_bytes))
    }
}

/// The lower and the upper half of a number.
fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// The number of two halves.
fn whole([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// An address in four words, and its port in one.
fn words_of(end: SocketAddr) -> [u32; 5] {
    let (bits, version) = match end.ip() {
        IpAddr::V4(ip) => (u128::from(ip.to_bits()), 0),
        IpAddr::V6(ip) => (ip.to_bits(), IPV6),
    };
    let [a, b, c, d] = [96, 64, 32, 0].map(|shift| (bits >> shift) as u32);
    [a, b, c, d, u32::from(end.port()) | version]
}

/// The two addresses in such words.
fn ends_of(words: [u32; 10]) -> Option<(SocketAddr, SocketAddr)> {
    let mut ends = words.as_chunks().0.iter().map(|[a, b, c, d, port]| {
        let bits = [*a, *b, *c, *d].into_iter().fold(0, |bits, word| bits << 32 | u128::from(word));
        let ip: IpAddr = if port & IPV6 == 0 {
            (bits as u32).to_be_bytes().into()
        } else {
            Ipv6Addr::from_bits(bits).into()
        };
        SocketAddr::new(ip, *port as u16)
    });
    Some((ends.next()?, ends.next()?))
}
