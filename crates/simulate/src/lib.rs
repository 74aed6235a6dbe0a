//! The client side of a master: which targets are allowed, source addresses, and the messages of
//! each game's servers and clients.
//!
//! Replay and conformance use it. It handles messages and sockets; it knows no capture, no plan and
//! no verdict.
//!
//! *Architecture invariant:* nothing is sent to an address that is not a [`Target`]'s, and no
//! source address is forged: every simulated address has a socket on this machine.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod address_pool;
mod answer_limits;
mod client_stream;
pub mod families;
mod game_policy;
mod memory;
mod message_edit;
mod network;
mod pace;
mod packet_records;
mod server_info;
mod setting;
mod simulated_server;
mod socket;
mod target;
mod target_pair;

pub use address_pool::{AddressPool, raise_fd_limit};
pub use answer_limits::{
    AnswerCounter, AnswerLimits, AnswerRate, DDNET_LIMITS, IOQUAKE3_LIMITS, QUAKE3_LIMITS,
    SOURCE_LIMITS,
};
pub use client_stream::ClientStream;
pub use game_policy::GamePolicy;
pub use memory::{MemoryNetwork, MemoryStream, MemoryTarget};
pub use message_edit::{number_in, recognised, with_changes, with_value};
pub use network::Network;
pub use pace::Pacer;
pub use packet_records::PacketRecords;
pub use server_info::written;
pub use server_info::{KnownValue, ServerInfo};
pub use setting::{Authorize, ListForm, SETTINGS, Setting, Settings};
pub use simulated_server::{
    SERVER_DEFECTS, ServerDefect, ServerDefects, SimulatedServer, SimulatedServers,
};
pub use socket::{Received, Socket};
pub use target::LIMIT;
pub use target::{Consent, Target, TargetError, TargetService};
pub use target_pair::TargetPair;
