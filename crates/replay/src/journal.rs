//! The journal of a run, written as a capture: with the addresses of the run for the user, with
//! those of the recording for the comparison.

use std::collections::HashMap;
use std::io::{self, Write};
use std::net::SocketAddr;

use super::plan::{Plan, PlanAction};
use super::sockets::ReplaySockets;
use super::timeline::{self, Timed, TimelineItem};
use super::transcript::Transcript;
use capture::write::{FrameRecord, PcapNg};
use net::compose::{self, Dialogue};

/// The maximum number of received datagrams and answers that are kept.
const EVENTS: usize = 1 << 22;
const BYTES: usize = 1 << 28;
/// The maximum number of sent messages that are kept.
pub(super) const SENT: usize = 1 << 24;

/// The events of one thread of a run, in order.
#[derive(Default)]
pub(super) struct Journal {
    pub events: Vec<JournalEvent>,
    bytes: usize,
    pub left_out: u64,
}

/// An event of a run.
pub(super) struct JournalEvent {
    /// Nanoseconds from the start.
    pub at: u64,
    pub what: EventKind,
}

pub(super) enum EventKind {
    /// A socket received a datagram of the target.
    Received { socket: usize, from: SocketAddr, bytes: Box<[u8]> },
    /// The endpoint of that socket answered.
    Answered { socket: usize, to: SocketAddr, bytes: Box<[u8]> },
    /// Something happened on a connection.
    Connection(ConnectionId, ConnectionEvent),
}

/// A connection: its index in the plan, and the round.
pub(super) type ConnectionId = (usize, u32);

pub(super) enum ConnectionEvent {
    Opened {
        local: SocketAddr,
        to: SocketAddr,
    },
    /// The client's bytes, by the index in the transcript.
    Sent {
        request: usize,
        bytes: Box<[u8]>,
    },
    Received(Box<[u8]>),
    Closed,
}

/// A sent message of the plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentMessage {
    /// Nanoseconds from the start.
    pub at: u64,
    /// Nanoseconds by which it was late.
    pub late: u64,
    pub item: u32,
    pub round: u32,
}

/// The frames of a written capture.
#[derive(Default)]
pub(super) struct FrameNumbers {
    /// The frames of sent messages with their transcript indices, and their times in the run.
    pub requests: Vec<(u64, usize, u64)>,
    /// The frames of the target's datagrams.
    pub received: Vec<u64>,
}

impl Journal {
    pub fn note(&mut self, at: u64, what: EventKind) {
        let size = match &what {
            EventKind::Received { bytes, .. }
            | EventKind::Answered { bytes, .. }
            | EventKind::Connection(
                _,
                ConnectionEvent::Sent { bytes, .. } | ConnectionEvent::Received(bytes),
            ) => bytes.len(),
            EventKind::Connection(..) => 0,
        };
        if self.events.len() >= EVENTS || self.bytes + size > BYTES {
            self.left_out += 1;
            return;
        }
        self.bytes += size;
        self.events.push(JournalEvent { at, what });
    }
}

/// Which addresses endpoints are written with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameSide {
    Recorded,
    Live {
        /// Nanoseconds since the Unix epoch: when the run started.
        start: i64,
    },
}

/// A run to be written.
pub(super) struct Writing<'a> {
    pub transcript: &'a Transcript,
    pub plan: &'a Plan,
    pub sockets: &'a ReplaySockets,
    /// Both in order of time.
    pub sent: &'a [SentMessage],
    pub events: &'a [JournalEvent],
}

impl Writing<'_> {
    /// Writes all events in order.
    pub fn write<W: Write>(&self, names: NameSide, out: W) -> io::Result<FrameNumbers> {
        let mut writer = JournalWriter {
            out: PcapNg::new(out)?,
            names,
            frames: FrameNumbers::default(),
            number: 0,
            time: 0,
            masters: HashMap::new(),
            connections: HashMap::new(),
        };
        let all = match names {
            NameSide::Recorded => timeline::recorded(self),
            NameSide::Live { start } => timeline::live(self, start),
        };
        for Timed { time, item } in all {
            writer.time = time;
            match item {
                TimelineItem::Sent(sent) => self.sent(&mut writer, sent)?,
                TimelineItem::Event(event) => self.event(&mut writer, event)?,
            }
        }
        writer.out.finish()?;
        Ok(writer.frames)
    }

    fn sent<W: Write>(&self, writer: &mut JournalWriter<W>, sent: &SentMessage) -> io::Result<()> {
        let item = self.plan.items.get(sent.item as usize);
        let Some(PlanAction::Send(send)) = item.map(|item| &item.what) else {
            return Ok(());
        };
        let Some(request) = self.transcript.requests.get(send.request) else {
            return Ok(());
        };
        let live = self.sockets.target_of(request.from.ip()).at(send.port);
        for socket in [Some(send.socket), Some(send.server), None] {
            writer.masters.insert((socket, live.port()), request.to);
        }
        let (from, to) = match writer.names {
            NameSide::Recorded => (request.from, request.to),
            NameSide::Live { .. } => {
                (self.sockets.live(request.from).unwrap_or(request.from), live)
            }
        };
        let comment = format!("replay: sends frame {} as {}", request.number, request.from);
        let number = writer.datagram(from, to, &send.bytes, &comment)?;
        writer.frames.requests.extend(number.map(|number| (number, send.request, sent.at)));
        Ok(())
    }

    fn event<W: Write>(
        &self,
        writer: &mut JournalWriter<W>,
        event: &JournalEvent,
    ) -> io::Result<()> {
        match &event.what {
            EventKind::Received { socket, from, bytes } => {
                let (master, end) = self.ends(writer, *socket, *from);
                let number = writer.datagram(master, end, bytes, "target: sends")?;
                writer.frames.received.extend(number);
            }
            EventKind::Answered { socket, to, bytes } => {
                let (master, end) = self.ends(writer, *socket, *to);
                let recorded = self.sockets.end(*socket).unwrap_or(end);
                let comment = format!("replay: answers as {recorded}");
                writer.datagram(end, master, bytes, &comment)?;
            }
            EventKind::Connection(id, what) => self.connection(writer, *id, event.at, what)?,
        }
        Ok(())
    }

    fn connection<W: Write>(
        &self,
        writer: &mut JournalWriter<W>,
        id: ConnectionId,
        at: u64,
        event: &ConnectionEvent,
    ) -> io::Result<()> {
        match event {
            ConnectionEvent::Opened { local, to } => {
                let (connection, round) = id;
                let Some(known) = self.plan.connections.get(connection) else {
                    return Ok(());
                };
                let (client, server) = match writer.names {
                    NameSide::Recorded => (known.end, known.to),
                    NameSide::Live { .. } => (*local, *to),
                };
                let comment = format!("replay: connects as {}", known.end);
                // Far from those of every other connection.
                let nth = (self.plan.connections.len() as u32)
                    .wrapping_mul(round)
                    .wrapping_add(connection as u32);
                let sequence = nth.wrapping_mul(0x9e37_79b1);
                let dialogue = writer.stream(&comment, |frame| {
                    Dialogue::open_at(sequence, client, server, &mut |bytes| frame(bytes))
                })?;
                writer.connections.insert(id, (dialogue, client, server));
            }
            ConnectionEvent::Sent { request, bytes } => {
                writer.stream_bytes(id, true, bytes)?;
                writer.frames.requests.push((writer.number, *request, at));
            }
            ConnectionEvent::Received(bytes) => writer.stream_bytes(id, false, bytes)?,
            ConnectionEvent::Closed => {
                if let Some((dialogue, ..)) = writer.connections.remove(&id) {
                    writer.stream("", |frame| dialogue.close(&mut |bytes| frame(bytes)))?;
                }
            }
        }
        Ok(())
    }

    /// The addresses of a datagram's endpoints: the master, and the simulated host.
    fn ends<W: Write>(
        &self,
        writer: &JournalWriter<W>,
        socket: usize,
        live: SocketAddr,
    ) -> (SocketAddr, SocketAddr) {
        let recorded = self.sockets.end(socket).unwrap_or(live);
        if let NameSide::Live { .. } = writer.names {
            return (live, self.sockets.live(recorded).unwrap_or(recorded));
        }
        // The master at that port; from another port it is still the same host.
        let fits = |master: &SocketAddr| master.is_ipv6() == recorded.is_ipv6();
        let known = |socket| writer.masters.get(&(socket, live.port())).copied().filter(fits);
        let elsewhere = || {
            let mut known = writer.masters.iter().filter(|((of, _), _)| *of == Some(socket));
            let mut others = writer.masters.iter().filter(|(_, master)| fits(master));
            let master = known.next().or_else(|| others.next());
            master.map(|(_, master)| SocketAddr::new(master.ip(), live.port()))
        };
        let master = known(Some(socket)).or_else(|| known(None)).or_else(elsewhere);
        (master.unwrap_or(live), recorded)
    }
}

/// A capture being written.
struct JournalWriter<W> {
    out: PcapNg<W>,
    names: NameSide,
    frames: FrameNumbers,
    number: u64,
    /// The time of the current event, in nanoseconds since the Unix epoch.
    time: i64,
    /// The recorded master behind a port, for a socket and for any.
    masters: HashMap<(Option<usize>, u16), SocketAddr>,
    connections: HashMap<ConnectionId, (Dialogue, SocketAddr, SocketAddr)>,
}

impl<W: Write> JournalWriter<W> {
    /// Writes a datagram and returns its number; `None` if its endpoints are of different families.
    fn datagram(
        &mut self,
        from: SocketAddr,
        to: SocketAddr,
        payload: &[u8],
        comment: &str,
    ) -> io::Result<Option<u64>> {
        let Some(frame) = compose::datagram(from, to, payload) else {
            return Ok(None);
        };
        self.frame(&frame, comment)?;
        Ok(Some(self.number))
    }

    /// Writes the frames that `write` composes.
    fn stream<T>(
        &mut self,
        comment: &str,
        write: impl FnOnce(&mut dyn FnMut(&[u8])) -> T,
    ) -> io::Result<T> {
        let mut frames: Vec<Vec<u8>> = Vec::new();
        let result = write(&mut |bytes| frames.push(bytes.to_vec()));
        for frame in frames {
            self.frame(&frame, comment)?;
        }
        Ok(result)
    }

    fn stream_bytes(&mut self, id: ConnectionId, is_client: bool, bytes: &[u8]) -> io::Result<()> {
        let Some((mut dialogue, client, server)) = self.connections.remove(&id) else {
            return Ok(());
        };
        let (from, comment) =
            if is_client { (client, "replay: sends") } else { (server, "target: sends") };
        self.stream(comment, |frame| dialogue.send(from, bytes, &mut |bytes| frame(bytes)))?;
        self.connections.insert(id, (dialogue, client, server));
        Ok(())
    }

    fn frame(&mut self, bytes: &[u8], comment: &str) -> io::Result<()> {
        self.number += 1;
        let comment = if self.names == NameSide::Recorded { "" } else { comment };
        self.out.write(&FrameRecord::ip(self.time, bytes, comment))
    }
}
