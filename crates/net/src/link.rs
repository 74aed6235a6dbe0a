//! Link layers: from the first byte of a frame to the first byte of its IP packet.
//!
//! The numbers are the LINKTYPE values of the tcpdump group's registry
//! (<https://www.tcpdump.org/linktypes.html>). The result is always a suffix of the frame, so its
//! offset is the difference of two lengths; padding at its end is cut off by the IP length later.

use super::{Other, ppp, wireless};

macro_rules! links {
    ($($(#[$doc:meta])* $link:ident = $number:literal, $name:literal;)+) => {
        $($(#[$doc])* pub const $link: u16 = $number;)+

        /// Every supported link type, with its name in the registry.
        pub const KNOWN: &[(u16, &str)] = &[$(($link, $name)),+];
    };
}

links! {
    /// BSD loopback: an address family in the byte order of the capturing machine.
    NULL = 0, "NULL";
    /// Ethernet, with or without VLAN tags.
    ETHERNET = 1, "ETHERNET";
    /// PPP, with or without address and control.
    PPP = 9, "PPP";
    /// Raw IP, as some systems number it in files.
    RAW_12 = 12, "RAW";
    /// Raw IP, as OpenBSD numbers it in files.
    RAW_14 = 14, "RAW";
    /// PPP or Cisco's HDLC on a serial line.
    PPP_SERIAL = 50, "PPP_SERIAL";
    /// PPPoE without its Ethernet header.
    PPP_ETHER = 51, "PPP_ETHER";
    /// Raw IP, version 4 or 6.
    RAW = 101, "RAW";
    /// IEEE 802.11.
    IEEE802_11 = 105, "IEEE802_11";
    /// OpenBSD loopback: an address family in network byte order.
    LOOP = 108, "LOOP";
    /// Linux "cooked" capture.
    LINUX_SLL = 113, "LINUX_SLL";
    /// IEEE 802.11 after a radiotap header.
    RADIOTAP = 127, "IEEE802_11_RADIOTAP";
    /// Raw IPv4.
    IPV4 = 228, "IPV4";
    /// Raw IPv6.
    IPV6 = 229, "IPV6";
    /// Linux "cooked" capture, version 2.
    LINUX_SLL2 = 276, "LINUX_SLL2";
}

const ETHER_IPV4: u16 = 0x0800;
const ETHER_IPV6: u16 = 0x86dd;
/// 802.1Q, 802.1ad, and the number of QinQ before it was standardised.
const fn is_vlan(ether_type: u16) -> bool {
    matches!(ether_type, 0x8100 | 0x88a8 | 0x9100)
}
const ETHER_PPPOE_SESSION: u16 = 0x8864;

/// The IP packet inside a frame, with any padding after it.
#[inline]
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
#[inline]
pub(super) fn ethernet(frame: &[u8]) -> Result<&[u8], Other> {
    let ([_addresses @ .., high, low], rest) =
        frame.split_first_chunk::<14>().ok_or(Other::Cut("Ethernet"))?;
    ether(u16::from_be_bytes([*high, *low]), rest)
}

/// The IP packet after this EtherType, past any number of VLAN tags, and PPPoE.
#[inline]
pub(super) fn ether(mut ether_type: u16, mut rest: &[u8]) -> Result<&[u8], Other> {
    while is_vlan(ether_type) {
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
