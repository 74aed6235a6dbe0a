//! IP packets inside IP packets: IP-in-IP (RFC 2003, RFC 2473), 6in4 (RFC 4213), GRE (RFC 2784,
//! RFC 2890) and PPTP's GRE (RFC 2637).

use etherparse::{EtherType, IpNumber};

use super::ip::Ip;
use super::{Other, link, ppp};

/// How many nested IP headers are parsed: deeper nesting is an attack.
pub(super) const MAX_DEPTH: usize = 4;

const GRE: IpNumber = IpNumber::GRE;
const IP_IN_IP: IpNumber = IpNumber::IPV4;
const SIX_IN_IP: IpNumber = IpNumber::IPV6;

/// Bits of the first two bytes of a GRE header, and the version after them.
const HAS_CHECKSUM: u16 = 0x8000;
const HAS_ROUTES: u16 = 0x4000;
const HAS_KEY: u16 = 0x2000;
const HAS_SEQUENCE: u16 = 0x1000;
/// Only in version 1.
const HAS_ACKNOWLEDGMENT: u16 = 0x0080;
const VERSION: u16 = 0x0007;

const ETHERNET: EtherType = EtherType(0x6558);
const PPP: EtherType = EtherType(0x880b);

/// The content of an IP packet's payload in place of a transport header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TunnelPayload {
    /// The position of the inner IP packet in the payload.
    pub packet: usize,
    /// The position of the GRE header's checksum, which covers the whole payload.
    pub checksum: Option<usize>,
    /// The position of an inner Ethernet header.
    pub ethernet: Option<usize>,
}

/// The inside of a tunnel packet; `None` for any other packet.
pub(super) fn inside(ip: &Ip<'_>) -> Option<Result<TunnelPayload, Other>> {
    match IpNumber(ip.protocol) {
        IP_IN_IP | SIX_IN_IP => {
            Some(Ok(TunnelPayload { packet: 0, checksum: None, ethernet: None }))
        }
        GRE => Some(gre(ip.payload)),
        _ => None,
    }
}

fn gre(payload: &[u8]) -> Result<TunnelPayload, Other> {
    let cut = Other::Cut("GRE");
    let ([a, b, c, d], _) = payload.split_first_chunk::<4>().ok_or(cut)?;
    let (flags, kind) = (u16::from_be_bytes([*a, *b]), EtherType(u16::from_be_bytes([*c, *d])));
    let options = match flags & VERSION {
        0 if flags & HAS_ROUTES != 0 => return Err(Other::Malformed("GRE with source routes")),
        0 => flags & (HAS_CHECKSUM | HAS_KEY | HAS_SEQUENCE),
        1 => flags & (HAS_KEY | HAS_SEQUENCE | HAS_ACKNOWLEDGMENT),
        _ => return Err(Other::Malformed("GRE of another version than 0 and 1")),
    };
    let header = 4 + 4 * options.count_ones() as usize;
    let inner = payload.get(header..).ok_or(cut)?;
    let packet = match kind {
        ETHERNET => link::ethernet(inner)?,
        PPP => ppp::ppp(inner)?,
        EtherType(kind) => link::ether(kind, inner)?,
    };
    Ok(TunnelPayload {
        packet: payload.len() - packet.len(),
        checksum: (options & HAS_CHECKSUM != 0).then_some(4),
        ethernet: (kind == ETHERNET).then_some(header),
    })
}
