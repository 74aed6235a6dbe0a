//! The tests with programs that others wrote: servers, clients, masters, captures and terminals,
//! Wireshark, browsers, and what reads tables. A test whose programs are not there reports that it
//! did not run (`tests/support/needs.rs`); `.ci/run` requires all.

mod action;
mod arena;
mod encapsulations;
mod live;
mod live_servers;
mod output_live;
mod packets;
#[cfg(feature = "parquet")]
mod parquet_readers;
mod query_crowd;
mod query_manners;
mod real;
mod real_a2s;
mod real_gamedig;
mod real_gamedig_cli;
mod real_master;
mod real_opengsq;
mod real_quakestat;
mod real_query;
mod real_replay;
mod real_server;
mod real_server_conform;
mod real_steam;
mod real_teeworlds;
mod real_xash3d;
mod report_page;
mod sharkd;
mod simulated;
mod tables;
mod tcpdump;
mod terminal;
mod terminal_colours;
mod terminal_live;
mod terminal_modes;
#[cfg(feature = "watch")]
mod watch;
mod wireshark;
mod wireshark_live;
mod wireshark_values;

#[path = "../it/bench/mod.rs"]
mod bench;

// What both binaries use.
#[path = "../support/answering.rs"]
mod answering;
#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/corpus.rs"]
mod corpus;
#[path = "../support/golden.rs"]
mod golden;
#[path = "../support/marked.rs"]
mod marked;
#[path = "../support/needs.rs"]
mod needs;
#[path = "../support/netns.rs"]
mod netns;
#[path = "../support/process.rs"]
mod process;
#[path = "../support/story.rs"]
mod story;
#[cfg(feature = "watch")]
#[path = "../support/watched.rs"]
mod watched;
