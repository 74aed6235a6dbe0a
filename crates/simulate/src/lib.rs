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
mod client_stream;
pub mod families;
mod game_policy;
mod memory;
mod network;
mod pace;
mod packet_records;
mod server_info;
mod setting;
mod socket;
mod target;
mod target_pair;

pub use address_pool::{AddressPool, raise_fd_limit};
pub use client_stream::ClientStream;
pub use game_policy::GamePolicy;
pub use memory::{MemoryNetwork, MemoryStream, MemoryTarget};
pub use network::Network;
pub use pace::Pacer;
pub use packet_records::PacketRecords;
pub use server_info::written;
pub use server_info::{KnownValue, ServerInfo};
pub use setting::{Authorize, ListForm, SETTINGS, Setting, Settings};
pub use socket::{Received, Socket};
pub use target::LIMIT;
pub use target::{Consent, Target, TargetError, TargetService};
pub use target_pair::TargetPair;
