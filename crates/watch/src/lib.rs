//! Watches masters: asks each for its list from time to time, registers a server with it, keeps a
//! history, and says what is wrong.
//!
//! A [`Watcher`] does one round at a time. Each [`WatchedMaster`] has sockets of its own and sends
//! what [`MasterMessages`](simulate::families::MasterMessages) has for its kind; an [`AwaitedMaster`] is
//! one whose name, kind or route is not known yet. What a round measures are samples of [`Series`];
//! [`AlertRule`]s are conditions on the last of them. [`WatchHistory`] keeps rounds in a database, so that a run goes on where an earlier one was, and
//! [`MetricsServer`] serves the newest samples to Prometheus.
//!
//! *Architecture invariant:* everything is sent through `simulate::Socket` and the connections of
//! `simulate::AddressPool`, and so to the targets that the user named; a server of a list is asked
//! only if the user wants that, and only if [`entry_target`](query::entry_target) makes a target of it. Everything that a
//! master can make larger has a limit. It knows no capture and no protocol by its name.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod alert;
mod awaited_master;
mod connected_probe;
mod history;
mod http;
mod metrics;
mod page;
mod plan;
mod presence;
mod probe;
mod registered_probe;
mod report;
mod series;
#[cfg(test)]
mod tests;
mod watched_master;
mod watched_server;
mod watcher;

pub use alert::{ALERTS, ActiveAlerts, AlertChange, AlertCondition, AlertKey, AlertRule};
pub use awaited_master::{AwaitedMaster, MasterObstacle, MasterOptions, MasterPlace};
pub use history::{WatchHistory, WatchHistoryError};
pub use http::{MetricsServer, system_time};
pub use metrics::metrics;
pub use page::{alert_table, grafana_dashboard, kind_tables, prometheus_rules, series_table};
pub use plan::{PlannedMaster, ProbeUse, WatchError, WatchPlan};
pub use query::{KindSource, ListFailure};
pub use registered_probe::registration_target;
pub use report::{
    AlertReport, DifferenceReport, EntryReport, MasterReport, NamedServerReport, ProbeReport,
    RoundReport, WentReport,
};
pub use series::{ALL_SERIES, RecentSamples, Sample, SampleSubject, Series};
pub use watched_master::{RoundLimits, WatchedMaster};
pub use watcher::{RequestCounts, Watcher};
