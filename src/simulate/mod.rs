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
mod pace;
mod server_info;
mod socket;
mod target;

pub(crate) use address_pool::{AddressPool, raise_fd_limit};
pub(crate) use pace::Pacer;
pub(crate) use server_info::written;
pub use server_info::{KnownValue, ServerInfo};
pub(crate) use socket::{Received, Socket};
pub use target::{Consent, Target, TargetError};
pub(crate) use target::{LIMIT, TargetPair};
