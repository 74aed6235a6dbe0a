//! Signals that end the program: a flag is set, and what runs ends by itself.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What ends an interface: also the end of its terminal, on systems that have a signal for that.
#[cfg(unix)]
const ENDING: [i32; 3] = [signal_hook::consts::SIGHUP, SIGINT, SIGTERM];
#[cfg(not(unix))]
const ENDING: [i32; 2] = [SIGINT, SIGTERM];

/// Ctrl-C and SIGTERM, taken from when this is made: they end a command that waits for them, and not
/// the process.
#[cfg(feature = "watch")]
pub(super) struct StopSignals {
    #[cfg(unix)]
    signals: signal_hook::iterator::Signals,
    #[cfg(not(unix))]
    stop: Arc<AtomicBool>,
}

#[cfg(all(feature = "watch", unix))]
impl StopSignals {
    /// # Errors
    ///
    /// If the system refuses the handlers.
    pub fn register() -> io::Result<Self> {
        Ok(Self { signals: signal_hook::iterator::Signals::new([SIGINT, SIGTERM])? })
    }

    /// Returns after the first one.
    pub fn wait(mut self) {
        self.signals.forever().next();
    }
}

#[cfg(all(feature = "watch", not(unix)))]
impl StopSignals {
    /// # Errors
    ///
    /// If the system refuses the handlers.
    pub fn register() -> io::Result<Self> {
        let stop = Arc::default();
        stop_on_signals(&stop)?;
        Ok(Self { stop })
    }

    /// Returns after the first one. Such systems call a handler, which can wake no thread.
    pub fn wait(self) {
        while !self.stop.load(std::sync::atomic::Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
}

/// Sets `stop` at the first Ctrl-C or SIGTERM; the second ends the program at once.
///
/// # Errors
///
/// If the system refuses the handlers.
pub(super) fn stop_on_signals(stop: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(stop))?;
        flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}

/// Does something at the first Ctrl-C or SIGTERM, and ends the program then. Starts a thread.
///
/// # Errors
///
/// If the system refuses the handlers or the thread.
#[cfg(unix)]
pub(super) fn end_after(does: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            does();
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Does nothing: such systems call a handler, which can wake no thread, and end the program.
#[cfg(not(unix))]
pub(super) fn end_after(_does: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Ok(())
}

/// A flag that every signal sets that ends a program; the interface then restores the terminal.
///
/// # Errors
///
/// If the system refuses the handlers.
pub(super) fn ended_by_signals() -> io::Result<Arc<AtomicBool>> {
    let end = Arc::new(AtomicBool::new(false));
    for signal in ENDING {
        flag::register(signal, Arc::clone(&end))?;
    }
    Ok(end)
}
