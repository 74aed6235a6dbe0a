//! From frames to messages: the pipeline that connects capture, net, flow and protocol, and the
//! store that views read.
//!
//! [`Pipeline`] streams: it keeps the flows and passes on each message once. [`Session`] is for
//! random access: it keeps a few dozen bytes per message and reads payloads again from the capture.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod books;
mod company;
mod dealings;
mod exchange;
mod facts;
mod findings;
mod focus;
mod host;
mod hosts;
mod ledger;
mod listed;
mod log;
mod message;
mod meter;
mod pipeline;
mod prepared;
mod registrations;
mod spans;
mod step;
mod store;

use std::collections::BTreeMap;

use crate::flow::Flows;

pub use books::{AnalysisIndex, IndexBuilder};
pub use dealings::{Intervals, Left, Moment, RegistrationStats};
pub use exchange::{
    ChallengeProof, Exchange, ExchangeState, ExchangeStep, Fate, ListContents, MessageTurn,
    Misdirected, PacketOfList, Trouble,
};
pub use facts::{ListEnd, MessageValues, TextValue};
pub use findings::{Finding, RULES, Rule, Severity};
pub use focus::Focus;
pub use host::{MasterHost, Range, ServerHost};
pub use hosts::Hosts;
pub use ledger::Analyzer;
pub use listed::ListPacket;
pub use message::{CapturedMessage, MessageHeader};
pub use meter::Meter;
pub use pipeline::{Passing, Pipeline, PipelineItem};
pub use prepared::Prepared;
pub use registrations::{Registration, StepName, StepReport, StepState};
pub use store::{Loader, Session, Witness};

/// Totals of a capture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionCounts {
    /// Frames of the capture.
    pub packets: u64,
    /// UDP datagrams, reassembled if they were fragmented.
    pub datagrams: u64,
    /// TCP segments.
    pub segments: u64,
    /// Flows of either transport.
    pub flows: u64,
    /// Messages by game and name.
    pub messages: BTreeMap<(&'static str, &'static str), u64>,
    /// Datagrams of running games, by game: between a known server and its players, not decoded.
    pub in_game: BTreeMap<&'static str, u64>,
}

impl SessionCounts {
    fn of(tally: step::FrameCounts, flows: &Flows) -> Self {
        let step::FrameCounts { packets, datagrams, segments } = tally;
        let (messages, in_game) = (flows.messages(), flows.in_game());
        Self { packets, datagrams, segments, flows: flows.len() as u64, messages, in_game }
    }
}
