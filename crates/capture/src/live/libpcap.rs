//! libpcap, loaded at run time: the one file with `unsafe`.
//!
//! It is not needed at build time, and without it only live capture is unavailable. The interface
//! of this file is safe: a [`Handle`] owns its `pcap_t`, closes it once, lends packets only until
//! the next is read, and is used by one thread at a time. Texts are copied before any other call.
//!
//! The declarations follow pcap(3PCAP) of libpcap 1.9 and later; `pcap_set_tstamp_precision`,
//! `pcap_set_immediate_mode` and the like are older than that.
#![allow(unsafe_code, reason = "calls into libpcap; each says why it is sound")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::net::IpAddr;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

use libloading::Library;

use super::layout::{
    AddrFamily, DENIED, DLT_RAW, DeviceError, ERROR_SIZE, LOOPBACK, NANO, NO_NETMASK, PacketHeader,
    Pcap, PcapAddress, PcapInterface, PcapStats, Program, RawPacket, SLL, SLL2, Stat, UP, family,
    message_of,
};
use super::{Device, LiveOptions};

/// File names of the library: Fedora and most others, Debian, macOS, Windows.
const NAMES: [&str; 6] = [
    "libpcap.so.1",
    "libpcap.so.0.8",
    "libpcap.so",
    "libpcap.A.dylib",
    "wpcap.dll",
    r"C:\Windows\System32\Npcap\wpcap.dll",
];

/// The functions that are called, once as a declaration and once as symbols to look up.
macro_rules! functions {
    ($($(#[$only:meta])? $name:ident: $symbol:literal, fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        struct Functions {
            $($(#[$only])? $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Looks all of them up; the first missing one is an error.
            fn of(library: &Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: each symbol has the type that libpcap's documentation declares for
                    // its name, and the library is never unloaded while a pointer lives: the
                    // caller leaks it.
                    $($(#[$only])? $name: unsafe { *library.get($symbol)? },)*
                })
            }
        }
    };
}

functions! {
    findalldevs: "pcap_findalldevs", fn(*mut *const PcapInterface, *mut c_char) -> c_int;
    freealldevs: "pcap_freealldevs", fn(*const PcapInterface);
    create: "pcap_create", fn(*const c_char, *mut c_char) -> *mut Pcap;
    #[cfg(test)]
    open_dead: "pcap_open_dead", fn(c_int, c_int) -> *mut Pcap;
    set_snaplen: "pcap_set_snaplen", fn(*mut Pcap, c_int) -> c_int;
    set_promisc: "pcap_set_promisc", fn(*mut Pcap, c_int) -> c_int;
    set_timeout: "pcap_set_timeout", fn(*mut Pcap, c_int) -> c_int;
    set_immediate_mode: "pcap_set_immediate_mode", fn(*mut Pcap, c_int) -> c_int;
    set_buffer_size: "pcap_set_buffer_size", fn(*mut Pcap, c_int) -> c_int;
    set_precision: "pcap_set_tstamp_precision", fn(*mut Pcap, c_int) -> c_int;
    get_precision: "pcap_get_tstamp_precision", fn(*mut Pcap) -> c_int;
    activate: "pcap_activate", fn(*mut Pcap) -> c_int;
    datalink: "pcap_datalink", fn(*mut Pcap) -> c_int;
    set_datalink: "pcap_set_datalink", fn(*mut Pcap, c_int) -> c_int;
    setnonblock: "pcap_setnonblock", fn(*mut Pcap, c_int, *mut c_char) -> c_int;
    compile: "pcap_compile", fn(*mut Pcap, *mut Program, *const c_char, c_int, c_uint) -> c_int;
    setfilter: "pcap_setfilter", fn(*mut Pcap, *mut Program) -> c_int;
    freecode: "pcap_freecode", fn(*mut Program);
    next_ex: "pcap_next_ex", fn(*mut Pcap, *mut *const PacketHeader, *mut *const u8) -> c_int;
    #[cfg(unix)]
    selectable: "pcap_get_selectable_fd", fn(*mut Pcap) -> c_int;
    stats: "pcap_stats", fn(*mut Pcap, *mut Stat) -> c_int;
    geterr: "pcap_geterr", fn(*mut Pcap) -> *const c_char;
    statustostr: "pcap_statustostr", fn(c_int) -> *const c_char;
    close: "pcap_close", fn(*mut Pcap);
}

/// An open device, or a handle without a device that only compiles filters.
pub(super) struct Handle {
    pcap: NonNull<Pcap>,
    functions: &'static Functions,
    /// Nanoseconds per unit of `tv_usec`.
    unit: i64,
}

// SAFETY: libpcap lets any thread use a `pcap_t` as long as no two do at once; every call that
// takes one needs `&mut self` here, or happens in `drop`.
unsafe impl Send for Handle {}

/// The library's functions, loaded once. The error is the loader's, for the last name tried.
fn functions() -> Result<&'static Functions, String> {
    static LOADED: OnceLock<Result<Functions, String>> = OnceLock::new();
    LOADED.get_or_init(|| load(&NAMES)).as_ref().map_err(Clone::clone)
}

fn load(names: &[&str]) -> Result<Functions, String> {
    let mut why = String::new();
    for name in names {
        // SAFETY: loading runs the library's initialisers; libpcap's have no effect on memory that
        // Rust knows of. The names are those of libpcap alone.
        match unsafe { Library::new(*name) } {
            // Leaked, so that no function pointer ever outlives its library.
            Ok(library) => match Functions::of(Box::leak(Box::new(library))) {
                Ok(functions) => return Ok(functions),
                Err(error) => why = format!("{name} is too old: {error}"),
            },
            Err(error) if why.is_empty() => {
                let cause = std::error::Error::source(&error).map(ToString::to_string);
                why = format!("{name}: {}", cause.unwrap_or_else(|| error.to_string()));
            }
            Err(_) => {}
        }
    }
    Err(why)
}

/// The loader's error if none of these is libpcap.
#[cfg(test)]
pub(super) fn why_not(names: &[&str]) -> Option<String> {
    load(names).err()
}

/// Whether the library is installed; else the loader's error message.
pub(super) fn is_there() -> Result<(), String> {
    functions().map(|_| ())
}

/// All devices in the library's order: those that are up first.
pub(super) fn devices() -> Result<Vec<Device>, String> {
    let functions = functions()?;
    let (mut first, mut error) = (ptr::null(), [0; ERROR_SIZE]);
    // SAFETY: both pointers are to memory of the required size, and outlive the call.
    let status = unsafe { (functions.findalldevs)(&raw mut first, error.as_mut_ptr()) };
    if status != 0 {
        return Err(message_of(&error));
    }
    let mut found = Vec::new();
    let mut at = first;
    // SAFETY: the list is valid until `freealldevs`; each `next` is another element or null, and no
    // other thread writes to it.
    while let Some(interface) = unsafe { at.as_ref() } {
        found.push(Device {
            // SAFETY: names and descriptions are strings of the list, or null.
            name: unsafe { text(interface.name) }.unwrap_or_default(),
            description: unsafe { text(interface.description) },
            // SAFETY: the addresses are part of the list.
            addresses: unsafe { addresses(interface.addresses) },
            is_loopback: interface.flags & LOOPBACK != 0,
            is_up: interface.flags & UP != 0,
        });
        at = interface.next;
    }
    // SAFETY: the list came from `findalldevs`, is freed once, and nothing of it is kept.
    unsafe { (functions.freealldevs)(first) };
    Ok(found)
}

impl Handle {
    /// Opens a device, non-blocking: `SLL2` if it is cooked, nanoseconds if the system has them.
    pub fn open(device: &str, options: &LiveOptions) -> Result<Self, DeviceError> {
        let refused = |why| DeviceError { why, is_denied: false };
        let functions = functions().map_err(refused)?;
        let name = CString::new(device).map_err(|error| refused(error.to_string()))?;
        let mut error = [0; ERROR_SIZE];
        // SAFETY: a terminated string, and an error buffer; both outlive the call.
        let pcap = unsafe { (functions.create)(name.as_ptr(), error.as_mut_ptr()) };
        let pcap = NonNull::new(pcap).ok_or_else(|| refused(message_of(&error)))?;
        let mut handle = Self { pcap, functions, unit: 1_000 };
        let raw = pcap.as_ptr();
        let number = |number: u32| c_int::try_from(number).unwrap_or(c_int::MAX);
        // SAFETY: the handle is created and not yet active, which is when these may be called; they
        // take numbers. A failure means that the system does not support the option.
        unsafe {
            (functions.set_snaplen)(raw, number(options.snap_length));
            (functions.set_promisc)(raw, c_int::from(options.promiscuous));
            (functions.set_timeout)(raw, number(options.timeout_ms));
            (functions.set_immediate_mode)(raw, c_int::from(options.immediate));
            (functions.set_buffer_size)(raw, number(options.buffer));
            (functions.set_precision)(raw, NANO);
        }
        // SAFETY: a created handle, activated once.
        let status = unsafe { (functions.activate)(raw) };
        if status < 0 {
            let is_denied = DENIED.contains(&status);
            return Err(DeviceError { why: handle.why(status), is_denied });
        }
        // SAFETY: the handle is active from here on. A device that is not cooked refuses the link
        // type and keeps its own.
        let precision = unsafe {
            if handle.link() == SLL {
                (functions.set_datalink)(raw, SLL2);
            }
            (functions.get_precision)(raw)
        };
        if precision == NANO {
            handle.unit = 1;
        }
        // SAFETY: an active handle, and an error buffer.
        unsafe { (functions.setnonblock)(raw, c_int::from(cfg!(unix)), error.as_mut_ptr()) };
        Ok(handle)
    }

    /// A handle without a device that compiles filters.
    #[cfg(test)]
    pub fn dead(link: u16) -> Result<Self, String> {
        let functions = functions()?;
        // SAFETY: takes numbers and returns a handle or null.
        let pcap = unsafe { (functions.open_dead)(c_int::from(link), 0xffff) };
        let pcap = NonNull::new(pcap).ok_or_else(|| "no memory".to_owned())?;
        Ok(Self { pcap, functions, unit: 1_000 })
    }

    /// The LINKTYPE_ number of its packets.
    pub fn link(&mut self) -> u16 {
        // SAFETY: an active or dead handle.
        let link = unsafe { (self.functions.datalink)(self.pcap.as_ptr()) };
        if DLT_RAW.contains(&link) { 101 } else { u16::try_from(link).unwrap_or(u16::MAX) }
    }

    /// Compiles a filter; the error is the library's message, which has no position.
    pub fn check(&mut self, filter: &str) -> Result<(), String> {
        self.compile(filter, |_, _| Ok(()))
    }

    /// Sets the filter.
    pub fn filter(&mut self, filter: &str) -> Result<(), String> {
        self.compile(filter, |handle, program| {
            // SAFETY: an active handle and a program that it has just compiled; libpcap copies it.
            let status =
                unsafe { (handle.functions.setfilter)(handle.pcap.as_ptr(), &raw mut *program) };
            if status == 0 { Ok(()) } else { Err(handle.why(status)) }
        })
    }

    fn compile(
        &mut self,
        filter: &str,
        with: impl FnOnce(&mut Self, &mut Program) -> Result<(), String>,
    ) -> Result<(), String> {
        let text = CString::new(filter).map_err(|_| "a filter has no zero byte".to_owned())?;
        let mut program = Program { length: 0, instructions: ptr::null_mut() };
        // SAFETY: the handle is active or dead, the text is terminated and outlives the call, the
        // call fills in the program. libpcap 1.9 compiles in any thread.
        let status = unsafe {
            let (raw, into) = (self.pcap.as_ptr(), &raw mut program);
            (self.functions.compile)(raw, into, text.as_ptr(), 1, NO_NETMASK)
        };
        if status != 0 {
            return Err(self.why(status));
        }
        let done = with(self, &mut program);
        // SAFETY: the program was filled in by `compile`, and is freed once.
        unsafe { (self.functions.freecode)(&raw mut program) };
        done
    }

    /// Ignores outgoing packets, which Linux (4.20) then does not count either: on its loopback
    /// device every packet is incoming, too.
    #[cfg(target_os = "linux")]
    pub fn ignore_outgoing(&mut self) {
        let yes: c_int = 1;
        // SAFETY: an active handle, whose descriptor is a packet socket or -1; the option takes a
        // number, which outlives the call. If the option is unknown, nothing changes.
        unsafe {
            let socket = (self.functions.selectable)(self.pcap.as_ptr());
            let (value, length) = ((&raw const yes).cast(), size_of::<c_int>() as libc::socklen_t);
            libc::setsockopt(
                socket,
                libc::SOL_PACKET,
                super::layout::IGNORE_OUTGOING,
                value,
                length,
            );
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub fn ignore_outgoing(&mut self) {}

    /// The next packet; nothing if none has arrived.
    #[inline]
    pub fn next(&mut self) -> Result<Option<RawPacket<'_>>, String> {
        let (mut header, mut bytes) = (ptr::null(), ptr::null());
        // SAFETY: an active handle, and memory for two pointers.
        let status = unsafe {
            (self.functions.next_ex)(self.pcap.as_ptr(), &raw mut header, &raw mut bytes)
        };
        match status {
            1 => {}
            0 => return Ok(None),
            _ => return Err(self.why(status)),
        }
        // SAFETY: after status 1 both point to a packet that is valid until the next call on this
        // handle, which the borrow prevents; `bytes` has `captured` bytes.
        let (header, bytes) = unsafe {
            let header = &*header;
            (header, std::slice::from_raw_parts(bytes, header.captured as usize))
        };
        #[allow(clippy::useless_conversion, reason = "both are shorter on some systems")]
        let (seconds, part) = (i64::from(header.time.tv_sec), i64::from(header.time.tv_usec));
        let time = seconds.saturating_mul(1_000_000_000).saturating_add(part * self.unit);
        Ok(Some(RawPacket { time, wire_length: header.length, bytes }))
    }

    /// The counters that the system keeps.
    pub fn tally(&mut self) -> Option<PcapStats> {
        let mut stat = Stat::default();
        // SAFETY: an active handle, and memory for more than any system's `pcap_stat`.
        let status = unsafe { (self.functions.stats)(self.pcap.as_ptr(), &raw mut stat) };
        let Stat { received, dropped, dropped_by_interface, .. } = stat;
        (status == 0).then_some(PcapStats { received, dropped, dropped_by_interface })
    }

    /// Waits until packets may be available, for at most this many milliseconds.
    #[cfg(unix)]
    pub fn wait(&mut self, milliseconds: u32) {
        use std::os::fd::BorrowedFd;

        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        // SAFETY: an active handle. The descriptor returned is open for as long as the handle is,
        // or -1.
        let descriptor = unsafe { (self.functions.selectable)(self.pcap.as_ptr()) };
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(milliseconds.min(999)) * 1_000_000 };
        // An interruption by a signal is treated as a timeout.
        if descriptor < 0 {
            _ = poll(&mut [], Some(&timeout));
            return;
        }
        // SAFETY: borrowed no longer than the handle is, which owns it.
        let descriptor = unsafe { BorrowedFd::borrow_raw(descriptor) };
        _ = poll(&mut [PollFd::new(&descriptor, PollFlags::IN)], Some(&timeout));
    }

    /// On other systems reading itself waits, for the timeout that the device was opened with.
    #[cfg(not(unix))]
    pub fn wait(&mut self, _: u32) {}

    /// The library's message for the last failure on this handle.
    fn why(&mut self, status: c_int) -> String {
        // SAFETY: the handle is open; the error is a string inside it, copied before any other
        // call.
        let error = unsafe { text((self.functions.geterr)(self.pcap.as_ptr())) };
        // SAFETY: takes a number and returns a string that is valid until the next call, copied
        // here.
        let named = || unsafe { text((self.functions.statustostr)(status)) };
        error.filter(|error| !error.is_empty()).or_else(named).unwrap_or_default()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` or `open_dead`, and is closed once.
        unsafe { (self.functions.close)(self.pcap.as_ptr()) };
    }
}

/// The IPv4 and IPv6 addresses of a device.
///
/// # Safety
/// `at` is null or begins a list that `pcap_findalldevs` returned and that has not been freed.
unsafe fn addresses(mut at: *const PcapAddress) -> Vec<IpAddr> {
    let mut found = Vec::new();
    // SAFETY: the caller guarantees that the list is valid; each `next` is another element or null.
    while let Some(address) = unsafe { at.as_ref() } {
        if !address.socket.is_null() {
            // SAFETY: not null, so it points to a `sockaddr`, which has a family followed by as
            // many bytes as an address of that family takes.
            found.extend(unsafe {
                let begins = *address.socket.cast::<[u8; 2]>();
                match family(begins) {
                    AddrFamily::V4 => Some(IpAddr::from(*address.socket.add(4).cast::<[u8; 4]>())),
                    AddrFamily::V6 => Some(IpAddr::from(*address.socket.add(8).cast::<[u8; 16]>())),
                    AddrFamily::Other => None,
                }
            });
        }
        at = address.next;
    }
    found
}

/// A copy of a string of the library; nothing for null.
///
/// # Safety
/// `at` is null or points to zero-terminated bytes that are valid during the call.
unsafe fn text(at: *const c_char) -> Option<String> {
    if at.is_null() {
        return None;
    }
    // SAFETY: not null, and the caller guarantees the rest.
    Some(unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned())
}
