//! Waits for user input.

use std::io;
use std::time::Duration;

use crossterm::event;

/// How long crossterm looks for events: with a timeout of zero it does not look at all.
const LOOK: Duration = Duration::from_micros(200);

/// The result of waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// There are events to be read.
    Events,
    /// Timeout, or interrupted by a signal.
    Nothing,
    /// The terminal is gone: its window was closed, or its connection broke.
    Gone,
}

/// The terminal's input.
pub struct Keyboard {
    #[cfg(target_os = "linux")]
    keys: std::fs::File,
}

#[cfg(target_os = "linux")]
impl Keyboard {
    /// The terminal that crossterm reads: standard input, or else the controlling terminal.
    pub fn open() -> io::Result<Self> {
        use std::io::IsTerminal as _;
        use std::os::fd::AsFd as _;
        let stdin = io::stdin();
        let keys = if stdin.is_terminal() {
            stdin.as_fd().try_clone_to_owned()?.into()
        } else {
            std::fs::File::open("/dev/tty")?
        };
        Ok(Self { keys })
    }

    /// Waits at most this long, and a little longer if nothing comes.
    ///
    /// Crossterm does not tell that a terminal is gone, so this asks the system.
    pub fn wait(&self, timeout: Duration) -> io::Result<Waited> {
        if self.is_gone(timeout)? {
            return Ok(Waited::Gone);
        }
        // A window resize is not on this input, and crossterm waits for it separately.
        match event::poll(LOOK) {
            Ok(true) => Ok(Waited::Events),
            Ok(false) => Ok(Waited::Nothing),
            Err(_) if self.is_gone(Duration::ZERO)? => Ok(Waited::Gone),
            Err(error) => Err(error),
        }
    }

    /// Whether the terminal is gone; waits at most this long for input.
    fn is_gone(&self, timeout: Duration) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut keys = [PollFd::new(&self.keys, PollFlags::IN)];
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        match poll(&mut keys, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(keys.iter().any(|keys| keys.revents().intersects(PollFlags::HUP | PollFlags::ERR)))
    }
}

#[cfg(not(target_os = "linux"))]
impl Keyboard {
    pub fn open() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits at most this long.
    pub fn wait(&self, timeout: Duration) -> io::Result<Waited> {
        Ok(if event::poll(timeout.max(LOOK))? { Waited::Events } else { Waited::Nothing })
    }
}
