//! Requests that show what the target has read, and messages with which servers leave.

use std::net::SocketAddr;

/// A request that every master of a kind answers at once. It is sent after other datagrams, to know
/// when the target has read them.
pub struct Sentinel {
    /// The service that it is sent to.
    pub service: &'static str,
    /// The request from this address.
    pub request: fn(SocketAddr) -> Vec<u8>,
    /// Whether the sender counts as a server: then few endpoints send it, and often.
    pub from_server: bool,
}

impl Sentinel {
    /// A request of a client.
    pub const fn new(service: &'static str, request: fn(SocketAddr) -> Vec<u8>) -> Self {
        Self { service, request, from_server: false }
    }
}

/// A server's shutdown message to a service, from this address.
pub struct ShutdownMessage {
    /// The service that it is sent to.
    pub service: &'static str,
    /// The message of the server with an address.
    pub message: fn(SocketAddr) -> Vec<u8>,
}
