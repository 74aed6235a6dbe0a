//! Live capture: devices, read by libpcap, which is loaded at run time.
//!
//! [`Live::open`] opens devices and sets their filter, which is all that needs privileges.
//! [`LiveCapture::start`] begins to read: one thread per device moves packets from the kernel into
//! a bounded queue and counts those dropped when it is full; the reader of the [`LiveCapture`] gets
//! the frames merged in time order. A live capture is an [`Input`](super::Input) like any other,
//! but can be read only once.
//!
//! *Architecture invariant:* no packet is lost silently. Every packet that passed the filter is
//! counted as delivered, dropped by the kernel, dropped by the queue, or left in the kernel's
//! buffer at the end of the capture: [`Counters`] adds up.

pub mod filter;
mod layout;
mod libpcap;
mod queue;
mod reader;
mod source;

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use layout::DeviceError;
use libpcap::Handle;
use parking_lot::Mutex;
use queue::Queue;
use reader::DeviceReader;
pub(super) use source::LiveSource;

/// LINKTYPE_ of Ethernet.
const ETHERNET: u16 = 1;

/// A device for capturing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Its name as the system has it: `eth0`.
    pub name: String,
    /// What the system says of it.
    pub description: Option<String>,
    /// IPv4 and IPv6 addresses.
    pub addresses: Vec<IpAddr>,
    /// Whether it leads to this machine alone.
    pub is_loopback: bool,
    /// Whether it is switched on.
    pub is_up: bool,
}

/// Options for reading devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveOptions {
    /// BPF filter in the language of pcap-filter(7); empty matches everything.
    pub filter: String,
    /// Whether the filter also matches packets with VLAN tags, on devices that have them.
    pub or_tagged: bool,
    /// Maximum number of bytes captured per packet.
    pub snap_length: u32,
    /// Whether packets for other machines are captured.
    pub promiscuous: bool,
    /// Whether each packet is delivered at once. Linux then reserves a slot of the maximum packet
    /// size for each, so that its buffer holds few.
    pub immediate: bool,
    /// How long the kernel may collect packets before it delivers them, in milliseconds.
    pub timeout_ms: u32,
    /// Size of the kernel's buffer per device, in bytes.
    pub buffer: u32,
    /// Size of the queue in memory, of all devices together, in bytes; packets beyond it are
    /// dropped and counted.
    pub queue: usize,
}

/// Why there is no live capture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LiveError {
    /// The library is missing, or one of its functions.
    #[error(
        "live capture needs libpcap, which is not there: install libpcap0.8 on Debian, libpcap on \
         Fedora or macOS (brew), Npcap on Windows ({0})"
    )]
    NoLibrary(String),
    /// The system does not list its devices.
    #[error("devices cannot be listed: {0}")]
    NoList(String),
    /// The user lacks the permission to capture.
    #[error("capturing on {device} is not permitted: {why}; {}", RIGHTS)]
    Denied {
        /// The device.
        device: String,
        /// The library's message.
        why: String,
    },
    /// The device cannot be opened, for another reason.
    #[error("cannot capture on {device}: {why}")]
    Device {
        /// The device.
        device: String,
        /// The library's message.
        why: String,
    },
    /// The filter does not compile.
    #[error("the filter is wrong at column {column}, {}: {why}", at.as_deref().map_or("its end".to_owned(), |at| format!("\"{at}\"")))]
    Filter {
        /// In characters, from 1.
        column: usize,
        /// The word there; nothing at the end.
        at: Option<String>,
        /// The library's message.
        why: String,
    },
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    Thread(String),
}

/// How a user gets the permission to capture.
#[cfg(target_os = "linux")]
const RIGHTS: &str =
    "run it with sudo, or give the program the right: sudo setcap cap_net_raw+ep FILE";
#[cfg(not(target_os = "linux"))]
const RIGHTS: &str = "run it as an administrator";

/// Counters of the packets of a device that passed its filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// All of them, by the kernel's count.
    pub received: u64,
    /// Dropped by the kernel: its buffer was full.
    pub dropped_by_kernel: u64,
    /// Dropped by the interface or its driver, before any filter.
    pub dropped_by_interface: u64,
    /// Dropped because our queue was full.
    pub dropped_by_us: u64,
    /// Passed on to the reader.
    pub delivered: u64,
}

/// A device of a live capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveDevice {
    /// Its name as the system has it: `eth0`.
    pub name: String,
    /// LINKTYPE_ number of its frames.
    pub link: u16,
    /// The user's filter, without what is added on loopback devices.
    pub filter: String,
    /// Maximum number of bytes captured per packet.
    pub snap_length: u32,
}

/// Open devices, not yet read.
pub struct Live {
    handles: Vec<Handle>,
    devices: Vec<LiveDevice>,
    options: LiveOptions,
}

/// Devices that are being read; all clones share one capture.
#[derive(Clone)]
pub struct LiveCapture {
    queue: Arc<Queue>,
    stop: Arc<AtomicBool>,
    /// Devices that are not yet read.
    waiting: Arc<Mutex<Vec<Handle>>>,
    duration: Option<Duration>,
    timeout: u32,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self {
            filter: String::new(),
            or_tagged: false,
            snap_length: 262_144,
            promiscuous: false,
            immediate: false,
            timeout_ms: 10,
            buffer: 32 << 20,
            queue: 64 << 20,
        }
    }
}

/// All capture devices, whether or not the user has the permission.
///
/// # Errors
///
/// If libpcap is missing, or the system does not list its devices.
pub fn devices() -> Result<Vec<Device>, LiveError> {
    libpcap::is_there().map_err(LiveError::NoLibrary)?;
    libpcap::devices().map_err(LiveError::NoList)
}

/// The LINKTYPE_ number of a device's frames; opens the device, which needs the permission.
///
/// # Errors
///
/// As [`Live::open`].
pub fn link_of(device: &str) -> Result<u16, LiveError> {
    let options = LiveOptions { buffer: 1 << 20, ..LiveOptions::default() };
    Ok(open(device, &options)?.link())
}

impl Live {
    /// Opens the devices of these `names` and sets the filter of each.
    ///
    /// # Errors
    ///
    /// If libpcap or the permission is missing, or the filter is wrong.
    pub fn open(names: &[String], options: &LiveOptions) -> Result<Self, LiveError> {
        let (mut handles, mut devices) = (Vec::new(), Vec::new());
        for name in names {
            let mut handle = open(name, options)?;
            let link = handle.link();
            let filter = set_filter(&mut handle, name, options)?;
            if name == "lo" {
                handle.ignore_outgoing();
            }
            let name = name.clone();
            devices.push(LiveDevice { name, link, filter, snap_length: options.snap_length });
            handles.push(handle);
        }
        Ok(Self { handles, devices, options: options.clone() })
    }

    /// The devices, in the order of the frames' interface numbers.
    pub fn devices(&self) -> &[LiveDevice] {
        &self.devices
    }

    /// The capture, ready to be started. It ends after `duration`, or as soon as `stop` is set, and
    /// returns everything that was captured until then.
    pub fn into_capture(self, stop: Arc<AtomicBool>, duration: Option<Duration>) -> LiveCapture {
        let Self { handles, devices, options } = self;
        let queue = Arc::new(Queue::new(devices, options.queue));
        let waiting = Arc::new(Mutex::new(handles));
        LiveCapture { queue, stop, waiting, duration, timeout: options.timeout_ms }
    }
}

impl LiveCapture {
    /// Begins to read, once: one thread per device, which ends with the capture or the program. The
    /// threads inherit the caller's privileges.
    ///
    /// # Errors
    ///
    /// If no thread can be started.
    pub fn start(&self) -> Result<(), LiveError> {
        let until = self.duration.and_then(|duration| Instant::now().checked_add(duration));
        for (device, handle) in self.waiting.lock().drain(..).enumerate() {
            let (queue, stop) = (Arc::clone(&self.queue), Arc::clone(&self.stop));
            let reader = DeviceReader { device, handle, queue, stop, until, timeout: self.timeout };
            let named = thread::Builder::new().name(format!("capture {device}"));
            let started = named.spawn(move || reader.run());
            started.map_err(|error| LiveError::Thread(error.to_string()))?;
        }
        Ok(())
    }

    /// Ends the capture: only packets captured until now are still read.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The devices, in the order of the frames' interface numbers.
    pub fn devices(&self) -> &[LiveDevice] {
        &self.queue.devices
    }

    /// The packet counters of each device so far. The kernel's counters are at most one second old,
    /// and exact when the capture has ended.
    pub fn counters(&self) -> Vec<Counters> {
        self.queue.counters()
    }

    /// Whether the queue is empty: a good moment to flush.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Waits until all devices are closed and counted, after the capture was stopped or has ended
    /// by itself.
    pub fn wait(&self) {
        self.queue.wait_for_end();
    }

    /// Its name in messages: the devices' names.
    pub fn name(&self) -> String {
        let names = self.queue.devices.iter().map(|devices| devices.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// The frames; all clones share one queue, so only one reader may take them.
    pub(super) fn source(&self) -> LiveSource {
        LiveSource::new(Arc::clone(&self.queue))
    }
}

impl std::fmt::Debug for LiveCapture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tap").field(&self.name()).finish()
    }
}

impl Counters {
    /// The sum for two devices, or for two periods.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            received: self.received + other.received,
            dropped_by_kernel: self.dropped_by_kernel + other.dropped_by_kernel,
            dropped_by_interface: self.dropped_by_interface + other.dropped_by_interface,
            dropped_by_us: self.dropped_by_us + other.dropped_by_us,
            delivered: self.delivered + other.delivered,
        }
    }

    /// Packets that were in the kernel's buffer when the capture ended.
    pub fn left(&self) -> u64 {
        let known = self.dropped_by_kernel + self.dropped_by_us + self.delivered;
        self.received.saturating_sub(known)
    }
}

fn open(device: &str, options: &LiveOptions) -> Result<Handle, LiveError> {
    libpcap::is_there().map_err(LiveError::NoLibrary)?;
    let device = device.to_owned();
    Handle::open(&device, options).map_err(|refusal| {
        let DeviceError { why, is_denied } = refusal;
        if is_denied {
            LiveError::Denied { device, why }
        } else {
            LiveError::Device { device, why }
        }
    })
}

/// Sets the filter of a device, and returns its description.
fn set_filter(
    handle: &mut Handle,
    device: &str,
    options: &LiveOptions,
) -> Result<String, LiveError> {
    let mut filter = options.filter.clone();
    if let Err(why) = handle.check(&filter) {
        let filter::FilterErrorPosition { column, at } =
            filter::error_position(&filter, |text| handle.check(text).is_ok());
        return Err(LiveError::Filter { column, at, why });
    }
    let link = handle.link();
    let tagged =
        Some(filter::also_tagged(&filter)).filter(|_| options.or_tagged && link == ETHERNET);
    if let Some(tagged) = tagged.filter(|tagged| handle.check(tagged).is_ok()) {
        filter = tagged;
    }
    let once = filter::on_all_devices(&filter, link).filter(|_| device == "any");
    let once = once.filter(|once| handle.check(once).is_ok());
    let cannot = |why| LiveError::Device { device: device.to_owned(), why };
    handle.filter(once.as_deref().unwrap_or(&filter)).map_err(cannot)?;
    Ok(filter)
}
