//! The terminal interface: messages in a list, the one under the cursor as fields and bytes.
//!
//! Everything that happens is an [`Action`](action::Action). [`update`](update::update) turns it
//! into a changed [`Model`](model::Model) and a few [`Effect`](action::Effect)s, without IO and
//! without a clock; `run` carries the effects out and reports what came of them as further actions.
//! The views are functions of the model. One table of keys feeds dispatch, footer and help.
//!
//! *Invariant:* nothing is drawn that `dump` has not escaped and masked, and a frame costs what its
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
