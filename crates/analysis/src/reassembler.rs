//! Takes one frame through net, to the payload of a datagram or those of a stream.

use std::{collections::BTreeMap, net::SocketAddr};

use super::batch::{PayloadBatch, ReadPass};
use super::counts::FrameCounts;
use super::payload::Payload;
use super::splits::{DamagedSplit, JoinedSplit, Splits};
use capture::Frame;
use flow::{Loss, LossEnds, LossKind, PacketMeta};
use net::{
    ConnectionState, Datagram, DirectionEvent, IncompletePacket, Other, Packet, Stack, StreamEnd,
    StreamEvent, TcpReassembler, Transport, Wireless,
};
use protocol::{FramedMessage, Framer, Side, StreamStart};
use protocols::registry;
use text::{numbered, numbered_lines};

/// How many bits of a frame's tag are the index of its input; its number is before them.
const INPUT_BITS: u32 = u16::BITS;

/// From frames to payloads: fragments and streams that are being reassembled.
pub(super) struct Reassembler {
    pub pass: ReadPass,
    /// Counters of this pass.
    pub counts: FrameCounts,
    stack: Stack,
    streams: TcpReassembler<StreamState>,
    splits: Splits,
    /// Messages that were incomplete when their connection was dropped.
    unfinished: u64,
    /// Number of gaps in streams whose messages are parsed.
    gaps: u64,
    /// The current frame.
    now: FrameTime,
    /// Frames of link types that are not read, by LINKTYPE number.
    unread: BTreeMap<u16, u64>,
    /// The end was reached.
    pub is_finished: bool,
    /// 802.11 frames whose data is not read, by the reason.
    wireless: BTreeMap<Wireless, u64>,
    /// Frames with an encapsulation that is not read, by its name.
    encapsulated: BTreeMap<&'static str, u64>,
}

/// The framing of a TCP connection's streams.
#[derive(Default)]
struct StreamState {
    /// Empty until a protocol recognises the beginning: most connections are of other protocols.
    framer: Option<Box<Framer<FrameTime>>>,
    /// It began with what no protocol recognises.
    is_foreign: bool,
    /// Bytes of it are lost.
    is_cut: bool,
}

impl ConnectionState for StreamState {
    fn weight(&self) -> usize {
        self.framer.as_ref().map_or(0, |framer| framer.weight())
    }
}

/// A frame's number, its time and its input.
type FrameTime = (u64, i64, u16);

impl Default for Reassembler {
    fn default() -> Self {
        Self {
            pass: ReadPass::First,
            counts: FrameCounts::default(),
            stack: Stack::default(),
            streams: TcpReassembler::default(),
            splits: Splits::default(),
            unfinished: 0,
            gaps: 0,
            now: FrameTime::default(),
            unread: BTreeMap::new(),
            is_finished: false,
            wireless: BTreeMap::new(),
            encapsulated: BTreeMap::new(),
        }
    }
}

impl Reassembler {
    /// A reassembler for the first pass, which leaves out copies of packets unless they are wanted.
    pub fn for_first_pass(with_copies: bool) -> Self {
        let stack = if with_copies { Stack::default() } else { Stack::without_copies() };
        Self { stack, ..Self::default() }
    }

    /// A reassembler for the second pass, which classifies again.
    pub fn for_second_pass(with_copies: bool) -> Self {
        Self { pass: ReadPass::Second, ..Self::for_first_pass(with_copies) }
    }

    /// Number of gaps in TCP streams whose messages are parsed.
    pub fn gaps(&self) -> u64 {
        self.gaps
    }

    /// What was dropped or left out on the way, in words.
    pub fn warnings(&self) -> Vec<String> {
        let (waiting, streams) = (self.stack.waiting(), self.streams.counts());
        let counts = [
            (
                waiting.evicted,
                "fragmented {packet was|packets were} dropped: too many waited for fragments",
            ),
            (
                waiting.timed_out,
                "fragmented {packet lacks|packets lack} fragments that did not come within 30 seconds",
            ),
            (
                waiting.open,
                "fragmented {packet still lacks|packets still lack} fragments at the end",
            ),
            (
                self.stack.copies(),
                "{packet was|packets were} captured more than once: {it counts|they count} once (--keep-copies: each time)",
            ),
            (
                streams.evicted,
                "TCP {connection was|connections were} forgotten: too many were open at once",
            ),
            (self.splits.incomplete(), "split {message lacks|messages lack} datagrams"),
            (self.splits.too_long(), "split {message is|messages are} longer than is read"),
            (self.splits.damaged(), "split {message has|messages have} a wrong length or checksum"),
            (
                self.unfinished,
                "{message|messages} in forgotten TCP connections {was|were} not whole yet",
            ),
            (streams.unread, "TCP {segment|segments} of forgotten connections {was|were} not read"),
            (
                streams.gaps_given_up,
                "{gap|gaps} in TCP streams {was|were} given up: too much waited behind them",
            ),
        ];
        let mut warnings: Vec<_> = numbered_lines(&counts).collect();
        for (link, count) in &self.unread {
            let count = numbered(*count, "{frame is|frames are} of link type");
            warnings.push(format!("{count} {}, which is not read", net::unread_link(*link)));
        }
        for (why, count) in &self.wireless {
            let text = "{frame|frames} of 802.11 {was|were} skipped";
            warnings.push(format!("{}: {why}", numbered(*count, text)));
        }
        for (name, count) in &self.encapsulated {
            let text = "{frame has|frames have} a packet in";
            warnings.push(format!("{} {name}, which is not read", numbered(*count, text)));
        }
        warnings
    }

    /// Counts a frame of which the log has all messages.
    pub fn skip(&mut self) {
        self.counts.packets += 1;
    }

    /// Processes one frame: adds what it brings or completes to a batch.
    pub fn step(&mut self, frame: &Frame<'_>, batch: &mut PayloadBatch) {
        self.counts.packets += 1;
        let Some(subframes) = net::subframes(frame.link, frame.bytes) else {
            return self.read_frame(frame, batch);
        };
        for (at, length) in subframes {
            let bytes = frame.bytes.get(at..).unwrap_or_default();
            let bytes = bytes.get(..length).unwrap_or(bytes);
            let byte_range = frame.byte_range.and_then(|of| of.part(at as u32, bytes.len() as u32));
            let (link, wire_length) = (net::link::ETHERNET, length as u32);
            let inner = Frame { link, fcs: 0, bytes, wire_length, byte_range, ..*frame };
            self.read_frame(&inner, batch);
        }
    }

    /// The same without counting the frame, which has one packet.
    fn read_frame(&mut self, frame: &Frame<'_>, batch: &mut PayloadBatch) {
        let (number, time, input) = (frame.number, frame.time, frame.input);
        self.now = (number, time, input);
        let is_first = self.pass == ReadPass::First;
        let Self { counts, stack, streams, splits, unfinished, now, gaps, .. } = self;
        let meta = |transport, source, destination, cut| PacketMeta {
            number,
            time,
            transport,
            source,
            destination,
            cut,
            input,
        };
        stack.tag_frame(number << INPUT_BITS | u64::from(input));
        match stack.read_frame(frame.link, frame.fcs, time, frame.bytes, frame.wire_length) {
            Packet::Datagram(datagram) => {
                counts.datagrams += 1;
                let Datagram { source, destination, payload: bytes, missing, .. } = datagram;
                let meta = meta(Transport::Udp, source, destination, missing > 0);
                let payload = Payload::from_datagram(meta, datagram, frame);
                batch.add_payload(number, &payload);
                if let Some(name) = net::unread_tunnel([destination.port(), source.port()], bytes) {
                    *self.encapsulated.entry(name).or_insert(0) += 1;
                }
                if missing == 0
                    && let Some(forms) = registry().splits(bytes)
                    && let Some(joined) = splits.add_part(time, (source, destination), bytes, forms)
                {
                    match joined {
                        Ok(JoinedSplit { bytes, datagrams: fragments }) => {
                            let whole = payload.joined(&bytes, fragments);
                            batch.add_payload(number, &whole);
                        }
                        Err(DamagedSplit) if is_first => {
                            let ends = LossEnds::Endpoints(source, destination);
                            let kind = LossKind::Damaged;
                            batch.add_loss(meta, Loss { number, input, ends, kind });
                        }
                        Err(DamagedSplit) => {}
                    }
                }
            }
            Packet::Segment(segment) => {
                counts.segments += 1;
                if is_first {
                    let meta = meta(Transport::Tcp, segment.source, segment.destination, false);
                    let closes = segment.flags.fin || segment.flags.rst;
                    batch.add_segment(meta, segment.payload.len(), closes);
                }
                streams.add_segment(time, &segment, &mut |stream, event| {
                    follow(stream, &event, *now, (unfinished, gaps), &mut |payload| {
                        batch.add_payload(number, &payload);
                    });
                });
            }
            Packet::Error(error) if is_first => {
                let meta = meta(error.transport, error.source, error.destination, false);
                batch.add_error(meta, error.from, error.kind, frame);
            }
            Packet::Other(Other::UnknownLink(link)) => {
                *self.unread.entry(link).or_insert(0) += 1;
            }
            Packet::Other(Other::Wireless(why)) if why != Wireless::NoData => {
                *self.wireless.entry(why).or_insert(0) += 1;
            }
            Packet::Other(other) => {
                if let Some(name) = other.encapsulation() {
                    *self.encapsulated.entry(name).or_insert(0) += 1;
                }
            }
            Packet::Error(_) | Packet::Held | Packet::Copy => {}
        }
        if self.stack.has_incomplete() {
            let incomplete = self.stack.take_incomplete();
            self.add_losses(&incomplete, batch);
        }
    }

    /// Adds the datagrams that were given up, in the first pass.
    #[cold]
    fn add_losses(&self, incomplete: &[IncompletePacket], batch: &mut PayloadBatch) {
        if self.pass == ReadPass::Second {
            return;
        }
        for lost in incomplete {
            let (number, input) = (lost.tag >> INPUT_BITS, lost.tag as u16);
            let IncompletePacket { time, source, destination, ports, came, length, .. } = *lost;
            let [from, to] = ports.unwrap_or_default();
            let ends = (SocketAddr::new(source, from), SocketAddr::new(destination, to));
            let meta = PacketMeta {
                number,
                time,
                transport: Transport::Udp,
                source: ends.0,
                destination: ends.1,
                cut: false,
                input,
            };
            let ends = match ports {
                Some(_) => LossEnds::Endpoints(ends.0, ends.1),
                None => LossEnds::Hosts(source, destination),
            };
            let kind = LossKind::Fragments(came, length);
            batch.add_loss(meta, Loss { number, input, ends, kind });
        }
    }

    /// At the end of the capture: the unfinished messages of streams are messages too. Adds those of
    /// one connection, because all may be megabytes; false if there are no more.
    pub fn finish(&mut self, batch: &mut PayloadBatch) -> bool {
        if !std::mem::replace(&mut self.is_finished, true) {
            let incomplete: Vec<_> = self.stack.incomplete().collect();
            self.add_losses(&incomplete, batch);
        }
        let Self { streams, unfinished, now, gaps, .. } = self;
        let behind = now.0 + 1;
        streams.finish_oldest(&mut |stream, event| {
            follow(stream, &event, *now, (unfinished, gaps), &mut |payload| {
                batch.add_payload(behind, &payload);
            });
        })
    }
}

/// Processes an event of a stream, up to the messages that it completes.
fn follow(
    stream: &mut StreamState,
    event: &StreamEvent<'_>,
    now: FrameTime,
    (unfinished, gaps): (&mut u64, &mut u64),
    each: &mut impl FnMut(Payload<'_>),
) {
    let (mut client, mut server) = (event.source, event.destination);
    if !event.forward {
        std::mem::swap(&mut client, &mut server);
    }
    let side = if event.forward { Side::Here } else { Side::There };
    let mut pass_on = |message: FramedMessage<'_, FrameTime>| {
        let (source, destination) = match message.side {
            Side::Here => (client, server),
            Side::There => (server, client),
        };
        let (number, time, input) = message.last;
        let (transport, cut) = (Transport::Tcp, message.missing > 0);
        let meta = PacketMeta { number, time, transport, source, destination, cut, input };
        let (bytes, connection) = (message.bytes, Some(event.connection));
        let missing = u32::try_from(message.missing).unwrap_or(u32::MAX);
        let (is_counted, fragments, overlap, byte_range, headers) = (true, 0, false, None, None);
        each(Payload {
            meta,
            bytes,
            connection,
            is_counted,
            missing,
            fragments,
            overlap,
            byte_range,
            headers,
        });
    };
    match event.what {
        DirectionEvent::Bytes(bytes) => {
            if stream.framer.is_none() && !stream.is_foreign {
                let ports = [client.port(), server.port()];
                let opened = event.is_opened && !stream.is_cut;
                let place =
                    if opened { StreamStart::Beginning } else { StreamStart::Middle(ports) };
                if registry().frame(bytes, place.sent_by(side)).is_some() {
                    stream.framer = Some(Box::new(Framer::new(registry(), place)));
                } else {
                    stream.is_foreign = place == StreamStart::Beginning;
                }
            }
            if let Some(framer) = &mut stream.framer {
                framer.push(side, bytes, now, &mut pass_on);
                if framer.is_foreign() {
                    (stream.framer, stream.is_foreign) = (None, true);
                }
            }
        }
        DirectionEvent::Gap(lost) => {
            stream.is_cut = true;
            if let Some(framer) = &mut stream.framer {
                *gaps += 1;
                framer.lose(side, u64::from(lost), now);
            }
        }
        // An incomplete message is dropped.
        DirectionEvent::End(StreamEnd::Evicted) => {
            let framer = stream.framer.as_mut();
            *unfinished += u64::from(framer.is_some_and(|framer| framer.forget(side)));
        }
        DirectionEvent::End(_) => {
            if let Some(framer) = &mut stream.framer {
                framer.end(side, &mut pass_on);
            }
        }
    }
}
