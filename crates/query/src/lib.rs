//! Asks game servers and masters, and collects their answers.
//!
//! A [`Conversation`] is one question and its answer so far: it has no socket and no clock, so that
//! one thread can lead any number of them. A [`ServerInterview`] asks a server one question after
//! another, and a [`MasterClient`] requests a master's list. What is said comes from
//! [`simulate::families`]; what came is recorded as a capture, and read by `analysis` as any other.
//!
//! *Architecture invariant:* everything is sent through `simulate::Socket` and the connections of
//! `simulate::AddressPool`, and so to the targets that the user named; a server of a list is asked
//! only if [`entry_target`] makes a target of it. Whatever a target sends, a question ends: its
//! answer is bounded in time, bytes and datagrams, and what is sent again is counted.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer;
mod client;
mod connection;
mod conversation;
mod crowd;
mod interview;
mod list_answer;
mod list_request;
mod master_client;
mod master_kind;
mod message;
mod question;
mod question_thread;
mod session_endpoint;
mod session_question;
mod single;
mod target;
mod traffic;

pub use answer::{AnswerEnd, AnswerMessage, QuestionAnswer};
pub use client::{Inquiry, QueryClient};
pub use connection::{ConnectionEnd, ConnectionLimits, MasterDialer, is_closed};
pub use conversation::{Conversation, ConversationStep, QuestionLimits};
pub use crowd::{CrowdLimits, CrowdServer, ask_crowd};
pub use interview::{InterviewOutcome, ServerInterview};
pub use list_answer::{ListFailure, MasterList, RequestedList};
pub use list_request::{DATAGRAMS, received, send};
pub use master_client::MasterClient;
pub use master_kind::{KindSearch, KindSource, known_by};
pub use message::{MessageError, QueryMessage, message_named};
pub use question::{AskedServer, entry_target, is_unreachable};
pub use question_thread::{AskedQuestion, QuestionThread};
pub use session_endpoint::QuestionError;
pub use session_question::{QuestionOrigin, QuestionRow, QuestionWay, RATE, SessionQuestion};
pub use single::{SingleAnswer, ask_message};
pub use target::{Approach, NamedProtocol, QueryTarget, QueryTargetError, TargetSubject};
pub use traffic::{StreamRecord, TrafficRecorder};
