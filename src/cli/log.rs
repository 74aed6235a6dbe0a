//! The log: a file that is appended to, if requested.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use super::live::chown_to_user;

static LOG: OnceLock<File> = OnceLock::new();

/// Opens the log, before privileges are dropped.
pub(super) fn open(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    chown_to_user(&file)?;
    LOG.get_or_init(|| file);
    Ok(())
}

/// Appends a line with the time of day, in UTC. A full disk is ignored.
pub(super) fn line(text: &str) {
    let Some(mut log) = LOG.get() else { return };
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = text::utc(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
    _ = log.write_all(format!("{time} {}\n", text::escaped(text)).as_bytes());
}
