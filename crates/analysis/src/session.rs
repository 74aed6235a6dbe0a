//! Random access to messages: where they are, without their content.

mod comments;
mod copies;
mod loader;
mod lookup;
mod records;

use std::io;
use std::sync::Arc;

use super::SessionCounts;
use super::batch::ReadPass;
use super::counts::FrameCounts;
use super::exchange::Exchange;
use super::host_names::HostNames;
use super::index::{AnalysisIndex, IndexBuilder};
use super::input_set::InputSet;
use super::message::{CapturedMessage, MessageHeader};
use super::prepared::{PacketSelection, Prepared};
use super::reader::CaptureReader;
use capture::live::{Counters, LiveCapture};
use capture::{Frames, Input, OpenError, PayloadStore, ReadProgress};
use flow::{Classified, DecodeAs, Flows, VerdictCache};

pub use copies::ExtendError;
pub use loader::{FrameHook, Loader};

use comments::FrameComments;
use loader::FrameBatch;
use records::{MessageRecords, RareParts, RecordClass};

/// Every message so far and the flows that they belong to; a [`Loader`] adds more.
///
/// Names are current, not final: what a later message proves of a server changes the game of the
/// earlier ones when they are read again.
pub struct Session {
    records: MessageRecords,
    /// Shared by others only when everything has been read.
    flows: Arc<Flows>,
    payloads: Arc<PayloadStore>,
    live: Option<LiveCapture>,
    counts: FrameCounts,
    progress: ReadProgress,
    done: bool,
    warnings: Vec<String>,
    left_out: u64,
    comments: FrameComments,
    names: Arc<HostNames>,
    /// How many messages the index has, and the index when it has all.
    indexed: usize,
    index: Option<Arc<AnalysisIndex>>,
    /// Whether the index is final.
    is_final: bool,
    /// The inputs, if they can be read again for their frames.
    inputs: Vec<Input>,
    input_set: InputSet,
    packets: PacketSelection,
    threads: usize,
}

impl Session {
    /// Opens the inputs, which are merged in time order; nothing is read before the loader runs.
    ///
    /// # Errors
    ///
    /// If an input cannot be opened, or is no capture.
    pub fn open(inputs: &[Input], overrides: Vec<DecodeAs>) -> Result<(Self, Loader), OpenError> {
        Self::begin(Prepared::new(inputs.to_vec()), overrides)
    }

    /// The same for inputs that are already open; reads their first bytes.
    ///
    /// # Errors
    ///
    /// As [`Session::open`].
    pub fn begin(
        prepared: Prepared,
        overrides: Vec<DecodeAs>,
    ) -> Result<(Self, Loader), OpenError> {
        let Prepared { inputs, scratch, secrets, threads, known, packets, shows_unknown, .. } =
            prepared;
        let live = inputs.iter().find_map(|input| match input {
            Input::Live(live) => Some(live.clone()),
            _ => None,
        });
        let (reader, _) = CaptureReader::open(inputs.clone(), false, packets)?;
        if let Some(scratch) = scratch {
            reader.payloads().prepare(scratch);
        }
        let session = Self {
            records: MessageRecords::default(),
            flows: Arc::new(
                Flows::new(overrides)
                    .showing(secrets)
                    .knowing(known)
                    .showing_unknown(shows_unknown),
            ),
            payloads: reader.payloads(),
            live,
            counts: FrameCounts::default(),
            progress: reader.progress(),
            done: false,
            warnings: Vec::new(),
            left_out: 0,
            comments: FrameComments::default(),
            names: Arc::default(),
            indexed: 0,
            index: None,
            is_final: false,
            inputs,
            input_set: reader.input_set().clone(),
            packets,
            threads,
        };
        let freed = || {};
        Ok((session, Loader { reader, again: None, builder: None, hook: None, freed, threads }))
    }

    /// How many messages there are so far.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no messages yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of them no protocol reads.
    pub fn unknown(&self) -> usize {
        self.records.unknown
    }

    /// Sets how many messages are kept, the latest; dropped ones are reported at the end.
    pub fn keep_last(&mut self, messages: usize) {
        self.records.limit = messages.max(1);
    }

    /// How many of the first messages were dropped: they keep their index in the list, but have no
    /// content.
    pub fn gone(&self) -> usize {
        self.records.gone
    }

    /// How many threads may work for it.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Packet counters of all devices, in a live capture.
    pub fn counters(&self) -> Option<Counters> {
        let all = self.live.as_ref()?.counters();
        Some(all.into_iter().fold(Counters::default(), Counters::plus))
    }

    /// All data of a message but its payload, as known now; reads nothing from the capture.
    pub fn header(&self, index: usize) -> Option<MessageHeader> {
        self.header_with(None, index)
    }

    /// The same; while the flows do not change, what is known of them is kept in a cache.
    pub fn header_with(
        &self,
        cache: Option<&mut VerdictCache>,
        index: usize,
    ) -> Option<MessageHeader> {
        let record = self.records.get(index)?;
        let RecordClass { entry, name, validation, headers } = *self.records.kind(&record)?;
        let RareParts { missing, connection, part, fragments, overlap } = record.rare;
        let classified = Classified { flow: record.flow, forward: record.forward, message: None };
        let (verdict, direction) = match cache {
            Some(cache) => self.flows.resolve_cached(cache, classified, entry),
            None => self.flows.resolve(classified, entry),
        }?;
        let (transport, [a, b]) = self.flows.ends(record.flow)?;
        let (source, destination) = if record.forward { (a, b) } else { (b, a) };
        Some(MessageHeader {
            number: record.number,
            time: record.time,
            input: record.input,
            source,
            destination,
            transport,
            flow: record.flow,
            connection: connection.map(|number| u64::from(number.get())),
            forward: record.forward,
            byte_range: Some(record.byte_range),
            headers,
            verdict,
            entry,
            name,
            direction,
            length: record.byte_range.length,
            missing,
            fragments,
            overlap,
            answers: record
                .number
                .checked_sub(u64::from(record.answers))
                .filter(|_| record.answers != 0),
            part,
            validation,
        })
    }

    /// A message with its payload, which is read again into `payload`; `None` past the end.
    ///
    /// # Errors
    ///
    /// If the payload cannot be read again.
    pub fn message<'a>(
        &self,
        index: usize,
        payload: &'a mut Vec<u8>,
    ) -> io::Result<Option<CapturedMessage<'a>>> {
        let (Some(header), Some(record)) = (self.header(index), self.records.get(index)) else {
            return Ok(None);
        };
        self.payloads.read_range(record.byte_range, payload)?;
        Ok(Some(CapturedMessage { header, payload }))
    }

    /// The bytes of a message's frame in front of its payload, and the link type (LINKTYPE) of the
    /// frame; `None` if the message is not in one frame of a file.
    ///
    /// # Errors
    /// If they cannot be read again.
    pub fn frame_headers(&self, index: usize) -> io::Result<Option<(u16, Vec<u8>)>> {
        let Some(MessageHeader { headers: Some(headers), byte_range: Some(range), .. }) =
            self.header(index)
        else {
            return Ok(None);
        };
        let Some(range) = range.before(headers.length.into()) else { return Ok(None) };
        let mut bytes = Vec::new();
        self.payloads.read_range(range, &mut bytes)?;
        Ok(Some((headers.link, bytes)))
    }

    /// The flows so far.
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    /// The totals so far.
    pub fn counts(&self) -> SessionCounts {
        SessionCounts::new(self.counts, &self.flows)
    }

    /// How many packets were read so far.
    pub fn packets(&self) -> u64 {
        self.counts.packets
    }

    /// How far reading has come.
    pub fn progress(&self) -> ReadProgress {
        self.progress
    }

    /// Whether everything has been read.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The exchanges, hosts and findings: of all messages, after the second pass; before that, of
    /// the last index that was built on request, or `None`.
    pub fn index(&self) -> Option<&AnalysisIndex> {
        self.index.as_deref()
    }

    /// The same, for use without the session.
    pub fn shared_index(&self) -> Option<Arc<AnalysisIndex>> {
        self.index.clone()
    }

    /// Whether the index is final.
    pub fn is_index_final(&self) -> bool {
        self.is_final
    }

    /// Begins an index of the messages so far, for input without a foreseeable end.
    pub fn index_builder(&self) -> IndexBuilder {
        self.builder_until(self.len())
    }

    fn builder_until(&self, end: usize) -> IndexBuilder {
        IndexBuilder::until(end, self.len() - self.gone(), self.payloads())
    }

    /// Stores such an index; a final one is not replaced.
    pub fn set_index(&mut self, builder: IndexBuilder) {
        if !self.done {
            let frames = |messages| self.frames_of(messages);
            let (index, _) = builder.finish(1, &self.flows, frames, || {});
            self.index = Some(Arc::new(index));
        }
    }

    /// The inputs, as rows name them.
    pub fn input_set(&self) -> &InputSet {
        &self.input_set
    }

    /// The frames of the inputs from the beginning, numbered as messages are; `None` where they
    /// cannot be read once more.
    ///
    /// # Errors
    /// If an input cannot be opened again.
    pub fn frames(&self) -> Result<Option<Frames>, OpenError> {
        let again = self.progress.of.is_some();
        again.then(|| Frames::open(&self.inputs)).transpose()
    }

    /// The store from which payloads are read again.
    pub fn payloads(&self) -> Arc<PayloadStore> {
        Arc::clone(&self.payloads)
    }

    /// How many messages have been processed for the index.
    pub fn indexed(&self) -> usize {
        self.indexed
    }

    /// The comment of a frame in its capture, unescaped; the first few hundred characters.
    pub fn comment(&self, frame: u64) -> Option<&str> {
        self.comments.comment_of(frame)
    }

    /// The names of addresses, by the answers of DNS servers so far.
    pub fn names(&self) -> &Arc<HostNames> {
        &self.names
    }

    /// An exchange of the index, with those of its messages that are still kept.
    pub fn exchange(&self, at: usize) -> Option<Exchange> {
        self.index()?.exchange(at, self)
    }

    /// When the very first message came, even if it was dropped.
    pub fn begin_time(&self) -> Option<i64> {
        self.records.begin
    }

    /// What was damaged or left out, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Takes the final index, with texts that say what it lacks.
    fn complete(&mut self, index: AnalysisIndex, warnings: Vec<String>) {
        (self.index, self.is_final) = (Some(Arc::new(index)), true);
        self.add_warnings(warnings);
    }

    /// Adds what is not said yet: a session that goes on has what was said before.
    fn add_warnings(&mut self, warnings: impl IntoIterator<Item = String>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// Adds the messages of a batch, to the list or to the one that will replace it.
    fn add_batch(
        &mut self,
        batch: &mut FrameBatch,
        pass: ReadPass,
        again: Option<&mut MessageRecords>,
    ) {
        let Self { flows, records, payloads, left_out, comments, names, .. } = self;
        let FrameBatch { payloads: found, comments: new, counts, progress } = batch;
        let Some(flows) = Arc::get_mut(flows) else { return };
        new.drain(..).for_each(|(frame, text)| comments.add_comment(frame, text));
        let records = again.unwrap_or(records);
        found.classify(pass, flows, |_, step| match step.classified.message {
            Some(_) => records.keep(step, payloads, left_out),
            None => HostNames::add_answer(names, step.payload.meta.source, step.payload.bytes),
        });
        (self.counts, self.progress) = (*counts, *progress);
    }
}
