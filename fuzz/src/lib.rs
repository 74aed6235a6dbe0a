//! The fuzz targets: what they feed to fragshark, and what must hold for the output.
//!
//! A target is a function of bytes that panics where an oracle fails. The programs in
//! `fuzz_targets/` pass it the inputs of libFuzzer; `tests/it/fuzz_corpus.rs` of the parent crate
//! passes it the files of `corpus/`, so that every `cargo test` repeats what fuzzing once found.

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
