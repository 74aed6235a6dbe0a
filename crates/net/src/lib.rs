//! From a frame to its payload: link layer, IP, tunnels, fragments, UDP, TCP and ICMP errors.
//!
//! A [`Stack`] takes frames in the order of their capture and returns one [`Packet`] for each.
//! It keeps two things between frames: incomplete fragments, in a table bounded in number, bytes
//! and age, and hashes of the last packets, to recognise those that were captured more than once.
//! Everything else is a function of the frame alone, and nothing is copied but reassembled
//! fragments. [`TcpReassembler`] takes the segments among the packets and returns the bytes of
//! each direction of each connection, in order.
//!
//! Three rules shape the result:
//!
//! - **Lengths come from the inside.** The UDP length rules over the IP length, which rules over
//!   the frame, so Ethernet padding and frame check sequences never become payload. If a header
//!   claims more than the frame holds (a snap length, a wrong value), the rest counts as `missing`.
//! - **A quoted header is no packet.** What an ICMP error quotes was sent by another host at
//!   another time: it becomes an [`IcmpError`] about a flow, never a [`Datagram`].
//! - **Checksums are not verified.** A capture on the sending machine has them before the network
//!   card fills them in; checking them would drop half of all real captures.
//!
//! *Architecture invariant:* this module knows no files, no capture formats and no protocol above
//! UDP and TCP. It panics on no bytes and no number read from a frame sizes an allocation.

#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod bridges;
mod capwap;
mod community_id;
pub mod compose;
mod copies;
mod describe;
mod direction;
mod dropped;
mod fragment;
mod headers;
mod icmp;
mod ip;
mod layout;
pub mod link;
mod nest;
mod ppp;
mod stream_event;
mod streams;
mod transport;
mod tunnel;
mod udp_tunnel;
mod unread;
mod wireless;

#[cfg(test)]
mod tests;

use std::fmt;
use std::net::SocketAddr;

pub use community_id::CommunityId;
pub use describe::{DescribedHeader, QUOTED_PAYLOAD, describe, headers_in_short};
pub use fragment::{IncompletePacket, Waiting};
pub use icmp::{IcmpError, IcmpKind};
pub use layout::{FragmentAt, FrameLayout, PacketAt};
pub use link::KNOWN as LINKS;
pub use stream_event::{DirectionEvent, StreamEnd, StreamEvent};
pub use streams::{ConnectionState, StreamCounts, TcpReassembler};
pub use udp_tunnel::unread_tunnel;
pub use unread::unread_link;
pub use wireless::{Wireless, subframes};

use copies::Copies;
use fragment::{Fragments, Joined};
use ip::Ip;
use nest::Nest;

/// Decodes frames, one after the other, and reassembles IP fragments.
#[derive(Default)]
pub struct Stack {
    fragments: Fragments,
    /// Nothing if copies are treated like any other packet.
    copies: Option<Copies>,
    /// What the caller wants to know of incomplete packets.
    tag: u64,
    /// The reassembled bytes of the current frame, for its packet to borrow: the innermost last.
    joined: [Vec<u8>; tunnel::MAX_DEPTH],
}

/// The content of one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packet<'a> {
    /// A UDP datagram, whole or cut by the snap length.
    Datagram(Datagram<'a>),
    /// A TCP segment, for [`TcpReassembler`].
    Segment(Segment<'a>),
    /// An ICMP or ICMPv6 error about a UDP or TCP packet.
    Error(IcmpError),
    /// A fragment of an incomplete packet, or a repeated one.
    Held,
    /// A copy of a packet shortly before it.
    Copy,
    /// Not game traffic, with the reason.
    Other(Other),
}

/// A UDP datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Datagram<'a> {
    /// Address and port it came from.
    pub source: SocketAddr,
    /// Address and port it went to.
    pub destination: SocketAddr,
    /// The captured bytes after the UDP header.
    pub payload: &'a [u8],
    /// Payload bytes by the headers that were not captured.
    pub missing: u32,
    /// The source of `payload`.
    pub origin: Origin,
}

/// A TCP segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Address and port it came from.
    pub source: SocketAddr,
    /// Address and port it went to.
    pub destination: SocketAddr,
    /// Number of the first byte of `payload` in the stream (of the SYN itself, with SYN).
    pub sequence: u32,
    /// Number of the next byte that the sender expects; meaningless without [`Flags::ack`].
    pub acknowledgment: u32,
    /// The control bits that open and close a stream.
    pub flags: Flags,
    /// The captured bytes after the TCP header.
    pub payload: &'a [u8],
    /// Payload bytes by the headers that were not captured.
    pub missing: u32,
    /// The source of `payload`.
    pub origin: Origin,
}

/// The TCP control bits that open and end a stream (RFC 9293, section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four bits of a header, under their own names")]
pub struct Flags {
    /// The sender opens its direction.
    pub syn: bool,
    /// `acknowledgment` is valid.
    pub ack: bool,
    /// The sender has sent everything.
    pub fin: bool,
    /// The connection is reset.
    pub rst: bool,
}

/// The source of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The frame itself: `payload` begins `offset` bytes after the frame's first byte.
    InFrame {
        /// Bytes of the frame before the payload.
        offset: u32,
    },
    /// Reassembled from fragments; no single frame has the bytes.
    Joined {
        /// Number of fragments, without repetitions.
        fragments: u16,
        /// Two fragments have different bytes at the same position. Those that came first were
        /// kept.
        overlap: bool,
    },
}

/// The transport protocols that game traffic uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transport {
    /// RFC 768.
    Udp,
    /// RFC 9293.
    Tcp,
}

/// Why a frame has neither datagram, segment nor error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// The link layer carries another protocol than IP: its EtherType (ARP is `0x0806`), the length
    /// field of an IEEE 802.3 frame, the address family of a loopback header, or PPP's protocol.
    NotIp(u32),
    /// An 802.11 frame that is not decoded.
    Wireless(Wireless),
    /// An unsupported LINKTYPE number.
    UnknownLink(u16),
    /// An IP protocol number that is not UDP, TCP or ICMP.
    Protocol(u8),
    /// An ICMP message that is no error, or an error about something without ports.
    Icmp {
        /// ICMP or ICMPv6 type.
        kind: u8,
        /// Its code.
        code: u8,
    },
    /// The capture ends inside the named header.
    Cut(&'static str),
    /// An encapsulation that is not read; the text is its name.
    Unread(&'static str),
    /// A header contradicts itself; the text says how.
    Malformed(&'static str),
}

impl Stack {
    /// A stack that detects packets which were captured more than once.
    pub fn without_copies() -> Self {
        Self { copies: Some(Copies::default()), ..Self::default() }
    }

    /// Number of packets that were copies of others.
    pub fn copies(&self) -> u64 {
        self.copies.as_ref().map_or(0, Copies::count)
    }

    /// Decodes one frame. `link` is its LINKTYPE number, `fcs` the length of the frame check
    /// sequence at its end in bytes, `time` nanoseconds since the Unix epoch (for the timeout of
    /// fragments), `bytes` the captured bytes and `wire_length` the original length.
    pub fn read_frame<'a>(
        &'a mut self,
        link: u16,
        fcs: u8,
        time: i64,
        bytes: &'a [u8],
        wire_length: u32,
    ) -> Packet<'a> {
        let bytes = without_fcs(bytes, wire_length, fcs);
        self.decode(link, time, bytes).unwrap_or_else(Packet::Other)
    }

    /// Counters of the fragment table.
    pub fn waiting(&self) -> Waiting {
        self.fragments.waiting()
    }

    /// Sets what [`IncompletePacket::tag`] tells of the next frame, such as its number.
    #[inline]
    pub fn tag_frame(&mut self, tag: u64) {
        self.tag = tag;
    }

    /// Whether datagrams were given up that [`Stack::take_incomplete`] has not returned yet.
    #[inline]
    pub fn has_incomplete(&self) -> bool {
        self.fragments.has_incomplete()
    }

    /// The datagrams that were given up, because a fragment did not come within 30 seconds or too
    /// many waited: those since the last call, the first 512.
    pub fn take_incomplete(&mut self) -> Vec<IncompletePacket> {
        self.fragments.take_incomplete()
    }

    /// The datagrams that still wait for fragments.
    pub fn incomplete(&self) -> impl Iterator<Item = IncompletePacket> {
        self.fragments.open()
    }

    fn decode<'a>(
        &'a mut self,
        link: u16,
        time: i64,
        frame: &'a [u8],
    ) -> Result<Packet<'a>, Other> {
        let Self { fragments, joined, copies, tag } = self;
        let mut joined = joined.as_mut_slice();
        let mut packet = link::network_layer(link, frame)?;
        let mut origin = Origin::InFrame { offset: (frame.len() - packet.len()) as u32 };
        for depth in 0..tunnel::MAX_DEPTH {
            let mut ip = ip::read_header(packet)?;
            origin = origin.behind(ip.payload_at);
            // The innermost packet counts: one copy may be in a tunnel, the other not.
            let mut inside = match ip.fragment {
                Some(_) => None,
                None => tunnel::inside(&ip, &mut Nest::default()),
            };
            if inside.is_none()
                && let Some(copies) = copies
                && copies.is_copy(time, &ip)
            {
                return Ok(Packet::Copy);
            }
            if let Some(fragment) = ip.fragment
                && let Some((into, rest)) = std::mem::take(&mut joined).split_first_mut()
            {
                let Some(whole) =
                    fragments.add_fragment((time, *tag), depth, &ip, fragment, into)?
                else {
                    return Ok(Packet::Held);
                };
                (origin, joined) = (origin.joined(&whole), rest);
                ip = ip::behind_fragments(Ip {
                    protocol: whole.protocol,
                    payload: into,
                    payload_length: whole.length,
                    fragment: None,
                    ..ip
                })?;
                inside = tunnel::inside(&ip, &mut Nest::default());
            }
            let Some(inside) = inside else {
                return transport::read_packet(&ip, origin);
            };
            let at = inside?.packet;
            packet = ip.payload.get(at..).unwrap_or_default();
            origin = origin.behind(at);
        }
        Err(Other::Unread("too many tunnels inside of each other"))
    }
}

impl Origin {
    /// The same source, `bytes` further on.
    fn behind(self, bytes: usize) -> Self {
        match self {
            Self::InFrame { offset } => Self::InFrame { offset: offset + bytes as u32 },
            joined @ Self::Joined { .. } => joined,
        }
    }

    /// The source of a packet reassembled from such parts.
    fn joined(self, whole: &Joined) -> Self {
        let before = matches!(self, Self::Joined { overlap: true, .. });
        Self::Joined { fragments: whole.fragments, overlap: whole.overlap || before }
    }
}

impl Transport {
    /// `udp` or `tcp`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Udp => "udp",
            Self::Tcp => "tcp",
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The frame without its frame check sequence. The snap length cuts off that sequence first, so it
/// is counted from the end of the original frame.
fn without_fcs(bytes: &[u8], wire_length: u32, fcs: u8) -> &[u8] {
    if fcs == 0 {
        return bytes;
    }
    let wire = (wire_length as usize).max(bytes.len());
    let end = wire.saturating_sub(usize::from(fcs)).min(bytes.len());
    bytes.get(..end).unwrap_or(bytes)
}
