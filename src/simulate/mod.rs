//! The other end of a master: what may be spoken to, from where, and what a server or a client of
//! each game says when it is asked.
//!
//! Replay and conformance stand on it. It knows messages and sockets; it knows no capture, no plan
//! and no verdict.
//!
//! *Architecture invariant:* nothing is sent to an address that is not a [`Target`]'s, and no
//! source address is forged: whoever seems to speak from another address has a socket there.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod address_pool;
mod socket;
mod target;
pub mod voice;

pub use address_pool::{AddressPool, raise_fd_limit};
pub use socket::{Received, Socket};
pub use target::{Consent, LIMIT, Target, TargetError, TargetPair};
