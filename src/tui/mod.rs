//! The terminal interface: messages in a list, the one under the cursor as fields and bytes.
//!
//! Every event is an `Action`. `update` turns it into a changed
//! `Model` and `Effect`s, without IO and without a clock; `run`
//! executes the effects and reports their results as further actions. The views are functions of
//! the model. One table of keys serves dispatch, footer and help.
//!
//! *Invariant:* only text that `render` has escaped and masked is drawn, and a frame costs what its
//! rows cost, however many messages there are.
#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod action;
mod areas;
mod keyboard;
mod keys;
mod model;
mod open;
mod page;
mod run;
mod saving;
mod screen;
mod search;
mod sheet;
mod sieve;
mod sifter;
mod stage;
mod text;
mod update;
mod view;
mod writer;

#[cfg(test)]
mod tests;

pub use run::run;
pub use saving::Saves;
pub use stage::App;
