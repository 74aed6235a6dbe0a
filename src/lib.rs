//! Fragshark: what game master servers, game servers and clients say to each other.
//!
//! The rooms in reading order, the lowest floor first; a room uses only those before it.

pub mod wire;

pub mod proto;

pub mod net;

pub mod capture;

pub mod rights;

pub mod flow;

pub mod session;

pub mod dump;

pub mod report;

pub mod filter;

pub mod export;

pub mod master;

pub mod peer;

pub mod replay;

pub mod conform;

pub mod tui;

pub mod cli;
