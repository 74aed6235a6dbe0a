//! Memory layouts of libpcap's structures, constants of its headers, and types made from them.

use std::ffi::{c_char, c_int, c_uint};

/// `PCAP_ERRBUF_SIZE`.
pub(super) const ERROR_SIZE: usize = 256;
/// `PCAP_TSTAMP_PRECISION_NANO`.
pub(super) const NANO: c_int = 1;
/// `PCAP_NETMASK_UNKNOWN`.
pub(super) const NO_NETMASK: c_uint = 0xffff_ffff;
/// `PCAP_ERROR_PERM_DENIED` and `PCAP_ERROR_PROMISC_PERM_DENIED`.
pub(super) const DENIED: [c_int; 2] = [-8, -11];
/// `PCAP_IF_LOOPBACK` and `PCAP_IF_UP`.
pub(super) const LOOPBACK: c_uint = 1;
pub(super) const UP: c_uint = 2;
/// `PACKET_IGNORE_OUTGOING`.
#[cfg(target_os = "linux")]
pub(super) const IGNORE_OUTGOING: c_int = 23;
/// `DLT_LINUX_SLL`, which any system with cooked devices has.
pub(super) const SLL: u16 = 113;
/// `DLT_LINUX_SLL2`.
pub(super) const SLL2: c_int = 276;
/// The values of `pcap_datalink` for raw IP, on most systems and on OpenBSD; in files it is 101.
pub(super) const DLT_RAW: [c_int; 2] = [12, 14];

/// `struct timeval` as libpcap was built with it.
#[cfg(unix)]
pub(super) type Timeval = libc::timeval;
#[cfg(not(unix))]
#[repr(C)]
pub(super) struct Timeval {
    pub tv_sec: std::ffi::c_long,
    pub tv_usec: std::ffi::c_long,
}

/// `struct pcap_pkthdr`; what some systems append is never read.
#[repr(C)]
pub(super) struct PacketHeader {
    pub time: Timeval,
    pub captured: u32,
    pub length: u32,
}

/// `struct bpf_program`.
#[repr(C)]
pub(super) struct Program {
    pub length: c_uint,
    pub instructions: *mut u8,
}

/// `struct pcap_stat`, with space for the fields that Windows appends.
#[repr(C)]
#[derive(Default)]
pub(super) struct Stat {
    pub received: c_uint,
    pub dropped: c_uint,
    pub dropped_by_interface: c_uint,
    beyond: [c_uint; 8],
}

/// `struct pcap_if`.
#[repr(C)]
pub(super) struct PcapInterface {
    pub next: *const PcapInterface,
    pub name: *const c_char,
    pub description: *const c_char,
    pub addresses: *const PcapAddress,
    pub flags: c_uint,
}

/// `struct pcap_addr`.
#[repr(C)]
pub(super) struct PcapAddress {
    pub next: *const PcapAddress,
    pub socket: *const u8,
    masks: [*const u8; 3],
}

/// `pcap_t`, opaque.
#[repr(C)]
pub(super) struct Pcap {
    _opaque: [u8; 0],
}

/// The address family of a `sockaddr`: an IPv4 address is at its offset 4, an IPv6 one at 8.
pub(super) enum AddrFamily {
    V4,
    V6,
    Other,
}

/// The family in the first two bytes of a `sockaddr`: both of them, or the second where the first
/// is a length (BSD and macOS).
pub(super) fn family(begins: [u8; 2]) -> AddrFamily {
    let has_length = cfg!(any(target_vendor = "apple", target_os = "freebsd"));
    let [_, second] = begins;
    match if has_length { u16::from(second) } else { u16::from_ne_bytes(begins) } {
        2 => AddrFamily::V4,
        // Linux, Windows, FreeBSD, macOS.
        10 | 23 | 28 | 30 => AddrFamily::V6,
        _ => AddrFamily::Other,
    }
}

/// The text in an error buffer.
pub(super) fn message_of(buffer: &[c_char]) -> String {
    let bytes = buffer.iter().map(|c| c.to_ne_bytes()[0]).take_while(|byte| *byte != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<_>>()).into_owned()
}

/// A packet, valid until the next one is read.
pub(super) struct RawPacket<'a> {
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    pub wire_length: u32,
    pub bytes: &'a [u8],
}

/// The counters of `pcap_stats`, which wrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PcapStats {
    pub received: u32,
    pub dropped: u32,
    pub dropped_by_interface: u32,
}

/// Why a device was not opened.
pub(super) struct DeviceError {
    /// The library's error message.
    pub why: String,
    /// Whether permission is missing.
    pub is_denied: bool,
}
