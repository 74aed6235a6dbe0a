//! Judging a master, case by case.
//!
//! A [`Case`] is one sentence of what is done, the sentence of a document that it tests, and a
//! closure over a small set of verbs: a server registers and answers, or refuses to; a client asks
//! for a list; something is expected, or nothing is. Cases stand in `cases/`, a family of games a
//! file or folder, in the order of the documents' sections, so that they read like a table of
//! contents. A [`TestContext`] is where one case is tried: it gives it ends of its own, writes down every
//! datagram and knows what may be assumed of the target. [`run`] tries many side by side.
//!
//! What a server or a client says comes from `simulate::voice`, what a message means from `proto`; a
//! case holds neither. Of `master` the room knows the tables of services and settings, which are the
//! words for what a target is assumed to be, and never how the reference master works: it is judged
//! as any other.
//!
//! *Architecture invariant:* a verdict rests on what was said and heard, and never on how long
//! something took, but where the documents set a time. A wait for "no answer" ends when a request
//! that was sent behind is answered, or after one named limit.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod assumed;
mod case;
pub mod cases;
mod choose;
mod context;
mod drops;
mod endpoint;
mod env;
mod failure;
mod fingerprint;
mod gate;
mod judged;
mod log;
mod pace;
mod page;
mod pool;
mod precondition;
mod record;
mod run;
mod show;
mod sources;
mod stream;
mod tries;

pub use assumed::Assumed;
pub use case::{
    Case, Family, Goodbye, INFO, Level, MUST, Profile, Proven, SHOULD, Sentence, Sentinel,
};
pub use choose::{CaseSelection, NoSuchCase, fits};
pub use context::TestContext;
pub use endpoint::{ReceivedDatagram, TestEndpoint};
pub use env::{TargetEnv, TargetEnvError};
pub use failure::{Done, Failure, FailureKind, FaultyDatagram};
pub use fingerprint::{Implementation, Match, ObservedTrait, Trait, fingerprint, identify};
pub use judged::{Judged, verdict_of};
pub use log::{LogEntry, TrafficLog};
pub use page::tables;
pub use precondition::{Precondition, UnmetPrecondition};
pub use record::record;
pub use run::{RunOutcome, RunPlan, run};
pub use show::{cause, shown};
pub use stream::TestStream;
