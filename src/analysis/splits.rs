//! Joins messages that their senders split over several datagrams.

use std::collections::VecDeque;
use std::net::SocketAddr;

use crate::protocol::SplitForms;
use crate::protocols::registry;

/// How many split messages may wait for parts.
const OPEN: usize = 256;
/// How many bytes of parts may wait.
const BYTES: usize = 16 << 20;
/// How long a message waits for its parts, in nanoseconds.
const TIMEOUT: i64 = 30_000_000_000;

/// Sender, receiver, and the sender's number for the message.
type SplitKey = (SocketAddr, SocketAddr, u32);

/// Split messages whose parts are being collected, the oldest first.
#[derive(Default)]
pub(super) struct Splits {
    open: VecDeque<OpenSplit>,
    bytes: usize,
    /// Messages that were given up.
    given_up: u64,
}

/// The parts of a message so far.
struct OpenSplit {
    key: SplitKey,
    since: i64,
    datagrams: Vec<Box<[u8]>>,
    bytes: usize,
}

/// A joined message.
pub(super) struct JoinedSplit {
    pub bytes: Vec<u8>,
    /// How many datagrams it came in.
    pub datagrams: u16,
}

impl Splits {
    /// Adds a datagram, if it is a part; returns the message that it completes.
    pub fn take(
        &mut self,
        time: i64,
        (source, destination): (SocketAddr, SocketAddr),
        bytes: &[u8],
    ) -> Option<JoinedSplit> {
        let forms = registry().splits(bytes)?;
        let id = forms.forms.iter().find_map(|form| form(bytes))?.id;
        self.make_room(time);
        let key = (source, destination, id);
        let at = self.open.iter().position(|open| open.key == key).unwrap_or_else(|| {
            let (since, datagrams) = (time, Vec::new());
            self.open.push_back(OpenSplit { key, since, datagrams, bytes: 0 });
            self.open.len() - 1
        });
        let open = self.open.get_mut(at)?;
        if open.datagrams.iter().any(|known| **known == *bytes) {
            return None;
        }
        open.datagrams.push(bytes.into());
        open.bytes += bytes.len();
        self.bytes += bytes.len();
        let joined = open.joined(forms);
        if joined.is_some() || open.datagrams.len() > usize::from(u8::MAX) {
            let removed = self.open.remove(at);
            self.bytes -= removed.map_or(0, |open| open.bytes);
        }
        joined
    }

    /// How many messages lack a part.
    pub fn incomplete(&self) -> u64 {
        self.given_up + self.open.len() as u64
    }

    /// Gives up what has waited too long, and the oldest where too much waits.
    fn make_room(&mut self, time: i64) {
        while let Some(oldest) = self.open.front() {
            let is_late = time.saturating_sub(oldest.since) > TIMEOUT;
            if !is_late && self.open.len() < OPEN && self.bytes < BYTES {
                return;
            }
            self.bytes -= oldest.bytes;
            self.given_up += 1;
            self.open.pop_front();
        }
    }
}

impl OpenSplit {
    /// The whole message, in the first form in which no part is missing.
    fn joined(&self, forms: &SplitForms) -> Option<JoinedSplit> {
        let bytes = forms.forms.iter().find_map(|form| forms.join(*form, &self.datagrams))?;
        let datagrams = u16::try_from(self.datagrams.len()).unwrap_or(u16::MAX);
        Some(JoinedSplit { bytes, datagrams })
    }
}
