//! PPP (RFC 1661, RFC 1662) and PPPoE (RFC 2516): from their first byte to the IP packet, also behind
//! labels (RFC 3032), in whole frames of several links (RFC 1990) and in bridged Ethernet (RFC 3518).

use super::nest::Nest;
use super::{Other, headers, link};

/// PPP's protocol numbers of IP.
const PPP_IPV4: u16 = 0x0021;
const PPP_IPV6: u16 = 0x0057;
const PPP_MPLS: [u16; 2] = [0x0281, 0x0283];
const PPP_MULTILINK: u16 = 0x003d;
const PPP_BRIDGED: u16 = 0x0031;
/// All stations, unnumbered information: the beginning of every frame, unless both ends agreed to
/// omit it.
const ADDRESS_AND_CONTROL: [u8; 2] = [0xff, 0x03];
/// The first byte of Cisco's HDLC: one station, all stations.
const CISCO_ADDRESSES: [u8; 2] = [0x0f, 0x8f];
/// The EtherType under which PPPoE discovery is counted in any encapsulation.
const DISCOVERY: u32 = 0x8863;

/// The IP packet in a PPP frame, with or without address and control. A protocol number of one
/// byte is odd, the first of two is even (RFC 1661, section 2).
pub(super) fn ppp<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    if ADDRESS_AND_CONTROL.starts_with(frame) {
        return Err(Other::Cut("PPP"));
    }
    let frame = frame.strip_prefix(&ADDRESS_AND_CONTROL).unwrap_or(frame);
    let (protocol, packet) = match frame {
        [short, packet @ ..] if short % 2 == 1 => (u16::from(*short), packet),
        [high, low, packet @ ..] => (u16::from_be_bytes([*high, *low]), packet),
        _ => return Err(Other::Cut("PPP")),
    };
    match protocol {
        PPP_IPV4 | PPP_IPV6 => Ok(packet),
        PPP_MULTILINK => multilink(packet, nest),
        PPP_BRIDGED => bridged(packet, nest),
        0x002d | 0x002f | 0x0061..=0x0069 => Err(Other::Unread("PPP with compressed headers")),
        0x0053 | 0x0055 => Err(Other::Unread("encrypted PPP")),
        0x00fb | 0x00fd => Err(Other::Unread("compressed or encrypted PPP (CCP or MPPE)")),
        labels if PPP_MPLS.contains(&labels) => headers::mpls(packet, nest),
        other => Err(Other::NotIp(u32::from(other))),
    }
}

/// The IP packet in a frame that was sent over one of several links, if that frame is whole. It has its
/// number in three bytes.
fn multilink<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    const WHOLE: u8 = 0xc0;
    let ([flags, _number @ ..], inner) =
        frame.split_first_chunk::<4>().ok_or(Other::Cut("multilink PPP"))?;
    if *flags != WHOLE {
        return Err(Other::Unread("multilink PPP in parts"));
    }
    nest.enter()?;
    ppp(inner, nest)
}

/// The IP packet in a bridged Ethernet frame, which may have the number of a network before it.
fn bridged<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    const HAS_NETWORK: u8 = 0x40;
    const ETHERNET: u8 = 1;
    let [flags, kind, ..] = *frame else { return Err(Other::Cut("bridged PPP")) };
    let length = if flags & HAS_NETWORK == 0 { 2 } else { 6 };
    let inner = frame.get(length..).ok_or(Other::Cut("bridged PPP"))?;
    match kind {
        ETHERNET => link::nested_ethernet(inner, nest),
        _ => Err(Other::Unread("PPP with another link than Ethernet")),
    }
}

/// The IP packet in a frame of a serial line: PPP, or an EtherType in Cisco's HDLC.
pub(super) fn serial<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    match frame {
        [address, _control, high, low, packet @ ..] if CISCO_ADDRESSES.contains(address) => {
            link::nested_ether(u16::from_be_bytes([*high, *low]), packet, nest)
        }
        _ => ppp(frame, nest),
    }
}

/// The IP packet in a PPPoE session.
pub(super) fn pppoe<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    let ([version_and_type, code, _session_and_length @ ..], frame) =
        frame.split_first_chunk::<6>().ok_or(Other::Cut("PPPoE"))?;
    match (version_and_type, code) {
        (0x11, 0) => ppp(frame, nest),
        (0x11, _) => Err(Other::NotIp(DISCOVERY)),
        _ => Err(Other::Unread("PPPoE of another version or type than 1")),
    }
}
