//! Conformance tests of a master or a game server, case by case.
//!
//! A [`Case`] has one sentence on what it does, the requirement that it tests, and a function that
//! uses a small set of verbs: a server registers and answers, or refuses to; a client requests a
//! list; something is expected, or nothing is. A [`TestSuite`] has the cases of one kind of master
//! or server; suites of masters are in `families`, in the folder of their family, those of game
//! servers in `servers`. A [`TestContext`] runs one case: it opens endpoints, logs every datagram and
//! knows the assumptions about the target. [`run()`] runs many in parallel.
//!
//! What servers and clients send is in `simulate`, and messages are decoded by `protocol`. The
//! library must not know the reference master (`masters`): it is tested like any other.
//!
//! *Architecture invariant:* a verdict depends on the traffic, never on how long something took,
//! unless the documents set a time. Waiting for "no response" ends when a request that was sent
//! afterwards is answered, or after one named limit.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod assumed;
mod attempt;
mod case;
mod checks;
pub(crate) mod client;
mod context;
mod context_servers;
mod control;
mod csv_table;
mod datagram;
mod drops;
mod endpoint;
mod env;
mod env_answers;
mod env_servers;
mod failure;
pub mod families;
mod fingerprint;
mod gate;
mod judged;
pub(crate) mod list;
mod log;
mod outcome;
mod page;
mod plan;
mod pool;
mod precondition;
mod record;
mod reported;
mod requirement;
mod run;
mod selection;
mod sentinel;
pub(crate) mod server;
pub mod servers;
pub(crate) mod shared;
mod sources;
mod stream;
mod suite;
mod target_side;
mod traits;

pub use assumed::Assumed;
pub use case::{CASE, Case};
pub use context::TestContext;
pub use csv_table::CsvTable;
pub(crate) use csv_table::csv_table;
pub use datagram::ReceivedDatagram;
pub use endpoint::TestEndpoint;
pub use env::{TargetEnv, TargetEnvError};
pub use failure::{Done, Failure, FailureKind, FaultyDatagram};
pub use fingerprint::{Match, ObservedTrait, fingerprint, identify};
pub use judged::{Judged, verdict_of};
pub use log::{LogEntry, TrafficLog};
pub use outcome::RunOutcome;
pub use page::{requirements, tables};
pub use plan::RunPlan;
pub use precondition::{Precondition, UnmetPrecondition};
pub use record::record;
pub use reported::{cause, shown};
pub use requirement::{Level, Requirement};
pub use run::run;
pub use selection::{CaseSelection, NoSuchCase};
pub use sentinel::{Sentinel, ShutdownMessage};
pub use stream::TestStream;
pub use suite::{Profile, SuiteCase, TestSuite, fits};
pub use traits::{Implementation, Trait};
