//! From frames to verdicts: the pipeline that connects capture, net, flow and protocol, and what
//! follows from its messages: exchanges, hosts, registrations, findings and statistics.
//!
//! [`Pipeline`] streams: it keeps the flows and passes on each message once. [`Session`] is for
//! random access: it keeps a few dozen bytes per message and reads payloads again from the capture.
//!
//! It knows no table, no screen and no command: they ask it, and none of them decides what a message
//! means. Bytes are decoded by `protocol`, never here.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod addresses;
mod ahead;
mod analyzer;
mod batch;
mod conclusions;
mod counts;
mod endpoint_key;
mod exchange;
mod finding;
mod finding_watcher;
mod findings;
mod focus;
mod frame_index;
mod frame_ref;
mod host;
mod host_names;
mod hosts;
mod index;
mod input_indices;
mod input_set;
mod list_packet;
mod message;
mod message_batch;
mod pass_log;
mod payload;
mod pipeline;
mod placed;
mod prepared;
mod reader;
mod reassembler;
mod registration_stats;
mod registrations;
mod scan;
mod sent_times;
mod session;
mod splits;
mod stages;
mod statistics;
mod values;

pub use addresses::is_private;
pub use analyzer::{AnalysisNeeds, Analyzer};
pub use counts::SessionCounts;
pub use exchange::{
    AnalysisBound, AnswerParts, ChallengeProof, ChangedValue, EndedRange, Exchange, ExchangeState,
    ExchangeStep, ListContents, MessageTurn, Misdirected, MissingParts, PacketOfList,
};
pub use finding::{BytePlace, Finding, Rule, Severity};
pub use finding_watcher::FindingWatcher;
pub use findings::{FindingOccurrence, RULES};
pub use focus::Focus;
pub use frame_index::FrameIndex;
pub use frame_ref::{FrameOrigin, FrameRef};
pub use host::{MasterHost, Range, ServerHost};
pub use host_names::HostNames;
pub use hosts::{Hosts, SILENCE};
pub use index::{AnalysisIndex, ExchangeRecord};
pub use input_indices::InputIndices;
pub use input_set::InputSet;
pub use list_packet::ListPacket;
pub use message::{CapturedMessage, MessageHeader};
pub use message_batch::MessageBatch;
pub use pipeline::{AnalysedMessage, Pipeline, PipelineItem, ReadBatch};
pub use prepared::Prepared;
pub use reader::Meter;
pub use registration_stats::{Intervals, Moment, RegistrationStats, ShutdownKind};
pub use registrations::{
    FailureCause, Registration, RegistrationSummary, RegistrationView, StepName, StepReport,
    StepState,
};
pub use scan::{ScanBatch, ScanMessages, SessionScan};
pub use sent_times::SentTimes;
pub use session::{ExtendError, FrameHook, Loader, Session};
pub use splits::{DamagedSplit, JoinedSplit, Splits};
pub use statistics::{
    ExchangeStatistics, GameCounts, HeartbeatMarks, HeartbeatSeries, HeartbeatStatistics,
    Histogram, Latencies, ListSizes, NumberBin, SessionStatistics, StatisticsBuilder,
    StatisticsStream,
};
pub use values::{MessageValues, PlainValues, TextOf, TextValue, ValueBatch, ValueReader};
