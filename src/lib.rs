//! Fragshark: what game master servers, game servers and clients say to each other.

pub mod capture;
pub mod net;
