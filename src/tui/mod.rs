//! The terminal interface: messages in a list, the one under the cursor as fields and bytes.
//!
//! Every event is an `Action`. `update` turns it into a changed `Model` and `Effect`s, without IO
//! and without a clock; `App` executes the effects and reports their results as further actions.
//! What is drawn is a function of the model. A screen is a file in `screens` and one line in
//! `SCREENS`: its state, what keys do to it, and how it is drawn. One table of keys serves dispatch
//! and help.
//!
//! *Invariant:* only text that `render` has escaped and masked is drawn, and a frame costs what its
//! rows cost, however many messages there are.
#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod action;
mod app;
mod export;
mod export_thread;
mod filter;
mod format;
mod keyboard;
mod keys;
mod layout;
mod model;
mod overlay;
mod page;
mod reader;
mod run;
mod screens;
mod search;
mod session;
mod terminal;
mod text;
mod update;
mod view;
mod view_state;
mod widgets;

#[cfg(test)]
mod tests;

pub use app::App;
pub use export::Saves;
pub use run::run;
