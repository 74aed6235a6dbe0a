//! Link layers: from the first byte of a frame to the first byte of its IP packet.
//!
//! The numbers are the LINKTYPE values of the tcpdump group's registry
//! (<https://www.tcpdump.org/linktypes.html>). The result is always a suffix of the frame, so its
//! offset is the difference of two lengths; padding at its end is cut off by the IP length later.

use super::{Other, ppp, wireless};

/// BSD loopback: an address family in the byte order of the capturing machine.
pub const NULL: u16 = 0;
/// Ethernet, with or without VLAN tags.
pub const ETHERNET: u16 = 1;
/// PPP, with or without address and control.
pub const PPP: u16 = 9;
/// Raw IP, as some systems number it in files.
pub const RAW_12: u16 = 12;
/// Raw IP, as OpenBSD numbers it in files.
pub const RAW_14: u16 = 14;
/// PPP or Cisco's HDLC on a serial line.
pub const PPP_SERIAL: u16 = 50;
/// PPPoE without its Ethernet header.
pub const PPP_ETHER: u16 = 51;
/// Raw IP, version 4 or 6.
pub const RAW: u16 = 101;
/// IEEE 802.11.
pub const IEEE802_11: u16 = 105;
/// OpenBSD loopback: an address family in network byte order.
pub const LOOP: u16 = 108;
/// Linux "cooked" capture.
pub const LINUX_SLL: u16 = 113;
/// IEEE 802.11 after a radiotap header.
pub const RADIOTAP: u16 = 127;
/// Raw IPv4.
pub const IPV4: u16 = 228;
/// Raw IPv6.
pub const IPV6: u16 = 229;
/// Linux "cooked" capture, version 2.
pub const LINUX_SLL2: u16 = 276;

/// Every supported link type, with its name in the registry.
pub const KNOWN: &[(u16, &str)] = &[
    (NULL, "NULL"),
    (ETHERNET, "ETHERNET"),
    (PPP, "PPP"),
    (RAW_12, "RAW"),
    (RAW_14, "RAW"),
    (PPP_SERIAL, "PPP_SERIAL"),
    (PPP_ETHER, "PPP_ETHER"),
    (RAW, "RAW"),
    (IEEE802_11, "IEEE802_11"),
    (LOOP, "LOOP"),
    (LINUX_SLL, "LINUX_SLL"),
    (RADIOTAP, "IEEE802_11_RADIOTAP"),
    (IPV4, "IPV4"),
    (IPV6, "IPV6"),
    (LINUX_SLL2, "LINUX_SLL2"),
];

const ETHER_IPV4: u16 = 0x0800;
const ETHER_IPV6: u16 = 0x86dd;
/// 802.1Q, 802.1ad, and the number of QinQ before it was standardised.
const ETHER_VLAN: [u16; 3] = [0x8100, 0x88a8, 0x9100];
const ETHER_PPPOE_SESSION: u16 = 0x8864;

/// The IP packet inside a frame, with any padding after it.
pub(super) fn network_layer(link: u16, frame: &[u8]) -> Result<&[u8], Other> {
    match link {
        NULL | LOOP => loopback(link, frame),
        ETHERNET => ethernet(frame),
        PPP => ppp::ppp(frame),
        PPP_SERIAL => ppp::serial(frame),
        PPP_ETHER => ppp::pppoe(frame),
        IEEE802_11 => wireless::ieee_802_11(frame, 0),
        RADIOTAP => {
            wireless::radiotap(frame).and_then(|(frame, flags)| wireless::ieee_802_11(frame, flags))
        }
        RAW | RAW_12 | RAW_14 | IPV4 | IPV6 => Ok(frame),
        LINUX_SLL => {
            let ([_kind_and_address @ .., high, low], rest) =
                frame.split_first_chunk::<16>().ok_or(Other::Cut("Linux SLL"))?;
            ether(u16::from_be_bytes([*high, *low]), rest)
        }
        LINUX_SLL2 => {
            let ([high, low, ..], rest) =
                frame.split_first_chunk::<20>().ok_or(Other::Cut("Linux SLL2"))?;
            ether(u16::from_be_bytes([*high, *low]), rest)
        }
        unknown => Err(Other::UnknownLink(unknown)),
    }
}

/// The IP packet in an Ethernet frame.
pub(super) fn ethernet(frame: &[u8]) -> Result<&[u8], Other> {
    let ([_addresses @ .., high, low], rest) =
        frame.split_first_chunk::<14>().ok_or(Other::Cut("Ethernet"))?;
    ether(u16::from_be_bytes([*high, *low]), rest)
}

/// The IP packet after this EtherType, past any number of VLAN tags, and PPPoE.
pub(super) fn ether(mut ether_type: u16, mut rest: &[u8]) -> Result<&[u8], Other> {
    while ETHER_VLAN.contains(&ether_type) {
        let ([_priority, _id, high, low], behind) =
            rest.split_first_chunk::<4>().ok_or(Other::Cut("VLAN"))?;
        (ether_type, rest) = (u16::from_be_bytes([*high, *low]), behind);
    }
    match ether_type {
        ETHER_IPV4 | ETHER_IPV6 => Ok(rest),
        ETHER_PPPOE_SESSION => ppp::pppoe(rest),
        other => Err(Other::NotIp(u32::from(other))),
    }
}

/// The loopback header is four bytes of address family. `NULL` has them in the byte order of the
/// capturing machine, which is not in the file; families are small numbers, so the order in which
/// the number is small is the right one.
fn loopback(link: u16, frame: &[u8]) -> Result<&[u8], Other> {
    let (family, rest) = frame.split_first_chunk::<4>().ok_or(Other::Cut("loopback"))?;
    let little = u32::from_le_bytes(*family);
    let family =
        if link == NULL && little <= 0xffff { little } else { u32::from_be_bytes(*family) };
    match family {
        // AF_INET everywhere; AF_INET6 of Linux, NetBSD and OpenBSD, FreeBSD, Darwin.
        2 | 10 | 24 | 28 | 30 => Ok(rest),
        other => Err(Other::NotIp(other)),
    }
}
