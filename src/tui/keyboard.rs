//! Waiting for what the user does.

use std::io;
use std::time::Duration;

use crossterm::event;

/// What waiting came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waited {
    /// There are events to be read.
    Events,
    /// The time is over, or somebody sent a signal.
    Nothing,
    /// The terminal is gone: its window was closed, its connection broke.
    Gone,
}

/// The end of a terminal from which keys come.
pub struct Keyboard {
    #[cfg(target_os = "linux")]
    keys: std::fs::File,
}

#[cfg(target_os = "linux")]
impl Keyboard {
    /// That of the terminal which crossterm reads: standard input, or else the process's own.
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

    /// Waits so long at most. Crossterm would wait too, but it reads a terminal that is gone for
    /// ever, so it is asked only about one that is there.
    pub fn wait(&self, patience: Duration) -> io::Result<Waited> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut keys = [PollFd::new(&self.keys, PollFlags::IN)];
        let patience = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut keys, Some(&patience)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if keys.iter().any(|keys| keys.revents().intersects(PollFlags::HUP | PollFlags::ERR)) {
            return Ok(Waited::Gone);
        }
        // A new size of the window is no key, and waits elsewhere.
        Ok(if event::poll(Duration::ZERO)? { Waited::Events } else { Waited::Nothing })
    }
}

#[cfg(not(target_os = "linux"))]
impl Keyboard {
    pub fn open() -> io::Result<Self> {
        Ok(Self {})
    }

    /// Waits so long at most.
    pub fn wait(&self, patience: Duration) -> io::Result<Waited> {
        Ok(if event::poll(patience)? { Waited::Events } else { Waited::Nothing })
    }
}
