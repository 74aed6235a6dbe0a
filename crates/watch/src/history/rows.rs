//! The rows that a round adds and deletes, within its transaction.

use rusqlite::{Transaction, params};

use crate::presence::ListChange;
use crate::series::{SampleSubject, Series};

/// The maximum of servers that have left a list, so that a master that makes up servers cannot fill
/// the disk; the oldest are deleted.
const MAX_LEFT: i64 = 1 << 20;

/// The number of a series about somebody, which gets one with its first sample.
pub(super) fn series_id(
    transaction: &Transaction<'_>,
    series: &Series,
    about: &SampleSubject,
) -> Result<i64, rusqlite::Error> {
    let names = params![series.name, about.target, about.subject];
    transaction
        .prepare_cached("INSERT OR IGNORE INTO series (name, target, subject) VALUES (?1, ?2, ?3)")?
        .execute(names)?;
    transaction
        .prepare_cached("SELECT id FROM series WHERE name = ?1 AND target = ?2 AND subject = ?3")?
        .query_row(names, |row| row.get(0))
}

/// What the list of a master has changed at a time.
pub(super) fn add_list_change(
    transaction: &Transaction<'_>,
    target: &str,
    change: &ListChange,
    time: i64,
) -> Result<(), rusqlite::Error> {
    let mut ended = transaction.prepare_cached(
        "UPDATE listed SET until = ?3 WHERE target = ?1 AND server = ?2 AND until IS NULL",
    )?;
    for (server, _) in &change.went {
        ended.execute(params![target, server.to_string(), time])?;
    }
    let mut begun =
        transaction.prepare_cached("INSERT OR REPLACE INTO listed VALUES (?1, ?2, ?3, NULL)")?;
    for server in &change.came {
        begun.execute(params![target, server.to_string(), time])?;
    }
    Ok(())
}

/// Deletes what ended before a time, and the oldest of more than [`MAX_LEFT`] servers.
pub(super) fn delete_before(
    transaction: &Transaction<'_>,
    oldest: i64,
) -> Result<(), rusqlite::Error> {
    for old in [
        "DELETE FROM rounds WHERE time < ?1",
        "DELETE FROM samples WHERE time < ?1",
        "DELETE FROM listed WHERE until < ?1",
        "DELETE FROM alerts WHERE until < ?1",
    ] {
        transaction.prepare_cached(old)?.execute([oldest])?;
    }
    let too_many = "DELETE FROM listed WHERE until <= (SELECT until FROM listed \
                    WHERE until IS NOT NULL ORDER BY until DESC LIMIT 1 OFFSET ?1)";
    transaction.prepare_cached(too_many)?.execute([MAX_LEFT])?;
    Ok(())
}
