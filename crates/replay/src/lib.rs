//! Replay: sends the recorded messages of servers and clients to another master, and compares its
//! responses with the recorded ones; and answers live servers and clients as a recorded master did
//! ([`RecordedMaster`]).
//!
//! A [`Transcript`] has the requests and responses of a capture. One is made of the recording; the
//! run is stored as a capture too and read by the same code, so that both are decoded, paired and
//! judged alike. [`ReplaySockets`] has a socket for each recorded endpoint and maps addresses in
//! both directions; `responder` answers the live master's requests; [`Plan`] says what is sent
//! when.
//!
//! Nothing here depends on a protocol: what a message is for, what it answers and the roles of its
//! fields are declared with the messages in `protocol`.
//!
//! *Architecture invariant:* what is replayed is sent through `simulate::Socket`, and so to the
//! target alone. Loops are counted, waits end, and what limits dropped is reported.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod address_names;
mod compare;
mod composed;
mod connection;
mod journal;
mod list_answer;
mod lists;
mod pace;
mod plan;
mod receiver;
mod recorded_master;
mod recorded_messages;
mod recorded_replies;
mod recorded_settings;
mod reference;
mod registration;
mod report;
mod responder;
mod restarts;
mod ruling;
mod run;
mod run_context;
mod sender;
mod sockets;
mod timeline;
mod transcript;
mod turns;
mod values;

use std::io;

use thiserror::Error;

use capture::OpenError;

pub use address_names::{HostNetwork, Mapping};
pub use compare::Comparison;
pub use pace::{Pace, Spacing};
pub use plan::{Plan, is_replayable, participants};
pub use recorded_master::{MasterAddress, PlayError, PlayEvent, PlayOptions, RecordedMaster};
pub use recorded_messages::{RecordedReply, RecordedRequest};
pub use reference::{ReferenceAnswer, reference_answer};
pub use report::{Overall, ReplayNote, ReplayReport};
pub use run::{ReplayOptions, ReplayOutcome, run_plan};
pub use sockets::ReplaySockets;
pub use transcript::Transcript;

/// Why a replay was not possible.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the text of each error says it")]
pub enum ReplayError {
    #[error("cannot open a socket for {end}: {why}")]
    Socket { end: std::net::SocketAddr, why: io::Error },
    #[error(
        "{needed} endpoints need a socket each, and this system allows {limit}; raise `ulimit -n`, \
         or select fewer messages with -Y"
    )]
    TooManyEndpoints { needed: usize, limit: usize },
    #[error("{target} cannot be reached from here: {why}")]
    Unreachable { target: String, why: io::Error },
    #[error("cannot read the capture: {0}")]
    Capture(#[from] OpenError),
    #[error("cannot write the journal: {0}")]
    Journal(io::Error),
    /// The recording cannot be written; the error names it.
    #[error(transparent)]
    Recording(io::Error),
    #[error("{0}")]
    System(#[from] io::Error),
}
