//! The journal of a run, written as a capture: with the addresses of the run for the user, with
//! those of the recording for the comparison.

use std::collections::HashMap;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::time::Duration;

use super::account::Transcript;
use super::plan::{Plan, PlanAction};
use super::stage::ReplaySockets;
use super::timeline::{self, Timed, TimelineItem};
use crate::capture::write::{FrameRecord, PcapNg};
use crate::net::compose::{self, Dialogue, LINK_RAW};

/// The maximum number of received datagrams and answers that are kept.
const EVENTS: usize = 1 << 22;
const BYTES: usize = 1 << 28;
/// The maximum number of sent messages that are kept.
const SENT: usize = 1 << 24;

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
    pub what: Happened,
}

pub(super) enum Happened {
    /// A socket received a datagram of the target.
    Heard {
        place: usize,
        from: SocketAddr,
        bytes: Box<[u8]>,
    },
    /// The endpoint of that socket answered.
    Answered {
        place: usize,
        to: SocketAddr,
        bytes: Box<[u8]>,
    },
    Opened {
        call: usize,
        round: u32,
        local: SocketAddr,
        to: SocketAddr,
    },
    /// The client's bytes on a connection, by the index in the transcript.
    Said {
        call: usize,
        round: u32,
        asked: usize,
        bytes: Box<[u8]>,
    },
    Told {
        call: usize,
        round: u32,
        bytes: Box<[u8]>,
    },
    Closed {
        call: usize,
        round: u32,
    },
}

/// A sent message of the plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentMessage {
    /// Nanoseconds from the start.
    pub at: u64,
    /// Nanoseconds by which it was late.
    pub late: u64,
    pub turn: u32,
    pub round: u32,
}

/// The frames of a written capture.
#[derive(Default)]
pub(super) struct FrameNumbers {
    /// The frames of sent messages with their transcript indices, and their times in the run.
    pub asked: Vec<(u64, usize, u64)>,
    /// The frames of the target's datagrams.
    pub heard: Vec<u64>,
}

impl Journal {
    pub fn note(&mut self, at: u64, what: Happened) {
        let size = match &what {
            Happened::Heard { bytes, .. }
            | Happened::Answered { bytes, .. }
            | Happened::Said { bytes, .. }
            | Happened::Told { bytes, .. } => bytes.len(),
            Happened::Opened { .. } | Happened::Closed { .. } => 0,
        };
        if self.events.len() >= EVENTS || self.bytes + size > BYTES {
            self.left_out += 1;
            return;
        }
        self.bytes += size;
        self.events.push(JournalEvent { at, what });
    }
}

/// Whether one more sent message is kept.
pub(super) fn has_room(sent: &[SentMessage]) -> bool {
    sent.len() < SENT
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
    pub account: &'a Transcript,
    pub plan: &'a Plan,
    pub stage: &'a ReplaySockets,
    /// Both in order of time.
    pub sent: &'a [SentMessage],
    pub events: &'a [JournalEvent],
}

impl Writing<'_> {
    /// Writes all events in order.
    pub fn write<W: Write>(&self, names: NameSide, out: W) -> io::Result<FrameNumbers> {
        let mut pen = JournalWriter {
            out: PcapNg::new(out)?,
            names,
            frames: FrameNumbers::default(),
            number: 0,
            time: 0,
            masters: HashMap::new(),
            calls: HashMap::new(),
        };
        let all = match names {
            NameSide::Recorded => timeline::recorded(self),
            NameSide::Live { start } => timeline::live(self, start),
        };
        for Timed { time, item } in all {
            pen.time = time;
            match item {
                TimelineItem::Sent(sent) => self.sent(&mut pen, sent)?,
                TimelineItem::Event(event) => self.event(&mut pen, event)?,
            }
        }
        pen.out.finish()?;
        Ok(pen.frames)
    }

    fn sent<W: Write>(&self, pen: &mut JournalWriter<W>, sent: &SentMessage) -> io::Result<()> {
        let turn = self.plan.turns.get(sent.turn as usize);
        let Some(PlanAction::Say(cue)) = turn.map(|turn| &turn.what) else {
            return Ok(());
        };
        let Some(asked) = self.account.asked.get(cue.asked) else {
            return Ok(());
        };
        let live = self.stage.target_of(asked.from.ip()).at(cue.port);
        for place in [Some(cue.socket), Some(cue.server), None] {
            pen.masters.insert((place, live.port()), asked.to);
        }
        let (from, to) = match pen.names {
            NameSide::Recorded => (asked.from, asked.to),
            NameSide::Live { .. } => (self.stage.live(asked.from).unwrap_or(asked.from), live),
        };
        let comment = format!("replay: plays frame {} as {}", asked.number, asked.from);
        let number = pen.datagram(from, to, &cue.bytes, &comment)?;
        pen.frames.asked.extend(number.map(|number| (number, cue.asked, sent.at)));
        Ok(())
    }

    fn event<W: Write>(&self, pen: &mut JournalWriter<W>, event: &JournalEvent) -> io::Result<()> {
        match &event.what {
            Happened::Heard { place, from, bytes } => {
                let (master, end) = self.ends(pen, *place, *from);
                let number = pen.datagram(master, end, bytes, "target: says")?;
                pen.frames.heard.extend(number);
            }
            Happened::Answered { place, to, bytes } => {
                let (master, end) = self.ends(pen, *place, *to);
                let recorded = self.stage.end(*place).unwrap_or(end);
                let comment = format!("replay: answers as {recorded}");
                pen.datagram(end, master, bytes, &comment)?;
            }
            Happened::Opened { call, round, local, to } => {
                let Some(known) = self.plan.calls.get(*call) else {
                    return Ok(());
                };
                let (client, server) = match pen.names {
                    NameSide::Recorded => (known.end, known.to),
                    NameSide::Live { .. } => (*local, *to),
                };
                let comment = format!("replay: connects as {}", known.end);
                // Far from those of every other connection.
                let nth =
                    (self.plan.calls.len() as u32).wrapping_mul(*round).wrapping_add(*call as u32);
                let sequence = nth.wrapping_mul(0x9e37_79b1);
                let dialogue = pen.stream(&comment, |frame| {
                    Dialogue::open_at(sequence, client, server, &mut |bytes| frame(bytes))
                })?;
                pen.calls.insert((*call, *round), (dialogue, client, server));
            }
            Happened::Said { call, round, asked, bytes } => {
                pen.speak((*call, *round), true, bytes)?;
                pen.frames.asked.push((pen.number, *asked, event.at));
            }
            Happened::Told { call, round, bytes } => pen.speak((*call, *round), false, bytes)?,
            Happened::Closed { call, round } => {
                if let Some((dialogue, ..)) = pen.calls.remove(&(*call, *round)) {
                    pen.stream("", |frame| dialogue.close(&mut |bytes| frame(bytes)))?;
                }
            }
        }
        Ok(())
    }

    /// The addresses of a datagram's endpoints: the master, and the simulated host.
    fn ends<W: Write>(
        &self,
        pen: &JournalWriter<W>,
        place: usize,
        live: SocketAddr,
    ) -> (SocketAddr, SocketAddr) {
        let recorded = self.stage.end(place).unwrap_or(live);
        if let NameSide::Live { .. } = pen.names {
            return (live, self.stage.live(recorded).unwrap_or(recorded));
        }
        // The master at that port; from another port it is still the same host.
        let fits = |master: &SocketAddr| master.is_ipv6() == recorded.is_ipv6();
        let known = |place| pen.masters.get(&(place, live.port())).copied().filter(fits);
        let elsewhere = || {
            let mut known = pen.masters.iter().filter(|((of, _), _)| *of == Some(place));
            let mut others = pen.masters.iter().filter(|(_, master)| fits(master));
            let master = known.next().or_else(|| others.next());
            master.map(|(_, master)| SocketAddr::new(master.ip(), live.port()))
        };
        let master = known(Some(place)).or_else(|| known(None)).or_else(elsewhere);
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
    calls: HashMap<(usize, u32), (Dialogue, SocketAddr, SocketAddr)>,
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

    /// Writes the frames that `speak` makes.
    fn stream<T>(
        &mut self,
        comment: &str,
        speak: impl FnOnce(&mut dyn FnMut(&[u8])) -> T,
    ) -> io::Result<T> {
        let mut frames: Vec<Vec<u8>> = Vec::new();
        let told = speak(&mut |bytes| frames.push(bytes.to_vec()));
        for frame in frames {
            self.frame(&frame, comment)?;
        }
        Ok(told)
    }

    fn speak(&mut self, call: (usize, u32), is_client: bool, bytes: &[u8]) -> io::Result<()> {
        let Some((mut dialogue, client, server)) = self.calls.remove(&call) else {
            return Ok(());
        };
        let (from, comment) =
            if is_client { (client, "replay: says") } else { (server, "target: says") };
        self.stream(comment, |frame| dialogue.send(from, bytes, &mut |bytes| frame(bytes)))?;
        self.calls.insert(call, (dialogue, client, server));
        Ok(())
    }

    fn frame(&mut self, bytes: &[u8], comment: &str) -> io::Result<()> {
        self.number += 1;
        let comment = if self.names == NameSide::Recorded { "" } else { comment };
        let (link, wire_length) = (LINK_RAW, bytes.len() as u32);
        let record = FrameRecord {
            time: self.time,
            link,
            fcs: 0,
            bytes,
            wire_length,
            comment,
            interface: 0,
        };
        self.out.write(&record)
    }
}

/// A duration in nanoseconds.
pub(super) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
