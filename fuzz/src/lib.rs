//! What fuzzing feeds to fragshark, and what has to hold of everything that comes out.
//!
//! A target is a function of bytes that panics where an oracle fails. The programs in
//! `fuzz_targets/` hand it what libFuzzer makes up; `tests/it/fuzz_corpus.rs` of the parent crate hands
//! it the files of `corpus/`, so that what fuzzing once found is looked at by every `cargo test`.

mod conversation;
mod filter;
pub mod laws;
mod master;
mod message;
mod passes;
mod redaction;
mod replay_plan;
mod stream;
mod text;

/// What is done with an input.
type Target = fn(&[u8]);

/// Every target: the name of its program and of its folder in `corpus/`, and its function.
pub const TARGETS: &[(&str, Target)] = &[
    ("conversation", conversation::run),
    ("file", passes::run),
    ("filter", filter::run),
    ("http", stream::http),
    ("master", master::run),
    ("message", message::run),
    ("redaction", redaction::run),
    ("replay_plan", replay_plan::run),
    ("stream", stream::run),
];

/// Runs the target of this name.
///
/// # Panics
///
/// Where there is none, or an oracle fails.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("a known target");
    target(bytes);
}
