//! UDP and TCP headers: from an IP payload to a datagram or a segment.

use std::net::SocketAddr;

use etherparse::{IpNumber, TcpHeaderSlice, UdpHeaderSlice, err};

use super::ip::Ip;
use super::{Datagram, Flags, Origin, Other, Packet, Segment, icmp};

/// Parses the transport header of a whole IP packet; `origin` is the source of the IP payload.
#[inline]
pub(super) fn read_packet<'a>(ip: &Ip<'a>, origin: Origin) -> Result<Packet<'a>, Other> {
    match (IpNumber(ip.protocol), ip.source.is_ipv4()) {
        (IpNumber::UDP, _) => udp(ip, origin).map(Packet::Datagram),
        (IpNumber::TCP, _) => tcp(ip, origin).map(Packet::Segment),
        (IpNumber::ICMP, true) | (IpNumber::IPV6_ICMP, false) => {
            icmp::read_error(ip).map(Packet::Error)
        }
        _ => Err(Other::Protocol(ip.protocol)),
    }
}

/// The length field counts the header (RFC 768). Zero means all of the IP packet: segmentation
/// offload and jumbograms write it so. A length beyond the IP packet is longer than what was sent;
/// the difference is missing, like what a snap length cut off.
#[inline]
fn udp<'a>(ip: &Ip<'a>, origin: Origin) -> Result<Datagram<'a>, Other> {
    let header = UdpHeaderSlice::from_slice(ip.payload).map_err(|_| Other::Cut("UDP"))?;
    let header_length = header.slice().len();
    let length = match header.length() {
        0 => ip.payload_length,
        length if usize::from(length) < header_length => {
            return Err(Other::Malformed("the UDP length is shorter than its own header"));
        }
        length => u32::from(length),
    };
    let (payload, missing) = behind(ip, header_length, length);
    Ok(Datagram {
        source: SocketAddr::new(ip.source, header.source_port()),
        destination: SocketAddr::new(ip.destination, header.destination_port()),
        payload,
        missing,
        origin: origin.behind(header_length),
    })
}

fn tcp<'a>(ip: &Ip<'a>, origin: Origin) -> Result<Segment<'a>, Other> {
    use err::tcp::HeaderSliceError;
    let header = TcpHeaderSlice::from_slice(ip.payload).map_err(|error| match error {
        HeaderSliceError::Len(_) => Other::Cut("TCP"),
        HeaderSliceError::Content(_) => Other::Malformed("the TCP data offset is too small"),
    })?;
    let header_length = header.slice().len();
    let (payload, missing) = behind(ip, header_length, ip.payload_length);
    Ok(Segment {
        source: SocketAddr::new(ip.source, header.source_port()),
        destination: SocketAddr::new(ip.destination, header.destination_port()),
        sequence: header.sequence_number(),
        acknowledgment: header.acknowledgment_number(),
        flags: Flags { syn: header.syn(), ack: header.ack(), fin: header.fin(), rst: header.rst() },
        payload,
        missing,
        origin: origin.behind(header_length),
    })
}

/// The bytes after a header of `header` bytes in a packet of `length` bytes, and how many of them
/// were not captured.
#[inline]
fn behind<'a>(ip: &Ip<'a>, header: usize, length: u32) -> (&'a [u8], u32) {
    let rest = ip.payload.get(header..).unwrap_or_default();
    let expected = (length as usize).saturating_sub(header);
    let payload = rest.get(..expected).unwrap_or(rest);
    (payload, (expected - payload.len()) as u32)
}
