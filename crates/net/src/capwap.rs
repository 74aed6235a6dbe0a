//! Frames that access points and their controller exchange in datagrams (CAPWAP, RFC 5415 and RFC 5416):
//! Ethernet, or 802.11 as the access point has it.

use super::nest::{Nest, NestedLink};
use super::udp_tunnel::is_ip;
use super::wireless::{self, FrameControl, Wireless};
use super::{Other, link};

/// The first byte of a datagram: a header follows, or DTLS.
const PLAIN: u8 = 0;
const ENCRYPTED: u8 = 1;
/// Bits of the header's fourth byte.
const FRAGMENT: u8 = 0x80;
const HAS_RADIO: u8 = 0x10;
const KEEP_ALIVE: u8 = 0x08;
/// The binding to IEEE 802.11.
const IEEE_802_11: u8 = 1;

/// The IP packet in the frame of a datagram; `None` if there is no frame.
pub(super) fn capwap<'a>(
    payload: &'a [u8],
    nest: &mut Nest<'_>,
) -> Option<Result<&'a [u8], Other>> {
    let ([kind, length, binding, flags, ..], _) = payload.split_first_chunk::<8>()?;
    match *kind {
        PLAIN => {}
        ENCRYPTED => return Some(Err(Other::Unread("encrypted CAPWAP (DTLS)"))),
        _ => return None,
    }
    if flags & KEEP_ALIVE != 0 {
        return None;
    }
    if flags & FRAGMENT != 0 {
        return Some(Err(Other::Unread("CAPWAP in fragments")));
    }
    // The length of the header is in words of four bytes.
    let frame = payload.get(4 * usize::from(length >> 3)..)?;
    if flags & HAS_RADIO != 0
        && let Some([6, address @ ..]) = payload.get(8..)
    {
        nest.add_address(address);
    }
    match (binding & 1, binding >> 1 & 0x1f) {
        (0, _) => Some(link::nested_ethernet(frame, nest)),
        (_, IEEE_802_11) => Some(wireless_frame(frame, nest)),
        _ => None,
    }
}

fn wireless_frame<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    let read = |order, nest: &mut Nest<'_>| wireless::ieee_802_11(frame, 0, order, nest);
    let is_plain = match *frame {
        [first, second, ..] if wireless::is_data(first) && wireless::is_data(second) => {
            // The capture may have cut the packet.
            let is_packet = |packet: &[u8]| is_ip(packet, usize::MAX);
            read(FrameControl::Plain, &mut Nest::default()).is_ok_and(is_packet)
        }
        [_, second, ..] => !wireless::is_data(second),
        _ => true,
    };
    let order = if is_plain { FrameControl::Plain } else { FrameControl::Swapped };
    nest.add(NestedLink::Wireless(order), frame)?;
    read(order, nest).map_err(|error| match error {
        Other::Wireless(Wireless::Encrypted) => Other::Unread("CAPWAP with encrypted frames"),
        Other::Wireless(Wireless::Fragment | Wireless::Aggregated) => {
            Other::Unread("CAPWAP with frames in fragments or aggregates")
        }
        other => other,
    })
}
