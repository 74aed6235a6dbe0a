//! PPP (RFC 1661, RFC 1662) and PPPoE (RFC 2516): from their first byte to the IP packet.

use super::{Other, link};

/// PPP's protocol numbers of IP.
const PPP_IPV4: u16 = 0x0021;
const PPP_IPV6: u16 = 0x0057;
/// All stations, unnumbered information: the beginning of every frame, unless both ends agreed to
/// omit it.
const ADDRESS_AND_CONTROL: [u8; 2] = [0xff, 0x03];
/// The first byte of Cisco's HDLC: one station, all stations.
const CISCO_ADDRESSES: [u8; 2] = [0x0f, 0x8f];
/// The EtherType under which PPPoE discovery is counted in any encapsulation.
const DISCOVERY: u32 = 0x8863;

/// The IP packet in a PPP frame, with or without address and control. A protocol number of one
/// byte is odd, the first of two is even (RFC 1661, section 2).
pub(super) fn ppp(frame: &[u8]) -> Result<&[u8], Other> {
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
        other => Err(Other::NotIp(u32::from(other))),
    }
}

/// The IP packet in a frame of a serial line: PPP, or an EtherType in Cisco's HDLC.
pub(super) fn serial(frame: &[u8]) -> Result<&[u8], Other> {
    match frame {
        [address, _control, high, low, packet @ ..] if CISCO_ADDRESSES.contains(address) => {
            link::ether(u16::from_be_bytes([*high, *low]), packet)
        }
        _ => ppp(frame),
    }
}

/// The IP packet in a PPPoE session.
pub(super) fn pppoe(frame: &[u8]) -> Result<&[u8], Other> {
    let ([version_and_type, code, _session_and_length @ ..], frame) =
        frame.split_first_chunk::<6>().ok_or(Other::Cut("PPPoE"))?;
    match (version_and_type, code) {
        (0x11, 0) => ppp(frame),
        (0x11, _) => Err(Other::NotIp(DISCOVERY)),
        _ => Err(Other::Malformed("PPPoE of another version or type than 1")),
    }
}
