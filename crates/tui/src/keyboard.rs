//! Waits for user input.

use std::io;
use std::time::Duration;

use crossterm::event;

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

    /// Waits at most this long. Crossterm would wait too, but for ever on a terminal that is gone,
    /// so this checks first.
    pub fn wait(&self, timeout: Duration) -> io::Result<Waited> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut keys = [PollFd::new(&self.keys, PollFlags::IN)];
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        match poll(&mut keys, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if keys.iter().any(|keys| keys.revents().intersects(PollFlags::HUP | PollFlags::ERR)) {
            return Ok(Waited::Gone);
        }
        // A window resize is not on this input, and crossterm waits for it separately.
        Ok(if event::poll(Duration::ZERO)? { Waited::Events } else { Waited::Nothing })
    }
}

#[cfg(not(target_os = "linux"))]
impl Keyboard {
    pub fn open() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits at most this long.
    pub fn wait(&self, timeout: Duration) -> io::Result<Waited> {
        Ok(if event::poll(timeout)? { Waited::Events } else { Waited::Nothing })
    }
}
