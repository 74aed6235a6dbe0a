//! The tests of the built program and of the library that need nothing else, or little: one binary,
//! so that a change links once. Those with real servers, clients, terminals, browsers and readers are
//! in `tests/programs/`.

mod bench;
mod bounds;
mod captures;
mod catalogue;
mod changed_captures;
mod check;
mod cli;
mod completions;
mod config;
mod confined;
mod conform;
mod conform_reports;
mod conform_servers;
mod conform_verdicts;
mod core;
mod cut;
mod damage;
mod documents;
mod ecs;
mod edit;
mod encapsulations;
mod expected;
mod explain;
mod explain_crowd;
mod export_directory;
mod filter;
mod findings;
mod foreign;
mod foreign_corpus;
mod fuzz_corpus;
mod glossary;
mod hangup;
mod hexdumps;
mod howto;
mod interface;
mod interface_page;
mod interface_screens;
mod known;
mod ladder;
mod master;
mod master_mutants;
mod mistakes;
mod mutants;
mod no_challenge;
mod no_time;
mod options;
mod output;
mod packets;
mod query;
mod readme;
mod recorded_master;
mod recordings;
mod redact;
mod replay;
mod report;
mod rights;
mod row_ids;
mod same_verdicts;
mod secrets;
mod secrets_of_targets;
mod secrets_on_screens;
mod sessions;
mod shared_words;
mod sources;
mod stories;
mod svg;
mod threads;
mod tidy;
mod today;
#[cfg(feature = "watch")]
mod watch;
mod wild;
mod wireless;
mod words;

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
