//! IP packets inside IP packets: IP-in-IP (RFC 2003, RFC 2473), 6in4 (RFC 4213), GRE (RFC 2784,
//! RFC 2890), PPTP's GRE (RFC 2637), EoIP of `MikroTik`, ERSPAN (draft-foschiano-erspan), MPLS in IP
//! (RFC 4023), EtherIP (RFC 3378), Ethernet (RFC 8986), NSH, what routers redirect with WCCP, what access
//! points of Aruba send, and those in datagrams (see `udp_tunnel`).

use etherparse::{EtherType, IpNumber};

use super::ip::Ip;
use super::nest::Nest;
use super::{Other, headers, link, ppp, udp_tunnel};

/// How many nested IP headers are parsed: deeper nesting is an attack.
pub(super) const MAX_DEPTH: usize = 4;

const GRE: IpNumber = IpNumber::GRE;
const IP_IN_IP: IpNumber = IpNumber::IPV4;
const SIX_IN_IP: IpNumber = IpNumber::IPV6;
const ETHER_IP: IpNumber = IpNumber(97);
const MPLS_IN_IP: IpNumber = IpNumber(137);
const ETHERNET_IN_IP: IpNumber = IpNumber(143);
const NSH_IN_IP: IpNumber = IpNumber(145);

/// Bits of the first two bytes of a GRE header, and the version after them.
const HAS_CHECKSUM: u16 = 0x8000;
const HAS_ROUTES: u16 = 0x4000;
const HAS_KEY: u16 = 0x2000;
const HAS_SEQUENCE: u16 = 0x1000;
/// Only in version 1.
const HAS_ACKNOWLEDGMENT: u16 = 0x0080;
const VERSION: u16 = 0x0007;

const PPP: EtherType = EtherType(0x880b);
/// Ethernet of `MikroTik`'s routers.
const EOIP: EtherType = EtherType(0x6400);
/// Copies of frames that a switch sends: the first two forms, of which the second has a sequence
/// number and a header of its own, and the third.
const ERSPAN: EtherType = EtherType(0x88be);
const ERSPAN_3: EtherType = EtherType(0x22eb);
/// What routers redirect to a cache, with a header of four bytes since version 2.
const WCCP: EtherType = EtherType(0x883e);
/// The numbers of 802.11 frames that access points of Aruba send: the last digit is 0.
const ARUBA: std::ops::RangeInclusive<u16> = 0x8200..=0x8370;

/// The content of an IP packet's payload in place of a transport header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TunnelPayload {
    /// The position of the inner IP packet in the payload.
    pub packet: usize,
    /// The position of the GRE header's checksum, which covers the whole payload.
    pub checksum: Option<usize>,
    /// Whether that is a UDP header's, which covers the addresses and may be missing.
    pub is_udp: bool,
}

/// The inside of a tunnel packet; `None` for any other packet. `nest` lists the links in it.
#[inline]
pub(super) fn inside(ip: &Ip<'_>, nest: &mut Nest<'_>) -> Option<Result<TunnelPayload, Other>> {
    let at = |packet: Result<&[u8], Other>| {
        let packet = ip.payload.len() - packet?.len();
        Ok(TunnelPayload { packet, checksum: None, is_udp: false })
    };
    match IpNumber(ip.protocol) {
        IpNumber::UDP => {
            let packet = udp_tunnel::inside(ip.payload, nest)?;
            let packet = ip.payload.len() - packet.len();
            Some(Ok(TunnelPayload { packet, checksum: Some(6), is_udp: true }))
        }
        IP_IN_IP | SIX_IN_IP => Some(at(Ok(ip.payload))),
        GRE => Some(gre(ip.payload, nest)),
        ETHER_IP => {
            let frame = ip.payload.get(2..).ok_or(Other::Cut("EtherIP"));
            Some(at(frame.and_then(|frame| link::nested_ethernet(frame, nest))))
        }
        MPLS_IN_IP => Some(at(headers::mpls(ip.payload, nest))),
        ETHERNET_IN_IP => Some(at(link::nested_ethernet(ip.payload, nest))),
        NSH_IN_IP => Some(at(headers::nsh(ip.payload, nest))),
        _ => None,
    }
}

/// The inside of a GRE packet.
pub(super) fn gre(payload: &[u8], nest: &mut Nest<'_>) -> Result<TunnelPayload, Other> {
    let cut = Other::Cut("GRE");
    let ([a, b, c, d], _) = payload.split_first_chunk::<4>().ok_or(cut)?;
    let (flags, kind) = (u16::from_be_bytes([*a, *b]), EtherType(u16::from_be_bytes([*c, *d])));
    let options = match flags & VERSION {
        0 if flags & HAS_ROUTES != 0 => return Err(Other::Unread("GRE with source routes")),
        0 => flags & (HAS_CHECKSUM | HAS_KEY | HAS_SEQUENCE),
        1 => flags & (HAS_KEY | HAS_SEQUENCE | HAS_ACKNOWLEDGMENT),
        _ => return Err(Other::Unread("GRE of another version than 0 and 1")),
    };
    let header = 4 + 4 * options.count_ones() as usize;
    let inner = payload.get(header..).ok_or(cut)?;
    let packet = match kind {
        EOIP => link::nested_ethernet(inner, nest)?,
        ERSPAN if options & HAS_SEQUENCE == 0 => link::nested_ethernet(inner, nest)?,
        ERSPAN => {
            let frame = inner.get(8..).ok_or(Other::Cut("ERSPAN"))?;
            link::nested_ethernet(frame, nest)?
        }
        ERSPAN_3 => {
            // The last bit says whether eight more bytes follow.
            let last = inner.get(11).ok_or(Other::Cut("ERSPAN"))?;
            let length = if last & 1 == 0 { 12 } else { 20 };
            let frame = inner.get(length..).ok_or(Other::Cut("ERSPAN"))?;
            link::nested_ethernet(frame, nest)?
        }
        PPP => ppp::ppp(inner, nest)?,
        WCCP if inner.first().is_none_or(|first| first >> 4 == 4) => inner,
        WCCP => inner.get(4..).ok_or(Other::Cut("WCCP"))?,
        EtherType(kind) if ARUBA.contains(&kind) && kind.is_multiple_of(16) => {
            link::nested_layer(link::IEEE802_11, inner, nest)?
        }
        EtherType(kind) => link::nested_ether(kind, inner, nest)?,
    };
    Ok(TunnelPayload {
        packet: payload.len() - packet.len(),
        checksum: (options & HAS_CHECKSUM != 0).then_some(4),
        is_udp: false,
    })
}
