//! Asks a master for its list in datagrams, and collects the answer.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::list_answer::{LONGEST_LIST, ListFailure, MasterList, RequestedList};
use super::traffic::TrafficRecorder;
use simulate::families::{ListProgress, ListReadFn, ListRequestFn, ListSelection};
use simulate::{Pacer, Received, Socket};

/// How long the next datagram of a list may take, if none says that it is the last.
const QUIET: Duration = Duration::from_millis(200);
/// The maximum datagrams that are read for one list or answer: a target that sends without end does
/// not hold up the others.
pub const DATAGRAMS: usize = 4096;
/// The maximum requests for one list.
const PARTS: usize = 256;
/// The largest datagram.
const LARGEST: usize = 1 << 16;

/// A client that requests lists of one master in datagrams.
#[derive(Debug)]
pub struct DatagramRequester<'a> {
    /// Its socket.
    pub socket: &'a Socket,
    /// Makes the request.
    pub request: ListRequestFn,
    /// Reads a datagram of the list.
    pub read: ListReadFn,
    /// Which servers are requested.
    pub selection: &'a ListSelection,
    /// The master's address.
    pub master: SocketAddr,
    /// How long the first datagram may take.
    pub timeout: Duration,
    /// The rate limit, if there is one.
    pub pacer: Option<&'a Pacer>,
    /// Records what is sent and what comes, if that is wanted.
    pub recorder: Option<&'a TrafficRecorder>,
}

impl DatagramRequester<'_> {
    /// Sends one request, and one more for each part of a list that has to be requested; nothing is
    /// sent again.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn request(&self) -> io::Result<RequestedList> {
        let mut buffer = vec![0; LARGEST];
        // What is late belongs to an earlier request.
        drain(self.socket)?;
        let mut answer: Option<MasterList> = None;
        let (mut behind, mut is_whole) = (None, false);
        for _ in 0..PARTS {
            let known = answer.as_ref().map_or(0, |answer| answer.servers.len());
            match self.request_part(behind, &mut answer, &mut buffer)? {
                PartEnd::Whole => {
                    is_whole = true;
                    break;
                }
                PartEnd::Missing => break,
                PartEnd::Behind(last) => behind = Some(last),
            }
            // A master that repeats itself would be asked for ever.
            if answer.as_ref().is_none_or(|answer| answer.servers.len() == known) {
                break;
            }
        }
        let answer =
            answer.map(|answer| MasterList { is_whole: answer.is_whole && is_whole, ..answer });
        Ok(answer.ok_or(ListFailure::NoAnswer))
    }

    /// Requests the list, or the part behind a server, and adds its servers to `answer`.
    fn request_part(
        &self,
        behind: Option<SocketAddr>,
        answer: &mut Option<MasterList>,
        buffer: &mut [u8],
    ) -> io::Result<PartEnd> {
        let request = (self.request)(self.selection, behind);
        let begun = send(self.socket, self.master, &request, self.pacer)?;
        let local = self.socket.local();
        self.record(local, self.master, &request, "query: asks for the list");
        let mut deadline = begun + self.timeout;
        let last = begun + self.timeout * LONGEST_LIST;
        let (mut is_open, mut numbers) = (false, DatagramNumbers::default());
        for _ in 0..DATAGRAMS {
            let Some((bytes, came)) = receive(self.socket, self.master, deadline, buffer)? else {
                let is_whole = is_open && numbers.missing().is_none_or(|missing| missing == 0);
                return Ok(if is_whole { PartEnd::Whole } else { PartEnd::Missing });
            };
            self.record(self.master, local, bytes, "target: answers");
            let Some(part) = (self.read)(bytes) else { continue };
            let answer = answer.get_or_insert_with(|| MasterList::new(came.duration_since(begun)));
            answer.add_servers(part.servers());
            match part.end {
                ListProgress::Whole => return Ok(PartEnd::Whole),
                ListProgress::Behind(server) => return Ok(PartEnd::Behind(server)),
                ListProgress::Unknown => is_open = true,
                ListProgress::Numbered { number, count } => {
                    is_open = true;
                    numbers.add_number(number, count);
                    if numbers.missing() == Some(0) {
                        return Ok(PartEnd::Whole);
                    }
                }
            }
            deadline = (came + QUIET).min(last);
        }
        Ok(PartEnd::Missing)
    }
}

impl DatagramRequester<'_> {
    fn record(&self, from: SocketAddr, to: SocketAddr, bytes: &[u8], comment: &str) {
        if let Some(recorder) = self.recorder {
            recorder.datagram(from, to, bytes, comment);
        }
    }
}

/// The numbers of the datagrams of a list that have come.
#[derive(Debug, Default)]
struct DatagramNumbers {
    came: BTreeSet<u16>,
    /// How many there are; `None` without numbers.
    count: Option<u16>,
}

impl DatagramNumbers {
    fn add_number(&mut self, number: u16, count: u16) {
        self.count = Some(count);
        self.came.insert(number);
    }

    /// How many have not come; `None` without numbers.
    fn missing(&self) -> Option<usize> {
        Some((1..=self.count?).filter(|number| !self.came.contains(number)).count())
    }
}

/// How a part of a list ended.
enum PartEnd {
    /// With the end of the list.
    Whole,
    /// It did not come, or not to its end.
    Missing,
    /// With a server behind which the next part has to be requested.
    Behind(SocketAddr),
}

/// Sends a datagram to a target, within its rate; when that was. An ICMP error of an earlier
/// datagram is no error of this one, which is sent again, once, because the system did not send it.
///
/// # Errors
/// If the system cannot send.
pub fn send(
    socket: &Socket,
    to: SocketAddr,
    bytes: &[u8],
    pacer: Option<&Pacer>,
) -> io::Result<Instant> {
    pacer.inspect(|pacer| pacer.wait());
    // Before it is sent: on loopback the answer may be there when this goes on.
    let begun = Instant::now();
    match socket.send(to.port(), bytes) {
        Err(why) if why.kind() == ErrorKind::ConnectionRefused => {
            tolerated(socket.send(to.port(), bytes))
        }
        sent => tolerated(sent),
    }
    .map(|()| begun)
}

/// An unreachable target is one that does not answer, not a failure of this program.
fn tolerated(sent: io::Result<()>) -> io::Result<()> {
    match sent {
        Err(why)
            if matches!(
                why.kind(),
                ErrorKind::ConnectionRefused
                    | ErrorKind::HostUnreachable
                    | ErrorKind::NetworkUnreachable
                    | ErrorKind::NetworkDown
                    | ErrorKind::WouldBlock
            ) =>
        {
            Ok(())
        }
        sent => sent,
    }
}

/// The next datagram that is there. A target whose host or network is reported as unreachable is one
/// where nothing listens.
///
/// # Errors
/// If the system cannot receive.
pub fn received(socket: &Socket, buffer: &mut [u8]) -> io::Result<Received> {
    match socket.receive(buffer) {
        Err(why)
            if matches!(why.kind(), ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable) =>
        {
            Ok(Received::Refused)
        }
        received => received,
    }
}

/// Discards what has come so far.
pub(super) fn drain(socket: &Socket) -> io::Result<()> {
    for _ in 0..DATAGRAMS {
        if received(socket, &mut [0; 1])? == Received::Nothing {
            break;
        }
    }
    Ok(())
}

/// The next datagram of a target from this address, and when it came; `None` after the deadline.
pub(super) fn receive<'b>(
    socket: &Socket,
    from: SocketAddr,
    deadline: Instant,
    buffer: &'b mut [u8],
) -> io::Result<Option<(&'b [u8], Instant)>> {
    let length = loop {
        match received(socket, buffer)? {
            Received::Datagram(length, source) if source == from => break length,
            // Nothing listens there.
            Received::Refused => return Ok(None),
            // Another port of the target is not who was asked.
            Received::Datagram(..) => {
                if Instant::now() >= deadline {
                    return Ok(None);
                }
            }
            Received::Nothing => {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Ok(None);
                }
                socket.wait(left)?;
            }
        }
    };
    Ok(buffer.get(..length).map(|bytes| (bytes, Instant::now())))
}
