//! Conversations: who speaks with whom, in which role, what waits for an answer, and which game
//! it is, with the reasons.
//!
//! Verdicts are of endpoints and flows, not of messages: what one message of a server proves holds
//! for everything that server says. Nothing here keeps a payload.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use crate::proto::{Game, Sure};

/// A flow's number, from 1; 0 stands for flows that the full table had no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FlowId(pub u32);

/// What carries a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transport {
    Udp,
    Tcp,
}

/// Which game a flow speaks, and how sure that is.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    pub game: &'static Game,
    pub sure: Sure,
}
