//! Fragshark: what game master servers, game servers and clients send to each other.
//!
//! The modules in reading order, the lowest layer first; a module uses only those before it.

pub mod text;

pub mod codec;

pub mod protocol;

pub mod protocols;

pub mod net;

pub mod capture;

pub mod sandbox;

pub mod flow;

pub mod analysis;

pub mod render;

pub mod report;

pub mod filter;

pub mod export;

pub mod master;

pub mod simulate;

pub mod families;

pub mod replay;

pub mod conform;

pub mod tui;

pub mod cli;
