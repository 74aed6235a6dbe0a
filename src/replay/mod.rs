//! Replay: sends the recorded messages of servers and clients to another master, and compares its
//! responses with the recorded ones.
//!
//! A [`Transcript`] has the requests and responses of a capture. One is made of the recording; the
//! run is stored as a capture too and read by the same code, so that both are decoded, paired and
//! judged alike. [`ReplaySockets`] has a socket for each recorded endpoint and maps addresses in
//! both directions; `partner` answers the live master's requests; [`Plan`] says what is sent
//! when.
//!
//! Nothing here depends on a protocol: what a message is for, what it answers and the roles of its
//! fields are declared with the messages in `protocol`.
//!
//! *Architecture invariant:* everything is sent through `simulate::Socket`, and so to the target
//! alone. Loops are counted, waits end, and what limits dropped is reported.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod account;
mod compare;
mod composed;
mod connection;
mod ear;
mod fields;
mod hints;
mod journal;
mod lists;
mod mouth;
mod pace;
mod partner;
mod plan;
mod repertoire;
mod restarts;
mod ruling;
mod run;
mod stage;
mod standing;
mod timeline;
mod values;
mod verdict;

use std::io;

use thiserror::Error;

use crate::capture::OpenError;

pub use account::{Played, RecordedReply, RecordedRequest, Transcript};
pub use compare::{Comparison, DifferenceKey, Found};
pub use hints::Hint;
pub use pace::{Pace, Pacing, Spacing};
pub use partner::Making;
pub use plan::{Plan, SkippedMessages, cast, is_playable};
pub use ruling::Ruling;
pub use run::{Pairing, ReplayOptions, ReplayOutcome, SendProgress, play};
pub use stage::{Mapping, ReplaySockets};
pub use verdict::{Overall, ReplayNote, ReplayReport};

/// Why a replay was not possible.
#[derive(Debug, Error)]
pub enum ReplayError {
    #[error("cannot open a socket for {end}: {why}")]
    Socket { end: std::net::SocketAddr, why: io::Error },
    #[error(
        "{wanted} ends want a socket each, and this system lets a process have {room}; \
         ulimit -n says how many, -Y plays fewer"
    )]
    Crowded { wanted: usize, room: usize },
    #[error("{target} cannot be reached from here: {why}")]
    Unreachable { target: String, why: io::Error },
    #[error("cannot read the capture: {0}")]
    Capture(#[from] OpenError),
    #[error("cannot keep what happens: {0}")]
    Journal(io::Error),
    #[error("{0}")]
    System(#[from] io::Error),
}
