//! IPv4 and IPv6 headers, up to the transport header or the fragment's data.

use std::net::IpAddr;

use etherparse::{
    IpAuthHeaderSlice, IpNumber, Ipv4HeaderSlice, Ipv6FragmentHeaderSlice, Ipv6HeaderSlice,
    Ipv6RawExtHeaderSlice, err,
};

use super::Other;

/// An IP packet with parsed headers.
#[derive(Clone, Copy)]
pub(super) struct Ip<'a> {
    pub source: IpAddr,
    pub destination: IpAddr,
    /// IP protocol number of `payload`.
    pub protocol: u8,
    /// The captured bytes after the IP headers, padding removed.
    pub payload: &'a [u8],
    /// The length of `payload` by the headers; never less than its captured length.
    pub payload_length: u32,
    /// Bytes of the packet before `payload`.
    pub payload_at: usize,
    /// The identification of an IPv4 packet; 0 if it has none.
    pub id: u16,
    /// The hop limit (TTL).
    pub hops: u8,
    /// Set when `payload` is a fragment.
    pub fragment: Option<Fragment>,
}

/// Which part of a fragmented packet this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fragment {
    pub id: u32,
    /// In bytes.
    pub offset: u32,
    pub more: bool,
}

/// Parses the headers of an IP packet of either version. Bytes after the packet's own length are
/// padding and are left out; a length of zero (segmentation offload leaves it to the network card)
/// means all bytes.
#[inline]
pub(super) fn read_header(packet: &[u8]) -> Result<Ip<'_>, Other> {
    match packet.first().map(|first| first >> 4) {
        Some(4) => read_v4(packet),
        Some(6) => read_v6(packet),
        Some(_) => Err(Other::Malformed("neither IP version 4 nor 6")),
        None => Err(Other::Cut("IP")),
    }
}

/// Continues with a reassembled packet: with IPv6, extension headers may follow the fragment
/// header, and only now can they be parsed.
pub(super) fn behind_fragments(ip: Ip<'_>) -> Result<Ip<'_>, Other> {
    if ip.source.is_ipv4() && IpNumber(ip.protocol) != IpNumber::AUTHENTICATION_HEADER {
        return Ok(ip);
    }
    let ip = past_extensions(ip)?;
    match ip.fragment {
        None => Ok(ip),
        Some(_) => Err(Other::Malformed("a fragment inside of fragments")),
    }
}

#[inline]
fn read_v4(packet: &[u8]) -> Result<Ip<'_>, Other> {
    use err::ipv4::HeaderSliceError;
    let header = Ipv4HeaderSlice::from_slice(packet).map_err(|error| match error {
        HeaderSliceError::Len(_) => Other::Cut("IPv4"),
        HeaderSliceError::Content(_) => Other::Malformed("the IPv4 header length is too small"),
    })?;
    let payload_at = header.slice().len();
    let length = usize::from(header.total_len()).checked_sub(payload_at);
    let (payload, payload_length) = bounded(packet, payload_at, length);
    let fragment = header.is_fragmenting_payload().then(|| Fragment {
        id: u32::from(header.identification()),
        offset: u32::from(header.fragments_offset().byte_offset()),
        more: header.more_fragments(),
    });
    let ip = Ip {
        source: header.source_addr().into(),
        destination: header.destination_addr().into(),
        protocol: header.protocol().0,
        payload,
        payload_length,
        payload_at,
        id: header.identification(),
        hops: header.ttl(),
        fragment,
    };
    // An authentication header; before a fragment, it is a part of the packet.
    let is_authenticated = header.protocol() == IpNumber::AUTHENTICATION_HEADER;
    if is_authenticated && fragment.is_none() { past_extensions(ip) } else { Ok(ip) }
}

fn read_v6(packet: &[u8]) -> Result<Ip<'_>, Other> {
    let header = Ipv6HeaderSlice::from_slice(packet).map_err(|_| Other::Cut("IPv6"))?;
    let payload_at = header.slice().len();
    let length = Some(usize::from(header.payload_length())).filter(|length| *length > 0);
    let (payload, payload_length) = bounded(packet, payload_at, length);
    past_extensions(Ip {
        source: header.source_addr().into(),
        destination: header.destination_addr().into(),
        protocol: header.next_header().0,
        payload,
        payload_length,
        payload_at,
        id: 0,
        hops: header.hop_limit(),
        fragment: None,
    })
}

/// The bytes of `packet` from `at`, at most `length` of them, and how long they should be.
#[inline]
fn bounded(packet: &[u8], at: usize, length: Option<usize>) -> (&[u8], u32) {
    let rest = packet.get(at..).unwrap_or_default();
    let length = length.unwrap_or(rest.len());
    (rest.get(..length).unwrap_or(rest), length as u32)
}

/// Walks IPv6 extension headers (RFC 8200, section 4) up to the transport header or the data of a
/// fragment.
fn past_extensions(mut ip: Ip<'_>) -> Result<Ip<'_>, Other> {
    loop {
        let (next, length) = match IpNumber(ip.protocol) {
            IpNumber::IPV6_HEADER_HOP_BY_HOP
            | IpNumber::IPV6_ROUTE_HEADER
            | IpNumber::IPV6_DESTINATION_OPTIONS
            | IpNumber::MOBILITY_HEADER
            | IpNumber::HIP
            | IpNumber::SHIM6 => {
                let header = Ipv6RawExtHeaderSlice::from_slice(ip.payload)
                    .map_err(|_| Other::Cut("IPv6 extension"))?;
                (header.next_header(), header.slice().len())
            }
            IpNumber::AUTHENTICATION_HEADER => {
                let header = IpAuthHeaderSlice::from_slice(ip.payload)
                    .map_err(|_| Other::Cut("IP authentication"))?;
                (header.next_header(), header.slice().len())
            }
            IpNumber::IPV6_FRAGMENTATION_HEADER => {
                let header = Ipv6FragmentHeaderSlice::from_slice(ip.payload)
                    .map_err(|_| Other::Cut("IPv6 fragment"))?;
                ip.fragment = header.is_fragmenting_payload().then(|| Fragment {
                    id: header.identification(),
                    offset: u32::from(header.fragment_offset().byte_offset()),
                    more: header.more_fragments(),
                });
                (header.next_header(), header.slice().len())
            }
            _ => return Ok(ip),
        };
        ip.protocol = next.0;
        ip.payload = ip.payload.get(length..).unwrap_or_default();
        ip.payload_length = ip.payload_length.saturating_sub(length as u32);
        ip.payload_at += length;
        if ip.fragment.is_some() {
            return Ok(ip);
        }
    }
}
