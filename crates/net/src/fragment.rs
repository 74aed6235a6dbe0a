//! Reassembly of IPv4 and IPv6 fragments.
//!
//! A fragment belongs to those with the same source, destination and identification (and, with
//! IPv4, protocol). If two of them overlap, the bytes that came first are kept and the packet is
//! marked `overlap`; an exact repetition is no overlap. The table holds only as many bytes as were
//! captured: nothing is allocated because of an offset.

use std::collections::VecDeque;
use std::net::IpAddr;

use etherparse::IpNumber;

use super::Other;
use super::ip::{Fragment, Ip};

/// Maximum number of incomplete packets.
const MAX_OPEN: usize = 512;
/// Maximum number of bytes in waiting fragments.
const MAX_BYTES: usize = 8 << 20;
/// Timeout for the last fragment of a packet, in nanoseconds of capture time.
const MAX_AGE: i64 = 30_000_000_000;
/// The maximum length in an IP length field.
const MAX_PACKET: u32 = 0xffff;
/// The length of a UDP header.
const UDP_HEADER: u32 = 8;

/// The incomplete packets, oldest first.
#[derive(Default)]
pub(super) struct Fragments {
    open: VecDeque<Partial>,
    bytes: usize,
    timed_out: u64,
    evicted: u64,
    /// What was given up and not fetched yet.
    incomplete: Vec<IncompletePacket>,
}

/// A UDP datagram of which not all fragments came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IncompletePacket {
    /// What [`Stack::read_frame`](crate::Stack::read_frame) was told about its first fragment.
    pub tag: u64,
    /// When that came, in nanoseconds since the Unix epoch.
    pub time: i64,
    /// The sender.
    pub source: IpAddr,
    /// The receiver.
    pub destination: IpAddr,
    /// The ports of both, if the fragment with the UDP header came.
    pub ports: Option<[u16; 2]>,
    /// How many bytes of its payload came.
    pub came: u32,
    /// How many it has, if its header or its last fragment came.
    pub length: Option<u32>,
}

/// Counters of the fragment table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Waiting {
    /// Packets that are still incomplete.
    pub open: u64,
    /// Packets that were incomplete after 30 seconds.
    pub timed_out: u64,
    /// Packets dropped, oldest first, because too many were incomplete.
    pub evicted: u64,
}

/// A reassembled packet.
pub(super) struct Joined {
    /// Protocol number of the payload.
    pub protocol: u8,
    /// Its original length.
    pub length: u32,
    pub fragments: u16,
    pub overlap: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct FragmentKey {
    source: IpAddr,
    destination: IpAddr,
    id: u32,
    /// RFC 8200 leaves it out of the key: only the first fragment has the type of the next header.
    protocol: Option<u8>,
    /// The number of tunnels around it: addresses and identifications are different in each.
    depth: usize,
}

struct Partial {
    key: FragmentKey,
    born: i64,
    /// What the caller knows of its first fragment.
    tag: u64,
    protocol: u8,
    /// Captured bytes in the order of their arrival.
    bytes: Vec<u8>,
    /// Which part of the packet is where in `bytes`: by position, without overlaps.
    chunks: Vec<FragmentPart>,
    /// Length of the packet, once its last fragment has come.
    end: Option<u32>,
    fragments: u16,
    overlap: bool,
}

struct FragmentPart {
    /// Position in the packet.
    at: u32,
    /// Number of bytes of the packet that it covers.
    length: u32,
    /// Position in [`Partial::bytes`].
    from: usize,
    /// Number of captured bytes of `length`.
    captured: usize,
}

impl Fragments {
    /// Adds a fragment from inside `depth` tunnels. If it completes its packet, returns that, with
    /// its bytes in `into`, up to the first that a snap length cut off.
    pub fn add_fragment(
        &mut self,
        (time, tag): (i64, u64),
        depth: usize,
        ip: &Ip<'_>,
        fragment: Fragment,
        into: &mut Vec<u8>,
    ) -> Result<Option<Joined>, Other> {
        if fragment.offset + ip.payload_length > MAX_PACKET {
            return Err(Other::Malformed("a fragment lies behind the longest possible packet"));
        }
        self.expire(time);
        let index = self.find_or_open((time, tag), depth, ip, fragment);
        let Some(partial) = self.open.get_mut(index) else { return Ok(None) };

        self.bytes -= partial.cost();
        partial.add_fragment(fragment, ip);
        self.bytes += partial.cost();
        if !partial.is_whole() {
            self.free_memory();
            return Ok(None);
        }
        let Some(whole) = self.open.remove(index) else { return Ok(None) };
        self.bytes -= whole.cost();
        whole.join(into);
        Ok(Some(Joined {
            protocol: whole.protocol,
            length: whole.end.unwrap_or_default(),
            fragments: whole.fragments,
            overlap: whole.overlap,
        }))
    }

    pub fn waiting(&self) -> Waiting {
        Waiting { open: self.open.len() as u64, timed_out: self.timed_out, evicted: self.evicted }
    }

    /// The index of the packet that a fragment belongs to, which may be new. The newest are the
    /// likeliest, so they are checked first.
    fn find_or_open(
        &mut self,
        (time, tag): (i64, u64),
        depth: usize,
        ip: &Ip<'_>,
        fragment: Fragment,
    ) -> usize {
        let key = FragmentKey {
            source: ip.source,
            destination: ip.destination,
            id: fragment.id,
            protocol: ip.source.is_ipv4().then_some(ip.protocol),
            depth,
        };
        let known = |partial: &Partial| partial.key == key && !partial.is_stale(time);
        self.open.iter().rposition(known).unwrap_or_else(|| {
            let partial = Partial::new(key, (time, tag), ip.protocol);
            self.bytes += partial.cost();
            self.open.push_back(partial);
            self.open.len() - 1
        })
    }

    fn expire(&mut self, time: i64) {
        while self.open.front().is_some_and(|oldest| oldest.is_stale(time)) {
            self.drop_oldest();
            self.timed_out += 1;
        }
    }

    fn free_memory(&mut self) {
        while self.open.len() > MAX_OPEN || (self.bytes > MAX_BYTES && !self.open.is_empty()) {
            self.drop_oldest();
            self.evicted += 1;
        }
    }

    fn drop_oldest(&mut self) {
        if let Some(oldest) = self.open.pop_front() {
            self.bytes -= oldest.cost();
            if self.incomplete.len() < MAX_OPEN {
                self.incomplete.extend(oldest.incomplete());
            }
        }
    }

    /// Whether datagrams were given up since the last call of [`Fragments::take_incomplete`].
    #[inline]
    pub fn has_incomplete(&self) -> bool {
        !self.incomplete.is_empty()
    }

    /// The datagrams that were given up since the last call, the first 512.
    pub fn take_incomplete(&mut self) -> Vec<IncompletePacket> {
        std::mem::take(&mut self.incomplete)
    }

    /// The datagrams that still wait for fragments.
    pub fn open(&self) -> impl Iterator<Item = IncompletePacket> {
        self.open.iter().filter_map(Partial::incomplete)
    }
}

impl Partial {
    fn new(key: FragmentKey, (born, tag): (i64, u64), protocol: u8) -> Self {
        Self {
            key,
            born,
            tag,
            protocol,
            bytes: Vec::new(),
            chunks: Vec::new(),
            end: None,
            fragments: 0,
            overlap: false,
        }
    }

    /// What came of it, if it is a UDP datagram.
    fn incomplete(&self) -> Option<IncompletePacket> {
        if IpNumber(self.protocol) != IpNumber::UDP {
            return None;
        }
        let first = self.chunks.first().filter(|chunk| chunk.at == 0);
        let header = first.and_then(|chunk| self.bytes_of(chunk).first_chunk::<8>());
        let port = |high, low| u16::from_be_bytes([high, low]);
        let ports = header.map(|[a, b, c, d, ..]| [port(*a, *b), port(*c, *d)]);
        let by_header = header.map(|[.., a, b, _, _]| u32::from(port(*a, *b)));
        let length = by_header.or(self.end).map(|length| length.saturating_sub(UDP_HEADER));
        let came: u32 = self.chunks.iter().map(|chunk| chunk.length).sum();
        Some(IncompletePacket {
            tag: self.tag,
            time: self.born,
            source: self.key.source,
            destination: self.key.destination,
            ports,
            came: if ports.is_some() { came.saturating_sub(UDP_HEADER) } else { came },
            length,
        })
    }

    fn is_stale(&self, time: i64) -> bool {
        time.saturating_sub(self.born) > MAX_AGE
    }

    /// The size of this packet in the table, in bytes.
    fn cost(&self) -> usize {
        size_of::<Self>() + self.bytes.len() + self.chunks.len() * size_of::<FragmentPart>()
    }

    fn add_fragment(&mut self, fragment: Fragment, ip: &Ip<'_>) {
        let (at, end) = (fragment.offset, fragment.offset + ip.payload_length);
        let first = self.chunks.partition_point(|chunk| chunk.end() <= at);
        let known_end = fragment.more || self.end == Some(end);
        if known_end && self.chunks.get(first).is_some_and(|chunk| self.repeats(chunk, at, ip)) {
            return;
        }
        self.fragments = self.fragments.saturating_add(1);
        if at == 0 {
            self.protocol = ip.protocol;
        }
        if !fragment.more {
            self.overlap |= self.end.is_some_and(|known| known != end);
            self.end.get_or_insert(end);
        }
        self.fill(first, at, end, ip.payload);
        let behind_the_end = |last: &FragmentPart| self.end.is_some_and(|end| last.end() > end);
        self.overlap |= self.chunks.last().is_some_and(behind_the_end);
    }

    /// Stores those bytes of `at..end` that no earlier fragment has. `payload` holds the captured
    /// part of them; `index` is the first piece that ends after `at`.
    fn fill(&mut self, mut index: usize, at: u32, end: u32, payload: &[u8]) {
        let mut here = at;
        while here < end {
            match self.chunks.get(index) {
                Some(chunk) if chunk.at <= here => {
                    self.overlap = true;
                    here = chunk.end();
                }
                next => {
                    let gap = next.map_or(end, |chunk| chunk.at.min(end)) - here;
                    let bytes = payload.get((here - at) as usize..).unwrap_or_default();
                    let bytes = bytes.get(..gap as usize).unwrap_or(bytes);
                    let from = self.bytes.len();
                    self.bytes.extend_from_slice(bytes);
                    let chunk = FragmentPart { at: here, length: gap, from, captured: bytes.len() };
                    self.chunks.insert(index, chunk);
                    here += gap;
                }
            }
            index += 1;
        }
    }

    fn repeats(&self, chunk: &FragmentPart, at: u32, ip: &Ip<'_>) -> bool {
        chunk.at == at && chunk.length == ip.payload_length && self.bytes_of(chunk) == ip.payload
    }

    fn bytes_of(&self, chunk: &FragmentPart) -> &[u8] {
        self.bytes.get(chunk.from..chunk.from + chunk.captured).unwrap_or_default()
    }

    /// Whether the pieces cover everything from the first byte to the end.
    fn is_whole(&self) -> bool {
        let Some(end) = self.end else { return false };
        let mut covered = 0;
        for chunk in &self.chunks {
            if chunk.at != covered {
                break;
            }
            covered = chunk.end();
        }
        covered >= end
    }

    /// Writes the packet into `into`, up to the first byte that was not captured.
    fn join(&self, into: &mut Vec<u8>) {
        into.clear();
        for chunk in &self.chunks {
            into.extend_from_slice(self.bytes_of(chunk));
            if chunk.captured < chunk.length as usize {
                break;
            }
        }
        into.truncate(self.end.unwrap_or_default() as usize);
    }
}

impl FragmentPart {
    fn end(&self) -> u32 {
        self.at + self.length
    }
}
