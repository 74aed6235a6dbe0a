//! What the program may do, and giving it up: once everything is open, it keeps no right that it
//! does not need.
//!
//! [`confine`] is called by commands before they start a thread, for most of what it does holds for
//! the calling thread and those that it starts. On Linux it changes the user back to the one who
//! called sudo, drops capabilities, forbids to gain new privileges, leaves only named places
//! writable (Landlock) and refuses new sockets, other programs and signals to others (seccomp). Elsewhere it does nothing, and says so.
//!
//! *Architecture invariant:* nothing is claimed that was not done. [`Confined`] holds what holds,
//! and what this system could not do.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod seccomp;

use std::fmt;
use std::path::PathBuf;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

/// What is still needed.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// Files and folders that will be written, with what is in them. What is open already can be
    /// written in any case.
    pub writable: Vec<PathBuf>,
    /// Whether root has to stay root, and to get at anybody's files: it was started to read or
    /// write some, and opened no device.
    pub files_of_others: bool,
    /// Whether sockets will be opened and connected.
    pub sockets: bool,
}

/// What holds from now on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confined {
    /// What was given up, in words.
    pub applied: Vec<String>,
    /// What this system cannot do, and why.
    pub missing: Vec<String>,
}

/// A right could not be given up that the system says it has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {why}")]
pub struct Stuck {
    what: &'static str,
    why: String,
}

/// An error of the system as the reason why `what` failed.
#[cfg(target_os = "linux")]
fn stuck<E: fmt::Display>(what: &'static str) -> impl Fn(E) -> Stuck {
    move |error| Stuck { what, why: error.to_string() }
}

/// Gives up everything but what is needed, for this thread and all that it starts. An error leaves
/// some rights given up and others not: whoever gets it should go no further.
pub fn confine(needs: &Needs) -> Result<Confined, Stuck> {
    system::confine(needs)
}

/// The user and group to which files belong that root writes for somebody: those who called sudo.
pub fn on_behalf_of() -> Option<(u32, u32)> {
    let id = |name| std::env::var(name).ok()?.parse::<u32>().ok();
    let (user, group) = (id("SUDO_UID")?, id("SUDO_GID")?);
    (user != 0 && system::is_root()).then_some((user, group))
}

impl fmt::Display for Confined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let applied = self.applied.join(", ");
        let applied = if applied.is_empty() { "nothing was given up" } else { &applied };
        write!(f, "{applied}")?;
        for missing in &self.missing {
            write!(f, "; not on this system: {missing}")?;
        }
        Ok(())
    }
}
