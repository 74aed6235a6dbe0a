//! Frames as they come: devices, read by libpcap, which is loaded at run time.
//!
//! [`Live::open`] opens devices and sets their filter, which is all that needs rights. [`Tap::start`]
//! begins to read: a thread a device moves packets from the kernel into a bounded queue and counts
//! what finds no room there; whoever takes frames from the [`Tap`] gets them merged in time order.
//! A tap is an [`Input`](super::Input) like any other, but one that can be read once.
//!
//! *Architecture invariant:* nothing is lost in silence. Of every packet that passed the filter it
//! is known whether it was delivered, dropped by the kernel, dropped by the queue, or was still in
//! the kernel's buffer when capturing ended: [`Counters`] adds up.

mod feed;
pub mod filter;
mod layout;
mod libpcap;
mod queue;
mod reader;

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub(super) use feed::LiveSource;
use layout::DeviceError;
use libpcap::Handle;
use parking_lot::Mutex;
use queue::Queue;
use reader::DeviceReader;

/// LINKTYPE_ of Ethernet.
const ETHERNET: u16 = 1;

/// Something that packets can be captured from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    pub name: String,
    pub description: Option<String>,
    /// IPv4 and IPv6 addresses.
    pub addresses: Vec<IpAddr>,
    pub is_loopback: bool,
    pub is_up: bool,
}

/// How devices are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveOptions {
    /// BPF, in the words of pcap-filter(7); empty takes everything.
    pub filter: String,
    /// Whether the filter means packets behind VLAN tags too, on devices that have them.
    pub or_tagged: bool,
    /// Bytes of each packet that are captured at most.
    pub snap_length: u32,
    /// Whether packets are wanted that are for other machines.
    pub promiscuous: bool,
    /// Whether each packet is handed over at once. Linux then keeps a slot of the longest packet's
    /// size for each, so that its buffer holds few.
    pub immediate: bool,
    /// How long the kernel may gather packets, in milliseconds.
    pub timeout_ms: u32,
    /// Bytes that the kernel may keep for each device until they are read.
    pub buffer: u32,
    /// Bytes that may wait in memory, of all devices together; what comes beyond is dropped and
    /// counted.
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
    /// The user may not capture.
    #[error("capturing on {device} is not permitted: {why}; {}", RIGHTS)]
    Denied {
        /// The device.
        device: String,
        /// The library's words.
        why: String,
    },
    /// The device cannot be opened, for another reason.
    #[error("cannot capture on {device}: {why}")]
    Device {
        /// The device.
        device: String,
        /// The library's words.
        why: String,
    },
    /// The filter does not compile.
    #[error("the filter is wrong at column {column}, {}: {why}", at.as_deref().map_or("its end".to_owned(), |at| format!("\"{at}\"")))]
    Filter {
        /// In characters, from 1.
        column: usize,
        /// What stands there; nothing at the end.
        at: Option<String>,
        /// The library's words.
        why: String,
    },
    /// No thread can be started.
    #[error("no thread can be started: {0}")]
    Thread(String),
}

/// What gives a user the right to capture.
#[cfg(target_os = "linux")]
const RIGHTS: &str =
    "run it with sudo, or give the program the right: sudo setcap cap_net_raw+ep FILE";
#[cfg(not(target_os = "linux"))]
const RIGHTS: &str = "run it as an administrator";

/// What became of the packets of a device that passed its filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// All of them, as the kernel counts.
    pub received: u64,
    /// Dropped by the kernel: its buffer was full.
    pub dropped_by_kernel: u64,
    /// Dropped by the interface or its driver, before any filter.
    pub dropped_by_interface: u64,
    /// Dropped by the queue, which was full.
    pub dropped_by_us: u64,
    /// Given on.
    pub delivered: u64,
}

/// A device that is being captured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tapped {
    pub name: String,
    /// LINKTYPE_ number of its frames.
    pub link: u16,
    /// What was asked for, without what is added on loopback devices.
    pub filter: String,
    pub snap_length: u32,
}

/// Devices that are open, and not yet read.
pub struct Live {
    handles: Vec<Handle>,
    tapped: Vec<Tapped>,
    options: LiveOptions,
}

/// Devices that are being read; all copies are of one capture.
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

/// Everything that packets may be captured from, whether or not the user has the right to.
pub fn devices() -> Result<Vec<Device>, LiveError> {
    libpcap::is_there().map_err(LiveError::NoLibrary)?;
    libpcap::devices().map_err(LiveError::NoList)
}

/// The LINKTYPE_ number of a device's frames; it is opened for that, which takes the right to.
pub fn link_of(device: &str) -> Result<u16, LiveError> {
    let options = LiveOptions { buffer: 1 << 20, ..LiveOptions::default() };
    Ok(open(device, &options)?.link())
}

impl Live {
    /// Opens `devices` and sets the filter of each.
    pub fn open(devices: &[String], options: &LiveOptions) -> Result<Self, LiveError> {
        let (mut handles, mut tapped) = (Vec::new(), Vec::new());
        for name in devices {
            let mut handle = open(name, options)?;
            let link = handle.link();
            let filter = set_filter(&mut handle, name, options)?;
            if name == "lo" {
                handle.ignore_outgoing();
            }
            let name = name.clone();
            tapped.push(Tapped { name, link, filter, snap_length: options.snap_length });
            handles.push(handle);
        }
        Ok(Self { handles, tapped, options: options.clone() })
    }

    /// The devices, in the order in which frames name them.
    pub fn tapped(&self) -> &[Tapped] {
        &self.tapped
    }

    /// What frames are taken from, once it is started. The capture ends by itself after
    /// `duration`, or as soon as somebody sets `stop`, and gives what has come until then.
    pub fn tap(self, stop: Arc<AtomicBool>, duration: Option<Duration>) -> LiveCapture {
        let Self { handles, tapped, options } = self;
        let queue = Arc::new(Queue::new(tapped, options.queue));
        let waiting = Arc::new(Mutex::new(handles));
        LiveCapture { queue, stop, waiting, duration, timeout: options.timeout_ms }
    }
}

impl LiveCapture {
    /// Begins to read, once: a thread a device, which ends with the capture or with the program.
    /// Threads have the rights of whoever starts them.
    pub fn start(&self) -> Result<(), LiveError> {
        let until = self.duration.and_then(|duration| Instant::now().checked_add(duration));
        for (lane, handle) in self.waiting.lock().drain(..).enumerate() {
            let (queue, stop) = (Arc::clone(&self.queue), Arc::clone(&self.stop));
            let reader = DeviceReader { lane, handle, queue, stop, until, timeout: self.timeout };
            let named = thread::Builder::new().name(format!("capture {lane}"));
            let started = named.spawn(move || reader.run());
            started.map_err(|error| LiveError::Thread(error.to_string()))?;
        }
        Ok(())
    }

    /// Ends the capture: no more is taken from the devices than has come until now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The devices, in the order in which frames name them.
    pub fn tapped(&self) -> &[Tapped] {
        &self.queue.tapped
    }

    /// What became of each device's packets so far. The kernel's counts are as of a second ago at
    /// most, and exact when the capture has ended.
    pub fn counters(&self) -> Vec<Counters> {
        self.queue.counters()
    }

    /// Whether nothing waits to be taken: a good moment to flush.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty()
    }

    /// Waits until all devices are closed and counted; true for those of a capture that was
    /// stopped or has ended by itself.
    pub fn wait(&self) {
        self.queue.wait_for_end();
    }

    /// What messages call it: the devices' names.
    pub fn name(&self) -> String {
        let names = self.queue.tapped.iter().map(|tapped| tapped.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// The frames; each copy of a tap would take them from the others, so they are taken once.
    pub(super) fn feed(&self) -> LiveSource {
        LiveSource::new(Arc::clone(&self.queue))
    }
}

impl std::fmt::Debug for LiveCapture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tap").field(&self.name()).finish()
    }
}

impl Counters {
    /// The sum of two devices, or of two stretches of time.
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

/// Sets the filter of a device, and answers with what it says of it.
fn set_filter(
    handle: &mut Handle,
    device: &str,
    options: &LiveOptions,
) -> Result<String, LiveError> {
    let mut filter = options.filter.clone();
    if let Err(why) = handle.check(&filter) {
        let filter::FilterErrorPosition { column, at } =
            filter::place(&filter, |text| handle.check(text).is_ok());
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
