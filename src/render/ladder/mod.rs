//! Messages as a sequence diagram (ladder): lifelines of servers, masters and clients side by side,
//! and an arrow for each message from sender to receiver.
//!
//! A ladder is drawn from [`Arrow`]s, plain data that any view can make of its messages. A line of
//! text depends on its arrow and on what [`Ladder`] knows of the whole, so that a long ladder can
//! be streamed, or only its visible lines drawn: `Rows` maps lines to arrows. [`svg`] and
//! [`mermaid`] draw a whole short one, for documents.
//!
//! This module knows no flows and no exchanges: each arrow has the outcome of its message.

mod arrow;
mod lifelines;
mod mermaid;
mod rows;
mod svg;
mod text;

#[cfg(test)]
mod tests;

pub use arrow::Arrow;
pub use lifelines::Lifelines;
pub use mermaid::mermaid;
pub(crate) use rows::{LadderRow, Rows};
pub use svg::svg;
pub use text::{Ladder, LadderLine};
