//! Asks a master for its list, and collects the answer.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::families::{ListProgress, ListSelection, WatchMessages};
use crate::simulate::{Pacer, Received, Socket};

/// How long the next datagram of a list may take, if none says that it is the last.
const QUIET: Duration = Duration::from_millis(200);
/// The maximum datagrams that are read for one list or answer: a target that sends without end does
/// not hold up the others.
pub(super) const DATAGRAMS: usize = 4096;
/// The maximum requests for one list.
const PARTS: usize = 256;
/// The maximum servers of one list; more are left out.
const MAX_LISTED: usize = 1 << 16;
/// The largest datagram.
const LARGEST: usize = 1 << 16;

/// The answer to a list request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterList {
    /// The time from the request to the first datagram.
    pub latency: Duration,
    /// The servers, each once.
    pub servers: BTreeSet<SocketAddr>,
    /// Whether the end came: false if the next part did not, or the list was too long.
    pub is_whole: bool,
}

/// A client that requests lists of one master.
#[derive(Debug)]
pub struct ListRequester<'a> {
    /// Its socket.
    pub socket: &'a Socket,
    /// The messages of the master's kind.
    pub kind: &'static WatchMessages,
    /// Which servers are requested.
    pub selection: &'a ListSelection,
    /// The master's address.
    pub master: SocketAddr,
    /// How long the first datagram may take.
    pub timeout: Duration,
    /// The rate limit, if there is one.
    pub pacer: Option<&'a Pacer>,
}

impl ListRequester<'_> {
    /// Sends one request, and one more for each part of a list that has to be requested. `None` if
    /// there is no answer in time; nothing is sent again.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn request(&self) -> io::Result<Option<MasterList>> {
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
        Ok(answer.map(|answer| MasterList { is_whole: answer.is_whole && is_whole, ..answer }))
    }

    /// Requests the list, or the part behind a server, and adds its servers to `answer`.
    fn request_part(
        &self,
        behind: Option<SocketAddr>,
        answer: &mut Option<MasterList>,
        buffer: &mut [u8],
    ) -> io::Result<PartEnd> {
        let request = (self.kind.request)(self.selection, behind);
        let begun = send(self.socket, self.master, &request, self.pacer)?;
        let mut deadline = begun + self.timeout;
        // A master that never stops is not listened to for ever.
        let last = begun + self.timeout * 4;
        let mut is_open = false;
        for _ in 0..DATAGRAMS {
            let Some((bytes, came)) = receive(self.socket, self.master, deadline, buffer)? else {
                return Ok(if is_open { PartEnd::Whole } else { PartEnd::Missing });
            };
            let Some(part) = (self.kind.read)(bytes) else { continue };
            let answer = answer.get_or_insert_with(|| MasterList {
                latency: came.duration_since(begun),
                servers: BTreeSet::new(),
                is_whole: true,
            });
            for server in part.servers {
                if answer.servers.len() < MAX_LISTED {
                    answer.servers.insert(server);
                } else {
                    answer.is_whole = false;
                }
            }
            match part.end {
                ListProgress::Whole => return Ok(PartEnd::Whole),
                ListProgress::Behind(server) => return Ok(PartEnd::Behind(server)),
                ListProgress::Unknown => is_open = true,
            }
            deadline = (came + QUIET).min(last);
        }
        Ok(PartEnd::Missing)
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
pub(super) fn send(
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

/// Discards what has come so far.
pub(super) fn drain(socket: &Socket) -> io::Result<()> {
    for _ in 0..DATAGRAMS {
        if socket.receive(&mut [0; 1])? == Received::Nothing {
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
        match socket.receive(buffer)? {
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
