//! ICMP errors (RFC 792, RFC 4443): a dead master shows as "port unreachable", and the quoted
//! header says which packet the error is about.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use etherparse::IpNumber;

use super::ip::{self, Ip};
use super::nest::Nest;
use super::{Other, Transport, tunnel};

/// An ICMP or ICMPv6 error about a UDP or TCP packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IcmpError {
    /// The sender of the error: the destination itself, or a router on the way.
    pub from: IpAddr,
    /// The sender of the packet that failed.
    pub source: SocketAddr,
    /// The destination of that packet.
    pub destination: SocketAddr,
    /// The transport protocol of that packet.
    pub transport: Transport,
    /// The kind of error.
    pub kind: IcmpKind,
}

/// The kind of an ICMP error, in terms that both versions share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IcmpKind {
    /// No socket listens on that port.
    PortUnreachable,
    /// The host does not answer.
    HostUnreachable,
    /// There is no route to the network.
    NetworkUnreachable,
    /// The host does not support the transport protocol.
    ProtocolUnreachable,
    /// A filter forbids it.
    AdminProhibited,
    /// The packet does not fit the next link, whose MTU is this many bytes (0: unknown).
    FragmentationNeeded(u32),
    /// The hop limit ran out on the way.
    TimeExceeded,
    /// The destination did not get all fragments in time.
    ReassemblyTimeExceeded,
    /// A header field is invalid.
    ParameterProblem,
    /// Any other error.
    Other {
        /// ICMP or ICMPv6 type.
        kind: u8,
        /// Its code.
        code: u8,
    },
}

/// Parses an ICMP message. Everything but an error about a UDP or TCP packet is returned as
/// [`Other::Icmp`].
pub(super) fn read_error(ip: &Ip<'_>) -> Result<IcmpError, Other> {
    let ([kind, code, _checksum @ .., a, b, c, d], quote) =
        ip.payload.split_first_chunk::<8>().ok_or(Other::Cut("ICMP"))?;
    let no_error = Other::Icmp { kind: *kind, code: *code };
    let rest = u32::from_be_bytes([*a, *b, *c, *d]);
    let what = if ip.source.is_ipv4() {
        IcmpKind::of_v4(*kind, *code, rest)
    } else {
        IcmpKind::of_v6(*kind, *code, rest)
    };
    let what = what.ok_or(no_error)?;

    let quoted = innermost(quote).ok_or(no_error)?;
    let transport = match IpNumber(quoted.protocol) {
        IpNumber::UDP => Transport::Udp,
        IpNumber::TCP => Transport::Tcp,
        _ => return Err(no_error),
    };
    // Both transports begin with their ports.
    let ([a, b, c, d], _) = quoted.payload.split_first_chunk::<4>().ok_or(no_error)?;
    Ok(IcmpError {
        from: ip.source,
        source: SocketAddr::new(quoted.source, u16::from_be_bytes([*a, *b])),
        destination: SocketAddr::new(quoted.destination, u16::from_be_bytes([*c, *d])),
        transport,
        kind: what,
    })
}

/// The packet that was lost, inside all of its tunnels; `None` for a fragment without ports.
fn innermost(mut quote: &[u8]) -> Option<Ip<'_>> {
    for _ in 0..tunnel::MAX_DEPTH {
        let quoted = ip::read_header(quote).ok()?;
        if quoted.fragment.is_some_and(|fragment| fragment.offset > 0) {
            return None;
        }
        let Some(inside) = tunnel::inside(&quoted, &mut Nest::default()) else {
            return Some(quoted);
        };
        quote = quoted.payload.get(inside.ok()?.packet..)?;
    }
    None
}

impl IcmpKind {
    /// The error types of ICMP and their codes; `rest` is the header's second word.
    pub(super) fn of_v4(kind: u8, code: u8, rest: u32) -> Option<Self> {
        Some(match (kind, code) {
            (3, 0 | 6 | 11) => Self::NetworkUnreachable,
            (3, 1 | 7 | 8 | 12) => Self::HostUnreachable,
            (3, 2) => Self::ProtocolUnreachable,
            (3, 3) => Self::PortUnreachable,
            (3, 4) => Self::FragmentationNeeded(rest & 0xffff),
            (3, 9 | 10 | 13) => Self::AdminProhibited,
            (11, 0) => Self::TimeExceeded,
            (11, 1) => Self::ReassemblyTimeExceeded,
            (12, _) => Self::ParameterProblem,
            (3..=5 | 11, _) => Self::Other { kind, code },
            _ => return None,
        })
    }

    /// ICMPv6 keeps its errors below 128.
    pub(super) fn of_v6(kind: u8, code: u8, rest: u32) -> Option<Self> {
        Some(match (kind, code) {
            (1, 0) => Self::NetworkUnreachable,
            (1, 1 | 5 | 6) => Self::AdminProhibited,
            (1, 3) => Self::HostUnreachable,
            (1, 4) => Self::PortUnreachable,
            (2, _) => Self::FragmentationNeeded(rest),
            (3, 0) => Self::TimeExceeded,
            (3, 1) => Self::ReassemblyTimeExceeded,
            (4, 1) => Self::ProtocolUnreachable,
            (4, _) => Self::ParameterProblem,
            (..128, _) => Self::Other { kind, code },
            _ => return None,
        })
    }
}

impl fmt::Display for IcmpKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PortUnreachable => "port unreachable",
            Self::HostUnreachable => "host unreachable",
            Self::NetworkUnreachable => "network unreachable",
            Self::ProtocolUnreachable => "protocol unreachable",
            Self::AdminProhibited => "forbidden by a filter",
            Self::FragmentationNeeded(0) => "packet too big",
            Self::FragmentationNeeded(size) => {
                return write!(f, "packet too big, the next link takes {size} bytes");
            }
            Self::TimeExceeded => "hop limit exceeded on the way",
            Self::ReassemblyTimeExceeded => "fragments did not arrive in time",
            Self::ParameterProblem => "a header field was not understood",
            Self::Other { kind, code } => return write!(f, "ICMP type {kind} code {code}"),
        })
    }
}
