//! Drops privileges: once everything is open, the program keeps only what it needs.
//!
//! Commands call [`confine`] before they start a thread, because most of it applies to the calling
//! thread and those that it starts. On Linux it changes the user back to the one who called sudo,
//! drops capabilities, forbids to gain new privileges, leaves only named paths writable (Landlock)
//! and refuses new sockets, other programs and signals to others (seccomp). On other systems it
//! does nothing, and reports that.
//!
//! *Architecture invariant:* nothing is reported that was not done. [`Confined`] lists what was
//! applied, and what this system cannot do.
//!
//! It knows no command: a command says what it needs.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(not(target_os = "linux"))]
mod unsupported;

use std::fmt;
use std::path::PathBuf;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use unsupported as system;

/// The privileges that are still needed.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// Files and folders (with their contents) that will be written. Files that are already open
    /// stay writable in any case.
    pub writable: Vec<PathBuf>,
    /// Whether root has to stay root, with access to all files: it was started to read or write
    /// some, and opened no device.
    pub files_of_others: bool,
    /// Whether sockets will be opened and connected.
    pub sockets: bool,
}

/// The restrictions from now on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Confined {
    /// What was dropped, in words.
    pub applied: Vec<String>,
    /// What this system cannot do, and why.
    pub missing: Vec<String>,
}

/// A privilege could not be dropped although the system supports that.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {why}")]
pub struct ConfineError {
    what: &'static str,
    why: String,
}

/// Converts a system error into the reason why `what` failed.
#[cfg(target_os = "linux")]
fn failed<E: fmt::Display>(what: &'static str) -> impl Fn(E) -> ConfineError {
    move |error| ConfineError { what, why: error.to_string() }
}

/// Drops everything but what is needed, for this thread and all that it starts. After an error some
/// privileges are dropped and others not: the caller should exit.
///
/// # Errors
///
/// If the system supports a restriction and refuses it.
pub fn confine(needs: &Needs) -> Result<Confined, ConfineError> {
    system::confine(needs)
}

/// The user and group for files that root writes on behalf of a user: the one who called sudo.
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
