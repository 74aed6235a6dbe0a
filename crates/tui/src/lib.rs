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
//!
//! It knows no protocol by its name and opens no capture: `analysis` gives it messages and verdicts,
//! `export` the tables.
#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod action;
mod ansi_backend;
mod app;
mod clicks;
mod comparison;
mod config;
mod configure;
mod export;
mod export_thread;
mod filter;
mod filter_work;
mod format;
mod history;
mod keyboard;
mod keys;
mod layout;
mod loading;
mod marks;
mod menu;
mod model;
mod names;
mod notes;
mod options;
mod overlay;
mod page;
mod question_text;
mod questions;
mod reader;
mod run;
mod screens;
mod search;
mod session;
mod terminal;
mod text;
mod theme;
mod typing;
mod update;
mod view;
mod view_state;
#[cfg(feature = "watch")]
mod watching;
mod whole_list;
mod widgets;
mod work;

#[cfg(test)]
mod tests;

pub use app::App;
pub use config::{ConfigError, SETTINGS, UserConfig};
pub use configure::complete;
pub use export::Saves;
pub use history::{History, HistoryFile, HistoryKind};
pub use keys::{key_page, mouse_page};
pub use loading::load;
pub use options::{Options, OtherAnswer, ReferenceFn};
pub use run::run;
pub use screens::screen::Sort;
pub use screens::{named as screen_named, names as screen_names};
pub use theme::{Depth, Theme, Themes};
#[cfg(feature = "watch")]
pub use watching::{WatchUpdate, WatchView, run_watch};
