//! The history: a database in one file, so that a run goes on where an earlier one was.
//!
//! A round is written in one transaction: after a crash it is there whole or not at all. SQLite is
//! part of the program.

mod rows;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};
use thiserror::Error;

use rows::{add_list_change, delete_before, series_id};

use super::alert::{AlertChange, AlertKey, AlertRule};
use super::presence::ListChange;
use super::series::{Sample, SampleSubject, Series, WINDOW};

/// The number of this program in the databases that it makes.
const APPLICATION: i64 = 0x6673_6877;
/// The number of this form of the database.
const VERSION: i64 = 1;
/// The tables.
const TABLES: &str = include_str!("tables.sql");
/// Tables that the first databases of this form did not have, and that programs which made those leave
/// alone.
const LATER_TABLES: &str = "CREATE TABLE IF NOT EXISTS kinds \
    (target TEXT PRIMARY KEY, profile TEXT NOT NULL) STRICT, WITHOUT ROWID";
/// How long another process may hold the database.
const BUSY: Duration = Duration::from_secs(5);

/// Why a history cannot be used.
#[derive(Debug, Error)]
pub enum WatchHistoryError {
    /// The database cannot be opened, read or written.
    #[error("{why}; --history names another file")]
    Database {
        /// SQLite's reason.
        why: String,
    },
    /// A later version of the program has made it.
    #[error("the history has version {found}, and this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: i64,
    },
    /// Another program has made it.
    #[error("a database of another program; --history names another file")]
    Foreign,
    /// Another program uses it.
    #[error("another fragshark uses it; --history names another file")]
    InUse,
    /// The file that keeps others out cannot be written.
    #[error("{file}: {why}")]
    Lock {
        /// Its path.
        file: String,
        /// The system's reason.
        why: io::Error,
    },
}

impl From<rusqlite::Error> for WatchHistoryError {
    fn from(error: rusqlite::Error) -> Self {
        let why = match error {
            rusqlite::Error::SqliteFailure(_, Some(text)) => text,
            other => other.to_string(),
        };
        Self::Database { why }
    }
}

/// A database of what was measured.
#[derive(Debug)]
pub struct WatchHistory {
    database: Connection,
    /// How long samples are kept.
    retention: Duration,
    /// Locked as long as this history is open; it is unlocked with the process at the latest.
    _lock: Option<File>,
}

/// What one round adds.
#[derive(Debug, Default)]
pub struct RoundRecord {
    /// When it began, in nanoseconds since 1970.
    pub time: i64,
    /// The samples.
    pub samples: Vec<(&'static Series, SampleSubject, f64)>,
    /// What the lists of masters have changed.
    pub lists: Vec<(String, ListChange)>,
    /// The alerts that began or ended.
    pub alerts: Vec<AlertChange>,
}

impl WatchHistory {
    /// Opens the history in a file, and makes it if there is none.
    ///
    /// # Errors
    /// If the file is no such database, or cannot be opened.
    pub fn open(path: &Path, retention: Duration) -> Result<Self, WatchHistoryError> {
        if path.exists() {
            // Beside a file of another program no lock is made.
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            found_version(&Connection::open_with_flags(path, flags)?)?;
        }
        let lock = locked(path)?;
        let database = Connection::open(path)?;
        database.busy_timeout(BUSY)?;
        // Readers see whole rounds, and a killed process leaves whole rounds behind.
        database.pragma_update(None, "journal_mode", "WAL")?;
        Self::prepared(database, retention, Some(lock))
    }

    /// A history that is forgotten with the process.
    ///
    /// # Errors
    /// If the system has no memory for it.
    pub fn in_memory(retention: Duration) -> Result<Self, WatchHistoryError> {
        Self::prepared(Connection::open_in_memory()?, retention, None)
    }

    fn prepared(
        database: Connection,
        retention: Duration,
        lock: Option<File>,
    ) -> Result<Self, WatchHistoryError> {
        let mut history = Self { database, retention, _lock: lock };
        let transaction = history.database.transaction()?;
        match found_version(&transaction)? {
            0 => {
                transaction.execute_batch(TABLES)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
            }
            VERSION => {}
            found => return Err(WatchHistoryError::Version { found }),
        }
        transaction.execute_batch(LATER_TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.commit()?;
        Ok(history)
    }

    /// Adds a round, and deletes what is older than the retention.
    ///
    /// # Errors
    /// If the database cannot be written; then nothing of the round is in it.
    pub fn add_round(&mut self, round: &RoundRecord) -> Result<(), WatchHistoryError> {
        let retention = i64::try_from(self.retention.as_nanos()).unwrap_or(i64::MAX);
        let transaction = self.database.transaction()?;
        transaction.execute("INSERT OR IGNORE INTO rounds VALUES (?1)", [round.time])?;
        for (series, about, value) in &round.samples {
            let id = series_id(&transaction, series, about)?;
            transaction
                .prepare_cached("INSERT OR REPLACE INTO samples VALUES (?1, ?2, ?3)")?
                .execute(params![id, round.time, value])?;
        }
        for (target, change) in &round.lists {
            add_list_change(&transaction, target, change, round.time)?;
        }
        for AlertChange { key, since, until } in &round.alerts {
            let AlertKey { name, about } = key;
            transaction
                .prepare_cached("INSERT OR REPLACE INTO alerts VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute(params![name, about.target, about.subject, since, until])?;
        }
        delete_before(&transaction, round.time.saturating_sub(retention))?;
        transaction.commit()?;
        Ok(())
    }

    /// When the last round began.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn last_round(&self) -> Result<Option<i64>, WatchHistoryError> {
        let time = self.database.query_row("SELECT max(time) FROM rounds", [], |row| row.get(0))?;
        Ok(time)
    }

    /// How many rounds there are.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn rounds(&self) -> Result<u64, WatchHistoryError> {
        let count: i64 =
            self.database.query_row("SELECT count(*) FROM rounds", [], |row| row.get(0))?;
        Ok(count.unsigned_abs())
    }

    /// The last samples about a target, the oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn recent(
        &self,
        target: &str,
    ) -> Result<Vec<(&'static Series, SampleSubject, Sample)>, WatchHistoryError> {
        let mut series =
            self.database.prepare("SELECT id, name, subject FROM series WHERE target = ?1")?;
        let series = series.query_map([target], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
        })?;
        let mut all = Vec::new();
        for found in series {
            let (id, name, subject) = found?;
            let Some(series) = Series::named(&name) else { continue };
            let mut samples = self.database.prepare_cached(
                "SELECT time, value FROM samples WHERE series = ?1 ORDER BY time DESC LIMIT ?2",
            )?;
            let samples = samples
                .query_map(params![id, i64::try_from(WINDOW).unwrap_or(i64::MAX)], |row| {
                    Ok(Sample { time: row.get(0)?, value: row.get(1)? })
                })?;
            let mut samples = samples.collect::<Result<Vec<_>, _>>()?;
            samples.reverse();
            let about = SampleSubject::and(target, &subject);
            all.extend(samples.into_iter().map(|sample| (series, about.clone(), sample)));
        }
        Ok(all)
    }

    /// All samples of a series about somebody, the oldest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn samples(
        &self,
        series: &Series,
        about: &SampleSubject,
    ) -> Result<Vec<Sample>, WatchHistoryError> {
        let mut samples = self.database.prepare(
            "SELECT time, value FROM samples JOIN series ON series.id = samples.series \
             WHERE name = ?1 AND target = ?2 AND subject = ?3 ORDER BY time",
        )?;
        let names = params![series.name, about.target, about.subject];
        let samples =
            samples.query_map(names, |row| Ok(Sample { time: row.get(0)?, value: row.get(1)? }))?;
        Ok(samples.collect::<Result<_, _>>()?)
    }

    /// The servers that the last list of a master had, and since when.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn listed(&self, target: &str) -> Result<Vec<(SocketAddr, i64)>, WatchHistoryError> {
        let mut rows = self
            .database
            .prepare("SELECT server, since FROM listed WHERE target = ?1 AND until IS NULL")?;
        let rows = rows.query_map([target], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let parsed = |(server, since): (String, i64)| Some((server.parse().ok()?, since));
        Ok(rows.into_iter().filter_map(parsed).collect())
    }

    /// The alerts that have not ended, about these targets. Those of others end now.
    ///
    /// # Errors
    /// If the database cannot be read or written.
    pub fn active_alerts(
        &self,
        targets: &[&str],
        now: i64,
    ) -> Result<Vec<(AlertKey, i64)>, WatchHistoryError> {
        let mut rows = self
            .database
            .prepare("SELECT name, target, subject, since FROM alerts WHERE until IS NULL")?;
        let rows = rows.query_map([], |row| {
            let about = SampleSubject { target: row.get(1)?, subject: row.get(2)? };
            Ok((row.get::<_, String>(0)?, about, row.get::<_, i64>(3)?))
        })?;
        let mut active = Vec::new();
        for row in rows {
            let (name, about, since) = row?;
            match AlertRule::named(&name).filter(|_| targets.contains(&about.target.as_str())) {
                Some(rule) => active.push((AlertKey { name: rule.name, about }, since)),
                None => {
                    self.database.execute(
                        "UPDATE alerts SET until = ?4 WHERE until IS NULL AND name = ?1 AND target = ?2 AND subject = ?3",
                        params![name, about.target, about.subject, now],
                    )?;
                }
            }
        }
        Ok(active)
    }

    /// The kind of a master, by the name of its profile.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn kind(&self, target: &str) -> Result<Option<String>, WatchHistoryError> {
        let kind = "SELECT profile FROM kinds WHERE target = ?1";
        Ok(self.database.query_row(kind, [target], |row| row.get(0)).optional()?)
    }

    /// Keeps the kind of a master, by the name of its profile.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn keep_kind(&self, target: &str, profile: &str) -> Result<(), WatchHistoryError> {
        let kind = "INSERT OR REPLACE INTO kinds VALUES (?1, ?2)";
        self.database.execute(kind, [target, profile])?;
        Ok(())
    }

    /// The address that the probe of a master had.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn probe(&self, target: &str) -> Result<Option<SocketAddr>, WatchHistoryError> {
        let address: Option<String> = self
            .database
            .query_row("SELECT address FROM probes WHERE target = ?1", [target], |row| row.get(0))
            .optional()?;
        Ok(address.and_then(|address| address.parse().ok()))
    }

    /// Keeps the address of the probe of a master.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn keep_probe(&self, target: &str, address: SocketAddr) -> Result<(), WatchHistoryError> {
        let address = address.to_string();
        self.database
            .execute("INSERT OR REPLACE INTO probes VALUES (?1, ?2)", params![target, address])?;
        Ok(())
    }
}

/// The version of a history; 0 for a new database. An error if it is that of another program.
fn found_version(database: &Connection) -> Result<i64, WatchHistoryError> {
    let number = |name| database.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let count = |condition: &str| {
        let tables = format!("SELECT count(*) FROM sqlite_master WHERE {condition}");
        database.query_row(&tables, [], |row| row.get::<_, i64>(0))
    };
    let is_ours = match (application, version) {
        (APPLICATION, _) => true,
        (0, 0) => count("true")? == 0,
        // The first ones had no number of the program.
        (0, 1) => {
            let names = "('series', 'samples', 'listed', 'alerts', 'probes', 'rounds')";
            count(&format!("type = 'table' AND name IN {names}"))? == 6
        }
        _ => false,
    };
    if is_ours { Ok(version) } else { Err(WatchHistoryError::Foreign) }
}

/// The lock file beside a history, locked. A second process would count rounds twice, and ask twice
/// as often; readers need no lock.
fn locked(path: &Path) -> Result<File, WatchHistoryError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = PathBuf::from(name);
    let cannot = |why| WatchHistoryError::Lock { file: file.display().to_string(), why };
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&file);
    let opened = opened.map_err(cannot)?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(TryLockError::WouldBlock) => Err(WatchHistoryError::InUse),
        Err(TryLockError::Error(why)) => Err(cannot(why)),
    }
}
