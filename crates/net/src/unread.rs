//! What has no packet that is read, as text, and the names of encapsulations that are not read.
//!
//! The numbers are those of IANA's and the IEEE's registries.

use std::fmt;

use super::Other;

impl Other {
    /// The encapsulation that is not read, if a packet may be inside: of the others, nothing is lost.
    pub fn encapsulation(&self) -> Option<&'static str> {
        Some(match self {
            Self::Unread(name) => name,
            Self::NotIp(0x88e5) => "encrypted MACsec",
            Self::NotIp(0x8903) => "FabricPath",
            Self::NotIp(0x894f) => "NSH",
            Self::NotIp(0xa0ed) => "6LoWPAN",
            Self::NotIp(0x88be) => "ERSPAN",
            Self::NotIp(0x88bb | 0xbbbb) => "LWAPP",
            Self::NotIp(0x6559) => "frame relay",
            Self::NotIp(0x8881 | 0x88d2) => "PPP of CDMA2000",
            Self::NotIp(0x8100 | 0x88a8 | 0x9100) => "VLAN tags",
            Self::Protocol(50) => "ESP (IPsec)",
            Self::Protocol(53) => "SWIPE",
            Self::Protocol(55) => "minimal encapsulation (RFC 2004)",
            Self::Protocol(94) => "KA9Q's tunnel",
            Self::Protocol(98) => "encapsulation headers (RFC 1241)",
            Self::Protocol(99) => "private encryption",
            Self::Protocol(108) => "IPComp",
            Self::Protocol(115) => "L2TPv3",
            Self::NotIp(0x22f1) | Self::Protocol(142) => "compressed headers (ROHC)",
            Self::Protocol(144) => "AGGFRAG (IPsec)",
            _ => return None,
        })
    }
}

/// Link types that are not read but common, with their names in the registry
/// (<https://www.tcpdump.org/linktypes.html>).
const UNREAD_LINKS: &[(u16, &str)] = &[
    (6, "IEEE802_5"),
    (7, "ARCNET_BSD"),
    (8, "SLIP"),
    (10, "FDDI"),
    (100, "ATM_RFC1483"),
    (107, "FRELAY"),
    (122, "IP_OVER_FC"),
    (123, "SUNATM"),
    (138, "APPLE_IP_OVER_IEEE1394"),
    (143, "DOCSIS"),
    (177, "LINUX_LAPD"),
    (187, "BLUETOOTH_HCI_H4"),
    (189, "USB_LINUX"),
    (195, "IEEE802_15_4_WITHFCS"),
    (201, "BLUETOOTH_HCI_H4_WITH_PHDR"),
    (209, "IPMB_LINUX"),
    (220, "USB_LINUX_MMAPPED"),
    (227, "CAN_SOCKETCAN"),
    (230, "IEEE802_15_4_NOFCS"),
    (231, "DBUS"),
    (240, "NETANALYZER"),
    (247, "INFINIBAND"),
    (249, "USBPCAP"),
    (251, "BLUETOOTH_LE_LL"),
    (252, "WIRESHARK_UPPER_PDU"),
    (253, "NETLINK"),
    (254, "BLUETOOTH_LINUX_MONITOR"),
    (256, "BLUETOOTH_LE_LL_WITH_PHDR"),
    (266, "USB_DARWIN"),
    (271, "VSOCK"),
    (274, "ETHERNET_MPACKET"),
    (280, "VPP_DISPATCH"),
    (288, "USB_2_0"),
];

/// A link type that is not read: its number, and its name if it is a common one.
pub fn unread_link(link: u16) -> String {
    match UNREAD_LINKS.iter().find(|(number, _)| *number == link) {
        Some((_, name)) => format!("{link} ({name})"),
        None => link.to_string(),
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotIp(0x0806) => f.write_str("ARP"),
            Self::NotIp(kind) => match self.encapsulation() {
                Some(name) => write!(f, "{name}, which is not read"),
                None => write!(f, "not IP (0x{kind:04x})"),
            },
            Self::Unread(name) => write!(f, "{name}, which is not read"),
            Self::Wireless(why) => write!(f, "802.11, {why}"),
            Self::UnknownLink(link) => write!(f, "link type {} is not read", unread_link(*link)),
            Self::Protocol(number) => write!(f, "IP protocol {number}"),
            Self::Icmp { kind, code } => write!(f, "ICMP type {kind} code {code}"),
            Self::Cut(header) => write!(f, "cut inside its {header} header"),
            Self::Malformed(how) => write!(f, "malformed: {how}"),
        }
    }
}
