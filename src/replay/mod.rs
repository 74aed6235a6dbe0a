//! Replay: what a capture's servers and clients said to their masters is said again to another
//! master, and what that one answers is compared with what was recorded.
//!
//! [`Account`] is what was asked and answered in a capture. One is read of the recording; the run
//! itself is kept as a capture too and read by the same rooms, so that both are named, paired and
//! judged alike, and a comparison is one of two readings. [`Stage`] has a socket for each recorded
//! end and maps addresses forth and back; [`Partner`](partner) is what a server says when the live
//! master asks; [`Plan`] says what is sent when.
//!
//! Which protocol it is about nothing here knows: what a message is for, what it answers and what
//! its fields are used for stand beside the messages in `proto`.
//!
//! *Architecture invariant:* what is sent goes through `simulate::Socket`, and so to the target alone.
//! Loops are counted, waits have an end, and what was not kept for want of room is said.
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

/// Why there was no replay.
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
