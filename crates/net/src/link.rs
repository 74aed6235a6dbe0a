//! Link layers: from the first byte of a frame to the first byte of its IP packet.
//!
//! The numbers are the LINKTYPE values of the tcpdump group's registry
//! (<https://www.tcpdump.org/linktypes.html>). The result is always a suffix of the frame, so its
//! offset is the difference of two lengths; padding at its end is cut off by the IP length later.

use super::nest::{Nest, NestedLink};
use super::wireless::FrameControl;
use super::{Other, bridges, headers, ppp, wireless};

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
    /// Cisco's HDLC.
    C_HDLC = 104, "C_HDLC";
    /// IEEE 802.11.
    IEEE802_11 = 105, "IEEE802_11";
    /// OpenBSD loopback: an address family in network byte order.
    LOOP = 108, "LOOP";
    /// OpenBSD's IPsec: what the encapsulating interface saw.
    ENC = 109, "ENC";
    /// Linux "cooked" capture.
    LINUX_SLL = 113, "LINUX_SLL";
    /// The log of OpenBSD's packet filter.
    PFLOG = 117, "PFLOG";
    /// IEEE 802.11 after a Prism header.
    PRISM = 119, "IEEE802_11_PRISM";
    /// IEEE 802.11 after a radiotap header.
    RADIOTAP = 127, "IEEE802_11_RADIOTAP";
    /// IEEE 802.11 after an AVS header.
    AVS = 163, "IEEE802_11_AVS";
    /// Per-packet information, and a frame of another link type.
    PPI = 192, "PPI";
    /// PPP behind a byte with the direction.
    PPP_WITH_DIR = 204, "PPP_WITH_DIR";
    /// Cisco's HDLC behind a byte with the direction.
    C_HDLC_WITH_DIR = 205, "C_HDLC_WITH_DIR";
    /// Raw IPv4.
    IPV4 = 228, "IPV4";
    /// Raw IPv6.
    IPV6 = 229, "IPV6";
    /// The log of Linux' packet filter.
    NFLOG = 239, "NFLOG";
    /// IP over InfiniBand.
    IPOIB = 242, "IPOIB";
    /// Apple's header of an interface, and a frame of another link type.
    PKTAP = 258, "PKTAP";
    /// Linux "cooked" capture, version 2.
    LINUX_SLL2 = 276, "LINUX_SLL2";
    /// Ethernet with Broadcom's tag of a switch behind the addresses.
    DSA_BRCM = 281, "DSA_TAG_BRCM";
    /// The same with the tag before the addresses.
    DSA_BRCM_PREPEND = 282, "DSA_TAG_BRCM_PREPEND";
    /// Ethernet with Marvell's tag of a switch behind the addresses.
    DSA = 283, "DSA_TAG_DSA";
    /// The same with Marvell's longer tag, which has an EtherType.
    EDSA = 284, "DSA_TAG_EDSA";
}

const ETHER_IPV4: u16 = 0x0800;
const ETHER_IPV6: u16 = 0x86dd;
/// 802.1Q, 802.1ad, and the number of QinQ before it was standardised.
pub(super) const fn is_vlan(ether_type: u16) -> bool {
    matches!(ether_type, 0x8100 | 0x88a8 | 0x9100)
}
const ETHER_PPPOE_SESSION: u16 = 0x8864;
/// MPLS, to one receiver or to several.
const ETHER_MPLS: [u16; 2] = [0x8847, 0x8848];
/// Provider backbone bridges: a whole Ethernet frame inside (IEEE 802.1ah).
const ETHER_PBB: u16 = 0x88e7;
/// A network service header.
pub(super) const ETHER_NSH: u16 = 0x894f;
/// Tags of four bytes and another EtherType: high-availability rings (IEC 62439-3), virtual ports of
/// Cisco's, and what is sent twice (IEEE 802.1CB).
const ETHER_TAGS: [u16; 3] = [0x892f, 0x8926, 0xf1c1];
/// The tag of virtual ports (IEEE 802.1BR), two bytes longer.
const ETHER_E_TAG: u16 = 0x893f;
/// A whole Ethernet frame.
pub(super) const ETHER_BRIDGED: u16 = 0x6558;
/// LLC in frames that are too long for a length.
const ETHER_LLC: u16 = 0x8870;
pub(super) const ETHER_MACSEC: u16 = 0x88e5;
const ETHER_TRILL: u16 = 0x22f3;
/// B.A.T.M.A.N. advanced, a mesh.
pub(super) const ETHER_BATMAN: u16 = 0x4305;
/// The greatest length of an IEEE 802.3 frame, which stands in place of the EtherType.
pub(super) const LONGEST_802_3: u16 = 1500;

/// The IP packet inside a frame, with any padding after it.
#[inline]
pub(super) fn network_layer(link: u16, frame: &[u8]) -> Result<&[u8], Other> {
    match link {
        ETHERNET => ethernet(frame),
        other => nested_layer(other, frame, &mut Nest::default()),
    }
}

/// The same within other headers.
pub(super) fn nested_layer<'a>(
    link: u16,
    frame: &'a [u8],
    nest: &mut Nest<'_>,
) -> Result<&'a [u8], Other> {
    match link {
        NULL | LOOP => loopback(link, frame),
        ETHERNET => nested_ethernet(frame, nest),
        PPP => ppp::ppp(frame, nest),
        PPP_SERIAL | C_HDLC => ppp::serial(frame, nest),
        PPP_ETHER => ppp::pppoe(frame, nest),
        PPP_WITH_DIR => ppp::ppp(frame.get(1..).ok_or(Other::Cut("PPP"))?, nest),
        C_HDLC_WITH_DIR => ppp::serial(frame.get(1..).ok_or(Other::Cut("HDLC"))?, nest),
        IEEE802_11 | RADIOTAP | PRISM | AVS => {
            let (frame, flags) = wireless::without_radio(link, frame)?;
            nest.add(NestedLink::Wireless(FrameControl::Plain), frame)?;
            wireless::ieee_802_11(frame, flags, FrameControl::Plain, nest)
        }
        RAW | RAW_12 | RAW_14 | IPV4 | IPV6 => Ok(frame),
        LINUX_SLL => {
            let ([_kind_and_address @ .., high, low], rest) =
                frame.split_first_chunk::<16>().ok_or(Other::Cut("Linux SLL"))?;
            nested_ether(u16::from_be_bytes([*high, *low]), rest, nest)
        }
        LINUX_SLL2 => {
            let ([high, low, ..], rest) =
                frame.split_first_chunk::<20>().ok_or(Other::Cut("Linux SLL2"))?;
            nested_ether(u16::from_be_bytes([*high, *low]), rest, nest)
        }
        ENC => frame.get(12..).ok_or(Other::Cut("ENC")),
        PFLOG => headers::pflog(frame),
        NFLOG => headers::nflog(frame),
        IPOIB => {
            let ([_addresses @ .., high, low, _, _], rest) =
                frame.split_first_chunk::<44>().ok_or(Other::Cut("IPoIB"))?;
            nested_ether(u16::from_be_bytes([*high, *low]), rest, nest)
        }
        PPI | PKTAP => {
            let (link, inner) =
                if link == PPI { headers::ppi(frame) } else { headers::pktap(frame) }?;
            nest.enter()?;
            nested_layer(link, inner, nest)
        }
        DSA_BRCM | DSA => behind_tag(frame, 4, nest),
        EDSA => behind_tag(frame, 8, nest),
        DSA_BRCM_PREPEND => nested_ethernet(frame.get(4..).ok_or(Other::Cut("DSA"))?, nest),
        unknown => Err(Other::UnknownLink(unknown)),
    }
}

/// The IP packet in an Ethernet frame.
#[inline]
pub(super) fn ethernet(frame: &[u8]) -> Result<&[u8], Other> {
    let ([_addresses @ .., high, low], rest) =
        frame.split_first_chunk::<14>().ok_or(Other::Cut("Ethernet"))?;
    match u16::from_be_bytes([*high, *low]) {
        ETHER_IPV4 | ETHER_IPV6 => Ok(rest),
        _ => nested_ethernet(frame, &mut Nest::default()),
    }
}

/// The same within other headers.
pub(super) fn nested_ethernet<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    if bridges::is_isl(frame) {
        return bridges::isl(frame, nest);
    }
    nest.add(NestedLink::Ethernet, frame)?;
    let ([_addresses @ .., high, low], rest) =
        frame.split_first_chunk::<14>().ok_or(Other::Cut("Ethernet"))?;
    nested_ether(u16::from_be_bytes([*high, *low]), rest, nest)
}

/// The IP packet in an Ethernet frame with so many bytes of a switch's tag behind the addresses.
fn behind_tag<'a>(frame: &'a [u8], tag: usize, nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    nest.add(NestedLink::Ethernet, frame)?;
    let behind = frame.get(12 + tag..).and_then(<[u8]>::split_first_chunk);
    let (ether_type, rest) = behind.ok_or(Other::Cut("DSA"))?;
    nested_ether(u16::from_be_bytes(*ether_type), rest, nest)
}

/// The IP packet after this EtherType, past any number of VLAN tags, PPPoE, MPLS, and the headers of
/// Ethernet frames in it.
pub(super) fn nested_ether<'a>(
    mut ether_type: u16,
    mut rest: &'a [u8],
    nest: &mut Nest<'_>,
) -> Result<&'a [u8], Other> {
    while is_vlan(ether_type) {
        let ([_priority, _id, high, low], behind) =
            rest.split_first_chunk::<4>().ok_or(Other::Cut("VLAN"))?;
        (ether_type, rest) = (u16::from_be_bytes([*high, *low]), behind);
    }
    match ether_type {
        ETHER_IPV4 | ETHER_IPV6 => Ok(rest),
        ETHER_PPPOE_SESSION => ppp::pppoe(rest, nest),
        ETHER_NSH => headers::nsh(rest, nest),
        tag if ETHER_TAGS.contains(&tag) => behind_ether_tag(rest, 4, nest),
        ETHER_E_TAG => behind_ether_tag(rest, 6, nest),
        ETHER_BRIDGED => nested_ethernet(rest, nest),
        ETHER_LLC => headers::llc(ETHER_LLC, rest, nest),
        ETHER_MACSEC => bridges::macsec(rest, nest),
        ETHER_TRILL => bridges::trill(rest, nest),
        ETHER_BATMAN => bridges::batman(rest, nest),
        mpls if ETHER_MPLS.contains(&mpls) => headers::mpls(rest, nest),
        ETHER_PBB => nested_ethernet(rest.get(4..).ok_or(Other::Cut("PBB"))?, nest),
        length if length <= LONGEST_802_3 => headers::llc(length, rest, nest),
        other => Err(Other::NotIp(u32::from(other))),
    }
}

/// The IP packet behind a tag of so many bytes and another EtherType.
pub(super) fn behind_ether_tag<'a>(
    rest: &'a [u8],
    tag: usize,
    nest: &mut Nest<'_>,
) -> Result<&'a [u8], Other> {
    let behind = rest.get(tag..).and_then(<[u8]>::split_first_chunk);
    let (ether_type, rest) = behind.ok_or(Other::Cut("tag"))?;
    nest.enter()?;
    nested_ether(u16::from_be_bytes(*ether_type), rest, nest)
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
